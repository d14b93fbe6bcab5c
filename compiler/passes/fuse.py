"""Which operations become one kernel? Elementwise chains, and what feeds and follows a reduction.

Before::

    %0 = tri.mul %x, %y : ... -> !tri.tensor<4x3xf32>
    %1 = tri.sum %0 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
    %2 = tri.exp %1 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>

After::

    %2 = tri.fusion (%a = %x : ..., %b = %y : ...) -> (!tri.tensor<4xf32>) {
      %0 = tri.mul %a, %b : ... -> !tri.tensor<4x3xf32>
      %1 = tri.sum %0 {dim = array<i64: 1>} : !tri.tensor<4x3xf32> -> !tri.tensor<4xf32>
      %3 = tri.exp %1 : !tri.tensor<4xf32> -> !tri.tensor<4xf32>
      tri.yield %3 : !tri.tensor<4xf32>
    }

A group is a set of connected operations with one result shape on one level; a level counts how many
kernels must have finished before. A reduction belongs to the group of its result's shape and takes
along what its operand is computed from. Cheap operations are computed again rather than stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ...dialects.tri.ops import (
    CopyOperation,
    CreationOperation,
    ElementwiseOperation,
    ReductionOperation,
    TensorOperation,
    ViewOperation,
    tensor_spec,
)
from ...dialects.tri.structure import ConstantOp, FusionOp, YieldOp
from ...dialects.tri.types import TensorType
from ...dialects.tri.writing import WriteOp
from .hoist_views import recompute_cost

#: Copies that do not leave the device.
SAME_DEVICE_COPIES = frozenset({"clone", "with_strides"})

#: How many cheap operations are computed again in another kernel instead of being stored.
MAXIMUM_RECOMPUTED = 6


@dataclass(frozen=True)
class FusePass(ModulePass):
    """Group operations into `tri.fusion`."""

    name = "tri-fuse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _Fusion(func.body.block).run()


def is_pointwise(op: object) -> bool:
    """Whether an operation computes each element of its result from those at the same index."""
    if isinstance(op, ElementwiseOperation):
        return True
    if isinstance(op, CopyOperation):
        return op.ROW.name in SAME_DEVICE_COPIES
    return isinstance(op, CreationOperation) and op.ROW.name == "full_strided"


@dataclass(eq=False)
class _Group:
    """Operations of one kernel; `parent` is set when the group was merged into another."""

    level: int
    shape: tuple[int, ...]
    members: list[TensorOperation] = field(default_factory=list[TensorOperation])
    parent: _Group | None = None

    def root(self) -> _Group:
        group = self
        while group.parent is not None:
            group = group.parent
        return group


class _Fusion:
    """Groups one function's operations, then rebuilds its block."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.group_of: dict[Operation, _Group] = {}
        self.level_of: dict[SSAValue, int] = {}
        self.stored: set[SSAValue] = set()
        self.cost: dict[SSAValue, int] = {}
        self.order: dict[Operation, int] = {}
        self.exclusive: set[Operation] = set()

    def run(self) -> None:
        operations = list(self.block.ops)
        for index, op in enumerate(operations):
            self.order[op] = index
            if is_pointwise(op) or isinstance(op, ReductionOperation):
                assert isinstance(op, TensorOperation)
                self._group(op)
            elif isinstance(op, ViewOperation):
                self.level_of[op.results[0]] = self._materialise(op.operands[0])
            elif not isinstance(op, ConstantOp):
                level = max((self._materialise(value) for value in op.operands), default=0)
                for result in op.results:
                    self.level_of[result] = level + 1
        self._rebuild(operations)

    # ---- grouping

    def _materialise(self, value: SSAValue) -> int:
        """Note that a value must lie in memory; return the first level that can read it."""
        op = value.owner
        if isinstance(op, Operation) and op in self.group_of:
            self.stored.add(value)
            return self.group_of[op].root().level + 1
        return self.level_of.get(value, 0)

    def _is_cheap(self, value: SSAValue) -> bool:
        return recompute_cost(value, self.cost) <= MAXIMUM_RECOMPUTED

    def _group(self, op: TensorOperation) -> None:
        if isinstance(op, ReductionOperation):
            self.exclusive = self._exclusive_ancestors(op)
            level = self._level_inlined(op.operands[0])
            self.exclusive = set()
            self._join(op, level, [])
            return
        shape = op.spec.shape
        neighbours: list[tuple[SSAValue, _Group]] = []
        level = 0
        for operand in op.operands:
            producer = operand.owner
            group = self.group_of.get(producer) if isinstance(producer, Operation) else None
            if group is not None and group.root().shape == shape:
                neighbours.append((operand, group.root()))
                level = max(level, group.root().level)
            else:
                level = max(level, self._level_inlined(operand))
        for operand, group in neighbours:
            if group.level < level:
                self._level_inlined(operand)
        self._join(op, level, [group for _, group in neighbours if group.level == level])

    def _level_inlined(self, value: SSAValue) -> int:
        """Return the level at which a value of another iteration space can be read.

        It is computed again where it is read if that is cheap, or if nobody else needs it.
        """
        producer = value.owner
        if isinstance(producer, ConstantOp):
            return 0
        if not isinstance(producer, Operation) or producer not in self.group_of:
            return self.level_of.get(value, 0)
        if is_pointwise(producer) and (self._is_cheap(value) or producer in self.exclusive):
            return max((self._level_inlined(operand) for operand in producer.operands), default=0)
        self.stored.add(value)
        return self.group_of[producer].root().level + 1

    def _exclusive_ancestors(self, op: Operation) -> set[Operation]:
        """Return the pointwise operations whose results nothing but `op` is computed from."""
        found: set[Operation] = {op}
        pending = [(-self.order[op], op)]
        seen = {op}
        while pending:
            _, current = heappop(pending)
            if current is not op and not all(
                use.operation in found for use in current.results[0].uses
            ):
                continue
            found.add(current)
            for operand in current.operands:
                producer = operand.owner
                if is_pointwise(producer) and producer not in seen:
                    assert isinstance(producer, Operation)
                    seen.add(producer)
                    heappush(pending, (-self.order[producer], producer))
        found.discard(op)
        return found

    def _join(self, op: TensorOperation, level: int, neighbours: Iterable[_Group]) -> None:
        group: _Group | None = None
        for neighbour in neighbours:
            neighbour = neighbour.root()
            if group is None:
                group = neighbour
            elif neighbour is not group:
                group.members += neighbour.members
                neighbour.parent = group
        if group is None:
            group = _Group(level, op.spec.shape)
        group.members.append(op)
        self.group_of[op] = group

    # ---- rebuilding

    def _rebuild(self, operations: list[Operation]) -> None:
        """Emit groups and other operations level by level into a new order of the block."""
        items = self._ordered_items(operations)
        emitter = _Emitter(self)
        for item in items:
            if isinstance(item, _Group):
                emitter.emit_group(item)
            else:
                emitter.place(item)
        emitter.finish(operations)

    def _ordered_items(self, operations: list[Operation]) -> list[_Group | Operation]:
        keyed: list[tuple[int, int, _Group | Operation]] = []
        seen: set[int] = set()
        for index, op in enumerate(operations):
            if op in self.group_of:
                group = self.group_of[op].root()
                if id(group) not in seen:
                    seen.add(id(group))
                    keyed.append((group.level, index, group))
            elif isinstance(op, (ViewOperation, ConstantOp, ReturnOp, WriteOp)):
                continue
            else:
                level = max((self.level_of.get(result, 1) for result in op.results), default=1)
                keyed.append((level - 1, index, op))
        keyed.sort(key=lambda item: (item[0], item[1]))
        return [item for _, _, item in keyed]


