"""Which products have names of their own? Those of `tri.sparse`, and older ones of PyTorch."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import int64
from ....diagnostics import (
    TrilithIndexError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
)
from ...frame.gradients import UNKNOWN
from ...frame.indexed import HostOp
from ...frame.literals import check_fits
from ...frame.row import OWN_NAME, TABLE
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_SPARSE_ADDMM, OF_SPARSE_MM
from ..products.added_products import scaled
from .entries import entries, taken_apart, values_of
from .matrices import added, product, times_dense

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
    return product(t, input, mat2)


_sparse_row(
    "sparse_mm(Tensor input, Tensor mat2, str? reduce=None)",
    "The product of two matrices, of which one or both may be sparse.",
    "tri.sparse.mm(tri.eye(2).to_sparse(), tri.ones(2, 1))  # tensor([[1.],\n#         [1.]])",
    "mm",
    _dense_mm,
)
sparse_form("sparse_mm", gradient=OF_SPARSE_MM)(_sparse_mm)


def _dense_addmm(t: SparseLanguage, **arguments: Any) -> Any:
    return t.call("addmm", **arguments)


_sparse_row(
    "sparse_addmm(Tensor input, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)",
    "A matrix plus the product of two others, the first of which may be sparse.",
    "tri.sparse.addmm(tri.ones(1, 1), tri.eye(1).to_sparse(), tri.ones(1, 1))  # tensor([[2.]])",
    "addmm",
    _dense_addmm,
)
sparse_form("sparse_addmm", gradient=OF_SPARSE_ADDMM)(added)


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
    found = times_dense(t, parts, other)
    rows = t.call("unique", t.call("select", parts.indices, 0, 0))
    return rows, t.call("index_select", found, 0, rows)


@sparse_form("hspmm", gradient=UNKNOWN)
def _hybrid(t: SparseLanguage, mat1: Any, mat2: Any) -> Any:
    parts = taken_apart(t, mat1)
    rows, values = _touched(t, parts, mat2)
    shape = (parts.shape[0], tensor_of(t, mat2).shape[1])
    return t.sparse(entries(t, t.call("unsqueeze", rows, 0), values, shape))


@sparse_form("smm", gradient=UNKNOWN)
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
    return t.sparse(entries(t, indices, t.call("reshape", values, (-1,)), shape))


@sparse_form("sspaddmm", gradient=UNKNOWN)
def _sparse_sum(t: SparseLanguage, input: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    added = input if beta == 1 else t.call("mul", input, beta)
    found = tensor_of(t, added).dtype
    if found is not dtype:
        raise TrilithRuntimeError(
            f"result type {found.c_name} can't be cast to the desired output type {dtype.c_name}"
        )
    check_fits(alpha, dtype)
    return t.call("add", added, scaled(t, t.call("smm", mat1, mat2), alpha, dtype))


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
