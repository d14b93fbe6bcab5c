"""How does a map run where one operand lies across the others, as in `x.T + y`?

In tiles: the part of each operand that lies across is first copied into private memory along its
own rows, and read from there. Memory is then walked as it lies on both sides: x.T + y of 2048x2048
floats takes 7 ms instead of 16.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of
from ...analysis.transposed_loads import staged_loads, transposed_dimension
from ..lanes import Frame
from ..scheduler import Scheduler
from .item_loops import Bounds, loop_over


class TransposedTile:
    """One work item: a tile in two dimensions, one point in all others."""

    def __init__(
        self, scheduler: Scheduler, op: MapOp, bounds: Sequence[Bounds], side: int
    ) -> None:
        """Choose the loads that are staged: those along the same dimension as the first."""
        self.scheduler, self.op, self.bounds, self.side = scheduler, op, bounds, side
        self.dimension = transposed_dimension(op)
        self.loads = [] if self.dimension is None else staged_loads(op, self.dimension)

    def build(self, frame: Frame) -> None:
        """Stage every load, then run the map on what is staged."""
        staged = {load: self._stage(load, frame) for load in self.loads}
        weaver, dimension = self.scheduler.weaver, self.dimension
        assert dimension is not None

        def point(inner: Frame) -> None:
            places = [
                weaver.compute(
                    arith.SubiOp, inner.scalars[self.op.indices[number]], self.bounds[number][0]
                )
                for number in (-1, dimension)
            ]
            for op in list(self.op.block.ops)[:-1]:
                table = staged.get(op) if isinstance(op, LoadOp) else None
                if table is None:
                    self.scheduler.translate(op, inner)
                else:
                    inner.scalars[op.results[0]] = weaver.add(LoadOp.make(table, places))

        loop_over(weaver, list(self.op.indices), self.bounds, frame, point)

    def _stage(self, load: LoadOp, frame: Frame) -> SSAValue:
        """Copy a tile as it lies in memory; the odd length of rows spreads columns over a cache."""
        weaver, dimension = self.scheduler.weaver, self.dimension
        assert dimension is not None
        element = buffer_type_of(load.buffer).element
        shape = (self.side, self.side + 1)
        kind = BufferType.get(element, (self.side + 1, 1), PRIVATE)
        table = weaver.add(AllocOp.make(shape, kind))
        indices, bounds = list(self.op.indices), list(self.bounds)
        indices.append(indices.pop(dimension))
        bounds.append(bounds.pop(dimension))

        def copy(inner: Frame) -> None:
            places = [
                weaver.compute(arith.SubiOp, inner.scalars[indices[number]], bounds[number][0])
                for number in (-2, -1)
            ]
            buffer = weaver.scalar(load.buffer, inner)
            value = weaver.add(
                LoadOp.make(buffer, [weaver.scalar(index, inner) for index in load.indices])
            )
            weaver.block.add_op(StoreOp.make(value, table, places))

        loop_over(weaver, indices, bounds, frame, copy)
        return table
