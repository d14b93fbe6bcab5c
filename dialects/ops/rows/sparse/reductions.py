"""What is summed up of a sparse tensor? Sums over dims, norms, softmax of what is specified."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import DType, float32, float64, int64
from ....attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithValueError
from ....records import replace
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.row import TABLE
from ...frame.sparse_forms import Ints, Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_SPARSE_LOG_SOFTMAX, OF_SPARSE_SOFTMAX, OF_SPARSE_SUM, OF_SUM
from ...gradients.sparse_functions import OF_NORM
from .entries import (
    coalesced,
    count,
    integers,
    keys,
    other_values,
    sparse_dim,
    taken_apart,
    values_of,
    with_values,
)

# ---- sums


def _dims(dim: int | Sequence[int], rank: int) -> list[int]:
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    found = [wrap_dim(each, rank) for each in dims]
    for each in found:
        if found.count(each) > 1:
            raise TrilithRuntimeError(f"dim {each} appears multiple times in the list of dims")
    return found


def _summed(dtype: DType, asked: DType | None) -> DType:
    if asked is not None:
        return asked
    is_integral = not (dtype.is_floating_point or dtype.is_complex)
    return int64 if is_integral else dtype


@sparse_form("sum", gradient=OF_SUM)
def _sum(t: SparseLanguage, input: Any, dim: Any, keepdim: bool, dtype: DType | None) -> Any:
    parts = taken_apart(t, input)
    wanted = _summed(values_of(t, parts).dtype, dtype)
    if dim is None:
        return t.call("sum", parts.values, dtype=wanted)
    parts = replace(parts, values=t.call("to", parts.values, wanted))
    dims = _dims(dim, len(parts.shape))
    total = _over_dims(t, parts, dims)
    if not (keepdim and dims):
        return total
    if tensor_of(t, total).layout is not sparse_coo:
        shape = [1 if each in dims else size for each, size in enumerate(parts.shape)]
        return t.call("reshape", total, tuple(shape))
    for each in sorted(dims):
        total = t.call("unsqueeze", total, each)
    return total


def _over_dims(t: SparseLanguage, parts: Parts, dims: Sequence[int]) -> Any:
    """Return the sum over dims, which are left out, in the dtype of the values."""
    sparse, own = sparse_dim(t, parts), values_of(t, parts).dtype
    if not dims:
        return t.sparse(coalesced(t, parts))
    inner = tuple(each - sparse + 1 for each in dims if each >= sparse)
    outer = [each for each in dims if each < sparse]
    values = parts.values
    if len(outer) == sparse:
        # PyTorch's sums of dense dims are of int64, whatever the integers.
        values = t.call("sum", values, inner, dtype=_summed(own, None)) if inner else values
        return t.call("sum", values, 0, dtype=_summed(own, None))
    if inner:
        if _summed(own, None) is not own:
            raise other_values(_summed(own, None), own)
        values = t.call("sum", values, inner, dtype=own)
    shape = tuple(size for each, size in enumerate(parts.shape) if each not in dims)
    return t.sparse(_over_rows(t, replace(parts, values=values), outer, shape))


def _over_rows(t: SparseLanguage, parts: Parts, outer: Sequence[int], shape: Ints) -> Parts:
    """Return entries whose coordinates lack some dims, in order and added."""
    sparse, device = sparse_dim(t, parts), values_of(t, parts).device
    indices = parts.indices
    if outer:
        rows = [row for row in range(sparse) if row not in outer]
        indices = t.call("index_select", indices, 0, integers(t, rows, device))
    is_coalesced = parts.is_coalesced and not outer
    return coalesced(t, Parts(indices, parts.values, shape, is_coalesced))


def _check_sparse(t: ValueLanguage, input: Any, what: str) -> None:
    raise TrilithRuntimeError(f"{what} expected sparse coordinate tensor layout but got Strided")


def _sparse_sum(t: Any, input: Any, dim: Any, dtype: DType | None) -> Any:
    if dim is None:
        _check_sparse(t, input, "coalesce")
    raise TrilithNotImplementedError(
        "sparse.sum takes a sparse tensor", hint="use sum, or convert with .to_sparse()"
    )


TABLE.add(
    HostOp(
        "sparse_sum(Tensor input, int[]? dim=None, dtype? dtype=None)",
        "The sum of a sparse tensor over dims: sparse, unless no sparse dim is left.",
        "tri.sparse.sum(tri.eye(2).to_sparse())  # tensor(2.)",
        _sparse_sum,
        methods=(),
        is_public=False,
        places=("sparse.sum",),
    )
)


@sparse_form("sparse_sum", gradient=OF_SPARSE_SUM)
def _sparse_sum_form(t: SparseLanguage, input: Any, dim: Any, dtype: DType | None) -> Any:
    if dim is None:
        return t.call("sum", t.call("coalesce", input).values(), dtype=dtype)
    parts = taken_apart(t, input)
    if dtype is not None:
        parts = replace(parts, values=t.call("to", parts.values, dtype))
    return _over_dims(t, parts, _dims(dim, len(parts.shape)))


# ---- norms, any


@sparse_form("norm", gradient=OF_NORM)
def _norm(
    t: SparseLanguage, input: Any, p: Any, dim: Any, keepdim: bool, dtype: DType | None
) -> Any:
    own = tensor_of(t, input).dtype
    order = 2 if p in (None, "fro") else p
    if dtype is not None and p in (None, "fro"):
        raise TrilithValueError("dtype argument is not supported in frobenius norm")
    if not (own.is_floating_point or own.is_complex):
        raise TrilithRuntimeError(
            "norm(): input dtype should be either floating point or complex. Got "
            f"{own.c_name} instead."
        )
    parts = coalesced(t, taken_apart(t, input))
    if dim is not None and len(set(_dims(dim, len(parts.shape)))) not in (0, len(parts.shape)):
        raise TrilithRuntimeError(
            "norm_sparse currently only supports full reductions, so 'dim' must either be empty "
            "or contain all dimensions of the input"
        )
    flat = t.call("reshape", parts.values, (-1,)) if values_of(t, parts).numel else parts.values
    found = t.call("norm", flat, order, None, False, dtype)
    return t.call("reshape", found, (1,) * len(parts.shape)) if keepdim else found


@sparse_form("dist", is_stepwise=True)
def _distance(t: SparseLanguage, input: Any, other: Any, p: Any) -> Any:
    return t.call("norm", t.call("sub", input, other), p)


@sparse_form("any")
def _any(t: SparseLanguage, input: Any, dim: Any, keepdim: bool) -> Any:
    if dim is not None:
        raise no_kernel("any.dim", sparse_coo, tensor_of(t, input).device.type, TO_DENSE)
    return t.call("any", taken_apart(t, input).values)


# ---- softmax

#: What PyTorch's kernels take.
_NORMALISED = (float32, float64)


def _softmax(t: SparseLanguage, input: Any, dim: int, dtype: DType | None, *, is_log: bool) -> Any:
    parts = coalesced(t, taken_apart(t, input))
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    dim = wrap_dim(dim, rank)
    if dtype is not None:
        parts = replace(parts, values=t.call("to", parts.values, dtype))
    found = values_of(t, parts).dtype
    if found not in _NORMALISED:
        name = "log_softmax" if is_log else "softmax"
        raise TrilithNotImplementedError(f"\"{name}\" not implemented for '{found.c_name}'")
    if dim >= sparse:
        name = "log_softmax" if is_log else "softmax"
        return with_values(t, parts, t.call(name, parts.values, dim - sparse + 1))
    if not count(t, parts):
        return t.sparse(parts)
    return with_values(t, parts, _over_runs(t, parts, dim, is_log=is_log))


def _over_runs(t: SparseLanguage, parts: Parts, dim: int, *, is_log: bool) -> Any:
    """Return the softmax of values over those that differ in one sparse dim alone."""
    sparse = sparse_dim(t, parts)
    others = [row for row in range(sparse) if row != dim]
    rows = t.call("index_select", parts.indices, 0, integers(t, others, values_of(t, parts).device))
    found = keys(t, rows, tuple(parts.shape[row] for row in others))
    group = t.call("unique", found, return_inverse=True)
    runs, into = group
    spec = values_of(t, parts)
    shape = (tensor_of(t, runs).shape[0], *spec.shape[1:])
    lowest = t.call("full", shape, -math.inf, dtype=spec.dtype, device=spec.device)
    most = t.call("put_at", lowest, parts.values, [into], (0,), wrap=False, reduce="amax")
    shifted = t.call("sub", parts.values, t.call("index_select", most, 0, into))
    powers = t.call("exp", shifted)
    zeros = t.call("zeros", shape, dtype=spec.dtype, device=spec.device)
    totals = t.call("index_add", zeros, 0, into, powers)
    if is_log:
        return t.call("sub", shifted, t.call("index_select", t.call("log", totals), 0, into))
    return t.call("div", powers, t.call("index_select", totals, 0, into))


def _refuse_dense(t: Any, **_: Any) -> Any:
    raise TrilithNotImplementedError(
        "sparse.softmax and sparse.log_softmax take a sparse tensor",
        hint="use softmax, or convert with .to_sparse()",
    )


for _is_log, _name in ((False, "softmax"), (True, "log_softmax")):
    TABLE.add(
        HostOp(
            f"sparse_{_name}(Tensor input, int dim, *, dtype? dtype=None)",
            f"The {_name} over a dim of what a sparse tensor specifies.",
            f"tri.sparse.{_name}(tri.eye(2).to_sparse(), 0).values()  # "
            + ("tensor([0., 0.])" if _is_log else "tensor([1., 1.])"),
            _refuse_dense,
            methods=(),
            is_public=False,
            places=(f"sparse.{_name}",),
        )
    )

    @sparse_form(
        f"sparse_{_name}", gradient=OF_SPARSE_LOG_SOFTMAX if _is_log else OF_SPARSE_SOFTMAX
    )
    def _form(
        t: SparseLanguage, input: Any, dim: int, dtype: DType | None, is_log: bool = _is_log
    ) -> Any:
        return _softmax(t, input, dim, dtype, is_log=is_log)
