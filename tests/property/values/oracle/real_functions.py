"""Between which bounds does a function of floats lie? From bounds of operands to bounds of results.

Each function takes the dtype, then bounds. Those that return truth values return bounds of bool.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trilith.dialects.ops.frame.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE

from .intervals import (
    Array,
    Bounds,
    exactly,
    lipschitz,
    monotone,
    round_to,
    rounded,
    settled,
    spacing,
)

FloatFunction = Callable[..., Bounds]


def ulp_of(name: str) -> float:
    """Return the error bound that the row of an elementwise operation states."""
    row = TABLE[name]
    assert isinstance(row, ElementwiseOp)
    return row.ulp


def smooth(name: str, function: Callable[..., Array]) -> FloatFunction:
    """Return a monotone function, with the error bound of its row."""

    def on_floats(dtype: str, *operands: Bounds) -> Bounds:
        return monotone(function, operands, dtype, ulp_of(name))

    return on_floats


def bent(name: str, function: Callable[[Array], Array], slope: float) -> FloatFunction:
    def on_floats(dtype: str, x: Bounds, **attributes: Any) -> Bounds:
        chosen = _gelu_tanh if attributes.get("approximate") == "tanh" else function
        # The oracle's own exp(-x * x / 2) loses digits where it is small.
        own = np.minimum(np.abs(x.low) ** 3, 1e6) if name == "gelu" and dtype == "float64" else 0.0
        return lipschitz(chosen, x, slope, dtype, ulp_of(name) + own)

    return on_floats


def _vectorized(function: Callable[[float], float]) -> Callable[[Array], Array]:
    made = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(made(np.asarray(x, np.float64)), np.float64)


erf, _erfc = _vectorized(math.erf), _vectorized(math.erfc)


def sigmoid_of(x: Array) -> Array:
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small / (1 + small), 1 / (1 + small))


def _times_sigmoid(x: Array, y: Array) -> Array:
    """Return x * sigmoid(y); where that is tiny, by way of nothing that is smaller."""
    half = np.exp(-np.abs(y) / 2)
    return np.where(y < 0, x * half * (half / (1 + half * half)), x * sigmoid_of(y))


def silu_of(x: Array) -> Array:
    return np.where(np.isneginf(x), np.nan, _times_sigmoid(x, x))


def gelu_of(x: Array) -> Array:
    return x * (_erfc(-x / math.sqrt(2)) / 2)


def _gelu_tanh(x: Array) -> Array:
    return _times_sigmoid(x, 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


def divide(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    result = monotone(np.divide, (a, b), dtype)
    return result._replace(known=result.known & _keeps_sign(b))


def _keeps_sign(b: Bounds) -> Array:
    """Whether bounds are one number or do not contain zero."""
    return b.is_point | (b.low > 0) | (b.high < 0)


def reciprocal(dtype: str, x: Bounds) -> Bounds:
    return divide(dtype, exactly(np.ones(())), x)


def _one_over_root(x: Array) -> Array:
    return 1 / np.sqrt(x)


def reciprocal_root(dtype: str, x: Bounds) -> Bounds:
    result = monotone(_one_over_root, (x,), dtype, ulp_of("rsqrt"))
    return result._replace(known=result.known & _keeps_sign(x))


def absolute(dtype: str, x: Bounds) -> Bounds:
    a, b = np.abs(x.low), np.abs(x.high)
    crosses = (x.low <= 0) & (x.high >= 0) & ~x.is_point
    return settled(np.where(crosses, 0.0, np.minimum(a, b)), np.maximum(a, b), x.known)


def square(dtype: str, x: Bounds) -> Bounds:
    size = absolute(dtype, x)
    return monotone(np.square, (size,), dtype)


def scaled(sign: int) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds, alpha: float = 1) -> Bounds:
        if alpha == 1:
            return monotone(np.add if sign > 0 else np.subtract, (a, b), dtype)
        factor = float(round_to(np.array(float(sign * alpha)), dtype))

        def sum_of(x: Array, y: Array) -> Array:
            # In one rounding: a product beyond float64 may come back into its range.
            return (x.astype(np.longdouble) + np.longdouble(factor) * y).astype(np.float64)

        result = monotone(sum_of, (a, b), dtype)
        # PyTorch scales in one rounding or in two; a two-rounding result differs by this.
        slack = spacing(factor * np.maximum(abs(b.low), abs(b.high)), dtype)
        slack = slack + spacing(np.maximum(abs(result.low), abs(result.high)), dtype)
        low, high = result.low - slack, result.high + slack
        keep = ~np.isfinite(result.low)
        low, high = np.where(keep, result.low, low), np.where(keep, result.high, high)
        return rounded(low, high, result.known, dtype)

    return on_floats


def _extreme(choose: Callable[[Array, Array], Array]) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        any_nan = (a.is_point & np.isnan(a.low)) | (b.is_point & np.isnan(b.low))
        low, high = choose(a.low, b.low), choose(a.high, b.high)
        # 0.0 and -0.0 are equal: where both operands may be one, which comes out is not said.
        zeros = (a.low <= 0) & (a.high >= 0) & (b.low <= 0) & (b.high >= 0)
        low = np.where(zeros & (low == 0), -0.0, low)
        high = np.where(zeros & (high == 0), 0.0, high)
        low, high = np.where(any_nan, np.nan, low), np.where(any_nan, np.nan, high)
        return settled(low, high, (a.known & b.known) | any_nan)

    return on_floats


maximum, minimum = _extreme(np.maximum), _extreme(np.minimum)


def rectify(dtype: str, x: Bounds) -> Bounds:
    return maximum(dtype, x, exactly(np.zeros(())))


def stepwise(function: Callable[[Array], Array]) -> FloatFunction:
    def on_floats(dtype: str, x: Bounds) -> Bounds:
        return settled(function(x.low), function(x.high), x.known)

    return on_floats


def negative(dtype: str, x: Bounds) -> Bounds:
    return settled(-x.high, -x.low, x.known)


def sign_of(x: Array) -> Array:
    return np.where(np.isnan(x), 0.0, np.sign(x))


def on_points(function: Callable[..., Array]) -> FloatFunction:
    """Return a function that is evaluated in the dtype's arithmetic, at points only."""

    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        kind = np.float64 if dtype == "float64" else np.float32
        value = function(a.low.astype(kind), b.low.astype(kind)).astype(np.float64)
        value = round_to(value, dtype)
        return settled(value, value, a.is_point & b.is_point)

    return on_floats


