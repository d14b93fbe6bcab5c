"""Which serial sums of products lie in the result while they are formed? What such schedules share.

A sum that is interrupted goes on with what it has left in the memory that the kernel writes, so
that the order of its products, and with it every bit, is that of one loop.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import buffer_type_of, vector_of
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..reductions.accumulators import combine, start_values
from ..scheduler import Scheduler


def factor_along(scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> LoadOp | None:
    """Return what a serial sum reads along the lanes; None if it is not one of such products."""
    reduction = serial_sum(scheduler, op)
    if reduction is None:
        return None
    along = [load for load in loads_of(reduction) if reads_along(load, lanes)]
    return along[0] if len(along) == 1 else None


def serial_sum(scheduler: Scheduler, op: ParallelOp) -> ReduceOp | None:
    """Return the one sum of a nest, if it is serial and stored as it is."""
    *inner, _ = op.block.ops
    if len(inner) != 2 or scheduler.narrow:
        return None
    reduction, store = inner
    if not isinstance(reduction, ReduceOp) or not isinstance(store, StoreOp):
        return None
    if reduction.kind.data == CUSTOM or not reduction.is_serial:
        return None
    if store.value is not reduction.results[0] or not _is_alone(store):
        return None
    return reduction if set(op.indices) <= set(store.indices) else None


def loads_of(reduction: ReduceOp) -> list[LoadOp]:
    """Return what an element of a reduction reads."""
    return [item for item in reduction.block.ops if isinstance(item, LoadOp)]


def _is_alone(store: StoreOp) -> bool:
    """Whether the kernel may keep its sums in what it writes: nothing else is there."""
    function, buffer = store.parent_op(), store.buffer
    while function is not None and not isinstance(function, FuncOp):
        function = function.parent_op()
    if function is None or not isinstance(buffer, BlockArgument):
        return False
    return function.is_noalias(buffer) and store.value.type == buffer_type_of(buffer).element


class SumsInResult:
    """A nest of serial sums of products that `factor_along` has found one factor of."""

    def __init__(self, scheduler: Scheduler, op: ParallelOp, lanes: SSAValue) -> None:
        """Note that the kernel reads what it writes."""
        self.scheduler, self.weaver, self.lanes = scheduler, scheduler.weaver, lanes
        reduction, store, _ = op.block.ops
        assert isinstance(reduction, ReduceOp)
        assert isinstance(store, StoreOp)
        self.reduction, self.store = reduction, store
        self.elements = reduction.indices
        scheduler.reads.add(store.buffer)

    def start(self, frame: Frame) -> SSAValue:
        """Return sums of nothing."""
        (start,) = start_values(self.scheduler, self.reduction, frame, frame.lanes)
        return start

    def load(self, frame: Frame) -> SSAValue:
        """Return the sums so far."""
        weaver, buffer = self.weaver, self.weaver.scalar(self.store.buffer, frame)
        indices, along = weaver.place(buffer, self.store.indices, frame)
        element = buffer_type_of(buffer).element
        type_ = element if frame.lanes == 1 else vector_of(element, frame.lanes)
        along = None if along == len(indices) - 1 else along
        return weaver.add(LoadOp.make(buffer, indices, type_, frame.mask, along=along))

    def add(self, frame: Frame, total: SSAValue, loaded: Collection[Operation]) -> SSAValue:
        """Take one product into the sums; what is `loaded` already has its value in the frame."""
        *ops, last = self.reduction.block.ops
        for op in ops:
            if op not in loaded:
                self.scheduler.translate(op, frame)
        values = [self.weaver.vector(value, frame) for value in last.operands]
        (result,) = combine(self.scheduler, self.reduction, frame, [total], values)
        return result

    def keep(self, frame: Frame, total: SSAValue) -> None:
        """Store the sums."""
        inner = frame.inner()
        inner.bind(self.reduction.results[0], total)
        self.scheduler.translate(self.store, inner)
