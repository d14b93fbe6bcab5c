"""How do scans along memory run where there are many rows? On vectors of rows, by squares.

    for i in (0, rows) step 8
      for j in (0, columns) step 8
        c0, c1 ... = transpose(x[i, j:], x[i + 1, j:] ...)
        s0 = s + c0        s1 = s0 + c1 ...                  of eight rows at once
        y[i, j:], y[i + 1, j:] ... = transpose(s0, s1 ...)

A lane is a row, so that the order of each scan stays. What is left of the columns is read and
written element by element; what is left of the rows runs as `jammed_scans.py` says. Where much is
computed for an element it takes longer than to move it, and all goes element by element: code is
shorter.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.transpose import TransposeOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.making import append
from ..lanes import Frame, lane_access
from ..products.sums_in_results import bits_of
from ..reductions.accumulators import body_values, combine, start_values
from ..reductions.serial import show
from ..scheduler import Scheduler, Values
from .jammed_scans import JammedScans
from .scan_accesses import is_along, scan_of

#: Rows at once.
ROWS = 8
#: Of an element, and of what is computed for one.
LOADED_BITS = 128
LEAST_BITS, LONG = 16, 24


def can_transpose(op: ParallelOp) -> bool:
    """Whether scans, which a nest has only, run on vectors of rows."""
    scan = scan_of(op)
    moved = [item for item in scan.walk() if isinstance(item, LoadOp | StoreOp)]
    return all(
        is_along(item, scan) and bits_of(buffer_type_of(item.buffer).element) >= LEAST_BITS
        for item in moved
    )


class TransposedScans:
    """A nest of scans, whose last index is that of the rows."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp) -> None:
        """Prepare to build it."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.scan = scan_of(op)
        self.index, self.into = self.scan.indices[0], self.scan.into.blocks[0]
        items = list(self.scan.walk())
        self.is_heavy = len(items) > LONG
        self.loads = [item for item in items if isinstance(item, LoadOp)]
        self.stores = [item for item in items if isinstance(item, StoreOp)]
        widest = max((_bits(item) for item in (*self.loads, *self.stores)), default=32)
        self.columns = max(2, min(ROWS, LOADED_BITS // widest))

    def build(self, rows: SSAValue, frame: Frame) -> None:
        """Build loops over groups of rows, and over those that are left."""
        weaver = self.weaver
        whole = weaver.compute(arith.AndIOp, rows, weaver.index(-ROWS))

        def several(first: SSAValue, _: Values) -> Values:
            inner = frame.inner(ROWS)
            inner.enter(self.op.indices[-1], first)
            for item in list(self.op.block.ops)[:-1]:
                if item is self.scan:
                    self._scans(first, frame, inner)
                else:
                    self.scheduler.translate(item, inner)
            return ()

        weaver.loop((weaver.index(0), whole, weaver.index(ROWS)), (), several)
        JammedScans(self.scheduler, self.op).build(whole, rows, frame)

    def _scans(self, row: SSAValue, outer: Frame, frame: Frame) -> None:
        """Build the scans of some rows: square by square, then column by column."""
        weaver, scheduler = self.weaver, self.scheduler
        start: Values = start_values(scheduler, self.scan, frame, ROWS)
        extent = weaver.scalar(self.scan.extents[0], frame)
        whole = weaver.compute(arith.AndIOp, extent, weaver.index(-self.columns))
        start = weaver.loop(
            (weaver.index(0), whole, weaver.index(self.columns)),
            start,
            lambda column, old: self._square((row, column), outer, frame, old),
        )

        def single(column: SSAValue, old: Values) -> Values:
            inner = frame.inner()
            inner.scalars[self.index] = column
            values = body_values(scheduler, self.scan, inner)
            combined = combine(scheduler, self.scan, inner, old, values)
            show(scheduler, self.scan, inner, combined)
            return combined

        weaver.loop((whole, extent, weaver.index(1)), start, single)

    def _square(
        self, place: tuple[SSAValue, SSAValue], outer: Frame, frame: Frame, old: Values
    ) -> Values:
        """Build the steps of a square; return what they come to."""
        weaver = self.weaver
        rows = [self._row(place, number, outer) for number in range(ROWS)]
        read = {load: self._read(load, rows) for load in self.loads}
        shown: dict[StoreOp, list[SSAValue]] = {store: [] for store in self.stores}
        if self.is_heavy:
            old = self._in_a_loop(place[1], read, shown, frame, old)
        else:
            for number in range(self.columns):
                inner = frame.inner()
                for load, columns in read.items():
                    inner.bind(load.results[0], columns[number])
                old, values = self._step(self._moved(place[1], number), inner, old)
                for store, value in values.items():
                    shown[store].append(value)
        for store in self.stores:
            for row, value in zip(rows, self._transposed(shown[store]), strict=True):
                row.vectors[store.value] = value
                append(weaver.block, lane_access(weaver, store, row)(None))
        return old

    def _in_a_loop(
        self,
        column: SSAValue,
        read: dict[LoadOp, Values],
        shown: dict[StoreOp, list[SSAValue]],
        frame: Frame,
        old: Values,
    ) -> Values:
        """Build one step in a loop; what it reads and what it shows goes through tables."""
        weaver = self.weaver
        places = [weaver.index(number) for number in range(self.columns)]
        tables = {access: self._table(access) for access in (*read, *shown)}
        zero = weaver.index(0)
        for load, columns in read.items():
            for number, value in zip(places, columns, strict=True):
                append(weaver.block, StoreOp.make(value, tables[load], (number, zero)))

        def step(number: SSAValue, carried: Values) -> Values:
            inner = frame.inner()
            for load in read:
                type_ = vector_of(load.results[0].type, ROWS)
                value = weaver.add(LoadOp.make(tables[load], (number, zero), type_))
                inner.bind(load.results[0], value)
            at = weaver.compute(arith.AddiOp, column, number)
            carried, values = self._step(at, inner, carried)
            for store, value in values.items():
                append(weaver.block, StoreOp.make(value, tables[store], (number, zero)))
            return carried

        old = weaver.loop((zero, weaver.index(self.columns), weaver.index(1)), old, step)
        for store, columns in shown.items():
            type_ = vector_of(store.value.type, ROWS)
            columns += [
                weaver.add(LoadOp.make(tables[store], (number, zero), type_)) for number in places
            ]
        return old

    def _table(self, access: LoadOp | StoreOp) -> SSAValue:
        """Return memory for the elements of a square, column by column."""
        element = buffer_type_of(access.buffer).element
        kind = BufferType.get(element, (ROWS, 1), PRIVATE)
        return self.weaver.add(AllocOp.make((self.columns, ROWS), kind))

    def _step(
        self, column: SSAValue, frame: Frame, old: Values
    ) -> tuple[Values, dict[StoreOp, SSAValue]]:
        """Build one step of all rows; return what it comes to, and what is to be stored of it."""
        weaver, scheduler, scan = self.weaver, self.scheduler, self.scan
        frame.scalars[self.index] = frame.scalars[self.into.args[0]] = column
        for item in list(scan.block.ops)[:-1]:
            if item not in self.loads:
                scheduler.translate(item, frame)
        last = scan.block.last_op
        assert last is not None
        values = [weaver.vector(value, frame) for value in last.operands]
        combined = combine(scheduler, scan, frame, old, values)
        for argument, value in zip(self.into.args[1:], combined, strict=True):
            frame.bind(argument, value)
        shown: dict[StoreOp, SSAValue] = {}
        for item in list(self.into.ops)[:-1]:
            if isinstance(item, StoreOp):
                shown[item] = weaver.vector(item.value, frame)
            else:
                scheduler.translate(item, frame)
        return combined, shown

    def _read(self, load: LoadOp, rows: Sequence[Frame]) -> Values:
        """Return the columns of a square that is read row by row."""
        weaver = self.weaver
        return self._transposed([weaver.add(lane_access(weaver, load, row)(None)) for row in rows])

    def _row(self, place: tuple[SSAValue, SSAValue], number: int, outer: Frame) -> Frame:
        """Return a frame for the elements of a row that lie in a square."""
        inner = outer.inner(self.columns)
        inner.scalars[self.op.indices[-1]] = self._moved(place[0], number)
        inner.bases[self.index] = inner.bases[self.into.args[0]] = place[1]
        return inner

    def _moved(self, place: SSAValue, number: int) -> SSAValue:
        weaver = self.weaver
        return weaver.compute(arith.AddiOp, place, weaver.index(number)) if number else place

    def _transposed(self, rows: Sequence[SSAValue]) -> Values:
        op = TransposeOp.make(rows)
        append(self.weaver.block, op)
        return op.results


def _bits(item: LoadOp | StoreOp) -> int:
    return bits_of(buffer_type_of(item.buffer).element)