def remainder_of(a: Array, b: Array) -> Array:
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)


def floor_divide_of(a: Array, b: Array) -> Array:
    return np.where(b == 0, a / b, np.floor_divide(a, b))


def truncated(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    # The quotient is rounded to the dtype that arithmetic is done in, or to that of the result,
    # then cut: a narrow float divided by one element takes the first way, by more the second.
    quotient = divide("float64" if dtype == "float64" else "float32", a, b)
    rounded = divide(dtype, a, b)
    low, high = (np.minimum(quotient.low, rounded.low), np.maximum(quotient.high, rounded.high))
    return settled(round_to(np.trunc(low), dtype), round_to(np.trunc(high), dtype), quotient.known)


def power(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    result = monotone(np.power, (a, b), dtype, ulp_of("power"))
    points = a.is_point & b.is_point
    return result._replace(known=result.known & (points | (a.low > 0)))


# ---- comparisons of bounds: truth values that may not be known


def ordering(name: str) -> FloatFunction:
    relation: Callable[[Array, Array], Array] = getattr(np, name)

    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        truth = relation(a.low, b.high)
        same = truth == relation(a.high, b.low)
        same = same & (truth == relation(a.low, b.low)) & (truth == relation(a.high, b.high))
        return Bounds(truth, truth, a.known & b.known & same)

    return on_floats


def equality(negated: bool) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        apart = (a.high < b.low) | (b.high < a.low)
        points = (a.low == a.high) & (b.low == b.high)
        any_nan = (np.isnan(a.low) & a.is_point) | (np.isnan(b.low) & b.is_point)
        truth = np.where(apart | any_nan, False, a.low == b.low) ^ negated
        return Bounds(truth, truth, a.known & b.known & (apart | points | any_nan))

    return on_floats


def tested(test: Callable[[Array], Array]) -> FloatFunction:
    """Return a question whose answer is known where both bounds have the same."""

    def on_floats(dtype: str, x: Bounds) -> Bounds:
        low, high = test(x.low), test(x.high)
        return Bounds(low, low, x.known & (low == high))

    return on_floats


def angle_of(dtype: str, x: Bounds) -> Bounds:
    """0 or pi, by the sign; NaN stays."""

    def angle(x: Array) -> Array:
        return round_to(np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0.0)), dtype)

    low, high = angle(x.high), angle(x.low)
    return settled(low, high, x.known)


def is_nan(dtype: str, x: Bounds) -> Bounds:
    truth = np.isnan(x.low)
    return Bounds(truth, truth, x.known)
