"""Which strides does a result have, and which memory formats do given strides match?

PyTorch's rules, on plain tuples: the predicates (M1-M3), the strides of new tensors, of copies that
preserve a format (M4) and of pointwise results. Strides count elements.
"""

from collections.abc import Sequence
from typing import TypeAlias

from ..diagnostics import TrilithRuntimeError
from .extents import MAXIMUM_INT64, are_equal
from .memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)

Ints: TypeAlias = tuple[int, ...]
Extent: TypeAlias = tuple[Ints, Ints]
"""Sizes and strides of one operand."""


def contiguous_strides(shape: Ints) -> Ints:
    """Return the strides of row-major order; a size 0 counts as 1.

    >>> contiguous_strides((4, 3)), contiguous_strides((2, 0, 4, 5))
    ((3, 1), (20, 20, 5, 1))
    """
    rank = len(shape)
    if rank == 1:
        return (1,)
    if rank == 2:
        return (shape[1] or 1, 1)
    strides = [1] * rank
    stride = 1
    for dim in range(rank - 1, 0, -1):
        stride *= shape[dim] or 1
        strides[dim - 1] = stride
    if stride > MAXIMUM_INT64:
        raise TrilithRuntimeError(f"Stride calculation overflowed with sizes={list(shape)}")
    return tuple(strides)


def channels_last_strides(shape: Ints) -> Ints:
    """Return the strides of [N, C, H, W] kept as N, H, W, C; here a size 0 stays 0.

    >>> channels_last_strides((2, 3, 4, 5)), channels_last_strides((2, 0, 4, 5))
    ((60, 1, 15, 3), (0, 1, 0, 0))
    """
    return _packed(shape, channels_last)


def _packed(shape: Ints, memory_format: MemoryFormat) -> Ints:
    """Return the strides that pack the shape in the format's order."""
    memory_format.check_rank(len(shape))
    strides = [1] * len(shape)
    stride = 1
    for dim in memory_format.order or ():
        strides[dim] = stride
        stride *= shape[dim]
    if any(stride > MAXIMUM_INT64 for stride in strides):
        raise TrilithRuntimeError(f"Stride calculation overflowed with sizes={list(shape)}")
    return tuple(strides)


def strides_for(shape: Ints, memory_format: MemoryFormat = contiguous_format) -> Ints:
    """Return the strides of a new tensor in a format; preserve_format has nothing to preserve.

    >>> strides_for((2, 3, 4, 5), channels_last)
    (60, 1, 15, 3)
    >>> strides_for((4, 3), preserve_format)
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithRuntimeError: unsupported memory format Preserve
    """
    if memory_format is contiguous_format:
        return contiguous_strides(shape)
    if memory_format is preserve_format:
        raise TrilithRuntimeError("unsupported memory format Preserve")
    return _packed(shape, memory_format)


def _matches(shape: Ints, strides: Ints, order: Sequence[int]) -> bool:
    """Tell whether the strides pack the dims in this order; dims of size 1 do not matter."""
    expected = 1
    for dim in order:
        size = shape[dim]
        if size != 1:
            if strides[dim] != expected:
                return False
            expected *= size
    return True


def is_contiguous(
    shape: Ints, strides: Ints, memory_format: MemoryFormat = contiguous_format
) -> bool:
    """Tell whether the strides match a format; preserve_format asks for contiguous_format.

    >>> is_contiguous((4, 3), (3, 1)), is_contiguous((4, 3), (1, 4)), is_contiguous((0, 3), (7, 7))
    (True, False, True)
    """
    if memory_format is channels_last:
        return is_channels_last(shape, strides)
    if memory_format is channels_last_3d:
        return is_channels_last_3d(shape, strides)
    return _matches(shape, strides, range(len(shape) - 1, -1, -1)) or 0 in shape


def is_channels_last(shape: Ints, strides: Ints) -> bool:
    """Tell whether a rank 4 tensor lies as N, H, W, C.

    >>> is_channels_last((2, 3, 4, 5), (60, 1, 15, 3))
    True
    """
    return len(shape) == 4 and _matches(shape, strides, (1, 3, 2, 0))


def is_channels_last_3d(shape: Ints, strides: Ints) -> bool:
    """Tell whether a rank 5 tensor lies as N, D, H, W, C.

    >>> is_channels_last_3d((2, 3, 2, 4, 5), (120, 1, 60, 15, 3))
    True
    """
    return len(shape) == 5 and _matches(shape, strides, (1, 4, 3, 2, 0))


def is_non_overlapping_and_dense(shape: Ints, strides: Ints) -> bool:
    """Tell whether the elements fill a stretch of memory, each place once, in any order of dims.

    >>> is_non_overlapping_and_dense((4, 3), (1, 4)), is_non_overlapping_and_dense((4, 3), (0, 1))
    (True, False)
    """
    if is_contiguous(shape, strides):
        return True
    wide = [dim for dim, size in enumerate(shape) if size >= 2]
    wide.sort(key=strides.__getitem__)
    return _matches(shape, strides, wide)


def is_channels_last_strides_like(shape: Ints, strides: Ints) -> bool:
    """Tell whether the strides suggest channels_last; a tie is contiguous.

    >>> is_channels_last_strides_like((2, 3, 4, 5), (120, 1, 30, 6))
    True
    >>> is_channels_last_strides_like((2, 3, 1, 1), (3, 1, 1, 1))
    False
    """
    return len(shape) == 4 and _suggests(shape, strides, (1, 3, 2, 0))


