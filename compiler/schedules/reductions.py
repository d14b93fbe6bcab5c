"""What do all ways to fold share: start, combination, accumulators?

The order is given (see `kernel.reduce`): L lanes, blocks, halving at the end. Three ways keep it:

- `fold_serially`, here: loops that carry the accumulator; for one lane, and for scans.
- `fold_in_memory` (memory_folds.py): a table of L accumulators for each of several results.
- `fold_in_lanes` (lane_folds.py): the lanes are those of a few vectors in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects import arith
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.kernel.folds import combining_op, neutral_element
from ...dialects.kernel.lanes import ConvertOp
from ...dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ...dialects.kernel.scheduled import AS_SCALARS, ForOp
from ...dialects.kernel.structured import CUSTOM, FoldOp, ScanOp
from ...dialects.kernel.types import (
    PRIVATE,
    BufferType,
    element_of,
    i1,
    i8,
    is_vector,
    lanes_of,
    vector_of,
)
from .lanes import Frame, Weaver

if TYPE_CHECKING:
    from .cpu.schedule import Scheduler

Values = Sequence[SSAValue]


def start_values(scheduler: Scheduler, op: FoldOp, frame: Frame, lanes: int) -> list[SSAValue]:
    """Return what an accumulator starts from, in a number of lanes."""
    weaver, kind = scheduler.weaver, op.kind.data
    inner = frame.inner(lanes)
    if kind == CUSTOM:
        return [weaver.vector(value, inner) for value in op.inits]
    type_ = op.value_types[0]
    value = weaver.constant(neutral_element(kind, type_, op.is_unsigned), type_)
    return [value if lanes == 1 else weaver.splat(value, lanes)]


def combine(
    scheduler: Scheduler, op: FoldOp, frame: Frame, left: Values, right: Values
) -> list[SSAValue]:
    """Fold two tuples of values, scalars or vectors."""
    weaver, kind = scheduler.weaver, op.kind.data
    type_ = left[0].type
    if kind != CUSTOM:
        folding = combining_op(kind, element_of(type_), op.is_unsigned)
        return [weaver.compute(folding, left[0], right[0])]
    inner = frame.inner(lanes_of(type_))
    block = op.regions[-1].blocks[0]
    for argument, value in zip(block.args, (*left, *right), strict=True):
        inner.bind(argument, value)
    last = scheduler.body(block, inner)
    return [weaver.vector(value, inner) for value in last.operands]


def keep_scalar(op: Operation | None) -> None:
    """Mark loops in an op, or the op itself: they run too rarely to be worth vectors."""
    assert op is not None
    for loop in op.walk():
        if isinstance(loop, ForOp):
            loop.attributes[AS_SCALARS] = UnitAttr()


def body_values(scheduler: Scheduler, op: FoldOp, frame: Frame) -> list[SSAValue]:
    """Emit the body of a fold once; return what it yields."""
    last = scheduler.body(op.block, frame)
    return [scheduler.weaver.vector(value, frame) for value in last.operands]


def fold_serially(scheduler: Scheduler, op: FoldOp, frame: Frame) -> Values:
    """Fold one element after the other; return the accumulators."""
    weaver = scheduler.weaver
    extents = [weaver.scalar(extent, frame) for extent in op.extents]
    inits = start_values(scheduler, op, frame, frame.lanes)

    def leaf(inner: Frame, carried: Values) -> Values:
        values = body_values(scheduler, op, inner)
        folded = combine(scheduler, op, inner, carried, values)
        if isinstance(op, ScanOp):
            into = op.into.blocks[0]
            count = len(op.indices)
            for index, argument in zip(op.indices, into.args[:count], strict=True):
                inner.scalars[argument] = inner.scalars[index]
            for argument, value in zip(into.args[count:], folded, strict=True):
                inner.bind(argument, value)
            scheduler.body(into, inner)
        return folded

    return scheduler.nest(op.indices, extents, frame, leaf, inits)


def element_number(weaver: Weaver, indices: Values, extents: Values) -> SSAValue:
    """Return the row-major number of an element."""
    number = indices[0]
    for index, extent in zip(indices[1:], extents[1:], strict=True):
        number = weaver.compute(arith.MuliOp, number, extent)
        number = weaver.compute(arith.AddiOp, number, index)
    return number


class Accumulators:
    """Values in fast memory, `count` rows of `columns`; i1 is kept as i8: memory has no bits."""

    def __init__(
        self, scheduler: Scheduler, op: FoldOp, count: int, columns: int, space: str = PRIVATE
    ) -> None:
        """Reserve the memory."""
        self.scheduler, self.op = scheduler, op
        self.types = op.value_types
        weaver = scheduler.weaver
        self.buffers = [
            weaver.add(AllocOp.make([count, columns], BufferType.get(stored, (columns, 1), space)))
            for stored in [i8 if type_ == i1 else type_ for type_ in self.types]
        ]

    def load(self, frame: Frame, number: SSAValue, column: SSAValue) -> list[SSAValue]:
        """Return the values of a row, as many columns as the frame has lanes."""
        weaver, lanes = self.scheduler.weaver, frame.lanes
        values: list[SSAValue] = []
        for buffer, type_ in zip(self.buffers, self.types, strict=True):
            stored = i8 if type_ == i1 else type_
            how = stored if lanes == 1 else vector_of(stored, lanes)
            value = weaver.add(LoadOp.make(buffer, (number, column), how))
            values.append(value if type_ != i1 else _resize(weaver, value, i1))
        return values

    def store(self, number: SSAValue, column: SSAValue, values: Values) -> None:
        """Set values of a row."""
        weaver = self.scheduler.weaver
        for buffer, value in zip(self.buffers, values, strict=True):
            if element_of(value.type) == i1:
                value = _resize(weaver, value, i8)
            weaver.block.add_op(StoreOp.make(value, buffer, (number, column)))

    def clear(self, frame: Frame, number: SSAValue, column: SSAValue) -> None:
        """Set values of a row to what the fold starts from."""
        self.store(number, column, start_values(self.scheduler, self.op, frame, frame.lanes))

    def fold(self, frame: Frame, number: SSAValue, column: SSAValue, values: Values) -> None:
        """Fold values into those of a row."""
        old = self.load(frame, number, column)
        self.store(number, column, combine(self.scheduler, self.op, frame, old, values))


def _resize(weaver: Weaver, value: SSAValue, type_: Attribute) -> SSAValue:
    """Convert between i1 and i8."""
    if is_vector(value.type):
        word = "trunci" if type_ == i1 else "extui"
        return weaver.add(ConvertOp.make(word, value, type_))
    kind = arith.TruncIOp if type_ == i1 else arith.ExtUIOp
    return weaver.add(kind.create(operands=[value], result_types=[type_]))
