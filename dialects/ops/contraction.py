"""Which operations are sums of products? matmul, from vectors to broadcast batches."""

from __future__ import annotations

from collections.abc import Sequence

from ..attributes.broadcast import broadcast_shapes
from ..attributes.dtype import DType, float8_e8m0fnu
from ..attributes.spec import TensorSpec
from ..diagnostics import TrilithRuntimeError
from .opspec import TABLE, Attributes, ContractionOp, OperandSpec, Resolved, describe
from .rules import COMPLEX, FLOAT8, FLOATS, INTEGERS, check_dtype, common_device

_C_NAMES = {
    "bool": "bool",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "float32": "float",
    "float64": "double",
    "uint16": "short unsigned int",
    "uint32": "unsigned int",
    "uint64": "long unsigned int",
}


#: What PyTorch multiplies and trilith does not yet.
_PENDING = COMPLEX | FLOAT8 - {float8_e8m0fnu}


def _c_name(dtype: DType) -> str:
    name = repr(dtype).rpartition(".")[2]
    return _C_NAMES.get(name, f"c10::{dtype.c_name}")


def _check_inner(left: TensorSpec, right: TensorSpec) -> None:
    """Refuse operands whose inner sizes differ, in the words of PyTorch's kernel for the ranks."""
    rows: tuple[int, ...] = left.shape
    columns: tuple[int, ...] = right.shape
    inner = columns[0] if len(columns) == 1 else columns[-2]
    if rows[-1] == inner:
        return
    if left.rank == right.rank == 1:
        raise TrilithRuntimeError(
            f"inconsistent tensor size, expected tensor [{rows[0]}] and src [{columns[0]}] to have "
            f"the same number of elements, but got {rows[0]} and {columns[0]} elements respectively"
        )
    if left.rank <= 2 or right.rank <= 2:
        folded = 1
        for size in rows[:-1]:
            folded *= size
        shape_of_left = f"{folded}x{rows[-1]}"
        width = columns[-1] if right.rank > 1 else 1
        shape_of_right = f"{inner}x{width}"
        raise TrilithRuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({shape_of_left} and {shape_of_right})",
            hint=f"the operands have shapes {list(rows)} and {list(columns)}",
        )
    batch = 1
    for size in broadcast_shapes(rows[:-2], columns[:-2]):
        batch *= size
    raise TrilithRuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: [{batch}, {rows[-1]}] "
        f"but got: [{batch}, {inner}]."
    )


def _resolve_matmul(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    left, right = operands
    assert isinstance(left, TensorSpec)
    assert isinstance(right, TensorSpec)
    if not left.shape or not right.shape:
        raise TrilithRuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{len(left.shape)}D and {len(right.shape)}D"
        )
    if left.dtype is not right.dtype:
        raise TrilithRuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{_c_name(left.dtype)} != {_c_name(right.dtype)}",
            hint="convert one of them with .to(dtype)",
        )
    check_dtype("matmul", left.dtype, INTEGERS | FLOATS, "addmm_impl_cpu_", {}, _PENDING)
    device = common_device(operands)
    _check_inner(left, right)
    batch = broadcast_shapes(left.shape[:-2], right.shape[:-2])
    shape = batch + left.shape[-2:-1] + (right.shape[-1:] if len(right.shape) > 1 else ())
    result = TensorSpec.of(shape, left.dtype, device)
    return Resolved(dict(attributes), (left.dtype, right.dtype), result)


TABLE.add(
    ContractionOp(
        **describe(
            "matmul(Tensor input, Tensor other)",
            "The matrix product [..., M, K] @ [..., K, N] -> [..., M, N]; batch dims broadcast, "
            "and a 1-D operand stands for a row or a column.",
            "tri.matmul(tri.tensor([[1., 2.]]), tri.tensor([[3.], [4.]]))  # tensor([[11.]])",
            ("matmul", "__matmul__", "__rmatmul__"),
        ),
        resolver=_resolve_matmul,
    )
)
