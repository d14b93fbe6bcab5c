"""How does a kernel run in scalar code, for compilers that make vectors of loops themselves?

Nests are loops, outermost first, and reductions keep their lanes in arrays.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.scheduled import ForOp
from ...dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp
from ...dialects.kernel.within import WithinOp
from .lanes import Frame
from .reductions.arrays import array_reduction
from .reductions.serial import serial_reduction, serial_scan
from .scheduler import Scheduler, Strategies, Values, keep_loop, scheduled_form
from .windowed_maps import keep_within


def as_loops(scheduler: Scheduler, op: MapOp | ParallelOp, frame: Frame) -> bool:
    """Run a nest as loops around its body, one element at a time."""
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def leaf(inner: Frame, _: Values) -> Values:
        scheduler.body(op.block, inner)
        return ()

    scheduler.nest(op.indices, extents, frame, leaf)
    return True


def _marked_loop(scheduler: Scheduler, op: ForOp, frame: Frame) -> bool:
    """Keep a loop, and what it says of its iterations."""
    keep_loop(scheduler, op, frame)
    copy = scheduler.weaver.block.last_op
    assert isinstance(copy, ForOp)
    copy.attributes.update(op.attributes)
    return True


STRATEGIES: Strategies = {
    MapOp: (as_loops,),
    ParallelOp: (as_loops,),
    ReduceOp: (serial_reduction, array_reduction),
    ScanOp: (serial_scan,),
    ForOp: (_marked_loop,),
    WithinOp: (keep_within,),
}


class ScalarScheduler(Scheduler):
    """The walk over one kernel, in scalar code."""

    can_prefetch = can_transpose = can_transpose_tiles = can_ask_strides = can_round_sums = False

    def __init__(self, function: FuncOp, vector_bits: int = 1) -> None:
        """Prepare to rebuild a kernel; some schedules make vectors of a width all the same."""
        super().__init__(function, vector_bits=vector_bits, strategies=STRATEGIES)
        self.can_mask = False

    def in_lanes(
        self,
        extent: SSAValue,
        frame: Frame,
        lanes: int,
        body: Callable[[Frame, SSAValue], None],
        *,
        has_masks: bool = True,
    ) -> None:
        """Build `body(frame, index)` in a loop."""

        def inside(index: SSAValue, _: Values) -> Values:
            body(frame.inner(), index)
            return ()

        self.weaver.loop((self.weaver.index(0), extent, self.weaver.index(1)), (), inside)


def schedule_in_scalars(function: FuncOp, vector_bits: int = 0) -> FuncOp:
    """Return a kernel as loops over scalars; the structured one is left alone."""
    return scheduled_form(ScalarScheduler(function), function)
