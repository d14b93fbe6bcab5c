"""How does the other factor of a product get to tall tiles? Packed as they read it, tile by tile.

    for t in (0, tiles)                        of a block of rows
      for q in (0, depth)                      of a piece of k
        packed[t * depth + q, 0 .. height] = left[t * height .. , p + q]

A tile reads one line after the other, wherever its rows lie: rows whose distance is a power of two
share few sets of a cache, which a panel of the right factor fills. And it needs one address, so
that it may be taller than there are registers for addresses. It pays if many columns read it.

Neighbours of a row that lie side by side are transposed in squares; rows that do are copied. Rows
over the edge are the last one again.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of
from ....dialects.making import append
from ..lanes import Frame
from ..scheduler import Scheduler
from .panels import loop


class PackedTiles:
    """Memory for a piece of a block of rows, in tiles of some height, and what fills it."""

    def __init__(
        self, scheduler: Scheduler, load: LoadOp, row: SSAValue, element: SSAValue, height: int
    ) -> None:
        """Prepare for a load in a sum over one index, whose neighbours are elements or rows."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.load, self.row, self.element, self.height = load, row, element, height
        strides = buffer_type_of(load.buffer).strides
        along = [index for index, one in zip(load.indices, strides, strict=True) if one == 1]
        self.are_rows_near = along == [row]

    def reserve(self, depth: int, rows: int) -> None:
        """Reserve the memory for so many elements of so many rows, whole tiles."""
        kind = BufferType.get(buffer_type_of(self.load.buffer).element, (self.height, 1), PRIVATE)
        shape = [rows // self.height * depth, self.height]
        self.memory = self.weaver.add(AllocOp.make(shape, kind))

    def fill(
        self, rows: tuple[SSAValue, SSAValue], piece: tuple[SSAValue, SSAValue], outer: Frame
    ) -> None:
        """Copy rows from a first one to before an end, of a piece of k: its start, and how many."""
        weaver, (first, end) = self.weaver, rows
        last = weaver.compute(arith.SubiOp, end, weaver.index(1))
        self.first, (start, self.depth) = first, piece

        def tile(row: SSAValue) -> None:
            self._enter(row)
            if self.are_rows_near:
                beyond = weaver.compute(arith.AddiOp, row, weaver.index(self.height - 1))
                weaver.branch(
                    weaver.compare("sle", beyond, last),
                    lambda: self._copied(row, start, outer),
                    lambda: self._one_by_one(row, start, weaver.index(0), last, outer),
                )
                return
            self._transposed(row, start, last, outer)

        loop(weaver, (first, end, weaver.index(self.height)), tile)

    def of_rows(self, rows: Sequence[Frame]) -> list[SSAValue]:
        """Return where the elements of each row of a tile lie, from those of its first row on."""
        self._enter(self.weaver.scalar(self.row, rows[0]))
        return [self.weaver.index(number) for number in range(len(rows))]

    def place_of(self, number: SSAValue) -> SSAValue:
        """Return where the elements of a k lie, by its number in the piece."""
        return self.weaver.compute(arith.AddiOp, self.base, number)

    def bind(self, frame: Frame, element: SSAValue, row: SSAValue) -> None:
        """Say what an element of a row is."""
        value = self.weaver.add(LoadOp.make(self.memory, (element, row)))
        frame.bind(self.load.results[0], value)

    def _enter(self, row: SSAValue) -> None:
        """Go to the tile that begins with a row."""
        weaver = self.weaver
        number = weaver.compute(arith.SubiOp, row, self.first)
        number = weaver.compute(arith.DivUIOp, number, weaver.index(self.height))
        self.base = weaver.compute(arith.MuliOp, number, self.depth)

    def _groups(self) -> list[tuple[int, int]]:
        """Return which rows of a tile fill a register: the first, and how many."""
        side = self.scheduler.width
        return [(at, min(side, self.height - at)) for at in range(0, self.height, side)]

    def _mask(self, count: int) -> SSAValue | None:
        """Return the mask of so many rows in a register; None if they fill it."""
        weaver, side = self.weaver, self.scheduler.width
        return None if count == side else weaver.add(MaskOp.make(weaver.index(count), side))

    def _store(
        self, value: SSAValue, element: SSAValue, row: SSAValue, mask: SSAValue | None = None
    ) -> None:
        """Store an element of a row of the tile, or of neighbouring ones."""
        at = self.place_of(element), row
        append(self.weaver.block, StoreOp.make(value, self.memory, at, mask))

    def _copied(self, row: SSAValue, start: SSAValue, outer: Frame) -> tuple[()]:
        """Copy neighbouring rows, for one element after the other."""
        weaver, side = self.weaver, self.scheduler.width

        def element(number: SSAValue) -> None:
            for at, count in self._groups():
                mask = self._mask(count)
                frame = outer.inner(side, mask)
                frame.enter(self.row, weaver.compute(arith.AddiOp, row, weaver.index(at)))
                frame.scalars[self.element] = weaver.compute(arith.AddiOp, start, number)
                self.scheduler.translate(self.load, frame)
                value = weaver.vector(self.load.results[0], frame)
                self._store(value, number, weaver.index(at), mask)

        loop(weaver, (weaver.index(0), self.depth, weaver.index(1)), element)
        return ()

    def _transposed(self, row: SSAValue, start: SSAValue, last: SSAValue, outer: Frame) -> None:
        """Transpose squares of rows and their neighbouring elements; copy the elements left."""
        weaver, side = self.weaver, self.scheduler.width
        whole = weaver.compute(arith.AndIOp, self.depth, weaver.index(-side))

        def squares(number: SSAValue) -> None:
            element = weaver.compute(arith.AddiOp, start, number)
            for at, count in self._groups():
                loaded: list[SSAValue] = []
                for shift in range(at, at + count):
                    frame = outer.inner(side)
                    frame.scalars[self.row] = self._clamped(row, shift, last)
                    frame.enter(self.element, element)
                    self.scheduler.translate(self.load, frame)
                    loaded.append(weaver.vector(self.load.results[0], frame))
                columns = TransposeOp.make([*loaded, *[loaded[-1]] * (side - count)])
                append(weaver.block, columns)
                mask = self._mask(count)
                for shift, value in enumerate(columns.results):
                    own = weaver.compute(arith.AddiOp, number, weaver.index(shift))
                    self._store(value, own, weaver.index(at), mask)

        loop(weaver, (weaver.index(0), whole, weaver.index(side)), squares)
        self._one_by_one(row, start, whole, last, outer)

    def _one_by_one(
        self, row: SSAValue, start: SSAValue, first: SSAValue, last: SSAValue, outer: Frame
    ) -> tuple[()]:
        """Copy the elements of a tile from one on, one after the other."""
        weaver = self.weaver

        def element(number: SSAValue) -> None:
            def copy(shift: SSAValue) -> None:
                frame = outer.inner()
                own = weaver.compute(arith.AddiOp, row, shift)
                frame.scalars[self.row] = weaver.compute(arith.MinSIOp, own, last)
                frame.scalars[self.element] = weaver.compute(arith.AddiOp, start, number)
                self.scheduler.translate(self.load, frame)
                value = weaver.scalar(self.load.results[0], frame)
                self._store(value, number, shift)

            loop(weaver, (weaver.index(0), weaver.index(self.height), weaver.index(1)), copy)

        loop(weaver, (first, self.depth, weaver.index(1)), element)
        return ()

    def _clamped(self, row: SSAValue, shift: int, last: SSAValue) -> SSAValue:
        weaver = self.weaver
        own = weaver.compute(arith.AddiOp, row, weaver.index(shift)) if shift else row
        return weaver.compute(arith.MinSIOp, own, last)
