"""How is the first of the largest elements of each column found? In the order of elements.

A later element is only better if it is larger. Few columns are searched in registers: four elements
of a column are compared at once, whose places are integers of 32 bits. Where columns are many, what
was found of each stands in a table, and memory is read as it lies.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, StringAttr
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import CompareOp, ConvertOp, SelectOp
from ....dialects.kernel.memory import LoadOp
from ....dialects.kernel.structured import FIRST_EXTREME
from ....dialects.kernel.types import element_of, i32, i64, type_of_index
from ....dialects.making import make_op
from ..lanes import Frame
from ..scheduler import HEAVY_REGISTERS, Values
from .accumulators import ops_of_value, start_values
from .columns import ColumnReduction

#: So many columns are searched in registers.
FEW_COLUMNS = 128
#: Elements of a column that are compared at once: none waits for what another one was compared to.
APART = 4
#: Beyond the places of all elements: they are integers of 32 bits.
FAR = (1 << 31) - 1


class FirstExtremeColumns(ColumnReduction):
    """A search for the first of the largest elements: a later one is only better if it is larger.

    The index that it starts from is the first, so that an element like what it starts from is that.
    """

    def clear(self, frame: Frame, row: SSAValue, column: SSAValue) -> None:
        """Begin with the first element."""
        value, index = start_values(self.scheduler, self.op, frame, frame.lanes)
        first = self.weaver.constant(0, element_of(index.type))
        if frame.lanes > 1:
            first = self.weaver.splat(first, frame.lanes)
        self.parts.store(row, column, [value, first])

    def fits_registers(self) -> bool:
        """Whether elements of few columns may be taken in without a table."""
        ops = ops_of_value(self.op, 1)
        return (
            self.columns.has_registers
            and self.is_grouped()
            and not self.scheduler.narrow
            and all(inner.results and not isinstance(inner, LoadOp) for inner in ops)
        )

    def are_few(self) -> SSAValue:
        """Return whether there are few columns, and places have 32 bits."""
        weaver, columns = self.weaver, self.columns
        are_few = weaver.compare("sle", columns.count, weaver.index(FEW_COLUMNS))
        are_usual = weaver.compare("sle", self.count, weaver.index(FAR))
        are_few = weaver.compute(arith.AndIOp, are_few, are_usual)
        return weaver.compute(arith.AndIOp, are_few, columns.are_whole(self._long()))

    def _long(self) -> int:
        return self.scheduler.width * HEAVY_REGISTERS

    def in_registers(self) -> Values:
        """Search vectors of columns, of whose elements every fourth is looked at by itself.

        At the end the last element stands in for others that there are not: it wins once.
        """
        weaver = self.weaver
        final = weaver.compute(arith.SubiOp, self.count, self.one)

        def column(frame: Frame, at: SSAValue) -> None:
            best = start_values(self.scheduler, self.op, frame, frame.lanes)[0]
            first = weaver.splat(weaver.constant(0, i32), frame.lanes)

            def several(number: SSAValue, found: Values) -> Values:
                taken = self._taken(frame, number, found[:2])
                for each in range(1, APART):
                    here = weaver.compute(arith.AddiOp, number, weaver.index(each))
                    here = weaver.compute(arith.MinSIOp, here, final)
                    taken += self._taken(frame, here, found[2 * each : 2 * each + 2])
                return taken

            bounds = self.zero, self.count, weaver.index(APART)
            found = weaver.loop(bounds, [best, first] * APART, several)
            one = found[:2]
            for each in range(1, APART):
                one = self._first_of(one, found[2 * each : 2 * each + 2])
            self.parts.store(self.zero, at, [one[0], self._index(frame, one[1])])

        self.columns.whole_values(self.frame, self._long(), column)
        return ()

    def _taken(self, frame: Frame, number: SSAValue, old: Values) -> list[SSAValue]:
        """Return the better one of what was found and an element, and its place."""
        weaver, inner = self.weaver, frame.inner()
        inner.scalars[self.op.indices[0]] = number
        element = self._value(inner, 0)
        place = make_op(arith.IndexCastOp, operands=[number], result_types=[i32])
        new = element, weaver.splat(weaver.add(place), frame.lanes)
        return self._chosen(self._wins(element, old[0]), new, old)

    def _first_of(self, one: Values, other: Values) -> list[SSAValue]:
        """Return the better one of what two searches found, the first of equals."""
        is_before = self.weaver.add(CompareOp.make("slt", other[1], one[1]))
        before = self._chosen(is_before, other, one)
        after = self._chosen(is_before, one, other)
        return self._chosen(self._wins(after[0], before[0]), after, before)

    def _index(self, frame: Frame, place: SSAValue) -> SSAValue:
        """Return the index of a place as elements have it."""
        weaver, inner = self.weaver, frame.inner()
        wide = weaver.add(ConvertOp.make("extsi", place, i64))
        wide = weaver.add(ConvertOp.make("index_cast", wide, type_of_index))
        inner.vectors[self.op.indices[0]] = wide
        return self._value(inner, 1)

    def _value(self, frame: Frame, position: int) -> SSAValue:
        """Compute an element, or its index, alone."""
        for op in ops_of_value(self.op, position):
            self.scheduler.translate(op, frame)
        last = self.op.block.last_op
        assert last is not None
        return self.weaver.vector(last.operands[position], frame)

    def _wins(self, element: SSAValue, best: SSAValue) -> SSAValue:
        """Return whether an element is larger, or smaller; a NaN is beyond all that is none."""
        weaver, words = self.weaver, self.op.attributes[FIRST_EXTREME]
        assert isinstance(words, StringAttr)
        kind, *unsigned = words.data.split()
        is_float = isinstance(element_of(best.type), AnyFloat)
        word = ("u" if is_float or unsigned else "s") + ("gt" if kind == "maximum" else "lt")
        wins = weaver.add(CompareOp.make(word, element, best))
        if is_float:
            is_number = weaver.add(CompareOp.make("oeq", best, best))
            wins = weaver.compute(arith.AndIOp, wins, is_number)
        return wins

    def _chosen(self, wins: SSAValue, new: Values, old: Values) -> list[SSAValue]:
        return [self.weaver.add(SelectOp.make(wins, a, b)) for a, b in zip(new, old, strict=True)]

    def combined(self, frame: Frame, old: Values, new: Values) -> Values:
        """Take what is larger, or smaller."""
        if frame.lanes == 1:
            return super().combined(frame, old, new)
        return self._chosen(self._wins(new[0], old[0]), new, old)
