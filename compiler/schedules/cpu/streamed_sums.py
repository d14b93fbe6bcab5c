"""How does a vector times a matrix run? Along the rows of the matrix, eight at a time.

    for j in (0, columns): c[j] = 0
    for p in (0, k) step 8
      for j in (0, columns) step 16
        c[j] takes in a[p] * b[p, j], then a[p + 1] * b[p + 1, j] ...
    for j in (0, columns): what is computed from c[j] takes its place

Column by column each element of the matrix would be on another page: 0.4 of the speed. The order of
each sum stays.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import buffer_type_of
from ..lanes import Frame
from ..products.sums_in_results import SumsInResult, factor_along, loads_of, only_reduction
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values

#: Rows that a sum takes in between a load and a store of it.
ROWS = 8


def streamed_load(scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> LoadOp | None:
    """Return the load whose rows are read; None if neighbouring sums read no neighbours."""
    load, reduction = factor_along(scheduler, op, lanes), only_reduction(op)
    if load is None or reduction is None or len(reduction.indices) != 1:
        return None
    if len(loads_of(reduction)) == 1:  # their loads wait for nothing else
        return None
    strides = buffer_type_of(load.buffer).strides
    along = [stride for index, stride in zip(load.indices, strides, strict=True) if index is lanes]
    return load if along == [1] else None


class StreamedSums(SumsInResult):
    """Serial sums of products whose lanes are chosen."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp, load: LoadOp, lanes: SSAValue) -> None:
        """Prepare to build it; `load` is what is read along rows."""
        super().__init__(scheduler, op, lanes)
        (self.element,) = self.elements
        #: What is the same for all lanes is loaded once for each element of the sums.
        self.shared = [item for item in loads_of(self.reduction) if item is not load]

    def build(self, across: SSAValue, frame: Frame) -> None:
        """Build the loops over rows, and over vectors inside of them."""
        scheduler, weaver = self.scheduler, self.weaver
        (extent,) = self.reduction.extents
        extent = weaver.scalar(extent, frame)
        lanes = scheduler.width * HEAVY_REGISTERS

        def clear(inner: Frame, first: SSAValue) -> None:
            inner.enter(self.lanes, first)
            self.keep(inner, self.start(inner))

        def rows(first: SSAValue, count: int) -> None:
            taken = [self._row(first, number, frame) for number in range(count)]

            def vectors(inner: Frame, place: SSAValue) -> None:
                inner.enter(self.lanes, place)
                total = self.load(inner)
                for row in taken:
                    total = self._add(inner, row, total)
                self.keep(inner, total)

            scheduler.in_lanes(across, frame, lanes, vectors)

        def finish(inner: Frame, place: SSAValue) -> None:
            inner.enter(self.lanes, place)
            self.keep(inner, self.finish(inner, self.load(inner)))

        def several(first: SSAValue, _: Values) -> Values:
            rows(first, ROWS)
            return ()

        def single(first: SSAValue, _: Values) -> Values:
            rows(first, 1)
            return ()

        scheduler.in_lanes(across, frame, lanes, clear)
        whole = weaver.compute(arith.AndIOp, extent, weaver.index(-ROWS))
        weaver.loop((weaver.index(0), whole, weaver.index(ROWS)), (), several)
        weaver.loop((whole, extent, weaver.index(1)), (), single)
        if self.epilogue:
            scheduler.in_lanes(across, frame, lanes, finish)

    def _row(self, first: SSAValue, number: int, frame: Frame) -> Frame:
        """Return a frame for an element of the sums, with what all lanes share."""
        weaver, inner = self.weaver, frame.inner()
        place = weaver.compute(arith.AddiOp, first, weaver.index(number)) if number else first
        inner.scalars[self.element] = place
        inner.scalars[self.lanes] = weaver.index(0)  # it does not matter
        for op in self.shared:
            self.scheduler.translate(op, inner)
        return inner

    def _add(self, frame: Frame, row: Frame, total: SSAValue) -> SSAValue:
        """Take one product into the sums."""
        inner = frame.inner()
        for value in (self.element, *(load.results[0] for load in self.shared)):
            inner.scalars[value] = row.scalars[value]
        return self.add(inner, total, self.shared)
