"""Which part of a product does a work item compute? Some rows of some columns, in register tiles.

A work item packs pieces of its columns and runs over its rows as a CPU does (`products/`). This is
code in vectors: what a compiler makes of loops over an array of sums goes through memory at each
step. Vectors have 16 floats or 8 doubles, which are one register or two. The sums are those of all
other schedules, bit for bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import f32, f64, type_of_index
from ...analysis.access_patterns import best_parallel_index, depends_on
from ..lanes import Frame
from ..products.blocked_sums import BlockedSums, PanelPlan, panel_plan
from ..reductions.strips import TABLE_BYTES, StripNest, can_strip
from ..scheduler import Values
from .item_grids import OpenclScheduler
from .item_loops import Bounds, loop_over

#: Columns of a work item, and its rows: enough for a panel to be worth its packing.
COLUMNS, ROWS = 256, 128
#: The same for windows of images: whole rows of places, and as many of these.
PLACES, LINES = 4096, 7
#: Rows of a register tile, and vectors of each: as many sums as hide the latency of multiply-adds,
#: in a register each where these have 512 bits, for six loads. (8 rows of one vector need nine.)
HEIGHT, VECTORS = 4, 2
#: What can be said of vectors in OpenCL C.
_SPELLED = (LoadOp, arith.AddfOp, arith.SubfOp, arith.MulfOp, math.FmaOp)


def tiles_of_products(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give an item a tile of a product."""
    chosen = best_parallel_index(op)
    if chosen is None or not can_strip(op, is_serial_allowed=True):
        return False
    plan = panel_plan(scheduler, op, op.indices[chosen])
    if plan is None or not plan.rows or not _is_spelled(op, plan.lanes):
        return False
    sides = _sides(op, plan)

    def tile(bounds: Sequence[Bounds], inner: Frame) -> None:
        _Tile(scheduler, op, plan, dict(zip(op.indices, bounds, strict=True))).build(inner)

    scheduler.items(op, sides, frame, 1, tile)
    return True


def _sides(op: ParallelOp, plan: PanelPlan) -> list[int]:
    """Return how many points an item has in each dimension."""
    reduction = op.block.first_op
    assert isinstance(reduction, ReduceOp)
    is_window = len(reduction.indices) > 1
    sides = dict.fromkeys(op.indices, 1)
    sides[plan.lanes] = COLUMNS
    of_rows = (PLACES, LINES) if is_window else (ROWS,)
    sides |= zip(reversed(plan.rows), of_rows, strict=False)
    return [sides[index] for index in op.indices]


def _is_spelled(op: ParallelOp, lanes: SSAValue) -> bool:
    """Whether all that differs by lane is arithmetic on floats, or an index."""
    reduction = op.block.first_op
    assert isinstance(reduction, ReduceOp)
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
        blocked = BlockedSums(self.scheduler, self.op, plan, HEIGHT, VECTORS)

        def in_panels() -> Values:
            blocked.build(across, extents, frame, first, firsts)
            return ()

        def in_strips() -> Values:
            rows = [self.bounds[row] for row in plan.rows]
            loop_over(weaver, plan.rows, rows, frame, self._strips)
            return ()

        is_worth_it = blocked.is_worth_it(across, extents, frame)
        assert is_worth_it is not None, "nothing is transposed in registers here"
        weaver.branch(is_worth_it, in_panels, in_strips)

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
            nest = StripNest(self.scheduler, self.op, lanes, 1, TABLE_BYTES)
            nest.size = STRIP
            nest.strip(first, count, inner)
            return ()

        weaver.loop((start, stop, weaver.index(STRIP)), (), strip)


#: Results of a row that are summed side by side where no tile is worth it.
STRIP = 128
