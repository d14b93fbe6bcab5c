"""What stands around the reductions at their level of a kernel, where several phases need it?

It is computed again by each of them. It has no effects, but for stores and checks, which are done
once, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.memory import CheckOp, StoreOp
from ....dialects.kernel.rare import is_nest
from ....dialects.kernel.structured import ReduceOp
from ....dialects.making import all_operations, operands_of
from ..lanes import Frame
from ..scheduler import Scheduler


def is_level_of_reductions(ops: Sequence[Operation]) -> bool:
    """Whether ops are reductions, and what can be computed again or left to the end.

    What is read before the last reduction must not depend on a store.
    """
    reductions = [op for op in ops if isinstance(op, ReduceOp)]
    if not reductions or any(is_nest(op) and op not in reductions for op in ops):
        return False
    before = ops[: ops.index(reductions[-1]) + 1]
    return not any(isinstance(inner, StoreOp) for op in before for inner in all_operations(op))


class Level:
    """The ops of a level, sorted by when they are done."""

    def __init__(self, ops: Sequence[Operation]) -> None:
        """Take ops for which `is_level_of_reductions` holds."""
        self.reductions = [op for op in ops if isinstance(op, ReduceOp)]
        #: What is done at the end.
        self.effects = [op for op in ops if isinstance(op, StoreOp | CheckOp)]
        #: What is computed where it is needed.
        self.others = [op for op in ops if op not in self.reductions and op not in self.effects]

    def needed(self, targets: Sequence[Operation]) -> set[SSAValue]:
        """Return the values of this level that some ops use, directly or not."""
        found: set[SSAValue] = set()
        for target in targets:
            for op in all_operations(target):
                found.update(operands_of(op))
        for op in reversed(self.others):
            if any(result in found for result in op.results):
                for inner in all_operations(op):
                    found.update(operands_of(inner))
        return found

    def prepare(self, targets: Sequence[Operation], scheduler: Scheduler, frame: Frame) -> None:
        """Compute what some ops need, the results of reductions being known."""
        needed = self.needed(targets)
        for op in self.others:
            if any(result in needed for result in op.results):
                scheduler.translate(op, frame)

    def finish(self, scheduler: Scheduler, frame: Frame) -> None:
        """Do what has effects."""
        for op in self.effects:
            scheduler.translate(op, frame)
