"""How does a map run where an operand lies across the others, as in `x.T + y`?

In tiles, so that memory is walked as it lies on both sides. A whole tile of what lies across is
read along its own rows and transposed in registers, square by square; a part of one goes element
by element into memory that stays in the nearest cache, where it then lies as the others do. Much
arithmetic, whose code would be repeated for each row of a square, finds all its operands there.

A transposed copy of 1000 x 1000 floats takes 100 us, and a plain copy 70; gathers from a tile that
lies as it did in memory took 260, no tiles 8 ms.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.making import append
from ...analysis.transposed_loads import staged_loads, transposed_dimension
from ..lanes import Frame, lane_access
from ..products.panels import loop
from ..scheduler import Scheduler, Values

#: Elements along both sides of a tile.
SIDE = 32

#: Where something begins, and how much of it there is: along the rows of the map, and in them.
Pair = tuple[SSAValue, SSAValue]


def transposed_map(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    """Build a map in tiles, if an operand of it lies across."""
    dimension = transposed_dimension(op) if frame.lanes == 1 else None
    if dimension is None:
        return False
    _Tiles(scheduler, op, dimension).build(frame)
    return True


class _Tiles:
    """A map that is cut into tiles along its last index and another one."""

    def __init__(self, scheduler: Scheduler, op: MapOp, dimension: int) -> None:
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.dimension = dimension
        self.across, self.last = op.indices[dimension], op.indices[-1]
        self.loads = staged_loads(op, dimension)
        #: Elements along both sides of what is transposed in registers.
        self.square = min(scheduler.width, SIDE)
        self.is_light = scheduler.is_light(op.block)

    def build(self, frame: Frame) -> None:
        """Build the loops over tiles; those over all other indices are outside of them."""
        weaver, op = self.weaver, self.op
        extents = [weaver.scalar(extent, frame) for extent in op.operands]
        last, across = extents.pop(), extents.pop(self.dimension)
        others = [index for index in op.indices if index not in (self.across, self.last)]
        side = weaver.index(SIDE)

        def leaf(inner: Frame, _: Values) -> Values:
            def rows(row: SSAValue) -> None:
                height = self._size(across, row)

                def columns(column: SSAValue) -> None:
                    width = self._size(last, column)
                    self._tile((row, column), (height, width), inner)

                loop(weaver, (weaver.index(0), last, side), columns)

            loop(weaver, (weaver.index(0), across, side), rows)
            return ()

        self.scheduler.nest(others, extents, frame, leaf)

    def _size(self, extent: SSAValue, start: SSAValue) -> SSAValue:
        weaver = self.weaver
        left = weaver.compute(arith.SubiOp, extent, start)
        return weaver.compute(arith.MinSIOp, left, weaver.index(SIDE))

    def _tile(self, starts: Pair, sizes: Pair, frame: Frame) -> None:
        """Run the map on a tile: at once on a whole one with next to no arithmetic."""
        weaver, side = self.weaver, self.weaver.index(SIDE)
        is_whole = weaver.compute(
            arith.AndIOp, *[weaver.compare("eq", size, side) for size in sizes]
        )

        def kept() -> Values:
            self._through_tables(starts, sizes, is_whole, frame)
            return ()

        def at_once() -> Values:
            self._each_square(
                lambda row, column: self._square_at_once(starts, (row, column), frame)
            )
            return ()

        if self.is_light:
            weaver.branch(is_whole, at_once, kept)
        else:
            kept()

    def _each_square(self, build: Callable[[SSAValue, SSAValue], None]) -> None:
        """Build `build(row, column)` for the squares of a tile, along rows of what is read."""
        weaver = self.weaver
        bounds = (weaver.index(0), weaver.index(SIDE), weaver.index(self.square))

        def along(column: SSAValue) -> None:
            loop(weaver, bounds, lambda row: build(row, column))

        loop(weaver, bounds, along)

    def _transposed(self, load: LoadOp, starts: Pair, at: Pair, frame: Frame) -> Values:
        """Read a square of an operand; return what its columns are."""
        weaver, rows = self.weaver, list[SSAValue]()
        begin = weaver.compute(arith.AddiOp, starts[0], at[0])
        for number in range(self.square):
            inner = frame.inner(self.square)
            place = weaver.compute(arith.AddiOp, starts[1], at[1])
            inner.scalars[self.last] = weaver.compute(arith.AddiOp, place, weaver.index(number))
            inner.bases[self.across] = begin
            rows.append(weaver.add(lane_access(weaver, load, inner)(None)))
        columns = TransposeOp.make(rows)
        append(weaver.block, columns)
        return columns.results

    def _square_at_once(self, starts: Pair, at: Pair, frame: Frame) -> None:
        """Transpose a square of each operand, and run the map on its rows."""
        weaver = self.weaver
        found = [(load, self._transposed(load, starts, at, frame)) for load in self.loads]
        place = weaver.compute(arith.AddiOp, starts[0], at[0])
        for number in range(self.square):
            inner = frame.inner(self.square)
            inner.scalars[self.across] = weaver.compute(arith.AddiOp, place, weaver.index(number))
            inner.enter(self.last, weaver.compute(arith.AddiOp, starts[1], at[1]))
            values = {load: columns[number] for load, columns in found}
            self._points(inner, lambda load, known=values: known[load])

    def _points(self, frame: Frame, read: Callable[[LoadOp], SSAValue]) -> None:
        """Run the map's body, where what lies across is read in another way."""
        for item in list(self.op.block.ops)[:-1]:
            if isinstance(item, LoadOp) and item in self.loads:
                frame.bind(item.results[0], read(item))
            else:
                self.scheduler.translate(item, frame)

    def _through_tables(self, starts: Pair, sizes: Pair, is_whole: SSAValue, frame: Frame) -> None:
        """Copy what lies across into tables, transposed, then run the map row by row."""
        weaver, scheduler = self.weaver, self.scheduler
        staged = {load: self._stage(load, starts, sizes, is_whole, frame) for load in self.loads}

        def row(number: SSAValue) -> None:
            inner = frame.inner()
            inner.scalars[self.across] = weaver.compute(arith.AddiOp, starts[0], number)

            def points(lanes: Frame, first: SSAValue) -> None:
                def read(load: LoadOp) -> SSAValue:
                    table = staged[load]
                    element = buffer_type_of(table).element
                    kind = element if lanes.lanes == 1 else vector_of(element, lanes.lanes)
                    return weaver.add(LoadOp.make(table, [number, first], kind, lanes.mask))

                lanes.enter(self.last, weaver.compute(arith.AddiOp, starts[1], first))
                self._points(lanes, read)

            scheduler.in_lanes(sizes[1], inner, scheduler.lanes_of_map(self.op.block), points)

        loop(weaver, (weaver.index(0), sizes[0], weaver.index(1)), row)

    def _stage(
        self, load: LoadOp, starts: Pair, sizes: Pair, is_whole: SSAValue, frame: Frame
    ) -> SSAValue:
        """Copy a tile, transposed; a part of one element by element."""
        weaver = self.weaver
        element = buffer_type_of(load.buffer).element
        table = weaver.add(AllocOp.make((SIDE, SIDE), BufferType.get(element, (SIDE, 1), PRIVATE)))

        def square(row: SSAValue, column: SSAValue) -> None:
            columns = self._transposed(load, starts, (row, column), frame)
            for number, value in enumerate(columns):
                place = weaver.compute(arith.AddiOp, row, weaver.index(number))
                append(weaver.block, StoreOp.make(value, table, [place, column]))

        def whole() -> Values:
            self._each_square(square)
            return ()

        def part() -> Values:
            rows, columns = [(weaver.index(0), size, weaver.index(1)) for size in sizes]

            def single(row: SSAValue, column: SSAValue) -> None:
                inner = frame.inner()
                inner.scalars[self.across] = weaver.compute(arith.AddiOp, starts[0], row)
                inner.scalars[self.last] = weaver.compute(arith.AddiOp, starts[1], column)
                value = weaver.add(lane_access(weaver, load, inner)(None))
                append(weaver.block, StoreOp.make(value, table, [row, column]))

            def along(column: SSAValue) -> None:
                loop(weaver, rows, lambda row: single(row, column))

            loop(weaver, columns, along)
            return ()

        if self.is_light:  # a whole tile is not staged
            part()
        else:
            weaver.branch(is_whole, whole, part)
        return table
