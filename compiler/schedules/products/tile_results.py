"""How do the sums of a tile get to memory, and back where they go on?

Its lanes are columns. Where these are neighbours in memory, each row is stored as it is. The
channels of an image that are planes lie far apart, and places, which are the rows, are neighbours:
lane by lane a tile of 8 x 32 takes an eighth of the time of its products. So it is transposed in
registers, where its rows lie side by side in memory: within a line of the image, or across its end,
if lines follow one another. That is asked for each tile, for code knows no sizes. The rest, such as
a tile over the edge, goes through memory of the kernel's own, element by element.

What is computed from finished sums is computed on the way to the result: on rows, on columns, or
on elements. For a column that goes across the end of a line, what is read must lie as the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.dialects import arith
from xdsl.ir import SSAValue

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
        self, sums: SumsInResult, rows: Sequence[SSAValue], extents: Values, enter: Enter
    ) -> None:
        """Prepare for rows along several indices, with their sizes."""
        self.sums, self.weaver, self.store = sums, sums.weaver, sums.store
        self.rows, self.extents, self.enter = rows, extents, enter
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
        reads = [item for item in sums.epilogue if isinstance(item, LoadOp)]
        #: What an epilogue reads along rows.
        self.read = [load for load in reads if any(reads_along(load, row) for row in rows)]

    def reserve(self, height: int, width: int) -> None:
        """Reserve memory for a tile, if one is not stored as it is."""
        if self.last is not None and not height & (height - 1) and not width % height:
            kind = BufferType.get(self.element, (width, 1), PRIVATE)
            self.memory = self.weaver.add(AllocOp.make([height, width], kind))

    def load(self, tile: Sequence[Frame], first: SSAValue, piece: Piece) -> Values:
        """Return the sums so far of the rows of a tile, from the first one on."""
        if self.memory is None:
            return [self.sums.load(row) for row in tile]

        def by_element() -> Values:
            self._each(tile, first, piece, is_store=False)
            type_ = vector_of(self.element, tile[0].lanes)
            return [self.weaver.add(LoadOp.make(memory, at, type_)) for at in self._rows(tile)]

        memory = self.memory
        if piece.frame.mask is not None:
            return by_element()
        return self.weaver.branch(
            self._are_neighbours(tile), lambda: self._columns(tile), by_element
        )

    def keep(
        self,
        tile: Sequence[Frame],
        totals: Values,
        first: SSAValue,
        piece: Piece,
        is_last: SSAValue | bool,
    ) -> None:
        """Store the sums of the rows of a tile; those that are finished if it is the last piece."""
        if self.memory is None:
            values = self._finished(tile.__getitem__, totals, is_last)
            for row, value in zip(tile, values, strict=True):
                self.sums.keep(row, value)
            return

        def by_element() -> Values:
            for at, total in zip(self._rows(tile), totals, strict=True):
                append(self.weaver.block, StoreOp.make(total, memory, at))
            self._each(tile, first, piece, is_store=True, is_last=is_last)
            return ()

        def by_column() -> Values:
            columns = TransposeOp.make(totals)
            append(self.weaver.block, columns)
            buffer = self.weaver.scalar(self.buffer, tile[0])
            values = self._finished(partial(self._column, tile), columns.results, is_last)
            for number, value in enumerate(values):
                place = self._place(tile[0], self.weaver.index(number))
                append(self.weaver.block, StoreOp.make(value, buffer, place, along=self.last))
            return ()

        memory = self.memory
        if piece.frame.mask is not None:
            by_element()
            return
        self.weaver.branch(self._are_neighbours(tile), by_column, by_element)

    def _finished(
        self, frame_of: Callable[[int], Frame], totals: Values, is_last: SSAValue | bool
    ) -> Values:
        """Return what is stored of sums; there is a frame for the number of each."""
        if is_last is False:
            return totals

        def finished() -> Values:
            numbered = enumerate(totals)
            return [self.sums.finish(frame_of(number), total) for number, total in numbered]

        if is_last is True:
            return finished()
        return self.weaver.branch(is_last, finished, lambda: totals)

    def _column(self, tile: Sequence[Frame], number: int) -> Frame:
        """Return a frame whose lanes are the rows of a tile, for one of its columns."""
        weaver, lanes, outer = self.weaver, self.sums.lanes, tile[0]
        frame, row = Frame().inner(len(tile)), self.rows[-1]
        frame.scalars = outer.scalars.copy()
        frame.scalars[lanes] = weaver.compute(
            arith.AddiOp, outer.bases[lanes], weaver.index(number)
        )
        frame.enter(row, frame.scalars.pop(row))
        return frame

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

    def _columns(self, tile: Sequence[Frame]) -> Values:
        """Return the sums of rows that are neighbours."""
        weaver, buffer = self.weaver, self.weaver.scalar(self.buffer, tile[0])
        type_ = vector_of(self.element, len(tile))
        places = [self._place(tile[0], weaver.index(lane)) for lane in range(tile[0].lanes)]
        columns = [weaver.add(LoadOp.make(buffer, at, type_, along=self.last)) for at in places]
        rows = TransposeOp.make(columns)
        append(weaver.block, rows)
        return rows.results

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

    def _rows(self, tile: Sequence[Frame]) -> Sequence[tuple[SSAValue, SSAValue]]:
        """Return where the rows of a tile begin in memory of the kernel's own."""
        return [(self.weaver.index(number), self.weaver.index(0)) for number in range(len(tile))]

    def _each(
        self,
        tile: Sequence[Frame],
        first: SSAValue,
        piece: Piece,
        *,
        is_store: bool,
        is_last: SSAValue | bool = False,
    ) -> None:
        """Move the elements of a tile to the result, or from there."""
        weaver, memory = self.weaver, self.memory
        assert memory is not None
        zero, one, buffer = weaver.index(0), weaver.index(1), weaver.scalar(self.buffer, tile[0])
        left = weaver.compute(arith.SubiOp, piece.across, piece.column)
        lanes = weaver.compute(arith.MinSIOp, left, weaver.index(tile[0].lanes))

        def row(number: SSAValue) -> None:
            frame = tile[0].inner()
            self.enter(frame, weaver.compute(arith.AddiOp, first, number))

            def element(lane: SSAValue) -> None:
                places = (number, lane), self._place(frame, lane)
                ends = (memory, buffer) if is_store else (buffer, memory)
                source, target = places if is_store else reversed(places)
                value = weaver.add(LoadOp.make(ends[0], source))
                (value,) = self._finished(lambda _: self._element(frame, lane), [value], is_last)
                append(weaver.block, StoreOp.make(value, ends[1], target))

            loop(weaver, (zero, lanes, one), element)

        loop(weaver, (zero, weaver.index(len(tile)), one), row)
