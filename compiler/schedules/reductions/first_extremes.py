"""How is the first of the largest elements found? By elements in order, which need no indices.

The lanes of a block take in their elements one after the other, so that of equal ones the first
stays where only a larger one wins. So a lane carries an integer of the same order as its element,
and how far the block had come, as 32 bits; indices are compared between lanes and between blocks
alone. What the element and its index are is computed again, once, at the end. The smallest element
is the largest by the opposite order.

With indices of 64 bits that are compared at each step, and with six comparisons more for NaN, 1e6
floats take 150 us, where a sum takes 36.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, StringAttr
from xdsl.ir import Attribute, SSAValue

from ....dialects.kernel.lanes import (
    CompareOp,
    ConvertOp,
    ExtractOp,
    LaneIdsOp,
    SelectOp,
    SliceOp,
)
from ....dialects.kernel.structured import FIRST_EXTREME, ReduceOp
from ....dialects.kernel.types import (
    element_of,
    f32,
    f64,
    i32,
    i64,
    is_vector,
    lanes_of,
    same_lanes,
    type_of_index,
)
from ....dialects.making import make_op
from ..lanes import Frame, Weaver
from ..scheduler import Scheduler, Values
from .accumulators import bind_results, start_values
from .lane_nests import LaneNestVectors
from .searches import Search, is_search_of_row
from .vectors import VectorReduction

#: Which integers order elements of a type.
_KEYS: dict[Attribute, IntegerType] = {f32: i32, f64: i64, i32: i32, i64: i64}
#: Beyond the place of any element.
NOWHERE = (1 << 63) - 1


def finds_first(scheduler: Scheduler, op: ReduceOp) -> bool:
    """Whether a reduction is such a search, of elements that fill lanes of registers."""
    return (
        FIRST_EXTREME in op.attributes
        and not scheduler.narrow
        and len(op.indices) == 1
        and op.result_types[0] in _KEYS
    )


class FirstExtreme(VectorReduction):
    """A search along one index, whose lanes are vectors: of each group keys, and places."""

    def prepare(self) -> None:
        """Note what elements are ordered by, and what a lane without elements has."""
        weaver = self.weaver
        words = self.op.attributes[FIRST_EXTREME]
        assert isinstance(words, StringAttr)
        kind, *unsigned = words.data.split()
        self.is_smallest, self.is_unsigned = kind == "minimum", bool(unsigned)
        self.key_type = _KEYS[self.op.result_types[0]]
        bits = self.key_type.width.data
        self.least, self.highest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        self.least_keys = weaver.splat(weaver.constant(self.least, self.key_type), self.wide)
        self.nowhere = weaver.constant(NOWHERE, i64)
        self.values = 2

    def key(self, value: SSAValue) -> SSAValue:
        """Return integers that are as large among others as elements are; zeros are equal."""
        weaver, lanes = self.weaver, lanes_of(value.type)

        def number(value: float, type_: Attribute = self.key_type) -> SSAValue:
            return weaver.splat(weaver.constant(value, type_), lanes)

        if element_of(value.type) == self.key_type:
            turned = value
            if self.is_unsigned:
                turned = weaver.compute(arith.XOrIOp, turned, number(self.least))
            return self._turned(turned, number(-1))
        value = weaver.compute(arith.AddfOp, value, number(0.0, element_of(value.type)))
        type_ = same_lanes(value.type, self.key_type)
        bits = weaver.add(make_op(arith.BitcastOp, operands=[value], result_types=[type_]))
        width = self.key_type.width.data
        sign = weaver.compute(arith.ShRSIOp, bits, number(width - 1))
        turned = weaver.compute(
            arith.XOrIOp, bits, weaver.compute(arith.AndIOp, sign, number(self.highest))
        )
        is_number = weaver.add(CompareOp.make("oeq", value, value))
        turned = self._turned(turned, number(-1))
        return weaver.add(SelectOp.make(is_number, turned, number(self.highest)))

    def _turned(self, keys: SSAValue, ones: SSAValue) -> SSAValue:
        """Return the opposite order, if the smallest element is looked for."""
        return self.weaver.compute(arith.XOrIOp, keys, ones) if self.is_smallest else keys

    def over(self, first: SSAValue, stop: SSAValue, lanes: Values) -> Values:
        """Search one block: keys, and how far the block had come."""
        self.begin = first
        zero = self.weaver.splat(self.weaver.constant(0, i32), self.wide)
        return super().over(first, stop, [self.least_keys, zero] * self.count)

    def over_one_index(self) -> Values:
        """Search block by block; return the largest key of all, and its first place."""
        weaver, (stop,) = self.weaver, self.extents

        def block(first: SSAValue, totals: Values) -> Values:
            end = weaver.compute(arith.AddiOp, first, weaver.index(self.block))
            end = weaver.compute(arith.MinSIOp, end, stop)
            found = self._of_block(first, end)
            is_larger = weaver.compare("sgt", found[0], totals[0])
            is_first = weaver.compare("eq", totals[1], self.nowhere)
            wins = weaver.compute(arith.OrIOp, is_larger, is_first)
            return [_chosen(weaver, wins, *pair) for pair in zip(found, totals, strict=True)]

        start = [weaver.constant(self.least, self.key_type), self.nowhere]
        return weaver.loop((weaver.index(0), stop, weaver.index(self.block)), start, block)

    def _of_block(self, first: SSAValue, end: SSAValue) -> Values:
        """Return the largest key of a block, and its first place."""
        weaver = self.weaver
        groups = self.split(self.over(first, end, ()))
        best = _joined(weaver, arith.MaxSIOp, [keys for keys, _ in groups])
        largest = weaver.splat(best, self.wide)
        far = weaver.splat(weaver.constant((1 << 31) - 1, i32), self.wide)
        masks = self.masks(weaver.compute(arith.SubiOp, end, first))
        places: list[SSAValue] = []
        for number, (mask, (keys, steps)) in enumerate(zip(masks, groups, strict=True)):
            among = weaver.add(CompareOp.make("eq", keys, largest))
            among = weaver.compute(arith.AndIOp, among, mask)
            steps = weaver.compute(arith.AddiOp, steps, self._lane_numbers(number, i32))
            places.append(weaver.add(SelectOp.make(among, steps, far)))
        place = _joined(weaver, arith.MinSIOp, places)
        place = weaver.add(make_op(arith.ExtSIOp, operands=[place], result_types=[i64]))
        begin = weaver.add(make_op(arith.IndexCastOp, operands=[first], result_types=[i64]))
        return best, weaver.compute(arith.AddiOp, begin, place)

    def _lane_numbers(self, group: int, type_: Attribute) -> SSAValue:
        """Return the numbers of the lanes of a group."""
        weaver = self.weaver
        numbers = weaver.add(LaneIdsOp.make(self.wide, type_))
        if group:
            shift = weaver.splat(weaver.constant(group * self.wide, type_), self.wide)
            numbers = weaver.compute(arith.AddiOp, numbers, shift)
        return numbers

    def chunk(self, frame: Frame, first: SSAValue, lanes: Values, masks: Values = ()) -> Values:
        """Take in L elements from index `first` on; with masks, those of them that are set."""
        weaver, found = self.weaver, list[SSAValue]()
        step = weaver.compute(arith.SubiOp, first, self.begin)
        step = weaver.add(make_op(arith.IndexCastOp, operands=[step], result_types=[i32]))
        steps = weaver.splat(step, self.wide)
        for number, (best, place) in enumerate(self.split(lanes)):
            mask = masks[number] if masks else None
            inner, shift = frame.inner(self.wide, mask), number * self.wide
            inner.bases[self.index] = (
                weaver.compute(arith.AddiOp, first, weaver.index(shift)) if shift else first
            )
            key = self.key(self.element(inner)[0])
            wins = weaver.add(CompareOp.make("sgt", key, best))
            if mask is not None:
                wins = weaver.compute(arith.AndIOp, wins, mask)
            found += [
                weaver.add(SelectOp.make(wins, a, b)) for a, b in ((key, best), (steps, place))
            ]
        return found

    def results(self) -> Values:
        """Search; return the element and its index, or what it starts from if there is none."""
        weaver, (_, place) = self.weaver, self.over_one_index()

        def element() -> Values:
            inner = self.frame.inner()
            cast = make_op(arith.IndexCastOp, operands=[place], result_types=[type_of_index])
            inner.scalars[self.index] = weaver.add(cast)
            return self.element(inner)

        is_some = weaver.compare("ne", place, self.nowhere)
        start = start_values(self.scheduler, self.op, self.frame, 1)
        return weaver.branch(is_some, element, lambda: start)


def _chosen(weaver: Weaver, condition: SSAValue, one: SSAValue, other: SSAValue) -> SSAValue:
    operands = [condition, one, other]
    return weaver.add(make_op(arith.SelectOp, operands=operands, result_types=[one.type]))


def _joined(
    weaver: Weaver, combine: type[arith.MaxSIOp | arith.MinSIOp], vectors: Sequence[SSAValue]
) -> SSAValue:
    """Return what all lanes of vectors combine to, in any order."""
    value, *others = vectors
    for other in others:
        value = weaver.compute(combine, value, other)
    while is_vector(value.type):
        lanes = lanes_of(value.type) // 2
        if lanes == 1:
            halves = [weaver.add(ExtractOp.make(value, lane)) for lane in (0, 1)]
        else:
            halves = [weaver.add(SliceOp.make(value, first, lanes)) for first in (0, lanes)]
        value = weaver.compute(combine, *halves)
    return value


class LaneNestExtreme(FirstExtreme, LaneNestVectors):
    """The lanes of one block of a search that was split, whose elements are written."""

    def build(self) -> None:
        """Search the block, note which lanes have an element, and write what they found."""
        count = self.weaver.compute(arith.SubiOp, self.nest.stop, self.nest.first)
        self.used = self.masks(count)
        super().build()

    def lane_values(self, number: int, values: Values) -> Values:
        """Return elements and indices of a group of lanes."""
        weaver, used, (_, steps) = self.weaver, self.used[number], values
        far = weaver.add(ConvertOp.make("extsi", steps, i64))
        far = weaver.compute(arith.AddiOp, far, self._lane_numbers(number, i64))
        places = weaver.add(ConvertOp.make("index_cast", far, type_of_index))
        begin = weaver.splat(self.nest.first, self.wide)
        inner = self.frame.inner(self.wide, used)
        inner.vectors[self.index] = weaver.compute(arith.AddiOp, begin, places)
        start = start_values(self.scheduler, self.op, self.frame, self.wide)
        found = self.element(inner)
        return [weaver.add(SelectOp.make(used, a, b)) for a, b in zip(found, start, strict=True)]


def first_extreme(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take searches in blocks where the code around them is scalar."""
    if frame.lanes > 1 or op.lane_count == 1 or not op.elements_per_block:
        return False
    if is_search_of_row(scheduler, op):
        bind_results(op, Search(scheduler, op, [frame]).results(), frame)
        return True
    if not finds_first(scheduler, op):
        return False
    search = FirstExtreme(scheduler, op, frame, scheduler.lanes_for(op.block))
    search.prepare()
    bind_results(op, search.results(), frame)
    return True
