"""How many elements does a shape have, and how much storage do its strides reach?

All arithmetic on sizes is checked here against the 64 bits that kernels use, and the one proof that
a view stays inside its storage is here.
"""

from collections.abc import Sequence
from math import prod

from ..diagnostics import TrilithOverflowError, TrilithRuntimeError

MINIMUM_INT64, MAXIMUM_INT64 = -(2**63), 2**63 - 1


def are_equal(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes are one.

    Tuples of different lengths compare their first items all the same, which would ask a size that
    is a symbol what nobody wants to know.

    >>> are_equal((2, 3), (2, 3)), are_equal((2, 3), (2,))
    (True, False)
    """
    return len(first) == len(second) and first == second


def numel(shape: Sequence[int]) -> int:
    """Return the number of elements, checked to fit into 64 bits step by step.

    As in PyTorch, sizes that overflow before a 0 is reached are refused too.

    >>> numel((4, 3)), numel(()), numel((4, 0))
    (12, 1, 0)
    """
    product = prod(shape)
    if _are_positive(shape) and product <= MAXIMUM_INT64:
        return product
    return _checked_numel(shape)


def _are_positive(sizes: Sequence[int]) -> bool:
    """Whether each size is at least 1; `min` would compare sizes with one another."""
    for size in sizes:
        if size <= 0:
            return False
    return True


def are_not_negative(values: Sequence[int]) -> bool:
    """Whether each integer is at least 0.

    >>> are_not_negative((0, 3)), are_not_negative((2, -1))
    (True, False)
    """
    for value in values:
        if value < 0:
            return False
    return True


def _checked_numel(shape: Sequence[int]) -> int:
    """Return the number of elements of a shape with a size 0, or say what is wrong with it."""
    check_sizes(shape)
    product = 1
    for size in shape:
        product *= size
        if product > MAXIMUM_INT64:
            raise TrilithRuntimeError(
                f"numel: integer multiplication overflow (sizes={list(shape)})"
            )
    return product


def check_sizes(shape: Sequence[int]) -> None:
    """Raise if a size is negative."""
    for size in shape:
        if size < 0:
            raise TrilithRuntimeError(
                f"Trying to create tensor with negative dimension {size}: {list(shape)}"
            )
        if size > MAXIMUM_INT64:
            raise TrilithOverflowError(f"Overflow when unpacking long long: size {size}")


def checked_nbytes(shape: Sequence[int], itemsize: int) -> int:
    """Return the bytes of a contiguous tensor, checked to fit into 64 bits.

    >>> checked_nbytes((4, 3), 4)
    48
    """
    nbytes = prod(shape) * itemsize
    if _are_positive(shape) and nbytes <= MAXIMUM_INT64:
        return nbytes
    check_sizes(shape)
    running = itemsize
    for size in shape:
        running *= size
        if running > MAXIMUM_INT64:
            raise TrilithRuntimeError(
                f"Storage size calculation overflowed with sizes={list(shape)}"
            )
    return running


def check_reach(shape: Sequence[int], strides: Sequence[int], itemsize: int) -> None:
    """Refuse sizes and strides whose storage has more bytes than 64 bits count.

    >>> check_reach((2, 3), (2**60, 1), 4)
    """
    if storage_extent(shape, strides) * itemsize > MAXIMUM_INT64:
        raise TrilithRuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} "
            f"and strides={list(strides)}"
        )


def storage_extent(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> int:
    """Return how many elements of storage a view reaches; 0 if it has no elements.

    >>> storage_extent((4, 3), (3, 1)), storage_extent((4, 3), (0, 2), 5), storage_extent((0,), (1,))
    (12, 10, 0)
    """  # noqa: E501
    extent = offset + 1
    for size, stride in zip(shape, strides, strict=True):
        if size == 0:
            return 0
        extent += (size - 1) * stride
    return extent


def check_bounds(
    shape: Sequence[int], strides: Sequence[int], offset: int, itemsize: int, storage_nbytes: int
) -> None:
    """Prove that every element of a view lies in its storage, or raise: the one such proof.

    Python's integers do not overflow, so the largest reachable byte is exact. A view without
    elements is always inside, as in PyTorch.

    >>> check_bounds((4, 3), (1, 4), 0, 4, 48)
    """
    if len(shape) != len(strides):
        raise TrilithRuntimeError("mismatch in length of strides and shape")
    if not are_not_negative(strides):
        raise TrilithRuntimeError(
            "as_strided: Negative strides are not supported at the moment, "
            f"got strides: {list(strides)}"
        )
    if offset < 0:
        raise TrilithRuntimeError(f"Tensor: invalid storage offset {offset}")
    if not _are_positive(shape):
        numel(shape)
    needed = storage_extent(shape, strides, offset) * itemsize
    if needed <= storage_nbytes:
        # Strides of 0 reach little storage with any number of elements: that number must fit too.
        numel(shape)
        return
    if needed > MAXIMUM_INT64:
        raise TrilithRuntimeError(
            f"Storage size calculation overflowed with sizes={list(shape)} "
            f"and strides={list(strides)}"
        )
    raise TrilithRuntimeError(
        f"setStorage: sizes {list(shape)}, strides {list(strides)}, storage offset {offset}, "
        f"and itemsize {itemsize} requiring a storage size of {needed} "
        f"are out of bounds for storage of size {storage_nbytes}"
    )
