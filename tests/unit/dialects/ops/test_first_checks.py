"""Which fault does a call with several name? That which PyTorch looks for first.

Classes and texts are those of torch 2.13.
"""

from typing import Any

import pytest

import trilith as tri

t: Any = tri
F: Any = tri.nn.functional
OF_DIMS = "Dimension out of range (expected to be in range of {}, but got {})"
OF_SLICES = (
    "index_copy_(): Source/destination tensor must have same slice shapes. "
    "Destination slice shape: {} at dimension {} and source slice shape: {} at dimension 0."
)
OF_INDEX = (
    "index_add_(): Index is supposed to be a vector, but got dim: 2 with type: {} and size: {}"
)
REPEATS = "repeats must be 0-dim or 1-dim tensor"


def ones(*shape: int) -> Any:
    return tri.ones(shape)


FAULTS: list[tuple[Any, type[Exception], str]] = [
    (lambda: t.baddbmm(ones(2, 2), ones(2, 2), ones(2, 2)), IndexError, OF_DIMS.format([-2, 1], 2)),
    (
        lambda: ones(2, 2).baddbmm_(ones(2, 2), ones(2, 2)),
        IndexError,
        OF_DIMS.format([-2, 1], 2),
    ),
    (
        lambda: t.baddbmm(ones(2, 2, 2).long(), ones(2, 2, 2), ones(2)),
        IndexError,
        OF_DIMS.format([-1, 0], 2),
    ),
    (
        lambda: t.baddbmm(ones(2, 2, 2), ones(), ones(2, 2, 2)),
        IndexError,
        "Dimension specified as 0 but tensor has no dimensions",
    ),
    (
        lambda: t.baddbmm(ones(5), ones(2, 2, 2), ones(3, 2, 2)),
        RuntimeError,
        "The expanded size of the tensor (2) must match the existing size (5) at non-singleton "
        "dimension 2.  Target sizes: [2, 2, 2].  Tensor sizes: [5]",
    ),
    (
        lambda: t.baddbmm(ones(2, 2), ones(2, 2), ones(2, 2, 2)),
        RuntimeError,
        "batch1 must be a 3D tensor",
    ),
    (
        lambda: t.addbmm(ones(2, 2), ones(2, 2, 2), ones(2, 2)),
        IndexError,
        OF_DIMS.format([-2, 1], 2),
    ),
    (
        lambda: ones(3, 2).index_copy(0, t.tensor([[0.0]]), ones(1, 2)),
        IndexError,
        "index_copy_(): Index should have dimension 1 or 0 (got 2)",
    ),
    (
        lambda: ones(3, 2).index_copy(0, t.tensor([0, 1]), t.tensor(1.0)),
        IndexError,
        "index_copy_(): When source is scalar, index should have one element (got 2)",
    ),
    (
        lambda: ones(3, 2, 4).index_copy(1, t.tensor([0]), ones(3, 1, 5)),
        RuntimeError,
        OF_SLICES.format("3 4", 1, "3 5"),
    ),
    (
        lambda: ones(3, 2).index_copy(0, t.tensor([0]), t.tensor(1.0)),
        RuntimeError,
        OF_SLICES.format("2", 0, ""),
    ),
    (
        lambda: ones(3, 2).index_add(0, t.tensor([[0.0]]), ones(1, 2)),
        IndexError,
        OF_INDEX.format("Float", [1, 1]),
    ),
    (
        lambda: ones(3, 2).index_add_(0, t.tensor([[0, 1]]), ones(2, 2)),
        IndexError,
        OF_INDEX.format("Long", [1, 2]),
    ),
    (
        lambda: ones(3, 2).index_add(0, t.tensor([0.0]), ones(1, 2)),
        RuntimeError,
        "index_add_(): Expected dtype int32/int64 for index but got: Float",
    ),
    (lambda: ones(2).repeat_interleave(t.tensor([[1, 1]]), 3), RuntimeError, REPEATS),
    (lambda: ones(2).repeat_interleave(t.tensor([[1.0, 1.0]])), RuntimeError, REPEATS),
    (
        lambda: F.grid_sample(ones(1, 1, 2, 2), t.zeros(1, 1, 1, 2).double(), align_corners=True),
        RuntimeError,
        "expected scalar type Float but found Double",
    ),
    (
        lambda: F.adaptive_avg_pool2d(ones(2, 2), (1, 1)),
        ValueError,
        "Input dimension should be at least 3",
    ),
    (
        lambda: F.adaptive_avg_pool2d(ones(2, 2).long(), 1),
        RuntimeError,
        "mean(): could not infer output dtype. Input dtype must be either a floating point or "
        "complex dtype. Got: Long",
    ),
]


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_the_first_fault_is_named(number: int):
    call, kind, text = FAULTS[number]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value).split("\n")[0] == text


def test_a_mean_over_all_elements_takes_any_number_of_dims():
    x = tri.arange(8.0).reshape(2, 2, 2)
    assert F.adaptive_avg_pool2d(x[0], 1).tolist() == [[1.5]]
    assert F.adaptive_avg_pool2d(x[None, None], 1).tolist() == [[[[[1.5]], [[5.5]]]]]
    assert F.adaptive_avg_pool3d(x, 1).tolist() == [[[3.5]]]


def test_channels_of_nothing_stay_where_they_are():
    x: Any = tri.ones(0, 2, 2, 4).permute(0, 3, 1, 2)
    found = F.channel_shuffle(x, 2)
    assert (found.stride(), found.is_set_to(x)) == ((16, 1, 8, 4), True)
