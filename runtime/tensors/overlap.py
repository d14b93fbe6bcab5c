"""Do two tensors look at the same memory? PyTorch's answers, and its words if they must not."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ...dialects.attributes import overlaps
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import is_non_overlapping_and_dense
from .tensor import Tensor

#: What is said of a write to memory that an operand sees in another way.
PARTIAL_OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)


class Overlap(Enum):
    """How the memory of two tensors meets; `UNKNOWN` where telling would be too hard."""

    NONE = "none"
    FULL = "full"
    PARTIAL = "partial"
    UNKNOWN = "unknown"


def overlap(first: Tensor, second: Tensor) -> Overlap:
    """Return how two tensors share memory; as in PyTorch, only dense ones are told apart.

    >>> import trilith as tri
    >>> x = tri.zeros(4)
    >>> overlap(x[:2], x[2:]), overlap(x[:3], x[1:]), overlap(x[:], x)
    (<Overlap.NONE: 'none'>, <Overlap.PARTIAL: 'partial'>, <Overlap.FULL: 'full'>)
    """
    if first is second:
        return Overlap.FULL
    if first.memory is not second.memory:
        return Overlap.NONE
    return overlap_of_parts(first.spec, first.byte_offset, second.spec, second.byte_offset)


def is_first_apart(tensors: Sequence[Tensor]) -> bool:
    """Whether the first tensor overlaps none of the others.

    >>> import trilith as tri
    >>> x = tri.zeros(4)
    >>> is_first_apart([x[:2], x[2:], x]), is_first_apart([x[:2], x[2:], tri.zeros(4)])
    (False, True)
    """
    first = tensors[0]
    memory = first.memory
    for index in range(1, len(tensors)):
        other = tensors[index]
        if other.memory is memory and overlap(first, other) is not Overlap.NONE:
            return False
    return True


def overlap_of_parts(
    first: TensorSpec, start: int, second: TensorSpec, other_start: int
) -> Overlap:
    """Return how two parts of one memory meet that begin at byte `start` and `other_start`."""
    if not (first.numel and second.numel):
        return Overlap.NONE
    if not (_is_dense(first) and _is_dense(second)):
        is_same = first is second and start == other_start
        return Overlap.FULL if is_same else Overlap.UNKNOWN
    end = start + first.numel * first.dtype.itemsize
    other_end = other_start + second.numel * second.dtype.itemsize
    if (start, end) == (other_start, other_end):
        return Overlap.FULL if first.strides == second.strides else Overlap.PARTIAL
    is_apart = end <= other_start or other_end <= start
    return Overlap.NONE if is_apart else Overlap.PARTIAL


def _is_dense(spec: TensorSpec) -> bool:
    return is_non_overlapping_and_dense(spec.shape, spec.strides)


def has_internal_overlap(spec: TensorSpec) -> bool:
    """Whether a stride of 0 makes several elements one."""
    return overlaps.has_internal_overlap(spec.shape, spec.strides)


def refuse_internal_overlap(spec: TensorSpec) -> None:
    """Refuse to write to elements that are one."""
    overlaps.refuse_internal_overlap(spec.shape, spec.strides)
