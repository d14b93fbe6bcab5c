"""What do reductions compute that are more than one sum? Variances, norms, softmax, extremes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from .conversions import convert
from .evaluation import OPERATIONS, Several, Value, fresh
from .intervals import (
    LARGEST,
    ROUNDOFF,
    Bounds,
    exactly,
    monotone,
    settled,
    total,
)
from .real_functions import absolute, ulp_of
from .reductions import accumulated, amax, amin, dims_of, final, place_of, reduced, rows_of
from .semantics import DEFAULT, FLOATS, Invalid


def _limit(dtype: str) -> float:
    return LARGEST["float64" if dtype == "float64" else "float32"]


def _least_normal(dtype: str) -> float:
    return 2.0**-1022 if dtype == "float64" else 2.0**-126


def _unit(dtype: str) -> float:
    """Return the error of one rounding, and of the oracle's own."""
    return ROUNDOFF[dtype] + 2.0**-53


# ---- variances


def _variance(terms: Bounds, dtype: str, correction: float) -> tuple[Bounds, Bounds]:
    """Return bounds of variances and of means along the last axis, before they are rounded.

    The root of a sum of squared deviations is a seminorm, so a change of the elements changes it
    by no more than the norm of the change. Two passes, or Welford's one, have the relative error
    n u k, where k squared is 1 + n mean^2 / S (Chan, Golub and LeVeque, 1983; a constant below 4).
    """
    count = terms.low.shape[-1]
    middle = np.where(terms.is_point, terms.low, terms.low / 2 + terms.high / 2)
    reach = np.where(terms.is_point, 0.0, terms.high - terms.low) / 2
    wide = middle.astype(np.longdouble)
    mean = wide.sum(-1) / count if count else np.full(wide.shape[:-1], np.nan)
    squares = ((wide - mean[..., None]) ** 2).sum(-1)
    root, change = np.sqrt(squares), np.sqrt((reach**2).sum(-1))
    low, high = np.maximum(root - change, 0) ** 2, (root + change) ** 2
    unit = 4 * (count + 2) * _unit(dtype)
    size = high + count * mean**2
    error = unit * np.sqrt(high * size) + unit**2 * size
    low, high = np.maximum(low - error, 0), high + error
    sums = np.abs(wide).max(-1) if count else mean
    finite = np.isfinite(sums) & (sums**2 * max(count, 1) < _limit(dtype))
    tiny = (count + 2) * _least_normal(dtype)
    low, high = np.maximum(low - tiny, 0), high + tiny
    divisor = max(0.0, count - correction)
    known = np.asarray(terms.known.all(-1)) & finite
    if divisor:
        low, high = low / divisor, high / divisor
    elif count > 1:
        low, high, known = low / divisor, high / divisor, known & (low > 0)
    has_nan = np.asarray((terms.is_point & ~np.isfinite(terms.low)).any(-1))
    if count < 2 and not divisor:
        has_nan = has_nan | known | (count == 0)
    low, high = np.where(has_nan, np.nan, low), np.where(has_nan, np.nan, high)
    spread = settled(low.astype(float), high.astype(float), known | has_nan)
    shift = unit * sums + change + tiny
    low, high = np.asarray(mean - shift, float), np.asarray(mean + shift, float)
    return spread, settled(low, high, np.asarray(terms.known.all(-1)) & finite)


def _roots(bounds: Bounds, dtype: str) -> Bounds:
    wide = "float64" if dtype == "float64" else "float32"
    return monotone(np.sqrt, (bounds,), wide, 1.0)


def _spread(is_root: bool, with_mean: bool) -> Callable[..., Any]:
    def operation(
        x: Value, *, dim: Any = None, correction: float = 1, keepdim: bool = False
    ) -> Value | Several:
        if x.dtype not in FLOATS:
            raise Invalid("a variance of integers")
        dims = dims_of(x, dim)
        spread, mean = _variance(rows_of(x.bounds, dims), x.dtype, correction)
        if is_root:
            spread = _roots(spread, x.dtype)
        parts = [
            reduced(x, dims, keepdim, x.dtype, final(part, x.dtype)) for part in (spread, mean)
        ]
        return Several(tuple(parts)) if with_mean else parts[0]

    return operation


# ---- extremes


def _least_and_greatest(x: Value, *, dim: Any = None, keepdim: bool = False) -> Several:
    return Several((amin(x, dim, keepdim), amax(x, dim, keepdim)))


def _extreme_along(name: str) -> Callable[..., Any]:
    is_max = name == "max"

    def operation(x: Value, other: Any = None, keepdim: bool = False) -> Value | Several:
        extreme = amax if is_max else amin
        if other is None:
            return extreme(x)
        if isinstance(other, Value):
            found = OPERATIONS["maximum" if is_max else "minimum"](x, other)
            assert isinstance(found, Value)
            return found
        dims = dims_of(x, other)
        if not x.shape:
            zero = np.zeros((), np.int64)
            return Several((extreme(x), fresh("int64", (), exactly(zero))))
        places = place_of(rows_of(x.bounds, dims), x.dtype, is_max)
        indices = reduced(x, dims, keepdim, "int64", places)
        return Several((extreme(x, other, keepdim), indices))

    return operation


