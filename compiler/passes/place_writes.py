"""Which results can be computed where they are to be written? Those that nobody reads too early.

Before::

    %0 = tri.fusion (%a = %x : ..., %b = %y : ...) -> (!tri.tensor<4xf32>) { tri.add ... }
    tri.write %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>

After::

    %0 = tri.fusion (%a = %x : ..., %b = %y : ...) -> (!tri.tensor<4xf32>) { tri.add ... }
    tri.write direct %0 into %x : !tri.tensor<4xf32> into !tri.tensor<4xf32>

The kernel of the fusion then stores into %x: no memory for %0, no copy. The result takes the
target's strides. That is allowed if the value has no other use, if nothing later reads the memory
of the argument as it was, if no earlier write waits for its turn, if earlier ones that overlap it
are computed by earlier operations, and if the operation itself reads that memory only at the index
at which it writes: an elementwise fusion, through the same window.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.views import expand
from ...dialects.tri.ops import (
    ContractionOperation,
    CreationOperation,
    JoinOperation,
    ReductionOperation,
    ScatterOperation,
    ViewOperation,
    tensor_spec,
)
from ...dialects.tri.structure import FusionOp, YieldOp
from ...dialects.tri.types import TensorType
from ...dialects.tri.writing import WriteOp
from .canonicalize_formats import root_of

#: Operations whose kernels can be given their memory.
PRODUCERS = (
    *(FusionOp, ContractionOperation, CreationOperation, JoinOperation),
    ScatterOperation,
)


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
    waiting: set[SSAValue] = set()
    placed: dict[SSAValue, list[WriteOp]] = {}
    for write in writes:
        root, _ = root_of(write.operands[1])
        earlier = placed.setdefault(root, [])
        if (
            root not in waiting
            and all(_is_after(write, other, order) for other in earlier)
            and _is_placeable(write, root, operations, order)
        ):
            earlier.append(write)
        else:
            waiting.add(root)
    for found in placed.values():
        for write in found:
            _make_direct(write)


def _is_after(write: WriteOp, other: WriteOp, order: dict[Operation, int]) -> bool:
    """Whether a write shares no byte with an earlier one, or is computed by a later operation."""
    start, end = _span(write)
    other_start, other_end = _span(other)
    if end <= other_start or other_end <= start:
        return True
    producer, earlier = write.operands[0].owner, other.operands[0].owner
    if not isinstance(producer, Operation) or not isinstance(earlier, Operation):
        return False
    return order[earlier] < order[producer]


def _span(write: WriteOp) -> tuple[int, int]:
    """Return the bytes of the argument's memory between which a write happens."""
    _, (shape, strides, offset) = root_of(write.operands[1])
    itemsize = tensor_spec(write.operands[1]).dtype.itemsize
    return offset * itemsize, (offset + storage_extent(shape, strides)) * itemsize


def _is_placeable(
    write: WriteOp, root: SSAValue, operations: list[Operation], order: dict[Operation, int]
) -> bool:
    value = write.operands[0]
    producer = value.owner
    if not isinstance(producer, PRODUCERS) or not value.has_one_use():
        return False
    if isinstance(producer, FusionOp):
        if not _reads_in_step(producer, write):
            return False
    elif isinstance(producer, ScatterOperation):
        if not _writes_over_itself(producer, write, root):
            return False
    elif any(_touches(operand, root) for operand in producer.operands):
        return False
    later = operations[order[producer] + 1 :]
    return not any(_reads(op, root) for op in later)


def _writes_over_itself(scatter: ScatterOperation, write: WriteOp, root: SSAValue) -> bool:
    """Whether a scatter changes the very window that it is written to, and reads no more of it."""
    input, target = scatter.operands[0], write.operands[1]
    is_same = root_of(input) == root_of(target)
    is_same = is_same and tensor_spec(input).dtype is tensor_spec(target).dtype
    return is_same and not any(_touches(operand, root) for operand in scatter.operands[1:])


def _reads(op: Operation, root: SSAValue) -> bool:
    """Whether an operation reads the memory of an argument; views and returns do not."""
    if isinstance(op, (ViewOperation, ReturnOp)):
        return False
    operands = op.operands[:1] if isinstance(op, WriteOp) else op.operands
    return any(_touches(operand, root) for operand in operands)


def _touches(value: SSAValue, root: SSAValue) -> bool:
    while isinstance(value.owner, ViewOperation):
        value = value.owner.operands[0]
    return value is root and isinstance(root, BlockArgument)


def _reads_in_step(fusion: FusionOp, write: WriteOp) -> bool:
    """Whether a fusion reads the target's memory only at the index that it writes."""
    root, target = root_of(write.operands[1])
    dtype = tensor_spec(write.operands[1]).dtype
    for argument, operand in zip(fusion.block.args, fusion.operands, strict=True):
        if not _touches(operand, root):
            continue
        _, view = root_of(operand)
        if tensor_spec(operand).dtype is not dtype or _is_folded(argument):
            return False
        if expand(view, target.shape) != target:
            return False
    return True


def _is_folded(argument: SSAValue) -> bool:
    """Whether a value goes into a reduction or a view, directly or by way of other operations."""
    pending, seen = [argument], {argument}
    while pending:
        for use in pending.pop().uses:
            op = use.operation
            if isinstance(op, (ReductionOperation, ViewOperation)):
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
