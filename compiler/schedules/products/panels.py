"""How does one factor of a product get into a panel? Element by element of k, side by side.

A panel holds some columns of a piece of a factor: those of one k are neighbours, in the order in
which sums take them in. Where the factor lies across, so that neighbouring k are neighbours in
memory instead of columns, squares of it are transposed in registers: 1 x 1024 times 4096 x 1024
takes a tenth of the time. What is computed from an element alone, such as a cast, is computed on
its way into the panel, once for all rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce

from xdsl.dialects import arith
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.lines import LINE
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.prefetch import NEAREST, PrefetchOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.structured import YieldOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.making import append
from ....dialects.records import record
from ..lanes import Frame, Weaver
from ..scheduler import Scheduler, Values
from .sums_in_results import bits_of

#: How many elements of k ahead tiles ask for columns of a panel; it has room for as many more.
AHEAD = 8


@record
class Piece:
    """Some columns, and a piece of k: its elements along the first index that is summed over."""

    #: The first element, and how many there are.
    start: SSAValue
    depth: SSAValue
    #: The first column, and how many there are in all.
    column: SSAValue
    across: SSAValue
    #: Where nothing has lanes.
    outer: Frame
    #: Where the lanes are the columns; with a mask if there may be fewer.
    frame: Frame
    #: Where its columns begin in the memory of panels, and where its elements do; None: at 0, as
    #: there is one panel at a time.
    at: SSAValue
    base: SSAValue | None


#: Builds what is done with an element of a piece: where it is in the panel, and what is carried.
Step = Callable[[Frame, SSAValue, Values], Values]
#: Builds what is done ahead of some elements of a piece: the number of the first one.
Ahead = Callable[[SSAValue], None]


@record
class PackedFactor:
    """What panels hold: elements of a factor, or what a product computes of its element alone."""

    load: LoadOp
    #: What computes it, the load first.
    ops: tuple[Operation, ...]
    value: SSAValue

    @property
    def type(self) -> Attribute:
        """The type of an element of a panel."""
        return self.value.type


def packed_factor(load: LoadOp) -> PackedFactor:
    """Return what can be packed of the factor that a load in a sum of products reads.

    That is what is multiplied if it is computed from the element and constants, step by step.
    """
    ops: list[Operation] = [load]
    while (value := ops[-1].results[0]).has_one_use():
        (use,) = value.uses
        op = use.operation
        if isinstance(op, YieldOp):
            return PackedFactor(load, tuple(ops), value)
        others = (operand.owner for operand in op.operands if operand is not value)
        if op.regions or len(op.results) != 1 or not all(map(_is_constant, others)):
            break
        ops.append(op)
    return PackedFactor(load, (load,), load.results[0])


def _is_constant(op: Operation | Block) -> bool:
    return isinstance(op, arith.ConstantOp)


def element_across(load: LoadOp, lanes: SSAValue, elements: Sequence[SSAValue]) -> SSAValue | None:
    """Return the index of a sum whose neighbours lie side by side where those of lanes do not."""
    strides = buffer_type_of(load.buffer).strides
    places = list(zip(load.indices, strides, strict=True))
    if any(index is lanes and stride == 1 for index, stride in places):
        return None
    near = [index for index, stride in places if stride == 1 and index in elements]
    return near[0] if len(near) == 1 else None


class Panels:
    """Memory for panels of a factor, one behind the other, and what fills them."""

    def __init__(
        self,
        scheduler: Scheduler,
        factor: PackedFactor,
        lanes: SSAValue,
        elements: Sequence[SSAValue],
        inner: Values,
    ) -> None:
        """Prepare for a factor in a sum over `elements`; `inner` are the sizes of all but one."""
        self.scheduler, self.weaver = scheduler, scheduler.weaver
        self.factor, self.packed = factor, factor.load
        self.lanes, self.elements, self.inner = lanes, elements, inner
        can_transpose = scheduler.can_transpose
        self.near = element_across(self.packed, lanes, elements) if can_transpose else None
        #: Elements of a line of memory.
        self.line = LINE * 8 // bits_of(factor.type)

    def reserve(self, depth: int, width: int) -> None:
        """Reserve the memory for so many elements of so many columns."""
        kind = BufferType.get(self.factor.type, (width, 1), PRIVATE)
        self.memory = self.weaver.add(AllocOp.make([depth, width], kind))

    def walk(
        self, piece: Piece, step: Step, inits: Values = (), ahead: Ahead | None = None
    ) -> Values:
        """Build the loops over the elements of a piece, in their order.

        What is done `ahead` of the elements of a line of memory stands between two loops.
        """
        weaver = self.weaver
        first, *others = self.elements

        def inside(at: int, place: SSAValue, outer: Frame, carried: Values) -> Values:
            if at == len(others):
                return step(outer, place, carried)
            begin = weaver.compute(arith.MuliOp, place, self.inner[at])

            def along(index: SSAValue, values: Values) -> Values:
                walked = outer.inner()
                walked.scalars[others[at]] = index
                here = weaver.compute(arith.AddiOp, begin, index)
                return inside(at + 1, here, walked, values)

            bounds = (weaver.index(0), self.inner[at], weaver.index(1))
            return weaver.loop(bounds, carried, along)

        def outermost(number: SSAValue, values: Values) -> Values:
            walked = piece.frame.inner()
            walked.scalars[first] = weaver.compute(arith.AddiOp, piece.start, number)
            return inside(0, number, walked, values)

        zero, one = weaver.index(0), weaver.index(1)
        if ahead is None:
            return weaver.loop((zero, piece.depth, one), inits, outermost)
        line = weaver.index(self.line)

        def along_a_line(start: SSAValue, values: Values) -> Values:
            ahead(start)
            end = weaver.compute(arith.AddiOp, start, line)
            end = weaver.compute(arith.MinSIOp, end, piece.depth)
            return weaver.loop((start, end, one), values, outermost)

        return weaver.loop((zero, piece.depth, line), inits, along_a_line)

    def walk_flat(self, piece: Piece, step: Step, inits: Values) -> Values:
        """Build one loop over the elements of a piece, in their order, along all indices."""
        weaver = self.weaver
        count = reduce(partial(weaver.compute, arith.MuliOp), self.inner, piece.depth)
        bounds = (weaver.index(0), count, weaver.index(1))
        return weaver.loop(bounds, inits, lambda at, values: step(piece.frame, at, values))

    @property
    def is_transposed(self) -> bool:
        """Whether the factor lies across, so that a panel is filled in squares."""
        return self.near is not None

    def copy(self, pieces: Sequence[Piece]) -> None:
        """Copy the columns of pieces that lie side by side into the panel."""
        self.walk(pieces[0], partial(self._copied_row, pieces))

    def _copied_row(
        self, pieces: Sequence[Piece], walked: Frame, place: SSAValue, _: Values
    ) -> Values:
        """Copy the columns of one element, while its row is at hand."""
        for piece in pieces:
            self.fill(piece, walked, place)
        return ()

    def fill(self, piece: Piece, walked: Frame, number: SSAValue) -> SSAValue:
        """Copy the columns of one element of a piece, by its number; return them."""
        frame = piece.frame.inner()
        for element in self.elements:
            frame.scalars[element] = walked.scalars[element]
        return self._pack(frame, self._place_of(piece, number), piece.at)

    def load(self, piece: Piece, number: SSAValue) -> SSAValue:
        """Return the columns of one element of a piece, by its number."""
        kind = vector_of(self.factor.type, piece.frame.lanes)
        place = self._place_of(piece, number), piece.at
        return self.weaver.add(LoadOp.make(self.memory, place, kind))

    def ask_ahead(self, piece: Piece, number: SSAValue) -> None:
        """Ask for the columns of an element further on, by the number of one that is read now."""
        weaver = self.weaver
        place = weaver.compute(arith.AddiOp, number, weaver.index(AHEAD))
        for shift in range(0, piece.frame.lanes, self.line):
            at = weaver.compute(arith.AddiOp, piece.at, weaver.index(shift))
            append(weaver.block, PrefetchOp.make(self.memory, (place, at), NEAREST))

    def _place_of(self, piece: Piece, number: SSAValue) -> SSAValue:
        """Return where an element of a piece lies, by its number."""
        if piece.base is None:
            return number
        return self.weaver.compute(arith.AddiOp, piece.base, number)

    def _pack(self, frame: Frame, place: SSAValue, at: SSAValue) -> SSAValue:
        """Copy the columns of one element to a place, from a column of the panel on."""
        value = self._value(frame)
        append(self.weaver.block, StoreOp.make(value, self.memory, (place, at)))
        return value

    def _value(self, frame: Frame) -> SSAValue:
        """Return elements of the factor as they are packed."""
        for op in self.factor.ops:
            for needed in (operand.owner for operand in op.operands):
                if isinstance(needed, arith.ConstantOp):
                    self.scheduler.translate(needed, frame)
            self.scheduler.translate(op, frame)
        return self.weaver.vector(self.factor.value, frame)

    def transpose(
        self,
        part: tuple[SSAValue, SSAValue, SSAValue | None],
        columns: tuple[SSAValue, SSAValue],
        last: SSAValue,
        outer: Frame,
    ) -> None:
        """Copy columns, from one on and so many, of a piece of k: start, depth and base.

        Square by square, each a few columns of as many elements along one index; fewer elements are
        copied one by one. Columns over the edge are the last one again.
        """
        weaver, side = self.weaver, self.scheduler.width
        counts, (first, count) = self._counts(part[1], outer), columns

        def group(at: SSAValue) -> None:
            column = weaver.compute(arith.AddiOp, first, at)
            left = weaver.compute(arith.SubiOp, count, at)
            others = map(weaver.index, range(1, side))
            behind = [weaver.compute(arith.AddiOp, column, number) for number in others]
            rows = [column, *(weaver.compute(arith.MinSIOp, row, last) for row in behind)]
            lanes = outer.inner(side, weaver.add(MaskOp.make(left, side)))
            lanes.enter(self.lanes, column)
            self._group(_Group(part[0], part[2], at, rows, outer, lanes), counts)

        loop(weaver, (weaver.index(0), count, weaver.index(side)), group)

    def _group(self, group: _Group, counts: Mapping[SSAValue, SSAValue]) -> None:
        """Copy as many columns as a square has."""
        weaver, side, near = self.weaver, self.scheduler.width, self.near
        assert near is not None
        behind = self.elements[list(self.elements).index(near) + 1 :]
        steps = [counts[element] for element in behind]
        step = reduce(partial(weaver.compute, arith.MuliOp), steps, weaver.index(1))
        others = [element for element in self.elements if element is not near]
        zero, count = weaver.index(0), counts[near]
        # The last square begins earlier.
        last = weaver.compute(arith.SubiOp, count, weaver.index(side))
        has_square = weaver.compare("sge", count, weaver.index(side))
        in_squares = weaver.choose(has_square, count, zero)

        def along(frame: Frame, _: Values) -> Values:
            numbers = {element: frame.scalars[element] for element in others}

            def square(number: SSAValue) -> None:
                own = {**numbers, near: weaver.compute(arith.MinSIOp, number, last)}
                place = self._place(group, own, counts)
                self._square(group, self._indices(group, own), (place, step))

            def single(number: SSAValue) -> None:
                own, inner = {**numbers, near: number}, group.lanes.inner()
                inner.scalars.update(self._indices(group, own))
                self._pack(inner, self._place(group, own, counts), group.at)

            loop(weaver, (zero, in_squares, weaver.index(side)), square)
            loop(weaver, (in_squares, count, weaver.index(1)), single)
            return ()

        self.scheduler.nest(others, [counts[element] for element in others], group.outer, along)

    def _counts(self, depth: SSAValue, outer: Frame) -> dict[SSAValue, SSAValue]:
        """Return how many elements there are along each index.

        Where all of them follow one another in memory, as in filters of windows, which are short,
        there is one long row of neighbours.
        """
        weaver, buffer = self.weaver, self.packed.buffer
        sizes = [depth, *self.inner]
        can_choose = self.scheduler.can_ask_strides
        if can_choose and len(sizes) > 1 and self.near is self.elements[-1]:
            places = [list(self.packed.indices).index(element) for element in self.elements]
            own, inside, follow = weaver.scalar(buffer, outer), sizes[-1], list[SSAValue]()
            for place, size in zip(places[-2::-1], sizes[-2::-1], strict=True):
                stride = weaver.add(StrideOp.make(own, place))
                follow.append(weaver.compare("eq", stride, inside))
                inside = weaver.compute(arith.MuliOp, inside, size)
            is_row = reduce(partial(weaver.compute, arith.AndIOp), follow)
            one = weaver.index(1)
            sizes = [weaver.choose(is_row, one, size) for size in sizes[:-1]]
            sizes.append(weaver.choose(is_row, inside, self.inner[-1]))
        return dict(zip(self.elements, sizes, strict=True))

    def _place(
        self,
        group: _Group,
        numbers: Mapping[SSAValue, SSAValue],
        counts: Mapping[SSAValue, SSAValue],
    ) -> SSAValue:
        """Return where an element is in the panel: the last index is that of neighbours."""
        first, *others = self.elements
        place = numbers[first]
        for element in others:
            place = self.weaver.compute(arith.MuliOp, place, counts[element])
            place = self.weaver.compute(arith.AddiOp, place, numbers[element])
        if group.base is None:
            return place
        return self.weaver.compute(arith.AddiOp, group.base, place)

    def _indices(
        self, group: _Group, numbers: Mapping[SSAValue, SSAValue]
    ) -> dict[SSAValue, SSAValue]:
        """Return the indices of an element in the factor, by its numbers in the piece."""
        first = self.elements[0]
        start = self.weaver.compute(arith.AddiOp, group.start, numbers[first])
        return {**numbers, first: start}

    def _square(
        self,
        group: _Group,
        indices: Mapping[SSAValue, SSAValue],
        places: tuple[SSAValue, SSAValue],
    ) -> None:
        """Copy one square, from an element on, to every so many places."""
        weaver, side, near = self.weaver, self.scheduler.width, self.near
        assert near is not None
        rows: list[SSAValue] = []
        for column in group.columns:
            inner = group.outer.inner(side)
            inner.scalars |= indices
            inner.scalars[self.lanes] = column
            del inner.scalars[near]
            inner.enter(near, indices[near])
            rows.append(self._value(inner))
        columns = TransposeOp.make(rows)
        append(weaver.block, columns)
        place, step = places
        for number, value in enumerate(columns.results):
            place = weaver.compute(arith.AddiOp, place, step) if number else place
            append(weaver.block, StoreOp.make(value, self.memory, (place, group.at)))


@record
class _Group:
    """As many columns of a panel as a square has."""

    #: The first element of k, and where it lies.
    start: SSAValue
    base: SSAValue | None
    #: Where the columns begin in the panel.
    at: SSAValue
    columns: Values
    outer: Frame
    #: Where the lanes are the columns, under a mask.
    lanes: Frame


def loop(
    weaver: Weaver,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    body: Callable[[SSAValue], None],
) -> None:
    """Build a loop that carries nothing."""

    def inside(index: SSAValue, _: Values) -> Values:
        body(index)
        return ()

    weaver.loop(bounds, (), inside)
