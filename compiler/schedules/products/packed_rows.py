"""How does the other factor of a product get to a tile? As it lies, or copied for a block of rows.

If its neighbours in memory are rows (x.T @ y), the elements of k that a row takes in one after the
other are each on another page. So the elements of a piece of k are copied, for a block of rows, to
memory of the kernel's own, those of one k side by side: a copy of vectors, after which a tile reads
a few neighbours for each k.

If they are elements of k, rows are copied where they may be far apart: rows whose distance is a
power of two share few sets of the nearest cache, which a panel fills. Copies are a line longer than
a piece of k.

Where rows are copied so, neighbouring rows of floats are transposed on their way, in squares: the
lines of a tile's rows then hold nothing else, and stay in that cache beside the panel.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.lines import LINE
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of
from ....dialects.making import append
from ..lanes import Frame
from ..scheduler import Scheduler
from .panels import loop
from .sums_in_results import other_load


def lies_along(
    reduction: ReduceOp, packed: LoadOp, rows: Sequence[SSAValue]
) -> tuple[LoadOp, SSAValue] | None:
    """Return the load beside the packed one, and the index of its neighbours: rows', or that of k.

    None if it is not one load in a sum over one index, of rows along one.
    """
    load = other_load(reduction, packed)
    if load is None or len(rows) != 1 or len(reduction.indices) != 1:
        return None
    strides = buffer_type_of(load.buffer).strides
    along = [index for index, stride in zip(load.indices, strides, strict=True) if stride == 1]
    is_known = len(along) == 1 and along[0] in (rows[0], reduction.indices[0])
    return (load, along[0]) if is_known else None


class PackedRows:
    """Memory for a piece of a block of rows, and what fills it."""

    def __init__(
        self,
        scheduler: Scheduler,
        load: LoadOp,
        row: SSAValue,
        element: SSAValue,
        *,
        are_rows_near: bool,
        is_transposed: bool = False,
    ) -> None:
        """Prepare for a load in a sum over one index, whose neighbours are rows or elements.

        Rows that are neighbours may be transposed.
        """
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.load, self.row, self.element = load, row, element
        self.are_rows_near, self.is_transposed = are_rows_near, is_transposed

    def reserve(self, depth: int, rows: int) -> None:
        """Reserve the memory for so many elements of so many rows.

        A line more keeps what lies one after the other from sharing few places of a cache.
        """
        element = buffer_type_of(self.load.buffer).element
        bits: int = getattr(element, "bitwidth", 64)
        near, far = (rows, depth) if self._are_rows_side_by_side else (depth, rows)
        if self.is_transposed:
            far += self.scheduler.width  # the last square may have fewer rows
        width = near + LINE * 8 // bits
        kind = BufferType.get(element, (width, 1), PRIVATE)
        self.memory = self.weaver.add(AllocOp.make([far, width], kind))

    def fill(
        self, rows: tuple[SSAValue, SSAValue], piece: tuple[SSAValue, SSAValue], outer: Frame
    ) -> None:
        """Copy rows from a first one to before an end, of a piece of k: its start, and how many."""
        weaver, width, (self.first, end) = self.weaver, self.scheduler.width, rows
        if self.is_transposed:
            self._in_squares(weaver.compute(arith.SubiOp, end, self.first), piece, outer)
            return
        of_rows = self.row, self.first, weaver.compute(arith.SubiOp, end, self.first)
        of_elements = self.element, *piece
        near, far = (of_rows, of_elements) if self.are_rows_near else (of_elements, of_rows)
        (near_index, near_start, near_count), (far_index, far_start, far_count) = near, far
        whole = weaver.compute(arith.AndIOp, near_count, weaver.index(-width))

        def copy(shift: SSAValue, number: SSAValue, mask: SSAValue | None) -> None:
            frame = outer.inner(width, mask)
            frame.enter(near_index, weaver.compute(arith.AddiOp, near_start, shift))
            frame.scalars[far_index] = weaver.compute(arith.AddiOp, far_start, number)
            self.scheduler.translate(self.load, frame)
            value = weaver.vector(self.load.results[0], frame)
            append(weaver.block, StoreOp.make(value, self.memory, (number, shift)))

        def line(number: SSAValue) -> None:
            bounds = (weaver.index(0), whole, weaver.index(width))
            loop(weaver, bounds, lambda shift: copy(shift, number, None))
            left = weaver.compute(arith.SubiOp, near_count, whole)

            def rest() -> Sequence[SSAValue]:
                copy(whole, number, weaver.add(MaskOp.make(left, width)))
                return ()

            weaver.branch(weaver.compare("sgt", left, weaver.index(0)), rest)

        loop(weaver, (weaver.index(0), far_count, weaver.index(1)), line)

    def _in_squares(self, count: SSAValue, piece: tuple[SSAValue, SSAValue], outer: Frame) -> None:
        """Transpose so many rows of a piece of k: its start, and how many.

        Over the edge of the piece its last element is copied again, where nobody reads it.
        """
        weaver, side, (start, depth) = self.weaver, self.scheduler.width, piece
        last = weaver.compute(arith.SubiOp, depth, weaver.index(1))

        def square(row: SSAValue, number: SSAValue) -> None:
            mask = weaver.add(MaskOp.make(weaver.compute(arith.SubiOp, count, row), side))
            loaded: list[SSAValue] = []
            for own in self._from(number):
                frame = outer.inner(side, mask)
                frame.enter(self.row, weaver.compute(arith.AddiOp, self.first, row))
                own = weaver.compute(arith.MinSIOp, own, last)
                frame.scalars[self.element] = weaver.compute(arith.AddiOp, start, own)
                self.scheduler.translate(self.load, frame)
                loaded.append(weaver.vector(self.load.results[0], frame))
            columns = TransposeOp.make(loaded)
            append(weaver.block, columns)
            for own, value in zip(self._from(row), columns.results, strict=True):
                append(weaver.block, StoreOp.make(value, self.memory, (own, number)))

        def rows(row: SSAValue) -> None:
            bounds = (weaver.index(0), depth, weaver.index(side))
            loop(weaver, bounds, lambda number: square(row, number))

        loop(weaver, (weaver.index(0), count, weaver.index(side)), rows)

    def _from(self, first: SSAValue) -> list[SSAValue]:
        """Return the numbers of as many rows or elements as a square has."""
        weaver = self.weaver
        others = map(weaver.index, range(1, self.scheduler.width))
        return [first, *(weaver.compute(arith.AddiOp, first, other) for other in others)]

    @property
    def _are_rows_side_by_side(self) -> bool:
        """Whether the memory has them so."""
        return self.are_rows_near and not self.is_transposed

    def of_rows(self, rows: Sequence[Frame]) -> list[SSAValue]:
        """Return where the elements of each row of a tile lie."""
        weaver = self.weaver
        return [
            weaver.compute(arith.SubiOp, weaver.scalar(self.row, row), self.first) for row in rows
        ]

    def place_of(self, number: SSAValue) -> SSAValue:
        """Return where an element of the piece lies, by its number."""
        return number

    def bind(self, frame: Frame, element: SSAValue, row: SSAValue) -> None:
        """Say what an element of a row is."""
        at = (element, row) if self._are_rows_side_by_side else (row, element)
        frame.bind(self.load.results[0], self.weaver.add(LoadOp.make(self.memory, at)))
