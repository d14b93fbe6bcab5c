"""How does a map run that only moves elements, whole rows of them? As one copies memory.

What a copy, a part of `cat`, a slice that becomes contiguous and rows that are looked up by number
have in common: a row of the result is a row of something, and which one is known for all of it.
That is asked once for a row, and then registers move, four at a time, to lines of the result:

    kernel.map (%i, %j) to (%n, %m) {        for i:
      %k = kernel.load %rows[%i, %j]           k = rows[i]
      %v = kernel.load %x[%k, %j]              y[i, 0 ...] = x[k, 0 ...]     in front of a line
      kernel.store %v, %y[%i, %j]              for j by lines:  y[i, j ...] = x[k, j ...]
    }                                          y[i, m - 8 ...] = x[k, m - 8 ...]

A row ends with a register that begins earlier, and moves some elements twice: no masks are needed,
and bytes go no slower than floats. Nothing that is read is written, else it would not be so.

A result that is larger than the caches is written past them: its lines are then never fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.lines import LINE, InLineOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.types import buffer_type_of
from ....dialects.making import append, operands_of
from ..lanes import Frame
from ..products.panels import loop
from ..products.sums_in_results import bits_of
from ..scheduler import Scheduler, Values
from .whole_lines import before_line, row_store

#: Bytes of a result, or of a part for a thread, from which on it goes past the caches. What is as
#: large as the last cache, with what it is made of, is found there again by who reads it; from here
#: on, half of it is gone. (What is transposed is gone earlier: `whole_lines.BEYOND_CACHES`.)
MOVED_BEYOND_CACHES = 24 << 20
#: Registers that are read before they are written.
AT_ONCE = 4
#: Registers of a row from which on it pays to do without masks.
FEW = 2
#: Lines of a row from which on it pays to write from where a line begins.
LONG = 8

#: Builds a map in the way that is for all.
Otherwise = Callable[[Scheduler, MapOp, Frame], bool]


class _Moved(NamedTuple):
    """What a map does: what is the same for all of a row, then a load and a store."""

    before: Sequence[Operation]
    load: LoadOp
    store: StoreOp


def copied_rows(scheduler: Scheduler, op: MapOp, frame: Frame, otherwise: Otherwise) -> bool:
    """Build a map that moves rows; the shortest are built as others are."""
    moved = _moved(op) if frame.lanes == 1 else None
    if moved is None:
        return False
    _Rows(scheduler, op, moved).build(frame, otherwise)
    return True


def _moved(op: MapOp) -> _Moved | None:
    """Return what a map moves, if it does nothing else for each element of a row."""
    store, function = row_store(op), op.parent_op()
    if store is None or store.parent is not op.block or not isinstance(function, FuncOp):
        return None
    buffer = store.buffer
    if not isinstance(buffer, BlockArgument) or not function.is_noalias(buffer):
        return None
    if bits_of(buffer_type_of(buffer).element) % 8:
        return None
    differs = {op.indices[-1]}
    before: list[Operation] = []
    along: list[Operation] = []
    for item in list(op.block.ops)[:-1]:
        if item.regions:
            return None
        if differs.isdisjoint(_asked(item)) and not isinstance(item, StoreOp):
            before.append(item)
        else:
            along.append(item)
            differs.update(item.results)
    if len(along) != 2 or along[1] is not store or store.value not in along[0].results:
        return None
    load = along[0]
    if not isinstance(load, LoadOp) or not _is_row(load, op.indices[-1]):
        return None
    return _Moved(before, load, store)


def _asked(item: Operation) -> set[SSAValue]:
    """Return what an op depends on: where neighbours are the same element, not on which it is."""
    if not isinstance(item, LoadOp):
        return set(operands_of(item))
    strides = buffer_type_of(item.buffer).strides
    pairs = zip(item.indices, strides, strict=True)
    return {index for index, stride in pairs if stride != 0}


def _is_row(load: LoadOp, last: SSAValue) -> bool:
    """Whether neighbours of a row are read, in order or backwards."""
    strides = buffer_type_of(load.buffer).strides
    pairs = zip(load.indices, strides, strict=True)
    along = [stride for index, stride in pairs if index is last and stride != 0]
    return along in ([1], [-1])


class _Rows:
    """A map that moves rows."""

    def __init__(self, scheduler: Scheduler, op: MapOp, moved: _Moved) -> None:
        self.scheduler, self.weaver, self.op, self.moved = scheduler, scheduler.weaver, op, moved
        self.bytes = bits_of(buffer_type_of(moved.store.buffer).element) // 8
        #: Of a register of what is moved; numbers of rows may be wider.
        self.lanes = max(scheduler.vector_bits // (8 * self.bytes), 2)
        #: Elements of a line, and how many registers hold it.
        self.line = max(LINE // self.bytes, self.lanes)
        self.registers = self.line // self.lanes

    def build(self, frame: Frame, otherwise: Otherwise) -> None:
        """Build the loops over rows, for long and large ones, long ones, and short ones."""
        weaver, op = self.weaver, self.op
        extents = [weaver.scalar(extent, frame) for extent in op.operands]
        count = extents[-1]

        def rows(row: Callable[[SSAValue, Frame], None]) -> Values:
            def leaf(inner: Frame, _: Values) -> Values:
                inner.scalars[op.indices[-1]] = weaver.index(0)  # it is the same for all of a row
                for item in self.moved.before:
                    self.scheduler.translate(item, inner)
                row(count, inner)
                return ()

            return self.scheduler.nest(op.indices[:-1], extents[:-1], frame, leaf)

        def short() -> Values:
            otherwise(self.scheduler, op, frame)
            return ()

        def in_registers() -> Values:
            is_long = weaver.compare("sge", count, weaver.index(LONG * self.line))
            is_beyond = weaver.compute(arith.AndIOp, is_long, self._is_beyond(extents, frame))
            return weaver.branch(
                is_beyond,
                lambda: rows(self._past_caches),
                lambda: weaver.branch(
                    is_long, lambda: rows(self._in_lines), lambda: rows(self._in_registers)
                ),
            )

        few = self.lanes * (FEW if self.scheduler.can_mask else 1)
        weaver.branch(weaver.compare("sge", count, weaver.index(few)), in_registers, short)

    def _is_beyond(self, extents: Values, frame: Frame) -> SSAValue:
        """Return whether the result is larger than the caches, and lines begin with elements."""
        weaver, zero = self.weaver, self.weaver.index(0)
        buffer = weaver.scalar(self.moved.store.buffer, frame)
        elements = extents[0]
        if len(extents) > 1:
            # Rows that are parts of longer ones say how far these are apart.
            stride = weaver.add(StrideOp.make(buffer, 0))
            elements = weaver.compute(arith.MuliOp, elements, stride)
        bound = weaver.index(MOVED_BEYOND_CACHES // self.bytes)
        is_large = weaver.compare("sge", elements, bound)
        place = weaver.add(InLineOp.make(buffer, [zero] * len(extents)))
        rest = weaver.compute(arith.AndIOp, place, weaver.index(self.bytes - 1))
        return weaver.compute(arith.AndIOp, is_large, weaver.compare("eq", rest, zero))

    def _in_registers(self, count: SSAValue, frame: Frame) -> None:
        """Move a row of a few lines."""
        self._through(self.weaver.index(0), count, frame)

    def _in_lines(self, count: SSAValue, frame: Frame) -> None:
        """Move a row of many lines, from where the first one begins."""
        self._move([self.weaver.index(0)], frame)
        for number in range(1, self.registers):
            self._move([self.weaver.index(number * self.lanes)], frame)
        self._through(before_line(self.weaver, self.moved.store, frame, self.bytes), count, frame)

    def _through(self, start: SSAValue, count: SSAValue, frame: Frame) -> None:
        """Move what is in a row from an element on, several registers at a time, then the last."""
        weaver, lanes = self.weaver, self.lanes
        size = weaver.compute(arith.SubiOp, count, start)
        most = self._rounded(size, AT_ONCE * lanes)
        stop = weaver.compute(arith.AddiOp, start, most)
        self._loop((start, stop), AT_ONCE, frame)
        end = weaver.compute(arith.AddiOp, start, self._rounded(size, lanes))
        self._loop((stop, end), 1, frame)
        self._end(end, count, frame)

    def _past_caches(self, count: SSAValue, frame: Frame) -> None:
        """Move whole lines of a row past the caches, and what is in front and behind as always."""
        weaver, zero = self.weaver, self.weaver.index(0)
        start = before_line(self.weaver, self.moved.store, frame, self.bytes)

        def front() -> Values:
            last = weaver.compute(arith.SubiOp, start, weaver.index(self.lanes))
            last = weaver.compute(arith.MaxSIOp, last, zero)
            for number in range(self.registers):
                place = weaver.index(number * self.lanes)
                self._move([weaver.compute(arith.MinSIOp, place, last)], frame)
            return ()

        weaver.branch(weaver.compare("ne", start, zero), front)
        size = weaver.compute(arith.SubiOp, count, start)
        stop = weaver.compute(arith.AddiOp, start, self._rounded(size, self.line))
        self._loop((start, stop), self.registers, frame, is_past_caches=True)
        rest = weaver.compute(arith.SubiOp, count, stop)
        end = weaver.compute(arith.AddiOp, stop, self._rounded(rest, self.lanes))
        self._loop((stop, end), 1, frame)
        self._end(end, count, frame)

    def _end(self, end: SSAValue, count: SSAValue, frame: Frame) -> None:
        """Move the last elements of a row, with some that are moved already."""
        weaver = self.weaver

        def last() -> Values:
            self._move([weaver.compute(arith.SubiOp, count, weaver.index(self.lanes))], frame)
            return ()

        weaver.branch(weaver.compare("slt", end, count), last)

    def _rounded(self, size: SSAValue, step: int) -> SSAValue:
        return self.weaver.compute(arith.AndIOp, size, self.weaver.index(-step))

    def _loop(
        self,
        bounds: tuple[SSAValue, SSAValue],
        number: int,
        frame: Frame,
        *,
        is_past_caches: bool = False,
    ) -> None:
        """Build a loop that moves so many registers each time."""
        weaver = self.weaver

        def several(place: SSAValue) -> None:
            shifts = [weaver.index(each * self.lanes) for each in range(number)]
            places = [place, *(weaver.compute(arith.AddiOp, place, by) for by in shifts[1:])]
            self._move(places, frame, is_past_caches=is_past_caches)

        loop(weaver, (*bounds, weaver.index(number * self.lanes)), several)

    def _move(
        self, places: Sequence[SSAValue], frame: Frame, *, is_past_caches: bool = False
    ) -> None:
        """Read a register at each of some elements of a row, then write them."""
        weaver, store = self.weaver, self.moved.store
        found: list[Frame] = []
        for place in places:
            inner = frame.inner(self.lanes)
            inner.enter(self.op.indices[-1], place)
            self.scheduler.translate(self.moved.load, inner)
            found.append(inner)
        for inner in found:
            value, buffer = weaver.vector(store.value, inner), weaver.scalar(store.buffer, inner)
            indices, _ = weaver.place(buffer, store.indices, inner)
            written = StoreOp.make(value, buffer, indices, is_past_caches=is_past_caches)
            append(weaver.block, written)
