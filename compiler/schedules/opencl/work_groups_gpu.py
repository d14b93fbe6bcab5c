"""`kernel-schedule{target=opencl-gpu}`: which work item computes what on a GPU?

- A point of a map is a work item; neighbours are on neighbouring elements. Where an operand lies
  across, a group takes it through its memory (`group_transposes`).
- A reduction is a group's: an item for each lane, then a tree (`group_reductions`), a whole-tensor
  one too. Where results lie side by side in memory, as in a sum over the first axis, neighbours
  have neighbouring results.
- Serial reductions are an item's. Where their operands are shared, as in a matrix product, or read
  along rows, groups copy tiles of these (`shared_tiles`).

All else is as for CPUs: a kernel with several nests, or with loops outside, is one item.
"""

from __future__ import annotations

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.structured import MapOp, ParallelOp, ReduceOp
from ...analysis.access_patterns import best_parallel_index
from ...analysis.transposed_loads import transposed_dimension
from ..lanes import Frame
from ..reductions.lane_nests import is_lane_nest
from ..scheduler import Strategies, scheduled_form
from .group_reductions import GroupReductions, can_reduce_in_groups
from .group_transposes import GroupTranspose
from .item_grids import Nest, OpenclScheduler
from .shared_tiles import GroupTiles, plan_tiles

#: Work items of a group where they have nothing to do with one another.
ITEMS = 256


def _group_reductions(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give a group a few results, and an item each lane."""
    if is_lane_nest(op):
        return False
    ops = list(op.block.ops)[:-1]
    side = best_parallel_index(op)
    if side not in (None, len(op.indices) - 1) or not can_reduce_in_groups(ops):
        return False
    reductions = GroupReductions(scheduler, ops, frame, across=side is not None)
    reductions.build(op.indices, [scheduler.weaver.scalar(each, frame) for each in op.operands])
    return True


def _shared_tiles(scheduler: OpenclScheduler, op: ParallelOp, frame: Frame) -> bool:
    """Give a group a tile of results, for which it copies operands."""
    plan = None if is_lane_nest(op) else plan_tiles(op)
    if plan is None:
        return False
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]
    GroupTiles(scheduler, op, plan, extents, frame).build()
    return True


def _transposes(scheduler: OpenclScheduler, op: MapOp, frame: Frame) -> bool:
    """Give a group a tile of points, where an operand lies across."""
    dimension = transposed_dimension(op)
    if dimension is None:
        return False
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]
    GroupTranspose(scheduler, op, dimension, extents, frame).build()
    return True


def _points(scheduler: OpenclScheduler, op: Nest, frame: Frame) -> bool:
    """Give an item a point."""
    scheduler.items(op, [1] * len(op.indices), frame, ITEMS, scheduler.points(op))
    return True


GRIDS: Strategies = {
    ParallelOp: (_group_reductions, _shared_tiles, _points),
    MapOp: (_transposes, _points),
}


class GpuScheduler(OpenclScheduler):
    """The walk over one kernel, for work-groups."""

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of a kernel; reductions there are one group's."""
        ops = list(function.block.ops)[:-1]
        if any(isinstance(op, ReduceOp) for op in ops) and can_reduce_in_groups(ops):
            GroupReductions(self, ops, frame).build((), ())
        else:
            super().outermost(function, frame)


def schedule_for_opencl_gpu(function: FuncOp, vector_bits: int = 0) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone."""
    return scheduled_form(GpuScheduler(function, GRIDS), function)