class _Emitter:
    """Moves operations of a function into fusions, in an order in which values come before uses."""

    def __init__(self, fusion: _Fusion) -> None:
        self.fusion = fusion
        self.block = fusion.block
        end = self.block.last_op
        assert end is not None
        self.end = end
        #: Values of the old block -> values that the rest of the function uses.
        self.final: dict[SSAValue, SSAValue] = {}
        self.placed: set[Operation] = set()

    def place(self, op: Operation) -> None:
        """Move an operation, and the views it needs, before the end of the block."""
        for index, operand in enumerate(op.operands):
            op.operands[index] = self.available(operand)
        self._move(op)

    def _move(self, op: Operation) -> None:
        if op not in self.placed:
            op.detach()
            self.block.insert_op_before(op, self.end)
            self.placed.add(op)

    def available(self, value: SSAValue) -> SSAValue:
        """Return the value as the rebuilt function knows it, placing views and constants."""
        found = self.final.get(value)
        if found is not None:
            return found
        op = value.owner
        if isinstance(op, (ViewOperation, ConstantOp)) and op not in self.placed:
            self.place(op)
        return value

    def emit_group(self, group: _Group) -> None:
        """Build the fusion of a group, if any of its values is needed in memory."""
        members = sorted(group.members, key=lambda op: self.fusion.order[op])
        outputs = [op.results[0] for op in members if op.results[0] in self.fusion.stored]
        if not outputs:
            return
        body = _Body(self, group)
        results = [body.value(output) for output in outputs]
        body.block.add_op(YieldOp.make(results))
        types = [TensorType.of(tensor_spec(output)) for output in outputs]
        op = FusionOp.make(body.inputs, types, body.block, members[0].location)
        self.block.insert_op_before(op, self.end)
        self.placed.add(op)
        for output, result in zip(outputs, op.results, strict=True):
            result.name_hint = output.name_hint
            self.final[output] = result

    def finish(self, operations: list[Operation]) -> None:
        """Point writes and the return at the new values, erase what was copied into fusions."""
        for op in operations:
            if isinstance(op, WriteOp):
                self.place(op)
        for index, operand in enumerate(self.end.operands):
            self.end.operands[index] = self.available(operand)
        for op in reversed(operations):
            if op is not self.end and op not in self.placed:
                op.detach()
                op.erase(safe_erase=False)


