"""How does one copy of a body serve whole vectors and, at the end, what is left over?

A long body is most of what LLVM has to compile, so it stands in the kernel once. All its loads
stand in front of it and all its stores behind it; each of the two groups is a branch, on whether
all lanes are inside: plain accesses in one arm, those under a mask in the other. Such kernels run
as fast as those with a second copy of the body, under a mask.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects.kernel.lanes import MaskOp
from ...dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ...dialects.kernel.rare import is_nest
from ...dialects.kernel.types import buffer_type_of
from ...dialects.making import append
from .lanes import Access, Frame, Weaver, lane_access
from .scheduler import Scheduler, Values

#: How many operations a body has for which that pays; for shorter ones the branches are as much
#: to compile as a copy (first calls: 20 additions and products 9.4 ms by two copies, 9.9 by one;
#: exp 9.1 and 8.5; ten operations, five of them functions such as sin, 30.6 and 23.8).
LONG_ENOUGH = 24

#: How many loads stand in front of a body: registers are few.
MAXIMUM_LOADS = 8


def is_shared(scheduler: Scheduler, block: Block) -> bool:
    """Whether one copy of a body pays, and can be had."""
    operations = list(block.ops)[:-1]
    if scheduler.narrow or len(operations) < LONG_ENOUGH:
        return False
    stores = 0
    for op in operations:
        if is_nest(op) or type(op) is CheckOp:
            return False
        if type(op) is StoreOp:
            stores += 1
        elif stores:
            return False
    accesses = [op for op in operations if isinstance(op, LoadOp | StoreOp)]
    is_in_order = all(_is_in_order(op) for op in accesses)
    return bool(stores) and is_in_order and len(accesses) - stores <= MAXIMUM_LOADS


def _is_in_order(op: LoadOp | StoreOp) -> bool:
    """Whether an access is to one element or to neighbours: any other is code for each lane."""
    strides = buffer_type_of(op.buffer).strides
    return all(type(index) is BlockArgument for index in op.indices) and (
        not strides or strides[-1] in (-1, 0, 1)
    )


def _is_uniform(op: LoadOp, index: SSAValue) -> bool:
    """Whether a load reads the same element at all values of an index: it needs no mask."""
    strides = buffer_type_of(op.buffer).strides
    return all(
        stride == 0 or place is not index for place, stride in zip(op.indices, strides, strict=True)
    )


def build_shared(
    scheduler: Scheduler,
    index: SSAValue,
    extent: SSAValue,
    frame: Frame,
    lanes: int,
    block: Block,
) -> None:
    """Build a body for all values of an index, in vectors of which the last may be partly used."""
    weaver = scheduler.weaver
    operations = list(block.ops)[:-1]
    loads = [op for op in operations if isinstance(op, LoadOp) and not _is_uniform(op, index)]
    stores = [op for op in operations if isinstance(op, StoreOp)]
    others = [op for op in operations if op not in loads and op not in stores]

    def vectors(first: SSAValue, _: Values) -> Values:
        inner = frame.inner(lanes)
        inner.bases[index] = first
        left = weaver.compute(arith.SubiOp, extent, first)
        whole = weaver.compare("sge", left, weaver.index(lanes))
        _append_accesses(weaver, loads, inner, whole, left)
        for op in others:
            scheduler.translate(op, inner)
        _append_accesses(weaver, stores, inner, whole, left)
        return ()

    weaver.loop((weaver.index(0), extent, weaver.index(lanes)), (), vectors)


def _append_accesses(
    weaver: Weaver,
    operations: Sequence[LoadOp | StoreOp],
    frame: Frame,
    whole: SSAValue,
    left: SSAValue,
) -> None:
    """Append accesses twice, plain and under a mask of what is left."""
    if not operations:
        return
    accesses = [lane_access(weaver, op, frame) for op in operations]
    results = weaver.branch(
        whole,
        lambda: _arm(weaver, accesses, None),
        lambda: _arm(weaver, accesses, weaver.add(MaskOp.make(left, frame.lanes))),
    )
    for op, new in zip([op for op in operations if op.results], results, strict=False):
        frame.bind(op.results[0], new)


def _arm(weaver: Weaver, accesses: Sequence[Access], mask: SSAValue | None) -> Values:
    made: list[Operation] = []
    for access in accesses:
        op = access(mask)
        append(weaver.block, op)
        made.append(op)
    return [result for op in made for result in op.results]
