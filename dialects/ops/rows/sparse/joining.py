"""How are sparse tensors joined? Along sparse dims by coordinates, along dense ones by zeros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.promotion import promote_types
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithValueError
from ...frame.sparse_forms import Parts, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse_rearranging import OF_CAT, OF_STACK
from .entries import entries, integers, sparse_dim, values_of


def _all_parts(t: SparseLanguage, tensors: Sequence[Any], dim: int) -> list[Parts]:
    """Return the parts of all, after checking that they go together."""
    found: list[Parts] = []
    for position, tensor in enumerate(tensors):
        parts = t.parts(tensor)
        if parts is None:
            if not position:
                raise TrilithNotImplementedError(
                    "a dense tensor and sparse ones cannot be joined",
                    hint="convert with .to_sparse() or .to_dense() first",
                )
            raise TrilithRuntimeError(
                "Concatenating sparse tensors, but a dense tensor was found at position "
                f"{position}."
            )
        found.append(parts)
    first = found[0]
    for position, parts in enumerate(found):
        shape = list(first.shape)
        is_alike = len(parts.shape) == len(shape) and all(
            own == wanted or place == dim
            for place, (own, wanted) in enumerate(zip(parts.shape, shape, strict=True))
        )
        if not is_alike:
            raise TrilithRuntimeError(
                f"All tensors must have the same shape: {shape} (except in the concatenating "
                f"dimension), but found shape: {list(parts.shape)} at position {position}."
            )
        if sparse_dim(t, parts) != sparse_dim(t, first):
            dims = [(sparse_dim(t, each), len(each.shape)) for each in (first, parts)]
            (one, rank), (other, other_rank) = dims
            raise TrilithRuntimeError(
                f"All tensors must have the same sparse_dim and dense_dim: {one}, {rank - one}, "
                f"but tensor at position {position} has {other}, {other_rank - other}."
            )
    return found


@sparse_form("cat", gradient=OF_CAT)
def _cat(t: SparseLanguage, tensors: Sequence[Any], dim: int) -> Any:
    if not tensors:
        raise TrilithValueError("trilith.cat(): expected a non-empty list of Tensors")
    rank = tensor_of(t, tensors[0]).rank
    dim = wrap_dim(dim, rank)
    found = _all_parts(t, tensors, dim)
    dtype = values_of(t, found[0]).dtype
    for parts in found:
        dtype = promote_types(dtype, values_of(t, parts).dtype)
    sparse, first = sparse_dim(t, found[0]), found[0]
    total = sum(parts.shape[dim] for parts in found)
    indices, values, start = list[Any](), list[Any](), 0
    for parts in found:
        held, own = t.call("to", parts.values, dtype), parts.indices
        if dim < sparse:
            shifts = [start if row == dim else 0 for row in range(sparse)]
            by = t.call("unsqueeze", integers(t, shifts, values_of(t, parts).device), 1)
            own = t.call("add", own, by)
        else:
            held = _padded(t, held, dim - sparse + 1, start, total)
        indices.append(own)
        values.append(held)
        start += parts.shape[dim]
    shape = (*first.shape[:dim], total, *first.shape[dim + 1 :])
    return t.sparse(entries(t, t.call("cat", indices, 1), t.call("cat", values, 0), shape))


def _padded(t: SparseLanguage, values: Any, dim: int, start: int, total: int) -> Any:
    """Return values of which one dim is a part of a longer one, else 0."""
    spec = tensor_of(t, values)
    pieces: list[Any] = []
    for size in (start, total - start - spec.shape[dim]):
        shape = (*spec.shape[:dim], size, *spec.shape[dim + 1 :])
        pieces.append(t.call("zeros", shape, dtype=spec.dtype, device=spec.device))
    return t.call("cat", (pieces[0], values, pieces[1]), dim)


@sparse_form("stack", gradient=OF_STACK)
def _stack(t: SparseLanguage, tensors: Sequence[Any], dim: int) -> Any:
    if not tensors:
        raise TrilithRuntimeError("stack expects a non-empty TensorList")
    rank = tensor_of(t, tensors[0]).rank
    dim = wrap_dim(dim, rank + 1)
    _all_parts(t, tensors, rank)
    return _cat(t, [t.call("unsqueeze", tensor, dim) for tensor in tensors], dim)
