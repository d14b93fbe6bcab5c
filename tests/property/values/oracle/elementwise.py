"""What do elementwise operations compute? Bounds for floats, exact values for the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .conversions import common_dtype, convert, converted, placed
from .evaluation import OPERATIONS, Fault, Value, Weak, as_operand, fresh
from .intervals import Array, Bounds, conjunction, settled, spacing, storage_type, wrap
from .real_functions import (
    FloatFunction,
    absolute,
    angle_of,
    bent,
    divide,
    equality,
    erf,
    floor_divide_of,
    gelu_of,
    is_nan,
    maximum,
    minimum,
    negative,
    on_points,
    ordering,
    power,
    reciprocal,
    reciprocal_root,
    rectify,
    remainder_of,
    scaled,
    sigmoid_of,
    sign_of,
    silu_of,
    smooth,
    square,
    stepwise,
    tested,
    truncated,
)
from .semantics import BITS, DTYPES, FLOATS, INTEGERS, REALS, Invalid, preserved

ExactFunction = Callable[..., Array]


@dataclass(frozen=True, slots=True)
class Rule:
    """How an operation promotes, what it takes, and what it computes.

    `kind` is promote, int_to_float, compare (the common dtype, a bool result), logical (bool
    operands and result) or test (the operand's dtype, a bool result). `on_floats(dtype, *bounds)`
    returns bounds, or truth values where the result is bool; `on_integers(dtype, *arrays)` returns
    int64, which is wrapped, or bool; `on_bools` gets arrays of bool.
    """

    kind: str
    takes: Sequence[str]
    on_floats: FloatFunction | None = None
    on_integers: ExactFunction | None = None
    on_bools: ExactFunction | None = None


def _apply(rule: Rule, given: Sequence[Any], **attributes: Any) -> Value:
    operands = [as_operand(value) for value in given]
    common = common_dtype(operands, rule.kind)
    if common not in rule.takes:
        raise Invalid(f"{common} is not taken")
    # Logical operations read any dtype, but convert to the common one first.
    first = common_dtype(operands, "promote") if rule.kind == "logical" else common
    parts = [convert(converted(operand, first), first, common) for operand in operands]
    known = conjunction([part.known for part in parts])
    if common in FLOATS:
        assert rule.on_floats is not None
        bounds = rule.on_floats(common, *parts, **attributes)
    else:
        function = rule.on_bools if common == "bool" else rule.on_integers
        assert function is not None
        for part in parts:
            if not part.known.all() and rule in NEEDS_VALUES:
                raise Invalid("whether this raises is not known")
        exact = function(common, *(part.low for part in parts), **attributes)
        if exact.dtype != np.bool_:
            exact = wrap(exact, common)
        bounds = Bounds(exact, exact, np.broadcast_to(known, exact.shape))
    result = "bool" if rule.kind in ("compare", "logical", "test") else common
    return placed(result, operands, [first] * len(operands), bounds)


# ---- integers


def _divisor(dtype: str, b: Array) -> Array:
    if np.any(b == 0):
        raise Fault("ZeroDivisionError")
    return b


def _integer_floor(dtype: str, a: Array, b: Array) -> Array:
    b = _divisor(dtype, np.broadcast_arrays(a, b)[1])
    return np.where(b == -1, -a, a // np.where(b == -1, 1, b))


def _integer_trunc(dtype: str, a: Array, b: Array) -> Array:
    floor = _integer_floor(dtype, a, b)
    inexact = (b != -1) & (floor * b != a)
    return floor + (inexact & ((a < 0) != (b < 0)))


def _integer_remainder(dtype: str, a: Array, b: Array) -> Array:
    return a - _integer_floor(dtype, a, b) * b


def _integer_rest(dtype: str, a: Array, b: Array) -> Array:
    return a - _integer_trunc(dtype, a, b) * b


def _integer_power(dtype: str, a: Array, b: Array) -> Array:
    def power(base: int, exponent: int) -> int:
        if exponent < 0:
            return 1 if base == 1 else 0 if base != -1 else 1 - 2 * (exponent % 2)
        value = pow(base, exponent, 2**64)
        return value - 2**64 if value >= 2**63 else value

    return np.asarray(np.frompyfunc(power, 2, 1)(a, b)).astype(np.int64)


def _shifted_left(dtype: str, a: Array, b: Array) -> Array:
    inside = (b >= 0) & (b < BITS[dtype])
    return np.where(inside, a << np.where(inside, b, 0), 0)


def _shifted_right(dtype: str, a: Array, b: Array) -> Array:
    inside = (b >= 0) & (b < BITS[dtype])
    return np.where(inside, a >> np.where(inside, b, 0), np.where(a < 0, -1, 0))


def _plain(function: Callable[..., Any]) -> ExactFunction:
    """Return a function of NumPy as one that is given the dtype first."""

    def exact(dtype: str, *arrays: Array) -> Array:
        return np.asarray(function(*arrays))

    return exact


def _integer_scaled(sign: int) -> ExactFunction:
    def on_integers(dtype: str, a: Array, b: Array, alpha: int = 1) -> Array:
        return a + sign * alpha * b

    return on_integers


def _rectified(dtype: str, x: Array) -> Array:
    return np.maximum(x, 0)


def _bool_sum(dtype: str, a: Array, b: Array, alpha: Any = 1) -> Array:
    return a | (b & bool(alpha))


_or, _and, _xor = _plain(np.logical_or), _plain(np.logical_and), _plain(np.logical_xor)
_same = _plain(np.asarray)

RULES: dict[str, Rule] = {
    "add": Rule("promote", DTYPES, scaled(1), _integer_scaled(1), _bool_sum),
    "sub": Rule("promote", REALS, scaled(-1), _integer_scaled(-1)),
    "mul": Rule("promote", DTYPES, smooth("mul", np.multiply), _plain(np.multiply), _and),
    "true_divide": Rule("int_to_float", FLOATS, divide),
    "floor_divide": Rule("promote", REALS, on_points(floor_divide_of), _integer_floor),
    "trunc_divide": Rule("promote", REALS, truncated, _integer_trunc),
    "remainder": Rule("promote", REALS, on_points(remainder_of), _integer_remainder),
    "fmod": Rule("promote", REALS, on_points(np.fmod), _integer_rest),
    "neg": Rule("promote", REALS, negative, _plain(np.negative)),
    "abs": Rule("promote", REALS, absolute, _plain(np.abs)),
    "sign": Rule("promote", DTYPES, stepwise(sign_of), _plain(np.sign), _same),
    "sgn": Rule("promote", DTYPES, stepwise(sign_of), _plain(np.sign), _same),
    "reciprocal": Rule("int_to_float", FLOATS, reciprocal),
    "power": Rule("promote", REALS, power, _integer_power),
    "maximum": Rule("promote", DTYPES, maximum, _plain(np.maximum), _or),
    "minimum": Rule("promote", DTYPES, minimum, _plain(np.minimum), _and),
    "floor": Rule("promote", REALS, stepwise(np.floor), _same),
    "ceil": Rule("promote", REALS, stepwise(np.ceil), _same),
    "round": Rule("promote", REALS, stepwise(np.rint), _same),
    "trunc": Rule("promote", REALS, stepwise(np.trunc), _same),
    "relu": Rule("promote", REALS, rectify, _rectified),
    "bitwise_and": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_and), _and),
    "bitwise_or": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_or), _or),
    "bitwise_xor": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_xor), _xor),
    "bitwise_not": Rule(
        "promote", ("bool", *INTEGERS), None, _plain(np.invert), _plain(np.logical_not)
    ),
    "bitwise_left_shift": Rule("promote", INTEGERS, None, _shifted_left),
    "bitwise_right_shift": Rule("promote", INTEGERS, None, _shifted_right),
    "eq": Rule("compare", DTYPES, equality(False), _plain(np.equal), _plain(np.equal)),
    "ne": Rule("compare", DTYPES, equality(True), _plain(np.not_equal), _plain(np.not_equal)),
    "lt": Rule("compare", DTYPES, ordering("less"), _plain(np.less), _plain(np.less)),
    "le": Rule(
        "compare", DTYPES, ordering("less_equal"), _plain(np.less_equal), _plain(np.less_equal)
    ),
    "gt": Rule("compare", DTYPES, ordering("greater"), _plain(np.greater), _plain(np.greater)),
    "ge": Rule(
        "compare",
        DTYPES,
        ordering("greater_equal"),
        _plain(np.greater_equal),
        _plain(np.greater_equal),
    ),
    "logical_and": Rule("logical", ("bool",), None, None, _and),
    "logical_or": Rule("logical", ("bool",), None, None, _or),
    "logical_xor": Rule("logical", ("bool",), None, None, _xor),
    "logical_not": Rule("logical", ("bool",), None, None, _plain(np.logical_not)),
    "isnan": Rule("test", DTYPES, is_nan, _plain(np.isnan), _plain(np.isnan)),
    **{
        name: Rule("test", DTYPES, tested(test), _plain(test), _plain(test))
        for name, test in {
            "isinf": np.isinf,
            "isfinite": np.isfinite,
            "isreal": np.isreal,
        }.items()
    },
    "angle": Rule("int_to_float", FLOATS, angle_of),
    "sqrt": Rule("int_to_float", FLOATS, smooth("sqrt", np.sqrt)),
    "rsqrt": Rule("int_to_float", FLOATS, reciprocal_root),
    "sin": Rule("int_to_float", FLOATS, bent("sin", np.sin, 1.0)),
    "cos": Rule("int_to_float", FLOATS, bent("cos", np.cos, 1.0)),
    "erf": Rule("int_to_float", FLOATS, smooth("erf", erf)),
    "sigmoid": Rule("int_to_float", FLOATS, smooth("sigmoid", sigmoid_of)),
    "gelu": Rule("promote", FLOATS, bent("gelu", gelu_of, 1.2)),
    "silu": Rule("promote", FLOATS, bent("silu", silu_of, 1.2)),
    **{
        name: Rule("int_to_float", FLOATS, smooth(name, getattr(np, name)))
        for name in ("exp", "exp2", "expm1", "log", "log1p", "log2", "tanh")
    },
}
#: Whether these raise depends on values.
NEEDS_VALUES = [RULES[name] for name in ("floor_divide", "trunc_divide", "remainder", "fmod")]


def _operation(rule: Rule) -> Callable[..., Value]:
    return lambda *operands, **attributes: _apply(rule, operands, **attributes)


OPERATIONS.update({name: _operation(rule) for name, rule in RULES.items()})


# ---- operations with a rule of their own


def _add_or_sub(name: str) -> Callable[..., Value]:
    def operation(a: Any, b: Any, *, alpha: Any = 1) -> Value:
        operands = (as_operand(a), as_operand(b))
        if name == "sub" and "bool" in (operands[0].dtype, operands[1].dtype):
            raise Invalid("subtraction of bool")
        if isinstance(alpha, float) and common_dtype(operands, "promote") not in FLOATS:
            raise Invalid("a float alpha for integers")
        return _apply(RULES[name], operands, alpha=alpha)

    return operation


def _div(a: Any, b: Any, *, rounding_mode: str | None = None) -> Value:
    names = {None: "true_divide", "floor": "floor_divide", "trunc": "trunc_divide"}
    return _apply(RULES[names[rounding_mode]], (a, b))


def _squared(x: Value) -> Value:
    if x.dtype == "bool":
        x = Value("int64", x.shape, preserved(x.shape, x.strides), converted(x, "int64"))
    rule = Rule("promote", REALS, square, _plain(np.square))
    return _apply(rule, (x,))


def _clamp(x: Any, min: Any = None, max: Any = None) -> Value:
    if min is None and max is None:
        raise Invalid("no limit")
    given = [as_operand(value) for value in (x, min, max) if value is not None]
    common = common_dtype(given, "promote")
    if common not in REALS:
        raise Invalid("clamp of bool")
    bounds = converted(given[0], common)
    for limit, rule in ((min, RULES["maximum"]), (max, RULES["minimum"])):
        if limit is not None:
            other = converted(as_operand(limit), common)
            if common in FLOATS:
                assert rule.on_floats is not None
                bounds = rule.on_floats(common, bounds, other)
            else:
                assert rule.on_integers is not None
                exact = rule.on_integers(common, bounds.low, other.low)
                bounds = Bounds(exact, exact, bounds.known & other.known)
    tensors = [operand for operand in given if isinstance(operand, Value)]
    return placed(common, tensors, [common] * len(tensors), bounds)


def _pow(base: Any, exponent: Any) -> Value:
    operands = (as_operand(base), as_operand(exponent))
    common = common_dtype(operands, "promote")
    first, second = operands
    if isinstance(second, Value):
        result = _apply(RULES["power"], operands)
        if isinstance(first, Weak):
            return fresh(common, result.shape, result.bounds)
        return result
    if common not in FLOATS and second.value < 0:
        raise Invalid("a negative power of integers")
    bounds = _apply(RULES["power"], operands).bounds
    if abs(second.value) == 0.5:
        # A square root differs from a power at -0.0 and at -inf.
        x = converted(first, common)
        crosses = (x.low <= 0) & (x.high >= 0)
        bounds = bounds._replace(known=bounds.known & ~crosses & np.isfinite(x.low))
    elif common == "bfloat16" and second.value in (3, -2):
        # Products of bfloat16, each of them rounded.
        bounds = bounds._replace(known=np.zeros(bounds.known.shape, bool))
    return placed(common, (first,), (common,), bounds)


def _where(condition: Value, a: Any, b: Any) -> Value:
    if condition.dtype != "bool":
        raise Invalid("a condition that is not bool")
    operands = (as_operand(a), as_operand(b))
    common = common_dtype(operands, "promote")
    first, second = (converted(operand, common) for operand in operands)
    test, decided = condition.bounds.low, condition.bounds.known
    low, high = np.where(test, first.low, second.low), np.where(test, first.high, second.high)
    known = np.where(test, first.known, second.known) & decided
    if common in FLOATS:
        low = np.where(decided, low, np.minimum(first.low, second.low))
        high = np.where(decided, high, np.maximum(first.high, second.high))
        neither = ~(np.isnan(first.low) | np.isnan(second.low)) & first.known & second.known
        bounds = settled(low, high, known | (~decided & neither))
    else:
        bounds = Bounds(low.astype(storage_type(common)), low, known)
    return placed(common, (condition, *operands), ("bool", common, common), bounds)


def _where_method(a: Any, condition: Value, b: Any) -> Value:
    return _where(condition, a, b)


def _clamp_min(x: Any, min: Any) -> Value:
    return _clamp(x, min)


def _clamp_max(x: Any, max: Any) -> Value:
    return _clamp(x, None, max)


def _number_by(number: Any, x: Any) -> Value:
    """Return number / x, which PyTorch computes as the reciprocal times the number."""
    return _apply(RULES["mul"], (_apply(RULES["reciprocal"], (x,)), number))


def _gelu(x: Any, *, approximate: str = "none") -> Value:
    return _apply(RULES["gelu"], (x,), approximate=approximate)


def _filled_like(name: str, dtypes: Sequence[str]) -> Callable[[Value], Value]:
    """Return a test whose answer PyTorch knows for these dtypes: it fills a copy of the operand."""

    def operation(x: Value) -> Value:
        found = _apply(RULES[name], (x,))
        if x.dtype not in dtypes:
            return found
        return replace(found, strides=preserved(x.shape, x.strides))

    return operation


def _rounded(x: Value, *, decimals: int = 0) -> Value:
    """Return a quotient of whole numbers; near the middle of two this says nothing."""
    if not decimals:
        return _apply(RULES["round"], (x,))
    scale = 10.0**decimals
    points = x.bounds.low * scale
    whole = np.rint(points)
    value = whole / scale
    near = np.maximum(1e-3, 2 * spacing(points, x.dtype))  # the product is rounded, too
    usual = (np.abs(np.abs(points - whole) - 0.5) > near) & (np.abs(points) < 2.0**20)
    known = x.bounds.is_point & (usual | ~np.isfinite(points))
    slack = 4 * spacing(value, x.dtype)
    return placed(x.dtype, (x,), (x.dtype,), settled(value - slack, value + slack, known))


def _itself(x: Value) -> Value:
    return x


OPERATIONS.update(
    {
        "add": _add_or_sub("add"),
        "sub": _add_or_sub("sub"),
        "div": _div,
        "square": _squared,
        "round": _rounded,
        "isreal": _filled_like("isreal", DTYPES),
        "isinf": _filled_like("isinf", (*INTEGERS, "bool")),
        "isfinite": _filled_like("isfinite", (*INTEGERS, "bool")),
        "rdiv": _number_by,
        "pow": _pow,
        "clamp": _clamp,
        "clamp_min": _clamp_min,
        "clamp_max": _clamp_max,
        "where": _where,
        "where_method": _where_method,
        "gelu": _gelu,
        # Real tensors are their own conjugates.
        "conj": _itself,
    }
)
