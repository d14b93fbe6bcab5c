"""How do reductions that are computed from one another become kernels of their own?"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from ....dialects.kernel.function import FuncOp as KernelOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import ReduceOp, YieldOp
from ....dialects.kernel.types import BufferType
from ....dialects.tri.structure import LaunchOp
from .splits import Split, drop_unused, level_of, needed_for, taken_out


class Staged(Split):
    """A kernel with a reduction that another is computed from: one for each, which is split then.

    What is computed of the first lies in memory between them: so the second is split without it,
    and only the first divides by the number of elements, which a part of a launch has not.
    """

    words = ("first", "rest")

    def __init__(self, kernel: KernelOp, reduce: ReduceOp, second: ReduceOp) -> None:
        """Find what the second reduction, and what follows it, use of what stands before it."""
        super().__init__(kernel, reduce)
        ops = list(self.level.ops)
        self.place = ops.index(second)
        before = set(ops[: self.place])
        made: list[Operation] = []
        for op in ops[ops.index(reduce) : self.place]:
            if op is reduce or _is_made_of(op, made):
                made.append(op)
        self.values = [
            (ops.index(op), result.index)
            for op in made
            for result in op.results
            if any(_at_level(use.operation, self.level) not in before for use in result.uses)
        ]
        self.between = [ops[at].results[position].type for at, position in self.values]

    def _scratch_types(self) -> list[BufferType]:
        strides = (None,) * len(self.outer)
        return [BufferType.get(type_, strides) for type_ in self.between]

    def _copy(self) -> tuple[KernelOp, Block, list[SSAValue], list[SSAValue], list[SSAValue]]:
        """Return a copy with its level, what lies between, the scratch, and where in that."""
        copy = self.kernel.clone()
        block = copy.block
        scratch: list[SSAValue] = [
            block.insert_arg(type_, len(block.args)) for type_ in self._scratch_types()
        ]
        level, nest = level_of(copy)
        ops = list(level.ops)
        values: list[SSAValue] = [ops[at].results[position] for at, position in self.values]
        places: list[SSAValue] = [] if nest is None else list(nest.indices)
        return copy, level, values, scratch, places

    def _parts(self) -> Block:
        """Build the kernel of what comes first."""
        copy, level, values, scratch, places = self._copy()
        after = list(level.ops)[self.place :]
        end = after.pop() if isinstance(after[-1], YieldOp) else None
        for op in reversed(after):
            op.detach()
            op.erase()
        stores = [
            StoreOp.make(value, buffer, places)
            for value, buffer in zip(values, scratch, strict=True)
        ]
        level.add_ops(stores) if end is None else level.insert_ops_before(stores, end)
        drop_unused(level)
        return taken_out(copy)

    def _total(self) -> Block:
        """Build the kernel of the rest, which reads what the first one has stored."""
        copy, level, values, scratch, places = self._copy()
        second = list(level.ops)[self.place]
        for value, buffer in zip(values, scratch, strict=True):
            load = LoadOp.make(buffer, places)
            level.insert_op_before(load, second)
            value.replace_all_uses_with(load.results[0])
        drop_unused(level)
        return taken_out(copy)

    def launch(self, launch: LaunchOp) -> list[LaunchOp]:
        """Replace a launch by two, both of which may be split."""
        return self._launches(launch, (), ((), ()))


def reader_of(level: Block, first: ReduceOp) -> ReduceOp | None:
    """Return the next reduction of a level that is computed from one."""
    others = [op for op in level.ops if isinstance(op, ReduceOp) and op is not first]
    return next((other for other in others if first in needed_for(other)), None)


def _is_made_of(op: Operation, made: Sequence[Operation]) -> bool:
    """Whether an op uses a result of one of some."""
    results = {result for other in made for result in other.results}
    return any(operand in results for inner in op.walk() for operand in inner.operands)


def _at_level(op: Operation, level: Block) -> Operation:
    """Return the op of a level that holds one, or is it."""
    while op.parent is not level:
        around = op.parent_op()
        assert around is not None
        op = around
    return op
