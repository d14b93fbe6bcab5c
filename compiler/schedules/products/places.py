"""Which rows of results does a tile have? Their numbers, and the indices that these stand for.

Rows may be several indices (the places of an image), which are counted as one and found again by
division. Rows over the edge are the last one again, so that a tile needs no masks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.records import record
from ..lanes import Frame, Weaver
from ..scheduler import Values


@record
class RowsOfTile:
    """The number of the first row of a tile, and the indices of each."""

    first: SSAValue
    indices: tuple[Mapping[SSAValue, SSAValue], ...]

    def frames(self, outer: Frame) -> list[Frame]:
        """Return a frame for each row, for some columns of it."""
        found = [outer.inner() for _ in self.indices]
        for row, indices in zip(found, self.indices, strict=True):
            row.scalars |= indices
        return found


class RowPlaces:
    """Rows along some indices, which are counted as one."""

    def __init__(
        self,
        weaver: Weaver,
        rows: Sequence[SSAValue],
        extents: Values,
        firsts: Values,
        count: SSAValue,
    ) -> None:
        """Prepare for rows of these extents, in each dimension from a first one on, or from 0."""
        self.weaver, self.rows, self.extents = weaver, rows, extents
        self.firsts, self.count = firsts, count

    def of_tile(self, first: SSAValue, height: int) -> RowsOfTile:
        """Return so many rows from one on."""
        weaver, last = self.weaver, self.last()
        rows: list[Mapping[SSAValue, SSAValue]] = []
        for number in range(height):
            frame, row = Frame(), first
            if number:
                row = weaver.compute(arith.AddiOp, first, weaver.index(number))
                row = weaver.compute(arith.MinSIOp, row, last)
            self.enter(frame, row)
            rows.append(frame.scalars)
        return RowsOfTile(first, tuple(rows))

    def end_of_tiles(self, first: SSAValue, end: SSAValue, height: int) -> SSAValue:
        """Return the end of the rows in whole tiles: half of one that is left, or less, is none."""
        weaver = self.weaver
        count = weaver.compute(arith.SubiOp, end, first)
        left = weaver.compute(arith.RemUIOp, count, weaver.index(height))
        is_half = weaver.compare("sle", left, weaver.index(height // 2))
        return weaver.choose(is_half, weaver.compute(arith.SubiOp, end, left), end)

    def last(self) -> SSAValue:
        """Return the number of the last row of all."""
        return self.weaver.compute(arith.SubiOp, self.count, self.weaver.index(1))

    def enter_last(self, frame: Frame, number: SSAValue) -> None:
        """Set the indices of rows to those of one row; over the edge, to those of the last one."""
        self.enter(frame, self.weaver.compute(arith.MinSIOp, number, self.last()))

    def enter(self, frame: Frame, number: SSAValue) -> None:
        """Set the indices of rows to those of one row, by its number among all."""
        if not self.rows:
            return
        weaver = self.weaver
        for at in reversed(range(1, len(self.rows))):
            extent = self.extents[at]
            own = weaver.compute(arith.RemUIOp, number, extent)
            frame.scalars[self.rows[at]] = self.moved(own, at)
            number = weaver.compute(arith.DivUIOp, number, extent)
        frame.scalars[self.rows[0]] = self.moved(number)

    def moved(self, number: SSAValue, at: int = 0) -> SSAValue:
        """Return the index of a row in a dimension, of which so many are before it."""
        if not self.firsts:
            return number
        return self.weaver.compute(arith.AddiOp, number, self.firsts[at])
