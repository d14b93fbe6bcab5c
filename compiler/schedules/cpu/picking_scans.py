"""How do scans along memory run that pick one of their elements? Several elements at once.

    for j in (0, columns) step 8                       of one row
      x0 ... x7 = x[j:]
      p = x;   p = best(p before them by 1, p), by 2, by 4       so each lane has met all before it
      y[j:] = best(before, p)
      q = where x is as good as y: its place, else -1;   the same with the largest q
      z[j:] = max(place before, q)

The best element so far, and the last place of one as good, are found whatever is combined first.
From one vector to the next there is one combination alone. Of two floats the later one is taken
unless the earlier one is beyond it, which is one instruction, and wrong for NaN alone: where there
is one, or has been one, elements are taken one by one.

Places have 32 bits. Elements behind the first 2^31, and those that fill no vector, are taken one by
one, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, StringAttr
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import (
    AnyOp,
    CompareOp,
    ConvertOp,
    ExtractOp,
    LaneIdsOp,
    SelectOp,
    SplatOp,
)
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.preceding import PrecedingOp
from ....dialects.kernel.reductions import combining_op
from ....dialects.kernel.structured import LATEST_EXTREME, ScanOp
from ....dialects.kernel.types import i32, i64
from ....dialects.making import make_op
from ..lanes import Frame
from ..reductions.accumulators import body_values, combine, start_values
from ..reductions.serial import show
from ..scheduler import Scheduler, Values
from .scan_accesses import is_along

#: Elements at once: two vectors of 256 bits wait for half as many combinations as one.
LANES = 16
#: How many elements have a place.
PLACES = 1 << 31


def is_picking(op: ScanOp) -> bool:
    """Whether a scan along memory picks elements that fill lanes."""
    accesses = [item for item in op.walk() if isinstance(item, LoadOp | StoreOp)]
    return LATEST_EXTREME in op.attributes and all(is_along(access, op) for access in accesses)


def picking_scan(scheduler: Scheduler, op: ScanOp, frame: Frame) -> bool:
    """Take scans of one row that pick."""
    if frame.lanes > 1 or not is_picking(op):
        return False
    PickingScan(scheduler, op, frame).build()
    return True


class PickingScan:
    """A scan of one row."""

    def __init__(self, scheduler: Scheduler, op: ScanOp, frame: Frame) -> None:
        """Note what is picked."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.op, self.frame = op, frame
        self.index, self.type = op.indices[0], op.value_types[0]
        self.is_float = isinstance(self.type, AnyFloat)
        words = op.attributes[LATEST_EXTREME]
        assert isinstance(words, StringAttr)
        self.kind, *unsigned = words.data.split()
        self.is_unsigned = bool(unsigned)

    def build(self) -> None:
        """Build a loop over whole vectors, and over the elements that are left."""
        weaver = self.weaver
        extent = weaver.scalar(self.op.extents[0], self.frame)
        whole = weaver.compute(arith.MinSIOp, extent, weaver.index(PLACES))
        whole = weaver.compute(arith.AndIOp, whole, weaver.index(-LANES))
        start = self._in_lanes(start_values(self.scheduler, self.op, self.frame, 1))
        found = weaver.loop((weaver.index(0), whole, weaver.index(LANES)), start, self._vector)
        weaver.loop((whole, extent, weaver.index(1)), self._scalars(found), self._single)

    def _in_lanes(self, values: Values) -> Values:
        """Return an element and its place in all lanes."""
        value, place = values
        place = self.weaver.add(make_op(arith.TruncIOp, operands=[place], result_types=[i32]))
        return [self.weaver.splat(value, LANES), self.weaver.splat(place, LANES)]

    def _scalars(self, values: Values) -> Values:
        """Return an element and its place that are in all lanes."""
        value, place = [self.weaver.add(ExtractOp.make(value)) for value in values]
        return [
            value,
            self.weaver.add(make_op(arith.ExtSIOp, operands=[place], result_types=[i64])),
        ]

    def _vector(self, first: SSAValue, before: Values) -> Values:
        """Build what is done with a vector of elements; return what has been picked."""
        weaver = self.weaver
        inner = self.frame.inner(LANES)
        inner.bases[self.index] = first
        elements = body_values(self.scheduler, self.op, inner)[0]
        if not self.is_float:
            return self._at_once(first, elements, before, inner)

        def one_by_one() -> Values:
            stop = weaver.compute(arith.AddiOp, first, weaver.index(LANES))
            bounds = first, stop, weaver.index(1)
            return self._in_lanes(weaver.loop(bounds, self._scalars(before), self._single))

        is_lost = weaver.add(AnyOp.make(weaver.add(CompareOp.make("uno", before[0], elements))))
        at_once = partial(self._at_once, first, elements, before, inner)
        return weaver.branch(is_lost, one_by_one, at_once)

    def _at_once(self, first: SSAValue, elements: SSAValue, before: Values, frame: Frame) -> Values:
        """Pick up to each lane; return what has been picked of all, in all lanes."""
        weaver = self.weaver
        largest = partial(weaver.compute, arith.MaxSIOp)
        best = self._up_to_each(elements, self._better)
        shown = self._better(before[0], best)
        word = "oeq" if self.is_float else "eq"
        is_as_good = weaver.add(CompareOp.make(word, elements, shown))
        nowhere = weaver.splat(weaver.constant(-1, i32), LANES)
        found = weaver.add(SelectOp.make(is_as_good, self._places(first), nowhere))
        found = self._up_to_each(found, largest)
        self._show(frame, shown, largest(before[1], found))
        return [
            self._better(before[0], self._last(best)),
            largest(before[1], self._last(found)),
        ]

    def _up_to_each(
        self, values: SSAValue, better: Callable[[SSAValue, SSAValue], SSAValue]
    ) -> SSAValue:
        """Return the best lane up to each one."""
        block = 1
        while block < LANES:
            preceding = self.weaver.add(PrecedingOp.make(values, block))
            values = better(preceding, values)
            block *= 2
        return values

    def _better(self, earlier: SSAValue, later: SSAValue) -> SSAValue:
        """Return the better one of two that are no NaN; the later one of equals."""
        weaver = self.weaver
        if not self.is_float:
            kind = combining_op(self.kind, self.type, self.is_unsigned)
            return weaver.compute(kind, earlier, later)
        word = "ogt" if self.kind == "maximum" else "olt"
        is_beyond = weaver.add(CompareOp.make(word, earlier, later))
        return weaver.add(SelectOp.make(is_beyond, earlier, later))

    def _last(self, values: SSAValue) -> SSAValue:
        """Return the last lane in all lanes."""
        last = self.weaver.add(ExtractOp.make(values, LANES - 1))
        return self.weaver.add(SplatOp.make(last, LANES))

    def _places(self, first: SSAValue) -> SSAValue:
        """Return the places of the lanes."""
        weaver = self.weaver
        start = weaver.add(make_op(arith.IndexCastOp, operands=[first], result_types=[i32]))
        numbers = weaver.front(LaneIdsOp.make(LANES, i32))
        return weaver.compute(arith.AddiOp, weaver.splat(start, LANES), numbers)

    def _show(self, frame: Frame, value: SSAValue, place: SSAValue) -> None:
        """Store what has been picked up to each lane."""
        into = self.op.into.blocks[0]
        index, element, number = into.args
        frame.bases[index] = frame.bases[self.index]
        frame.vectors[element] = value
        frame.vectors[number] = self.weaver.add(ConvertOp.make("extsi", place, i64))
        self.scheduler.body(into, frame)

    def _single(self, index: SSAValue, before: Values) -> Values:
        """Build what is done with one element."""
        inner = self.frame.inner()
        inner.scalars[self.index] = index
        values = body_values(self.scheduler, self.op, inner)
        combined = combine(self.scheduler, self.op, inner, before, values)
        show(self.scheduler, self.op, inner, combined)
        return combined
