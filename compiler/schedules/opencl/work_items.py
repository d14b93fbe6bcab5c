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

The payload stays scalar: compilers of OpenCL C make vectors of it; products alone have vectors of
their own (`product_tiles.py`). A work item is a tile of points
of the outermost nest, whose loops are vectorised in place. Reductions keep their order, with arrays
for their lanes (`reductions/arrays.py`). A kernel with several nests at its outermost level, or
with serial loops there, runs in one work item. GPUs have a schedule of their own
(`work_groups_gpu`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.structured import MapOp, ParallelOp
from ...analysis.access_patterns import best_parallel_index
from ...analysis.transposed_loads import transposed_dimension
from ..lanes import Frame
from ..reductions.lane_nests import LaneNestReduction, is_lane_nest
from ..reductions.strips import StripNest, can_strip
from ..scheduler import Strategies, scheduled_form
from ..windowed_maps import WindowedMap, has_windows
from .item_grids import OpenclScheduler
from .item_loops import Bounds
from .product_tiles import tiles_of_products
from .transposed_tiles import TransposedTile

#: Points of a work item along the innermost dimension, and along the one outside of it.
STRIP, ROWS = 4096, 16
#: The sides of a tile that transposes, and the results that a work item computes side by side.
TILE, COLUMNS = 32, 128
#: Results that a work item computes one after the other.
RESULTS = 4

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
        nest = StripNest(scheduler, op, op.indices[chosen], 1)
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
    build = scheduler.points(op)
    if has_windows(op):
        build = WindowedMap(scheduler, op).build
    scheduler.items(op, sides, frame, 1, build)
    return True


GRIDS: Strategies = {
    ParallelOp: (_blocks_of_lanes, tiles_of_products, _strips_of_columns, _few_results),
    MapOp: (_transposed, _rows_of_points),
}


def schedule_for_opencl(function: FuncOp, vector_bits: int = 0) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone.

    Vectors are made by the device's own compiler, so their width is not asked for.
    """
    return scheduled_form(OpenclScheduler(function, GRIDS), function)
