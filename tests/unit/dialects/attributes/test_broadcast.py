"""Do shapes broadcast as NumPy's do, and refuse in PyTorch's words?"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes.broadcast import (
    broadcast_shapes,
    broadcast_shapes_function,
)

shapes = st.lists(st.sampled_from([0, 1, 1, 2, 3]), max_size=4).map(tuple)


@given(st.lists(shapes, min_size=1, max_size=4))
def test_agrees_with_numpy(given_shapes: list[tuple[int, ...]]):
    try:
        expected = np.broadcast_shapes(*given_shapes)
    except ValueError:
        with pytest.raises(RuntimeError, match="The size of tensor a"):
            broadcast_shapes(*given_shapes)
        with pytest.raises(RuntimeError, match="Attempting to broadcast"):
            broadcast_shapes_function(*given_shapes)
    else:
        assert broadcast_shapes(*given_shapes) == expected
        assert broadcast_shapes_function(*given_shapes) == expected


# The sizes are those of torch 2.13 for ones(a) + ones(b): the last dimension that differs.
@pytest.mark.parametrize(
    ("a", "b", "sizes"),
    [
        ((2, 3), (2,), (3, 2, 1)),
        ((0,), (2,), (0, 2, 0)),
        ((4, 3, 3, 4), (4, 4, 0), (4, 0, 3)),
        ((3, 2, 1), (0, 0, 4), (2, 0, 1)),
    ],
)
def test_operands_that_do_not_fit(
    a: tuple[int, ...], b: tuple[int, ...], sizes: tuple[int, int, int]
):
    with pytest.raises(RuntimeError) as caught:
        broadcast_shapes(a, b)
    assert caught.value.args[0] == (
        f"The size of tensor a ({sizes[0]}) must match the size of tensor b ({sizes[1]}) "
        f"at non-singleton dimension {sizes[2]}"
    )


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (
            ((2, 3), (2,)),
            "Attempting to broadcast a dimension of length 2 at -1! Mismatching argument at "
            "index 1 had (2,); but expected shape should be broadcastable to [2, 3]",
        ),
        (
            ((1, 3), (), (4, 1, 2, 2)),
            "Attempting to broadcast a dimension of length 2 at -1! Mismatching argument at "
            "index 2 had (4, 1, 2, 2); but expected shape should be broadcastable to [1, 1, 1, 3]",
        ),
    ],
)
def test_public_function_refuses(arguments: tuple[tuple[int, ...], ...], text: str):
    with pytest.raises(RuntimeError) as caught:
        broadcast_shapes_function(*arguments)
    assert caught.value.args[0] == text


def test_public_function():
    assert broadcast_shapes_function() == ()
    assert broadcast_shapes_function(3, (2, 1)) == (2, 3)
    with pytest.raises(ValueError, match="a dimension with negative length"):
        broadcast_shapes_function((-1,), (2,))
