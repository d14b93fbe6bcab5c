"""How are sparse matrices multiplied? By dense ones entry by entry, by sparse ones by places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import DType, complex128, float32, float64
from ....attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ....attributes.promotion import result_type
from ....attributes.spec import TensorSpec
from ....diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
)
from ....frames import warn_user
from ...frame.argument_values import is_number
from ...frame.literals import check_fits
from ...frame.rules import check_dtype
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_ADDMM, OF_BMM, OF_MATMUL, OF_MM, OF_MV
from ..products.added_products import number_of, scaled
from .entries import (
    count,
    sparse_dim,
    values_of,
)
from .entry_products import SUMMED
from .factors import NARROW, check_matrix, times_sparse

# ---- sparse times dense


def _check_factors(t: SparseLanguage, parts: Parts, other: TensorSpec) -> None:
    check_matrix(t, parts)
    if other.rank != 2:
        raise TrilithRuntimeError(f"addmm: matrices expected, got {other.rank}D tensor")
    if other.shape[0] != parts.shape[1]:
        raise TrilithRuntimeError(
            f"addmm: Argument #3 (dense): Expected dim 0 size {parts.shape[1]}, got "
            f"{other.shape[0]}"
        )
    own = values_of(t, parts).dtype
    if own is not other.dtype:
        raise TrilithRuntimeError(
            f"expected scalar type {own.c_name} but found {other.dtype.c_name}"
        )
    check_dtype("addmm_sparse_dense", own, SUMMED | NARROW)


def times_dense(t: SparseLanguage, parts: Parts, other: Any) -> Any:
    """Return the dense product; sums of narrow floats are of float32, and rounded at last."""
    spec = tensor_of(t, other)
    _check_factors(t, parts, spec)
    rows, columns = (t.call("select", parts.indices, 0, dim) for dim in (0, 1))
    if spec.dtype in NARROW:
        wide = [t.call("to", factor, float32) for factor in (parts.values, other)]
        found = t.call("coo_matmul", rows, columns, *wide, parts.shape[0])
        return t.call("to", found, spec.dtype)
    return t.call("coo_matmul", rows, columns, parts.values, other, parts.shape[0])


def _flipped(t: SparseLanguage, parts: Parts) -> Parts:
    """Return the transpose of a matrix."""
    if sparse_dim(t, parts) < 2 or len(parts.shape) != 2:
        # What PyTorch says where it transposes.
        t.call("transpose", t.sparse(parts), 0, 1)
        check_matrix(t, parts)
    indices = t.call("flip", parts.indices, (0,))
    return Parts(indices, parts.values, parts.shape[::-1], False)


# ---- mm, mv, matmul


def product(t: SparseLanguage, input: Any, other: Any) -> Any:
    """Return the product of two matrices, one of which is sparse at least."""
    first, second = t.parts(input), t.parts(other)
    if first is not None and second is not None:
        return t.sparse(times_sparse(t, first, second))
    if first is not None:
        return times_dense(t, first, other)
    assert second is not None
    turned = t.call("transpose", input, 0, 1)
    return t.call("transpose", times_dense(t, _flipped(t, second), turned), 0, 1)


@sparse_form("mm", "spmm", gradient=OF_MM)
def _of_matrices(t: SparseLanguage, input: Any, mat2: Any) -> Any:
    return product(t, input, mat2)


@sparse_form("mv", gradient=OF_MV)
def _times_vector(t: SparseLanguage, input: Any, vec: Any) -> Any:
    parts, spec = t.parts(input), tensor_of(t, vec)
    if parts is None or t.parts(vec) is not None:
        raise TrilithNotImplementedError("mv takes a sparse matrix and a dense vector")
    if (len(parts.shape), spec.rank) != (2, 1):
        raise TrilithRuntimeError(
            "mv: two tensor dim should be 2 and 1, but got SparseTensor Dim: "
            f"{len(parts.shape)}Tensor Dim: {spec.rank}"
        )
    if parts.shape[1] != spec.shape[0]:
        raise TrilithRuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    return t.call("squeeze", times_dense(t, parts, t.call("unsqueeze", vec, 1)), 1)


@sparse_form("matmul", gradient=OF_MATMUL)
def _matmul(t: SparseLanguage, input: Any, other: Any) -> Any:
    ranks = tensor_of(t, input).rank, tensor_of(t, other).rank
    if 0 in ranks:
        raise TrilithRuntimeError(
            "both arguments to matmul need to be at least 1D, but they are "
            f"{ranks[0]}D and {ranks[1]}D"
        )
    sparse = t.parts(input), t.parts(other)
    if ranks == (2, 2):
        return product(t, input, other)
    if ranks == (2, 1) and sparse[0] is not None and sparse[1] is None:
        return _times_vector(t, input, other)
    if ranks == (1, 2) and sparse[0] is None:
        row = t.call("unsqueeze", input, 0)
        return t.call("squeeze", product(t, row, other), 0)
    if ranks == (1, 1):
        raise no_kernel("dot", sparse_coo, tensor_of(t, input).device.type, TO_DENSE)
    is_batch = min(ranks) > 2
    raise TrilithRuntimeError(
        "expand is unsupported for Sparse tensors"
        if is_batch
        else "reshape is not implemented for sparse tensors"
    )


@sparse_form("chain_matmul", is_stepwise=True)
def _chain(t: SparseLanguage, matrices: Sequence[Any]) -> Any:
    warn_user(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters."
    )
    found = matrices[0]
    for matrix in matrices[1:]:
        found = t.call("mm", found, matrix)
    return found


# ---- addmm


def _sum(
    t: SparseLanguage, input: Any, product: Any, beta: Any, alpha: Any, *, has_entries: bool
) -> Any:
    """Return beta times a matrix plus alpha times a product; both factors take its dtype first."""
    dtype, added = tensor_of(t, product).dtype, tensor_of(t, input).dtype
    if added is not dtype:
        raise TrilithRuntimeError(f"expected scalar type {dtype.c_name} but found {added.c_name}")
    for factor in (beta, alpha):
        check_fits(factor, dtype)
    scaled_product = scaled(t, product, alpha, dtype)
    if is_number(beta):
        cut = number_of(beta, dtype)
        if cut == 0:
            return scaled_product
        if cut != 1 and has_entries:
            _check_scaled(dtype, beta)
        beta = cut
    return t.call("add", scaled_product, scaled(t, input, beta, dtype))


def _check_scaled(dtype: DType, factor: Any) -> None:
    """Refuse a factor as that of a product whose dtype cannot be that of the input."""
    if isinstance(factor, int):
        return
    number = TensorSpec.of((), complex128 if isinstance(factor, complex) else float64)
    found = result_type(TensorSpec.of((1,), dtype).operand, number.operand)
    if found is not dtype:
        raise TrilithRuntimeError(
            f"result type {found.c_name} can't be cast to the desired output type {dtype.c_name}"
        )


def added(t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    """Return a matrix plus the product of a sparse and a dense one."""
    first, second = t.parts(mat1), t.parts(mat2)
    if t.parts(input) is not None:
        rows, columns = tensor_of(t, mat1).shape[0], tensor_of(t, mat2).shape[1]
        if tensor_of(t, input).shape != (rows, columns):
            raise TrilithRuntimeError("expand is unsupported for Sparse tensors")
        raise TrilithRuntimeError(
            "addmm_sparse_dense: expected strided result tensor, got tensor with layout Sparse"
        )
    if first is None or second is not None:
        layouts = ["Strided" if parts is None else "Sparse" for parts in (first, second)]
        raise TrilithRuntimeError(
            "addmm_sparse_dense: expected either 'mat1' to have sparse layout and 'mat2' to have "
            f"strided layout, got 'mat1' with layout {layouts[0]} and 'mat2' with layout "
            f"{layouts[1]}"
        )
    product, has_entries = times_dense(t, first, mat2), count(t, first) > 0
    return _sum(t, input, product, beta, alpha, has_entries=has_entries)


def _write_added(
    t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any
) -> None:
    t.write("copy", input, added(t, input, mat1, mat2, beta, alpha))


sparse_form("addmm", write=_write_added, gradient=OF_ADDMM)(added)

# ---- batches, layers


@sparse_form("bmm", gradient=OF_BMM)
def _batched(t: SparseLanguage, input: Any, mat2: Any) -> Any:
    parts = t.parts(input)
    if t.parts(mat2) is not None:
        raise TrilithRuntimeError("bmm_sparse: Tensor 'mat2' must be dense")
    assert parts is not None
    spec = tensor_of(t, mat2)
    if len(parts.shape) != 3 or sparse_dim(t, parts) != 3 or spec.rank != 3:
        raise TrilithRuntimeError("bmm_sparse: Tensor 'self' must be 3D, sparse in all dims")
    batches, rows, inner = parts.shape
    if spec.shape[:2] != (batches, inner):
        raise TrilithRuntimeError("bmm_sparse: 'self.size(2)' and 'mat2.size(1)' must match")
    batch, row, column = (t.call("select", parts.indices, 0, dim) for dim in range(3))
    flat = [
        t.call("add", t.call("mul", batch, size), place)
        for size, place in ((rows, row), (inner, column))
    ]
    matrix = Parts(t.call("stack", flat), parts.values, (batches * rows, batches * inner), False)
    other = t.call("reshape", mat2, (batches * inner, spec.shape[2]))
    return t.call("reshape", times_dense(t, matrix, other), (batches, rows, spec.shape[2]))


@sparse_form("linear", is_stepwise=True)
def _linear(t: SparseLanguage, input: Any, weight: Any, bias: Any) -> Any:
    found = t.call("matmul", input, t.call("t", weight))
    return found if bias is None else t.call("add", found, bias)


@sparse_form("nn_functional_embedding", is_stepwise=True)
def _rows_at(t: SparseLanguage, input: Any, weight: Any, **_: Any) -> Any:
    return _embedding(t, weight, input)


@sparse_form("embedding", is_stepwise=True)
def _embedding(t: SparseLanguage, weight: Any, indices: Any, **_: Any) -> Any:
    if tensor_of(t, indices).rank != 1:
        raise TrilithRuntimeError("reshape is not implemented for sparse tensors")
    return t.call("index_select", weight, 0, indices)
