"""How is one element of each row picked without writing the rows? It is picked before computing.

Before::

    %0 = tri.sub %x, %rows : !tri.tensor<8x5xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x5xf32>
    %1 = tri.gather_along %0, %places {dim = 1 : i64, ...} : ... -> !tri.tensor<8x1xf32>

After::

    %2 = tri.gather_along %x, %places {dim = 1 : i64, ...} : ... -> !tri.tensor<8x1xf32>
    %1 = tri.sub %2, %rows : !tri.tensor<8x1xf32>, !tri.tensor<8x1xf32> -> !tri.tensor<8x1xf32>

So does a loss that looks up the logarithm of one probability of each row: of all others only the
sum is needed, which a kernel of rows keeps to itself. What is looked up in must lie in memory
anyway: an argument, or the result of what is not computed element by element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import are_equal
from ....dialects.attributes.spec import TensorSpec
from ....dialects.diagnostics import TrilithError
from ....dialects.making import discard, operands_of
from ....dialects.ops.frame.row import Resolved
from ....dialects.tri.ops import (
    ElementwiseOperation,
    TensorOperation,
    ViewOperation,
    is_pointwise,
    tensor_spec,
)
from ....dialects.tri.types import TensorType
from ...analysis.aliases import escaping_values

#: What looks up; its row is not loaded to ask whether a program has one.
GATHER = "tri.gather_along"

#: How many operations one gather moves above, at most, and how many tensors it then looks up in.
MAXIMUM_STEPS, MAXIMUM_SOURCES = 16, 2


@dataclass(frozen=True)
class HoistGathersPass(ModulePass):
    """Move gathers of one element along a dim above elementwise operations."""

    name = "tri-hoist-gathers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Hoist in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                block = func.body.block
                gathers = [each for each in block.ops if each.name == GATHER]
                escaping = escaping_values(block) if gathers else set[SSAValue]()
                for gather in gathers:
                    assert isinstance(gather, TensorOperation)
                    _hoist(gather, escaping)


def _hoist(gather: TensorOperation, escaping: set[SSAValue]) -> None:
    chain = _Chain(gather)
    value = gather.operands[0]
    if value not in escaping and chain.picks_one_of_several() and chain.reach(value):
        chain.rebuild()


class _Chain:
    """The elementwise operations that one gather may move above."""

    def __init__(self, gather: TensorOperation) -> None:
        self.gather = gather
        self.dim: Any = gather.values()["dim"]
        self.shape = tensor_spec(gather.operands[0]).shape
        self.picked = tensor_spec(gather.operands[1]).shape
        #: Operations on the whole shape, each behind those that it needs.
        self.steps: list[ElementwiseOperation] = []
        #: What is looked up in, and what that gives.
        self.sources: dict[SSAValue, Resolved] = {}

    def picks_one_of_several(self) -> bool:
        """Whether the index differs from the operand along the gather's dim alone, with size 1."""
        if self.picked[self.dim] != 1 or self.shape[self.dim] == 1:
            return False
        others = [number for number in range(len(self.shape)) if number != self.dim]
        return are_equal(*(tuple(shape[n] for n in others) for shape in (self.shape, self.picked)))

    def reach(self, value: SSAValue) -> bool:
        """Note what computes a value and what it is computed from; False if it cannot move."""
        pending = [value]
        while pending:
            current = pending[-1]
            op = current.owner
            if self._is_known(current):
                pending.pop()
            elif not isinstance(op, ElementwiseOperation):
                found = self._found_in(pending.pop())
                if found is None:
                    return False
                self.sources[current] = found
            elif missing := [each for each in operands_of(op) if self._is_missing(each)]:
                pending += missing
            elif len(op.results) > 1 or not all(map(self._may_be_read, operands_of(op))):
                return False
            else:
                self.steps.append(op)
                pending.pop()
            if len(self.steps) > MAXIMUM_STEPS or len(self.sources) > MAXIMUM_SOURCES:
                return False
        return bool(self.steps)

    def _found_in(self, source: SSAValue) -> Resolved | None:
        """Return what a look-up in a value gives, if that is in memory and of a dtype it takes."""
        gather = self.gather
        if not _is_in_memory(source):
            return None
        specs = [tensor_spec(each) for each in (source, gather.operands[1])]
        try:
            return gather.ROW.resolve(specs, gather.values())
        except TrilithError:  # of unsigned integers, say, which PyTorch does not look up
            return None

    def _is_known(self, value: SSAValue) -> bool:
        return value in self.sources or value.owner in self.steps

    def _is_missing(self, value: SSAValue) -> bool:
        return self._is_whole(value) and not self._is_known(value)

    def _is_whole(self, value: SSAValue) -> bool:
        """Whether a value is a tensor of the shape that is gathered from."""
        return isinstance(value.type, TensorType) and are_equal(
            tensor_spec(value).shape, self.shape
        )

    def _may_be_read(self, value: SSAValue) -> bool:
        """Whether an operand is looked up in, or a number, or the same along the gather's dim."""
        if not isinstance(value.type, TensorType) or self._is_whole(value):
            return True
        shape = tensor_spec(value).shape
        place: int = self.dim - (len(self.shape) - len(shape))
        return place < 0 or shape[place] == 1

    def rebuild(self) -> None:
        """Look up in the sources, compute the rest of what was found."""
        gather, moved = self.gather, dict[SSAValue, SSAValue]()
        for source, found in self.sources.items():
            op = type(gather).make([source, gather.operands[1]], found, gather.location)
            self._insert(op)
            moved[source] = op.results[0]
        for op in self.steps:
            spec = TensorSpec.of(self.picked, op.spec.dtype, op.spec.device)
            copy = type(op).create(
                operands=[moved.get(operand, operand) for operand in op.operands],
                result_types=[TensorType.of(spec)],
                attributes=dict(op.attributes),
                location=op.location,
            )
            self._insert(copy)
            moved[op.results[0]] = copy.results[0]
        gather.results[0].replace_all_uses_with(moved[gather.operands[0]])
        discard(gather)
        for op in reversed(self.steps):
            if op.results[0].first_use is None:
                discard(op)

    def _insert(self, op: Operation) -> None:
        block = self.gather.parent
        assert block is not None
        block.insert_op_before(op, self.gather)


def _is_in_memory(value: SSAValue) -> bool:
    """Whether a value lies in memory, whoever reads it."""
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    op = value.owner
    return isinstance(op, Block) or (isinstance(op, TensorOperation) and not is_pointwise(op))
