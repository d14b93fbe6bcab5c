"""Which reductions become one kernel with what reads their results? Those along the same rows.

Before::

    %0 = tri.mean %x {dim = array<i64: 1>, keepdim = ...} : ... -> !tri.tensor<4x1xf32>
    %1 = tri.sub %x, %0 : ... -> !tri.tensor<4x3xf32>

After::

    %1 = tri.fusion (%a = %x : ...) -> (!tri.tensor<4x3xf32>) {
      %0 = tri.mean %a {dim = array<i64: 1>, keepdim = ...} : ... -> !tri.tensor<4x1xf32>
      %2 = tri.sub %a, %0 : ... -> !tri.tensor<4x3xf32>
      tri.yield %2 : !tri.tensor<4x3xf32>
    }

The kernel walks over the rows once. Of each it computes the reductions one after the other, then
the elements of the results, while the row is in the cache; what stands between two of these is
computed again in each. What is in front of them goes in if it is cheap.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import are_equal
from ....dialects.making import append, discard, make_op, operands_of
from ....dialects.tri.ops import is_pointwise, is_reduction, tensor_spec
from ....dialects.tri.structure import FusionOp, YieldOp
from ....dialects.tri.types import TensorType
from ...fusion.clusters import Cluster, clusters_of, in_order, is_constant
from ...fusion.recompute import STORING, recompute_cost, work_of
from .fuse import MAXIMUM_REPEATED_PER_KERNEL


@dataclass(frozen=True)
class FuseRowsPass(ModulePass):
    """Make a `tri.fusion` of each cluster of operations along the same rows."""

    name = "tri-fuse-rows"

    #: How many instructions a kernel has, about, and how many tensors it is given.
    maximum_work: int = 1024
    maximum_operands: int = 48

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                self._fuse(func.body.block)

    def _fuse(self, block: Block) -> None:
        if not any(is_reduction(op) for op in block.ops):
            return
        cost: dict[SSAValue, int] = {}
        fused = False
        for cluster in clusters_of(block):
            # What an earlier fusion has computed again, and nobody else needs, is gone.
            cluster.members[:] = [op for op in cluster.members if op.parent is block]
            if not cluster.members:
                continue
            rows = _Rows(cluster, cost)
            if rows.are_worth_it(self.maximum_work, self.maximum_operands):
                rows.fuse(block)
                fused = True
        if fused:
            _reorder(block)


def _reorder(block: Block) -> None:
    """Put the operations of a function into an order in which values come before their uses."""
    operations = list(block.ops)
    for op in operations:
        op.detach()
    for op in in_order(operations):
        append(block, op)


class _Rows:
    """A cluster that may become a fusion, with what is computed again in it."""

    def __init__(self, cluster: Cluster, cost: dict[SSAValue, int]) -> None:
        self.cluster = cluster
        self.cost = cost
        #: The same where rows that elements are computed from are given.
        self.cost_of_elements: dict[SSAValue, int] = {}
        self.members: set[Operation] = set(cluster.members)
        self.copied: list[Operation] = []
        self.inputs: dict[SSAValue, None] = {}
        reductions = sum(is_reduction(op) for op in cluster.members)
        self.outputs = [
            result
            for op in cluster.members
            for result in op.results
            if any(use.operation not in self.members for use in result.uses)
        ]
        #: How often a row is walked along.
        self.walks = reductions + 1
        self._take_inputs()

    def _take_inputs(self) -> None:
        """Find what is read, and what in front of it is computed again."""
        seen: set[SSAValue] = set()
        pending = [operand for op in self.cluster.members for operand in operands_of(op)]
        while pending:
            value = pending.pop()
            if value in seen or value.owner in self.members:
                continue
            seen.add(value)
            if is_constant(value) or self._is_cheap(value):
                owner = value.owner
                assert isinstance(owner, Operation)
                if owner not in self.copied:
                    self.copied.append(owner)
                    pending += operands_of(owner)
            else:
                self.inputs[value] = None

    def _is_cheap(self, value: SSAValue) -> bool:
        if not is_pointwise(value.owner):
            return False
        if are_equal(tensor_spec(value).shape, self.cluster.shape):
            cost = recompute_cost(value, self.cost_of_elements, self.cluster.shape)
        else:
            cost = recompute_cost(value, self.cost)
        return cost <= MAXIMUM_REPEATED_PER_KERNEL and cost * (self.walks - 1) <= STORING

    def are_worth_it(self, maximum_work: int, maximum_operands: int) -> bool:
        """Whether one kernel is better than several, and not too large."""
        if not self.cluster.keeps_busy():
            return False
        work = sum([work_of(op) for op in (*self.cluster.members, *self.copied)])
        tensors = len(self.outputs) + len(self.inputs)
        return work * self.walks <= maximum_work * 4 and tensors <= maximum_operands

    def fuse(self, block: Block) -> None:
        """Replace the members by a fusion, behind the last of them."""
        order = {op: place for place, op in enumerate(block.ops)}
        members = sorted([*self.cluster.members, *self.copied], key=lambda op: order[op])
        inputs = sorted(self.inputs, key=lambda value: _place(value, order))
        body = Block(arg_types=[value.type for value in inputs])
        copies: dict[SSAValue, SSAValue] = dict(zip(inputs, body.args, strict=True))
        for value, argument in copies.items():
            argument.name_hint = value.name_hint
        for op in members:
            copy = make_op(
                type(op),
                operands=[copies[operand] for operand in operands_of(op)],
                result_types=[result.type for result in op.results],
                attributes=op.attributes,
                properties=op.properties,
                location=op.location,
            )
            append(body, copy)
            for old, new in zip(op.results, copy.results, strict=True):
                new.name_hint = old.name_hint
                copies[old] = new
        body.add_op(YieldOp.make([copies[output] for output in self.outputs]))
        types = [TensorType.of(tensor_spec(output)) for output in self.outputs]
        last = max(self.cluster.members, key=lambda op: order[op])
        fusion = FusionOp.make(inputs, types, body, self.cluster.members[0].location)
        block.insert_op_after(fusion, last)
        for output, result in zip(self.outputs, fusion.results, strict=True):
            result.name_hint = output.name_hint
            output.replace_all_uses_with(result)
        for op in reversed(members):
            if all(result.first_use is None for result in op.results):
                discard(op)


def _place(value: SSAValue, order: dict[Operation, int]) -> tuple[int, int]:
    """Return which operation a value is a result of, and which of its results."""
    owner = value.owner
    if isinstance(owner, Block):
        return -1, owner.args.index(value)
    return order[owner], owner.results.index(value)
