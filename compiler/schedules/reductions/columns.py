"""How does a column reduction run, whose L accumulators for each result do not fit registers?

They stand in private memory: a table of L rows, with a column for each result that is computed at
the same time. Walking over the elements in their order, element e goes into row e % L; blocks and
the halving at the end are loops over rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.reductions import CUSTOM, FMA
from ....dialects.kernel.structured import FIRST_EXTREME, SHORT_ROWS, ReduceOp
from ....dialects.kernel.types import i1
from ....dialects.making import make_op
from ..lanes import Frame
from ..scheduler import LIGHT_REGISTERS, Scheduler, Values
from .accumulators import (
    Accumulators,
    body_values,
    combine,
    element_number,
    keep_scalar,
    start_values,
)

#: Elements of the same lane that are accumulated between a load and a store of their accumulator,
#: where a strip of results is long: the sum of a 4096x1024 matrix over its first axis takes 350 us
#: with 4, 420 with 2, 560 with 1.
GROUP = 4
#: The same where an element takes long: a product, or several values.
LONG_GROUP = 8

#: So many elements are taken in without a table: rows of it are written and read again for two
#: elements of each lane at most (the sum of 17 rows of 60000 floats: 77 us with one, 53 without).
FEW = 64

Build = Callable[[Frame, SSAValue], None]


class Columns(Protocol):
    """The results that one walk over the elements of a reduction computes side by side."""

    #: How many results fit, at most.
    size: int
    #: How many there are.
    count: SSAValue
    #: Whether several vectors of the widest may be live at once.
    has_registers: bool

    def values(self, frame: Frame, build: Build) -> None:
        """Build `build(frame, column)` for all columns, where the body may be evaluated."""
        ...

    def memory(self, frame: Frame, build: Build) -> None:
        """Build the same where only accumulators are touched."""
        ...

    def are_whole(self, lanes: int) -> SSAValue:
        """Return whether the columns are whole vectors of so many lanes."""
        ...

    def whole_values(self, frame: Frame, lanes: int, build: Build) -> None:
        """Build what `values` does where they are that."""
        ...


class OneColumn:
    """One result, or one vector of results: the lanes of the frame."""

    def __init__(self, scheduler: Scheduler, frame: Frame) -> None:
        """Take the lanes of a frame."""
        self.size = frame.lanes
        weaver = scheduler.weaver
        self._zero, self.count = weaver.index(0), weaver.index(frame.lanes)
        self._true, self.has_registers = weaver.constant(1, i1), False

    def values(self, frame: Frame, build: Build) -> None:
        """Build the code once."""
        build(frame, self._zero)

    memory = values

    def are_whole(self, lanes: int) -> SSAValue:
        """Return that the lanes are one."""
        return self._true

    def whole_values(self, frame: Frame, lanes: int, build: Build) -> None:
        """Build the code once."""
        self.values(frame, build)


class ColumnReduction:
    """One reduction into a table of accumulators."""

    def __init__(self, scheduler: Scheduler, op: ReduceOp, frame: Frame, columns: Columns) -> None:
        """Reserve the tables: lane values of a block, and totals where there are blocks."""
        weaver = scheduler.weaver
        self.scheduler, self.weaver, self.op = scheduler, weaver, op
        self.frame, self.columns = frame, columns
        self.lanes, self.block = order_of_columns(op)
        is_long = self.lanes > 1 and op.kind.data in (FMA, CUSTOM)
        self.group = LONG_GROUP if is_long else GROUP
        self.extents = [weaver.scalar(extent, frame) for extent in op.extents]
        self.parts = Accumulators(scheduler, op, self.lanes, columns.size)
        self.totals = Accumulators(scheduler, op, self.lanes, columns.size) if self.block else None
        self.zero, self.one = weaver.index(0), weaver.index(1)
        self.count = self.extents[0]
        for extent in self.extents[1:]:
            self.count = weaver.compute(arith.MuliOp, self.count, extent)
        #: The lanes in use, and whether there are totals. To leave out other lanes, and the totals
        #: of a single block, means to leave out the neutral element, which changes nothing.
        self.used = weaver.index(self.lanes)
        if op.is_neutral:
            some = weaver.compute(arith.MinSIOp, self.count, self.used)
            self.used = weaver.compute(arith.MaxSIOp, some, self.one)
            self.has_totals = weaver.compare("sgt", self.count, weaver.index(self.block))
        else:
            self.has_totals = weaver.compare("ne", self.count, self.zero)

    def build(self) -> Accumulators:
        """Build everything; row 0 of the returned table holds the results."""
        weaver = self.weaver
        if self.fits_registers():
            weaver.branch(self.are_few(), self.in_registers, self._over_table)
        else:
            self._over_table()
        return self.parts

    def _over_table(self) -> Values:
        """Take all elements into the table, and its rows together."""
        weaver = self.weaver
        # The first element of a lane finds its accumulator undefined (see _old); without elements
        # nothing would be defined.
        is_custom = self.op.kind.data == CUSTOM
        self._rows(self.used if is_custom else self.one, self.clear)
        if self.totals is not None:
            clear = self.totals.clear
            weaver.branch(self.has_totals, lambda: self._rows(self.used, clear))
        if len(self.extents) == 1:
            self._over_one_index()
        else:
            self.scheduler.nest(self.op.indices, self.extents, self.frame, self._element)
            self._flush_if_needed()
        if self.totals is not None:
            weaver.branch(self.has_totals, lambda: self._rows(self.used, self._take_totals))
            keep_scalar(weaver.block.last_op)
        if self.lanes > 1:
            steps = weaver.index(self.lanes.bit_length() - 1)
            weaver.loop((self.zero, steps, self.one), (), self._halve)
        return ()

    def fits_registers(self) -> bool:
        """Whether few elements may be taken in without a table."""
        is_long = self.lanes > 1 and self.columns.has_registers
        return is_long and self.op.kind.data != CUSTOM and self.is_grouped()

    def are_few(self) -> SSAValue:
        """Return whether there are few elements, and whole vectors of columns."""
        weaver = self.weaver
        are_few = weaver.compare("sle", self.count, weaver.index(FEW))
        return weaver.compute(arith.AndIOp, are_few, self.columns.are_whole(self._long()))

    def _long(self) -> int:
        return self.scheduler.width * LIGHT_REGISTERS

    def in_registers(self) -> Values:
        """Take in few elements, lane by lane, in an order in which halves follow each other.

        The lanes of one parity are what is left before the last halving, of which those of one
        remainder by 4 were left before: each loop combines two of the loop inside it. To begin
        with the neutral element changes nothing.
        """
        weaver, index = self.weaver, self.op.indices[0]

        def column(frame: Frame, at: SSAValue) -> None:
            start = start_values(self.scheduler, self.op, frame, frame.lanes)

            def element(number: SSAValue, values: Values) -> Values:
                inner = frame.inner()
                inner.scalars[index] = number
                new = body_values(self.scheduler, self.op, inner)
                return self.combined(inner, values, new)

            def lanes(first: SSAValue, apart: int) -> Values:
                if apart == self.lanes:
                    return weaver.loop((first, self.count, weaver.index(apart)), start, element)

                def half(lane: SSAValue, values: Values) -> Values:
                    return combine(self.scheduler, self.op, frame, values, lanes(lane, 2 * apart))

                stop = weaver.compute(arith.MinSIOp, self.count, weaver.index(2 * apart))
                return weaver.loop((first, stop, weaver.index(apart)), start, half)

            self.parts.store(self.zero, at, lanes(self.zero, 1))

        self.columns.whole_values(self.frame, self._long(), column)
        return ()

    def clear(self, frame: Frame, row: SSAValue, column: SSAValue) -> None:
        """Set accumulators to what they start from."""
        self.parts.clear(frame, row, column)

    def combined(self, frame: Frame, old: Values, new: Values) -> Values:
        """Take elements into their accumulators."""
        return combine(self.scheduler, self.op, frame, old, new)

    def _rows(self, stop: SSAValue, build: Callable[[Frame, SSAValue, SSAValue], None]) -> Values:
        """Build `build(frame, row, column)` for the first rows and all columns."""

        def row(number: SSAValue, _: Values) -> Values:
            self.columns.memory(self.frame, lambda at, column: build(at, number, column))
            return ()

        return self.weaver.loop((self.zero, stop, self.one), (), row)

    def _flush(self, frame: Frame, row: SSAValue, column: SSAValue) -> None:
        """Combine the lanes of a block with the totals."""
        assert self.totals is not None
        self.totals.combine(frame, row, column, self.parts.load(frame, row, column))
        self.parts.clear(frame, row, column)

    def _take_totals(self, frame: Frame, row: SSAValue, column: SSAValue) -> None:
        """Keep the totals as the lanes."""
        assert self.totals is not None
        self.parts.store(row, column, self.totals.load(frame, row, column))

    def _flush_if_needed(self) -> None:
        """After a block, put it into the totals, unless it is the only one."""
        if self.totals is not None:
            self.weaver.branch(self.has_totals, lambda: self._rows(self.used, self._flush))
            keep_scalar(self.weaver.block.last_op)

    def _start(self, number: SSAValue) -> None:
        """Before an element that begins a block, put the block before it into the totals."""
        if not self.block:
            return
        weaver = self.weaver
        within = weaver.compute(arith.RemUIOp, number, weaver.index(self.block))
        begins = weaver.compare("eq", within, self.zero)
        later = weaver.compare("ne", number, self.zero)
        weaver.branch(
            weaver.compute(arith.AndIOp, begins, later),
            lambda: self._rows(self.used, self._flush),
        )
        keep_scalar(weaver.block.last_op)

    def _element(self, frame: Frame, _: Values) -> Values:
        """Accumulate one element of each column, after the block before it."""
        indices = [frame.scalars[index] for index in self.op.indices]
        number = element_number(self.weaver, indices, self.extents)
        self._start(number)
        self._accumulate_element(frame, number)
        return ()

    def _accumulate_element(self, frame: Frame, number: SSAValue) -> None:
        """Accumulate the element with a number, of each column."""
        lane = self.weaver.compute(arith.AndIOp, number, self.weaver.index(self.lanes - 1))

        def accumulate(at: Frame, column: SSAValue) -> None:
            old = self._old(at, number, lane, column)
            new = body_values(self.scheduler, self.op, at)
            self.parts.store(lane, column, self.combined(at, old, new))

        self.columns.values(frame, accumulate)

    def _old(self, frame: Frame, number: SSAValue, lane: SSAValue, column: SSAValue) -> Values:
        """Return the accumulator that an element goes into."""
        old = self.parts.load(frame, lane, column)
        if self.op.kind.data == CUSTOM:
            return old
        weaver = self.weaver
        is_first = weaver.compare("slt", number, weaver.index(self.lanes))
        start = start_values(self.scheduler, self.op, frame, frame.lanes)
        return [
            weaver.add(make_op(arith.SelectOp, operands=[is_first, a, b], result_types=[a.type]))
            for a, b in zip(start, old, strict=True)
        ]

    def is_grouped(self) -> bool:
        """Whether a lane has several elements, between which its accumulator is not stored."""
        nest = self.op.parent_op()
        is_short = nest is not None and SHORT_ROWS in nest.attributes
        return (
            not is_short
            and len(self.extents) == 1
            and self.columns.size > self.frame.lanes
            and self.block % (self.group * self.lanes) == 0
            and self.scheduler.is_light(self.op.block)
        )

    def _over_one_index(self) -> None:
        """Accumulate the blocks one after the other; without blocks, all is one."""
        if self.totals is None:
            self._over_block(self.zero, self.count)
            return
        weaver, size = self.weaver, self.weaver.index(self.block)

        def block(first: SSAValue, _: Values) -> Values:
            end = weaver.compute(arith.AddiOp, first, size)
            self._over_block(first, weaver.compute(arith.MinSIOp, end, self.count))
            self._flush_if_needed()
            return ()

        weaver.loop((self.zero, self.count, size), (), block)

    def _over_block(self, start: SSAValue, stop: SSAValue) -> None:
        """Accumulate several elements of each lane at a time, or one element after the other."""
        weaver = self.weaver
        if self.is_grouped():
            group = weaver.index(self.group * self.lanes)
            count = weaver.compute(arith.SubiOp, stop, start)
            rest = weaver.compute(arith.RemUIOp, count, group)
            whole = weaver.compute(arith.SubiOp, stop, rest)
            weaver.loop((start, whole, group), (), self._accumulate_group)
            start = whole
            if self.lanes > 1:
                some = weaver.compute(arith.MinSIOp, rest, weaver.index(self.lanes))
                bounds = (self.zero, some, self.one)
                weaver.loop(bounds, (), lambda lane, _: self._accumulate_rest(whole, stop, lane))
                return

        def element(number: SSAValue, _: Values) -> Values:
            inner = self.frame.inner()
            inner.scalars[self.op.indices[0]] = number
            self._accumulate_element(inner, number)
            return ()

        weaver.loop((start, stop, self.one), (), element)

    def _accumulate_group(self, first: SSAValue, _: Values) -> Values:
        return self.weaver.loop(
            (self.zero, self.weaver.index(self.lanes), self.one),
            (),
            lambda lane, _: self._accumulate_lane(first, lane),
        )

    def _accumulate_lane(self, first: SSAValue, lane: SSAValue) -> Values:
        weaver, index = self.weaver, self.op.indices[0]
        numbers = [weaver.compute(arith.AddiOp, first, lane)]
        for _ in range(self.group - 1):
            numbers.append(weaver.compute(arith.AddiOp, numbers[-1], weaver.index(self.lanes)))

        def accumulate(frame: Frame, column: SSAValue) -> None:
            values = self._old(frame, first, lane, column)
            for number in numbers:
                inner = frame.inner()
                inner.scalars[index] = number
                new = body_values(self.scheduler, self.op, inner)
                values = self.combined(inner, values, new)
            self.parts.store(lane, column, values)

        self.columns.values(self.frame, accumulate)
        return ()

    def _accumulate_rest(self, first: SSAValue, stop: SSAValue, lane: SSAValue) -> Values:
        """Accumulate the elements of a lane from a first group of L on: fewer than a whole one."""
        weaver, index = self.weaver, self.op.indices[0]
        begin = weaver.compute(arith.AddiOp, first, lane)

        def accumulate(frame: Frame, column: SSAValue) -> None:
            def element(number: SSAValue, values: Values) -> Values:
                inner = frame.inner()
                inner.scalars[index] = number
                new = body_values(self.scheduler, self.op, inner)
                return self.combined(inner, values, new)

            old = self._old(frame, first, lane, column)
            bounds = (begin, stop, weaver.index(self.lanes))
            self.parts.store(lane, column, weaver.loop(bounds, old, element))

        self.columns.values(self.frame, accumulate)
        return ()

    def _halve(self, number: SSAValue, _: Values) -> Values:
        """Combine lane l with lane l + L/2, then L/4 ..., as far as there are lanes in use."""
        weaver = self.weaver
        half = weaver.compute(arith.ShRUIOp, weaver.index(self.lanes // 2), number)
        above = weaver.compute(arith.SubiOp, self.used, half)

        def accumulate(frame: Frame, row: SSAValue, column: SSAValue) -> None:
            other = self.parts.load(frame, weaver.compute(arith.AddiOp, row, half), column)
            self.parts.combine(frame, row, column, other)

        self._rows(weaver.compute(arith.MinSIOp, half, above), accumulate)
        return ()


def order_of_columns(op: ReduceOp) -> tuple[int, int]:
    """Return the lanes and the block of a column: one of any length where no order is another."""
    if FIRST_EXTREME in op.attributes:
        return 1, 0
    return op.lane_count, op.elements_per_block
