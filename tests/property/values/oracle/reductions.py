"""What do reductions and matrix products compute?"""

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
from .semantics import DTYPES, FLOATS, INTEGERS, REALS, Invalid, Shape, broadcast


def _dims(x: Value, dim: Any) -> tuple[int, ...]:
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


def _rows(bounds: Bounds, dims: Sequence[int]) -> Bounds:
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


def _placed(x: Value, dims: Sequence[int], keepdim: bool, dtype: str, bounds: Bounds) -> Value:
    shape = _shape(x, dims, keepdim)
    return fresh(dtype, shape, bounds.map(lambda part: np.asarray(part).reshape(shape)))


def _final(bounds: Bounds, dtype: str) -> Bounds:
    return settled(round_to(bounds.low, dtype), round_to(bounds.high, dtype), bounds.known)


def _accumulated(x: Value, dtype: str | None) -> tuple[str, Bounds]:
    """Return the dtype of a sum and the elements converted to it."""
    kind = dtype or (x.dtype if x.dtype in FLOATS else "int64")
    if kind not in REALS:
        raise Invalid("a sum of bool")
    return kind, convert(x.bounds, x.dtype, kind)


def _sum(x: Value, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None) -> Value:
    kind, bounds = _accumulated(x, dtype)
    dims = _dims(x, dim)
    terms = _rows(bounds, dims)
    if kind in INTEGERS:
        result = _exact(wrap(terms.low.sum(-1), kind), terms)
    else:
        result = _final(total(terms, kind, terms.low.shape[-1]), kind)
    return _placed(x, dims, keepdim, kind, result)


def _exact(values: Array, terms: Bounds) -> Bounds:
    return Bounds(values, values, np.asarray(terms.known.all(-1)))


def _mean(x: Value, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None) -> Value:
    if (dtype or x.dtype) not in FLOATS:
        raise Invalid("a mean of integers")
    kind, bounds = _accumulated(x, dtype)
    dims = _dims(x, dim)
    terms = _rows(bounds, dims)
    count = terms.low.shape[-1]
    wide = "float64" if kind == "float64" else "float32"
    sums = _final(total(terms, kind, count), wide)
    quotient = monotone(np.divide, (sums, exactly(np.array(float(count)))), wide)
    return _placed(x, dims, keepdim, kind, _final(quotient, kind))


def _prod(
    x: Value, dim: int | None = None, keepdim: bool = False, *, dtype: str | None = None
) -> Value:
    kind, bounds = _accumulated(x, dtype)
    dims = _dims(x, dim)
    terms = _rows(bounds, dims)
    if kind in INTEGERS:
        result = _exact(wrap(terms.low.prod(-1), kind), terms)
    else:
        result = _final(product(terms, kind), kind)
    return _placed(x, dims, keepdim, kind, result)


def _extreme(choose: Any) -> Callable[..., Value]:
    def operation(x: Value, dim: Any = (), keepdim: bool = False) -> Value:
        dims = _dims(x, dim)
        terms = _rows(x.bounds, dims)
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
        return _placed(x, dims, keepdim, x.dtype, result)

    return operation


def _test(is_all: bool) -> Callable[..., Value]:
    def operation(x: Value, dim: Any = None, keepdim: bool = False) -> Value:
        dims = _dims(x, dim)
        terms = _rows(convert(x.bounds, x.dtype, "bool"), dims)
        deciding = terms.known & (terms.low != is_all)
        decided = np.asarray(deciding.any(-1))
        truth = np.where(decided, not is_all, is_all)
        known = decided | np.asarray(terms.known.all(-1))
        dtype = "uint8" if x.dtype == "uint8" else "bool"
        values = truth.astype(storage_type(dtype))
        return _placed(x, dims, keepdim, dtype, Bounds(values, values, known))

    return operation


def _argmax(x: Value, dim: int | None = None, keepdim: bool = False) -> Value:
    if x.dtype not in REALS:
        raise Invalid("argmax of bool")
    dims = _dims(x, dim)
    terms = _rows(x.bounds, dims)
    if not terms.low.shape[-1]:
        raise Invalid("argmax of nothing")
    best = terms.low.argmax(-1)
    known = np.asarray(terms.known.all(-1))
    if x.dtype in FLOATS:
        others = terms.high.copy()
        np.put_along_axis(others, best[..., None], -np.inf, -1)
        leads = np.take_along_axis(terms.low, best[..., None], -1)[..., 0] > others.max(-1)
        same = np.asarray(((terms.low == terms.high) | terms.is_point).all(-1))
        known = known & (same | leads)
    return _placed(x, dims, keepdim, "int64", Bounds(best, best, known))


def _matmul(a: Value, b: Value) -> Value:
    if not a.shape or not b.shape or a.dtype != b.dtype or a.dtype not in DTYPES[1:]:
        raise Invalid("operands of matmul")
    left = a.bounds.map(lambda part: part[None, :] if part.ndim == 1 else part)
    right = b.bounds.map(lambda part: part[:, None] if part.ndim == 1 else part)
    inner = left.low.shape[-1]
    if inner != right.low.shape[-2]:
        raise Invalid("inner sizes differ")
    batch = broadcast(left.low.shape[:-2], right.low.shape[:-2])
    shape = batch + a.shape[-2:-1] + (b.shape[-1:] if len(b.shape) > 1 else ())
    if math.prod(shape) * inner > 2**21:
        raise Invalid("more products than this oracle wants to hold")
    # [..., M, 1, K] times [..., 1, N, K]
    rows = left.map(lambda part: part[..., :, None, :])
    columns = right.map(lambda part: np.swapaxes(part, -1, -2)[..., None, :, :])
    if a.dtype in INTEGERS:
        terms = rows.low * columns.low
        values = wrap(terms.sum(-1), a.dtype)
        bounds = Bounds(values, values, np.asarray((rows.known & columns.known).all(-1)))
    else:
        corners = [x * y for x in (rows.low, rows.high) for y in (columns.low, columns.high)]
        low, high = np.minimum.reduce(corners), np.maximum.reduce(corners)
        # Of a product that overflows on its own the sum may be finite: it may be fused.
        finite = np.isfinite(low) & np.isfinite(high)
        given = np.isfinite(rows.low) & np.isfinite(columns.low)
        terms = Bounds(low, high, rows.known & columns.known & (finite | ~given))
        # A product of float64 may be inexact in this oracle too.
        whole = (low == np.floor(low)) & (abs(low) < 2.0**52)
        if a.dtype == "float64":
            slack = np.where(
                whole & terms.is_point, 0.0, np.spacing(np.maximum(abs(low), abs(high)))
            )
            slack = np.where(np.isfinite(slack), slack, 0.0)
            terms = Bounds(low - slack, high + slack, terms.known)
        bounds = _final(total(terms, a.dtype, inner + 1), a.dtype)
    return fresh(a.dtype, shape, bounds.map(lambda part: part.reshape(shape)))


OPERATIONS.update(
    {
        "sum": _sum,
        "mean": _mean,
        "prod": _prod,
        "amax": _extreme(np.max),
        "amin": _extreme(np.min),
        "all": _test(is_all=True),
        "any": _test(is_all=False),
        "argmax": _argmax,
        "matmul": _matmul,
    }
)
