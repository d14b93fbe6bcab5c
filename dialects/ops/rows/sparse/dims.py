"""What becomes of a sparse tensor whose dims are moved, or that gets a new one?

Sparse dims are rows of the indices, dense dims are dims of the values. What moves a sparse dim
leaves entries where they stand, which then are in no order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes import views
from ....attributes.dtype import int64
from ....attributes.views import Strided, wrap_dim
from ....diagnostics import TrilithRuntimeError
from ....records import replace
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...gradients.sparse_rearranging import OF_PERMUTE, OF_T, OF_TRANSPOSE, OF_UNSQUEEZE
from .entries import (
    count,
    entries,
    integers,
    sparse_dim,
    taken_apart,
    values_of,
)

# ---- in another order


def _permuted(t: SparseLanguage, parts: Parts, dims: Sequence[int]) -> Parts:
    """Return the dims in another order, each among those of its kind."""
    sparse = sparse_dim(t, parts)
    indices = t.call(
        "index_select", parts.indices, 0, integers(t, dims[:sparse], values_of(t, parts).device)
    )
    dense = (0, *(dim - sparse + 1 for dim in dims[sparse:]))
    values = t.call("clone", t.call("permute", parts.values, dense))
    # Entries stay in order where their coordinates do.
    is_coalesced = list(dims[:sparse]) == list(range(sparse)) and parts.is_coalesced
    return Parts(indices, values, tuple(parts.shape[dim] for dim in dims), is_coalesced)


@sparse_form("permute", gradient=OF_PERMUTE)
def _permute(t: SparseLanguage, input: Any, dims: Sequence[int]) -> Any:
    parts = taken_apart(t, input)
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    if len(dims) != rank:
        raise TrilithRuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the "
            f"length of the desired ordering of dimensions i.e. input.dim() = {rank} is not equal "
            f"to len(dims) = {len(dims)}"
        )
    views.permute(Strided(parts.shape, (0,) * rank), dims)
    order = [wrap_dim(dim, rank) for dim in dims]
    if order == list(range(rank)):
        return t.call("alias", input)
    if any((dim < sparse) != (place < sparse) for place, dim in enumerate(order)):
        raise TrilithRuntimeError(
            "permute(sparse_coo): transpositions between sparse and dense dimensions are not "
            "allowed.Only transpositions within sparse and dense dimensions are supported."
        )
    return t.sparse(_permuted(t, parts, order))


@sparse_form("transpose", gradient=OF_TRANSPOSE)
def _transpose(t: SparseLanguage, input: Any, dim0: int, dim1: int) -> Any:
    parts = taken_apart(t, input)
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    first, second = wrap_dim(dim0, rank), wrap_dim(dim1, rank)
    if not rank:
        return t.call("alias", input)
    if first >= sparse or second >= sparse:
        raise TrilithRuntimeError(
            "sparse transpose: transposed dimensions must be sparse Got sparse_dim: "
            f"{sparse}, d0: {first}, d1: {second}"
        )
    if first == second:
        return t.call("alias", input)
    order = list(range(rank))
    order[first], order[second] = second, first
    turned = _permuted(t, parts, order)
    return t.sparse(turned if count(t, parts) else replace(turned, is_coalesced=True))


@sparse_form("t", gradient=OF_T)
def _t(t: SparseLanguage, input: Any) -> Any:
    parts = taken_apart(t, input)
    sparse, rank = sparse_dim(t, parts), len(parts.shape)
    if sparse > 2 or rank > sparse:
        raise TrilithRuntimeError(
            "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got "
            f"{sparse} sparse and {rank - sparse} dense dimensions"
        )
    return input if rank < 2 else _transpose(t, input, 0, 1)


@sparse_form("movedim", is_stepwise=True)
def _movedim(t: SparseLanguage, input: Any, source: Any, destination: Any) -> Any:
    parts = taken_apart(t, input)
    rank = len(parts.shape)
    # The strides of a view tell which dim came where.
    moved = views.movedim(Strided(tuple(range(rank)), tuple(range(rank))), source, destination)
    return t.call("permute", input, moved.strides)


@sparse_form("swapaxes", is_stepwise=True)
def _swapaxes(t: SparseLanguage, input: Any, axis0: int, axis1: int) -> Any:
    return t.call("transpose", input, axis0, axis1)


# ---- a new one


@sparse_form("unsqueeze", gradient=OF_UNSQUEEZE)
def _unsqueeze(t: SparseLanguage, input: Any, dim: int) -> Any:
    parts = taken_apart(t, input)
    sparse, rank = sparse_dim(t, parts), len(parts.shape)
    dim = wrap_dim(dim, rank + 1)
    shape = (*parts.shape[:dim], 1, *parts.shape[dim:])
    if dim > sparse:
        values = t.call("unsqueeze", parts.values, dim - sparse + 1)
        return t.sparse(entries(t, parts.indices, values, shape))
    before, after = (
        t.call("narrow", parts.indices, 0, start, end - start)
        for start, end in ((0, dim), (dim, sparse))
    )
    device = values_of(t, parts).device
    zeros = t.call("zeros", (1, count(t, parts)), dtype=int64, device=device)
    indices = t.call("cat", (before, zeros, after), 0)
    return t.sparse(entries(t, indices, parts.values, shape))
