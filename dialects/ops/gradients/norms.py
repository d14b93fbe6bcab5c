"""What are the gradients of norms? At zero, where a norm has a kink, they are zero."""

from __future__ import annotations

from math import inf
from typing import Any

from ..frame.gradients import gradient
from .reductions import reduced_dims, with_dims


def of_vector_norm(
    t: Any, grad: Any, input: Any, result: Any, ord: Any, dim: Any, keepdim: bool
) -> Any:
    """Return the gradient of what a norm over dims is computed of."""
    dims = reduced_dims(dim, input.ndim)
    order = float(ord)
    wide, norm = (with_dims(each, dims, keepdim) for each in (grad, result))
    if not order:
        return None
    if order == 1:
        return input.sgn() * wide
    if order in (inf, -inf):
        return _largest(t, wide, input, norm, dims)
    is_flat = t.call("eq", norm, 0)
    if order == 2:
        return wide * t.call("where", is_flat, 0, input / norm)
    if order < 1:
        is_zero = t.call("eq", input, 0)
        scaled = input.sgn() * t.call("where", is_zero, 0, input.abs() ** (order - 1))
        return scaled * wide * norm ** (1 - order)
    share = t.call("where", is_flat, 0, wide / norm ** (order - 1))
    if order < 2:
        return input.sgn() * input.abs() ** (order - 1) * share
    return input * input.abs() ** (order - 2) * share


def _largest(t: Any, grad: Any, input: Any, norm: Any, dims: tuple[int, ...]) -> Any:
    """Return equal shares of the elements that are the norm; NaN is."""
    sizes = input.abs()
    mask = t.call("logical_or", t.call("eq", sizes, norm), t.call("isnan", sizes))
    count = t.call("sum", mask, dims, True) if dims else mask
    return input.sgn() * (grad / count * mask)


OF_VECTOR_NORM = gradient("LinalgVectorNormBackward0", input=of_vector_norm)


def _distance(t: Any, grad: Any, input: Any, other: Any, p: Any, result: Any) -> Any:
    return of_vector_norm(t, grad, input - other, result, p, None, False)


def _negated_distance(t: Any, grad: Any, input: Any, other: Any, p: Any, result: Any) -> Any:
    found = _distance(t, grad, input, other, p, result)
    return None if found is None else -found


OF_DIST = gradient("DistBackward0", input=_distance, other=_negated_distance)
