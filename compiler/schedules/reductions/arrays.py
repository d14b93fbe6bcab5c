"""How does a reduction run in scalar code while its order stays what it is?

The L lanes of the order are an array in private memory. L elements at a time are accumulated by an
inner loop of L steps, which a compiler of OpenCL C turns into vectors: the array of a block is only
ever indexed by such loops, so that it can live in registers. What is left over goes to a second
array.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue

from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.scheduled import AS_LANES
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import i64
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .accumulators import (
    Accumulators,
    bind_results,
    body_values,
    combine,
    element_number,
    keep_scalar,
    start_values,
)


class ArrayReduction:
    """A reduction to one result, computed by one work item."""

    def __init__(
        self, scheduler: Scheduler, op: ReduceOp, frame: Frame, lanes: int | None = None
    ) -> None:
        """Prepare to build a reduction of more than one lane, or with blocks."""
        self.scheduler, self.weaver, self.op, self.frame = scheduler, scheduler.weaver, op, frame
        weaver = self.weaver
        self.lanes, self.block = lanes or op.lane_count, op.elements_per_block
        self.extents = [] if lanes else [weaver.scalar(extent, frame) for extent in op.extents]
        self.zero, self.one, self.width = (weaver.index(n) for n in (0, 1, self.lanes))

    def build(self) -> Values:
        """Build everything; return the results."""
        if len(self.extents) > 1 or self.op.kind.data == CUSTOM:
            return self._long()
        is_short = self.weaver.compare("slt", self.extents[0], self.width)
        return self.weaver.branch(is_short, self._short, self._long)

    def _short(self) -> Values:
        """Reduce fewer than L elements. Lanes without one are left out, which changes nothing."""
        weaver, frame, zero, (count,) = self.weaver, self.frame, self.zero, self.extents
        array = self._array()
        array.clear(frame, zero, zero)

        def element(index: SSAValue, _: Values) -> Values:
            inner = frame.inner()
            inner.scalars[self.op.indices[0]] = index
            start = start_values(self.scheduler, self.op, inner, 1)
            values: Values = body_values(self.scheduler, self.op, inner)
            for _level in range(2 if self.block else 1):
                values = combine(self.scheduler, self.op, inner, start, values)
            array.store(index, zero, values)
            return ()

        def halve(step: SSAValue, _: Values) -> Values:
            half = weaver.compute(arith.ShRUIOp, weaver.index(self.lanes // 2), step)
            above = weaver.compute(arith.SubiOp, count, half)

            def accumulate(lane: SSAValue) -> None:
                other = weaver.compute(arith.AddiOp, lane, half)
                array.combine(frame, lane, zero, array.load(frame, other, zero))

            self.each_lane(accumulate, weaver.compute(arith.MinSIOp, half, above))
            keep_scalar(weaver.block.last_op)
            return ()

        weaver.loop((zero, count, self.one), (), element)
        weaver.loop((zero, weaver.index(self.lanes.bit_length() - 1), self.one), (), halve)
        return array.load(frame, zero, zero)

    def _long(self) -> Values:
        totals = self._array()
        self.each_lane(lambda lane: totals.clear(self.frame, lane, self.zero))
        if len(self.extents) == 1:
            self._over_one_index(totals)
        else:
            self._over_rows(totals)
        return self.halve(totals)

    def _array(self) -> Accumulators:
        return Accumulators(self.scheduler, self.op, self.lanes, 1)

    def each_lane(self, build: Callable[[SSAValue], None], count: SSAValue | None = None) -> None:
        """Build `build(lane)` in a loop."""

        def inside(lane: SSAValue, _: Values) -> Values:
            build(lane)
            return ()

        self.weaver.loop((self.zero, count or self.width, self.one), (), inside)
        if count is None:
            loop = self.weaver.block.last_op
            assert loop is not None
            loop.attributes[AS_LANES] = IntegerAttr(self.lanes, i64)

    def _element(self, frame: Frame, array: Accumulators, lane: SSAValue, index: SSAValue) -> None:
        """Accumulate the element at `index` of the last dimension in a lane."""
        inner = frame.inner()
        array.combine(inner, lane, self.zero, self.element_values(inner, index))

    def element_values(self, frame: Frame, index: SSAValue) -> Values:
        """Compute the element at `index` of the last dimension."""
        frame.scalars[self.op.indices[-1]] = index
        return body_values(self.scheduler, self.op, frame)

    def _chunks(
        self, frame: Frame, array: Accumulators, start: SSAValue, count: SSAValue
    ) -> SSAValue:
        """Accumulate whole groups of L elements, the first in lane 0; return where they end."""
        weaver = self.weaver
        whole = weaver.compute(arith.AndIOp, count, weaver.index(-self.lanes))
        stop = weaver.compute(arith.AddiOp, start, whole)

        def chunk(first: SSAValue, _: Values) -> Values:
            self.each_lane(
                lambda lane: self._element(
                    frame, array, lane, weaver.compute(arith.AddiOp, first, lane)
                )
            )
            return ()

        weaver.loop((start, stop, self.width), (), chunk)
        return stop

    def _rest(self, frame: Frame, array: Accumulators, start: SSAValue, stop: SSAValue) -> None:
        """Accumulate fewer than L elements, the first in lane 0."""
        weaver = self.weaver

        def element(index: SSAValue, _: Values) -> Values:
            lane = weaver.compute(arith.SubiOp, index, start)
            self._element(frame, array, lane, index)
            return ()

        weaver.loop((start, stop, self.one), (), element)
        if self.scheduler.is_light(self.op.block):
            keep_scalar(weaver.block.last_op)

    def reduce_block(self, start: SSAValue, stop: SSAValue) -> Accumulators:
        """Accumulate the elements of one block; return its lane values."""
        weaver, frame = self.weaver, self.frame
        lanes, rest = self._array(), self._array()
        self.each_lane(lambda lane: lanes.clear(frame, lane, self.zero))
        count = weaver.compute(arith.SubiOp, stop, start)
        end = self._chunks(frame, lanes, start, count)
        self.each_lane(lambda lane: rest.store(lane, self.zero, lanes.load(frame, lane, self.zero)))
        self._rest(frame, rest, end, stop)
        return rest

    def add_block(self, totals: Accumulators, lanes: Accumulators) -> None:
        """Combine the lane values of a block with the totals."""
        frame, zero = self.frame, self.zero
        self.each_lane(
            lambda lane: totals.combine(frame, lane, zero, lanes.load(frame, lane, zero))
        )

    def _over_one_index(self, totals: Accumulators) -> None:
        weaver, (stop,) = self.weaver, self.extents
        if not self.block:
            lanes = self.reduce_block(self.zero, stop)
            frame, zero = self.frame, self.zero
            self.each_lane(lambda lane: totals.store(lane, zero, lanes.load(frame, lane, zero)))
            return

        def block(first: SSAValue, _: Values) -> Values:
            end = weaver.compute(arith.AddiOp, first, weaver.index(self.block))
            end = weaver.compute(arith.MinSIOp, end, stop)
            self.add_block(totals, self.reduce_block(first, end))
            return ()

        weaver.loop((self.zero, stop, weaver.index(self.block)), (), block)

    def _over_rows(self, totals: Accumulators) -> None:
        """Accumulate rows of the last dimension: up to lane 0, whole groups, and what is left."""
        weaver, op = self.weaver, self.op
        lanes = self._array() if self.block else totals
        if self.block:
            self.each_lane(lambda lane: lanes.clear(self.frame, lane, self.zero))
        length = self.extents[-1]

        def row(frame: Frame, _: Values) -> Values:
            outer = [frame.scalars[index] for index in op.indices[:-1]]
            number = element_number(weaver, outer, self.extents[:-1])
            number = weaver.compute(arith.MuliOp, number, length)
            self._row(frame, lanes, totals, number)
            return ()

        self.scheduler.nest(op.indices[:-1], self.extents[:-1], self.frame, row)
        if self.block:
            self.add_block(totals, lanes)

    def _row(
        self, frame: Frame, lanes: Accumulators, totals: Accumulators, number: SSAValue
    ) -> None:
        """Accumulate a row whose first element has a number."""
        weaver, length = self.weaver, self.extents[-1]
        last_lane = weaver.index(self.lanes - 1)
        missing = weaver.compute(arith.SubiOp, self.zero, number)
        missing = weaver.compute(arith.AndIOp, missing, last_lane)
        head = weaver.compute(arith.MinSIOp, missing, length)

        def single(index: SSAValue, _: Values) -> Values:
            place = weaver.compute(arith.AddiOp, number, index)
            lane = weaver.compute(arith.AndIOp, place, last_lane)
            self._element(frame, lanes, lane, index)
            return ()

        weaver.loop((self.zero, head, self.one), (), single)

        def group(first: SSAValue, _: Values) -> Values:
            self._begin(frame, lanes, totals, weaver.compute(arith.AddiOp, number, first))
            stop = weaver.compute(arith.AddiOp, first, self.width)

            def whole() -> Values:
                self.each_lane(
                    lambda lane: self._element(
                        frame, lanes, lane, weaver.compute(arith.AddiOp, first, lane)
                    )
                )
                return ()

            def part() -> Values:
                self._rest(frame, lanes, first, length)
                return ()

            weaver.branch(weaver.compare("sle", stop, length), whole, part)
            return ()

        weaver.loop((head, length, self.width), (), group)

    def _begin(
        self, frame: Frame, lanes: Accumulators, totals: Accumulators, number: SSAValue
    ) -> None:
        """Where an element begins a block, put the block before it into the totals."""
        if not self.block:
            return
        weaver, zero = self.weaver, self.zero
        within = weaver.compute(arith.RemUIOp, number, weaver.index(self.block))
        begins = weaver.compare("eq", within, zero)
        later = weaver.compare("ne", number, zero)

        def flush(lane: SSAValue) -> None:
            totals.combine(frame, lane, zero, lanes.load(frame, lane, zero))
            lanes.clear(frame, lane, zero)

        def all_lanes() -> Values:
            self.each_lane(flush)
            return ()

        weaver.branch(weaver.compute(arith.AndIOp, begins, later), all_lanes)

    def halve(self, array: Accumulators) -> list[SSAValue]:
        """Combine lane l with lane l + L/2, then l + L/4 ..., until one is left."""
        weaver, frame, zero = self.weaver, self.frame, self.zero
        half = self.lanes // 2
        while half:
            distance = weaver.index(half)

            def accumulate(lane: SSAValue, distance: SSAValue = distance) -> None:
                other = weaver.compute(arith.AddiOp, lane, distance)
                array.combine(frame, lane, zero, array.load(frame, other, zero))

            self.each_lane(accumulate, distance)
            half //= 2
        return array.load(frame, zero, zero)


def array_reduction(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take every reduction of several lanes, or with blocks, in scalar code."""
    bind_results(op, ArrayReduction(scheduler, op, frame).build(), frame)
    return True
