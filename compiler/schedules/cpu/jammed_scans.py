"""How do scans along memory run? Over several rows at once, since each waits for its last result.

    for i in (0, rows) step 4
      for j in (0, columns)
        sum0 = sum0 + x[i, j]        y[i, j] = sum0
        sum1 = sum1 + x[i + 1, j]    y[i + 1, j] = sum1 ...

An element takes as long as the combination with the one before it; those of other rows fill that
time. The order of each scan stays.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.structured import ParallelOp, ScanOp
from ..lanes import Frame
from ..reductions.accumulators import body_values, combine, start_values
from ..reductions.serial import show
from ..scheduler import Scheduler, Values

#: Rows at once: a combination takes three to six cycles.
ROWS = 4


class JammedScans:
    """A nest of scans, whose last index is that of the rows."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp) -> None:
        """Prepare to build it."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op

    def build(self, start: SSAValue, rows: SSAValue, frame: Frame) -> None:
        """Build loops over groups of the rows from one on, and over those that are left."""
        weaver = self.weaver
        rest = weaver.compute(arith.SubiOp, rows, start)
        rest = weaver.compute(arith.AndIOp, rest, weaver.index(-ROWS))
        whole = weaver.compute(arith.AddiOp, start, rest)

        def several(first: SSAValue, _: Values) -> Values:
            others = [weaver.compute(arith.AddiOp, first, weaver.index(n)) for n in range(1, ROWS)]
            self._scans([first, *others], frame)
            return ()

        def one(row: SSAValue, _: Values) -> Values:
            self._scans([row], frame)
            return ()

        weaver.loop((start, whole, weaver.index(ROWS)), (), several)
        weaver.loop((whole, rows, weaver.index(1)), (), one)

    def _scans(self, rows: Sequence[SSAValue], frame: Frame) -> None:
        """Build the body for some rows; they share the loop of its scan."""
        frames = [frame.inner() for _ in rows]
        for inner, row in zip(frames, rows, strict=True):
            inner.scalars[self.op.indices[-1]] = row
        for op in list(self.op.block.ops)[:-1]:
            self._translate(op, frames)

    def _translate(self, op: Operation, frames: Sequence[Frame]) -> None:
        if isinstance(op, ScanOp):
            self._scan(op, frames)
            return
        for inner in frames:
            self.scheduler.translate(op, inner)

    def _scan(self, op: ScanOp, frames: Sequence[Frame]) -> None:
        scheduler, weaver = self.scheduler, self.weaver
        starts = [start_values(scheduler, op, inner, 1) for inner in frames]
        size = len(starts[0])

        def step(index: SSAValue, carried: Values) -> Values:
            found: list[SSAValue] = []
            for number, outer in enumerate(frames):
                inner = outer.inner()
                inner.scalars[op.indices[0]] = index
                old = carried[number * size : (number + 1) * size]
                values = body_values(scheduler, op, inner)
                combined = combine(scheduler, op, inner, old, values)
                show(scheduler, op, inner, combined)
                found += combined
            return found

        extent = weaver.scalar(op.extents[0], frames[0])
        inits = [value for start in starts for value in start]
        weaver.loop((weaver.index(0), extent, weaver.index(1)), inits, step)
