"""How does a transfer become a copy of bytes? Memory on the other device, filled from the source.

Before::

    %0 = tri.slice %x {...} : !tri.tensor<8xf32> -> !tri.tensor<4xf32>
    %1 = tri.transfer %0 {...} : !tri.tensor<4xf32> -> !tri.tensor<4xf32, device="opencl:0">

After::

    %1 = tri.empty : !tri.tensor<4xf32, device="opencl:0">
    tri.copy_bytes %x[2] into %1 : !tri.tensor<8xf32> into !tri.tensor<4xf32, device="opencl:0">

`tri-place-devices` has brought the source into the strides of the result.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation

from ...dialects.tri.ops import CopyOperation, TensorOperation
from ...dialects.tri.structure import EmptyOp
from ...dialects.tri.transfers import CopyBytesOp
from ..analysis.aliases import read_root_of


def is_transfer(op: Operation) -> bool:
    """Whether an operation moves a tensor to another device."""
    return isinstance(op, CopyOperation) and op.ROW.leaves_device


def lower_transfer(block: Block, op: Operation) -> None:
    """Replace a transfer by memory and a copy into it."""
    assert isinstance(op, TensorOperation)
    empty = EmptyOp.make(op.spec)
    empty.results[0].name_hint = op.results[0].name_hint
    block.insert_op_before(empty, op)
    if op.spec.numel:
        root, view = read_root_of(op.operands[0])
        copy = CopyBytesOp.make(root, view.offset, empty.results[0], op.location)
        block.insert_op_before(copy, op)
    op.results[0].replace_all_uses_with(empty.results[0])
    op.detach()
    op.erase()
