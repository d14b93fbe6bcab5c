"""How does an operation with a host body get between kernels? As a call that fills memory.

Before::

    %0 = tri.t %x : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32, layout=strided<[1, 3]>>
    %1, %2 = tri.sort %0 {...} : ... -> (!tri.tensor<3x4xf32, ...>, !tri.tensor<3x4xi64, ...>)

After::

    %1 = tri.empty : !tri.tensor<3x4xf32, layout=strided<[1, 3]>>
    %2 = tri.empty : !tri.tensor<3x4xi64, layout=strided<[1, 3]>>
    %3 = tri.strided %x[0] : !tri.tensor<4x3xf32> -> !tri.tensor<3x4xf32, layout=strided<[1, 3]>>
    tri.host_call "sort"(%3) into (%1, %2) {...} : ...

Views are read as they are: NumPy takes any strides.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.ops.frame.host_bodies import HostBodyOp
from ...dialects.tri.host_calls import HostCallOp
from ...dialects.tri.ops import TensorOperation, ViewOperation, tensor_spec
from ...dialects.tri.structure import EmptyOp, StridedOp
from ..analysis.aliases import read_root_of
from ..analysis.locations import spell_location


def has_host_body(op: Operation) -> bool:
    """Whether an operation is computed on the host."""
    return isinstance(op, TensorOperation) and isinstance(op.ROW, HostBodyOp)


def lower_host_body(block: Block, op: Operation) -> None:
    """Replace an operation by memory for its results and a call that fills it."""
    assert isinstance(op, TensorOperation)
    row = op.ROW
    assert isinstance(row, HostBodyOp)
    memory: list[SSAValue] = []
    for result in op.results:
        empty = EmptyOp.make(tensor_spec(result))
        empty.results[0].name_hint = result.name_hint
        block.insert_op_before(empty, op)
        memory.append(empty.results[0])
    operands = [_seen(block, operand, op) for operand in op.operands]
    origin = spell_location(op.location) if row.can_fail else ""
    call = HostCallOp.make(row, operands, memory, op.values(), origin, op.location)
    block.insert_op_before(call, op)
    for result, value in zip(op.results, memory, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _seen(block: Block, value: SSAValue, user: Operation) -> SSAValue:
    """Return what the call is given for an operand: memory, or a view of it."""
    if not isinstance(value.owner, ViewOperation):
        return value
    root, view = read_root_of(value)
    strided = StridedOp.make(root, view, tensor_spec(value).dtype)
    block.insert_op_before(strided, user)
    return strided.results[0]
