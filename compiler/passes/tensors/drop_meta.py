"""What is there to do on the meta device? Nothing: results are memory without bytes.

Before::

    %0 = tri.exp %x : !tri.tensor<4x3xf32, device="meta"> -> !tri.tensor<4x3xf32, device="meta">
    %1 = tri.t %0 : ... -> !tri.tensor<3x4xf32, device="meta", layout=strided<[1, 3]>>

After::

    %0 = tri.empty : !tri.tensor<4x3xf32, device="meta">
    %1 = tri.t %0 : ... -> !tri.tensor<3x4xf32, device="meta", layout=strided<[1, 3]>>

Views stay, since a result may share its storage with an argument. What only fed operations on meta
goes too. Nothing reads from meta: the row of `transfer` refuses that.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from ....dialects.tri.ops import TensorOperation, ViewOperation, tensor_spec
from ....dialects.tri.structure import ConstantOp, EmptyOp
from ....dialects.tri.writing import WriteOp


@dataclass(frozen=True)
class DropMetaPass(ModulePass):
    """Replace operations on meta by memory without bytes."""

    name = "tri-drop-meta"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Drop in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _drop(func.body.block)


def _drop(block: Block) -> None:
    dropped: list[Operation] = []
    for op in list(block.ops):
        if isinstance(op, WriteOp):
            if not tensor_spec(op.operands[1]).device.has_values:
                dropped.append(op)
        elif isinstance(op, TensorOperation) and not isinstance(op, ViewOperation):
            if not op.spec.device.has_values:
                _empty(op)
                dropped.append(op)
    if dropped:
        for op in dropped:
            op.detach()
            op.erase()
        _erase_unused(block)


def _empty(op: TensorOperation) -> None:
    """Put memory in the place of an operation's results."""
    block = op.parent
    assert block is not None
    for result in op.results:
        empty = EmptyOp.make(tensor_spec(result))
        empty.location = op.location
        empty.results[0].name_hint = result.name_hint
        block.insert_op_before(empty, op)
        result.replace_all_uses_with(empty.results[0])


def _erase_unused(block: Block) -> None:
    """Erase what nobody uses any more, last operations first."""
    for op in reversed(list(block.ops)):
        is_of_values = isinstance(op, (TensorOperation, ConstantOp, EmptyOp))
        if is_of_values and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
