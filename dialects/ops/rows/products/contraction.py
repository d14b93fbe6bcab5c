"""Which operations are sums of products? matmul, from vectors to broadcast batches."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ....attributes.broadcast import broadcast_shapes
from ....attributes.c_types import c_type
from ....attributes.dtype import float8_e8m0fnu
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import ContractionOp
from ...frame.out_rules import out_tensor_dtype
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved
from ...frame.rules import FIELDS, FLOAT8, INTEGERS, check_dtype, common_device, compute_dtype
from ...gradients.products import OF_MATMUL

_ACCEPTS = INTEGERS | FIELDS
#: What the products of two matrices take besides.
_MATRICES_ACCEPT = _ACCEPTS | FLOAT8 - {float8_e8m0fnu}


def _kernel(left: TensorSpec, right: TensorSpec) -> str:
    """Return which of its kernels PyTorch multiplies such operands with; errors differ by it."""
    if left.rank == right.rank == 1:
        return "dot"
    if left.rank > 2 and right.rank <= 2:
        is_merged = _is_mergeable(left.shape, left.strides)
    elif left.rank == 1 and right.rank > 2:
        *_, rows, columns = range(right.rank)
        order = (*range(right.rank - 2), columns, rows)
        is_merged = _is_mergeable(
            tuple(right.shape[dim] for dim in order), tuple(right.strides[dim] for dim in order)
        )
    else:
        is_merged = right.rank <= 2
    if not is_merged:
        return "batches"
    is_vector = right.rank == 1 or (left.rank == 1 and right.rank > 2)
    return "vector" if is_vector else "matrices"


def _is_mergeable(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether all dims but the last can be seen as one."""
    dims = range(len(shape) - 2)
    return not math.prod(shape) or all(
        strides[dim] == strides[dim + 1] * shape[dim + 1] for dim in dims
    )


def _check_sizes(kernel: str, left: TensorSpec, right: TensorSpec, batch: tuple[int, ...]) -> None:
    """Refuse inner sizes that differ, in the words of the kernel."""
    inner = right.shape[0] if right.rank == 1 else right.shape[-2]
    columns = left.shape[-1]
    if columns == inner:
        return
    rows = math.prod(left.shape[:-1])
    hint = f"the operands have shapes {list(left.shape)} and {list(right.shape)}"
    if kernel == "dot":
        text = (
            f"inconsistent tensor size, expected tensor [{columns}] and src [{inner}] to have the "
            f"same number of elements, but got {columns} and {inner} elements respectively"
        )
    elif kernel == "vector":
        if left.rank == 1:
            # The matrices on the right, transposed, times the vector on the left.
            rows, columns, inner = math.prod(right.shape) // max(inner, 1), inner, columns
        text = f"size mismatch, got input ({rows}), mat ({rows}x{columns}), vec ({inner})"
    elif kernel == "matrices":
        text = (
            "mat1 and mat2 shapes cannot be multiplied "
            f"({rows}x{columns} and {inner}x{right.shape[-1]})"
        )
    else:
        count = math.prod(batch)
        text = (
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{count}, {columns}] but got: [{count}, {inner}]."
        )
    raise TrilithRuntimeError(text, hint=hint)


def _check_dtypes(kernel: str, left: TensorSpec, right: TensorSpec) -> None:
    """Refuse operands of different dtypes, in the words of the kernel."""
    if left.dtype is right.dtype:
        return
    first, second = left.dtype.c_name, right.dtype.c_name
    if kernel == "dot":
        text = f"dot : expected both vectors to have same dtype, but found {first} and {second}"
    elif kernel == "vector":
        matrix, vector = (second, first) if left.rank == 1 else (first, second)
        text = (
            "addmv input tensors must have the same dtype, but got "
            f"{vector}, {matrix}, and {vector}"
        )
    elif kernel == "matrices":
        text = (
            "expected m1 and m2 to have the same dtype, but got: "
            f"{c_type(left.dtype)} != {c_type(right.dtype)}"
        )
    else:
        text = f"expected scalar type {first} but found {second}"
    raise TrilithRuntimeError(text, hint="convert one of them with .to(dtype)")


def multiplies(shape: tuple[int, ...], inner: int) -> bool:
    """Whether there are products: PyTorch calls no kernel where a result has none, or is empty."""
    return bool(inner) and 0 not in shape


def _resolve_matmul(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    left, right = operands
    assert isinstance(left, TensorSpec)
    assert isinstance(right, TensorSpec)
    if not left.shape or not right.shape:
        raise TrilithRuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{left.rank}D and {right.rank}D"
        )
    kernel = _kernel(left, right)
    if kernel == "dot":
        _check_dtypes(kernel, left, right)
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    _check_sizes(kernel, left, right, batch)
    _check_dtypes(kernel, left, right)
    accepts = _MATRICES_ACCEPT if kernel == "matrices" else _ACCEPTS
    device = common_device(operands)
    shape = batch + left.shape[-2:-1] + (right.shape[-1:] if right.rank > 1 else ())
    if left.dtype not in accepts and (kernel == "dot" or multiplies(shape, left.shape[-1])):
        check_dtype(f"matmul.{kernel}", left.dtype, accepts)
    result = TensorSpec.of(shape, left.dtype, device)
    return Resolved(dict(attributes), (left.dtype, right.dtype), result)


def _resolve_unrounded(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    """Leave the sums in the dtype that they are formed in."""
    resolved = _resolve_matmul(operands, attributes)
    rounded = resolved.result
    result = TensorSpec.of(rounded.shape, compute_dtype(rounded.dtype), rounded.device)
    return Resolved(resolved.attributes, resolved.operand_dtypes, result)


TABLE.add(
    ContractionOp(
        "matmul(Tensor input, Tensor other)",
        "The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, "
        "and a 1-D operand stands for a row or a column.",
        "tri.matmul(tri.tensor([[1., 2.]]), tri.tensor([[3.], [4.]]))  # tensor([[11.]])",
        methods=("matmul", "__matmul__", "__rmatmul__"),
        resolver=_resolve_matmul,
        refuse_out=out_tensor_dtype,
        ufuncs=("matmul",),
        places=("linalg.matmul",),
        gradient=OF_MATMUL,
    )
)
TABLE.add(
    ContractionOp(
        "matmul_unrounded(Tensor input, Tensor other)",
        "The matrix product of narrow floats as it is summed, in float32: what goes on with it "
        "rounds once.",
        "tri.addmm(tri.ones(1).half(), tri.ones(1, 2).half(), tri.ones(2, 1).half())"
        "  # tensor([[3.]], dtype=trilith.float16)",
        methods=(),
        is_public=False,
        resolver=_resolve_unrounded,
        gradient=OF_MATMUL,
    )
)
