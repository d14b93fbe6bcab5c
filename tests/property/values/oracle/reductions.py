"""What do reductions compute?"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .conversions import convert
from .evaluation import OPERATIONS, Value, fresh
from .intervals import (
    Array,
    Bounds,
    exactly,
    monotone,
    product,
    round_to,
    settled,
    storage_type,
    total,
    wrap,
)
from .semantics import FLOATS, INTEGERS, REALS, Invalid, Shape


def dims_of(x: Value, dim: Any) -> tuple[int, ...]:
    """Return the dims to reduce, not negative, in order; None and () mean all."""
    rank = len(x.shape)
    if dim is None or dim == ():
        return tuple(range(rank))
    asked: Sequence[int] = (dim,) if isinstance(dim, int) else dim
    if any(not -max(rank, 1) <= one < max(rank, 1) for one in asked):
        raise Invalid("dim")
    found = [one % max(rank, 1) for one in asked]
    if len(set(found)) != len(found):
        raise Invalid("a dim twice")
    return tuple(sorted(found)) if rank else ()


def rows_of(bounds: Bounds, dims: Sequence[int]) -> Bounds:
    """Return bounds with the reduced dims flattened into the last axis, in row-major order."""

    def move(part: Array) -> Array:
        kept = [dim for dim in range(part.ndim) if dim not in dims]
        sizes = [part.shape[dim] for dim in kept]
        count = math.prod(part.shape[dim] for dim in dims)
        return part.transpose([*kept, *dims]).reshape([*sizes, count])

    return bounds.map(move)


def _shape(x: Value, dims: Sequence[int], keepdim: bool) -> Shape:
    if keepdim:
        return tuple(1 if dim in dims else size for dim, size in enumerate(x.shape))
    return tuple(size for dim, size in enumerate(x.shape) if dim not in dims)


def reduced(x: Value, dims: Sequence[int], keepdim: bool, dtype: str, bounds: Bounds) -> Value:
    """Return the result of reducing dims, whose elements are given in row-major order."""
    shape = _shape(x, dims, keepdim)
    return fresh(dtype, shape, bounds.map(lambda part: np.asarray(part).reshape(shape)))


def final(bounds: Bounds, dtype: str) -> Bounds:
    """Round the bounds of what was accumulated to the dtype of the result."""
    return settled(round_to(bounds.low, dtype), round_to(bounds.high, dtype), bounds.known)


def accumulated(x: Value, dtype: str | None) -> tuple[str, Bounds]:
    """Return the dtype of a sum and the elements converted to it."""
    kind = dtype or (x.dtype if x.dtype in FLOATS else "int64")
    if kind not in REALS:
        raise Invalid("a sum of bool")
    return kind, convert(x.bounds, x.dtype, kind)


def _sum(x: Value, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None) -> Value:
    kind, bounds = accumulated(x, dtype)
    dims = dims_of(x, dim)
    terms = rows_of(bounds, dims)
    if kind in INTEGERS:
        result = _exact(wrap(terms.low.sum(-1), kind), terms)
    else:
        result = final(total(terms, kind, terms.low.shape[-1]), kind)
    return reduced(x, dims, keepdim, kind, result)


def _exact(values: Array, terms: Bounds) -> Bounds:
    return Bounds(values, values, np.asarray(terms.known.all(-1)))


def _mean(x: Value, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None) -> Value:
    if (dtype or x.dtype) not in FLOATS:
        raise Invalid("a mean of integers")
    kind, bounds = accumulated(x, dtype)
    dims = dims_of(x, dim)
    terms = rows_of(bounds, dims)
    count = terms.low.shape[-1]
    wide = "float64" if kind == "float64" else "float32"
    sums = final(total(terms, kind, count), wide)
    quotient = monotone(np.divide, (sums, exactly(np.array(float(count)))), wide)
    return reduced(x, dims, keepdim, kind, final(quotient, kind))


def _prod(
    x: Value, dim: int | None = None, keepdim: bool = False, *, dtype: str | None = None
) -> Value:
    kind, bounds = accumulated(x, dtype)
    dims = dims_of(x, dim)
    terms = rows_of(bounds, dims)
    if kind in INTEGERS:
        result = _exact(wrap(terms.low.prod(-1), kind), terms)
    else:
        result = final(product(terms, kind), kind)
    return reduced(x, dims, keepdim, kind, result)


def _extreme(choose: Any) -> Callable[..., Value]:
    def operation(x: Value, dim: Any = (), keepdim: bool = False) -> Value:
        dims = dims_of(x, dim)
        terms = rows_of(x.bounds, dims)
        if not terms.low.shape[-1]:
            raise Invalid("an extreme of nothing")
        low, high = choose(terms.low, axis=-1), choose(terms.high, axis=-1)
        known = np.asarray(terms.known.all(-1))
        if x.dtype in FLOATS:
            has_nan = np.asarray((terms.is_point & np.isnan(terms.low)).any(-1))
            low, high = np.where(has_nan, np.nan, low), np.where(has_nan, np.nan, high)
            # Of zeros with both signs either may come out.
            low, high = np.where(low == 0, -0.0, low), np.where(high == 0, 0.0, high)
            result = settled(low, high, known | has_nan)
        else:
            result = Bounds(low, low, known)
        return reduced(x, dims, keepdim, x.dtype, result)

    return operation


def _test(is_all: bool) -> Callable[..., Value]:
    def operation(x: Value, dim: Any = None, keepdim: bool = False) -> Value:
        dims = dims_of(x, dim)
        terms = rows_of(convert(x.bounds, x.dtype, "bool"), dims)
        deciding = terms.known & (terms.low != is_all)
        decided = np.asarray(deciding.any(-1))
        truth = np.where(decided, not is_all, is_all)
        known = decided | np.asarray(terms.known.all(-1))
        dtype = "uint8" if x.dtype == "uint8" else "bool"
        values = truth.astype(storage_type(dtype))
        return reduced(x, dims, keepdim, dtype, Bounds(values, values, known))

    return operation


def place_of(terms: Bounds, dtype: str, is_max: bool) -> Bounds:
    """Return which element of the last axis is the first greatest, or least, one."""
    if not terms.low.shape[-1]:
        raise Invalid("an extreme of nothing")
    known = np.asarray(terms.known.all(-1))
    if dtype not in FLOATS:
        best = terms.low.argmax(-1) if is_max else terms.low.argmin(-1)
        return Bounds(best, best, known)
    if not is_max:
        terms = Bounds(-terms.high, -terms.low, terms.known)
    best = terms.low.argmax(-1)
    others = terms.high.copy()
    np.put_along_axis(others, best[..., None], -np.inf, -1)
    leads = np.take_along_axis(terms.low, best[..., None], -1)[..., 0] > others.max(-1)
    same = np.asarray(((terms.low == terms.high) | terms.is_point).all(-1))
    return Bounds(best, best, known & (same | leads))


def _place(is_max: bool) -> Callable[..., Value]:
    def operation(x: Value, dim: int | None = None, keepdim: bool = False) -> Value:
        if x.dtype not in REALS:
            raise Invalid("the place of an extreme of bool")
        dims = dims_of(x, dim)
        found = place_of(rows_of(x.bounds, dims), x.dtype, is_max)
        return reduced(x, dims, keepdim, "int64", found)

    return operation


amax, amin = _extreme(np.max), _extreme(np.min)


OPERATIONS.update(
    {
        "sum": _sum,
        "mean": _mean,
        "prod": _prod,
        "amax": amax,
        "amin": amin,
        "all": _test(is_all=True),
        "any": _test(is_all=False),
        "argmax": _place(is_max=True),
        "argmin": _place(is_max=False),
    }
)
