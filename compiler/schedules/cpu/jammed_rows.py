"""How does a serial sum of products run? Over several rows of results at once (unroll and jam).

What each row reads alone is one element for all lanes, and what all rows read is loaded once: a
product of matrices of 1024 x 1024 floats takes 90 ms instead of 380. The order of each sum stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..products.sums_in_results import only_reduction
from ..reductions.accumulators import bind_results, body_values, combine, start_values
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values

#: Rows at once: with two registers each, their sums leave half of 16 registers to other values.
ROWS = 4


def jammed_index(op: ParallelOp, chosen: int) -> int | None:
    """Return the index whose values can be taken together, beside that of the lanes.

    One factor is the same for all of them; best is one whose other factor is the same for all
    lanes. (In a convolution of each channel by itself both factors differ by lane.)
    """
    reduction = only_reduction(op)
    if reduction is None or not reduction.is_serial:
        return None
    if any(item.regions for item in reduction.block.ops):
        return None
    loads = [load for load in reduction.block.ops if isinstance(load, LoadOp)]
    lanes = op.indices[chosen]
    shared: int | None = None
    for number in reversed(range(len(op.indices))):
        row = op.indices[number]
        own = [load for load in loads if reads_along(load, row)]
        if number == chosen or not own or len(own) == len(loads):
            continue
        if not any(reads_along(load, lanes) for load in own):
            return number
        if shared is None and all(reads_along(load, lanes) for load in loads):
            shared = number
    return shared


class JammedRows:
    """A nest of serial sums whose lanes and rows are chosen."""

    def __init__(
        self, scheduler: Scheduler, op: ParallelOp, lanes: SSAValue, row: SSAValue
    ) -> None:
        """Prepare to build it."""
        self.scheduler, self.op, self.lanes, self.row = scheduler, op, lanes, row

    def build(
        self, across: SSAValue, rows: SSAValue, frame: Frame, start: SSAValue | None = None
    ) -> None:
        """Build loops over vectors, from a column on, and over the rows inside of them."""
        scheduler, weaver = self.scheduler, self.scheduler.weaver
        count = across if start is None else weaver.compute(arith.SubiOp, across, start)

        def at(inner: Frame, place: SSAValue) -> None:
            column = place if start is None else weaver.compute(arith.AddiOp, start, place)
            inner.enter(self.lanes, column)
            self._rows(rows, inner)

        scheduler.in_lanes(count, frame, scheduler.width * HEAVY_REGISTERS, at)

    def _rows(self, rows: SSAValue, frame: Frame) -> None:
        """Build a loop over groups of rows; one that is left runs by itself.

        Two or three that are left are a group, of which the last row is there several times: each
        row by itself reads all that the others read once more.
        """
        weaver = self.scheduler.weaver
        one = weaver.index(1)
        left = weaver.compute(arith.AndIOp, rows, weaver.index(ROWS - 1))
        is_single = weaver.compare("eq", left, one)
        last = weaver.compute(arith.SubiOp, rows, one)
        whole = weaver.choose(is_single, last, rows)

        def several(first: SSAValue, _: Values) -> Values:
            others = [weaver.compute(arith.AddiOp, first, weaver.index(n)) for n in range(1, ROWS)]
            others = [weaver.compute(arith.MinSIOp, number, last) for number in others]
            self._sums([first, *others], frame)
            return ()

        def single(row: SSAValue, _: Values) -> Values:
            self._sums([row], frame)
            return ()

        weaver.loop((weaver.index(0), whole, weaver.index(ROWS)), (), several)
        weaver.loop((whole, rows, one), (), single)

    def _sums(self, rows: Sequence[SSAValue], frame: Frame) -> None:
        """Build the body for some rows; they share the loops of its reduction."""
        scheduler = self.scheduler
        frames = [frame.inner() for _ in rows]
        for inner, row in zip(frames, rows, strict=True):
            inner.scalars[self.row] = row
        for op in list(self.op.block.ops)[:-1]:
            if isinstance(op, ReduceOp):
                self._reduce(op, frames)
                continue
            for inner in frames:
                scheduler.translate(op, inner)

    def _reduce(self, op: ReduceOp, frames: Sequence[Frame]) -> None:
        scheduler, first = self.scheduler, frames[0]
        extents = [scheduler.weaver.scalar(extent, first) for extent in op.extents]
        inits = [start_values(scheduler, op, inner, inner.lanes) for inner in frames]
        size = len(inits[0])

        def leaf(walked: Frame, carried: Values) -> Values:
            totals: list[SSAValue] = []
            for number, outer in enumerate(frames):
                inner = outer.inner()
                for index in op.indices:
                    inner.scalars[index] = walked.scalars[index]
                old = carried[number * size : (number + 1) * size]
                totals += combine(scheduler, op, inner, old, body_values(scheduler, op, inner))
            return totals

        flat = [value for values in inits for value in values]
        found = scheduler.nest(op.indices, extents, first, leaf, flat)
        for number, inner in enumerate(frames):
            bind_results(op, found[number * size : (number + 1) * size], inner)
