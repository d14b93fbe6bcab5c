"""How does a pass put arithmetic in the place of one payload op?

Arithmetic is written in the scalar language, as the bodies of operations are. Constants go to the
start of the function, once each, where no loop repeats them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.ir import Block, Operation, SSAValue

from ..attributes.dtype import DType
from ..ops.scalars.scalar import Scalar
from .function import FuncOp
from .payload import PayloadLanguage, constant_number
from .rare import RarelyOp
from .terminators import YieldOp


class PayloadRewriter(PayloadLanguage):
    """The scalar language, building the ops that will stand before another op."""

    __slots__ = ("branches", "front", "function", "has_ldexp")

    def __init__(
        self, function: FuncOp, *, branches: bool = False, has_ldexp: bool = False
    ) -> None:
        """Prepare to rewrite the body of a kernel; `finish` places the constants.

        With branches, what is rare is code of its own, else it is computed always.
        """
        super().__init__(Block())
        self.has_ldexp = has_ldexp
        self.function = function
        self.branches = branches
        self.front = Block()

    def constant(self, value: float, dtype: DType) -> Scalar:
        """Return a constant that will stand at the start of the function."""
        inside, self.block = self.block, self.front
        location, self.location = self.location, None
        found = super().constant(value, dtype)
        self.block, self.location = inside, location
        return found

    def rarely(
        self, condition: Scalar, rare: Callable[[], Sequence[Scalar]], usual: Sequence[Scalar]
    ) -> list[Scalar]:
        """Append a choice that may pass by what is rare."""
        if not self.branches or constant_number(condition) is not None:
            return super().rarely(condition, rare, usual)
        outside, self.block = self.block, Block()
        self.block.add_op(YieldOp.make([scalar.value for scalar in rare()]))
        op = RarelyOp.make(condition.value, self.block, [scalar.value for scalar in usual])
        self.block = outside
        op.location = self.location or op.location
        self.block.add_op(op)
        return [
            Scalar(self, result, scalar.dtype)
            for result, scalar in zip(op.results, usual, strict=True)
        ]

    def add(self, op: Operation) -> SSAValue:
        """Append an op of any kind; return its result."""
        op.location = self.location or op.location
        self.block.add_op(op)
        return op.results[0]

    def place_before(self, op: Operation) -> None:
        """Move what has been built in front of an op."""
        _move(self.block, op)

    def replace(self, op: Operation, values: Sequence[SSAValue]) -> None:
        """Put what has been built in the place of an op; `values` stand for its results."""
        _move(self.block, op)
        for old, new in zip(op.results, values, strict=True):
            new.name_hint = new.name_hint or old.name_hint
            old.replace_all_uses_with(new)
        op.detach()
        op.erase()

    def finish(self) -> None:
        """Put the constants at the start of the function."""
        first = self.function.block.first_op
        assert first is not None
        _move(self.front, first)


def _move(block: Block, anchor: Operation) -> None:
    ops = list(block.ops)
    if ops:
        for op in ops:
            op.detach()
        target = anchor.parent
        assert target is not None
        target.insert_ops_before(ops, anchor)
