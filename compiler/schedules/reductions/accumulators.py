"""What do all ways to reduce share: start, combination, accumulators?

The order is given (see `kernel.reduce`): L lanes, blocks, halving at the end. The ways that keep
it, each of which is a strategy of schedulers:

- `serial`: loops that carry the accumulator; for one lane, and for scans.
- `columns`: a table of L accumulators for each of several results; `strips` makes these long.
- `vectors`: the lanes are those of a few vectors in registers.
- `arrays`: the lanes are an array, for compilers that make vectors themselves.

On GPUs a work-group is one more (`opencl/group_reductions.py`).
"""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue

from ....dialects.kernel.lanes import ConvertOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.reductions import CUSTOM, FMA, combining_op, neutral_element
from ....dialects.kernel.scheduled import AS_SCALARS, ForOp
from ....dialects.kernel.structured import CombinationOp, ReduceOp
from ....dialects.kernel.types import (
    PRIVATE,
    BufferType,
    element_of,
    i1,
    i8,
    is_vector,
    lanes_of,
    vector_of,
)
from ....dialects.making import make_op, operands_of
from ..lanes import Frame, Weaver
from ..scheduler import Scheduler, Values


def start_values(
    scheduler: Scheduler, op: CombinationOp, frame: Frame, lanes: int
) -> list[SSAValue]:
    """Return what an accumulator starts from, in a number of lanes."""
    weaver, kind = scheduler.weaver, op.kind.data
    inner = frame.inner(lanes)
    if kind == CUSTOM:
        return [weaver.vector(value, inner) for value in op.inits]
    type_ = op.value_types[0]
    value = weaver.constant(neutral_element(kind, type_, op.is_unsigned), type_)
    return [value if lanes == 1 else weaver.splat(value, lanes)]


def combine(
    scheduler: Scheduler, op: CombinationOp, frame: Frame, left: Values, right: Values
) -> list[SSAValue]:
    """Combine two tuples of values, scalars or vectors.

    Of kind `fma` an element is two factors, and what has been accumulated one value.
    """
    weaver, kind = scheduler.weaver, op.kind.data
    type_ = left[0].type
    if len(right) > len(left):
        assert kind == FMA
        return [weaver.compute(math.FmaOp, *right, *left)]
    if kind != CUSTOM:
        operation = combining_op(kind, element_of(type_), op.is_unsigned)
        return [weaver.compute(operation, left[0], right[0])]
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


def body_values(scheduler: Scheduler, op: CombinationOp, frame: Frame) -> list[SSAValue]:
    """Emit the body of a reduction or scan once; return what it yields."""
    last = scheduler.body(op.block, frame)
    return [scheduler.weaver.vector(value, frame) for value in last.operands]


def ops_of_value(op: CombinationOp, position: int) -> list[Operation]:
    """Return what one value of the elements is computed from, and what has effects."""
    *ops, last = op.block.ops
    found, needed = {last.operands[position]}, list[Operation]()
    for inner in reversed(ops):
        if not inner.results or not found.isdisjoint(inner.results):
            needed.append(inner)
            found.update(value for each in inner.walk() for value in operands_of(each))
    return needed[::-1]


def bind_results(op: ReduceOp, values: Values, frame: Frame) -> None:
    """Say what the results of a reduction are."""
    for result, value in zip(op.results, values, strict=True):
        frame.bind(result, value)


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
        self,
        scheduler: Scheduler,
        op: CombinationOp,
        count: int,
        columns: int,
        space: str = PRIVATE,
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
        """Set values of a row to what the reduction starts from."""
        self.store(number, column, start_values(self.scheduler, self.op, frame, frame.lanes))

    def combine(self, frame: Frame, number: SSAValue, column: SSAValue, values: Values) -> None:
        """Combine values with those of a row."""
        old = self.load(frame, number, column)
        self.store(number, column, combine(self.scheduler, self.op, frame, old, values))


def _resize(weaver: Weaver, value: SSAValue, type_: Attribute) -> SSAValue:
    """Convert between i1 and i8."""
    if is_vector(value.type):
        word = "trunci" if type_ == i1 else "extui"
        return weaver.add(ConvertOp.make(word, value, type_))
    kind = arith.TruncIOp if type_ == i1 else arith.ExtUIOp
    return weaver.add(make_op(kind, operands=[value], result_types=[type_]))
