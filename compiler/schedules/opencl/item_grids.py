"""How is the outermost nest of a kernel cut into work items?

The payload stays scalar, but in tiles of products: compilers of OpenCL C make vectors of it.
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
from ..lanes import Frame
from ..scalar import ScalarScheduler
from ..scheduler import Strategies
from .item_loops import Bounds, loop_over
from .work_groups import tile_counts

#: Half of what a vector of a tile of products has: OpenCL C has vectors of 16 elements.
VECTOR_BITS = 256

Nest = MapOp | ParallelOp
#: Builds what a work item of a nest runs, between bounds in each dimension.
Build = Callable[[Sequence[Bounds], Frame], None]


class OpenclScheduler(ScalarScheduler):
    """The walk over one kernel, whose outermost nest is work items."""

    can_prefetch = can_transpose = can_ask_strides = True

    def __init__(self, function: FuncOp, grids: Strategies) -> None:
        """Prepare to rebuild a kernel; `grids` are the ways to run its outermost nest."""
        super().__init__(function, VECTOR_BITS)
        self._grids = grids

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of a kernel."""
        grid = grid_op(function)
        for op in list(function.block.ops)[:-1]:
            if op is grid:
                self.first_of(self._grids[type(op)], op, frame)
            else:
                self.translate(op, frame)

    def items(
        self,
        op: Nest,
        sides: Sequence[int],
        frame: Frame,
        group: int,
        build: Build,
        steps: Sequence[int] = (),
    ) -> None:
        """Build `build(bounds, frame)` for work items of `sides` points in each dimension.

        Dimensions behind those that have a side are left to `build`. Where there is a step, items
        are as many as if they had a side, but of equal sizes, which are multiples of the step: a
        device that deals items out in halves would give one thread all those that are cut off.
        """
        weaver = self.weaver
        extents = [weaver.scalar(extent, frame) for extent in op.operands[: len(sides)]]
        counts = tile_counts(weaver, extents, sides)
        outside, block = weaver.block, Block(arg_types=[type_of_index] * len(extents))
        weaver.block = block
        bounds: list[Bounds] = []
        for number, index in enumerate(block.args):
            extent, step = extents[number], steps[number] if steps else 0
            if step:
                bounds.append(self._equal_bounds(index, extent, counts[number], step))
            else:
                bounds.append(self._bounds(index, extent, sides[number]))
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

    def _equal_bounds(
        self, index: SSAValue, extent: SSAValue, count: SSAValue, step: int
    ) -> Bounds:
        """Return where a work item starts and ends in a dimension that so many items share."""
        weaver, whole = self.weaver, self.weaver.index(step)
        each = weaver.compute(arith.MuliOp, count, whole)
        more = weaver.compute(arith.SubiOp, each, weaver.index(1))
        steps = weaver.compute(arith.DivUIOp, weaver.compute(arith.AddiOp, extent, more), each)
        size = weaver.compute(arith.MuliOp, steps, whole)
        start = weaver.compute(arith.MinSIOp, weaver.compute(arith.MuliOp, index, size), extent)
        stop = weaver.compute(arith.AddiOp, start, size)
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
