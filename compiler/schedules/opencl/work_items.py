"""`kernel-schedule{target=opencl-cpu}`: which work item computes what on a CPU?

Before:

    kernel.map (%i) to (%n) {
      %v = kernel.load %x[%i] : f32
      kernel.store %v, %y[%i]
    }

After:

    %0 = arith.addi %n, %c4095 : index
    %1 = arith.divui %0, %c4096 : index
    kernel.parallel items (%k) to (%1) attributes {kernel.local = 1 : i64} {
      ...
      kernel.for %i = %start to %stop step %c1 {
        %v = kernel.load %x[%i] : f32
        kernel.store %v, %y[%i]
      }
    }

The payload stays scalar: compilers of OpenCL C make vectors of it. A work item is a tile of points
of the outermost nest, whose loops are vectorised in place. Reductions keep their order, with arrays
for their lanes (`reductions/arrays.py`). A kernel with several nests at its outermost level, or
with serial loops there, runs in one work item. GPUs have a schedule of their own
(`work_groups_gpu`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.scheduled import GROUP_SIZE
from ....dialects.kernel.structured import MapOp, ParallelOp, YieldOp
from ....dialects.kernel.types import i64, type_of_index
from ...analysis.access_patterns import best_parallel_index
from ...analysis.transposed_loads import transposed_dimension
from ..lanes import Frame
from ..reductions.lane_nests import LaneNestReduction, is_lane_nest
from ..reductions.strips import TABLE_BYTES, StripNest, can_strip
from ..scalar import ScalarScheduler
from ..scheduler import Strategies, scheduled_form
from .item_loops import Bounds, loop_over
from .transposed_tiles import TransposedTile
from .work_groups import tile_counts

#: Points of a work item along the innermost dimension, and along the one outside of it.
STRIP, ROWS = 4096, 16
#: The sides of a tile that transposes, and the results that a work item computes side by side.
TILE, COLUMNS = 32, 128
#: Results that a work item computes one after the other.
RESULTS = 4

Nest = MapOp | ParallelOp
#: Builds what a work item of a nest runs, between bounds in each dimension.
Build = Callable[[Sequence[Bounds], Frame], None]


class OpenclScheduler(ScalarScheduler):
    """The walk over one kernel, whose outermost nest is work items."""

    def __init__(self, function: FuncOp, grids: Strategies) -> None:
        """Prepare to rebuild a kernel; `grids` are the ways to run its outermost nest."""
        super().__init__(function)
        self._grids = grids

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of a kernel."""
        grid = grid_op(function)
        for op in list(function.block.ops)[:-1]:
            if op is grid:
                self.first_of(self._grids[type(op)], op, frame)
            else:
                self.translate(op, frame)

    def items(self, op: Nest, sides: Sequence[int], frame: Frame, group: int, build: Build) -> None:
        """Build `build(bounds, frame)` for work items of `sides` points in each dimension.

        Dimensions behind those that have a side are left to `build`.
        """
        weaver = self.weaver
        extents = [weaver.scalar(extent, frame) for extent in op.operands[: len(sides)]]
        counts = tile_counts(weaver, extents, sides)
        outside, block = weaver.block, Block(arg_types=[type_of_index] * len(extents))
        weaver.block = block
        bounds: list[Bounds] = []
        for index, extent, side in zip(block.args, extents, sides, strict=True):
            bounds.append(self._bounds(index, extent, side))
        build(bounds, frame.inner())
        block.add_op(YieldOp.make())
        weaver.block = outside
        items = ParallelOp.make(counts, block, "items")
        items.attributes[GROUP_SIZE] = IntegerAttr(group, i64)
        outside.add_op(items)

    def _bounds(self, index: SSAValue, extent: SSAValue, side: int) -> Bounds:
        """Return the first point of a work item in a dimension and where it ends; None: one."""
        if side == 1:
            return index, None
        weaver = self.weaver
        start = weaver.compute(arith.MuliOp, index, weaver.index(side))
        stop = weaver.compute(arith.AddiOp, start, weaver.index(side))
        return start, weaver.compute(arith.MinSIOp, stop, extent)

    def points(self, op: Nest) -> Build:
        """Return what runs the body for all points of a work item, the last dimension innermost."""

        def point(inner: Frame) -> None:
            self.body(op.block, inner)

        def build(bounds: Sequence[Bounds], frame: Frame) -> None:
            loop_over(self.weaver, list(op.indices), bounds, frame, point)

        return build


