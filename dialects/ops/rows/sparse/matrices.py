"""How are sparse matrices multiplied? By dense ones entry by entry, by sparse ones place by place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import float16, bfloat16, float32, int64
from ....attributes.spec import TensorSpec
from ....diagnostics import (
    TrilithIndexError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
)
from ....frames import warn_user
from ....records import replace
from ...frame.indexed import HostOp
from ...frame.row import OWN_NAME, TABLE
from ...frame.rules import FIELDS, check_dtype
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from .entries import (
    coalesced,
    count,
    entries,
    no_entries,
    sparse_dim,
    taken_apart,
    values_of,
)
from .entry_products import SUMMED

_NARROW = frozenset({float16, bfloat16})

# ---- sparse times dense


def _check_matrix(t: SparseLanguage, parts: Parts) -> None:
    if sparse_dim(t, parts) != 2 or len(parts.shape) != 2:
        raise TrilithRuntimeError(
            f"addmm: matrices expected, got {sparse_dim(t, parts)}D tensor"
        )


def _check_factors(t: SparseLanguage, parts: Parts, other: TensorSpec) -> None:
    _check_matrix(t, parts)
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
    check_dtype("addmm_sparse_dense", own, SUMMED | _NARROW)


def _times_dense(t: SparseLanguage, parts: Parts, other: Any) -> Any:
    """Return the dense product; sums of narrow floats are of float32, and rounded at last."""
    spec = tensor_of(t, other)
    _check_factors(t, parts, spec)
    rows, columns = (t.call("select", parts.indices, 0, dim) for dim in (0, 1))
    if spec.dtype in _NARROW:
        wide = [t.call("to", factor, float32) for factor in (parts.values, other)]
        found = t.call("coo_matmul", rows, columns, *wide, parts.shape[0])
        return t.call("to", found, spec.dtype)
    return t.call("coo_matmul", rows, columns, parts.values, other, parts.shape[0])


def _flipped(t: SparseLanguage, parts: Parts) -> Parts:
    """Return the transpose of a matrix."""
    if sparse_dim(t, parts) < 2 or len(parts.shape) != 2:
        # What PyTorch says where it transposes.
        t.call("transpose", t.sparse(parts), 0, 1)
        _check_matrix(t, parts)
    indices = t.call("flip", parts.indices, (0,))
    return Parts(indices, parts.values, parts.shape[::-1], False)


# ---- sparse times sparse


def _check_shapes(first: Parts, second: Parts) -> None:
    if first.shape[1] != second.shape[0]:
        (rows, inner), (other, columns) = first.shape, second.shape
        raise TrilithRuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {other}x{columns})"
        )


def _times_sparse(t: SparseLanguage, first: Parts, second: Parts) -> Parts:
    """Return the product of two sparse matrices, in order."""
    for parts in (first, second):
        _check_matrix(t, parts)
    _check_shapes(first, second)
    own, other = values_of(t, first), values_of(t, second)
    if own.dtype is not other.dtype:
        raise TrilithRuntimeError(
            f"mat1 dtype {own.dtype.c_name} does not match mat2 dtype {other.dtype.c_name}"
        )
    check_dtype("sparse_matmul", own.dtype, FIELDS - _NARROW)
    shape = (first.shape[0], second.shape[1])
    first, second = coalesced(t, first), coalesced(t, second)
    rows, inner = (t.call("select", first.indices, 0, dim) for dim in (0, 1))
    outer, columns = (t.call("select", second.indices, 0, dim) for dim in (0, 1))
    # The entries of the second factor's row that each entry of the first one meets.
    begin, end = (t.call("searchsorted", outer, inner, right=right) for right in (False, True))
    lengths = t.call("sub", end, begin)
    numbers = t.call("arange", count(t, first), dtype=int64, device=own.device)
    left = t.call("repeat_interleave", numbers, lengths)
    total = tensor_of(t, left).shape[0]
    if not total:
        return no_entries(t, shape, 2, own.dtype, own.device)
    shift = t.call("sub", begin, t.call("sub", t.call("cumsum", lengths, 0), lengths))
    ordinal = t.call("arange", total, dtype=int64, device=own.device)
    right = t.call("add", ordinal, t.call("index_select", shift, 0, left))
    values = t.call(
        "mul",
        t.call("index_select", first.values, 0, left),
        t.call("index_select", second.values, 0, right),
    )
    places = t.call(
        "stack",
        (t.call("index_select", rows, 0, left), t.call("index_select", columns, 0, right)),
    )
    return replace(coalesced(t, entries(t, places, values, shape)), is_coalesced=True)


# ---- mm, mv, matmul


def _product(t: SparseLanguage, input: Any, other: Any) -> Any:
    first, second = t.parts(input), t.parts(other)
    if first is not None and second is not None:
        return t.sparse(_times_sparse(t, first, second))
    if first is not None:
        return _times_dense(t, first, other)
    assert second is not None
    turned = t.call("transpose", input, 0, 1)
    return t.call("transpose", _times_dense(t, _flipped(t, second), turned), 0, 1)


sparse_form("mm", "spmm")(lambda t, input, mat2: _product(t, input, mat2))


@sparse_form("mv")
def _times_vector(t: SparseLanguage, input: Any, vec: Any) -> Any:
    parts, spec = t.parts(input), tensor_of(t, vec)
    if parts is None or t.parts(vec) is not None:
        raise TrilithNotImplementedError("mv takes a sparse matrix and a dense vector")
    if len(parts.shape) != 2 or spec.rank != 1 or parts.shape[1] != spec.shape[0]:
        raise TrilithRuntimeError("mv: expected self.size(-1) == vec.size(-1)")
    return t.call("squeeze", _times_dense(t, parts, t.call("unsqueeze", vec, 1)), 1)


@sparse_form("matmul")
def _matmul(t: SparseLanguage, input: Any, other: Any) -> Any:
    ranks = tensor_of(t, input).rank, tensor_of(t, other).rank
    sparse = t.parts(input), t.parts(other)
    if ranks == (2, 2):
        return _product(t, input, other)
    if ranks == (2, 1) and sparse[0] is not None and sparse[1] is None:
        return _times_vector(t, input, other)
    if ranks == (1, 2) and sparse[0] is None:
        row = t.call("unsqueeze", input, 0)
        return t.call("squeeze", _product(t, row, other), 0)
    if ranks == (1, 1):
        raise TrilithNotImplementedError(
            "dot is not available for tensors of layout trilith.sparse_coo"
        )
    is_batch = min(ranks) > 2
    raise TrilithRuntimeError(
        "expand is unsupported for Sparse tensors"
        if is_batch
        else "reshape is not implemented for sparse tensors"
    )


@sparse_form("chain_matmul")
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


def _sum(t: SparseLanguage, input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    scaled = product if alpha == 1 else t.call("mul", product, alpha)
    if beta == 0:
        return scaled
    return t.call("add", scaled, input if beta == 1 else t.call("mul", input, beta))


@sparse_form("addmm")
def _added(t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
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
    return _sum(t, input, _times_dense(t, first, mat2), beta, alpha)


def _write_added(
    t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any
) -> None:
    t.write("copy", input, _added(t, input, mat1, mat2, beta, alpha))


sparse_form("addmm", write=_write_added)(_added)

# ---- batches, layers


@sparse_form("bmm")
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
    return t.call("reshape", _times_dense(t, matrix, other), (batches, rows, spec.shape[2]))


@sparse_form("linear")
def _linear(t: SparseLanguage, input: Any, weight: Any, bias: Any) -> Any:
    found = t.call("matmul", input, t.call("t", weight))
    return found if bias is None else t.call("add", found, bias)


@sparse_form("nn_functional_embedding")
def _rows_at(t: SparseLanguage, input: Any, weight: Any, **_: Any) -> Any:
    return _embedding(t, weight, input)


@sparse_form("embedding")
def _embedding(t: SparseLanguage, weight: Any, indices: Any, **_: Any) -> Any:
    if tensor_of(t, indices).rank != 1:
        raise TrilithRuntimeError("reshape is not implemented for sparse tensors")
    return t.call("index_select", weight, 0, indices)


# ---- tri.sparse


def _sparse_row(signature: str, doc: str, example: str, place: str, run: Any) -> None:
    TABLE.add(
        HostOp(
            signature, doc, example, run, methods=(), is_public=False, places=(f"sparse.{place}",)
        )
    )


def _dense_mm(t: SparseLanguage, input: Any, mat2: Any, reduce: str | None) -> Any:
    return t.call("mm", input, mat2)


def _sparse_mm(t: SparseLanguage, input: Any, mat2: Any, reduce: str | None) -> Any:
    if reduce is not None:
        raise TrilithNotImplementedError(
            "sparse.mm with a reduction takes tensors of layout sparse_csr, which trilith has not"
        )
    if tensor_of(t, mat2).rank == 1:
        raise TrilithIndexError(
            "Dimension out of range (expected to be in range of [-1, 0], but got 1)"
        )
    return _product(t, input, mat2)


_sparse_row(
    "sparse_mm(Tensor input, Tensor mat2, str? reduce=None)",
    "The product of two matrices, of which one or both may be sparse.",
    "tri.sparse.mm(tri.eye(2).to_sparse(), tri.ones(2, 1))  # tensor([[1.],\n#         [1.]])",
    "mm",
    _dense_mm,
)
sparse_form("sparse_mm")(_sparse_mm)


def _dense_addmm(t: SparseLanguage, **arguments: Any) -> Any:
    return t.call("addmm", **arguments)


_sparse_row(
    "sparse_addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
    "A matrix plus the product of two others, the first of which may be sparse.",
    "tri.sparse.addmm(tri.ones(1, 1), tri.eye(1).to_sparse(), tri.ones(1, 1))  # tensor([[2.]])",
    "addmm",
    _dense_addmm,
)
sparse_form("sparse_addmm")(_added)


def _sampled(t: SparseLanguage, **_: Any) -> Any:
    raise TrilithNotImplementedError(
        "sparse.sampled_addmm takes a tensor of layout sparse_csr, which trilith has not",
        hint="sparse_mask takes the product at the places of a sparse tensor",
    )


_sparse_row(
    "sparse_sampled_addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
    "Scalar alpha=1)",
    "Refuse: PyTorch offers it for tensors of layout sparse_csr alone.",
    "(tri.ones(1, 1) @ tri.ones(1, 1)).sparse_mask(tri.eye(1).to_sparse()).values()"
    "  # tensor([1.])",
    "sampled_addmm",
    _sampled,
)
sparse_form("sparse_sampled_addmm")(_sampled)


# ---- products that are sparse


def _touched(t: SparseLanguage, parts: Parts, other: Any) -> tuple[Any, Any]:
    """Return the rows of a product that any entry adds to, and what they are."""
    found = _times_dense(t, parts, other)
    rows = t.call("unique", t.call("select", parts.indices, 0, 0))
    return rows, t.call("index_select", found, 0, rows)


@sparse_form("hspmm")
def _hybrid(t: SparseLanguage, mat1: Any, mat2: Any) -> Any:
    parts = taken_apart(t, mat1)
    rows, values = _touched(t, parts, mat2)
    shape = (parts.shape[0], tensor_of(t, mat2).shape[1])
    return t.sparse(Parts(t.call("unsqueeze", rows, 0), values, shape, True))


@sparse_form("smm")
def _sparse_result(t: SparseLanguage, input: Any, mat2: Any) -> Any:
    parts = taken_apart(t, input)
    rows, values = _touched(t, parts, mat2)
    shape = (parts.shape[0], tensor_of(t, mat2).shape[1])
    height = tensor_of(t, rows).shape[0]
    device = values_of(t, parts).device
    columns = t.call("arange", shape[1], dtype=int64, device=device)
    indices = t.call(
        "stack",
        (
            t.call("repeat_interleave", rows, shape[1]),
            t.call("reshape", t.call("expand", columns, (height, shape[1])), (-1,)),
        ),
    )
    return t.sparse(Parts(indices, t.call("reshape", values, (-1,)), shape, True))


@sparse_form("sspaddmm")
def _sparse_sum(
    t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any
) -> Any:
    product = t.call("smm", mat1, mat2)
    scaled = input if beta == 1 else t.call("mul", input, beta)
    return t.call("add", scaled, product, alpha=alpha)


def _takes_sparse(t: SparseLanguage, **_: Any) -> Any:
    raise TrilithNotImplementedError(
        "this product takes a sparse matrix first", hint="convert with .to_sparse() first"
    )


_EYE = "tri.eye(1).to_sparse()"
for _signature, _doc, _example in (
    (
        "hspmm(Tensor mat1, Tensor mat2)",
        "The product of a sparse matrix and a dense one, with a sparse dim and a dense one.",
        f"tri.hspmm({_EYE}, tri.ones(1, 1)).values()  # tensor([[1.]])",
    ),
    (
        "smm(Tensor input, Tensor mat2)",
        "The product of a sparse matrix and a dense one, sparse.",
        f"tri.smm({_EYE}, tri.ones(1, 1)).values()  # tensor([1.])",
    ),
    (
        "sspaddmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
        "A sparse matrix plus the product of another one and a dense one, sparse.",
        f"tri.sspaddmm({_EYE}, {_EYE}, tri.ones(1, 1)).to_dense()  # tensor([[2.]])",
    ),
):
    _is_method = not _signature.startswith("hspmm")
    TABLE.add(
        HostOp(_signature, _doc, _example, _takes_sparse, methods=OWN_NAME if _is_method else ())
    )


def _dense_product(t: SparseLanguage, input: Any, mat2: Any) -> Any:
    return t.call("mm", input, mat2)


TABLE.add(
    HostOp(
        "dsmm(Tensor input, Tensor mat2)",
        "The product of two matrices: `mm`, as it was called for sparse ones.",
        f"tri.dsmm({_EYE}, tri.ones(1, 1))  # tensor([[1.]])",
        _dense_product,
        methods=(),
    )
)
sparse_form("dsmm")(_dense_product)
