"""How do few rows times a matrix run? Along the rows of the matrix, several at a time.

    for j0 in (0, columns) step STRIP
      for i in (0, rows) step 4
        for j in (j0, j0 + STRIP): c[i..i+3, j] = 0
        for p in (0, k) step 4
          for j in (j0, j0 + STRIP) step 32
            c[i..i+3, j] takes in a[i..i+3, p] * b[p, j], then a[i..i+3, p + 1] * b[p + 1, j] ...
        for j in (j0, j0 + STRIP): what is computed from c[i..i+3, j] takes its place

A vector is one row, for which eight rows of the matrix are read together. Column by column each
element of the matrix would be on another page: 0.4 of the speed for a vector, a third for four
rows of 4096 times 4096 x 4096. The order of each sum stays. Rows over the edge are the last one
again: all sums are read before one is written, so that it takes in its products once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lines import LINE
from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.prefetch import NEAREST, PrefetchOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import buffer_type_of
from ....dialects.making import append
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..products.panels import loop
from ..products.sums_in_results import (
    SumsInResult,
    bits_of,
    factor_along,
    loads_of,
    only_reduction,
)
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values

#: Rows of results at once, and rows of the matrix that their sums take in between a load and a
#: store; what they are multiplied with is in registers meanwhile.
ROWS, TAKEN = 4, 4
#: Rows of the matrix that the sums of one row take in.
TAKEN_BY_ONE = 8
#: Columns whose sums stay in the nearest cache, for four rows in 16 KB.
STRIP = 1024
#: Vectors of columns, rows of the matrix and elements of it from which on several rows of results
#: read it so: fewer sums stay in registers all along k.
LEAST_VECTORS, LEAST_TAKEN, LEAST_ELEMENTS = 4, 64, 1 << 18

#: The first of some columns, None for the first of all, and how many there are.
Columns = tuple[SSAValue | None, SSAValue]


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


def streamed_by_rows(
    scheduler: Scheduler, op: ParallelOp, lanes: SSAValue, row: SSAValue
) -> LoadOp | None:
    """Return the load whose rows several rows of results read together; None if there is none."""
    load = streamed_load(scheduler, op, lanes)
    return None if load is None or reads_along(load, row) else load


class StreamedSums(SumsInResult):
    """Serial sums of products whose lanes are chosen."""

    def __init__(
        self,
        scheduler: Scheduler,
        op: ParallelOp,
        load: LoadOp,
        lanes: SSAValue,
        row: SSAValue | None = None,
    ) -> None:
        """Prepare to build it; `load` is what is read along rows, for each of several results."""
        super().__init__(scheduler, op, lanes)
        (self.element,) = self.elements
        self.streamed, self.row = load, row
        #: Columns side by side.
        self.width = scheduler.width * HEAVY_REGISTERS
        #: What is the same for all lanes is loaded once for each element of the sums.
        self.shared = [item for item in loads_of(self.reduction) if item is not load]

    def build(self, across: SSAValue, frame: Frame) -> None:
        """Build the loops for one row of results."""
        self._strip([frame], (None, across), TAKEN_BY_ONE)

    def build_if_large(self, across: SSAValue, rows: SSAValue, frame: Frame) -> SSAValue:
        """Build the loops for several rows, if the matrix is large; return the first column left.

        What fills no vector is left, or all columns of a small matrix.
        """
        weaver = self.weaver

        def build() -> Values:
            whole = weaver.compute(arith.AndIOp, across, weaver.index(-self.width))
            self._build_rows(whole, rows, frame)
            return (whole,)

        (start,) = weaver.branch(self._is_large(across, frame), build, lambda: (weaver.index(0),))
        return start

    def _is_large(self, across: SSAValue, frame: Frame) -> SSAValue:
        weaver = self.weaver
        extent = weaver.scalar(self.reduction.extents[0], frame)
        are_long = weaver.compare("sge", across, weaver.index(self.width * LEAST_VECTORS))
        are_many = weaver.compare("sge", extent, weaver.index(LEAST_TAKEN))
        elements = weaver.compute(arith.MuliOp, across, extent)
        is_large = weaver.compare("sge", elements, weaver.index(LEAST_ELEMENTS))
        fits = weaver.compute(arith.AndIOp, are_long, are_many)
        return weaver.compute(arith.AndIOp, fits, is_large)

    def _build_rows(self, across: SSAValue, rows: SSAValue, frame: Frame) -> None:
        """Build the loops over strips of columns, which are whole vectors, and groups of rows."""
        weaver = self.weaver
        last = weaver.compute(arith.SubiOp, rows, weaver.index(1))

        def strip(first: SSAValue, _: Values) -> Values:
            count = weaver.compute(arith.SubiOp, across, first)
            count = weaver.compute(arith.MinSIOp, count, weaver.index(STRIP))

            def group(row: SSAValue, _: Values) -> Values:
                behind = [
                    weaver.compute(arith.AddiOp, row, weaver.index(n)) for n in range(1, ROWS)
                ]
                numbers = [row, *(weaver.compute(arith.MinSIOp, each, last) for each in behind)]
                self._strip([self._row(frame, number) for number in numbers], (first, count), TAKEN)
                return ()

            weaver.loop((weaver.index(0), rows, weaver.index(ROWS)), (), group)
            return ()

        weaver.loop((weaver.index(0), across, weaver.index(STRIP)), (), strip)

    def _row(self, frame: Frame, number: SSAValue) -> Frame:
        assert self.row is not None
        inner = frame.inner()
        inner.scalars[self.row] = number
        return inner

    def _strip(self, rows: Sequence[Frame], columns: Columns, taken: int) -> None:
        """Build the sums of some rows and columns; so many rows of the matrix are read together."""
        weaver = self.weaver
        (extent,) = self.reduction.extents
        extent = weaver.scalar(extent, rows[0])

        def clear(places: Sequence[Frame]) -> None:
            for place in places:
                self.keep(place, self.start(place))

        def several(first: SSAValue, _: Values) -> Values:
            self._take_in(rows, columns, first, taken)
            return ()

        def single(first: SSAValue, _: Values) -> Values:
            self._take_in(rows, columns, first, 1)
            return ()

        def finish(places: Sequence[Frame]) -> None:
            for place, total in zip(places, [self.load(place) for place in places], strict=True):
                self.keep(place, self.finish(place, total))

        self._vectors(rows, columns, clear)
        whole = weaver.compute(arith.AndIOp, extent, weaver.index(-taken))
        weaver.loop((weaver.index(0), whole, weaver.index(taken)), (), several)
        weaver.loop((whole, extent, weaver.index(1)), (), single)
        if self.epilogue:
            self._vectors(rows, columns, finish)

    def _vectors(
        self,
        rows: Sequence[Frame],
        columns: Columns,
        build: Callable[[Sequence[Frame]], None],
    ) -> None:
        """Build a loop over vectors of columns; it is built with a frame for each row."""
        weaver, (first, count) = self.weaver, columns

        def at(inner: Frame, place: SSAValue) -> None:
            column = place if first is None else weaver.compute(arith.AddiOp, first, place)
            places: list[Frame] = []
            for row in rows:
                own = row.inner(inner.lanes, inner.mask)
                own.enter(self.lanes, column)
                places.append(own)
            build(places)

        def whole(place: SSAValue) -> None:
            at(rows[0].inner(self.width), place)

        if self.row is None:
            self.scheduler.in_lanes(count, rows[0], self.width, at)
        else:
            loop(weaver, (weaver.index(0), count, weaver.index(self.width)), whole)

    def _take_in(
        self,
        rows: Sequence[Frame],
        columns: Columns,
        first: SSAValue,
        count: int,
    ) -> None:
        """Take products with some rows of the matrix, from one on, into the sums of all rows."""
        weaver = self.weaver
        numbers = [first]
        for number in range(1, count):
            numbers.append(weaver.compute(arith.AddiOp, first, weaver.index(number)))
        taken = [[self._shared(row, number) for row in rows] for number in numbers]

        def vectors(places: Sequence[Frame]) -> None:
            totals = [self.load(place) for place in places]
            for number, shared in zip(numbers, taken, strict=True):
                streamed = self._streamed(places[0], number)
                if len(rows) > 1 and count > 1:
                    self._ask_ahead(places[0], number, count)
                triples = zip(places, shared, totals, strict=True)
                totals = [self._add(*triple, streamed) for triple in triples]
            for place, total in zip(places, totals, strict=True):
                self.keep(place, total)

        self._vectors(rows, columns, vectors)

    def _shared(self, row: Frame, number: SSAValue) -> Frame:
        """Return a frame for an element of the sums of a row, with what all lanes share."""
        inner = row.inner()
        inner.scalars[self.element] = number
        inner.scalars[self.lanes] = self.weaver.index(0)  # it does not matter
        for op in self.shared:
            self.scheduler.translate(op, inner)
        return inner

    def _streamed(self, place: Frame, number: SSAValue) -> SSAValue:
        """Return what all rows read of a row of the matrix."""
        inner = place.inner()
        inner.scalars[self.element] = number
        self.scheduler.translate(self.streamed, inner)
        return self.weaver.vector(self.streamed.results[0], inner)

    def _ask_ahead(self, place: Frame, number: SSAValue, count: int) -> None:
        """Ask for what the next pass reads of a row of the matrix: so many rows below."""
        weaver, index = self.weaver, self.weaver.index
        last = weaver.compute(
            arith.SubiOp, weaver.scalar(self.reduction.extents[0], place), index(1)
        )
        following = weaver.compute(arith.AddiOp, number, index(count))
        following = weaver.compute(arith.MinSIOp, following, last)
        first = weaver.scalar(self.lanes, place) if place.lanes == 1 else place.bases[self.lanes]
        for shift in range(0, place.lanes, LINE * 8 // bits_of(self.streamed.results[0].type)):
            inner = place.inner()
            inner.scalars[self.element] = following
            inner.enter(self.lanes, weaver.compute(arith.AddiOp, first, index(shift)))
            buffer = weaver.scalar(self.streamed.buffer, inner)
            indices, _ = weaver.place(buffer, self.streamed.indices, inner)
            append(weaver.block, PrefetchOp.make(buffer, indices, NEAREST))

    def _add(self, place: Frame, shared: Frame, total: SSAValue, streamed: SSAValue) -> SSAValue:
        """Take one product into the sums of a row."""
        inner = place.inner()
        for value in (self.element, *(load.results[0] for load in self.shared)):
            inner.scalars[value] = shared.scalars[value]
        inner.bind(self.streamed.results[0], streamed)
        return self.add(inner, total, [*self.shared, self.streamed])