def is_channels_last_3d_strides_like(shape: Ints, strides: Ints) -> bool:
    """Tell whether the strides suggest channels_last_3d; a tie is contiguous.

    >>> is_channels_last_3d_strides_like((2, 3, 2, 4, 5), (120, 1, 60, 15, 3))
    True
    """
    return len(shape) == 5 and _suggests(shape, strides, (1, 4, 3, 2, 0))


def _suggests(shape: Ints, strides: Ints, order: Ints) -> bool:
    if strides[1] == 0:
        return False
    bound = 0
    for dim in order:
        size, stride = shape[dim], strides[dim]
        # At dim 0 a bound still equal to stride[1] means that H, W and C could be in any order.
        if size == 0 or stride < bound or (dim == 0 and bound == strides[1]):
            return False
        bound = stride * size if size > 1 else stride
    return True


def suggest_memory_format(shape: Ints, strides: Ints) -> MemoryFormat:
    """Return the format that a result of these strides would be given.

    >>> suggest_memory_format((2, 3, 4, 5), (60, 1, 15, 3))
    trilith.channels_last
    >>> suggest_memory_format((2, 1, 4, 5), (20, 20, 5, 1))
    trilith.contiguous_format
    """
    if is_channels_last_strides_like(shape, strides):
        return channels_last
    if is_channels_last_3d_strides_like(shape, strides):
        return channels_last_3d
    return contiguous_format


def preserve_strides(
    shape: Ints, strides: Ints, memory_format: MemoryFormat = preserve_format
) -> Ints:
    """Return the strides of a copy: the same if dense, else packed in the same order of dims.

    Any other format than preserve_format is that of `strides_for`.

    >>> preserve_strides((4, 3), (1, 4)), preserve_strides((3, 4), (2, 6)), preserve_strides((3, 4), (1, 0))
    ((1, 4), (1, 3), (4, 1))
    """  # noqa: E501
    if memory_format is not preserve_format:
        return strides_for(shape, memory_format)
    if is_non_overlapping_and_dense(shape, strides):
        return strides
    order = sorted_dims(shape, [strides])
    result = [1] * len(shape)
    stride = 1
    for dim in order:
        result[dim] = stride
        stride *= shape[dim] or 1
    return tuple(result)


def pointwise_strides(shape: Ints, operands: Sequence[Extent]) -> Ints:
    """Return the strides of a pointwise result of this shape.

    `operands` are (sizes, strides) in order, a Python scalar being ((), ()). An operand that is
    cast first comes with the strides of its cast, `preserve_strides`.

    >>> pointwise_strides((2, 3, 4, 5), [((2, 3, 4, 5), (60, 1, 15, 3)), ((), ())])
    (60, 1, 15, 3)
    >>> pointwise_strides((3, 4), [((3, 1), (1, 1)), ((3, 4), (1, 3))])
    (1, 3)
    """
    contiguous = contiguous_strides(shape)
    if len(shape) < 2:
        return contiguous
    same_shape = True
    all_contiguous = True
    for sizes, strides in operands:
        if not are_equal(sizes, shape):
            same_shape = False
            break
        if all_contiguous and strides != contiguous:
            all_contiguous = is_contiguous(sizes, strides)
    if same_shape:
        if all_contiguous:
            return contiguous
        if all(is_channels_last(sizes, strides) for sizes, strides in operands):
            return channels_last_strides(shape)
        first = operands[0][1]
        if all(strides == first for _, strides in operands) and is_non_overlapping_and_dense(
            shape, first
        ):
            return first
    return _permuted_strides(shape, operands, contiguous)


def _permuted_strides(shape: Ints, operands: Sequence[Extent], contiguous: Ints) -> Ints:
    """Return strides packed in the order of dims that the operands agree on most."""
    aligned = [_broadcast_strides(shape, *operand) for operand in operands]
    order = sorted_dims(shape, aligned)
    rank = len(shape)
    if order == list(range(rank - 1, -1, -1)):
        return contiguous
    result = [0] * rank
    stride = 1
    for dim in order:
        result[dim] = stride
        stride *= shape[dim]
    return tuple(result)


def _broadcast_strides(shape: Ints, sizes: Ints, strides: Ints) -> Ints:
    """Return the strides aligned to the result's dims, 0 where the operand repeats."""
    if are_equal(sizes, shape):
        return strides
    missing = len(shape) - len(sizes)
    return (0,) * missing + tuple(
        0 if size == 1 != shape[dim + missing] else stride
        for dim, (size, stride) in enumerate(zip(sizes, strides, strict=True))
    )


def sorted_dims(shape: Ints, operands: Sequence[Ints]) -> list[int]:
    """Return the dims from the innermost to the outermost, by PyTorch's insertion sort.

    The sort goes on past undecided pairs without swapping, so its result is not that of any
    other sort and it must be kept as it is.
    """
    order = list(range(len(shape) - 1, -1, -1))
    for start in range(1, len(order)):
        place = start
        for left in range(start - 1, -1, -1):
            comparison = _compare_dims(shape, operands, order[left], order[place])
            if comparison > 0:
                order[left], order[place] = order[place], order[left]
                place = left
            elif comparison < 0:
                break
    return order


def _compare_dims(shape: Ints, operands: Sequence[Ints], inner: int, outer: int) -> int:
    """Return 1 if the two dims should swap, -1 if they should not, 0 if no operand decides."""
    for strides in operands:
        inner_stride, outer_stride = strides[inner], strides[outer]
        if inner_stride == 0 or outer_stride == 0:
            continue
        if inner_stride < outer_stride:
            return -1
        if inner_stride > outer_stride or shape[inner] > shape[outer]:
            return 1
    return 0
