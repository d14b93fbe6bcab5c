"""Where do products of matrices run in tiles that are wider than those for all sizes?

With vectors of 512 bits, where there are panels of four registers enough: of 32 registers 24 hold
sums of six rows. A multiply-add needs 0.4 loads then (0.6 in tiles of 8 rows of two registers),
which are what such tiles wait for. A panel fills the nearest cache beside the elements of a tile's
rows, so that pieces of k are shorter, and rows are copied (`packed_rows.py`). Granite Rapids, one
thread, float32 512, 1024, 2048: 1.88, 15.6, 130 ms -> 1.71, 13.8, 114; float64 1024 38 -> 31.

Columns that fill no panel are left to tiles as all others have them; so is what is small, and so
are convolutions: LLVM keeps constants of theirs in registers, and spills sums (1.17 of the time).
"""

from __future__ import annotations

from functools import partial, reduce

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.structured import ParallelOp
from ..lanes import Frame
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values
from .blocked_sums import WIDE_BITS, BlockedSums, SumTile
from .packed_rows import lies_along
from .panel_plans import PanelPlan
from .panels import packed_factor
from .sums_in_results import bits_of, only_reduction

#: Rows and vectors of a tile.
ROWS, VECTORS = 6, 2
#: Bytes that a panel and a tile's elements of the other factor take together, of 48 KB.
NEAREST_BYTES = 46 * 1024
#: Elements of k that pieces are multiples of.
STEP = 16
#: Products of a sum, and columns, from which on it pays.
LEAST_DEPTH, LEAST_COLUMNS = 64, 192


def wide_tiles(
    scheduler: Scheduler,
    op: ParallelOp,
    plan: PanelPlan,
    across: SSAValue,
    extents: Values,
    frame: Frame,
) -> SSAValue | None:
    """Build whole panels so, if there are enough; return the first column that is left.

    None: nothing is built.
    """
    reduction = only_reduction(op)
    if reduction is None or scheduler.vector_bits < WIDE_BITS or plan.is_across:
        return None
    if lies_along(reduction, plan.packed, plan.rows) is None:
        return None
    blocked = BlockedSums(scheduler, op, plan, _tile(scheduler, plan))
    if not blocked.has_room:
        return None
    if scheduler.is_hurried:
        scheduler.leaves_out = True
        return None
    weaver, width = scheduler.weaver, blocked.width * VECTORS
    depth = weaver.scalar(reduction.extents[0], frame)
    conditions = [
        weaver.compare("sge", size, weaver.index(least))
        for size, least in ((across, LEAST_COLUMNS), (depth, LEAST_DEPTH))
    ]

    def build() -> Values:
        whole = weaver.compute(arith.AndIOp, across, weaver.index(-width))
        blocked.build(whole, extents, frame)
        return (whole,)

    is_wide = reduce(partial(weaver.compute, arith.AndIOp), conditions)
    (start,) = weaver.branch(is_wide, build, lambda: (weaver.index(0),))
    return start


def _tile(scheduler: Scheduler, plan: PanelPlan) -> SumTile:
    bits = bits_of(packed_factor(plan.packed).type)
    of_an_element = (ROWS + scheduler.width * HEAVY_REGISTERS * VECTORS) * bits // 8
    depth = NEAREST_BYTES // of_an_element // STEP * STEP
    return SumTile(ROWS, VECTORS, depth=depth, copies_rows=True, has_halves=False, has_edges=False)
