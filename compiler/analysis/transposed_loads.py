"""Which loads of a map lie across the others, as in `x.T + y`?"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import BlockArgument, Operation

from ...dialects.kernel.function import FuncOp
from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.structured import MapOp
from ...dialects.kernel.types import buffer_type_of


def transposed_dimension(op: MapOp) -> int | None:
    """Return the dimension along which an operand is contiguous that is not along the last one."""
    for load in _transposed(op):
        return _unit_dimension(op, load)
    return None


def lies_across(ops: Sequence[Operation]) -> bool:
    """Whether an operand of a map lies so: a register of 512 bits then holds a line of a cache."""
    return any(isinstance(op, MapOp) and transposed_dimension(op) is not None for op in ops)


def staged_loads(op: MapOp, dimension: int) -> list[LoadOp]:
    """Return the loads whose operands lie along a dimension."""
    return [load for load in _transposed(op) if _unit_dimension(op, load) == dimension]


def _transposed(op: MapOp) -> list[LoadOp]:
    """Return the loads at the plain indices of a map whose unit stride is not the innermost.

    What is staged must not be written by the map.
    """
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return []
    written = [store.buffer for store in op.block.ops if isinstance(store, StoreOp)]
    alone = all(
        isinstance(buffer, BlockArgument) and function.is_noalias(buffer) for buffer in written
    )
    loads: list[LoadOp] = []
    for load in op.block.ops:
        if isinstance(load, LoadOp) and alone and list(load.indices) == list(op.indices):
            if load.buffer not in written and _unit_dimension(op, load) is not None:
                loads.append(load)
    return loads


def _unit_dimension(op: MapOp, load: LoadOp) -> int | None:
    strides = buffer_type_of(load.buffer).strides
    if strides[-1] in (0, 1) or 1 not in strides[:-1]:
        return None
    return strides.index(1)
