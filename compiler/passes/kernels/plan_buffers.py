"""Where do intermediate results lie? In one arena per call, reused as soon as it is free.

Before::

    %0 = tri.empty : !tri.tensor<1000xf32>
    tri.launch @exp_0(%x, %0) [...] : ...

After, if the caller never sees %0::

    %0 = tri.empty in arena[0] : !tri.tensor<1000xf32>

A buffer lives from the launch that first writes it to the one that last reads it. Buffers that live
at the same time get disjoint places; each takes the lowest gap it fits into, the largest first (or,
where there are many, the one that is needed first).
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import storage_extent
from ....dialects.attributes.symint import is_symbolic
from ....dialects.records import record
from ....dialects.tri.host_calls import HostCallOp
from ....dialects.tri.ops import tensor_spec
from ....dialects.tri.structure import EmptyOp, LaunchOp, StridedOp
from ....dialects.tri.transfers import CopyBytesOp

#: Bytes; a cache line, and the widest vector.
ALIGNMENT = 64

#: So many buffers are compared with one another; more are placed in the order of their first use.
COMPARED = 512


@dataclass(frozen=True)
class PlanBuffersPass(ModulePass):
    """Place the memory of intermediate results into an arena."""

    name = "kernel-plan-buffers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Plan every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _plan(func.body.block)


@record(frozen=False)
class _Interval:
    op: EmptyOp
    nbytes: int
    first: int
    last: int
    offset: int = -1


def buffer_nbytes(value: SSAValue) -> int:
    """Return the bytes that a tensor's strides span."""
    spec = tensor_spec(value)
    return storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize


def _plan(block: Block) -> None:
    intervals: list[_Interval] = []
    order = {op: index for index, op in enumerate(block.ops)}
    for op in list(block.ops):
        if isinstance(op, EmptyOp) and not _is_seen_by_caller(op):
            uses = _uses(op.results[0], order)
            if not uses:
                # Without elements, or nobody reads them: no launch has been made.
                op.detach()
                op.erase()
                continue
            size = -(-buffer_nbytes(op.results[0]) // ALIGNMENT) * ALIGNMENT
            intervals.append(_Interval(op, size, min(uses), max(uses)))
    if is_symbolic(tuple(interval.nbytes for interval in intervals)):
        place = _place_in_slots
    else:
        place = _place_by_size if len(intervals) <= COMPARED else _place_in_order
    place(intervals)
    for interval in intervals:
        interval.op.place(interval.offset)


def _uses(value: SSAValue, order: dict[Operation, int]) -> list[int]:
    """Return where memory is used, itself or through views for calls on the host."""
    found: list[int] = []
    for use in value.uses:
        user = use.operation
        found += _uses(user.results[0], order) if isinstance(user, StridedOp) else [order[user]]
    return found


def _place_in_slots(intervals: Sequence[_Interval]) -> None:
    """Place buffers whose sizes are expressions: those of one size follow each other in a slot.

    Which of two expressions is larger is not asked: it would be a guard, for memory alone.
    """
    free: dict[Any, list[tuple[int, Any]]] = {}
    ending: list[tuple[int, int, Any, Any]] = []
    end: Any = 0
    for number, interval in enumerate(sorted(intervals, key=lambda item: item.first)):
        while ending and ending[0][0] < interval.first:
            last, _, nbytes, offset = heappop(ending)
            free.setdefault(nbytes, []).append((last, offset))
        slots = free.get(interval.nbytes)
        if slots:
            _, interval.offset = slots.pop()
        else:
            interval.offset = end
            end = end + interval.nbytes
        heappush(ending, (interval.last, number, interval.nbytes, interval.offset))


def _place_by_size(intervals: Sequence[_Interval]) -> None:
    """Place large buffers first: small ones then fill the gaps."""
    placed: list[_Interval] = []
    for interval in sorted(intervals, key=lambda item: (-item.nbytes, item.first)):
        interval.offset = _lowest_gap(interval, placed)
        placed.append(interval)


def _lowest_gap(interval: _Interval, placed: list[_Interval]) -> int:
    rivals = [
        other for other in placed if other.first <= interval.last and interval.first <= other.last
    ]
    offset = 0
    for other in sorted(rivals, key=lambda item: item.offset):
        if other.offset - offset >= interval.nbytes:
            break
        offset = max(offset, other.offset + other.nbytes)
    return offset


def _place_in_order(intervals: Sequence[_Interval]) -> None:
    """Place buffers as they come to life, each in the lowest gap of those that are left."""
    gaps = _Gaps()
    ending: list[tuple[int, int, int]] = []
    for interval in sorted(intervals, key=lambda item: item.first):
        while ending and ending[0][0] < interval.first:
            _, offset, nbytes = heappop(ending)
            gaps.give_back(offset, nbytes)
        interval.offset = gaps.take(interval.nbytes)
        heappush(ending, (interval.last, interval.offset, interval.nbytes))


class _Gaps:
    """What is free of an arena: disjoint stretches in order, and all behind its end."""

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.end = 0

    def take(self, nbytes: int) -> int:
        """Return where so many bytes are free, and take them."""
        for index, (start, end) in enumerate(zip(self.starts, self.ends, strict=True)):
            if end - start >= nbytes:
                self.starts[index] += nbytes
                if self.starts[index] == end:
                    del self.starts[index], self.ends[index]
                return start
        self.end += nbytes
        return self.end - nbytes

    def give_back(self, start: int, nbytes: int) -> None:
        """Free a stretch, joined with those beside it."""
        index, end = bisect(self.starts, start), start + nbytes
        if index < len(self.starts) and self.starts[index] == end:
            end = self.ends[index]
            del self.starts[index], self.ends[index]
        if index and self.ends[index - 1] == start:
            self.ends[index - 1] = end
        elif start < end:
            self.starts.insert(index, start)
            self.ends.insert(index, end)


def _is_seen_by_caller(op: Operation) -> bool:
    """Whether the memory is returned, itself or as a view."""
    for use in op.results[0].uses:
        user = use.operation
        if isinstance(user, ReturnOp):
            return True
        if isinstance(user, StridedOp) and _is_seen_by_caller(user):
            return True
        if not isinstance(user, (LaunchOp, StridedOp, CopyBytesOp, HostCallOp)):
            return True
    return False
