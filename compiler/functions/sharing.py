"""Which arguments of a call are one tensor, and which share bytes with one that is written to?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ...dialects.attributes.extents import storage_extent
from ...runtime.tensors.tensor import Tensor

#: Arguments that are an earlier one: (index among the tensors, index of the earlier one).
Repeats = tuple[tuple[int, int], ...]


def are_apart(tensors: Sequence[Tensor]) -> bool:
    """Whether each of the tensors has memory of its own, as far as a glance tells.

    Memory that is borrowed may be that of another storage.
    """
    if len(tensors) < 2:
        return True
    memories = {id(tensor.memory) for tensor in tensors}
    is_borrowed = any(hasattr(tensor.memory, "owner") for tensor in tensors)
    return len(memories) == len(tensors) and not is_borrowed


def sharing_of(tensors: Sequence[Tensor], written: Sequence[int]) -> tuple[Repeats, bool]:
    """Return which tensors are an earlier one, and whether none else shares what is written."""
    first: dict[int, int] = {}
    repeats: list[tuple[int, int]] = []
    is_plain = True
    for index, tensor in enumerate(tensors):
        earlier = first.setdefault(id(tensor.memory), index)
        if earlier == index:
            continue
        other = tensors[earlier]
        if other.spec is tensor.spec and other.byte_offset == tensor.byte_offset:
            repeats.append((index, earlier))
        else:
            is_plain = False
    if not repeats and not is_plain:
        shared = Counter(id(tensor.memory) for tensor in tensors)
        is_plain = all(shared[id(tensors[index].memory)] == 1 for index in written)
    if is_plain and len(tensors) > 1 and any(hasattr(tensor.memory, "owner") for tensor in tensors):
        # Memory that is borrowed may be that of another storage.
        is_plain = not _is_met(tensors, frozenset(written))
    return tuple(repeats), is_plain


def repeated_arguments(
    tensors: Sequence[Tensor], captured: Sequence[Tensor], written: Sequence[int]
) -> Repeats | None:
    """Return which tensors of a call are an earlier one; None if what is written is shared else.

    `written` counts what a function has captured behind its arguments.
    """
    held = (*tensors, *captured)
    repeats, is_plain = sharing_of(held, written)
    changing = {id(held[number].memory) for number in written}
    among_captured = [index for index, _ in repeats if index >= len(tensors)]
    if not is_plain or any(id(held[index].memory) in changing for index in among_captured):
        return None
    return tuple(pair for pair in repeats if pair[0] < len(tensors))


def _is_met(tensors: Sequence[Tensor], written: frozenset[int]) -> bool:
    """Whether bytes that are written are also those of another storage, as of arrays' views.

    In the order of their addresses each tensor need be compared with those alone that reach
    furthest so far, one of any kind and one that is written, and one of another storage for each.
    """
    devices = {tensor.device for tensor in tensors}
    for device in devices:
        spans = sorted(
            (*_bytes_of(tensor), id(tensor.memory), index in written)
            for index, tensor in enumerate(tensors)
            if tensor.device is device
        )
        furthest: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
        for start, end, memory, is_written in spans:
            if start == end:
                continue
            # What is written meets anything; what is only read meets what is written.
            if any(other > start for other, owner in furthest[not is_written] if owner != memory):
                return True
            for only_written in (False, True):
                if is_written or not only_written:
                    _extend(furthest[only_written], end, memory)
    return False


def _extend(furthest: list[tuple[int, int]], end: int, memory: int) -> None:
    """Keep the two storages that reach furthest."""
    best: dict[int, int] = {}
    for other, owner in [*furthest, (end, memory)]:
        best[owner] = max(other, best.get(owner, other))
    furthest[:] = sorted(_swapped(best.items()), reverse=True)[:2]


def _swapped(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(second, first) for first, second in pairs]


def _bytes_of(tensor: Tensor) -> tuple[int, int]:
    """Return the first address of what a tensor spans, and the one after the last."""
    spec = tensor.spec
    start = tensor.memory.data_ptr() + tensor.byte_offset
    return start, start + storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
