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

from ....dialects.kernel.lanes import CompareOp, ConvertOp, ExtractOp, SelectOp, SliceOp
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
        self.values = 2
        least = weaver.splat(weaver.constant(self.least, self.key_type), self.wide)
        self.neutral = [least, weaver.splat(weaver.constant(NOWHERE, i64), self.wide)] * self.count

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
        """Search one block; lanes that have no element in it are as they began."""
        weaver = self.weaver
        self.begin = first
        zero = weaver.splat(weaver.constant(0, i32), self.wide)
        start = [value for pair in self.split(self.neutral) for value in (pair[0], zero)]
        found = super().over(first, stop, start)
        used = self.masks(weaver.compute(arith.SubiOp, stop, first))
        result: list[SSAValue] = []
        for number, (keys, steps) in enumerate(self.split(found)):
            ids = weaver.compute(
                arith.AddiOp, weaver.splat(first, self.wide), weaver.lane_ids(self.wide)
            )
            if number:
                shift = weaver.splat(weaver.index(number * self.wide), self.wide)
                ids = weaver.compute(arith.AddiOp, ids, shift)
            places = weaver.add(ConvertOp.make("index_cast", ids, i64))
            far = weaver.add(ConvertOp.make("extsi", steps, i64))
            places = weaver.compute(arith.AddiOp, places, far)
            nowhere = self.neutral[1]
            result += [keys, weaver.add(SelectOp.make(used[number], places, nowhere))]
        return result

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

    def combine_all(self, left: Values, right: Values) -> list[SSAValue]:
        """Combine all lanes with those of a later block."""
        combined: list[SSAValue] = []
        for a, b in zip(self.split(left), self.split(right), strict=True):
            combined += self._better(a, b)
        return combined

    def _better(self, one: Values, other: Values) -> list[SSAValue]:
        """Return the larger keys with their places, or the first places of equal ones."""
        weaver = self.weaver
        wins = weaver.compute(
            arith.OrIOp,
            weaver.add(CompareOp.make("sgt", other[0], one[0])),
            weaver.compute(
                arith.AndIOp,
                weaver.add(CompareOp.make("eq", other[0], one[0])),
                weaver.add(CompareOp.make("slt", other[1], one[1])),
            ),
        )
        return [weaver.add(SelectOp.make(wins, b, a)) for a, b in zip(one, other, strict=True)]

    def halve(self, flat: Values) -> list[SSAValue]:
        """Return the element that is found, and its index; what it starts from if there is none."""
        weaver, (first, *others) = self.weaver, self.split(flat)
        keys, places = first
        for pair in others:
            keys, places = self._better((keys, places), pair)
        best = weaver.splat(_of_lanes(weaver, arith.MaxSIOp, keys), self.wide)
        among = weaver.add(CompareOp.make("eq", keys, best))
        places = weaver.add(SelectOp.make(among, places, self.neutral[1]))
        place = _of_lanes(weaver, arith.MinSIOp, places)

        def element() -> Values:
            inner = self.frame.inner()
            cast = make_op(arith.IndexCastOp, operands=[place], result_types=[type_of_index])
            inner.scalars[self.index] = weaver.add(cast)
            return self.element(inner)

        is_some = weaver.compare("ne", place, weaver.constant(NOWHERE, i64))
        start = start_values(self.scheduler, self.op, self.frame, 1)
        return list(weaver.branch(is_some, element, lambda: start))


def _of_lanes(
    weaver: Weaver, combine: type[arith.MaxSIOp | arith.MinSIOp], value: SSAValue
) -> SSAValue:
    """Return what the lanes of a vector combine to, in any order."""
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

    def lane_values(self, values: Sequence[SSAValue]) -> Values:
        """Return elements and indices of lanes."""
        weaver, (_, places) = self.weaver, values
        used = weaver.add(CompareOp.make("ne", places, self.neutral[1]))
        inner = self.frame.inner(self.wide, used)
        inner.vectors[self.index] = weaver.add(ConvertOp.make("index_cast", places, type_of_index))
        start = start_values(self.scheduler, self.op, self.frame, self.wide)
        found = self.element(inner)
        return [weaver.add(SelectOp.make(used, a, b)) for a, b in zip(found, start, strict=True)]


def first_extreme(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> bool:
    """Take searches in blocks where the code around them is scalar."""
    if frame.lanes > 1 or op.lane_count == 1 or not op.elements_per_block:
        return False
    if not finds_first(scheduler, op):
        return False
    search = FirstExtreme(scheduler, op, frame, scheduler.lanes_for(op.block))
    search.prepare()
    bind_results(op, search.halve(search.over_one_index()), frame)
    return True
