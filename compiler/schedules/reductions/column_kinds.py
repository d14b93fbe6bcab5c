"""Which reduction of columns is it: a search, or one whose accumulators are combined?"""

from __future__ import annotations

from ....dialects.kernel.structured import FIRST_EXTREME, ReduceOp
from ..lanes import Frame
from ..scheduler import Scheduler
from .accumulators import Accumulators, bind_results
from .column_searches import FirstExtremeColumns
from .columns import ColumnReduction, Columns, OneColumn


def column_reduction(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take reductions inside code on vectors, whose lanes are results, and those of one lane."""
    if frame.lanes == 1 and op.lane_count > 1:
        return False
    zero = scheduler.weaver.index(0)
    table = reduce_columns(scheduler, op, frame, OneColumn(scheduler, frame))
    bind_results(op, table.load(frame, zero, zero), frame)
    return True


def reduce_columns(
    scheduler: Scheduler, op: ReduceOp, frame: Frame, columns: Columns
) -> Accumulators:
    """Reduce into a table of L accumulators per column; return it: row 0 holds the results."""
    kind = FirstExtremeColumns if FIRST_EXTREME in op.attributes else ColumnReduction
    return kind(scheduler, op, frame, columns).build()
