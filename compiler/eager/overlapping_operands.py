"""Where do operands of an operation meet the memory that it writes into, and what is done about it?

They may be that very tensor; overlapping it in part they are refused as PyTorch refuses them, or
copied first where it cannot tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.ops.frame.row import OpSpec
from ...runtime.tensors.overlap import Overlap, overlap, refuse_internal_overlap
from ...runtime.tensors.tensor import Tensor
from ..trace.writes import is_read_before, refuse_meeting
from .tensor_names import names_of_tensors


def with_copies(
    arguments: tuple[Any, ...], keywords: dict[str, Any], tensors: Sequence[Tensor]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Return arguments that are apart from the first tensor; None if PyTorch has a say in it.

    Copies stand for tensors of which it cannot tell whether they overlap the first one.
    """
    target, *others = tensors
    copies: dict[int, Tensor] = {}
    for other in others:
        found = overlap(target, other)
        if found is Overlap.UNKNOWN:
            copies[id(other)] = other.clone()
        elif found is not Overlap.NONE:
            return None

    def copied(value: Any) -> Any:
        if type(value) is list:
            return list(map(copied, cast("list[Any]", value)))
        return copies.get(id(value), value)

    return tuple(map(copied, arguments)), {key: copied(item) for key, item in keywords.items()}


def meet(
    row: OpSpec, target: Tensor, tensors: Sequence[Tensor], bound: Mapping[str, Any]
) -> tuple[tuple[int, ...], dict[int, Tensor]]:
    """Return which operands are the target itself; `tensors` begins with the target.

    Operands that overlap it in part are refused as PyTorch does, or copied where it cannot tell:
    the copies are returned by the `id` of what they are a copy of.
    """
    names = names_of_tensors(row, bound)
    if not row.writing.is_uniform and not is_copy_of_itself(row, target, tensors):
        refuse_internal_overlap(target.spec)
    same: list[int] = []
    copies: dict[int, Tensor] = {}
    for index in range(1, len(tensors)):
        other = tensors[index]
        found = overlap(target, other)
        if found is Overlap.NONE:
            continue
        for name in names.get(id(other), ()):
            if not is_read_before(row, name, target.spec, other.spec):
                refuse_meeting(row, name, found)
        if found is Overlap.FULL and other.spec is target.spec:
            same.append(index)
        else:
            copies[id(other)] = other.clone()
    return tuple(same), copies


def is_copy_of_itself(row: OpSpec, target: Tensor, tensors: Sequence[Tensor]) -> bool:
    """Whether the same elements are copied to where they are: nothing is written."""
    if not row.writing.is_copy or len(tensors) != 2:
        return False
    other = tensors[1]
    return overlap(target, other) is Overlap.FULL and other.spec is target.spec


def distinct(tensors: list[Tensor], same: tuple[int, ...]) -> list[Tensor]:
    """Return the operands without those that are the target itself."""
    return [tensor for index, tensor in enumerate(tensors) if index not in same]
