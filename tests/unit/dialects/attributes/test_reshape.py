"""Do reshaped views address the same elements in order, and refuse in PyTorch's words?"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes import dtype as dtypes
from trilith.dialects.attributes import reshape
from trilith.dialects.attributes.strides import contiguous_strides
from trilith.dialects.attributes.views import Strided

STORAGE = np.arange(4096)
X = Strided((2, 3, 4), (12, 4, 1))
SCALAR = Strided((), ())


def elements(view: Strided) -> np.ndarray[Any, Any]:
    strides = [stride * STORAGE.itemsize for stride in view.strides]
    return np.lib.stride_tricks.as_strided(STORAGE[view.offset :], view.shape, strides)


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 24)), max_size=4),
    st.lists(st.sampled_from([1, 2, 3, 4]), max_size=4),
)
def test_a_view_is_numpys_reshape(dims: list[tuple[int, int]], target: list[int]):
    view = Strided(tuple(size for size, _ in dims), tuple(stride for _, stride in dims), 5)
    if prod(target) != prod(view.shape):
        target = [prod(view.shape)]
    ours = reshape.reshape(view, target)
    if ours is not None:
        np.testing.assert_array_equal(elements(ours), elements(view).reshape(target))


@given(st.lists(st.integers(0, 4), max_size=4))
def test_a_contiguous_tensor_is_always_viewable(shape: list[int]):
    view = Strided(tuple(shape), contiguous_strides(tuple(shape)), 7)
    flat = reshape.view(view, (prod(shape),))
    assert flat == Strided((prod(shape),), (1,), 7)
    back = reshape.view(flat, shape)
    assert (back.shape, back.offset) == (view.shape, 7)
    np.testing.assert_array_equal(elements(back), elements(view))


# Answers of torch 2.13.
@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (reshape.view(X, (6, 4)), Strided((6, 4), (4, 1))),
        (reshape.view(X, (-1,)), Strided((24,), (1,))),
        (
            reshape.view(Strided((2, 4, 3), (12, 1, 4)), (2, 2, 2, 3)),
            Strided((2, 2, 2, 3), (12, 2, 1, 4)),
        ),
        (reshape.reshape(Strided((3, 2, 4), (4, 12, 1)), (-1,)), None),
        (reshape.view(Strided((0, 3), (3, 1)), (-1, 3)), Strided((0, 3), (3, 1))),
        (reshape.view(Strided((2, 0), (1, 1)), (3, 0, 7)), Strided((3, 0, 7), (7, 7, 1))),
        (reshape.view(Strided((2, 0), (9, 5)), (2, 0)), Strided((2, 0), (9, 5))),
        (reshape.view(SCALAR, (1, 1)), Strided((1, 1), (1, 1))),
        (reshape.view(Strided((1, 1), (1, 1)), ()), SCALAR),
        (
            reshape.flatten(Strided((2, 3, 4, 5), (60, 1, 15, 3)), 2),
            Strided((2, 3, 20), (60, 1, 3)),
        ),
        (reshape.flatten(SCALAR), Strided((1,), (1,))),
        (reshape.unflatten(X, 2, (2, 2)), Strided((2, 3, 2, 2), (12, 4, 2, 1))),
        (reshape.view_dtype(X, dtypes.float32, dtypes.float64), Strided((2, 3, 2), (6, 2, 1))),
        (reshape.view_dtype(X, dtypes.float32, dtypes.bool_), Strided((2, 3, 16), (48, 16, 1))),
        (reshape.view_dtype(X, dtypes.float32, dtypes.int32), X),
        (
            reshape.view_dtype(Strided((3, 2), (0, 1)), dtypes.float32, dtypes.float64),
            Strided((3, 1), (0, 1)),
        ),
        (reshape.view_as_real(Strided((2,), (1,)), dtypes.complex64), Strided((2, 2), (2, 1))),
        (
            reshape.view_as_complex(Strided((3, 1, 2), (2, 1, 1)), dtypes.float32),
            Strided((3, 1), (1, 0)),
        ),
    ],
)
def test_strides(ours: Strided | None, expected: Strided | None):
    assert ours == expected


def as_double(shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> Strided:
    return reshape.view_dtype(Strided(shape, strides, offset), dtypes.float32, dtypes.float64)


def as_complex(shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> Strided:
    return reshape.view_as_complex(Strided(shape, strides, offset), dtypes.float32)


DOUBLE = "to view Float as Double (different element sizes), but got"
REFUSALS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: reshape.view(X, (-1, -1)), RuntimeError, "only one dimension can be inferred"),
    (
        lambda: reshape.view(X, (5, -1)),
        RuntimeError,
        "shape '[5, -1]' is invalid for input of size 24",
    ),
    (lambda: reshape.view(X, (7,)), RuntimeError, "shape '[7]' is invalid for input of size 24"),
    (lambda: reshape.view(X, (0,)), RuntimeError, "shape '[0]' is invalid for input of size 24"),
    (
        lambda: reshape.view(X, (-1, 2**40, 2**40)),
        RuntimeError,
        "shape '[-1, 1099511627776, 1099511627776]' is invalid for input of size 24",
    ),
    (
        lambda: reshape.view(X, (2, -3)),
        RuntimeError,
        "invalid shape dimension -3 at index 1 of shape [2, -3]",
    ),
    (
        lambda: reshape.view(X, (-4, -6)),
        RuntimeError,
        "invalid shape dimension -4 at index 0 of shape [-4, -6]",
    ),
    (
        lambda: reshape.view(Strided((0, 3), (3, 1)), (-1, 0)),
        RuntimeError,
        "cannot reshape tensor of 0 elements into shape [-1, 0] because the unspecified "
        "dimension size -1 can be any value and is ambiguous",
    ),
    (
        lambda: reshape.view(Strided((0,), (1,)), (2**62, 4, 0)),
        RuntimeError,
        "numel: integer multiplication overflow (sizes=[4611686018427387904, 4, 0])",
    ),
    (
        lambda: reshape.view(Strided((3, 2, 4), (4, 12, 1)), (-1,)),
        RuntimeError,
        "view size is not compatible with input tensor's size and stride (at least one "
        "dimension spans across two contiguous subspaces). Use .reshape(...) instead.",
    ),
    (
        lambda: reshape.flatten(X, 2, 1),
        RuntimeError,
        "flatten() has invalid args: start_dim cannot come after end_dim",
    ),
    (
        lambda: reshape.flatten(X, 0, 5),
        IndexError,
        "Dimension out of range (expected to be in range of [-3, 2], but got 5)",
    ),
    (lambda: reshape.unflatten(X, 1, ()), RuntimeError, "unflatten: sizes must be non-empty"),
    (
        lambda: reshape.unflatten(X, 2, (3, -1)),
        RuntimeError,
        "unflatten: Provided sizes [3, -1] don't multiply up to the size of dim 2 (4) "
        "in the input tensor",
    ),
    (
        lambda: reshape.unflatten(X, 1, (-1, -1)),
        RuntimeError,
        "unflatten got an unexpected error:\nonly one dimension can be inferred",
    ),
    (
        lambda: reshape.unflatten(SCALAR, 0, (1,)),
        RuntimeError,
        "unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions",
    ),
    (
        lambda: reshape.view_dtype(SCALAR, dtypes.float32, dtypes.int16),
        RuntimeError,
        "self.dim() cannot be 0 to view Float as Short (different element sizes)",
    ),
    (
        lambda: reshape.view_dtype(Strided((2, 4), (1, 2)), dtypes.float32, dtypes.int16),
        RuntimeError,
        "self.stride(-1) must be 1 to view Float as Short (different element sizes), but got 2",
    ),
    (lambda: as_double((2, 4), (1, 2)), RuntimeError, f"self.stride(-1) must be 1 {DOUBLE} 2"),
    (
        lambda: as_double((3,), (2,)),
        RuntimeError,
        f"self.size(-1) must be divisible by 2 {DOUBLE} 3",
    ),
    (
        lambda: as_double((2,), (1,), 1),
        RuntimeError,
        f"self.storage_offset() must be divisible by 2 {DOUBLE} 1",
    ),
    (
        lambda: as_double((2, 2), (3, 1)),
        RuntimeError,
        f"self.stride(0) must be divisible by 2 {DOUBLE} 3",
    ),
    (
        lambda: as_complex((2, 3), (3, 1)),
        RuntimeError,
        "Tensor must have a last dimension of size 2",
    ),
    (
        lambda: as_complex((2, 2), (4, 2)),
        RuntimeError,
        "Tensor must have a last dimension with stride 1",
    ),
    (
        lambda: as_complex((2, 2), (3, 1)),
        RuntimeError,
        "Tensor must have a stride divisible by 2 for all but last dimension",
    ),
    (
        lambda: as_complex((2, 2), (2, 1), 1),
        RuntimeError,
        "Tensor must have a storage_offset divisible by 2",
    ),
    (
        lambda: as_complex((), ()),
        RuntimeError,
        "Input tensor must have one or more dimensions",
    ),
    (
        lambda: reshape.view_as_complex(X, dtypes.int32),
        RuntimeError,
        "view_as_complex is only supported for half, float and double tensors, "
        "but got a tensor of scalar type: Int",
    ),
    (
        lambda: reshape.view_as_real(X, dtypes.float32),
        RuntimeError,
        "view_as_real is only supported for complex tensors",
    ),
]


@pytest.mark.parametrize(("refused", "kind", "text"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(refused: Callable[[], object], kind: type[Exception], text: str):
    with pytest.raises(kind) as caught:
        refused()
    assert caught.value.args[0] == text
