"""How does a reduction run on vectors (SIMD) while its order stays what it is?

The L lanes of the order are the lanes of a few vectors in registers. L elements at a time are
loaded, evaluated and accumulated as they lie in memory; what is left over is accumulated under a
mask.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import ExtractOp, MaskOp, SelectOp, SliceOp
from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import i1
from ..lanes import Frame, Weaver
from ..scheduler import Scheduler, Values
from .accumulators import (
    Accumulators,
    bind_results,
    body_values,
    combine,
    element_number,
    start_values,
)


class VectorReduction:
    """A reduction whose L lanes are the lanes of `count` vectors of `wide` lanes each."""

    def __init__(
        self, scheduler: Scheduler, op: ReduceOp, frame: Frame, wide: int, lanes: int | None = None
    ) -> None:
        """Choose how many vectors hold the lanes, which are those of the reduction unless said."""
        self.scheduler, self.weaver, self.op, self.frame = scheduler, scheduler.weaver, op, frame
        self.lanes, self.block = lanes or op.lane_count, op.elements_per_block
        #: What says which element it is.
        self.index = op.indices[-1]
        self.wide = min(wide, self.lanes)
        self.count = self.lanes // self.wide
        extents = () if lanes else op.extents
        self.extents = [self.weaver.scalar(extent, frame) for extent in extents]
        one = start_values(scheduler, op, frame, self.wide)
        self.neutral: Values = one * self.count
        self.values = len(one)
        #: Whether the totals of one block are its lanes. To combine them with what they start from
        #: would change nothing, and takes as long as several elements (logsumexp of 100: a fifth).
        self.is_first_block_all = op.kind.data == CUSTOM and op.is_neutral

    def element(self, frame: Frame) -> Values:
        """Compute the elements of a frame."""
        return body_values(self.scheduler, self.op, frame)

    def split(self, flat: Values) -> list[Values]:
        """Return the values of each vector group."""
        return [flat[first : first + self.values] for first in range(0, len(flat), self.values)]

    def combine_all(self, left: Values, right: Values) -> list[SSAValue]:
        """Combine all lanes with all lanes."""
        combined: list[SSAValue] = []
        for a, b in zip(self.split(left), self.split(right), strict=True):
            combined += combine(self.scheduler, self.op, self.frame, a, b)
        return combined

    def chunk(self, frame: Frame, first: SSAValue, lanes: Values, masks: Values = ()) -> Values:
        """Accumulate L elements from index `first` on; with masks, those of them that are set."""
        weaver, combined = self.weaver, list[SSAValue]()
        for number, old in enumerate(self.split(lanes)):
            mask = masks[number] if masks else None
            inner = frame.inner(self.wide, mask)
            shift = number * self.wide
            inner.bases[self.index] = (
                weaver.compute(arith.AddiOp, first, weaver.index(shift)) if shift else first
            )
            values = self.element(inner)
            new = combine(self.scheduler, self.op, inner, old, values)
            if mask is None:
                combined += new
            else:
                combined += [
                    weaver.add(SelectOp.make(mask, a, b)) for a, b in zip(new, old, strict=True)
                ]
        return combined

    def masks(self, count: SSAValue) -> list[SSAValue]:
        """Return masks of the first `count` of L lanes."""
        weaver, masks = self.weaver, list[SSAValue]()
        for number in range(self.count):
            shift = number * self.wide
            left = weaver.compute(arith.SubiOp, count, weaver.index(shift)) if shift else count
            masks.append(weaver.add(MaskOp.make(left, self.wide)))
        return masks

    def tail(self, first: SSAValue, stop: SSAValue, lanes: Values) -> Values:
        """Accumulate the last elements, fewer than L."""
        weaver = self.weaver
        if not self.scheduler.narrow:
            masks = self.masks(weaver.compute(arith.SubiOp, stop, first))
            return self.chunk(self.frame, first, lanes, masks)
        # Masked access to elements below 32 bits is slow or long code on most CPUs: go one by one.
        wide = self.frame.inner(self.wide)
        zero = weaver.index(0)
        parts = Accumulators(self.scheduler, self.op, self.count, self.wide)
        for number, values in enumerate(self.split(lanes)):
            parts.store(weaver.index(number), zero, values)

        def accumulate(index: SSAValue, _: Values) -> Values:
            inner = self.frame.inner()
            inner.scalars[self.index] = index
            lane = weaver.compute(arith.SubiOp, index, first)
            parts.combine(inner, zero, lane, self.element(inner))
            return ()

        weaver.loop((first, stop, weaver.index(1)), (), accumulate)
        loaded: list[SSAValue] = []
        for number in range(self.count):
            loaded += parts.load(wide, weaver.index(number), zero)
        return loaded

    def over(self, first: SSAValue, stop: SSAValue, lanes: Values) -> Values:
        """Accumulate the elements of one block of a reduction over one index."""
        weaver = self.weaver
        count = weaver.compute(arith.SubiOp, stop, first)
        count = weaver.compute(arith.AndIOp, count, weaver.index(-self.lanes))
        whole = weaver.compute(arith.AddiOp, first, count)
        lanes = weaver.loop(
            (first, whole, weaver.index(self.lanes)),
            lanes,
            lambda index, carried: self.chunk(self.frame, index, carried),
        )
        more = weaver.compare("slt", whole, stop)
        return weaver.branch(more, lambda: self.tail(whole, stop, lanes), lambda: lanes)

    def over_one_index(self) -> Values:
        """Reduce over one index, block by block."""
        weaver, zero, stop = self.weaver, self.weaver.index(0), self.extents[0]
        if not self.block:
            return self.over(zero, stop, self.neutral)

        def block(first: SSAValue, totals: Values) -> Values:
            end = weaver.compute(arith.AddiOp, first, weaver.index(self.block))
            end = weaver.compute(arith.MinSIOp, end, stop)
            found = self.over(first, end, self.neutral)
            if not self.is_first_block_all:
                return self.combine_all(totals, found)
            is_first = weaver.compare("eq", first, zero)
            return weaver.branch(is_first, lambda: found, lambda: self.combine_all(totals, found))

        return weaver.loop((zero, stop, weaver.index(self.block)), self.neutral, block)

    def over_rows(self) -> Values:
        """Reduce over several indices: rows of the last one, wherever their lanes begin.

        A row starts in the lane of its first element, so its first and last L elements may be
        partly masked, on either side.
        """
        weaver, op = self.weaver, self.op
        zero, length = weaver.index(0), self.extents[-1]
        neutral = self.neutral
        inits = (*neutral, *neutral) if self.block else neutral

        def row(frame: Frame, carried: Values) -> Values:
            outer = [frame.scalars[index] for index in op.indices[:-1]]
            number = element_number(weaver, outer, self.extents[:-1])
            number = weaver.compute(arith.MuliOp, number, length)
            phase = weaver.compute(arith.AndIOp, number, weaver.index(self.lanes - 1))
            end = weaver.compute(arith.AddiOp, length, phase)

            def chunk(position: SSAValue, carried: Values) -> Values:
                first = weaver.compute(arith.SubiOp, position, phase)
                return self._row_chunk(frame, first, number, carried)

            return weaver.loop((zero, end, weaver.index(self.lanes)), carried, chunk)

        result = self.scheduler.nest(op.indices[:-1], self.extents[:-1], self.frame, row, inits)
        if not self.block:
            return result
        half = len(neutral)
        return self.combine_all(result[half:], result[:half])

    def _row_chunk(self, frame: Frame, first: SSAValue, row: SSAValue, carried: Values) -> Values:
        """Accumulate up to L elements of a row, from index `first` on, which may be negative."""
        weaver, zero, length = self.weaver, self.weaver.index(0), self.extents[-1]
        half = len(self.neutral)
        lanes, totals = carried[:half], carried[half:]
        inside = weaver.compare("sge", first, zero)
        if self.block:
            number = weaver.compute(arith.AddiOp, row, first)
            within = weaver.compute(arith.RemSIOp, number, weaver.index(self.block))
            starts = weaver.compute(
                arith.AndIOp,
                weaver.compute(arith.AndIOp, weaver.compare("eq", within, zero), inside),
                weaver.compare("ne", number, zero),
            )
            flushed = weaver.branch(
                starts,
                lambda: [*self.neutral, *self.combine_all(totals, lanes)],
                lambda: carried,
            )
            lanes, totals = flushed[:half], flushed[half:]
        last = weaver.compute(arith.AddiOp, first, weaver.index(self.lanes))
        fits = weaver.compare("sle", last, length)
        whole = weaver.compute(arith.AndIOp, inside, fits)

        def part() -> Values:
            before = self.masks(weaver.compute(arith.SubiOp, zero, first))
            ones = weaver.splat(weaver.constant(1, i1), self.wide)
            masks = [
                weaver.compute(arith.AndIOp, mask, weaver.compute(arith.XOrIOp, skip, ones))
                for mask, skip in zip(
                    self.masks(weaver.compute(arith.SubiOp, length, first)), before, strict=True
                )
            ]
            return self.chunk(frame, first, lanes, masks)

        combined = weaver.branch(whole, lambda: self.chunk(frame, first, lanes), part)
        return [*combined, *totals]

    def halve(self, flat: Values) -> list[SSAValue]:
        """Combine lane l with lane l + L/2, then L/4 ..., until one is left."""
        weaver, groups = self.weaver, [list(group) for group in self.split(flat)]
        while len(groups) > 1:
            half = len(groups) // 2
            groups = [
                combine(self.scheduler, self.op, self.frame, a, b)
                for a, b in zip(groups[:half], groups[half:], strict=True)
            ]
        values, wide = groups[0], self.wide
        while wide > 1:
            wide //= 2
            halves = [
                [_part(weaver, value, first, wide) for value in values] for first in (0, wide)
            ]
            values = combine(self.scheduler, self.op, self.frame, *halves)
        return values


def _part(weaver: Weaver, vector: SSAValue, first: int, lanes: int) -> SSAValue:
    if lanes == 1:
        return weaver.add(ExtractOp.make(vector, first))
    return weaver.add(SliceOp.make(vector, first, lanes))


def vector_reduction(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take reductions of several lanes where the code around them is scalar."""
    if frame.lanes > 1 or op.lane_count == 1:
        return False
    reduction = VectorReduction(scheduler, op, frame, scheduler.lanes_for(op.block))
    is_over_one = len(op.indices) == 1
    lanes = reduction.over_one_index() if is_over_one else reduction.over_rows()
    bind_results(op, reduction.halve(lanes), frame)
    return True
