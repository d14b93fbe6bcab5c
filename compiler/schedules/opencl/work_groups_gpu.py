"""`kernel-schedule{target=opencl-gpu}`: which work item computes what on a GPU?

- A point of a map is a work item; neighbours are on neighbouring elements. Where an operand lies
  across, a group takes it through its memory (`group_transposes`).
- A reduction is a group's: an item for each lane, then a tree (`group_folds`), a whole-tensor one
  too. Where results lie side by side in memory, as in a sum over the first axis, neighbours have
  neighbouring results.
- Serial folds are an item's. Where their operands are shared, as in a matrix product, or read
  along rows, groups copy tiles of these (`group_tiles`).

All else is as for CPUs: a kernel with several nests, or with loops outside, is one item.
"""

from __future__ import annotations

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.structured import MapOp, ParallelOp, ReduceOp
from ..cpu.schedule import best_parallel_index
from ..lane_nests import is_lane_nest
from ..lanes import Frame
from .group_reductions import GroupFolds, can_fold_in_groups
from .group_transposes import GroupTranspose
from .shared_tiles import GroupTiles, plan_tiles
from .transposed_tiles import transposed_dimension
from .work_items import OpenclScheduler, schedule_for_opencl

#: Work items of a group where they have nothing to do with one another.
ITEMS = 256


class GpuScheduler(OpenclScheduler):
    """The walk over one kernel, for work-groups."""

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of a kernel; reductions there are one group's."""
        ops = list(function.block.ops)[:-1]
        if any(isinstance(op, ReduceOp) for op in ops) and can_fold_in_groups(ops):
            GroupFolds(self, ops, frame).build((), ())
        else:
            super().outermost(function, frame)

    def grid(self, op: MapOp | ParallelOp, frame: Frame) -> None:
        """Build the outermost nest as work-groups, or as work items on their own."""
        extents = [self.weaver.scalar(extent, frame) for extent in op.operands]
        if is_lane_nest(op):
            pass
        elif isinstance(op, ParallelOp):
            ops = list(op.block.ops)[:-1]
            side = best_parallel_index(op)
            if side in (None, len(extents) - 1) and can_fold_in_groups(ops):
                folds = GroupFolds(self, ops, frame, across=side is not None)
                folds.build(op.indices, extents)
                return
            plan = plan_tiles(op)
            if plan is not None:
                GroupTiles(self, op, plan, extents, frame).build()
                return
        else:
            dimension = transposed_dimension(op)
            if dimension is not None:
                GroupTranspose(self, op, dimension, extents, frame).build()
                return
        self.items(op, [1] * len(extents), frame, ITEMS, self.points)


def schedule_for_opencl_gpu(function: FuncOp, vector_bits: int = 0) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone."""
    return schedule_for_opencl(function, vector_bits, GpuScheduler)
