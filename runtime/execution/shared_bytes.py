"""Which buffers of a plan may share bytes?"""

from __future__ import annotations

from .plan_parts import BufferPlan


def may_share_bytes(number: int, other: int, buffers: tuple[BufferPlan, ...]) -> bool:
    """Whether two buffers may share bytes: one buffer, one input, or parts of the arena that meet.

    Inputs of one call may share memory as well; nobody promises a kernel that they do not.
    """
    first, second = buffers[number], buffers[other]
    if number == other:
        return True
    if first.role != second.role or first.role not in ("input", "temporary"):
        return False
    if first.role == "input":
        return True
    start = max(first.arena_offset, second.arena_offset)
    end = min(first.arena_offset + first.nbytes, second.arena_offset + second.nbytes)
    return start < end
