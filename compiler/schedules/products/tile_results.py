"""How do the sums of a tile get to memory, and back where they go on?

Its lanes are columns. Where these are neighbours in memory, each row is stored as it is. The
channels of an image that are planes lie far apart, and places, which are the rows, are neighbours:
lane by lane a tile of 8 x 32 takes an eighth of the time of its products. So it is transposed in
registers, where its rows lie side by side in the result: within a line of the image, or across its
end, if lines follow one another. That is asked for each tile, for code knows no sizes. Columns of
six are stored under a mask, as vectors have a power of two of lanes. The rest, such as a tile over
the edge, goes through memory of the kernel's own, element by element. So do squares of a tile for
OpenCL: where compilers see all sums in registers behind their products, they keep some in memory
inside (1.7 ms for 0.93).

What is computed from finished sums is computed on the way to the result: on rows, on columns, or
on elements. For a column that goes across the end of a line, what is read must lie as the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.making import append
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..scheduler import Values
from .panels import Piece, loop
from .sums_in_results import SumsInResult

#: Sets the indices of rows in a frame to those of a row, by its number.
Enter = Callable[[Frame, SSAValue], None]


class TileResults:
    """Where the rows of tiles are stored."""

    def __init__(
        self,
        sums: SumsInResult,
        rows: Sequence[SSAValue],
        extents: Values,
        enter: Enter,
        *,
        finishes: bool,
    ) -> None:
        """Prepare for rows along several indices, with their sizes.

        What is computed from finished sums may be left to others.
        """
        self.sums, self.weaver, self.store = sums, sums.weaver, sums.store
        self.rows, self.extents, self.enter, self.finishes = rows, extents, enter, finishes
        self.buffer, type_ = self.store.buffer, buffer_type_of(self.store.buffer)
        #: The type of sums that are not finished.
        self.element = sums.reduction.results[0].type
        places = {index: number for number, index in enumerate(self.store.indices)}
        last = places.get(rows[-1]) if rows else None
        is_across = (
            last is not None and type_.strides[last] == 1 != type_.strides[places[sums.lanes]]
        )
        #: The dimension of the result in which rows are neighbours, and the one of lines.
        can_choose = sums.scheduler.can_transpose and sums.scheduler.can_ask_strides
        self.last = last if is_across and can_choose else None
        self.line = places.get(rows[-2]) if len(rows) > 1 else None
        self.memory: SSAValue | None = None
        #: Lanes of a column of a tile that is transposed: a power of two.
        self.side = 1
        self.are_in_registers = sums.scheduler.can_transpose_tiles
        reads = [item for item in sums.epilogue if isinstance(item, LoadOp)]
        #: What an epilogue reads along rows.
        self.read = [load for load in reads if any(reads_along(load, row) for row in rows)]

    def reserve(self, height: int, width: int) -> None:
        """Reserve memory for a tile, if one is not stored as it is."""
        self.side = 1 << (height - 1).bit_length()
        is_square = self.side == height or self.are_in_registers
        if self.last is not None and is_square and not width % self.side:
            kind = BufferType.get(self.element, (width, 1), PRIVATE)
            self.memory = self.weaver.add(AllocOp.make([height, width], kind))

    def load(self, tile: Sequence[Frame], first: SSAValue, piece: Piece) -> Values:
        """Return the sums so far of the rows of a tile, from the first one on."""
        if self.memory is None:
            return [self.sums.load(row) for row in tile]

        def by_column() -> Values:
            if self.are_in_registers:
                columns = self._columns(tile, self.weaver.index(0), tile[0].lanes)
                return self._transposed(columns)[: len(tile)]
            self._squares(tile, piece, square)
            return self._got(tile)

        def square(column: SSAValue) -> None:
            rows = self._transposed(self._columns(tile, column, len(tile)))
            self._put(rows, column)

        def by_element() -> Values:
            self._each(tile, first, piece, is_store=False)
            return self._got(tile)

        if piece.frame.mask is not None:
            return by_element()
        return self.weaver.branch(self._are_neighbours(tile), by_column, by_element)

    def keep(
        self,
        tile: Sequence[Frame],
        totals: Values,
        first: SSAValue,
        piece: Piece,
        is_last: SSAValue | None,
    ) -> None:
        """Store the sums of the rows of a tile; those that are finished if it is the last piece.

        None: there is one piece.
        """
        if self.memory is None:
            values = self._finished(tile.__getitem__, totals, is_last)
            for row, value in zip(tile, values, strict=True):
                self.sums.keep(row, value)
            return

        def by_column() -> Values:
            if self.are_in_registers:
                rows = [*totals, *[totals[-1]] * (self.side - len(tile))]
                self._store_columns(tile, self.weaver.index(0), self._transposed(rows), is_last)
                return ()
            self._put(totals)
            self._squares(tile, piece, square)
            return ()

        def square(column: SSAValue) -> None:
            columns = self._transposed(self._got(tile, column, len(tile)))
            self._store_columns(tile, column, columns, is_last)

        def by_element() -> Values:
            self._put(totals)
            self._each(tile, first, piece, is_store=True, is_last=is_last)
            return ()

        if piece.frame.mask is not None:
            by_element()
        else:
            self.weaver.branch(self._are_neighbours(tile), by_column, by_element)

    def _squares(
        self, tile: Sequence[Frame], piece: Piece, square: Callable[[SSAValue], None]
    ) -> None:
        """Build a loop over the squares of a tile, which are at a column.

        It is a loop, though their number is known: with straight code a compiler would see all sums
        in registers again.
        """
        width = self._columns_of(tile, piece)
        loop(self.weaver, (self.weaver.index(0), width, self.weaver.index(len(tile))), square)

    def _put(self, rows: Values, column: SSAValue | None = None) -> None:
        """Store rows to memory of the kernel's own, from a column on."""
        weaver = self.weaver
        for number, row in enumerate(rows):
            place = weaver.index(number), weaver.index(0) if column is None else column
            append(weaver.block, StoreOp.make(row, self._own(), place))

    def _got(
        self, tile: Sequence[Frame], column: SSAValue | None = None, width: int | None = None
    ) -> Values:
        """Return rows of memory of the kernel's own, or some columns of them."""
        weaver = self.weaver
        kind = vector_of(self.element, tile[0].lanes if width is None else width)
        column = weaver.index(0) if column is None else column
        places = [(weaver.index(number), column) for number in range(len(tile))]
        return [weaver.add(LoadOp.make(self._own(), place, kind)) for place in places]

    def _own(self) -> SSAValue:
        assert self.memory is not None
        return self.memory

    def _columns(self, tile: Sequence[Frame], first: SSAValue, count: int) -> Values:
        """Return so many columns of the result, from one on."""
        weaver, mask = self.weaver, self._mask_of_a_column(tile)
        kind, buffer = vector_of(self.element, self.side), weaver.scalar(self.buffer, tile[0])
        places = [self._place(tile[0], number) for number in self._numbers(first, count)]
        return [
            weaver.add(LoadOp.make(buffer, at, kind, mask=mask, along=self.last)) for at in places
        ]

    def _store_columns(
        self, tile: Sequence[Frame], first: SSAValue, columns: Values, is_last: SSAValue | None
    ) -> None:
        """Store columns of the result, from one on."""
        weaver, numbers = self.weaver, self._numbers(first, len(columns))
        mask = self._mask_of_a_column(tile)
        buffer = weaver.scalar(self.buffer, tile[0])
        values = self._finished(
            lambda number: self._column(tile, numbers[number], mask), columns, is_last
        )
        for number, value in zip(numbers, values, strict=True):
            place = self._place(tile[0], number)
            append(weaver.block, StoreOp.make(value, buffer, place, mask=mask, along=self.last))

    def _columns_of(self, tile: Sequence[Frame], piece: Piece) -> SSAValue:
        """Return how many columns a tile has."""
        weaver = self.weaver
        left = weaver.compute(arith.SubiOp, piece.across, piece.column)
        return weaver.compute(arith.MinSIOp, left, weaver.index(tile[0].lanes))

    def _numbers(self, first: SSAValue, count: int) -> Values:
        """Return so many numbers from one on."""
        weaver = self.weaver
        return [
            weaver.compute(arith.AddiOp, first, weaver.index(more)) if more else first
            for more in range(count)
        ]

    def _transposed(self, rows: Values) -> Values:
        """Return the columns of rows."""
        transposed = TransposeOp.make(rows)
        append(self.weaver.block, transposed)
        return transposed.results

    def _finished(
        self, frame_of: Callable[[int], Frame], totals: Values, is_last: SSAValue | None
    ) -> Values:
        """Return what is stored of sums; there is a frame for the number of each."""
        if not self.finishes:
            return totals

        def finished() -> Values:
            numbered = enumerate(totals)
            return [self.sums.finish(frame_of(number), total) for number, total in numbered]

        if is_last is None:
            return finished()
        return self.weaver.branch(is_last, finished, lambda: totals)

    def _column(self, tile: Sequence[Frame], number: SSAValue, mask: SSAValue | None) -> Frame:
        """Return a frame whose lanes are the rows of a tile, for one of its columns."""
        weaver, lanes, outer = self.weaver, self.sums.lanes, tile[0]
        frame, row = Frame().inner(self.side, mask), self.rows[-1]
        frame.scalars = outer.scalars.copy()
        frame.scalars[lanes] = weaver.compute(arith.AddiOp, outer.bases[lanes], number)
        frame.enter(row, frame.scalars.pop(row))
        return frame

    def _mask_of_a_column(self, tile: Sequence[Frame]) -> SSAValue | None:
        """Return which lanes of a column are rows of the tile; None: all."""
        if len(tile) == self.side:
            return None
        return self.weaver.add(MaskOp.make(self.weaver.index(len(tile)), self.side))

    def _are_neighbours(self, tile: Sequence[Frame]) -> SSAValue:
        """Return whether the rows of a tile lie side by side."""
        weaver, height = self.weaver, self.weaver.index(len(tile))
        *_, width = self.extents
        first = weaver.scalar(self.rows[-1], tile[0])
        end = weaver.compute(arith.AddiOp, first, height)
        is_line = weaver.compare("sle", end, width)
        if self.line is None:
            return is_line
        line = weaver.scalar(self.rows[-2], tile[0])
        end = weaver.compute(arith.AddiOp, weaver.compute(arith.MuliOp, line, width), end)
        plane = weaver.compute(arith.MuliOp, self.extents[-2], width)
        is_plane = weaver.compare("sle", end, plane)
        for buffer, indices in [(each.buffer, each.indices) for each in (self.store, *self.read)]:
            if not self._has_rows_beside(buffer, indices):
                return is_line
            own, number = weaver.scalar(buffer, tile[0]), indices.index(self.rows[-2])
            stride = weaver.add(StrideOp.make(own, number))
            follow = weaver.compare("eq", stride, width)
            is_plane = weaver.compute(arith.AndIOp, is_plane, follow)
        return weaver.compute(arith.OrIOp, is_line, is_plane)

    def _has_rows_beside(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> bool:
        """Whether rows of a line are neighbours in memory."""
        if not all(row in indices for row in self.rows[-2:]):
            return False
        return buffer_type_of(buffer).strides[indices.index(self.rows[-1])] == 1

    def _place(self, row: Frame, lane: SSAValue) -> Sequence[SSAValue]:
        """Return the indices of a column in a row."""
        frame = self._element(row, lane)
        return [self.weaver.scalar(index, frame) for index in self.store.indices]

    def _element(self, row: Frame, lane: SSAValue) -> Frame:
        """Return a frame for one column of a row."""
        frame, lanes = Frame(), self.sums.lanes
        frame.scalars = row.scalars.copy()
        frame.scalars[lanes] = self.weaver.compute(arith.AddiOp, row.bases[lanes], lane)
        return frame

    def _each(
        self,
        tile: Sequence[Frame],
        first: SSAValue,
        piece: Piece,
        *,
        is_store: bool,
        is_last: SSAValue | None = None,
    ) -> None:
        """Move the elements of a tile to the result, or from there."""
        weaver, memory = self.weaver, self.memory
        assert memory is not None
        zero, one, buffer = weaver.index(0), weaver.index(1), weaver.scalar(self.buffer, tile[0])
        lanes = self._columns_of(tile, piece)

        def row(number: SSAValue) -> None:
            frame = tile[0].inner()
            self.enter(frame, weaver.compute(arith.AddiOp, first, number))

            def element(lane: SSAValue) -> None:
                places = (number, lane), self._place(frame, lane)
                ends = (memory, buffer) if is_store else (buffer, memory)
                source, target = places if is_store else reversed(places)
                value = weaver.add(LoadOp.make(ends[0], source))
                if is_store:
                    (value,) = self._finished(
                        lambda _: self._element(frame, lane), [value], is_last
                    )
                append(weaver.block, StoreOp.make(value, ends[1], target))

            loop(weaver, (zero, lanes, one), element)

        loop(weaver, (zero, weaver.index(len(tile)), one), row)
