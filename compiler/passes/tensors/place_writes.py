"""Which results can be computed where they are to be written? Those that nobody reads too early.

Before::

    %0 = tri.fusion (%a = %x : ..., %b = %y : ...) -> (!tri.tensor<4xf32>) { tri.add ... }
    tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>

After::

    %0 = tri.fusion (%a = %x : ..., %b = %y : ...) -> (!tri.tensor<4xf32>) { tri.add ... }
    tri.write direct %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>

The kernel of the fusion then stores into %x: no memory for %0, no copy. The result takes the
target's strides; one whose attributes count elements of its memory must have them already. That is
allowed if the value has no other use, if nothing later reads the memory of the argument as it was,
if no earlier write waits for its turn, if earlier ones that overlap it are computed by earlier
operations, and if the operation itself reads that memory only at the index at which it writes: an
elementwise fusion, through the same window. A kernel of sums of products keeps unfinished ones in
its result: it has memory of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.attributes.extents import storage_extent
from ....dialects.attributes.spans import LastTouch
from ....dialects.attributes.spec import TensorSpec
from ....dialects.attributes.views import expand
from ....dialects.ops.frame.traits import Destination
from ....dialects.tri.ops import (
    TensorOperation,
    ViewOperation,
    is_pointwise,
    is_product,
    tensor_spec,
)
from ....dialects.tri.structure import FusionOp, YieldOp
from ....dialects.tri.types import TensorType
from ....dialects.tri.writing import WriteOp
from ...analysis.aliases import root_of


@dataclass(frozen=True)
class PlaceWritesPass(ModulePass):
    """Let results be computed in the memory that they are written to."""

    name = "tri-place-writes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Place the writes of every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _place(func.body.block)


def _place(block: Block) -> None:
    operations = list(block.ops)
    writes = [op for op in operations if isinstance(op, WriteOp)]
    if not writes:
        return
    order = {op: index for index, op in enumerate(operations)}
    last_reads = _last_reads(operations)
    waiting: set[SSAValue] = set()
    #: By argument: which bytes are written by what which operation computes, by its place.
    written: dict[SSAValue, LastTouch] = {}
    placed: list[WriteOp] = []
    for write in writes:
        root, _ = root_of(write.operands[1])
        if root in waiting:
            continue
        producer = write.operands[0].owner
        place = order[producer] if isinstance(producer, Operation) else -1
        span, earlier = _span(write), written.setdefault(root, LastTouch())
        # What overlaps an earlier write must be computed after what that one stores.
        before = earlier.last(*span)
        if (
            (before is None or before < place)
            and last_reads.get(root, -1) <= place
            and _is_placeable(write, root)
        ):
            earlier.touch(*span, place)
            placed.append(write)
        else:
            waiting.add(root)
    for write in placed:
        _make_direct(write)


def _span(write: WriteOp) -> tuple[int, int]:
    """Return the bytes of the argument's memory between which a write happens."""
    _, (shape, strides, offset) = root_of(write.operands[1])
    itemsize = tensor_spec(write.operands[1]).dtype.itemsize
    return offset * itemsize, (offset + storage_extent(shape, strides)) * itemsize


def _last_reads(operations: Sequence[Operation]) -> dict[SSAValue, int]:
    """Return where the memory of each argument is read last; views and returns do not read."""
    roots: dict[SSAValue, SSAValue] = {}
    found: dict[SSAValue, int] = {}
    for place, op in enumerate(operations):
        if isinstance(op, ViewOperation):
            viewed = op.operands[0]
            roots[op.results[0]] = roots.get(viewed, viewed)
        elif not isinstance(op, ReturnOp):
            for operand in op.operands[:1] if isinstance(op, WriteOp) else op.operands:
                root = roots.get(operand, operand)
                if isinstance(root, BlockArgument):
                    found[root] = place
    return found


def _is_placeable(write: WriteOp, root: SSAValue) -> bool:
    value = write.operands[0]
    producer = value.owner
    if not value.has_one_use():
        return False
    if isinstance(producer, FusionOp):
        return _reads_in_step(producer, write)
    return isinstance(producer, TensorOperation) and _is_taken(producer, write, root)


def _is_taken(op: TensorOperation, write: WriteOp, root: SSAValue) -> bool:
    """Whether the kernels of an operation may store into the memory that it is written to."""
    destination, operands = op.ROW.traits.destination, list(op.operands)
    if destination is Destination.NONE:
        return False
    if destination is Destination.ALIKE:
        target = tensor_spec(write.operands[1])
        if tensor_spec(write.operands[0]).strides != target.strides:
            return False
    elif destination is not Destination.APART:
        is_input = _is_same_window(operands[0], write.operands[1])
        if is_input:
            del operands[0]
        elif destination is Destination.INPUT:
            return False
    return not any(_touches(operand, root) for operand in operands)


def _is_same_window(value: SSAValue, target: SSAValue) -> bool:
    """Whether two values are the same elements of one memory."""
    is_same = root_of(value) == root_of(target)
    return is_same and tensor_spec(value).dtype is tensor_spec(target).dtype


def _touches(value: SSAValue, root: SSAValue) -> bool:
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return value is root and isinstance(root, BlockArgument)


def _reads_in_step(fusion: FusionOp, write: WriteOp) -> bool:
    """Whether a fusion reads the target's memory only at the index that it writes."""
    if any(is_product(op) for op in fusion.block.ops):
        return False
    root, target = root_of(write.operands[1])
    dtype = tensor_spec(write.operands[1]).dtype
    for argument, operand in zip(fusion.block.args, fusion.operands, strict=True):
        if not _touches(operand, root):
            continue
        _, view = root_of(operand)
        if tensor_spec(operand).dtype is not dtype or _is_moved_or_reduced(argument):
            return False
        if expand(view, target.shape) != target:
            return False
    return True


def _is_moved_or_reduced(argument: SSAValue) -> bool:
    """Whether a value goes into a reduction or a view, directly or by way of other operations."""
    pending, seen = [argument], {argument}
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if isinstance(op, TensorOperation) and not is_pointwise(op):
                return True
            for result in op.results:
                if result not in seen:
                    seen.add(result)
                    pending.append(result)
    return False


def _make_direct(write: WriteOp) -> None:
    """Give the value the target's strides, and mark the write."""
    value, target = write.operands
    found, wanted = tensor_spec(value), tensor_spec(target)
    if found.strides != wanted.strides:
        spec = TensorSpec.of(found.shape, found.dtype, found.device, wanted.strides)
        _retype(value, TensorType.of(spec))
    write.make_direct()


def _retype(value: SSAValue, kind: TensorType) -> None:
    """Give a result another type, and what a fusion yields for it."""
    producer = value.owner
    if isinstance(producer, FusionOp):
        end = producer.block.last_op
        assert isinstance(end, YieldOp)
        index = [result is value for result in producer.results].index(True)
        Rewriter.replace_value_with_new_type(end.operands[index], kind)
    Rewriter.replace_value_with_new_type(value, kind)
