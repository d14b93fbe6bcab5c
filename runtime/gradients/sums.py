"""How are gradients added? Sparse ones to dense ones too, which are dense then."""

from __future__ import annotations

from typing import Any

from ...dialects.attributes.layout import sparse_coo


def is_sparse(gradient: Any) -> bool:
    """Whether a gradient has a value for some places only."""
    return gradient.spec.layout is sparse_coo


def added(first: Any, second: Any) -> Any:
    """Return the sum of two gradients: a dense tensor unless both are sparse."""
    if is_sparse(first) and not is_sparse(second):
        return second + first
    return first + second


def has_common_places(first: Any, second: Any, total: Any) -> bool:
    """Whether two sparse matrices in order, whose sum is given, have entries at one place."""
    if not (is_sparse(total) and is_sparse(first) and is_sparse(second)):
        return False
    is_in_order = total.is_coalesced() and total.sparse_dim() > 1
    return is_in_order and total._nnz() < first._nnz() + second._nnz()


def add_to(kept: Any, gradient: Any) -> Any:
    """Return what was kept with a gradient added in place, or a dense sum for a sparse tensor."""
    if is_sparse(kept) and not is_sparse(gradient):
        return gradient + kept
    return kept.add_(gradient)
