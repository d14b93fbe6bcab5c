"""How do rows run whose elements are read several times? A group of them at once, phase by phase.

    for i in (0, rows) step 16
      for r in (0, 16): m[r] = the largest element of row i + r
      for r in (0, 16): s[r] = the sum of exp(x - m[r]) of row i + r
      l[0:16] = log(s[0:16])
      for r in (0, 16): y = x - m[r] - l[r] for row i + r

Row by row each phase would wait for the one before it, and what is computed once for a row would be
computed on scalars. A group stays in the nearest cache: of longer rows there are fewer.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.memory import AllocOp, CheckOp, LoadOp, StoreOp
from ....dialects.kernel.rare import is_nest
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import PRIVATE, BufferType, f32, f64, i32, i64, vector_of
from ....dialects.making import all_operations, append, operands_of
from ..lanes import Frame
from ..products.panels import loop
from ..reductions.strips import can_strip
from ..scheduler import Scheduler

#: Elements of a group of rows: they are to stay in the nearest cache.
ELEMENTS = 4096
#: What is computed once for a row by at least so many operations is computed for a group at once.
COSTLY = 8
#: What a table holds.
_HELD: tuple[Attribute, ...] = (f32, f64, i32, i64)
#: What must not see lanes that nobody has set.
_TRAPPING = (arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp)


def can_group(op: ParallelOp) -> bool:
    """Whether a nest is rows of several phases, of which none reads what another row writes."""
    function = op.parent_op()
    if not isinstance(function, FuncOp) or len(op.indices) != 1 or not can_strip(op):
        return False
    ops = list(op.block.ops)[:-1]
    reductions = [inner for inner in ops if isinstance(inner, ReduceOp)]
    phases = sum(map(is_nest, ops))
    if phases < 2 and len(ops) - phases < COSTLY:
        return False
    if any(type_ not in _HELD for inner in reductions for type_ in inner.result_types):
        return False
    extents = [extent for inner in reductions for extent in inner.extents]
    if not all(isinstance(extent, BlockArgument) for extent in extents):
        return False
    written = {inner.buffer for inner in all_operations(op) if isinstance(inner, StoreOp)}
    return all(
        isinstance(buffer, BlockArgument) and function.is_noalias(buffer) for buffer in written
    ) and not any(isinstance(inner, _TRAPPING) for inner in ops)


class GroupedRows:
    """A nest over rows that is being cut into loops over a group of them."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp) -> None:
        """Choose how many rows there are at most: those of a vector."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        (self.index,) = op.indices
        self.size = scheduler.width
        #: What stands between the phases, and the memory of what is known of each row.
        self.level: list[Operation] = []
        self.tables: dict[SSAValue, SSAValue] = {}

    def build(self, rows: SSAValue, frame: Frame) -> None:
        """Build the loop over groups."""
        weaver = self.weaver
        length = weaver.index(1)
        for op in self.op.block.ops:
            if isinstance(op, ReduceOp):
                total = weaver.index(1)
                for extent in op.extents:
                    total = weaver.compute(arith.MuliOp, total, weaver.scalar(extent, frame))
                length = weaver.compute(arith.MaxSIOp, length, total)
        fitting = weaver.compute(arith.DivUIOp, weaver.index(ELEMENTS), length)
        fitting = weaver.compute(arith.MinSIOp, fitting, weaver.index(self.size))
        step = weaver.compute(arith.MaxSIOp, fitting, weaver.index(1))

        def group(start: SSAValue) -> None:
            left = weaver.compute(arith.SubiOp, rows, start)
            self._group(start, weaver.compute(arith.MinSIOp, left, step), frame.inner())

        loop(weaver, (weaver.index(0), rows, step), group)

    def _group(self, start: SSAValue, count: SSAValue, frame: Frame) -> None:
        """Build one group: a loop over its rows for every phase."""
        pending: list[Operation] = []

        def finish() -> None:
            if pending:
                self._rows(start, count, frame, pending.copy())
                pending.clear()

        for op in list(self.op.block.ops)[:-1]:
            if isinstance(op, ReduceOp):
                finish()
                self._rows(start, count, frame, [op])
            elif is_nest(op) or isinstance(op, StoreOp | CheckOp):
                pending.append(op)
            elif isinstance(op, arith.ConstantOp):
                self.weaver.payload(op, frame)
            else:
                self.level.append(op)
        finish()

    def _rows(
        self, start: SSAValue, count: SSAValue, frame: Frame, phase: Sequence[Operation]
    ) -> None:
        """Build a phase for all rows, after what it needs that is costly."""
        weaver, scheduler = self.weaver, self.scheduler
        results = [result for op in phase if isinstance(op, ReduceOp) for result in op.results]
        for value in self._used(phase):
            if value not in self.tables and value.type in _HELD and self._cost(value) >= COSTLY:
                self._compute(value, start, count, frame)
        for result in results:
            self._reserve(result)
        needed = self._needed(self._used(phase))

        def row(number: SSAValue) -> None:
            inner = frame.inner()
            inner.scalars[self.index] = weaver.compute(arith.AddiOp, start, number)
            self._replay(inner, number, needed)
            for op in phase:
                scheduler.translate(op, inner)
            for result in results:
                self._keep(result, number, inner)

        loop(weaver, (weaver.index(0), count, weaver.index(1)), row)

    def _compute(self, value: SSAValue, start: SSAValue, count: SSAValue, frame: Frame) -> None:
        """Compute a value of the level for all rows at once, on a vector."""
        weaver = self.weaver
        inner = frame.inner(self.size, weaver.add(MaskOp.make(count, self.size)))
        inner.enter(self.index, start)
        self._replay(inner, weaver.index(0), self._needed([value]))
        self._reserve(value)
        self._keep(value, weaver.index(0), inner)

    def _reserve(self, value: SSAValue) -> None:
        """Reserve memory for a value of each row of a group."""
        kind = BufferType.get(value.type, (1,), PRIVATE)
        self.tables[value] = self.weaver.add(AllocOp.make((self.size,), kind))

    def _keep(self, value: SSAValue, number: SSAValue, frame: Frame) -> None:
        """Note a value of a row, or of as many as there are lanes."""
        found = self.weaver.vector(value, frame)
        append(self.weaver.block, StoreOp.make(found, self.tables[value], (number,)))

    def _used(self, phase: Sequence[Operation]) -> list[SSAValue]:
        """Return the values of this level and of phases before that a phase uses itself."""
        known = {result: None for op in self.level for result in op.results} | self.tables
        used = [
            operand
            for op in phase
            for inner in all_operations(op)
            for operand in operands_of(inner)
        ]
        return list(dict.fromkeys(value for value in used if value in known))

    def _needed(self, values: Sequence[SSAValue]) -> set[SSAValue]:
        """Return what values are computed from, up to what tables hold."""
        found, pending = set[SSAValue](), list(values)
        while pending:
            value = pending.pop()
            if value in found:
                continue
            found.add(value)
            if value not in self.tables and value.owner in self.level:
                owner = value.owner
                assert isinstance(owner, Operation)
                pending += [each for inner in all_operations(owner) for each in operands_of(inner)]
        return found

    def _cost(self, value: SSAValue) -> int:
        """Return how many operations of the level a value takes."""
        needed = self._needed([value])
        return sum(
            any(result in needed and result not in self.tables for result in op.results)
            for op in self.level
        )

    def _replay(self, frame: Frame, number: SSAValue, needed: set[SSAValue]) -> None:
        """Read what tables hold, and compute again what they do not."""
        weaver, lanes = self.weaver, frame.lanes
        for value, table in self.tables.items():
            if value in needed:
                kind = value.type if lanes == 1 else vector_of(value.type, lanes)
                frame.bind(value, weaver.add(LoadOp.make(table, (number,), kind)))
        for op in self.level:
            if any(result in needed and result not in self.tables for result in op.results):
                self.scheduler.translate(op, frame)
