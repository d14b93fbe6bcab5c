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
along what its operand is computed from. So does a sum of products, with what is computed from it,
such as a bias and an activation; a factor that many sums read lies in memory. Cheap operations are
computed again rather than stored, if that is less work for all who need them. A group that is too
large for a kernel becomes several, one after the other (`fusion/groups.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import are_equal
from ....dialects.making import operands_of
from ....dialects.ops.frame.traits import Reads
from ....dialects.tri.ops import (
    TensorOperation,
    ViewOperation,
    is_pointwise,
)
from ....dialects.tri.structure import ConstantOp
from ....dialects.tri.writing import WriteOp
from ...fusion.beside import lie_alike
from ...fusion.groups import Emitter, Group, Limits
from ...fusion.prologues import factors_read_once, factors_widened
from ...fusion.recompute import (
    count_readers,
    is_worth_repeating,
    reads_of,
    recompute_cost,
    work_of,
)

#: How many cheap operations are computed again in another kernel instead of being stored.
MAXIMUM_REPEATED_PER_KERNEL = 6


@dataclass(frozen=True)
class FusePass(ModulePass):
    """Group operations into `tri.fusion`."""

    name = "tri-fuse"

    #: How many instructions a kernel has, about: LLVM takes more than its share for longer ones.
    maximum_work: int = 512
    #: How many places in memory a kernel walks along: a CPU keeps track of so many.
    maximum_streams: int = 16
    #: How many tensors a kernel is given; parts of one that overlap are one stream.
    maximum_operands: int = 48
    #: Whether products of matrices widen a factor where they read it.
    widens_factors: bool = False
    #: Whether sums of products may be stored in a narrower dtype if they are short.
    rounds_sums: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Fuse in every function."""
        most = self.maximum_work, self.maximum_streams, self.maximum_operands
        limits = Limits(*most, self.widens_factors, self.rounds_sums)
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _Fusion(func.body.block, limits).run()


class _Fusion:
    """Groups one function's operations, then rebuilds its block."""

    def __init__(self, block: Block, limits: Limits) -> None:
        self.block = block
        self.limits = limits
        self.group_of: dict[Operation | Block, Group] = {}
        self.level_of: dict[SSAValue, int] = {}
        self.stored: set[SSAValue] = set()
        self.cost: dict[SSAValue, int] = {}
        self.readers: dict[SSAValue, int] = {}
        self.order: dict[Operation, int] = {}
        self.exclusive: set[Operation] = set()

    def run(self) -> None:
        operations = list(self.block.ops)
        self.readers = count_readers(operations, self.cost, MAXIMUM_REPEATED_PER_KERNEL)
        for index, op in enumerate(operations):
            self.order[op] = index
            reads = reads_of(type(op))
            if reads in (Reads.INDEX, Reads.REDUCED):
                self._group(cast("TensorOperation", op))
            elif reads is Reads.FACTORS:
                self._multiply(cast("TensorOperation", op))
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
        group = self.group_of.get(value.owner)
        if group is not None:
            self.stored.add(value)
            return group.root().level + 1
        return self.level_of.get(value, 0)

    def _is_cheap(self, value: SSAValue) -> bool:
        cost = recompute_cost(value, self.cost)
        readers = self.readers.get(value, 0)
        return cost <= MAXIMUM_REPEATED_PER_KERNEL and is_worth_repeating(cost, readers)

    def _group(self, op: TensorOperation) -> None:
        if reads_of(type(op)) is Reads.REDUCED:
            self.exclusive = self._exclusive_ancestors(op)
            level = self._level_inlined(op.operands[0])
            self.exclusive = set()
            self._join(op, level, [])
            return
        shape = op.spec.shape
        neighbours: list[tuple[SSAValue, Group]] = []
        level = 0
        for operand in operands_of(op):
            group = self.group_of.get(operand.owner)
            if group is not None and are_equal(group.root().shape, shape):
                neighbours.append((operand, group.root()))
                level = max(level, group.root().level)
            else:
                level = max(level, self._level_inlined(operand))
        for operand, group in neighbours:
            if group.level < level:
                self._level_inlined(operand)
        self._join(op, level, [group for _, group in neighbours if group.level == level])

    def _multiply(self, op: TensorOperation) -> None:
        """Begin a group with a product; of its factors only such as one sum reads go in.

        Nothing of them is computed again: what a matrix is made from may be the same in each step.
        """
        once = factors_read_once(op)
        self.exclusive = self._exclusive_ancestors(op) if once else set()
        once = [factor for factor in once if lie_alike(self._leaves([factor], self.exclusive))]
        if self.limits.widens_factors:
            widened = factors_widened(op)
            self.exclusive.update(cast("Operation", factor.owner) for factor in widened)
            once += widened
        level = max(
            self._level_inlined(factor, is_repeated=False)
            if factor in once
            else self._materialise(factor)
            for factor in op.operands
        )
        self.exclusive = set()
        self._join(op, level, [])

    def _level_inlined(self, value: SSAValue, *, is_repeated: bool = True) -> int:
        """Return the level at which a value of another iteration space can be read.

        It is computed where it is read if nobody else needs it, or again if that is cheap.
        """
        level = 0
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            producer = current.owner
            if type(producer) is ConstantOp:
                continue
            group = self.group_of.get(producer)
            if group is None or isinstance(producer, Block):
                level = max(level, self.level_of.get(current, 0))
            elif producer in self.exclusive or (is_repeated and self._is_repeated(current)):
                pending += [operand for operand in producer.operands if operand not in seen]
                seen.update(producer.operands)
            else:
                self.stored.add(current)
                level = max(level, group.root().level + 1)
        return level

    def _is_repeated(self, value: SSAValue) -> bool:
        return is_pointwise(value.owner) and self._is_cheap(value)

    def _exclusive_ancestors(self, op: Operation) -> set[Operation]:
        """Return the pointwise operations whose results nothing but `op` is computed from.

        There are none if they would be too much for one kernel: then what they compute is stored.
        """
        found: set[Operation] = {op}
        pending = [(-self.order[op], op)]
        seen = {op}
        work = 0
        read: set[SSAValue] = set()
        while pending:
            _, current = heappop(pending)
            if current is not op and not all(
                use.operation in found for result in current.results for use in result.uses
            ):
                continue
            found.add(current)
            read.difference_update(current.results)
            work += work_of(current)
            for operand in current.operands:
                producer = operand.owner
                if not isinstance(producer, ConstantOp):
                    read.add(operand)
                if is_pointwise(producer) and producer not in seen:
                    assert isinstance(producer, Operation)
                    seen.add(producer)
                    heappush(pending, (-self.order[producer], producer))
            if work > self.limits.work:
                return set()
        found.discard(op)
        return found if len(self._leaves(read, found)) <= self.limits.operands else set()

    def _leaves(self, values: Iterable[SSAValue], inlined: set[Operation]) -> set[SSAValue]:
        """Return what is read from memory where some values are computed again."""
        leaves: set[SSAValue] = set()
        pending, seen = list(values), set(values)
        while pending:
            value = pending.pop()
            producer = value.owner
            if isinstance(producer, Operation) and (
                producer in inlined or self._is_repeated(value)
            ):
                pending += [operand for operand in producer.operands if operand not in seen]
                seen.update(producer.operands)
            elif not isinstance(producer, ConstantOp):
                leaves.add(value)
        return leaves

    def _join(self, op: TensorOperation, level: int, neighbours: Iterable[Group]) -> None:
        group: Group | None = None
        for neighbour in neighbours:
            neighbour = neighbour.root()
            if group is None:
                group = neighbour
            elif neighbour is not group:
                group = group.joined(neighbour)
        if group is None:
            group = Group(level, op.spec.shape)
        group.members.append(op)
        self.group_of[op] = group

    # ---- rebuilding

    def _rebuild(self, operations: list[Operation]) -> None:
        """Emit groups and other operations level by level into a new order of the block."""
        items = self._ordered_items(operations)
        emitter = Emitter(self.block, self.group_of, self.stored, self.order, self.limits)
        for item in items:
            if isinstance(item, Group):
                emitter.emit_group(item)
            else:
                emitter.place(item)
        emitter.finish(operations)

    def _ordered_items(self, operations: list[Operation]) -> list[Group | Operation]:
        keyed: list[tuple[int, int, Group | Operation]] = []
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
