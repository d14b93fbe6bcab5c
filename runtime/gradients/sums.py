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


def add_to(kept: Any, gradient: Any) -> Any:
    """Return what was kept with a gradient added in place, or a dense sum for a sparse tensor."""
    if is_sparse(kept) and not is_sparse(gradient):
        return gradient + kept
    return kept.add_(gradient)
