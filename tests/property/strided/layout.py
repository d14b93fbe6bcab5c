"""What are the rules of strides? Formats and the strides of results, from the specification.

Section 5: predicates, what a copy preserves, and what a pointwise operation gives.
"""

from __future__ import annotations

from collections.abc import Sequence

Sizes = tuple[int, ...]
#: Sizes and strides of an operand.
Layout = tuple[Sizes, Sizes]

#: The order of the dims from the innermost outwards.
ORDERS = {"channels_last": (1, 3, 2, 0), "channels_last_3d": (1, 4, 3, 2, 0)}
RANKS = {"channels_last": 4, "channels_last_3d": 5}


def numel(sizes: Sizes) -> int:
    count = 1
    for size in sizes:
        count *= size
    return count


def packed(sizes: Sizes, order: Sequence[int]) -> Sizes:
    """Return dense strides; sizes 0 count as 1."""
    strides = [1] * len(sizes)
    step = 1
    for dim in order:
        strides[dim] = step
        step *= max(sizes[dim], 1)
    return tuple(strides)


def format_strides(sizes: Sizes, form: str) -> Sizes:
    """Return the strides of a channels-last format: a size 0 counts as 0."""
    strides = [0] * len(sizes)
    step = 1
    for dim in ORDERS[form]:
        strides[dim] = step
        step *= sizes[dim]
    return tuple(strides)


def contiguous_strides(sizes: Sizes) -> Sizes:
    return packed(sizes, range(len(sizes))[::-1])


def _matches(sizes: Sizes, strides: Sizes, order: Sequence[int]) -> bool:
    expected = 1
    for dim in order:
        if sizes[dim] != 1:
            if strides[dim] != expected:
                return False
            expected *= sizes[dim]
    return True


def is_contiguous(sizes: Sizes, strides: Sizes) -> bool:
    return 0 in sizes or _matches(sizes, strides, range(len(sizes))[::-1])


def is_channels_last(sizes: Sizes, strides: Sizes, form: str = "channels_last") -> bool:
    return len(sizes) == RANKS[form] and _matches(sizes, strides, ORDERS[form])


def is_dense(sizes: Sizes, strides: Sizes) -> bool:
    """Whether the elements fill a run of memory, each once."""
    if is_contiguous(sizes, strides) or any(is_channels_last(sizes, strides, f) for f in ORDERS):
        return True
    dims = [dim for dim in range(len(sizes)) if sizes[dim] >= 2 or sizes[dim] == 0]
    return _matches(sizes, strides, sorted(dims, key=lambda dim: strides[dim]))


def suggested_format(sizes: Sizes, strides: Sizes) -> str:
    """Return the format that strides look most like; an undecided case is contiguous."""
    for form, order in ORDERS.items():
        if len(sizes) == RANKS[form] and _looks_like(sizes, strides, order):
            return form
    return "contiguous_format"


def _looks_like(sizes: Sizes, strides: Sizes, order: Sequence[int]) -> bool:
    if not strides[1]:
        return False
    bound = 0
    for dim in order:
        if not sizes[dim] or strides[dim] < bound or (dim == 0 and bound == strides[1]):
            return False
        bound = strides[dim] * max(sizes[dim], 1)
    return True


def has_zero_stride(sizes: Sizes, strides: Sizes) -> bool:
    """Whether a stride of 0 makes several elements one, as a write checks it."""
    if is_dense(sizes, strides):
        return False
    return any(size > 1 and not stride for size, stride in zip(sizes, strides, strict=True))


def _order(sizes: Sizes, operands: Sequence[Sizes]) -> list[int]:
    """Sort dims from the innermost outwards by the operands' strides; their own order is kept."""
    order = list(range(len(sizes)))[::-1]
    for start in range(1, len(order)):
        place = start
        for left in range(start)[::-1]:
            found = _compare(order[left], order[place], sizes, operands)
            if found > 0:
                order[left], order[place] = order[place], order[left]
                place = left
            elif found < 0:
                break
    return order


def _compare(left: int, right: int, sizes: Sizes, operands: Sequence[Sizes]) -> int:
    for strides in operands:
        first, second = strides[left], strides[right]
        if not first or not second:
            continue
        if first != second:
            return -1 if first < second else 1
        if sizes[left] > sizes[right]:
            return 1
    return 0


def preserved_strides(sizes: Sizes, strides: Sizes) -> Sizes:
    """Return the strides of a copy that preserves the format."""
    if is_dense(sizes, strides):
        return strides
    return packed(sizes, _order(sizes, [strides]))


def broadcast_sizes(shapes: Sequence[Sizes]) -> Sizes | None:
    """Return the shape that all shapes broadcast to, None if there is none."""
    rank = max(len(shape) for shape in shapes)
    result = [1] * rank
    for shape in shapes:
        for dim, size in enumerate(shape, rank - len(shape)):
            if size != 1:
                if result[dim] not in (1, size):
                    return None
                result[dim] = size
    return tuple(result)


def broadcast_strides(operand: Layout, sizes: Sizes) -> Sizes:
    """Return an operand's strides in the result's dims, 0 where it is broadcast."""
    own, strides = operand
    missing = len(sizes) - len(own)
    kept = [
        0 if size == 1 and sizes[dim] != 1 else stride
        for dim, size, stride in zip(range(missing, len(sizes)), own, strides, strict=True)
    ]
    return (0,) * missing + tuple(kept)


def pointwise_strides(sizes: Sizes, operands: Sequence[Layout]) -> Sizes:
    """Return the strides of the result of an elementwise operation."""
    if all(own == sizes for own, _ in operands):
        if all(is_contiguous(*operand) for operand in operands):
            return contiguous_strides(sizes)
        if all(is_channels_last(*operand) for operand in operands):
            return format_strides(sizes, "channels_last")
        first = operands[0][1]
        if all(is_dense(*operand) and operand[1] == first for operand in operands):
            return first
    order = _order(sizes, [broadcast_strides(operand, sizes) for operand in operands])
    if order == list(range(len(sizes)))[::-1]:
        return contiguous_strides(sizes)
    strides = [0] * len(sizes)
    step = 1
    for dim in order:
        strides[dim] = step
        step *= sizes[dim]
    return tuple(strides)


def viewed_strides(sizes: Sizes, strides: Sizes, target: Sizes) -> Sizes | None:
    """Return the strides of `view`, None where there are none (section 6)."""
    if 0 in sizes:
        return strides if sizes == target else contiguous_strides(target)
    if not sizes:
        return (1,) * len(target)
    result = [0] * len(target)
    place = len(target) - 1
    base, count = strides[-1], 1
    for dim in range(len(sizes))[::-1]:
        count *= sizes[dim]
        if dim and (sizes[dim - 1] == 1 or strides[dim - 1] == count * base):
            continue
        product = 1
        while place >= 0 and (product < count or target[place] == 1):
            result[place] = product * base
            product *= target[place]
            place -= 1
        if product != count:
            return None
        if dim:
            base, count = strides[dim - 1], 1
    return tuple(result) if place < 0 else None
