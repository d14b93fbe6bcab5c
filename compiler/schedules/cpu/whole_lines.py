"""When do the rows of a map leave the caches, and which of their lines are written whole?

A line that is written in part is fetched first, and written back later: that is twice the traffic
of a line that goes to memory whole. What is larger than the caches is not there any more when
somebody reads it, so its lines may go past them (`kernel.store ... past caches`). A transposed copy
of 2048 x 2048 floats takes half of the time then.

A row begins anywhere in a line (`kernel.in_line`). So that no line belongs to two tiles, a tile
ends in each row with the line that holds the beginning of the next one: tiles overlap by a line.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.lines import LINE, InLineOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.strides import StrideOp
from ....dialects.kernel.structured import MapOp
from ....dialects.kernel.types import buffer_type_of
from ....dialects.making import append
from ..lanes import Frame, Weaver
from ..products.panels import loop
from ..products.sums_in_results import bits_of
from ..scheduler import Scheduler, Values

#: Bytes of a matrix from which on it and what it is made of leave a last cache of 32 MB.
BEYOND_CACHES = 16 << 20

#: Builds a map at some lanes of a row: the number of the first one in its tile.
Points = Callable[[Frame, SSAValue], None]


def row_store(op: MapOp) -> StoreOp | None:
    """Return what writes the rows of a map, if nothing else is written and they lie so."""
    stores = [item for item in op.block.walk() if isinstance(item, StoreOp)]
    if len(stores) != 1 or list(stores[0].indices) != list(op.indices):
        return None
    return stores[0] if buffer_type_of(stores[0].buffer).strides[-1] == 1 else None


class WholeLines:
    """How the rows of tiles are written, so many elements of each in a tile."""

    def __init__(self, scheduler: Scheduler, op: MapOp, store: StoreOp, width: int) -> None:
        """Prepare for the map that a store belongs to."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.store, self.width = store, width
        self._bytes = bits_of(buffer_type_of(store.buffer).element) // 8
        #: Elements of a line.
        self.line = LINE // self._bytes
        self._is_past_caches = False

    def prepare(self, load: LoadOp, dimension: int, frame: Frame) -> SSAValue:
        """Return whether a matrix that is read across leaves the caches.

        Threads get parts of it, but strides tell how many rows and columns there are in all.
        """
        weaver, zero, index = self.weaver, self.weaver.index(0), self.weaver.index
        buffer = weaver.scalar(self.store.buffer, frame)
        source = weaver.scalar(load.buffer, frame)
        row = weaver.add(StrideOp.make(buffer, dimension))
        column = weaver.add(StrideOp.make(source, len(load.indices) - 1))
        elements = weaver.compute(arith.MuliOp, row, column)
        is_large = weaver.compare("sge", elements, index(BEYOND_CACHES // self._bytes))
        start = weaver.add(InLineOp.make(buffer, [zero] * len(self.store.indices)))
        rest = weaver.compute(arith.AndIOp, start, index(self._bytes - 1))
        is_whole = weaver.compare("eq", rest, zero)  # else no line begins with an element
        begins = weaver.compute(arith.MuliOp, row, index(self._bytes))
        begins = weaver.compute(arith.OrIOp, begins, start)
        begins = weaver.compute(arith.AndIOp, begins, index(LINE - 1))
        self.is_beyond = weaver.compute(arith.AndIOp, is_large, is_whole)
        is_uneven = weaver.compare("ne", begins, zero)
        is_uneven = weaver.compute(arith.AndIOp, self.is_beyond, is_uneven)
        #: Elements that tiles overlap by.
        self.overlap = weaver.choose(is_uneven, index(self.line), zero)
        return self.is_beyond

    def row(self, first: SSAValue, count: SSAValue, frame: Frame, points: Points) -> None:
        """Run the map on the elements of a row that a tile holds, from one of the row on."""
        lanes = self.scheduler.lanes_of_map(self.op.block)

        def usual() -> Values:
            self.scheduler.in_lanes(count, frame, lanes, points)
            return ()

        def in_lines() -> Values:
            weaver, zero = self.weaver, self.weaver.index(0)
            start = self._before_line(first, count, frame)
            end = weaver.compute(arith.AddiOp, start, weaver.index(self.width))
            end = weaver.compute(arith.MinSIOp, end, count)
            whole = weaver.compute(arith.SubiOp, end, start)
            whole = weaver.compute(arith.AndIOp, whole, weaver.index(-lanes))
            stop = weaver.compute(arith.AddiOp, start, whole)
            # Where tiles overlap, the one before wrote what is in front of the first line.
            covered = weaver.compute(arith.MinSIOp, first, self.overlap)
            is_missing = weaver.compare("eq", covered, zero)
            self._in_part(zero, weaver.choose(is_missing, start, zero), frame, points)
            self._is_past_caches = True
            bounds = start, stop, weaver.index(lanes)
            loop(weaver, bounds, lambda place: points(frame.inner(lanes), place))
            self._is_past_caches = False
            self._in_part(stop, end, frame, points)
            return ()

        self.weaver.branch(self.is_beyond, in_lines, usual)

    def translate(self, store: StoreOp, frame: Frame) -> bool:
        """Write lanes past the caches, if that is what is being built."""
        if not self._is_past_caches or store is not self.store:
            return False
        weaver = self.weaver
        value, buffer = weaver.vector(store.value, frame), weaver.scalar(store.buffer, frame)
        indices, _ = weaver.place(buffer, store.indices, frame)
        append(weaver.block, StoreOp.make(value, buffer, indices, is_past_caches=True))
        return True

    def _before_line(self, first: SSAValue, count: SSAValue, frame: Frame) -> SSAValue:
        """Return how many elements there are in front of the first line that begins in a row."""
        inner = frame.inner()
        inner.scalars[self.op.indices[-1]] = first
        rest = before_line(self.weaver, self.store, inner, self._bytes)
        return self.weaver.compute(arith.MinSIOp, rest, count)

    def _in_part(self, start: SSAValue, stop: SSAValue, frame: Frame, points: Points) -> None:
        """Run the map where no line is whole."""
        weaver, width = self.weaver, self.scheduler.width

        def masked(place: SSAValue) -> None:
            rest = weaver.compute(arith.SubiOp, stop, place)
            points(frame.inner(width, weaver.add(MaskOp.make(rest, width))), place)

        if self.scheduler.narrow:
            bounds = start, stop, weaver.index(1)
            loop(weaver, bounds, lambda place: points(frame.inner(), place))
        else:
            loop(weaver, (start, stop, weaver.index(width)), masked)


def before_line(weaver: Weaver, store: StoreOp, frame: Frame, size: int) -> SSAValue:
    """Return how many elements of so many bytes a store writes in front of the next line."""
    buffer = weaver.scalar(store.buffer, frame)
    indices, _ = weaver.place(buffer, store.indices, frame)
    place = weaver.add(InLineOp.make(buffer, indices))
    rest = weaver.compute(arith.SubiOp, weaver.index(LINE), place)
    rest = weaver.compute(arith.AndIOp, rest, weaver.index(LINE - 1))
    return weaver.compute(arith.DivUIOp, rest, weaver.index(size))
