"""How is the first of the largest elements of a row found? As it is compared, several rows at once.

    for at in (0, n) step 16, for each of four rows, for each lane
      wins = x > m                         m is the largest element so far, and s where that was
      m, s = wins ? x, at + lane : m, s
      nan = nan + x                        NaN if an element is, or infinities of both signs
    largest = the largest m of all lanes
    place = the least s of those lanes whose m is that
    if a lane of nan is NaN, for each row: place = the first NaN, if there is one

Zeros are equal for a comparison of floats, and only NaN is not ordered by it: to turn each element
into an integer of the same order (`first_extremes.py`) takes seven instructions more. The four rows
of which one may have a NaN are read twice. The element is computed again, once, at its place.

At the end of a nest rows stand in for others that there are not: what they find is written again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.lanes import (
    AnyOp,
    CompareOp,
    ExtractOp,
    FirstSetOp,
    LaneIdsOp,
    MaskOp,
    SelectOp,
    SliceOp,
)
from ....dialects.kernel.memory import StoreOp
from ....dialects.kernel.rare import is_nest
from ....dialects.kernel.structured import FIRST_EXTREME, ParallelOp, ReduceOp
from ....dialects.kernel.types import f32, f64, i8, i16, i32, i64, is_vector, lanes_of
from ....dialects.making import all_operations, make_op
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .accumulators import bind_results, body_values, combine, ops_of_value, start_values
from .column_searches import FAR
from .strips import can_strip

_FLOATS = (f32, f64)
_INTEGERS = (i8, i16, i32, i64)
#: Rows at once: none waits for what is made of the lanes of another.
ROWS = 4
#: Bits of a mask that are one integer.
MOST_LANES = 64


def is_search_of_row(scheduler: Scheduler, op: ReduceOp) -> bool:
    """Whether a reduction is such a search, whose elements may be computed twice."""
    return (
        FIRST_EXTREME in op.attributes
        and op.lane_count > 1
        and not scheduler.narrow
        and len(op.indices) == 1
        and scheduler.is_light(op.block)
        and op.result_types[0] in (*_FLOATS, *_INTEGERS)
    )


def is_nest_of_searches(scheduler: Scheduler, op: ParallelOp) -> bool:
    """Whether a nest is a search of each row, and what is written of it may be written again."""
    function = op.parent_op()
    if not isinstance(function, FuncOp) or not can_strip(op):
        return False
    nests = [inner for inner in op.block.ops if is_nest(inner)]
    if len(nests) != 1 or not isinstance(nests[0], ReduceOp):
        return False
    written = {inner.buffer for inner in all_operations(op) if isinstance(inner, StoreOp)}
    extents = nests[0].extents
    if not all(isinstance(extent, BlockArgument) for extent in extents):
        return False
    return is_search_of_row(scheduler, nests[0]) and all(
        isinstance(buffer, BlockArgument) and function.is_noalias(buffer) for buffer in written
    )


def has_usual_length(scheduler: Scheduler, length: SSAValue) -> SSAValue:
    """Return whether a row has elements, and no more than places can say."""
    weaver = scheduler.weaver
    return weaver.compute(
        arith.AndIOp,
        weaver.compare("sgt", length, weaver.index(0)),
        weaver.compare("sle", length, weaver.index(FAR)),
    )


def one_by_one(scheduler: Scheduler, op: ReduceOp, frame: Frame) -> Values:
    """Search a row of no elements, or of very many."""

    def element(at: SSAValue, carried: Values) -> Values:
        inner = frame.inner()
        inner.scalars[op.indices[0]] = at
        return combine(scheduler, op, inner, carried, body_values(scheduler, op, inner))

    weaver = scheduler.weaver
    bounds = weaver.index(0), weaver.scalar(op.extents[0], frame), weaver.index(1)
    return weaver.loop(bounds, start_values(scheduler, op, frame, 1), element)


class Search:
    """A search along one index, in one or several rows."""

    def __init__(self, scheduler: Scheduler, op: ReduceOp, frames: Sequence[Frame]) -> None:
        """Choose how many elements are looked at at once."""
        self.scheduler, self.weaver, self.op, self.frames = scheduler, scheduler.weaver, op, frames
        words = op.attributes[FIRST_EXTREME]
        assert isinstance(words, StringAttr)
        kind, *unsigned = words.data.split()
        self.type = op.result_types[0]
        self.is_float = self.type in _FLOATS
        sign = "o" if self.is_float else "u" if unsigned else "s"
        #: Whether one element is beyond another.
        self.beyond = sign + ("gt" if kind == "maximum" else "lt")
        weaver, self.lanes = self.weaver, min(scheduler.width, MOST_LANES)
        self.stop = weaver.scalar(op.extents[0], frames[0])
        self.whole = weaver.compute(arith.AndIOp, self.stop, weaver.index(-self.lanes))
        #: The lanes of what is left over.
        rest = weaver.compute(arith.SubiOp, self.stop, self.whole)
        self.mask = weaver.add(MaskOp.make(rest, self.lanes))
        self.needed = ops_of_value(op, 0)

    def results(self) -> Values:
        """Search one row; return the element and its index, or what it starts from."""
        weaver, (frame,) = self.weaver, self.frames

        def some() -> Values:
            (place,), has_nan = self.places()
            if has_nan is not None:
                first = [place]
                first = weaver.branch(has_nan, lambda: [self.or_nan(frame, place)], lambda: first)
                (place,) = first
            return self.found(frame, place)

        is_usual = has_usual_length(self.scheduler, self.stop)
        return weaver.branch(is_usual, some, lambda: one_by_one(self.scheduler, self.op, frame))

    def found(self, frame: Frame, place: SSAValue) -> Values:
        """Return the element at a place, and its index."""
        inner = frame.inner()
        inner.scalars[self.op.indices[0]] = place
        return body_values(self.scheduler, self.op, inner)

    def _element(self, frame: Frame) -> SSAValue:
        """Compute elements, without their indices."""
        for op in self.needed:
            self.scheduler.translate(op, frame)
        last = self.op.block.last_op
        assert last is not None
        return self.weaver.vector(last.operands[0], frame)

    def places(self) -> tuple[Values, SSAValue | None]:
        """Return the first place of the largest element of each row, and whether one may be NaN."""
        weaver, lanes = self.weaver, self.lanes
        here = weaver.add(LaneIdsOp.make(lanes, i32))
        least = start_values(self.scheduler, self.op, self.frames[0], lanes)[0]
        carried = [here, *[least, here] * len(self.frames)]
        if self.is_float:
            carried.append(weaver.splat(weaver.constant(0.0, self.type), lanes))
        _, *found = self._walk(self.frames, carried, self._take)
        places = [self._first(*found[2 * row : 2 * row + 2]) for row in range(len(self.frames))]
        if not self.is_float:
            return places, None
        has_nan = weaver.add(CompareOp.make("uno", found[-1], found[-1]))
        return places, weaver.add(AnyOp.make(has_nan))

    def _take(self, frames: Sequence[Frame], _: SSAValue, carried: Values) -> Values:
        """Let lanes be their largest element so far, where it was, and what NaN are seen by."""
        weaver, mask, (here, *old) = self.weaver, frames[0].mask, carried
        following = weaver.splat(weaver.constant(self.lanes, i32), self.lanes)
        taken = [weaver.compute(arith.AddiOp, here, following)]
        elements = [self._element(frame) for frame in frames]
        for row, element in enumerate(elements):
            best, place = old[2 * row : 2 * row + 2]
            wins = weaver.add(CompareOp.make(self.beyond, element, best))
            if mask is not None:
                wins = weaver.compute(arith.AndIOp, wins, mask)
            for new, before in ((element, best), (here, place)):
                taken.append(weaver.add(SelectOp.make(wins, new, before)))
        if self.is_float:
            while len(elements) > 1:
                pairs = zip(elements[::2], elements[1::2], strict=True)
                elements = [weaver.compute(arith.AddfOp, *pair) for pair in pairs]
            total = weaver.compute(arith.AddfOp, old[-1], elements[0])
            if mask is not None:
                total = weaver.add(SelectOp.make(mask, total, old[-1]))
            taken.append(total)
        return taken

    def _first(self, largest: SSAValue, places: SSAValue) -> SSAValue:
        """Return the first place of the largest element of all lanes."""
        weaver, lanes = self.weaver, self.lanes
        best = weaver.splat(self._joined(largest, self._larger), lanes)
        is_best = weaver.add(CompareOp.make("oeq" if self.is_float else "eq", largest, best))
        far = weaver.splat(weaver.constant(FAR, i32), lanes)
        places = weaver.add(SelectOp.make(is_best, places, far))
        least = self._joined(places, lambda a, b: weaver.compute(arith.MinSIOp, a, b))
        cast = make_op(arith.IndexCastOp, operands=[least], result_types=[self.stop.type])
        return weaver.add(cast)

    def or_nan(self, frame: Frame, otherwise: SSAValue) -> SSAValue:
        """Return the place of the first NaN of a row, or another one if there is none."""
        weaver, size = self.weaver, self.weaver.index(self.lanes)

        def look(frames: Sequence[Frame], at: SSAValue, carried: Values) -> Values:
            (inner,) = frames
            element = self._element(inner)
            found = weaver.add(CompareOp.make("uno", element, element))
            if inner.mask is not None:
                found = weaver.compute(arith.AndIOp, found, inner.mask)
            number = weaver.add(FirstSetOp.make(found))
            is_first = weaver.compute(
                arith.AndIOp,
                weaver.compare("slt", number, size),
                weaver.compare("slt", carried[0], weaver.index(0)),
            )
            here = weaver.compute(arith.AddiOp, at, number)
            return [weaver.choose(is_first, here, carried[0])]

        (found,) = self._walk([frame], [weaver.index(-1)], look)
        return weaver.choose(weaver.compare("slt", found, weaver.index(0)), otherwise, found)

    def _walk(
        self,
        rows: Sequence[Frame],
        carried: Values,
        step: Callable[[Sequence[Frame], SSAValue, Values], Values],
    ) -> Values:
        """Go through rows, many lanes at a time, and what is left over under a mask."""
        weaver, index = self.weaver, self.op.indices[0]

        def chunk(at: SSAValue, carried: Values, mask: SSAValue | None = None) -> Values:
            frames = [row.inner(self.lanes, mask) for row in rows]
            for frame in frames:
                frame.bases[index] = at
            return step(frames, at, carried)

        bounds = weaver.index(0), self.whole, weaver.index(self.lanes)
        carried = weaver.loop(bounds, carried, chunk)
        has_rest = weaver.compare("slt", self.whole, self.stop)
        return weaver.branch(
            has_rest, lambda: chunk(self.whole, carried, self.mask), lambda: carried
        )

    def _larger(self, one: SSAValue, other: SSAValue) -> SSAValue:
        """Return what is beyond the other one; neither is NaN."""
        weaver = self.weaver
        if is_vector(one.type):
            wins = weaver.add(CompareOp.make(self.beyond, one, other))
            return weaver.add(SelectOp.make(wins, one, other))
        compare = weaver.compare_floats if self.is_float else weaver.compare
        return weaver.choose(compare(self.beyond, one, other), one, other)

    def _joined(
        self, value: SSAValue, combine: Callable[[SSAValue, SSAValue], SSAValue]
    ) -> SSAValue:
        """Return what all lanes combine to."""
        weaver = self.weaver
        while is_vector(value.type):
            lanes = lanes_of(value.type) // 2
            if lanes > 1:
                halves = [weaver.add(SliceOp.make(value, first, lanes)) for first in (0, lanes)]
            else:
                halves = [weaver.add(ExtractOp.make(value, lane)) for lane in (0, 1)]
            value = combine(*halves)
        return value


class SearchNest:
    """A nest that is a search of each row."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp) -> None:
        """Find its parts."""
        self.scheduler, self.weaver, self.index = scheduler, scheduler.weaver, op.indices[-1]
        *ops, _ = op.block.ops
        (self.reduction,) = [inner for inner in ops if isinstance(inner, ReduceOp)]
        place = ops.index(self.reduction)
        self.before, self.after = ops[:place], ops[place + 1 :]

    def build(self, rows: SSAValue, frame: Frame) -> None:
        """Search groups of rows."""
        weaver, zero, one = self.weaver, self.weaver.index(0), self.weaver.index(1)
        last = weaver.compute(arith.SubiOp, rows, one)
        length = weaver.scalar(self.reduction.extents[0], frame)

        def single(row: SSAValue, _: Values) -> Values:
            inner = self._row(frame, row)
            self._finish(inner, one_by_one(self.scheduler, self.reduction, inner))
            return ()

        def group(start: SSAValue, _: Values) -> Values:
            numbers = [weaver.compute(arith.AddiOp, start, weaver.index(n)) for n in range(1, ROWS)]
            numbers = [start, *[weaver.compute(arith.MinSIOp, row, last) for row in numbers]]
            frames = [self._row(frame, number) for number in numbers]
            search = Search(self.scheduler, self.reduction, frames)
            places, has_nan = search.places()
            for inner, place in zip(frames, places, strict=True):
                self._finish(inner.inner(), search.found(inner, place))
            if has_nan is None:
                return ()

            def again() -> Values:
                end = weaver.compute(arith.AddiOp, start, weaver.index(ROWS))
                end = weaver.compute(arith.MinSIOp, end, rows)
                return weaver.loop((start, end, one), (), lambda row, _: first_nan(search, row))

            return weaver.branch(has_nan, again)

        def first_nan(search: Search, row: SSAValue) -> Values:
            inner, none = self._row(frame, row), weaver.index(-1)
            place = search.or_nan(inner, none)

            def write() -> Values:
                self._finish(inner.inner(), search.found(inner, place))
                return ()

            return weaver.branch(weaver.compare("ne", place, none), write)

        weaver.branch(
            has_usual_length(self.scheduler, length),
            lambda: weaver.loop((zero, rows, weaver.index(ROWS)), (), group),
            lambda: weaver.loop((zero, rows, one), (), single),
        )

    def _row(self, frame: Frame, number: SSAValue) -> Frame:
        """Enter a row, and compute what stands before the search."""
        inner = frame.inner()
        inner.scalars[self.index] = number
        for op in self.before:
            self.scheduler.translate(op, inner)
        return inner

    def _finish(self, frame: Frame, results: Values) -> None:
        """Do what is done with the results of a row."""
        bind_results(self.reduction, results, frame)
        for op in self.after:
            self.scheduler.translate(op, frame)
