"""Do messages about numbers of a traced function speak of numbers, not of what stands for them?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

import trilith as tri

NEED_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "dim": lambda x, n: x.sum(n),
    "dims": lambda x, n: x.sum((0, n)),
    "tensor": lambda x, n: x + tri.tensor([n]),
    "tensor with a dtype": lambda x, n: x + tri.tensor([1, n], dtype=tri.float32),
}


@pytest.mark.parametrize("name", NEED_VALUES)
def test_what_needs_a_value_while_tracing(name: str):
    with pytest.raises(TypeError) as caught:
        tri.compile(NEED_VALUES[name])(tri.ones(2, 2), 1)
    text = str(caught.value)
    assert "Proxy" not in text
    assert "name the argument in static_argnames" in text


def test_in_and_reversed_in_a_compiled_function():
    def has(x: Any) -> Any:
        return x + 1 if 2 in x else x - 1

    with pytest.warns(tri.TrilithWarning, match="cannot read the value of it"):
        assert tri.compile(has)(tri.tensor([1, 2])).tolist() == [2, 3]
    backwards: Any = tri.compile(cast("Any", reversed))
    assert backwards(tri.arange(3)).tolist() == [2, 1, 0]


def test_numbers_that_are_operands_of_a_compiled_function():
    """alpha, the value of pad and a diagonal need no static argument."""

    def scaled_difference(x: Any, g: Any, rate: Any) -> tri.Tensor:
        return tri.sub(x, g, alpha=rate)

    def padded(x: Any, n: Any) -> tri.Tensor:
        return tri.pad(x, (1, 0), value=n)

    def lower_triangle(x: Any, n: Any) -> tri.Tensor:
        return tri.tril(x, n)

    x, matrix = tri.tensor([1.0, 2.0]), tri.ones(2, 2)
    step = tri.compile(scaled_difference)
    assert [step(x, x, rate).tolist() for rate in (0.5, 0.25)] == [[0.5, 1.0], [0.75, 1.5]]
    assert step.stats().traces == 1
    pad = tri.compile(padded)
    assert pad(x, 7).tolist() == [7.0, 1.0, 2.0]
    tril = tri.compile(lower_triangle)
    assert tril(matrix, -1).tolist() == [[0.0, 0.0], [1.0, 0.0]]
    assert tril(matrix, 0).tolist() == [[1.0, 0.0], [1.0, 1.0]]
    assert tril.stats().traces == 1
    with pytest.raises(TypeError, match="must be int, not float argument"):
        tril(matrix, 1.5)
