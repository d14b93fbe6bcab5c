"""Which serial sums of products lie in the result while they are formed? What such schedules share.

A sum that is interrupted goes on with what it has left in the memory that the kernel writes, so
that the order of its products, and with it every bit, is that of one loop. What is computed from
each sum, the *epilogue*, comes when the last product has been taken in, and takes its place.
"""

from __future__ import annotations

from collections.abc import Collection

from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import buffer_type_of, vector_of
from ...analysis.access_patterns import reads_along
from ..lanes import Frame
from ..reductions.accumulators import combine, start_values
from ..scheduler import Scheduler

#: Elements of so many bits are read and written under masks with any vectors.
USUAL_BITS = 32


def factor_along(
    scheduler: Scheduler, op: ParallelOp, lanes: SSAValue, *, is_packed: bool = False
) -> LoadOp | None:
    """Return what a serial sum reads along the lanes; None if it is not one of such products."""
    reduction = serial_sum(scheduler, op, is_packed=is_packed)
    if reduction is None:
        return None
    along = [load for load in loads_of(reduction) if reads_along(load, lanes)]
    return along[0] if len(along) == 1 else None


def only_reduction(op: ParallelOp) -> ReduceOp | None:
    """Return the reduction of a nest's body if nothing else there has a region."""
    inner = [item for item in op.block.ops if item.regions]
    reduction = inner[0] if len(inner) == 1 else None
    return reduction if isinstance(reduction, ReduceOp) else None


def other_load(reduction: ReduceOp, packed: LoadOp) -> LoadOp | None:
    """Return the one load of a sum of products beside the packed one; None if there are others."""
    others = [load for load in loads_of(reduction) if load is not packed]
    return others[0] if len(others) == 1 else None


def serial_sum(scheduler: Scheduler, op: ParallelOp, *, is_packed: bool = False) -> ReduceOp | None:
    """Return the one sum of a nest, if it is serial and has room where the nest stores.

    What is packed is read once: it may be of elements that no instruction reads under a mask. Where
    something else is stored than sums, these have no room: they must not be interrupted.
    """
    reduction = only_reduction(op)
    stores = [item for item in op.block.ops if isinstance(item, StoreOp)]
    if reduction is None or len(stores) != 1:
        return None
    if scheduler.narrow and (not is_packed or bits_of(reduction.results[0].type) < USUAL_BITS):
        return None
    if reduction.kind.data == CUSTOM or not reduction.is_serial:
        return None
    (store,), (total,) = stores, reduction.results
    if not _is_alone(store):
        return None
    if not has_sums(store, total) and not (is_packed and _is_rounded(scheduler, reduction)):
        return None
    return reduction if set(op.indices) <= set(store.indices) else None


def bits_of(type_: Attribute) -> int:
    """Return the width of an element; 64 bits if it is no number of a fixed width."""
    bits: int = getattr(type_, "bitwidth", 64)
    return bits


def loads_of(reduction: ReduceOp) -> list[LoadOp]:
    """Return what an element of a reduction reads."""
    return [item for item in reduction.block.ops if isinstance(item, LoadOp)]


def has_sums(store: StoreOp, total: SSAValue) -> bool:
    """Whether memory that is written can hold sums before they are finished."""
    return total.type == buffer_type_of(store.buffer).element


def _is_rounded(scheduler: Scheduler, reduction: ReduceOp) -> bool:
    """Whether sums may be stored in another type: a factor has theirs, so that few are widened."""
    types = [buffer_type_of(load.buffer).element for load in loads_of(reduction)]
    return scheduler.can_round_sums and reduction.results[0].type in types


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
        """Note that the kernel reads what it writes, if it does."""
        self.scheduler, self.weaver, self.lanes = scheduler, scheduler.weaver, lanes
        reduction, (*others, _) = only_reduction(op), op.block.ops
        assert reduction is not None
        (store,) = (item for item in others if isinstance(item, StoreOp))
        self.reduction, self.store = reduction, store
        #: Whether sums that are interrupted have room in the result.
        self.has_room = has_sums(store, reduction.results[0])
        self.elements = reduction.indices
        #: What is computed from a sum before it is stored.
        self.epilogue = [item for item in others if item not in (reduction, store)]
        if self.has_room:
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

    def keep(self, frame: Frame, value: SSAValue) -> None:
        """Store the sums as they are."""
        inner = frame.inner()
        inner.bind(self.store.value, value)
        self.scheduler.translate(self.store, inner)

    def finish(self, frame: Frame, total: SSAValue) -> SSAValue:
        """Return what is computed from the sums, and stored in the end."""
        if not self.epilogue:
            return total
        inner = frame.inner()
        inner.bind(self.reduction.results[0], total)
        for op in self.epilogue:
            self.scheduler.translate(op, inner)
        return self.weaver.vector(self.store.value, inner)
