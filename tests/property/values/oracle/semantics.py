"""Which dtype and which strides does PyTorch give? An oracle written from its documented rules.

Nothing here comes from the library: dtypes are names, shapes and strides are tuples. The rules are
those of PyTorch 2.13 for type promotion, memory formats, strides of pointwise results and views.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

Shape = tuple[int, ...]
Layout = tuple[Shape, Shape]

INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
REALS = (*INTEGERS, *FLOATS)
DTYPES = ("bool", *REALS)
BITS: dict[str, int] = dict(zip(DTYPES, (1, 8, 8, 16, 32, 64, 16, 16, 32, 64), strict=True))
DEFAULT = "float32"

DIMENSIONED, ZERO_DIM, WRAPPED = "dimensioned", "zero-dim", "wrapped"


class Invalid(Exception):
    """PyTorch refuses this call, or this oracle does not know it."""


# ---- dtypes


def category(dtype: str) -> int:
    """Return 0 for bool, 1 for integers, 2 for floats."""
    return 0 if dtype == "bool" else 1 if dtype in INTEGERS else 2


def promote(a: str, b: str) -> str:
    """Return the dtype that holds both."""
    if a == b:
        return a
    if "bool" in (a, b):
        return b if a == "bool" else a
    if category(a) != category(b):
        return a if category(a) > category(b) else b
    if {a, b} == {"float16", "bfloat16"}:
        return "float32"
    if {a, b} == {"uint8", "int8"}:
        return "int16"
    return a if BITS[a] > BITS[b] else b


def result_type(operands: Sequence[tuple[str, str]]) -> str:
    """Return the common dtype of operands, each given as (dtype, kind of operand)."""
    result: str | None = None
    for kind in (WRAPPED, ZERO_DIM, DIMENSIONED):
        group: str | None = None
        for dtype, rank_kind in operands:
            if rank_kind == kind:
                group = dtype if group is None else promote(group, dtype)
        if group is not None:
            result = group if result is None else _combine(group, result)
    assert result is not None
    return result


def _combine(high: str, low: str) -> str:
    if category(high) == 2:
        return high
    if high == "bool" or category(low) == 2:
        return promote(high, low)
    return high


# ---- shapes


def broadcast(*shapes: Shape) -> Shape:
    """Return the shape that all broadcast to."""
    rank = max(map(len, shapes), default=0)
    result = [1] * rank
    for shape in shapes:
        for place, size in enumerate(shape, rank - len(shape)):
            if result[place] == 1:
                result[place] = size
            elif size not in (1, result[place]):
                raise Invalid(f"{shapes} do not broadcast")
    return tuple(result)


# ---- memory formats


def contiguous(shape: Shape) -> Shape:
    """Return packed strides; a size of 0 counts as 1."""
    return tuple(prod(max(size, 1) for size in shape[dim + 1 :]) for dim in range(len(shape)))


CHANNELS_LAST = {4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}


def _packed(shape: Shape, order: Sequence[int], least: int = 0) -> Shape:
    """Return strides that pack the dims in an order from the innermost on."""
    strides = [0] * len(shape)
    step = 1
    for dim in order:
        strides[dim] = step
        step *= max(shape[dim], least)
    return tuple(strides)


def strides_of_format(shape: Shape, memory_format: str) -> Shape:
    """Return the strides of a memory format."""
    if memory_format == "contiguous_format":
        return contiguous(shape)
    rank = 4 if memory_format == "channels_last" else 5
    if len(shape) != rank:
        raise Invalid(f"{memory_format} of rank {len(shape)}")
    return _packed(shape, CHANNELS_LAST[rank])


def _matches(shape: Shape, strides: Shape, order: Sequence[int]) -> bool:
    expected = 1
    for dim in order:
        if shape[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= shape[dim]
    return True


def is_contiguous(shape: Shape, strides: Shape) -> bool:
    """Whether the elements are packed in row-major order."""
    return 0 in shape or _matches(shape, strides, range(len(shape))[::-1])


def is_channels_last(shape: Shape, strides: Shape) -> bool:
    """Whether the elements are packed with the channels innermost, for rank 4 or 5."""
    order = CHANNELS_LAST.get(len(shape))
    return order is not None and _matches(shape, strides, order)


def is_dense(shape: Shape, strides: Shape) -> bool:
    """Whether the elements fill memory once, in any order of dims."""
    if is_contiguous(shape, strides) or is_channels_last(shape, strides):
        return True
    dims = [dim for dim in range(len(shape)) if shape[dim] > 1]
    return _matches(shape, strides, sorted(dims, key=lambda dim: strides[dim]))


def suggested_format(shape: Shape, strides: Shape) -> str:
    """Return the memory format that strides look like, as cat and pad choose it."""
    order = CHANNELS_LAST.get(len(shape))
    if order is None or not strides[1]:
        return "contiguous_format"
    bound = 0
    for dim in order:
        if not shape[dim] or strides[dim] < bound or (dim == 0 and bound == strides[1]):
            return "contiguous_format"
        bound = strides[dim] * max(shape[dim], 1)
    return "channels_last" if len(shape) == 4 else "channels_last_3d"


# ---- strides of results


def pointwise(shape: Shape, operands: Sequence[Layout]) -> Shape:
    """Return the strides of a pointwise result from the (shape, strides) of its operands."""
    if all(operand[0] == shape for operand in operands):
        if all(is_contiguous(*operand) for operand in operands):
            return contiguous(shape)
        if len(shape) == 4 and all(is_channels_last(*operand) for operand in operands):
            return _packed(shape, CHANNELS_LAST[4])
        first = operands[0][1]
        if all(is_dense(*operand) and operand[1] == first for operand in operands):
            return first
    order = _sorted_dims(shape, [_broadcast_strides(shape, operand) for operand in operands])
    if order == list(range(len(shape)))[::-1]:
        return contiguous(shape)
    return _packed(shape, order)


def _broadcast_strides(shape: Shape, operand: Layout) -> Shape:
    sizes, strides = operand
    missing = len(shape) - len(sizes)
    kept = [
        0 if size == 1 and shape[missing + dim] != 1 else strides[dim]
        for dim, size in enumerate(sizes)
    ]
    return (0,) * missing + tuple(kept)


def _sorted_dims(shape: Shape, operands: Sequence[Shape]) -> list[int]:
    """Return the dims from the innermost on, by an insertion sort that leaves ties alone."""
    order = list(range(len(shape)))[::-1]
    for start in range(1, len(order)):
        here = start
        for left in range(start - 1, -1, -1):
            comparison = _compare(shape, operands, order[left], order[here])
            if comparison > 0:
                order[left], order[here] = order[here], order[left]
                here = left
            elif comparison < 0:
                break
    return order


def _compare(shape: Shape, operands: Sequence[Shape], left: int, right: int) -> int:
    for strides in operands:
        if not strides[left] or not strides[right]:
            continue
        if strides[left] != strides[right]:
            return 1 if strides[left] > strides[right] else -1
        if shape[left] > shape[right]:
            return 1
    return 0


def preserved(shape: Shape, strides: Shape) -> Shape:
    """Return the strides of a copy with `preserve_format`."""
    if is_dense(shape, strides):
        return strides
    return _packed(shape, _sorted_dims(shape, [strides]), least=1)


def viewed(shape: Shape, strides: Shape, target: Shape) -> Shape | None:
    """Return the strides of a view in another shape, None if there is none."""
    if 0 in shape:
        return strides if shape == target else contiguous(target)
    if not shape:
        return (1,) * len(target)
    result = [0] * len(target)
    place = len(target) - 1
    chunk, base = 1, strides[-1]
    for dim in range(len(shape))[::-1]:
        chunk *= shape[dim]
        if dim and (shape[dim - 1] == 1 or strides[dim - 1] == chunk * base):
            continue
        product = 1
        while place >= 0 and (product < chunk or target[place] == 1):
            result[place] = product * base
            product *= target[place]
            place -= 1
        if product != chunk:
            return None
        if dim:
            chunk, base = 1, strides[dim - 1]
    return None if place >= 0 else tuple(result)
