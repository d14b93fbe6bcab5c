"""What do the functions of networks compute? Formulas of floats, where the operands are points.

Most are one row of the library, rounded a few times: a result may be as far from the formula as so
many units of the greatest number that is added on the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .conversions import converted, placed
from .evaluation import OPERATIONS, Several, Value, fresh
from .intervals import Array, Bounds, conjunction, settled, spacing
from .products import check_dtypes
from .reductions import dims_of, final
from .semantics import FLOATS, Invalid, contiguous, is_contiguous, is_dense, preserved

#: What a formula gives: the result, and the size of what is added on the way.
Formula = Callable[..., tuple[Array, Array]]
#: Roundings of a formula, each of no more than a few units.
_ULP = 16.0


def _bounded(formula: Formula, dtype: str, parts: Sequence[Bounds], **attributes: Any) -> Bounds:
    value, size = formula(*(part.low for part in parts), **attributes)
    points = conjunction([part.is_point for part in parts])
    slack = _ULP * spacing(np.maximum(np.abs(value), np.abs(size)), dtype)
    # Where the arithmetic overflows on its way, or underflows, this says nothing.
    usual = np.isfinite(value) & np.isfinite(size) & (np.abs(size) < 1e30)
    low, high = value - slack, value + slack
    bounds = settled(low, high, points & usual)
    return final(bounds, dtype)


#: Errors of elements, which are not reduced here.
LOSSES = ("mse_loss", "l1_loss", "huber_loss", "smooth_l1_loss", "nn_functional_kl_div")
#: What PyTorch computes in several steps, each of which is rounded to a narrow float.
STEPWISE = ("softsign", "tanhshrink", "nn_functional_kl_div", "special_ndtr", "logit")
#: Those, and what is computed in two steps of which one rounds.
STEPS = (*STEPWISE, "l1_loss")


def _of(name: str, formula: Formula) -> Callable[..., Value]:
    """Return an operation of floats of one dtype and one shape."""
    dtypes = ("float32", "float64") if name in STEPWISE else FLOATS

    def operation(*operands: Value, **attributes: Any) -> Value:
        if attributes.pop("reduction", None) != ("none" if name in LOSSES else None):
            raise Invalid("a loss that is reduced")
        dtype = check_dtypes(*operands, dtypes=dtypes)
        shapes = {x.shape for x in operands}
        if len(shapes) != 1:
            raise Invalid("shapes that broadcast")
        places = {(x.shape, x.strides) for x in operands}
        is_odd = len(places) > 1 or (name in STEPS and not is_contiguous(*next(iter(places))))
        if 1 in operands[0].shape and is_odd:
            raise Invalid("how PyTorch lays out a dim of one element between its steps")
        parts = [converted(x, dtype) for x in operands]
        bounds = _bounded(formula, dtype, parts, **attributes)
        # A divergence is computed from the target on, whose order of memory its results have.
        order = operands[::-1] if name == "nn_functional_kl_div" else operands
        if name == "huber_loss":  # PyTorch writes into a tensor like the input
            x = operands[0]
            return fresh(dtype, x.shape, bounds, preserved(x.shape, x.strides))
        return placed(dtype, order, [dtype] * len(operands), bounds)

    return operation


def _elu(x: Array, alpha: float = 1.0) -> tuple[Array, Array]:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))), x


def _celu(x: Array, alpha: float = 1.0) -> tuple[Array, Array]:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0) / alpha)), x


_SELU = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717


def _selu(x: Array) -> tuple[Array, Array]:
    scale, alpha = _SELU
    return scale * np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0))), 2 * x


def _leaky(x: Array, negative_slope: float = 0.01) -> tuple[Array, Array]:
    value = np.where(x > 0, x, x * negative_slope)
    return value, value


def _hard_sigmoid(x: Array) -> tuple[Array, Array]:
    return np.clip(x + 3, 0, 6) / 6, np.abs(x) + 3


def _hard_swish(x: Array) -> tuple[Array, Array]:
    return x * np.clip(x + 3, 0, 6) / 6, np.abs(x) * (np.abs(x) + 3)


def _mish(x: Array) -> tuple[Array, Array]:
    return x * np.tanh(np.logaddexp(0, x)), x


def _softplus(x: Array, beta: float = 1.0, threshold: float = 20.0) -> tuple[Array, Array]:
    soft = np.logaddexp(0, x * beta) / beta
    # Which side a rounded product lies on is not said.
    near = np.abs(x * beta - threshold) < 1e-3
    return np.where(x * beta > threshold, x, soft), np.where(near, np.nan, np.abs(x) + soft)


def _softshrink(x: Array, lambd: float = 0.5) -> tuple[Array, Array]:
    near = np.abs(np.abs(x) - lambd) < 1e-2 * np.abs(lambd)
    value = np.where(x > lambd, x - lambd, np.where(x < -lambd, x + lambd, 0.0))
    return value, np.where(near, np.nan, np.abs(x) + lambd)


def _softsign(x: Array) -> tuple[Array, Array]:
    return x / (1 + np.abs(x)), np.ones_like(x)


def _tanhshrink(x: Array) -> tuple[Array, Array]:
    return x - np.tanh(x), np.abs(x) + 1


def _threshold(x: Array, threshold: float, value: float) -> tuple[Array, Array]:
    found = np.where(x <= threshold, value, x)
    return found, found


def _squared(x: Array, y: Array) -> tuple[Array, Array]:
    return (x - y) ** 2, (x - y) ** 2


def _absolute(x: Array, y: Array) -> tuple[Array, Array]:
    return np.abs(x - y), np.abs(x - y)


def _huber(x: Array, y: Array, delta: float = 1.0) -> tuple[Array, Array]:
    gap = np.abs(x - y)
    value = np.where(gap <= delta, gap**2 / 2, delta * (gap - delta / 2))
    return value, delta * (gap + delta)


def _smooth(x: Array, y: Array, beta: float = 1.0) -> tuple[Array, Array]:
    gap = np.abs(x - y)
    return np.where(gap < beta, gap**2 / 2 / beta, gap - beta / 2), gap + beta


def _divergence(x: Array, y: Array, log_target: bool = False) -> tuple[Array, Array]:
    if log_target:
        return np.exp(y) * (y - x), np.exp(y) * (np.abs(y) + np.abs(x)) * (1 + np.abs(y))
    information = np.where(y == 0, 0.0, y * np.log(np.where(y > 0, y, 1.0)))
    return information - y * x, np.where(y < 0, np.nan, np.abs(information) + np.abs(y * x))


def _normal(x: Array) -> tuple[Array, Array]:
    # Its tail is less exact in the oracle than in the library.
    value = 0.5 * np.asarray(np.frompyfunc(math.erfc, 1, 1)(-x / math.sqrt(2)), float)
    return value, np.ones_like(x)


def _logit(x: Array) -> tuple[Array, Array]:
    inside = (x > 0) & (x < 1)
    value = np.log(np.where(inside, x, 0.5) / np.where(inside, 1 - x, 0.5))
    return value, np.where(inside, np.abs(value) + 1, np.nan)


def _degrees(x: Array) -> tuple[Array, Array]:
    return x * 180 / math.pi, x * 180 / math.pi


def _radians(x: Array) -> tuple[Array, Array]:
    return x * math.pi / 180, x * math.pi / 180


def _angles(name: str, formula: Formula) -> Callable[..., Value]:
    """Return an operation that writes its results into a tensor like the operand."""
    operation = _of(name, formula)

    def angles(x: Value) -> Value:
        bounds = operation(x).bounds
        return fresh(x.dtype, x.shape, bounds, preserved(x.shape, x.strides))

    return angles


def _gated(x: Value, dim: int = -1) -> Value:
    """Return one half of a dim times the sigmoid of the other; both halves are views."""
    dtype = check_dtypes(x, dtypes=FLOATS)
    if not x.shape:
        raise Invalid("halves of a 0-dim tensor")
    (place,) = dims_of(x, dim)
    half = x.shape[place] // 2
    if x.shape[place] % 2:
        raise Invalid("an odd size")
    parts = [OPERATIONS["narrow"](x, place, start, half) for start in (0, half)]
    first, second = (part for part in parts if isinstance(part, Value))

    least = np.finfo(np.float64 if dtype == "float64" else np.float32).tiny

    def formula(a: Array, b: Array) -> tuple[Array, Array]:
        gate = 1 / (1 + np.exp(-b))
        # A gate below the normal numbers has lost digits, which a large factor shows.
        return a * gate, np.where(gate < least, np.inf, a * gate * (1 + np.abs(b)))

    bounds = _bounded(formula, dtype, [first.bounds, second.bounds])
    return placed(dtype, (first, second), (dtype, dtype), bounds)


def _replaced(
    x: Value, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Value:
    """Return what is finite as it is; where it need not be, this says nothing."""
    dtype = check_dtypes(x, dtypes=FLOATS)
    low, high, known = x.bounds
    known = known & (np.isfinite(low) & np.isfinite(high))
    bounds = Bounds(low, high, known)
    if not low.size or is_dense(x.shape, x.strides):
        return fresh(dtype, x.shape, bounds, x.strides)  # PyTorch makes one that is like it
    return placed(dtype, (x,), (dtype,), bounds)


def _sloped(x: Value, weight: Value) -> Value:
    """Return the one weight times what is negative."""
    dtype = check_dtypes(x, weight, dtypes=("float32", "float64"))
    if weight.shape != (1,) or not x.shape or 0 in x.shape or contiguous(x.shape) != x.strides:
        raise Invalid("weights of channels, or another layout")
    slope = weight.bounds.map(lambda part: part.reshape(()))

    def formula(a: Array, b: Array) -> tuple[Array, Array]:
        value = np.where(a > 0, a, a * b)
        return value, value

    return fresh(dtype, x.shape, _bounded(formula, dtype, [x.bounds, slope]))


def _next(x: Value, y: Value) -> Value:
    dtype = check_dtypes(x, y, dtypes=("float32", "float64"))
    kind = np.float64 if dtype == "float64" else np.float32
    value = np.nextafter(x.bounds.low.astype(kind), y.bounds.low.astype(kind)).astype(np.float64)
    known = x.bounds.is_point & y.bounds.is_point
    return placed(dtype, (x, y), (dtype, dtype), settled(value, value, known))


def _parts_of(x: Value) -> Several:
    """Return mantissas and exponents; of infinities and NaN the exponents are not said."""
    dtype = check_dtypes(x, dtypes=("float16", "float32", "float64"))
    mantissa, exponent = np.frexp(x.bounds.low)
    known = x.bounds.is_point
    whole = exponent.astype(np.int64)
    strides = preserved(x.shape, x.strides)
    first = fresh(dtype, x.shape, settled(mantissa, mantissa, known), strides)
    second = Bounds(whole, whole, known & np.isfinite(x.bounds.low))
    return Several((first, fresh("int32", x.shape, second, strides)))


def _limited(low: float, high: float) -> Callable[..., Value]:
    def operation(x: Value, *, min_val: float = low, max_val: float = high) -> Value:
        found = OPERATIONS["clamp"](x, min_val, max_val)
        assert isinstance(found, Value)
        # PyTorch writes into a tensor like the input.
        return replace(found, strides=preserved(x.shape, x.strides))

    return operation


def _reversed_difference(x: Value, y: Any) -> Value:
    found = OPERATIONS["sub"](y, x)
    assert isinstance(found, Value)
    return found


def _converted_like(x: Value, other: Value) -> Any:
    return OPERATIONS["to"](x, other.dtype)


FORMULAS: dict[str, Formula] = {
    "elu": _elu,
    "celu": _celu,
    "selu": _selu,
    "leaky_relu": _leaky,
    "nn_functional_hardsigmoid": _hard_sigmoid,
    "nn_functional_hardswish": _hard_swish,
    "nn_functional_mish": _mish,
    "softplus": _softplus,
    "softshrink": _softshrink,
    "softsign": _softsign,
    "tanhshrink": _tanhshrink,
    "threshold": _threshold,
    "mse_loss": _squared,
    "l1_loss": _absolute,
    "huber_loss": _huber,
    "smooth_l1_loss": _smooth,
    "nn_functional_kl_div": _divergence,
    "special_ndtr": _normal,
    "logit": _logit,
}

OPERATIONS.update(
    {
        **{name: _of(name, formula) for name, formula in FORMULAS.items()},
        "deg2rad": _angles("deg2rad", _radians),
        "rad2deg": _angles("rad2deg", _degrees),
        "glu": _gated,
        "nan_to_num": _replaced,
        "prelu": _sloped,
        "nextafter": _next,
        "frexp": _parts_of,
        "hardtanh": _limited(-1.0, 1.0),
        "relu6": _limited(0.0, 6.0),
        "rsub": _reversed_difference,
        "type_as": _converted_like,
    }
)
