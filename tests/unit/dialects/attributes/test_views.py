"""Do views address the elements that NumPy's views do, and refuse in PyTorch's words?"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trilith.dialects.attributes import views
from trilith.dialects.attributes.dtype import float32
from trilith.dialects.attributes.views import Strided

STORAGE = np.arange(4096)
X = Strided((2, 3, 4), (12, 4, 1))
SCALAR = Strided((), ())


def elements(view: Strided) -> np.ndarray[Any, Any]:
    """Return what a view addresses in a storage that counts up from 0."""
    strides = [stride * STORAGE.itemsize for stride in view.strides]
    return np.lib.stride_tricks.as_strided(STORAGE[view.offset :], view.shape, strides)


@st.composite
def strided(draw: st.DrawFn, min_rank: int = 1) -> Strided:
    rank = draw(st.integers(min_rank, 4))
    shape = tuple(draw(st.lists(st.integers(0, 4), min_size=rank, max_size=rank)))
    strides = tuple(draw(st.lists(st.integers(0, 30), min_size=rank, max_size=rank)))
    return Strided(shape, strides, draw(st.integers(0, 9)))


def dim_of(draw: st.DataObject, view: Strided) -> int:
    return draw.draw(st.integers(-len(view.shape), len(view.shape) - 1))


def check(ours: Strided, theirs: Any) -> None:
    assert len(ours.shape) == len(ours.strides)
    np.testing.assert_array_equal(elements(ours), theirs)


@given(strided(0), st.data())
def test_permute_transpose_movedim(view: Strided, data: st.DataObject):
    rank = len(view.shape)
    order = data.draw(st.permutations(range(rank)))
    check(views.permute(view, order), elements(view).transpose(order))
    assume(rank > 0)
    first, second = dim_of(data, view), dim_of(data, view)
    check(views.transpose(view, first, second), np.swapaxes(elements(view), first, second))
    check(views.movedim(view, first, second), np.moveaxis(elements(view), first, second))
    check(
        views.movedim(view, tuple(order), tuple(range(rank))),
        np.moveaxis(elements(view), order, range(rank)),
    )


@given(strided(), st.data())
def test_select_and_slice(view: Strided, data: st.DataObject):
    dim = dim_of(data, view)
    before = (slice(None),) * (dim % len(view.shape))
    bound = st.none() | st.integers(-9, 9)
    start, end, step = data.draw(bound), data.draw(bound), data.draw(st.integers(1, 5))
    expected = elements(view)[(*before, slice(start, end, step))]
    check(views.slice_dim(view, dim, start, end, step), expected)
    size = view.shape[dim]
    assume(size > 0)
    index = data.draw(st.integers(-size, size - 1))
    check(views.select(view, dim, index), elements(view)[(*before, index)])
    length = data.draw(st.integers(0, size - index % size))
    part = slice(index % size, index % size + length)
    check(views.narrow(view, dim, index, length), elements(view)[(*before, part)])
    assert len(views.unbind(view, dim)) == size


@given(strided(2), st.data(), st.integers(-5, 5))
def test_diagonal(view: Strided, data: st.DataObject, offset: int):
    first, second = dim_of(data, view), dim_of(data, view)
    assume((first - second) % len(view.shape) != 0)
    expected = np.diagonal(elements(view), offset, first, second)
    check(views.diagonal(view, offset, first, second), expected)


@given(strided(), st.data(), st.integers(1, 3))
def test_unfold(view: Strided, data: st.DataObject, step: int):
    dim = dim_of(data, view) % len(view.shape)
    size = data.draw(st.integers(0, view.shape[dim]))
    ours = views.unfold(view, dim, size, step)
    for window in range(ours.shape[dim]):
        expected = views.slice_dim(view, dim, window * step, window * step + size)
        check(views.select(ours, dim, window), np.moveaxis(elements(expected), dim, -1))


@given(strided(0), st.data())
def test_squeeze_unsqueeze_expand(view: Strided, data: st.DataObject):
    rank = len(view.shape)
    dim = data.draw(st.integers(-rank - 1, rank))
    longer = views.unsqueeze(view, dim)
    check(longer, np.expand_dims(elements(view), dim))
    check(views.squeeze(longer), np.squeeze(elements(view)))
    check(views.squeeze(longer, dim), elements(view))
    target = (2, *(3 if size == 1 else size for size in view.shape))
    check(views.expand(view, target), np.broadcast_to(elements(view), target))


@given(strided(), st.data(), st.integers(1, 6))
def test_split_and_chunk(view: Strided, data: st.DataObject, count: int):
    dim = dim_of(data, view)
    size = view.shape[dim]
    for parts in (views.split(view, count, dim), views.chunk(view, count, dim)):
        assert sum(part.shape[dim] for part in parts) == size
        check(Strided(*view), np.concatenate([elements(part) for part in parts], dim))
    assert [part.shape[dim] for part in views.split(view, (0, size), dim)] == [0, size]


# Torch 2.13's strides where NumPy's do not say which ones they must be.
@pytest.mark.parametrize(
    ("ours", "expected"),
    [
        (views.expand(X, (2, 2, 3, 4)), Strided((2, 2, 3, 4), (0, 12, 4, 1))),
        (views.expand(Strided((1, 3, 4), (12, 4, 1)), (5, -1, -1)), Strided((5, 3, 4), (0, 4, 1))),
        (views.expand(SCALAR, (2, 1)), Strided((2, 1), (0, 0))),
        (views.expand(Strided((1, 1), (1, 1)), (1, -1, 1)), Strided((1, 1, 1), (1, 1, 1))),
        (views.unsqueeze(X, 1), Strided((2, 1, 3, 4), (12, 12, 4, 1))),
        (views.unsqueeze(X, -1), Strided((2, 3, 4, 1), (12, 4, 1, 1))),
        (views.unfold(SCALAR, 0, 1, 1), Strided((1,), (1,))),
        (views.unfold(X, 1, 0, 1), Strided((2, 4, 4, 0), (12, 4, 1, 4))),
        (views.diagonal(X, 9), Strided((4, 0), (1, 16))),
        (views.slice_dim(X, 0, None, None, 2**59), Strided((1, 3, 4), (12 * 2**59, 4, 1))),
        (views.chunk(Strided((0, 2), (2, 1)), 3), (Strided((0, 2), (2, 1)),) * 3),
        (views.t(Strided((3,), (7,))), Strided((3,), (7,))),
        (views.transpose(SCALAR, 0, -1), SCALAR),
        (views.movedim(SCALAR, 0, 0), SCALAR),
    ],
)
def test_strides(ours: Strided, expected: Strided):
    assert ours == expected


RANGE = "Dimension out of range (expected to be in range of [-3, 2], but got 5)"
REFUSALS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: views.permute(X, (0, 1, 5)), IndexError, RANGE),
    (lambda: views.transpose(X, 0, 5), IndexError, RANGE),
    (lambda: views.movedim(X, 5, 1), IndexError, RANGE),
    (lambda: views.squeeze(X, 5), IndexError, RANGE),
    (lambda: views.select(X, 5, 0), IndexError, RANGE),
    (lambda: views.unbind(X, 5), IndexError, RANGE),
    (
        lambda: views.unsqueeze(X, 5),
        IndexError,
        "Dimension out of range (expected to be in range of [-4, 3], but got 5)",
    ),
    (
        lambda: views.transpose(SCALAR, 0, 1),
        IndexError,
        "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
    ),
    (
        lambda: views.permute(X, (0, 1)),
        RuntimeError,
        "permute(): number of dimensions in the tensor input does not match the length of the "
        "desired ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2",
    ),
    (
        lambda: views.permute(X, (0, 0, 1)),
        RuntimeError,
        "permute(): duplicate dims are not allowed.",
    ),
    (
        lambda: views.t(X),
        RuntimeError,
        "t() expects a tensor with <= 2 dimensions, but self is 3D",
    ),
    (
        lambda: views.movedim(X, (0, 1), (1,)),
        RuntimeError,
        "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the "
        "same number of dims as destination ([1] dims)",
    ),
    (
        lambda: views.movedim(X, (0, 0), (1, 2)),
        RuntimeError,
        "movedim: repeated dim in `source` ([0, 0])",
    ),
    (
        lambda: views.movedim(X, (0, 1), (1, -2)),
        RuntimeError,
        "movedim: repeated dim in `destination` ([1, -2])",
    ),
    (
        lambda: views.squeeze(X, (0, -3)),
        RuntimeError,
        "dim 0 appears multiple times in the list of dims",
    ),
    (
        lambda: views.expand(X, (2, 3, 5)),
        RuntimeError,
        "The expanded size of the tensor (5) must match the existing size (4) at non-singleton "
        "dimension 2.  Target sizes: [2, 3, 5].  Tensor sizes: [2, 3, 4]",
    ),
    (
        lambda: views.expand(X, (3, 4), float32),
        RuntimeError,
        "expand(trilith.FloatTensor{[2, 3, 4]}, size=[3, 4]): the number of sizes provided (2) "
        "must be greater or equal to the number of dimensions in the tensor (3)",
    ),
    (
        lambda: views.expand(X, (-1, 2, 3, 4)),
        RuntimeError,
        "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension 0",
    ),
    (
        lambda: views.expand(Strided((1,), (1,)), (2**62, 4)),
        RuntimeError,
        "numel: integer multiplication overflow (sizes=[4611686018427387904, 4])",
    ),
    (
        lambda: views.expand(Strided((1,), (1,)), (-2,)),
        RuntimeError,
        "Trying to create tensor with negative dimension -2: [-2]",
    ),
    (
        lambda: views.select(X, 1, 3),
        IndexError,
        "select(): index 3 out of range for tensor of size [2, 3, 4] at dimension 1",
    ),
    (
        lambda: views.select(SCALAR, 0, 0),
        IndexError,
        "select() cannot be applied to a 0-dim tensor.",
    ),
    (
        lambda: views.narrow(X, 1, 2, 2),
        RuntimeError,
        "start (2) + length (2) exceeds dimension size (3).",
    ),
    (
        lambda: views.narrow(X, 1, 4, 0),
        IndexError,
        "start out of range (expected to be in range of [-3, 3], but got 4)",
    ),
    (
        lambda: views.narrow(X, 1, 0, -1),
        RuntimeError,
        "narrow(): length must be non-negative.",
    ),
    (
        lambda: views.narrow(SCALAR, 0, 0, 1),
        RuntimeError,
        "narrow() cannot be applied to a 0-dim tensor.",
    ),
    (
        lambda: views.slice_dim(SCALAR),
        IndexError,
        "slice() cannot be applied to a 0-dim tensor.",
    ),
    (lambda: views.slice_dim(X, 0, 0, 1, 0), RuntimeError, "slice step must be positive"),
    (
        lambda: views.slice_dim(X, 0, None, None, 2**63 - 1),
        RuntimeError,
        "Stride calculation overflowed with sizes=[1, 3, 4] and strides=[110680464442257309684, "
        "4, 1]",
    ),
    (
        lambda: views.unfold(X, 2, 5, 1),
        RuntimeError,
        "maximum size for tensor at dimension 2 is 4 but size is 5",
    ),
    (lambda: views.unfold(X, 2, 2, 0), RuntimeError, "step is 0 but must be > 0"),
    (lambda: views.unfold(X, 2, -1, 1), RuntimeError, "size is -1 but must be >= 0"),
    (
        lambda: views.diagonal(X, 0, 1, -2),
        RuntimeError,
        "diagonal dimensions cannot be identical 1, -2",
    ),
    (
        lambda: views.split(X, (1, 1), 1),
        RuntimeError,
        "split_with_sizes expects split_sizes to sum exactly to 3 (input tensor's size at "
        "dimension 1), but got split_sizes=[1, 1]",
    ),
    (
        lambda: views.split(X, (3, -1)),
        RuntimeError,
        "split_with_sizes expects split_sizes have only non-negative entries, "
        "but got split_sizes=[3, -1]",
    ),
    (
        lambda: views.split(X, -1),
        RuntimeError,
        "split expects split_size be non-negative, but got split_size=-1",
    ),
    (
        lambda: views.split(X, 0),
        RuntimeError,
        "split_size can only be 0 if dimension size is 0, but got dimension size of 2",
    ),
    (
        lambda: views.split(SCALAR, 1),
        RuntimeError,
        "split expects at least a 1-dimensional tensor",
    ),
    (
        lambda: views.chunk(SCALAR, 1),
        RuntimeError,
        "chunk expects at least a 1-dimensional tensor",
    ),
    (
        lambda: views.chunk(X, 0),
        RuntimeError,
        "chunk expects `chunks` to be greater than 0, got: 0",
    ),
    (
        lambda: views.unbind(SCALAR),
        IndexError,
        "Dimension specified as 0 but tensor has no dimensions",
    ),
    (
        lambda: views.as_strided(X, (100,), (1,), None, itemsize=4, storage_nbytes=96),
        RuntimeError,
        "setStorage: sizes [100], strides [1], storage offset 0, and itemsize 4 requiring a "
        "storage size of 400 are out of bounds for storage of size 96",
    ),
]


@pytest.mark.parametrize(("refused", "kind", "text"), REFUSALS, ids=range(len(REFUSALS)))
def test_refusals(refused: Callable[[], object], kind: type[Exception], text: str):
    with pytest.raises(kind) as caught:
        refused()
    assert caught.value.args[0] == text


def test_as_strided_keeps_the_offset():
    moved = Strided((2,), (1,), 3)
    ours = views.as_strided(moved, (2, 2), (1, 2), None, itemsize=4, storage_nbytes=96)
    assert ours == Strided((2, 2), (1, 2), 3)
    empty = views.as_strided(moved, (0,), (1,), 100, itemsize=4, storage_nbytes=96)
    assert empty == Strided((0,), (1,), 100)
