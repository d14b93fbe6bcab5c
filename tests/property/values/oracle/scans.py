"""What do scans compute? All partial results along a dim, contiguous for any operand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .evaluation import OPERATIONS, Several, Value, fresh
from .intervals import (
    ROUNDOFF,
    RUNNING,
    Array,
    Bounds,
    counted,
    product,
    settled,
    total,
    wrap,
)
from .reductions import accumulated, dims_of, final
from .semantics import FLOATS, INTEGERS, Invalid

#: Partial products are computed in a loop.
_MOST_FACTORS = 3000


def _lines(bounds: Bounds, x: Value, dim: int) -> tuple[Bounds, Callable[[Array], Array]]:
    """Return bounds with a dim as the last axis, and what moves it back."""
    if not x.shape:
        dims_of(x, dim)
        return bounds.map(lambda part: part.reshape(1)), lambda part: part.reshape(())
    (place,) = dims_of(x, dim)
    return (
        bounds.map(lambda part: np.moveaxis(part, place, -1)),
        lambda part: np.moveaxis(part, -1, place),
    )


def _sums(x: Value, dim: int, *, dtype: str | None = None) -> Value:
    kind, bounds = accumulated(x, dtype)
    terms, back = _lines(bounds, x, dim)
    if kind in INTEGERS:
        sums = wrap(terms.low.cumsum(-1), kind)
        result = Bounds(sums, sums, RUNNING.every(terms.known))
    else:
        result = final(total(terms, kind, counted(terms), RUNNING), kind)
    return fresh(kind, x.shape, result.map(back))


def _products(x: Value, dim: int, *, dtype: str | None = None) -> Value:
    kind, bounds = accumulated(x, dtype)
    terms, back = _lines(bounds, x, dim)
    if terms.low.shape[-1] > _MOST_FACTORS:
        raise Invalid("more factors than this oracle wants to multiply")
    if kind in INTEGERS:
        products = wrap(terms.low.cumprod(-1), kind)
        result = Bounds(products, products, RUNNING.every(terms.known))
    else:
        result = final(product(terms, kind, RUNNING), kind)
    return fresh(kind, x.shape, result.map(back))


def _extremes(choose: np.ufunc) -> Callable[[Value, int], Several]:
    """Return the values so far and the place of the last of those that are equal."""

    def operation(x: Value, dim: int) -> Several:
        terms, back = _lines(x.bounds, x, dim)
        low, high = choose.accumulate(terms.low, -1), choose.accumulate(terms.high, -1)
        known = RUNNING.every(terms.known)
        places = np.broadcast_to(counted(terms) - 1, terms.low.shape)
        is_best = terms.low == low
        if x.dtype in FLOATS:
            is_best = is_best | np.isnan(terms.low)
        places = np.maximum.accumulate(np.where(is_best, places, 0), axis=-1)
        decided = known
        if x.dtype in FLOATS:
            decided = RUNNING.every(terms.is_point)
            exact = np.take_along_axis(terms.low, places, -1)
            low, high = np.where(decided, exact, low), np.where(decided, exact, high)
            has_nan = np.isnan(low) | np.isnan(high)
            bounds = settled(low, high, known & (decided | ~has_nan))
        else:
            bounds = Bounds(low, low, known)
        values = fresh(x.dtype, x.shape, bounds.map(back))
        indices = Bounds(places, places, decided).map(back)
        return Several((values, fresh("int64", x.shape, indices)))

    return operation


def _log_sums(x: Value, dim: int) -> Value:
    """Return bounds of logarithms of partial sums of exponentials.

    A step takes an exponential, a sum, a logarithm and the addition of the greatest so far: at most
    eight roundings, each of the size of the result or of one.
    """
    if x.dtype not in FLOATS:
        raise Invalid("logcumsumexp of integers")
    terms, back = _lines(x.bounds, x, dim)
    low, high = (np.logaddexp.accumulate(part, -1) for part in (terms.low, terms.high))
    size = np.maximum(np.abs(low), np.abs(high))
    size = np.maximum.accumulate(np.where(np.isfinite(size), size, 0.0), -1)
    steps = counted(terms)
    slack = 8 * (steps + 1) * (ROUNDOFF[x.dtype] + 2.0**-53) * (1 + size)
    known = RUNNING.every(terms.known)
    return fresh(
        x.dtype, x.shape, final(settled(low - slack, high + slack, known), x.dtype).map(back)
    )


OPERATIONS.update(
    {
        "cumsum": _sums,
        "cumprod": _products,
        "cummax": _extremes(np.maximum),
        "cummin": _extremes(np.minimum),
        "logcumsumexp": _log_sums,
    }
)
