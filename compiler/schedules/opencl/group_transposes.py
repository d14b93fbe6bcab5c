"""How does a map transpose an operand through shared memory, as in `x.T + y`?

Each operand that lies across is first copied into memory of the group, a tile at a time, along its
own rows; after a barrier the map reads it from there. Neighbouring items are on neighbouring
elements on both sides. The odd length of rows spreads columns over the banks of that memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.types import buffer_type_of
from ...analysis.transposed_loads import staged_loads
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .work_groups import (
    SHARED_BYTES,
    WorkGroup,
    build_groups,
    bytes_of,
    high_part,
    low_part,
    tile_counts,
)

#: The sides of a tile, and the items that share it.
SIDE, ITEMS = 32, 256

#: Builds something for a row and a column of a tile.
Build = Callable[[SSAValue, SSAValue], None]


def _that_fit(loads: Sequence[LoadOp]) -> list[LoadOp]:
    """Return the first loads whose tiles fit the memory of a group."""
    chosen: list[LoadOp] = []
    nbytes = 0
    for load in loads:
        nbytes += SIDE * (SIDE + 1) * bytes_of(buffer_type_of(load.buffer).element)
        if nbytes <= SHARED_BYTES:
            chosen.append(load)
    return chosen


class GroupTranspose:
    """A map, computed in tiles of the last dimension and of that along which operands lie."""

    def __init__(
        self, scheduler: Scheduler, op: MapOp, dimension: int, extents: Values, frame: Frame
    ) -> None:
        """Prepare to build the groups of a map."""
        self.scheduler, self.weaver, self.op, self.frame = scheduler, scheduler.weaver, op, frame
        self.dimension, self.extents = dimension, extents
        self.loads = _that_fit(staged_loads(op, dimension))

    def build(self) -> None:
        """Build everything."""
        sides = [1] * len(self.extents)
        sides[self.dimension] = sides[-1] = SIDE
        counts = tile_counts(self.weaver, self.extents, sides)
        build_groups(self.weaver, counts, ITEMS, self._group)

    def _group(self, group: WorkGroup) -> None:
        weaver = self.weaver
        side = weaver.index(SIDE)
        self.firsts = list(group.indices)
        for number in (self.dimension, -1):
            self.firsts[number] = weaver.compute(arith.MuliOp, group.indices[number], side)
        self.tables = {
            load: group.shared(buffer_type_of(load.buffer).element, SIDE, SIDE, SIDE + 1)
            for load in self.loads
        }
        group.items(lambda item: self._rows(item, self._copy))
        group.barrier()
        group.items(lambda item: self._rows(item, self._point))

    def _rows(self, item: SSAValue, build: Build) -> None:
        """Build `build(row, column)` for the points of an item: neighbours have columns."""
        weaver = self.weaver

        def inside(first: SSAValue, _: Values) -> Values:
            number = weaver.compute(arith.AddiOp, first, item)
            build(high_part(weaver, number, SIDE), low_part(weaver, number, SIDE))
            return ()

        bounds = (weaver.index(0), weaver.index(SIDE * SIDE), weaver.index(ITEMS))
        weaver.loop(bounds, (), inside)

    def _places(self, across: SSAValue, last: SSAValue) -> list[SSAValue]:
        """Return the indices of a point of the tile."""
        places = list(self.firsts)
        for number, offset in ((self.dimension, across), (-1, last)):
            places[number] = self.weaver.compute(arith.AddiOp, places[number], offset)
        return places

    def _copy(self, row: SSAValue, column: SSAValue) -> None:
        """Copy one element of every operand; over the edge it is the last one."""
        weaver = self.weaver
        places = self._places(column, row)
        for number in (self.dimension, -1):
            last = weaver.compute(arith.SubiOp, self.extents[number], weaver.index(1))
            places[number] = weaver.compute(arith.MinSIOp, places[number], last)
        for load, table in self.tables.items():
            value = weaver.add(LoadOp.make(weaver.scalar(load.buffer, self.frame), places))
            weaver.block.add_op(StoreOp.make(value, table, (row, column)))

    def _point(self, row: SSAValue, column: SSAValue) -> None:
        """Run the map for one point, if it lies inside."""
        weaver = self.weaver
        places = self._places(row, column)
        is_inside = weaver.compute(
            arith.AndIOp,
            *[
                weaver.compare("slt", places[number], self.extents[number])
                for number in (self.dimension, -1)
            ],
        )

        def body() -> Values:
            frame = self.frame.inner()
            frame.scalars.update(zip(self.op.indices, places, strict=True))
            for op in list(self.op.block.ops)[:-1]:
                table = self.tables.get(op) if isinstance(op, LoadOp) else None
                if table is None:
                    self.scheduler.translate(op, frame)
                else:
                    value = weaver.add(LoadOp.make(table, (column, row)))
                    frame.scalars[op.results[0]] = value
            return ()

        weaver.branch(is_inside, body)
