"""How does a map run where an operand lies across the others, as in `x.T + y`?

In squares, whose rows are lines of the cache: they are read along what lies across, transposed in
registers, and the map runs on them. At the ends squares begin earlier, and some elements are
computed twice. With much arithmetic, whose code would be repeated for each row of a square, and
where sides are shorter than a square, what lies across is copied into a table, in which it lies as
the others do.

Rows that are pages apart share one set of the nearest cache, which has no room for sixteen of them.
Then all goes through a table, which is filled along rows of one side and emptied along rows of the
other, several lines at a time. A copy of 1024 x 1024 floats takes 115 us then, and a plain one 76;
square by square it takes twice as long. What is larger than the caches goes through a table, too,
and past them from there (`whole_lines.py`): 2048 x 2048 floats 1030 us -> 530, a plain copy 430.

Of a few rows (an image of three channels) a square is mostly empty: elements of 32 bits or more go
one by one, piece by piece of a row, and what is written stays in the nearest cache meanwhile. 3 x
224 x 224 floats become channels last in 26 us, and took 99 in tables. A map that divides stays in
tables: a vector of quotients takes no longer than one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects import arith, math
from xdsl.ir import SSAValue

from ....dialects.kernel.arithmetic import FmodOp
from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.lines import LINE
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.prefetch import SECOND, PrefetchOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.making import append
from ...analysis.transposed_loads import staged_loads, transposed_dimension
from ..lanes import Frame, lane_access
from ..products.panels import loop
from ..products.sums_in_results import bits_of
from ..scheduler import Scheduler, Values
from .whole_lines import WholeLines, row_store

#: How many bytes apart lines are that share a set of the nearest cache.
PAGE = 4096
#: Of a square there are no more rows.
ROWS = 32
#: Lines of a row of a table, and rows of a table.
RUN, HEIGHT = 8, 64

#: Where there are no more rows than this part of a square has, it would be mostly empty.
FEW = 4
#: Elements of a line that are copied before those of the next, and how many at once.
PIECE, UNROLLED = 256, 8

#: Where something begins, and how much of it there is: along the rows of the map, and in them.
Pair = tuple[SSAValue, SSAValue]


def transposed_map(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    """Build a map in tiles, if an operand of it lies across."""
    dimension = transposed_dimension(op) if frame.lanes == 1 else None
    if dimension is None:
        return False
    _Tiles(scheduler, op, dimension).build(frame)
    return True


def _reads_what_it_writes(op: MapOp) -> bool:
    written = {item.buffer for item in op.block.ops if isinstance(item, StoreOp)}
    return any(isinstance(item, LoadOp) and item.buffer in written for item in op.block.ops)


#: What takes as long for an element as for a vector of them.
_SLOW = (
    *(arith.DivfOp, arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp),
    *(FmodOp, math.SqrtOp),
)
#: Bits of an element that scalar code moves as fast as others.
_USUAL_BITS = 32


def _takes_element_by_element(op: MapOp) -> bool:
    """Whether a map takes no longer for each element than its memory does."""
    return _has_usual_bits(op) and not any(isinstance(item, _SLOW) for item in op.block.walk())


def _has_usual_bits(op: MapOp) -> bool:
    moved = [item.buffer for item in op.block.walk() if isinstance(item, LoadOp | StoreOp)]
    return all(bits_of(buffer_type_of(buffer).element) >= _USUAL_BITS for buffer in moved)


class _Tiles:
    """A map that is cut into tiles along its last index and another one."""

    def __init__(self, scheduler: Scheduler, op: MapOp, dimension: int) -> None:
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.dimension = dimension
        self.across, self.last = op.indices[dimension], op.indices[-1]
        self.loads = staged_loads(op, dimension)
        #: Whether little is computed for an element, and it may be computed twice.
        self.is_light = scheduler.is_light(op.block) and not _reads_what_it_writes(op)
        self.is_quick = self.is_light and _takes_element_by_element(op)
        #: Rows that are read for what is transposed in registers, and lanes of each.
        in_line = LINE * 8 * scheduler.width // scheduler.vector_bits
        self.square, self.lanes = min(in_line, ROWS), min(scheduler.width, ROWS)
        #: Rows of a table, and elements of each.
        self.table = min(HEIGHT, 4 * self.square), RUN * self.square
        self.lines = self._whole_lines() if self.is_light else None

    def build(self, frame: Frame) -> None:
        """Build the loops over tiles; those over all other indices are outside of them."""
        weaver, op = self.weaver, self.op
        extents = [weaver.scalar(extent, frame) for extent in op.operands]
        last, across = extents.pop(), extents.pop(self.dimension)
        others = [index for index in op.indices if index not in (self.across, self.last)]
        square = weaver.index(self.square)
        is_small = weaver.compare("slt", weaver.compute(arith.MinSIOp, across, last), square)
        in_tables = self._share_sets(frame, is_small)
        shorter = weaver.compute(arith.MinSIOp, across, last)
        are_few = weaver.compare("sle", shorter, weaver.index(self.square // FEW))

        def leaf(inner: Frame, _: Values) -> Values:
            if not self.is_light:
                height = weaver.choose(in_tables, weaver.index(self.table[0]), square)
                return self._by_tables((across, last), height, inner)

            def in_tiles() -> Values:
                goes_there = in_tables
                if self.lines is not None:
                    is_beyond = self.lines.prepare(self.loads[0], self.dimension, inner)
                    goes_there = weaver.compute(arith.OrIOp, in_tables, is_beyond)
                return weaver.branch(
                    goes_there,
                    lambda: self._by_tables((across, last), weaver.index(self.table[0]), inner),
                    lambda: self._by_squares((across, last), inner),
                )

            if not self.is_quick:
                return in_tiles()
            one_by_one = partial(self._by_elements, (across, last), inner)
            return weaver.branch(are_few, one_by_one, in_tiles)

        self.scheduler.nest(others, extents, frame, leaf)

    def _whole_lines(self) -> WholeLines | None:
        """Return what writes rows of tables past the caches, if a table has room for it.

        Beside an operand that lies along, squares take less time, and elements of 16 bits, too.
        """
        store, width = row_store(self.op), self.table[1]
        has_others = any(
            isinstance(item, LoadOp) and item not in self.loads for item in self.op.block.walk()
        )
        if store is None or has_others or not _has_usual_bits(self.op):
            return None
        lines = WholeLines(self.scheduler, self.op, store, width)
        return lines if 4 * lines.line <= width else None

    def _by_elements(self, sizes: Pair, frame: Frame) -> Values:
        """Run the map element by element: line by line of some memory, which stays in a cache."""
        weaver, indices = self.weaver, (self.across, self.last)

        def along(long: int) -> Values:
            zero, one, extent = weaver.index(0), weaver.index(1), sizes[long]

            def at(place: SSAValue, row: SSAValue, count: int) -> None:
                for number in range(count):
                    inner = frame.inner()
                    step = weaver.index(number)
                    inner.scalars[indices[1 - long]] = row
                    inner.scalars[indices[long]] = weaver.compute(arith.AddiOp, place, step)
                    self.scheduler.body(self.op.block, inner)

            def piece(start: SSAValue) -> None:
                count = self._size(extent, start, weaver.index(PIECE))
                rest = weaver.compute(arith.AndIOp, count, weaver.index(UNROLLED - 1))
                stop = weaver.compute(arith.AddiOp, start, count)
                whole = weaver.compute(arith.SubiOp, stop, rest)

                def row(number: SSAValue) -> None:
                    bounds = start, whole, weaver.index(UNROLLED)
                    loop(weaver, bounds, lambda place: at(place, number, UNROLLED))
                    loop(weaver, (whole, stop, one), lambda place: at(place, number, 1))

                loop(weaver, (zero, sizes[1 - long], one), row)

            loop(weaver, (zero, extent, weaver.index(PIECE)), piece)
            return ()

        is_last = weaver.compare("slt", *sizes)
        return weaver.branch(is_last, lambda: along(1), lambda: along(0))

    def _by_tables(self, extents: Pair, height: SSAValue, frame: Frame) -> Values:
        """Run the map tile by tile."""
        weaver, zero, width = self.weaver, self.weaver.index(0), self.weaver.index(self.table[1])
        self.end = weaver.compute(arith.SubiOp, extents[1], weaver.index(1))
        most = width if self.lines is None else self._moved(width, self.lines.overlap)

        def rows(row: SSAValue) -> None:
            high = self._size(extents[0], row, height)

            def columns(column: SSAValue) -> None:
                wide = self._size(extents[1], column, most)
                self._through_tables((row, column), (high, wide), frame)

            loop(weaver, (zero, extents[1], width), columns)

        loop(weaver, (zero, extents[0], height), rows)
        return ()

    def _by_squares(self, sizes: Pair, frame: Frame) -> Values:
        """Run the map on squares, along rows of what is written, line by line of it."""
        weaver, zero, side = self.weaver, self.weaver.index(0), self.weaver.index(self.square)
        above, before = [weaver.compute(arith.SubiOp, size, side) for size in sizes]

        def rows(row: SSAValue) -> None:
            row = weaver.compute(arith.MinSIOp, row, above)

            def columns(column: SSAValue) -> None:
                column = weaver.compute(arith.MinSIOp, column, before)
                for part in range(0, self.square, self.lanes):
                    start = weaver.compute(arith.AddiOp, row, weaver.index(part)) if part else row
                    self._square_at_once((start, column), frame)

            loop(weaver, (zero, sizes[1], side), columns)

        loop(weaver, (zero, sizes[0], side), rows)
        return ()

    def _share_sets(self, frame: Frame, found: SSAValue) -> SSAValue:
        """Return whether rows of memory are whole pages apart, or something else is found."""
        weaver = self.weaver
        sides = [(load.buffer, len(self.op.indices) - 1) for load in self.loads]
        for store in self.op.block.ops:
            if isinstance(store, StoreOp) and self.across in store.indices:
                sides.append((store.buffer, list(store.indices).index(self.across)))
        for buffer, along in sides:
            bits: int = getattr(buffer_type_of(buffer).element, "bitwidth", 8)
            stride = weaver.add(StrideOp.make(weaver.scalar(buffer, frame), along))
            rest = weaver.compute(arith.AndIOp, stride, weaver.index(PAGE // max(bits // 8, 1) - 1))
            is_whole = weaver.compare("eq", rest, weaver.index(0))
            found = weaver.compute(arith.OrIOp, found, is_whole)
        return found

    def _moved(self, place: SSAValue, by: SSAValue) -> SSAValue:
        return self.weaver.compute(arith.AddiOp, place, by)

    def _size(self, extent: SSAValue, start: SSAValue, most: SSAValue) -> SSAValue:
        weaver = self.weaver
        return weaver.compute(arith.MinSIOp, weaver.compute(arith.SubiOp, extent, start), most)

    def _transposed(
        self, load: LoadOp, start: Pair, frame: Frame, mask: SSAValue | None = None
    ) -> Values:
        """Read a square of an operand, with a mask a part of one; return what its columns are."""
        weaver, rows = self.weaver, list[SSAValue]()
        for number in range(self.square):
            inner = frame.inner(self.lanes, mask)
            row = (
                weaver.compute(arith.AddiOp, start[1], weaver.index(number)) if number else start[1]
            )
            if mask is not None:  # no row behind the last one is looked at
                row = weaver.compute(arith.MinSIOp, row, self.end)
            inner.scalars[self.last] = row
            inner.bases[self.across] = start[0]
            rows.append(weaver.add(lane_access(weaver, load, inner)(mask)))
        columns = TransposeOp.make(rows)
        append(weaver.block, columns)
        return columns.results

    def _square_at_once(self, start: Pair, frame: Frame) -> None:
        """Transpose a square of each operand, and run the map on its rows."""
        weaver = self.weaver
        found = [(load, self._transposed(load, start, frame)) for load in self.loads]
        for number in range(self.lanes):
            inner = frame.inner(self.square)
            inner.scalars[self.across] = weaver.compute(
                arith.AddiOp, start[0], weaver.index(number)
            )
            inner.enter(self.last, start[1])
            values = {load: columns[number] for load, columns in found}
            self._points(inner, lambda load, known=values: known[load])

    def _points(self, frame: Frame, read: Callable[[LoadOp], SSAValue]) -> None:
        """Run the map's body, where what lies across is read in another way."""
        for item in list(self.op.block.ops)[:-1]:
            if isinstance(item, LoadOp) and item in self.loads:
                frame.bind(item.results[0], read(item))
            elif not (
                self.lines is not None
                and isinstance(item, StoreOp)
                and self.lines.translate(item, frame)
            ):
                self.scheduler.translate(item, frame)

    def _through_tables(self, starts: Pair, sizes: Pair, frame: Frame) -> None:
        """Copy what lies across into tables, transposed, then run the map row by row."""
        weaver, scheduler = self.weaver, self.scheduler
        staged = {load: self._stage(load, starts, sizes, frame) for load in self.loads}

        high, wide = map(weaver.index, self.table)
        following = weaver.compute(arith.AddiOp, starts[1], wide)
        has_next = weaver.compute(
            arith.AndIOp,
            weaver.compare("sle", following, self.end),
            weaver.compare("eq", sizes[0], high),
        )

        def row(number: SSAValue) -> None:
            def ask() -> Values:
                for load in self.loads:
                    self._ask_ahead(load, (starts[0], following), number, frame)
                return ()

            weaver.branch(has_next, ask)
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

            if self.lines is None:
                lanes = scheduler.lanes_of_map(self.op.block)
                scheduler.in_lanes(sizes[1], inner, lanes, points)
            else:
                self.lines.row(starts[1], sizes[1], inner, points)

        loop(weaver, (weaver.index(0), sizes[0], weaver.index(1)), row)

    def _ask_ahead(self, load: LoadOp, starts: Pair, number: SSAValue, frame: Frame) -> None:
        """Ask for what the next tile is made of, some rows of it with each row of this one."""
        weaver, (height, width) = self.weaver, self.table
        each = width // height
        first = weaver.compute(arith.MuliOp, number, weaver.index(each))
        first = weaver.compute(arith.AddiOp, starts[1], first)
        if self.lines is not None:
            first = self._moved(first, self.lines.overlap)
        for shift in range(each):
            inner = frame.inner()
            row = weaver.compute(arith.AddiOp, first, weaver.index(shift)) if shift else first
            inner.scalars[self.last] = weaver.compute(arith.MinSIOp, row, self.end)
            for line in range(0, height, self.square):
                inner.scalars[self.across] = weaver.compute(
                    arith.AddiOp, starts[0], weaver.index(line)
                )
                buffer = weaver.scalar(load.buffer, inner)
                indices, _ = weaver.place(buffer, load.indices, inner)
                append(weaver.block, PrefetchOp.make(buffer, indices, SECOND))

    def _stage(self, load: LoadOp, starts: Pair, sizes: Pair, frame: Frame) -> SSAValue:
        """Copy a tile, transposed, along rows of what is read."""
        weaver, zero = self.weaver, self.weaver.index(0)
        element = buffer_type_of(load.buffer).element
        height, width = self.table
        width += 0 if self.lines is None else self.lines.line
        kind = BufferType.get(element, (width, 1), PRIVATE)
        table = weaver.add(AllocOp.make((height, width), kind))
        sides = weaver.index(self.lanes), weaver.index(self.square)

        def each(steps: Pair, build: Callable[[SSAValue, SSAValue], None]) -> Values:
            def along(column: SSAValue) -> None:
                loop(weaver, (zero, sizes[0], steps[0]), lambda row: build(row, column))

            loop(weaver, (zero, sizes[1], steps[1]), along)
            return ()

        def square(row: SSAValue, column: SSAValue, mask: SSAValue | None = None) -> None:
            places = zip(starts, (row, column), strict=True)
            start, first = [weaver.compute(arith.AddiOp, *place) for place in places]
            found = self._transposed(load, (start, first), frame, mask)
            for number, value in enumerate(found):
                place = weaver.compute(arith.AddiOp, row, weaver.index(number))
                append(weaver.block, StoreOp.make(value, table, [place, column]))

        def whole(row: SSAValue, column: SSAValue) -> None:
            ends = [weaver.compute(arith.SubiOp, *pair) for pair in zip(sizes, sides, strict=True)]
            square(
                weaver.compute(arith.MinSIOp, row, ends[0]),
                weaver.compute(arith.MinSIOp, column, ends[1]),
            )

        def part(row: SSAValue, column: SSAValue) -> None:
            count = weaver.compute(arith.SubiOp, sizes[0], row)
            square(row, column, weaver.add(MaskOp.make(count, self.lanes)))

        def single(row: SSAValue, column: SSAValue) -> None:
            inner = frame.inner()
            inner.scalars[self.across] = weaver.compute(arith.AddiOp, starts[0], row)
            inner.scalars[self.last] = weaver.compute(arith.AddiOp, starts[1], column)
            value = weaver.add(lane_access(weaver, load, inner)(None))
            append(weaver.block, StoreOp.make(value, table, [row, column]))

        has_squares = weaver.compute(
            arith.AndIOp,
            *[weaver.compare("sge", *pair) for pair in zip(sizes, sides, strict=True)],
        )
        one = weaver.index(1)
        weaver.branch(
            has_squares,
            lambda: each(sides, whole),
            lambda: each((one, one), single) if self.scheduler.narrow else each(sides, part),
        )
        return table
