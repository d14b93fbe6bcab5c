"""How does the other factor of a product get to a tile, if neighbours in memory are its rows?

As they lie, the elements of k that a row takes in one after the other are each on another page
(x.T @ y). So the elements of a piece of k are copied, for a block of rows, to memory of the
kernel's own, those of one k side by side: a copy of vectors, after which a tile reads a few
neighbours for each k.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.lines import LINE
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of
from ....dialects.making import append
from ..lanes import Frame
from ..scheduler import Scheduler
from .panels import loop
from .sums_in_results import loads_of


def rows_in_memory(reduction: ReduceOp, packed: LoadOp, rows: Sequence[SSAValue]) -> LoadOp | None:
    """Return the load whose neighbours are rows, beside the packed one; None if there is none."""
    others = [load for load in loads_of(reduction) if load is not packed]
    if len(others) != 1 or len(rows) != 1 or len(reduction.indices) != 1:
        return None
    (load,) = others
    strides = buffer_type_of(load.buffer).strides
    along = [index for index, stride in zip(load.indices, strides, strict=True) if stride == 1]
    return load if len(along) == 1 and along[0] is rows[0] else None


class PackedRows:
    """Memory for a piece of a block of rows, and what fills it."""

    def __init__(
        self, scheduler: Scheduler, load: LoadOp, row: SSAValue, element: SSAValue
    ) -> None:
        """Prepare for a load in a sum over one index."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.load, self.row, self.element = load, row, element

    def reserve(self, depth: int, rows: int) -> None:
        """Reserve the memory for so many elements of so many rows.

        A line more keeps elements of neighbouring k from sharing few places of a cache.
        """
        element = buffer_type_of(self.load.buffer).element
        bits: int = getattr(element, "bitwidth", 64)
        width = rows + LINE * 8 // bits
        kind = BufferType.get(element, (width, 1), PRIVATE)
        self.memory = self.weaver.add(AllocOp.make([depth, width], kind))

    def fill(
        self, rows: tuple[SSAValue, SSAValue], piece: tuple[SSAValue, SSAValue], outer: Frame
    ) -> None:
        """Copy rows from a first one to before an end, of a piece of k: its start, and how many."""
        weaver, width, (first, end) = self.weaver, self.scheduler.width, rows
        start, depth = piece
        self.first = first
        count = weaver.compute(arith.SubiOp, end, first)
        whole = weaver.compute(arith.AndIOp, count, weaver.index(-width))

        def copy(shift: SSAValue, number: SSAValue, mask: SSAValue | None) -> None:
            frame = outer.inner(width, mask)
            frame.enter(self.row, weaver.compute(arith.AddiOp, first, shift))
            frame.scalars[self.element] = weaver.compute(arith.AddiOp, start, number)
            self.scheduler.translate(self.load, frame)
            value = weaver.vector(self.load.results[0], frame)
            append(weaver.block, StoreOp.make(value, self.memory, (number, shift)))

        def elements(number: SSAValue) -> None:
            bounds = (weaver.index(0), whole, weaver.index(width))
            loop(weaver, bounds, lambda shift: copy(shift, number, None))
            left = weaver.compute(arith.SubiOp, count, whole)

            def rest() -> Sequence[SSAValue]:
                copy(whole, number, weaver.add(MaskOp.make(left, width)))
                return ()

            weaver.branch(weaver.compare("sgt", left, weaver.index(0)), rest)

        loop(weaver, (weaver.index(0), depth, weaver.index(1)), elements)

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
        value = self.weaver.add(LoadOp.make(self.memory, (element, row)))
        frame.bind(self.load.results[0], value)