class _Body:
    """The block of one fusion: copies of operations, over arguments for what lies in memory."""

    def __init__(self, emitter: _Emitter, group: _Group) -> None:
        self.emitter = emitter
        self.group = group
        self.block = Block()
        self.inputs: list[SSAValue] = []
        self.copies: dict[SSAValue, SSAValue] = {}
        self.arguments: dict[SSAValue, SSAValue] = {}

    def value(self, value: SSAValue) -> SSAValue:
        """Return a value inside the body, copying what it is computed from."""
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self.copies:
                pending.pop()
                continue
            op = current.owner
            if not self._is_copied(current):
                self.copies[current] = self._argument(current)
                pending.pop()
                continue
            assert isinstance(op, Operation)
            missing = [operand for operand in op.operands if operand not in self.copies]
            if missing:
                pending += reversed(missing)
                continue
            copy = type(op).create(
                operands=[self.copies[operand] for operand in op.operands],
                result_types=[result.type for result in op.results],
                attributes=dict(op.attributes),
                properties=dict(op.properties),
                location=op.location,
            )
            copy.results[0].name_hint = current.name_hint
            self.block.add_op(copy)
            self.copies[current] = copy.results[0]
            pending.pop()
        return self.copies[value]

    def _is_copied(self, value: SSAValue) -> bool:
        """Whether a value is computed in this body: a constant, a member, or something cheap."""
        op = value.owner
        if isinstance(op, ConstantOp):
            return True
        fusion = self.emitter.fusion
        if not isinstance(op, Operation) or op not in fusion.group_of:
            return False
        group = fusion.group_of[op].root()
        if group is self.group:
            return True
        return value not in self.emitter.final

    def _argument(self, value: SSAValue) -> SSAValue:
        actual = self.emitter.available(value)
        found = self.arguments.get(actual)
        if found is None:
            found = self.block.insert_arg(actual.type, len(self.block.args))
            found.name_hint = actual.name_hint
            self.arguments[actual] = found
            self.inputs.append(actual)
        return found
