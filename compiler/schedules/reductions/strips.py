"""How does a column reduction run over a strip of results, where memory runs across them?

The sum over the first axis of a matrix: neighbouring elements belong to neighbouring results. A
strip of results is accumulated at once, row by row, so that memory is read as it lies; the L
accumulators of each result are a table of L rows in the nearest cache. The body of the parallel
nest is cut at its reductions: each becomes a loop of its own over the strip, reads the results
before it from their tables, and computes again what stands between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import READ, FuncOp
from ....dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ....dialects.kernel.rare import is_nest
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import BufferType
from ....dialects.making import all_operations, operands_of
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .accumulators import Accumulators
from .column_kinds import reduce_columns
from .columns import order_of_columns

#: Bytes that a table of accumulators may take. It is read and written for each few rows: where they
#: lie far apart, longer pieces of them gain more than a table in the nearest cache, as each piece
#: begins with a wait (the largest of each column of 4096 x 1024 floats: 1230 us with 16 KB, 770).
TABLE_BYTES = 65536
#: Results side by side, at most: longer pieces of a row gain nothing.
LONGEST_STRIP = 512


def can_strip(op: ParallelOp, *, is_serial_allowed: bool = False) -> bool:
    """Whether the body can be cut: reductions of several lanes, loads of constant memory only."""
    function = op.parent_op()
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    for inner in op.block.ops:
        if isinstance(inner, ReduceOp):
            if inner.lane_count == 1 and not is_serial_allowed:
                return False
        elif isinstance(inner, LoadOp):
            if function is None or not _is_constant(function, inner.buffer):
                return False
        elif inner.regions and any(type(nested) is ReduceOp for nested in all_operations(inner)):
            return False
    return any(isinstance(inner, ReduceOp) for inner in op.block.ops)


def _is_constant(function: FuncOp, buffer: SSAValue) -> bool:
    """Whether nothing changes a buffer meanwhile: it is read only, and overlaps nothing written."""
    buffers = [each for each in function.block.args if isinstance(each.type, BufferType)]
    written = [each for each in buffers if function.access_of(each) != READ]
    if not isinstance(buffer, BlockArgument) or buffer not in buffers or buffer in written:
        return False
    return function.is_noalias(buffer) or all(map(function.is_noalias, written))


class Strip:
    """The columns of one strip: results `start + column` of the parallel index."""

    def __init__(
        self, nest: StripNest, start: SSAValue, count: SSAValue, targets: Sequence[Operation]
    ) -> None:
        """Prepare to evaluate some ops for every column."""
        self.nest, self.start, self.count = nest, start, count
        self.size, self.has_registers = nest.size, nest.has_registers
        self.needed = nest.needed(targets)

    def values(self, frame: Frame, build: Callable[[Frame, SSAValue], None]) -> None:
        """Build a loop over vectors of columns, and what is left under a mask."""
        nest = self.nest
        nest.scheduler.in_lanes(
            self.count, frame, nest.lanes, lambda inner, column: self._at(inner, column, build)
        )

    def _at(self, frame: Frame, column: SSAValue, build: Callable[[Frame, SSAValue], None]) -> None:
        """Build something for one vector of columns."""
        index = self.nest.scheduler.weaver.compute(arith.AddiOp, self.start, column)
        frame.enter(self.nest.index, index)
        self.nest.replay(frame, column, self.needed)
        build(frame, column)

    def are_whole(self, lanes: int) -> SSAValue:
        """Return whether the columns are whole vectors of so many lanes."""
        weaver = self.nest.scheduler.weaver
        left = weaver.compute(arith.AndIOp, self.count, weaver.index(lanes - 1))
        return weaver.compare("eq", left, weaver.index(0))

    def whole_values(
        self, frame: Frame, lanes: int, build: Callable[[Frame, SSAValue], None]
    ) -> None:
        """Build a loop over vectors of columns, which are whole."""
        weaver = self.nest.scheduler.weaver

        def inside(column: SSAValue, _: Values) -> Values:
            self._at(frame.inner(lanes), column, build)
            return ()

        weaver.loop((weaver.index(0), self.count, weaver.index(lanes)), (), inside)

    def memory(self, frame: Frame, build: Callable[[Frame, SSAValue], None]) -> None:
        """Build a loop over vectors of columns; the last one may run into unused columns."""
        nest = self.nest
        weaver = nest.scheduler.weaver

        def inside(column: SSAValue, _: Values) -> Values:
            build(frame.inner(nest.lanes), column)
            return ()

        weaver.loop((weaver.index(0), self.count, weaver.index(nest.lanes)), (), inside)


class StripNest:
    """A parallel body that is being cut into loops over a strip."""

    def __init__(
        self,
        scheduler: Scheduler,
        op: ParallelOp,
        index: SSAValue,
        lanes: int,
        table_bytes: int = TABLE_BYTES,
        *,
        has_registers: bool = False,
    ) -> None:
        """Choose how long a strip is."""
        self.has_registers = has_registers
        self.scheduler, self.op, self.index, self.lanes = scheduler, op, index, lanes
        self.level: list[Operation] = []
        self.results: dict[SSAValue, tuple[Accumulators, int]] = {}
        reductions = [inner for inner in op.block.ops if isinstance(inner, ReduceOp)]
        widest = max(
            order_of_columns(inner)[0] * sum(_bytes(type_) for type_ in inner.result_types)
            for inner in reductions
        )
        size = min(LONGEST_STRIP, table_bytes // max(1, widest))
        self.size = max(lanes, size // lanes * lanes)

    def build(self, extent: SSAValue, frame: Frame) -> None:
        """Build the loop over strips."""
        weaver = self.scheduler.weaver

        def strip(start: SSAValue, _: Values) -> Values:
            left = weaver.compute(arith.SubiOp, extent, start)
            count = weaver.compute(arith.MinSIOp, left, weaver.index(self.size))
            self.strip(start, count, frame.inner())
            return ()

        weaver.loop((weaver.index(0), extent, weaver.index(self.size)), (), strip)

    def strip(self, start: SSAValue, count: SSAValue, frame: Frame) -> None:
        """Build one strip: a loop for every reduction, and one for what stands between them."""
        pending: list[Operation] = []

        def finish() -> None:
            if pending:
                targets = pending.copy()
                pending.clear()
                strip = Strip(self, start, count, targets)
                strip.values(frame, lambda inner, _: self._emit(targets, inner))

        for op in list(self.op.block.ops)[:-1]:
            if isinstance(op, ReduceOp):
                finish()
                strip = Strip(self, start, count, [op])
                table = reduce_columns(self.scheduler, op, frame, strip)
                for position, result in enumerate(op.results):
                    self.results[result] = table, position
            elif is_nest(op) or isinstance(op, StoreOp | CheckOp):
                pending.append(op)
            elif isinstance(op, arith.ConstantOp):
                self.scheduler.weaver.payload(op, frame)
            else:
                self.level.append(op)
        finish()

    def _emit(self, ops: Sequence[Operation], frame: Frame) -> None:
        for op in ops:
            self.scheduler.translate(op, frame)

    def needed(self, targets: Sequence[Operation]) -> set[SSAValue]:
        """Return the values of this level that some ops use, directly or not."""
        found: set[SSAValue] = set()
        for target in targets:
            for op in all_operations(target):
                found.update(operands_of(op))
        for op in reversed(self.level):
            if any(result in found for result in op.results):
                for inner in all_operations(op):
                    found.update(operands_of(inner))
        return found

    def replay(self, frame: Frame, column: SSAValue, needed: set[SSAValue]) -> None:
        """Read the results before, and compute again what stands at this level."""
        weaver = self.scheduler.weaver
        for result, (table, position) in self.results.items():
            if result in needed:
                frame.bind(result, table.load(frame, weaver.index(0), column)[position])
        for op in self.level:
            if any(result in needed for result in op.results):
                self.scheduler.translate(op, frame)


def _bytes(type_: object) -> int:
    bits: int = getattr(type_, "bitwidth", 64)
    return max(1, bits // 8)