# ---- sums with a function of the elements


def _count(x: Value, dim: Any = None) -> Value:
    dims = dims_of(x, dim)
    terms = rows_of(convert(x.bounds, x.dtype, "bool"), dims)
    counts = terms.low.sum(-1)
    known = np.asarray(terms.known.all(-1))
    return reduced(x, dims, False, "int64", Bounds(counts, counts, known))


def _without_nan(bounds: Bounds) -> Bounds:
    is_nan = np.isnan(bounds.low) & np.isnan(bounds.high)
    return Bounds(
        np.where(is_nan, 0.0, bounds.low), np.where(is_nan, 0.0, bounds.high), bounds.known
    )


def _nan_sum(x: Value, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None) -> Any:
    if x.dtype in FLOATS:
        x = fresh(x.dtype, x.shape, _without_nan(x.bounds), x.strides)
    return OPERATIONS["sum"](x, dim, keepdim, dtype=dtype)


def _nan_mean(x: Value, dim: Any = None, keepdim: bool = False) -> Value:
    if x.dtype not in FLOATS:
        raise Invalid("a mean of integers")
    kind, bounds = accumulated(x, None)
    dims = dims_of(x, dim)
    terms = rows_of(bounds, dims)
    # Elements are counted in the dtype of the mean (bfloat16 has no 257), unless there is one
    # count: a single number that divides is taken as it is.
    counts = exactly((~np.isnan(terms.low)).sum(-1).astype(float))
    if counts.low.size != 1:
        counts = convert(counts, "int64", kind)
    sums = final(total(_without_nan(terms), kind, terms.low.shape[-1]), kind)
    return reduced(x, dims, keepdim, kind, monotone(np.divide, (sums, counts), kind))


# ---- norms


def _norm(terms: Bounds, dtype: str, order: float) -> Bounds:
    """Return bounds of norms along the last axis, before they are rounded."""
    sizes = absolute(dtype, terms)
    count = terms.low.shape[-1]
    if math.isinf(order):
        if not count:
            raise Invalid("an extreme of nothing")
        choose = np.max if order > 0 else np.min
        low, high = choose(sizes.low, axis=-1), choose(sizes.high, axis=-1)
        has_nan = np.asarray((terms.is_point & np.isnan(terms.low)).any(-1))
        low, high = np.where(has_nan, np.nan, low), np.where(has_nan, np.nan, high)
        return settled(low, high, np.asarray(terms.known.all(-1)) | has_nan)
    if order == 0:
        truth = convert(terms, dtype, "bool")
        counts = truth.low.sum(-1).astype(float)
        return Bounds(counts, counts, np.asarray(truth.known.all(-1)))
    if order == 1:
        return total(sizes, dtype, count)
    return _power_norm(sizes, dtype, order)


def _power_norm(sizes: Bounds, dtype: str, order: float) -> Bounds:
    """Return bounds of the root of a sum of powers, where none is too large or too small."""
    count = sizes.low.shape[-1]
    unit = _unit(dtype)
    low, high = (np.asarray((part**order).sum(-1)) for part in (sizes.low, sizes.high))
    power_error = 1.0 if order == 2 else ulp_of("power")
    error = (count + 2 + 2 * power_error) * unit / order
    low, high = low ** (1 / order), high ** (1 / order)
    spread = np.abs(np.log(np.maximum(high, 1e-300)))
    error = error + (power_error + (0 if order == 2 else spread)) * 2 * unit
    smallest = np.where(sizes.low == 0, 1.0, sizes.low) ** order
    usual = (sizes.high**order < _limit(dtype) / max(count, 1)) & (smallest > _least_normal(dtype))
    usual = usual & ((sizes.low > 0) | (sizes.high == 0))
    known = np.asarray((sizes.known & usual).all(-1))
    has_nan = np.asarray((sizes.is_point & np.isnan(sizes.low)).any(-1))
    low, high = np.where(has_nan, np.nan, low * (1 - error)), high * (1 + error)
    return settled(low, np.where(has_nan, np.nan, high), known | has_nan)


def _vector_norm(
    x: Value, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: str | None = None
) -> Value:
    if x.dtype not in FLOATS:
        raise Invalid("a norm of integers")
    dims = dims_of(x, dim)
    bounds = final(_norm(rows_of(x.bounds, dims), x.dtype, ord), x.dtype)
    return reduced(x, dims, keepdim, x.dtype, bounds)


def _distance(x: Value, y: Value, p: float = 2) -> Value:
    if x.dtype != y.dtype or x.dtype not in ("float32", "float64"):
        raise Invalid("dtypes of dist")
    return _vector_norm(cast("Value", OPERATIONS["sub"](x, y)), p)


# ---- exponentials


