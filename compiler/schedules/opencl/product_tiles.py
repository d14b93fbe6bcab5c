"""Which part of a product does a work item compute? Some rows of some columns, in register tiles.

A work item packs pieces of its columns and runs over its rows as a CPU does (`products/`). This is
code in vectors: what a compiler makes of loops over an array of sums goes through memory at each
step. Vectors have 16 floats or 8 doubles where that is a register, else half as many. The sums are
those of all other schedules, bit for bit. What is computed from the sums is scalar code again, in a
walk over the results of the item while they are in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.registers import HasRegistersOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import f32, f64, type_of_index
from ....dialects.records import replace
from ...analysis.access_patterns import best_parallel_index, depends_on
from ...analysis.product_sizes import DEPTH, WINDOW_DEPTH
from ..lanes import Frame
from ..products.blocked_sums import BlockedSums
from ..products.panel_plans import PanelPlan, panel_plan
from ..products.shared_factors import plan_of_shared_factor
from ..products.sum_tiles import SumTile
from ..products.sums_in_results import SumsInResult, only_reduction
from ..reductions.strips import StripNest, can_strip
from ..scheduler import Values
from .item_grids import OpenclScheduler
from .item_loops import Bounds, loop_over

#: Rows of a register tile of matrices, whatever the registers are.
ROWS_OF_TILE = 6
#: Columns of a work item, and its rows: enough for a panel to be worth its packing.
COLUMNS, ROWS = 128, 21 * ROWS_OF_TILE
#: The same for windows of images: the filters of a panel, whole rows of places, and as many of
#: these as make up for packing it.
FILTERS, PLACES, LINES = 64, 4096, 14
#: Bits of a register from which on tiles are the first of two shapes.
WIDEST = 512
#: Rows of a register tile, vectors of each, and halves of 512 bits in a vector; elements of k in a
#: piece. Of 32 registers of 512 bits 24 are sums of matrices, as on the CPU. Of 16 registers of 256
#: bits they are twelve, as on the CPU: more would go through memory.
OF_MATRICES = ((ROWS_OF_TILE, 4, 2), 160), ((ROWS_OF_TILE, 2, 1), DEPTH)
#: Of windows there are 24, too, if an item has filters enough, and sums products: those of planes
#: are stored lane by lane then. Else there are 16, with ten loads; planes are stored in squares.
OF_LONG_WINDOWS = (ROWS_OF_TILE, 4, 2), WINDOW_DEPTH
OF_WINDOWS = ((8, 2, 2), WINDOW_DEPTH), ((6, 2, 1), WINDOW_DEPTH)
LONG = 256
#: What can be said of vectors in OpenCL C.
_SPELLED = (LoadOp, arith.AddfOp, arith.SubfOp, arith.MulfOp, math.FmaOp)


def tiles_of_products(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give an item a tile of a product."""
    chosen = best_parallel_index(op)
    if chosen is None or not can_strip(op, is_serial_allowed=True):
        return False
    lanes = op.indices[chosen]
    plan = panel_plan(scheduler, op, lanes)
    if plan is None or not plan.rows:
        plan = plan_of_shared_factor(scheduler, op, lanes)
    if plan is None or not _is_spelled(op, plan.lanes):
        return False
    sides = _sides(op, plan)

    def tile(bounds: Sequence[Bounds], inner: Frame) -> None:
        _Tile(scheduler, op, plan, dict(zip(op.indices, bounds, strict=True))).build(inner)

    scheduler.items(op, sides, frame, 1, tile, _steps(op, plan))
    return True


def _sides(op: ParallelOp, plan: PanelPlan) -> list[int]:
    """Return how many points an item has in each dimension."""
    sides = dict.fromkeys(op.indices, 1)
    sides[plan.lanes] = FILTERS if _is_window(op) else COLUMNS
    of_rows = (PLACES, LINES) if _is_window(op) else (ROWS,)
    sides |= zip(reversed(plan.rows), of_rows, strict=False)
    return [sides[index] for index in op.indices]


def _steps(op: ParallelOp, plan: PanelPlan) -> list[int]:
    """Return of what the rows of all items in a dimension are multiples; 0: of nothing."""
    steps = dict.fromkeys(op.indices, 0)
    if _is_window(op):
        steps |= dict.fromkeys(plan.rows[-2:-1], 1)
    else:
        steps |= dict.fromkeys(plan.rows[-1:], ROWS_OF_TILE)
    return [steps[index] for index in op.indices]


def _is_window(op: ParallelOp) -> bool:
    """Whether sums run over several indices, as those over the windows of an image do."""
    reduction = only_reduction(op)
    assert reduction is not None
    return len(reduction.indices) > 1


def _is_spelled(op: ParallelOp, lanes: SSAValue) -> bool:
    """Whether all that differs by lane is arithmetic on floats, or an index."""
    reduction = only_reduction(op)
    assert reduction is not None
    return all(_is_plain(item, lanes) for item in list(reduction.block.ops)[:-1])


