"""Is all arithmetic on sizes checked, and is the bounds proof exact?"""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.dialects.attributes.extents import (
    check_bounds,
    checked_nbytes,
    numel,
    storage_extent,
)

BIG = 2**62


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ((), 1),
        ((4, 3), 12),
        ((4, 0), 0),
        ((0, BIG, 4), 0),
        ((BIG,), BIG),
        ((2**63 - 1,), 2**63 - 1),
    ],
)
def test_numel(shape: tuple[int, ...], expected: int):
    assert numel(shape) == expected


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        ((BIG, 4), "numel: integer multiplication overflow (sizes=[4611686018427387904, 4])"),
        ((BIG, 4, 0), "numel: integer multiplication overflow (sizes=[4611686018427387904, 4, 0])"),
        ((2, -1), "Trying to create tensor with negative dimension -1: [2, -1]"),
        ((-2, -1), "Trying to create tensor with negative dimension -2: [-2, -1]"),
    ],
)
def test_numel_refuses(shape: tuple[int, ...], text: str):
    with pytest.raises(RuntimeError) as caught:
        numel(shape)
    assert caught.value.args[0] == text


def test_a_size_beyond_64_bits():
    with pytest.raises(OverflowError, match="Overflow when unpacking long long"):
        numel((0, 2**64))


@pytest.mark.parametrize("shape", [(BIG,), (BIG, 4), (2**61,), (2**62, 4, 0)])
def test_nbytes_refuses(shape: tuple[int, ...]):
    with pytest.raises(RuntimeError) as caught:
        checked_nbytes(shape, 4)
    expected = f"Storage size calculation overflowed with sizes={list(shape)}"
    assert caught.value.args[0] == expected


def test_nbytes():
    assert checked_nbytes((4, 3), 8) == 96
    assert checked_nbytes((), 16) == 16
    assert checked_nbytes((0, BIG, BIG), 4) == 0
    assert checked_nbytes((2**63 - 1,), 1) == 2**63 - 1


small = st.integers(0, 4)


@given(st.lists(st.tuples(small, small), max_size=3), small, st.integers(0, 40))
def test_bounds_agree_with_every_reachable_element(
    dims: list[tuple[int, int]], offset: int, elements: int
):
    shape, strides = tuple(size for size, _ in dims), tuple(stride for _, stride in dims)
    reached = [
        offset + sum(i * stride for i, stride in zip(index, strides, strict=True))
        for index in itertools.product(*map(range, shape))
    ]
    extent = max(reached, default=-1) + 1
    assert storage_extent(shape, strides, offset) == extent
    if extent <= elements:
        check_bounds(shape, strides, offset, 4, elements * 4)
    else:
        with pytest.raises(RuntimeError, match="are out of bounds for storage of size"):
            check_bounds(shape, strides, offset, 4, elements * 4)


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "text"),
    [
        (
            (100,),
            (1,),
            0,
            "setStorage: sizes [100], strides [1], storage offset 0, and itemsize 4 requiring "
            "a storage size of 400 are out of bounds for storage of size 96",
        ),
        (
            (2,),
            (-1,),
            0,
            "as_strided: Negative strides are not supported at the moment, got strides: [-1]",
        ),
        ((2, 2), (1,), 0, "mismatch in length of strides and shape"),
        ((2,), (1,), -1, "Tensor: invalid storage offset -1"),
        (
            (BIG, 4),
            (4, 1),
            0,
            "Storage size calculation overflowed with sizes=[4611686018427387904, 4] "
            "and strides=[4, 1]",
        ),
        (
            (3,),
            (BIG,),
            0,
            "Storage size calculation overflowed with sizes=[3] and strides=[4611686018427387904]",
        ),
        (
            (BIG, 4),
            (0, 0),
            0,
            "numel: integer multiplication overflow (sizes=[4611686018427387904, 4])",
        ),
        ((-1,), (1,), 0, "Trying to create tensor with negative dimension -1: [-1]"),
    ],
)
def test_bounds_refuse(shape: tuple[int, ...], strides: tuple[int, ...], offset: int, text: str):
    with pytest.raises(RuntimeError) as caught:
        check_bounds(shape, strides, offset, 4, 96)
    assert caught.value.args[0] == text


def test_a_view_without_elements_is_always_inside():
    check_bounds((0,), (1,), 100, 4, 96)
    check_bounds((0, 3), (BIG, BIG), 0, 4, 0)
