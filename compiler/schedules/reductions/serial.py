"""How is a reduction computed one element after the other? And a scan, which always is."""

from __future__ import annotations

from ....dialects.kernel.structured import CombinationOp, ReduceOp, ScanOp
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .accumulators import bind_results, body_values, combine, start_values


def reduce_serially(scheduler: Scheduler, op: CombinationOp, frame: Frame) -> Values:
    """Accumulate one element after the other; return the accumulators."""
    weaver = scheduler.weaver
    extents = [weaver.scalar(extent, frame) for extent in op.extents]
    inits = start_values(scheduler, op, frame, frame.lanes)

    def leaf(inner: Frame, carried: Values) -> Values:
        values = body_values(scheduler, op, inner)
        combined = combine(scheduler, op, inner, carried, values)
        if isinstance(op, ScanOp):
            show(scheduler, op, inner, combined)
        return combined

    return scheduler.nest(op.indices, extents, frame, leaf, inits)


def show(scheduler: Scheduler, op: ScanOp, frame: Frame, values: Values) -> None:
    """Build what a scan does with a partial result."""
    into = op.into.blocks[0]
    count = len(op.indices)
    for index, argument in zip(op.indices, into.args[:count], strict=True):
        frame.scalars[argument] = frame.scalars[index]
    for argument, value in zip(into.args[count:], values, strict=True):
        frame.bind(argument, value)
    scheduler.body(into, frame)


def serial_reduction(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take reductions of one lane without blocks."""
    if not op.is_serial:
        return False
    bind_results(op, reduce_serially(scheduler, op, frame), frame)
    return True


def serial_scan(scheduler: Scheduler, op: ScanOp, frame: Frame) -> bool:
    """Take all scans."""
    reduce_serially(scheduler, op, frame)
    return True
