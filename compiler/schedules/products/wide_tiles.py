"""Where do products of matrices run in tiles that are wider than those for all sizes?

With vectors of 512 bits, where there are panels of four registers enough: of 32 registers 24 hold
sums of six rows. A multiply-add needs 0.4 loads then (0.6 in tiles of 8 rows of two registers),
which are what such tiles wait for. A panel fills the nearest cache beside the elements of a tile's
rows, so that pieces of k are shorter. Where many columns read them, rows are copied
(`packed_rows.py`); of few, that takes what it brings. Granite Rapids, one thread, float32 512,
1024, 2048: 1.88, 15.6, 130 ms -> 1.71, 13.8, 114; float64 1024 38 -> 31; 512 x 512 x 64 0.9 of it.

Pieces of windows are longer: a panel comes from the second cache then, which takes less time than
sums that go to memory and back for a few channels; a tile asks for its lines eight elements ahead.
LLVM has to be told that a loop over k wants all registers: it kept constants there, and some sums
in memory, 1.17 of the time of narrower tiles. So 64 filters of 3 x 3, channels last, take 1.44 ms
for 1.75.

The first tile of a panel fills it: it multiplies what it reads of the factor, and stores that while
products are formed, of which each element has enough. 64 x 256 x 784 takes 0.93 of the time, 256 x
256 x 256 0.97.

Columns that fill no panel are left to tiles as all others have them, and so is what is small.
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.structured import ParallelOp
from ...analysis.product_sizes import WINDOW_DEPTH
from ..lanes import Frame
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values
from .blocked_sums import WIDE_BITS, BlockedSums
from .packed_rows import lies_along
from .panel_plans import PanelPlan
from .panels import packed_factor
from .sum_tiles import SumTile
from .sums_in_results import bits_of, only_reduction
from .window_places import load_of_windows

#: Rows and vectors of a tile.
ROWS, VECTORS = 6, 2
#: Bytes that a panel and a tile's elements of the other factor take together, of 48 KB.
NEAREST_BYTES = 46 * 1024
#: Elements of k that pieces are multiples of.
STEP = 16
#: Products of a sum from which on it pays, and columns from which on rows are copied.
LEAST_DEPTH, MANY_COLUMNS = 64, 256


def wide_tiles(
    scheduler: Scheduler,
    op: ParallelOp,
    plan: PanelPlan,
    across: SSAValue,
    extents: Values,
    frame: Frame,
) -> SSAValue | None:
    """Build whole panels so, if there are any; return the first column that is left.

    None: nothing is built.
    """
    if scheduler.vector_bits < WIDE_BITS:
        return None
    forms = [BlockedSums(scheduler, op, plan, tile) for tile in _tiles(scheduler, op, plan)]
    if not forms or not forms[0].has_room:
        return None
    if scheduler.is_hurried:
        scheduler.leaves_out = True
        return None
    weaver, width = scheduler.weaver, forms[0].width * VECTORS
    whole = weaver.compute(arith.AndIOp, across, weaver.index(-width))

    def at_least(size: SSAValue, least: int) -> SSAValue:
        return weaver.compare("sge", size, weaver.index(least))

    def build(form: BlockedSums) -> Values:
        form.build(whole, extents, frame)
        return ()

    def panels() -> Values:
        if len(forms) == 1:
            build(forms[0])
        else:
            copied, as_it_lies = (partial(build, form) for form in forms)
            weaver.branch(at_least(across, MANY_COLUMNS), copied, as_it_lies)
        return (whole,)

    are_enough = at_least(forms[0].products_of_a_sum(frame), LEAST_DEPTH)
    is_wide = weaver.compute(arith.AndIOp, at_least(across, width), are_enough)
    (start,) = weaver.branch(is_wide, panels, lambda: (weaver.index(0),))
    return start


def _tiles(scheduler: Scheduler, op: ParallelOp, plan: PanelPlan) -> list[SumTile]:
    """Return the tile for this product; of two, the first one is for many columns."""
    reduction = only_reduction(op)
    if reduction is None:
        return []
    if load_of_windows(reduction, plan.packed, plan.lanes) is not None:
        return [_tile(WINDOW_DEPTH, is_of_windows=True)]
    if lies_along(reduction, plan.packed, plan.rows) is None:
        return []
    depth = _depth_beside_rows(scheduler, plan)
    return [_tile(depth, copies_rows=True), _tile(depth)]


def _depth_beside_rows(scheduler: Scheduler, plan: PanelPlan) -> int:
    """Return how many elements of k a panel has that shares the nearest cache with rows."""
    bits = bits_of(packed_factor(plan.packed).type)
    of_an_element = (ROWS + scheduler.width * HEAVY_REGISTERS * VECTORS) * bits // 8
    return NEAREST_BYTES // of_an_element // STEP * STEP


def _tile(depth: int, *, copies_rows: bool = False, is_of_windows: bool = False) -> SumTile:
    return SumTile(
        ROWS,
        VECTORS,
        depth=depth,
        copies_rows=copies_rows,
        has_halves=False,
        has_edges=False,
        fills_registers=True,
        fills_panels=not is_of_windows,
        asks_ahead=is_of_windows,
    )