def _log_sum(x: Value, dim: Any, keepdim: bool = False) -> Value:
    """Return bounds of logsumexp: n additions of exponentials, and a handful of roundings more."""
    kind = x.dtype if x.dtype in FLOATS else DEFAULT
    dims = dims_of(x, dim)
    terms = rows_of(convert(x.bounds, x.dtype, kind), dims)
    count = terms.low.shape[-1]
    low, high = (np.logaddexp.reduce(part, -1) for part in (terms.low, terms.high))
    size = np.maximum(np.abs(low), np.abs(high))
    slack = 4 * (count + 8) * _unit(kind) + 8 * _unit(kind) * np.where(np.isfinite(size), size, 0.0)
    known = np.asarray(terms.known.all(-1))
    bounds = final(settled(low - slack, high + slack, known), kind)
    return reduced(x, dims, keepdim, kind, bounds)


def _softmax(is_log: bool) -> Callable[[Value, int], Value]:
    def operation(x: Value, dim: int) -> Value:
        if x.dtype not in FLOATS:
            raise Invalid("softmax of integers")
        dims = dims_of(x, dim)
        place = dims[0] if dims else 0
        shape = x.shape or (1,)
        terms = x.bounds.map(lambda part: np.moveaxis(part.reshape(shape), place, -1))
        if not terms.low.shape[-1]:
            return fresh(x.dtype, x.shape, x.bounds)
        is_last = place == len(shape) - 1
        narrow = _NARROW.get(x.dtype, 0.0) if is_last and is_log else 0.0
        bounds = final(_softmax_of(terms, x.dtype, is_log, narrow), x.dtype)
        result = bounds.map(lambda part: np.moveaxis(part, -1, place).reshape(x.shape))
        return fresh(x.dtype, x.shape, result)

    return operation


#: The error of one rounding to the narrow floats: PyTorch keeps the sums of log_softmax along the
#: last dim in the dtype of the result, and their logarithms.
_NARROW = {"float16": 2.0**-11, "bfloat16": 2.0**-8}


def _softmax_of(terms: Bounds, dtype: str, is_log: bool, narrow: float) -> Bounds:
    count = terms.low.shape[-1]
    top = terms.high.max(-1, keepdims=True)
    low, high = terms.low - top, terms.high - top
    sum_low, sum_high = (np.exp(part).sum(-1, keepdims=True) for part in (low, high))
    unit = _unit(dtype)
    # In units: the largest elements have no room for a factor.
    far = np.where(np.isfinite(low), np.abs(low), 0.0) * unit
    if is_log:
        low, high = low - np.log(sum_high), high - np.log(sum_low)
        slack = 8 * far + (4 * np.abs(np.log(sum_high)) + count + 16) * 2 * unit
        # A greatest element that is rounded off has come and gone.
        slack = slack + 2 * (unit * np.where(np.isfinite(top), np.abs(top), 0.0))
        slack = slack + narrow * (2 + np.abs(np.log(sum_high)))
        low, high = low - slack, high + slack
    else:
        error = 2 * ((count + 16) * unit + far)
        tiny = _least_normal(dtype) * 2.0**-20
        low, high = np.exp(low) / sum_high, np.exp(high) / sum_low
        low, high = low * (1 - error) - tiny, high * (1 + error) + tiny
    usual = np.asarray(terms.known.all(-1, keepdims=True))
    points = np.asarray(terms.is_point.all(-1, keepdims=True))
    steady = (
        points | np.asarray((np.isfinite(terms.low) & np.isfinite(terms.high)).all(-1))[..., None]
    )
    return settled(low, high, np.broadcast_to(usual & steady, low.shape))


# ---- differences


def _differences(x: Value, n: int = 1, dim: int = -1) -> Value:
    """Return n differences of neighbours along a dim, each of which is an operation."""
    (place,) = dims_of(x, dim) if x.shape else (0,)
    if not x.shape or x.dtype == "bool":
        raise Invalid("differences of a 0-dim tensor, or of bool")
    size = x.shape[place]
    if not n or n > size:
        raise Invalid("no differences")
    narrow, sub = OPERATIONS["narrow"], OPERATIONS["sub"]
    for step in range(n):
        left = size - step - 1
        found = sub(narrow(x, place, 1, left), narrow(x, place, 0, left))
        assert isinstance(found, Value)
        x = found
    return x


OPERATIONS.update(
    {
        "var": _spread(is_root=False, with_mean=False),
        "std": _spread(is_root=True, with_mean=False),
        "var_mean": _spread(is_root=False, with_mean=True),
        "std_mean": _spread(is_root=True, with_mean=True),
        "aminmax": _least_and_greatest,
        "max": _extreme_along("max"),
        "min": _extreme_along("min"),
        "count_nonzero": _count,
        "nansum": _nan_sum,
        "nanmean": _nan_mean,
        "linalg_vector_norm": _vector_norm,
        "norm": _vector_norm,
        "dist": _distance,
        "logsumexp": _log_sum,
        "softmax": _softmax(is_log=False),
        "log_softmax": _softmax(is_log=True),
        "diff": _differences,
    }
)
