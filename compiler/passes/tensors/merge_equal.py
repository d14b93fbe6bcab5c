"""Which operations are computed twice? Equal ones become one, except what the caller tells apart.

Before::

    %0 = tri.cos %x : !tri.tensor<2xf32> -> !tri.tensor<2xf32>
    %1 = tri.cos %x : !tri.tensor<2xf32> -> !tri.tensor<2xf32>
    %2 = tri.add %0, %1 : ... -> !tri.tensor<2xf32>

After::

    %0 = tri.cos %x : !tri.tensor<2xf32> -> !tri.tensor<2xf32>
    %2 = tri.add %0, %0 : ... -> !tri.tensor<2xf32>

Two results of a function that were computed by two operations stay in two memories: writing to one
must not change the other. Where they became one, the second is computed again.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import cse

from ....dialects.tri.ops import ViewOperation


@dataclass(frozen=True)
class MergeEqualPass(ModulePass):
    """Eliminate common subexpressions, results of functions apart."""

    name = "tri-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Merge in every function."""
        ends = [
            end
            for func in op.ops
            if isinstance(func, FuncOp) and func.body.blocks
            if isinstance(end := func.body.block.last_op, ReturnOp)
        ]
        owners = [[_owner_of(value) for value in end.operands] for end in ends]
        cse(op)
        for end, before in zip(ends, owners, strict=True):
            _separate(end, before)


def _owner_of(value: SSAValue) -> SSAValue:
    """Return the value whose memory this one looks at."""
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return value


def _separate(end: ReturnOp, before: list[SSAValue]) -> None:
    """Compute again what was two memories before and is one now."""
    holder: dict[SSAValue, SSAValue] = {}
    copies: dict[tuple[SSAValue, SSAValue], SSAValue] = {}
    for index, (value, old) in enumerate(zip(end.operands, before, strict=True)):
        if holder.setdefault(_owner_of(value), old) is not old:
            end.operands[index] = _again(value, old, copies)


def _again(
    value: SSAValue, old: SSAValue, copies: dict[tuple[SSAValue, SSAValue], SSAValue]
) -> SSAValue:
    """Return a copy of an operation's result, or of a view of it; one for each former memory."""
    found = copies.get((value, old))
    if found is not None:
        return found
    op = value.owner
    assert isinstance(op, Operation)
    block = op.parent
    assert block is not None
    copy = op.clone()
    if isinstance(op, ViewOperation):
        copy.operands[0] = _again(op.operands[0], old, copies)
        place = copy.operands[0].owner
    else:
        place = op
    assert isinstance(place, Operation)
    block.insert_op_after(copy, place)
    again = copies[value, old] = copy.results[op.results.index(value)]
    return again
