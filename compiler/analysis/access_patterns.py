"""Along which index of a nest is memory read as it lies? What decides on vectors and neighbours."""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, Operation, SSAValue

from ...dialects.kernel.memory import LoadOp, StoreOp
from ...dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp
from ...dialects.kernel.types import buffer_type_of
from ...dialects.kernel.within import WithinOp
from ...dialects.making import all_operations

#: What reading an element of each result counts beside reading elements of its reduction.
READ_ONCE = 1 / 64


def best_parallel_index(op: ParallelOp) -> int | None:
    """Return the parallel index to vectorise, None to vectorise inside.

    Each access that would be a gather or scatter counts; fewer is better, and inside wins a tie.
    Between two indices it is better to gather: what is read may be read once for many results.
    Without a reduction inside there is nothing to gain.
    """
    inside = all_operations(op)
    if not any(type(leaf) is ReduceOp or type(leaf) is ScanOp for leaf in inside):
        return None
    accesses = [access for access in inside if type(access) is LoadOp or type(access) is StoreOp]
    best, choice = 0, None
    for access in accesses:
        leaf = access.parent_op()
        if isinstance(leaf, ScanOp) or (isinstance(leaf, ReduceOp) and leaf.lane_count == 1):
            best += 1
        elif isinstance(leaf, ReduceOp | MapOp):
            best += is_gather(access, leaf.indices[-1])
    for number, index in enumerate(op.indices):
        across = [access for access in accesses if is_gather(access, index)]
        once = [access for access in across if _is_read_once(access, op)]
        cost = len(across) - len(once) * (1 - READ_ONCE)
        cost += any(type(access) is StoreOp for access in across) / 2
        if cost < best:
            best, choice = cost, number
    return choice


def _is_read_once(access: LoadOp | StoreOp, op: ParallelOp) -> bool:
    """Whether something is read for a result, not for each element of a reduction."""
    return type(access) is LoadOp and access.parent_op() is op


def is_gather(access: LoadOp | StoreOp, index: SSAValue) -> bool:
    """Whether neighbouring values of `index` are no neighbours in memory, either way round."""
    strides = buffer_type_of(access.buffer).strides
    for position, stride in zip(access.indices, strides, strict=True):
        if stride == 0 or not depends_on(position, index):
            continue
        if stride not in (-1, 1) or not _follows(position, index):
            return True
    return False


def reads_along(load: LoadOp, index: SSAValue) -> bool:
    """Whether a load reads other elements for other values of `index`."""
    strides = buffer_type_of(load.buffer).strides
    return any(
        stride != 0 and depends_on(place, index)
        for place, stride in zip(load.indices, strides, strict=True)
    )


def depends_on(value: SSAValue, index: SSAValue) -> bool:
    """Whether a value is computed from `index`."""
    if value is index:
        return True
    if isinstance(value, BlockArgument):
        return False
    owner = cast(Operation, value.owner)
    return any(depends_on(operand, index) for operand in owner.operands)


def _follows(value: SSAValue, index: SSAValue) -> bool:
    """Whether a value that depends on `index` is `index` plus something that does not."""
    if value is index:
        return True
    owner = value.owner
    if isinstance(owner, WithinOp):
        return _follows(owner.index, index)
    if not isinstance(owner, arith.AddiOp | arith.SubiOp):
        return False
    lhs, rhs = owner.operands
    if not depends_on(rhs, index):
        return _follows(lhs, index)
    return isinstance(owner, arith.AddiOp) and not depends_on(lhs, index) and _follows(rhs, index)
