"""Which copies and views does a program not need? Layout decided once, idle copies gone.

Before::

    %0 = tri.t %x : !tri.tensor<2x3xf32> -> !tri.tensor<3x2xf32, layout=strided<[1, 3]>>
    %1 = tri.t %0 : ... -> !tri.tensor<2x3xf32>
    %2 = tri.clone %1 {memory_format = #tri.format<contiguous_format>} : ... -> !tri.tensor<2x3xf32>
    %3 = tri.exp %2 : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>

After::

    %3 = tri.exp %x : !tri.tensor<2x3xf32> -> !tri.tensor<2x3xf32>

- Memory formats are resolved: the strides in the type say what `preserve_format` meant.
- Views that end where they began, such as inverse permutations, cancel.
- A copy goes if nobody can tell: its operand is fresh and has the layout already, or all readers
  ask for elements and not for a layout. What the caller sees keeps PyTorch's strides exactly.
- A reduction adds in the order of its operand's memory: it asks for a layout if that would change.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.views import Strided
from ....dialects.ops.frame.opspec import CopyOp
from ....dialects.tri.ops import (
    ReductionOperation,
    TensorOperation,
    ViewOperation,
    tensor_spec,
)
from ...analysis.aliases import escaping_values
from ...lowering.reduction_bodies import walked_dims

#: How many views may lie between one and what it equals.
LONGEST_CHAIN = 32


@dataclass(frozen=True)
class CanonicalizeFormatsPass(ModulePass):
    """Resolve memory formats, cancel views, remove copies that change nothing."""

    name = "tri-canonicalize-formats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Canonicalise every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _canonicalize(func.body.block)


def _canonicalize(block: Block) -> None:
    escaping = escaping_values(block)
    for op in list(block.ops):
        if isinstance(op, ViewOperation):
            _cancel_views(op)
        elif isinstance(op, TensorOperation) and isinstance(op.ROW, CopyOp):
            op.attributes.pop("memory_format", None)
            if _is_needless(op, escaping):
                if op.results[0] in escaping:
                    # The caller sees the operand now: another copy of it must stay.
                    escaping.add(op.operands[0])
                _replace(op, op.operands[0])


def _cancel_views(op: ViewOperation) -> None:
    """Replace a view that equals something it is a view of."""
    value, strided = op.operands[0], None
    chain: list[ViewOperation] = [op]
    while len(chain) <= LONGEST_CHAIN:
        spec = tensor_spec(value)
        if spec is op.spec:
            strided = Strided(spec.shape, spec.strides, 0)
            for view in reversed(chain):
                strided = view.ROW.apply(strided, view.values())
            if strided == Strided(spec.shape, spec.strides, 0):
                _replace(op, value)
                return
        owner = value.owner
        if not isinstance(owner, ViewOperation):
            return
        chain.append(owner)
        value = owner.operands[0]


def _is_needless(op: TensorOperation, escaping: set[SSAValue]) -> bool:
    if op.results[0] not in escaping and _is_read_blindly(op):
        return True
    operand = op.operands[0]
    is_fresh = not isinstance(operand, BlockArgument) and not isinstance(
        operand.owner, ViewOperation
    )
    return is_fresh and operand not in escaping and tensor_spec(operand) is op.spec


def _is_read_blindly(op: TensorOperation) -> bool:
    """Whether all who read a copy ask for elements, wherever they lie."""
    return all(_is_blind(use.operation, op) for use in op.results[0].uses)


def _is_blind(reader: Operation, copy: TensorOperation) -> bool:
    """Whether it makes no difference to a reader that it reads what was copied instead."""
    if not isinstance(reader, TensorOperation) or not reader.ROW.traits.is_layout_blind:
        return False
    if not isinstance(reader, ReductionOperation):
        return True
    given = tensor_spec(copy.operands[0])
    return walked_dims(reader, copy.spec) == walked_dims(reader, given)


def _replace(op: TensorOperation, value: SSAValue) -> None:
    op.results[0].replace_all_uses_with(value)
    op.detach()
    op.erase()