def _is_plain(op: Operation, lanes: SSAValue) -> bool:
    if not any(depends_on(operand, lanes) for operand in op.operands):
        return True
    if len(op.results) != 1 or op.regions:
        return False
    kind = op.results[0].type
    return kind == type_of_index or (isinstance(op, _SPELLED) and kind in (f32, f64))


class _Tile:
    """What one work item runs."""

    def __init__(
        self,
        scheduler: OpenclScheduler,
        op: ParallelOp,
        plan: PanelPlan,
        bounds: dict[SSAValue, Bounds],
    ) -> None:
        """Prepare for a nest; the bounds are those of each index."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.op, self.plan, self.bounds = op, plan, bounds

    def build(self, frame: Frame) -> None:
        """Build the tile in panels, or in strips where few rows share a panel."""
        weaver, plan = self.weaver, self.plan
        for index, (start, stop) in self.bounds.items():
            if index is not plan.lanes and index not in plan.rows:
                assert stop is None
                frame.scalars[index] = start
        first, across = self.bounds[plan.lanes]
        assert across is not None
        firsts = [self.bounds[row][0] for row in plan.rows]
        extents = [self._extent(row) for row in plan.rows]
        shapes = OF_WINDOWS if _is_window(self.op) else OF_MATRICES
        wide, usual = (self._sums(self._tile(*shape)) for shape in shapes)

        def built(blocked: BlockedSums) -> Callable[[], Values]:
            def build() -> Values:
                blocked.build(across, extents, frame, first, firsts)
                return ()

            return build

        def in_wide_panels() -> Values:
            if not _is_window(self.op):
                return built(wide)()
            # An item has no more filters than a panel has columns: there are no edges.
            tile = self._tile(*OF_LONG_WINDOWS)
            long = self._sums(replace(tile, has_edges=False, fills_registers=True))
            filters = weaver.compute(arith.SubiOp, across, first)
            has_filters = weaver.compare("sge", filters, weaver.index(FILTERS))
            products = long.products_of_a_sum(frame)
            is_long = weaver.compare("sge", products, weaver.index(LONG))
            is_long = weaver.compute(arith.AndIOp, is_long, has_filters)
            return weaver.branch(is_long, built(long), built(wide))

        def in_panels() -> Values:
            is_wide = weaver.add(HasRegistersOp.make(WIDEST))
            weaver.branch(is_wide, in_wide_panels, built(usual))
            self._finish(frame)
            return ()

        def in_strips() -> Values:
            rows = [self.bounds[row] for row in plan.rows]
            loop_over(weaver, plan.rows, rows, frame, self._strips)
            return ()

        is_worth_it = wide.is_worth_it(across, extents, frame)
        if is_worth_it is None:
            in_panels()
        else:
            weaver.branch(is_worth_it, in_panels, in_strips)

    def _tile(self, shape: tuple[int, int, int], depth: int) -> SumTile:
        """Return a tile of so many rows, vectors, and halves of 512 bits."""
        return SumTile(*shape, depth=depth, finishes=False, has_halves=False)

    def _sums(self, tile: SumTile) -> BlockedSums:
        return BlockedSums(self.scheduler, self.op, self.plan, tile)

    def _finish(self, frame: Frame) -> None:
        """Build what is computed from the sums, which lie in the result."""
        sums = SumsInResult(self.scheduler, self.op, self.plan.lanes)
        if not sums.epilogue:
            return

        def point(inner: Frame) -> None:
            sums.keep(inner, sums.finish(inner, sums.load(inner)))

        inside = [*self.plan.rows, self.plan.lanes]
        indices = [index for index in self.op.indices if index in inside]
        bounds = [self.bounds[index] for index in indices]
        loop_over(self.weaver, indices, bounds, frame, point)

    def _extent(self, index: SSAValue) -> SSAValue:
        start, stop = self.bounds[index]
        if stop is None:
            return self.weaver.index(1)
        return self.weaver.compute(arith.SubiOp, stop, start)

    def _strips(self, frame: Frame) -> None:
        """Build the columns of one row."""
        weaver, lanes = self.weaver, self.plan.lanes
        start, stop = self.bounds[lanes]
        assert stop is not None

        def strip(first: SSAValue, _: Values) -> Values:
            inner = frame.inner()
            inner.scalars[lanes] = first
            left = weaver.compute(arith.SubiOp, stop, first)
            count = weaver.compute(arith.MinSIOp, left, weaver.index(STRIP))
            nest = StripNest(self.scheduler, self.op, lanes, 1)
            nest.size = STRIP
            nest.strip(first, count, inner)
            return ()

        weaver.loop((start, stop, weaver.index(STRIP)), (), strip)


#: Results of a row that are summed side by side where no tile is worth it.
STRIP = 128
