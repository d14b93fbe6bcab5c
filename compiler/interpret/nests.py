"""Which points of a nest can be computed at once, and in which work-group do they stand?"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import VectorType
from xdsl.interpreter import Interpreter
from xdsl.ir import Block, Operation, SSAValue

from ...dialects.kernel.memory import AllocOp, BarrierOp
from ...dialects.kernel.scheduled import ForOp, IfOp
from ...dialects.kernel.structured import IterationOp, ParallelOp

_POINT_BY_POINT = (ForOp, IfOp, AllocOp, BarrierOp)


def group_of(op: Operation) -> ParallelOp | None:
    """Return the nest of work-groups that an op stands in."""
    parent = op.parent_op()
    while parent is not None:
        if isinstance(parent, ParallelOp) and parent.is_grid("groups"):
            return parent
        parent = parent.parent_op()
    return None


def is_pointwise(op: Operation, nest: Operation) -> bool:
    """Whether an op of a nest can be run for many points at once."""
    if isinstance(op, _POINT_BY_POINT):
        return False
    if any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results)):
        return False
    if isinstance(op, IterationOp) and op is not nest:
        return all(_is_outside(extent, nest) for extent in op.extents)
    return True


def _is_outside(value: SSAValue, nest: Operation) -> bool:
    """Whether a value is the same for all points of a nest, by where it is made."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp):
        return True
    parent = owner.parent_op() if isinstance(owner, Block) else owner
    return parent is None or not nest.is_ancestor(parent)


def points_inside(interpreter: Interpreter, block: Block) -> int:
    """Return how many points the nests inside a body compute, for each of its own."""
    most = 1
    for op in block.ops:
        if isinstance(op, IterationOp):
            count = 1
            for extent in op.extents:
                owner = extent.owner
                if not isinstance(owner, arith.ConstantOp):
                    count *= max(1, int(interpreter.get_values((extent,))[0]))
            most = max(most, count * points_inside(interpreter, op.block))
    return most
