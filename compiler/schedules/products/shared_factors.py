"""Which factor do rows of results share, where each result has elements of its own of the other?

In a convolution of each channel by itself no lane reads what another one reads: neither factor is
multiplied with a vector of the other. But all places of a channel read the same filter, so that a
panel of it serves them all (`panels.py`): where the lanes are channels it holds a filter in
each, and where they are places the same one in all.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from ....dialects.kernel.structured import ParallelOp
from ...analysis.access_patterns import is_gather, reads_along
from ..scheduler import Scheduler
from .panel_plans import PanelPlan
from .sums_in_results import loads_of, serial_sum


def plan_of_shared_factor(
    scheduler: Scheduler, op: ParallelOp, lanes: SSAValue
) -> PanelPlan | None:
    """Return how panels of such a factor serve rows; None if there is none.

    The other one must lie along the lanes: it is read as it lies.
    """
    reduction = serial_sum(scheduler, op)
    if reduction is None or len(loads := loads_of(reduction)) != 2:
        return None
    for packed, other in (loads, reversed(loads)):
        indices = [index for index in op.indices if index is not lanes]
        rows = tuple(index for index in indices if not reads_along(packed, index))
        if rows and reads_along(other, lanes) and not is_gather(other, lanes):
            return PanelPlan(packed, lanes, rows)
    return None
