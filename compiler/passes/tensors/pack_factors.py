"""Which factors of a contraction lie across its result? They are copied to lie along it.

Before::

    %0 = tri.t %w : !tri.tensor<5x4xf32> -> !tri.tensor<4x5xf32, layout=strided<[1, 4]>>
    %1 = tri.matmul %x, %0 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32, ...> -> !tri.tensor<3x5xf32>

After::

    %0 = tri.t %w : ...
    %2 = tri.clone %0 : !tri.tensor<4x5xf32, layout=strided<[1, 4]>> -> !tri.tensor<4x5xf32>
    %1 = tri.matmul %x, %2 : !tri.tensor<3x4xf32>, !tri.tensor<4x5xf32> -> !tri.tensor<3x5xf32>

Neighbouring results are computed side by side, and each row of results reads the whole factor: lane
by lane, if neighbours lie apart. A copy costs less than the first row. What the schedule transposes
in registers, of float32 and float64, is left alone where it is the only such factor. So are factors
that repeat elements, such as the windows of an image: they would grow. The matrix of a product with
a vector has no rows of results to serve: it is read once, as it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block
from xdsl.passes import ModulePass

from ....dialects.attributes.extents import are_equal
from ....dialects.attributes.spec import TensorSpec
from ....dialects.ops.frame.opspec import ContractionOp
from ....dialects.ops.rows.products.index_maps import IndexedContractionOp, maps_of
from ....dialects.tri.ops import TensorOperation, op_class, tensor_spec
from ...lowering.product_orders import is_in_lanes


@dataclass(frozen=True)
class PackFactorsPass(ModulePass):
    """Copy what contractions read across."""

    name = "tri-pack-factors"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Pack in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _pack(func.body.block)


def _pack(block: Block) -> None:
    for op in list(block.ops):
        if not isinstance(op, TensorOperation):
            continue
        found = _walked_by_neighbours(op)
        for number, dim in found:
            spec = tensor_spec(op.operands[number])
            if len(found) == 1 and _is_transposed_in_registers(spec):
                continue
            if spec.strides[dim] != 1 and spec.shape[dim] != 1 and _is_dense(spec):
                _replace_by_copy(block, op, number, dim)


def _is_transposed_in_registers(spec: TensorSpec) -> bool:
    """Whether the schedule of a product transposes such a factor where it reads it."""
    return spec.dtype.is_floating_point and spec.dtype.itemsize >= 4


def _walked_by_neighbours(op: TensorOperation) -> list[tuple[int, int]]:
    """Return which operands neighbouring results read different elements of, along which dims.

    Both do where there is nothing but the sum: in a convolution of each channel by itself.
    """
    row = op.ROW
    if isinstance(row, ContractionOp):
        left, right = map(tensor_spec, op.operands)
        return [] if right.rank == 1 or is_in_lanes(left, right) else [(1, right.rank - 1)]
    if isinstance(row, IndexedContractionOp):
        order, *maps, _ = maps_of(op.values())
        specs = [tensor_spec(operand) for operand in op.operands]
        for index in reversed(order):
            found = [
                (number, walked.index(index))
                for number, walked in enumerate(maps)
                if index in walked
            ]
            if any(specs[number].shape[dim] != 1 for number, dim in found):
                return found
    return []


def _is_dense(spec: TensorSpec) -> bool:
    """Whether no two elements of a tensor are the same one in memory, by the usual orders of dims.

    They are row-major order, that with columns in place of rows, and channels last.
    """
    *_, last = dims = list(range(spec.rank))
    orders = [dims, [*dims[:-2], last, *dims[-2:-1]], [*dims[:1], *dims[2:], *dims[1:2]]]
    return any(are_equal(spec.strides, _strides(spec.shape, order)) for order in orders)


def _replace_by_copy(block: Block, op: TensorOperation, number: int, dim: int) -> None:
    operand = op.operands[number]
    packed = packed_along(tensor_spec(operand), dim)
    copy = op_class("clone").of_type([operand], {}, packed, op.location)
    block.insert_op_before(copy, op)
    op.operands[number] = copy.results[0]


def packed_along(spec: TensorSpec, dim: int) -> TensorSpec:
    """Return the spec of a dense copy with a dim innermost and the others in their order."""
    order = [*(other for other in range(spec.rank) if other != dim), dim]
    return TensorSpec.of(spec.shape, spec.dtype, spec.device, _strides(spec.shape, order))


def _strides(shape: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return the strides of dense memory whose dims are in an order, the outermost first."""
    strides, step = [0] * len(shape), 1
    for dim in reversed(order):
        strides[dim] = step
        step *= shape[dim] or 1
    return tuple(strides)
