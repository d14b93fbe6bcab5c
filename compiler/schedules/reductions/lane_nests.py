"""How do the lane values of a reduction's blocks stand in a kernel, which another one will combine?

As a nest with the attribute `kernel.lanes`, whose last index is the lane:

    kernel.parallel (%block, %lane) to (%blocks, %lanes) attributes {kernel.lanes = 32 : i64} {
      %first, %stop = ...                                        where the block begins and ends
      %begin = arith.addi %first, %lane : index
      %count = ...                                               how many of %begin, %begin + 32 ...
      %v = kernel.reduce add (%j) to (%count) {lanes = 1, block = 0} : f32 {
        %step = arith.muli %j, %c32 : index
        %place = arith.addi %begin, %step : index
        ...                                                      the element at %place
      }
      kernel.store %v, %values[...]
    }

For a GPU there is nothing to do: each lane is a work item, and neighbours read neighbours. For a
CPU the lanes of a block are taken together again: as vectors (`LaneNestVectors`), or as an array
where the code is OpenCL C (`LaneNestReduction`).
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.scheduled import AS_LANES
from ....dialects.kernel.structured import ParallelOp, ReduceOp, YieldOp
from ....dialects.kernel.types import type_of_index
from ...analysis.access_patterns import depends_on
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .accumulators import Accumulators, body_values, combine
from .arrays import ArrayReduction
from .vectors import VectorReduction


def reduction_of_lane(
    scheduler: Scheduler, op: ReduceOp, frame: Frame, bounds: tuple[SSAValue, SSAValue, SSAValue]
) -> ReduceOp:
    """Append the reduction of one lane of a block, whose bounds are first, end and lane."""
    weaver = scheduler.weaver
    first, stop, lane = bounds
    width = weaver.index(op.lane_count)
    begin = weaver.compute(arith.AddiOp, first, lane)
    left = weaver.compute(arith.SubiOp, stop, begin)
    above = weaver.compute(arith.AddiOp, left, weaver.index(op.lane_count - 1))
    # A lane that begins beyond the end has no elements, whatever a launch asks for.
    above = weaver.compute(arith.MaxSIOp, above, weaver.index(0))
    count = weaver.compute(arith.DivUIOp, above, width)
    outside, body = weaver.block, Block(arg_types=[type_of_index])
    weaver.block = body
    step = weaver.compute(arith.MuliOp, body.args[0], width)
    inner = frame.inner()
    inner.scalars[op.indices[0]] = weaver.compute(arith.AddiOp, begin, step)
    body.add_op(YieldOp.make(body_values(scheduler, op, inner)))
    combiner = None
    if op.kind.data == CUSTOM:
        combiner = weaver.block = Block(arg_types=[*op.result_types, *op.result_types])
        left_values, right_values = (
            combiner.args[: len(op.results)],
            combiner.args[len(op.results) :],
        )
        combined = combine(scheduler, op, frame, left_values, right_values)
        combiner.add_op(YieldOp.make(combined))
    weaver.block = outside
    reduction = ReduceOp.make(
        op.kind.data,
        [count],
        list(op.result_types),
        body,
        unsigned=op.is_unsigned,
        inits=[weaver.scalar(value, frame) for value in op.inits],
        combiner=combiner,
    )
    reduction.attributes.update(op.attributes)
    reduction.location = op.location
    weaver.block.add_op(reduction)
    return reduction


def is_lane_nest(op: Operation) -> bool:
    """Whether a nest computes lane values."""
    return isinstance(op, ParallelOp) and AS_LANES in op.attributes


class LaneNest:
    """A nest that was built around `reduction_of_lane`, taken apart for the lanes of one block."""

    def __init__(self, scheduler: Scheduler, nest: ParallelOp, frame: Frame) -> None:
        """Find its parts, and compute what no lane changes."""
        self.lane_index = nest.indices[-1]
        ops = list(nest.block.ops)[:-1]
        (self.reduction,) = [op for op in ops if isinstance(op, ReduceOp)]
        place = ops.index(self.reduction)
        for op in ops[:place]:
            if not any(depends_on(operand, self.lane_index) for operand in op.operands):
                scheduler.translate(op, frame)
        #: What is done with a lane's values.
        self.after = ops[place + 1 :]
        step, at, *self.element_ops = self.reduction.block.ops
        lanes = nest.attributes[AS_LANES]
        assert isinstance(step, arith.MuliOp)
        assert isinstance(lanes, IntegerAttr)
        self.lanes = lanes.value.data
        #: Where an element is: what is known without the lane.
        self.place = at.results[0]
        begin = _operand(at, 0)
        above = _operand(_operand(self.reduction.extents[0].owner, 0).owner, 0)
        left = _operand(above.owner, 0)
        self.first = scheduler.weaver.scalar(_operand(begin.owner, 0), frame)
        self.stop = scheduler.weaver.scalar(_operand(left.owner, 0), frame)

    def element(self, scheduler: Scheduler, frame: Frame) -> Operation:
        """Translate what computes the element at `place`; return what yields it."""
        *ops, last = self.element_ops
        for op in ops:
            scheduler.translate(op, frame)
        return last


class LaneNestReduction(ArrayReduction):
    """The lanes of one block as an array, computed by one work item."""

    def __init__(self, scheduler: Scheduler, nest: ParallelOp, frame: Frame) -> None:
        """Take a nest."""
        self.nest = LaneNest(scheduler, nest, frame)
        super().__init__(scheduler, self.nest.reduction, frame, self.nest.lanes)

    def build(self) -> Values:
        """Accumulate the block, and do for each lane what is done with its values."""
        values = self.reduce_block(self.nest.first, self.nest.stop)
        self.each_lane(lambda lane: self._store(values, lane))
        return ()

    def _store(self, values: Accumulators, lane: SSAValue) -> None:
        frame = self.frame.inner()
        frame.scalars[self.nest.lane_index] = lane
        for result, value in zip(self.op.results, values.load(frame, lane, self.zero), strict=True):
            frame.bind(result, value)
        for op in self.nest.after:
            self.scheduler.translate(op, frame)

    def element_values(self, frame: Frame, index: SSAValue) -> Values:
        """Compute the element at a place, which is known without the lane."""
        frame.scalars[self.nest.place] = index
        last = self.nest.element(self.scheduler, frame)
        return [self.weaver.scalar(value, frame) for value in last.operands]


class LaneNestVectors(VectorReduction):
    """The lanes of one block as vectors in registers."""

    def __init__(self, scheduler: Scheduler, nest: ParallelOp, frame: Frame) -> None:
        """Take a nest."""
        self.nest = LaneNest(scheduler, nest, frame)
        reduction = self.nest.reduction
        wide = scheduler.lanes_for(reduction.block)
        super().__init__(scheduler, reduction, frame, wide, self.nest.lanes)
        self.index = self.nest.place

    def build(self) -> None:
        """Accumulate the block, and do with the values of all lanes what is done with one's."""
        lanes = self.over(self.nest.first, self.nest.stop, self.neutral)
        for number, values in enumerate(self.split(lanes)):
            frame = self.frame.inner(self.wide)
            frame.enter(self.nest.lane_index, self.weaver.index(number * self.wide))
            for result, value in zip(
                self.op.results, self.lane_values(number, values), strict=True
            ):
                frame.bind(result, value)
            for op in self.nest.after:
                self.scheduler.translate(op, frame)

    def lane_values(self, number: int, values: Values) -> Values:
        """Return the results of a group of lanes, of what they have accumulated."""
        return values

    def element(self, frame: Frame) -> Values:
        """Compute the elements at places, which are known without the lane."""
        last = self.nest.element(self.scheduler, frame)
        return [self.weaver.vector(value, frame) for value in last.operands]


def _operand(op: Operation | Block, number: int) -> SSAValue:
    assert isinstance(op, Operation)
    return op.operands[number]