def grid_op(function: FuncOp) -> Operation | None:
    """Return the one nest at the outermost level of a kernel, if its extents are arguments."""
    nests = [op for op in function.block.ops if op.regions]
    if len(nests) != 1 or not isinstance(nests[0], Nest) or not nests[0].operands:
        return None
    extents = nests[0].operands
    is_known = all(isinstance(extent, BlockArgument) for extent in extents)
    return nests[0] if is_known else None


# Ways to run the outermost nest


def _blocks_of_lanes(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give an item each block of a reduction that was split: all its lanes, the last dimension."""
    if not is_lane_nest(op):
        return False

    def lanes(bounds: Sequence[Bounds], inner: Frame) -> None:
        for index, (start, _) in zip(op.indices, bounds, strict=False):
            inner.scalars[index] = start
        LaneNestReduction(scheduler, op, inner).build()

    scheduler.items(op, [1] * (len(op.indices) - 1), frame, 1, lanes)
    return True


def _strips_of_columns(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give an item a strip of results, where memory runs across them."""
    chosen = best_parallel_index(op)
    if chosen is None or not can_strip(op, is_serial_allowed=True):
        return False
    sides = [1] * len(op.indices)
    sides[chosen] = COLUMNS

    def strip(bounds: Sequence[Bounds], inner: Frame) -> None:
        weaver = scheduler.weaver
        for index, (start, _stop) in zip(op.indices, bounds, strict=True):
            inner.scalars[index] = start
        start, stop = bounds[chosen]
        assert stop is not None
        count = weaver.compute(arith.SubiOp, stop, start)
        nest = StripNest(scheduler, op, op.indices[chosen], 1, TABLE_BYTES)
        nest.size = COLUMNS
        nest.strip(start, count, inner)

    scheduler.items(op, sides, frame, 1, strip)
    return True


def _few_results(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give an item a few results, one after the other."""
    sides = [*([1] * (len(op.indices) - 1)), RESULTS]
    scheduler.items(op, sides, frame, 1, scheduler.points(op))
    return True


def _transposed(scheduler: OpenclScheduler, op: MapOp, frame: Frame) -> bool:
    """Give an item a tile, where an operand lies across."""
    dimension = transposed_dimension(op) if len(op.indices) > 1 else None
    if dimension is None:
        return False
    sides = [1] * len(op.indices)
    sides[dimension] = sides[-1] = TILE

    def tile(bounds: Sequence[Bounds], inner: Frame) -> None:
        TransposedTile(scheduler, op, bounds, TILE).build(inner)

    scheduler.items(op, sides, frame, 1, tile)
    return True


def _rows_of_points(scheduler: OpenclScheduler, op: MapOp, frame: Frame) -> bool:
    """Give an item a few pieces of rows."""
    count = len(op.indices)
    sides = [*([1] * (count - 2)), *([ROWS] if count > 1 else []), STRIP]
    scheduler.items(op, sides, frame, 1, scheduler.points(op))
    return True


GRIDS: Strategies = {
    ParallelOp: (_blocks_of_lanes, _strips_of_columns, _few_results),
    MapOp: (_transposed, _rows_of_points),
}


def schedule_for_opencl(function: FuncOp, vector_bits: int = 0) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone.

    Vectors are made by the device's own compiler, so their width is not asked for.
    """
    return scheduled_form(OpenclScheduler(function, GRIDS), function)
