"""How does a vector times a matrix run? Along the rows of the matrix, eight at a time.

    for j in (0, columns): c[j] = 0
    for p in (0, k) step 8
      for j in (0, columns) step 16
        c[j] takes in a[p] * b[p, j], then a[p + 1] * b[p + 1, j] ...

Column by column each element of the matrix would be on another page: 0.4 of the speed. The order of
each sum stays.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import buffer_type_of, vector_of
from ..lanes import Frame
from ..reductions.accumulators import combine, start_values
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values
from .blocked_sums import packed_load

#: Rows that a sum takes in between a load and a store of it.
ROWS = 8


def streamed_load(scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> LoadOp | None:
    """Return the load whose rows are read; None if neighbouring sums read no neighbours."""
    load = packed_load(scheduler, op, lanes)
    # A sum of one operand alone has loads that wait for nothing else.
    if load is None or len(_loads(load)) == 1:
        return None
    strides = buffer_type_of(load.buffer).strides
    along = [stride for index, stride in zip(load.indices, strides, strict=True) if index is lanes]
    return load if along == [1] else None


def _loads(load: LoadOp) -> list[LoadOp]:
    """Return all loads beside one."""
    block = load.parent_block()
    assert block is not None
    return [item for item in block.ops if isinstance(item, LoadOp)]


class StreamedSums:
    """Serial sums of products whose lanes are chosen."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp, load: LoadOp, lanes: SSAValue) -> None:
        """Prepare to build it; `load` is what is read along rows."""
        self.scheduler, self.weaver, self.lanes = scheduler, scheduler.weaver, lanes
        reduction, store = list(op.block.ops)[:2]
        assert isinstance(reduction, ReduceOp)
        assert isinstance(store, StoreOp)
        self.reduction, self.store = reduction, store
        #: What is the same for all lanes is loaded once for each element of the sums.
        self.shared: list[Operation] = [item for item in _loads(load) if item is not load]

    def build(self, across: SSAValue, frame: Frame) -> None:
        """Build the loops over rows, and over vectors inside of them."""
        scheduler, weaver = self.scheduler, self.weaver
        # The kernel reads what it writes.
        scheduler.reads.add(self.store.buffer)
        (extent,) = self.reduction.extents
        extent = weaver.scalar(extent, frame)
        lanes = scheduler.width * HEAVY_REGISTERS

        def clear(inner: Frame, first: SSAValue) -> None:
            self._enter(inner, first)
            (start,) = start_values(scheduler, self.reduction, inner, inner.lanes)
            self._keep(inner, start)

        def rows(first: SSAValue, count: int) -> None:
            taken = [self._row(first, number, frame) for number in range(count)]

            def vectors(inner: Frame, place: SSAValue) -> None:
                self._enter(inner, place)
                total = self._load(inner)
                for row in taken:
                    total = self._add(inner, row, total)
                self._keep(inner, total)

            scheduler.in_lanes(across, frame, lanes, vectors)

        def several(first: SSAValue, _: Values) -> Values:
            rows(first, ROWS)
            return ()

        def single(first: SSAValue, _: Values) -> Values:
            rows(first, 1)
            return ()

        scheduler.in_lanes(across, frame, lanes, clear)
        whole = weaver.compute(arith.AndIOp, extent, weaver.index(-ROWS))
        weaver.loop((weaver.index(0), whole, weaver.index(ROWS)), (), several)
        weaver.loop((whole, extent, weaver.index(1)), (), single)

    def _enter(self, frame: Frame, first: SSAValue) -> None:
        """Set the index of the lanes."""
        if frame.lanes == 1:
            frame.scalars[self.lanes] = first
        else:
            frame.bases[self.lanes] = first

    def _row(self, first: SSAValue, number: int, frame: Frame) -> Frame:
        """Return a frame for an element of the sums, with what all lanes share."""
        weaver, inner = self.weaver, frame.inner()
        place = weaver.compute(arith.AddiOp, first, weaver.index(number)) if number else first
        inner.scalars[self.reduction.indices[0]] = place
        inner.scalars[self.lanes] = weaver.index(0)  # it does not matter
        for op in self.shared:
            self.scheduler.translate(op, inner)
        return inner

    def _load(self, frame: Frame) -> SSAValue:
        """Return the sums so far."""
        weaver, buffer = self.weaver, self.weaver.scalar(self.store.buffer, frame)
        indices, along = weaver.place(buffer, self.store.indices, frame)
        element = buffer_type_of(buffer).element
        type_ = element if frame.lanes == 1 else vector_of(element, frame.lanes)
        along = None if along == len(indices) - 1 else along
        return weaver.add(LoadOp.make(buffer, indices, type_, frame.mask, along=along))

    def _add(self, frame: Frame, row: Frame, total: SSAValue) -> SSAValue:
        """Take one product into the sums."""
        inner = frame.inner()
        for op in (self.reduction.indices[0], *(op.results[0] for op in self.shared)):
            inner.scalars[op] = row.scalars[op]
        *ops, last = self.reduction.block.ops
        for op in ops:
            if op not in self.shared:
                self.scheduler.translate(op, inner)
        values = [self.weaver.vector(value, inner) for value in last.operands]
        (result,) = combine(self.scheduler, self.reduction, inner, [total], values)
        return result

    def _keep(self, frame: Frame, total: SSAValue) -> None:
        inner = frame.inner()
        inner.bind(self.reduction.results[0], total)
        self.scheduler.translate(self.store, inner)
