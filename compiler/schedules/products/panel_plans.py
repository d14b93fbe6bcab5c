"""Which factor of a sum of products do panels hold, and which rows of results read each panel?"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.records import record
from ...analysis.access_patterns import reads_along
from ..lanes import Weaver
from ..scheduler import Scheduler
from .panels import element_across
from .sums_in_results import factor_along, only_reduction

#: A panel pays if so many rows read it. Where few rows would read the factor column by column, some
#: are enough if it has so many elements that it lies beyond the second-level cache.
MANY_ROWS, SOME_ROWS, MANY_ELEMENTS = 16, 5, 1 << 19


def is_vector_across(scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> bool:
    """Whether a vector is multiplied with a matrix that lies across the results."""
    load, reduction = factor_along(scheduler, op, lanes), only_reduction(op)
    if load is None or reduction is None or len(reduction.indices) != 1:
        return False
    is_alone = all(reads_along(load, index) for index in op.indices)
    return is_alone and element_across(load, lanes, reduction.indices) is not None


@record
class PanelPlan:
    """What panels are made for, and along which indices of a nest."""

    packed: LoadOp
    #: The index of the columns, and those of the rows, which read the same of the packed factor.
    lanes: SSAValue
    rows: tuple[SSAValue, ...]
    #: Whether neighbouring columns of the result are no neighbours in memory.
    is_across: bool = False


def panel_plan(scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> PanelPlan | None:
    """Return how a serial sum of products runs on panels, with columns along `lanes`; None if not.

    A sum over several indices is a convolution: best are the panels of its filters, which are read
    along one index alone. They are packed once for all places, and no place of an image fills lanes
    in vain, even if the results of filters lie far apart.
    """
    packed = factor_along(scheduler, op, lanes, is_packed=True)
    if packed is None:
        return None
    plan = PanelPlan(packed, lanes, _not_read(packed, op))
    reduction = only_reduction(op)
    if len(plan.rows) == 1 and reduction is not None and len(reduction.indices) > 1:
        (row,) = plan.rows
        other = factor_along(scheduler, op, row, is_packed=True)
        rows = () if other is None else _not_read(other, op)
        if other is not None and len(rows) > 1 and lanes in rows:
            return PanelPlan(other, row, rows, is_across=True)
    return plan


def _not_read(load: LoadOp, op: ParallelOp) -> tuple[SSAValue, ...]:
    """Return the indices along which a load reads the same."""
    return tuple(index for index in op.indices if not reads_along(load, index))


def is_read_often(
    weaver: Weaver, rows: SSAValue, elements: SSAValue, *, is_streamed: bool
) -> SSAValue:
    """Return whether enough rows read the panels of a factor: many, or some of a large one.

    Few rows need none where they read the factor as it lies in memory.
    """
    are_many = weaver.compare("sge", rows, weaver.index(MANY_ROWS))
    if is_streamed:
        return are_many
    are_some = weaver.compare("sge", rows, weaver.index(SOME_ROWS))
    is_large = weaver.compare("sge", elements, weaver.index(MANY_ELEMENTS))
    are_enough = weaver.compute(arith.AndIOp, are_some, is_large)
    return weaver.compute(arith.OrIOp, are_many, are_enough)
