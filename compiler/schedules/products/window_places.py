"""How does a tile read windows without a loop for each of their indices? By a table of places.

    for e in k of a piece: places[number] = e[0] * stride[0] + e[1] * stride[1] + ...
    for q in (0, depth)                        all of a window, of one channel after the other
      x = image[row + places[q]]

The loops over the rows and columns of a window are short: beside the sums of a tile, what begins
and ends them takes a third of the instructions. How far an element is from where its window begins
is the same for all windows, so it is computed once for a piece of k.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial, reduce

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, i64, type_of_index
from ....dialects.making import append, make_op
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .sums_in_results import other_load


def load_of_windows(reduction: ReduceOp, packed: LoadOp, lanes: SSAValue) -> LoadOp | None:
    """Return the load whose elements a table finds, beside the packed one; None if there is none.

    Its places are sums of a part of the row and one of the element, along memory: the same in all
    lanes.
    """
    load, indices = other_load(reduction, packed), set(reduction.indices)
    if load is None or len(reduction.indices) < 2 or reads_along(load, lanes):
        return None
    if len(set(load.indices)) < len(load.indices):
        return None  # an index has one stride in the table
    users = {use.operation for index in indices for use in index.uses}
    if not users <= {load, packed} or 1 not in buffer_type_of(load.buffer).strides:
        return None
    return load if all(isinstance(index, BlockArgument) for index in load.indices) else None


class WindowPlaces:
    """The table for a piece of k."""

    def __init__(
        self, scheduler: Scheduler, load: LoadOp, elements: Sequence[SSAValue], inner: Values
    ) -> None:
        """Prepare for a load in a sum over `elements`; `inner` are the sizes of all but one."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.load, self.elements, self.inner = load, elements, inner

    def reserve(self, depth: int, rows: int) -> None:
        """Reserve the memory for so many elements."""
        self.table = self.weaver.add(AllocOp.make([depth], BufferType.get(i64, (1,), PRIVATE)))

    def fill(
        self, rows: tuple[SSAValue, SSAValue], piece: tuple[SSAValue, SSAValue], outer: Frame
    ) -> None:
        """Compute the places of a piece of k: its start, and how many."""
        weaver, (start, depth) = self.weaver, piece
        first, *others = self.elements
        self.buffer = weaver.scalar(self.load.buffer, outer)
        known = enumerate(buffer_type_of(self.load.buffer).strides)
        self.strides = {
            self.load.indices[number]: self._stride(number, stride)
            for number, stride in known
            if stride != 0
        }

        def place(frame: Frame, _: Values) -> Values:
            number = frame.scalars[first]
            for element, size in zip(others, self.inner, strict=True):
                number = weaver.compute(arith.MuliOp, number, size)
                number = weaver.compute(arith.AddiOp, number, frame.scalars[element])
            inner = frame.inner()
            inner.scalars[first] = weaver.compute(arith.AddiOp, start, frame.scalars[first])
            at = self._sum([index for index in self.strides if index in self.elements], inner)
            word = weaver.add(make_op(arith.IndexCastOp, operands=[at], result_types=[i64]))
            append(weaver.block, StoreOp.make(word, self.table, (number,)))
            return ()

        self.scheduler.nest(self.elements, [depth, *self.inner], outer, place)

    def of_rows(self, rows: Sequence[Frame]) -> list[SSAValue]:
        """Return where the window of each row of a tile begins."""
        outside = [index for index in self.strides if index not in self.elements]
        return [self._sum(outside, row) for row in rows]

    def place_of(self, number: SSAValue) -> SSAValue:
        """Return how far an element of the piece is from where its window begins."""
        word = self.weaver.add(LoadOp.make(self.table, (number,)))
        cast = make_op(arith.IndexCastOp, operands=[word], result_types=[type_of_index])
        return self.weaver.add(cast)

    def bind(self, frame: Frame, element: SSAValue, row: SSAValue) -> None:
        """Say what an element of the window of a row is."""
        weaver, zero = self.weaver, self.weaver.index(0)
        strides = buffer_type_of(self.load.buffer).strides
        at = [zero] * len(strides)
        at[strides.index(1)] = weaver.compute(arith.AddiOp, row, element)
        frame.bind(self.load.results[0], weaver.add(LoadOp.make(self.buffer, at)))

    def _stride(self, dimension: int, known: int | None) -> SSAValue | None:
        """Return how far apart neighbours along a dimension lie; None if side by side."""
        if known is None:
            return self.weaver.add(StrideOp.make(self.buffer, dimension))
        return None if known == 1 else self.weaver.index(known)

    def _sum(self, indices: Sequence[SSAValue], frame: Frame) -> SSAValue:
        """Return where indices lead to, together."""
        weaver, parts = self.weaver, list[SSAValue]()
        for index in indices:
            own, stride = weaver.scalar(index, frame), self.strides[index]
            parts.append(own if stride is None else weaver.compute(arith.MuliOp, own, stride))
        return reduce(partial(weaver.compute, arith.AddiOp), parts) if parts else weaver.index(0)
