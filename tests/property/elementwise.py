"""What do elementwise operations compute? Bounds for floats, exact results for integers and bool."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trilith.dialects.ops.opspec import ElementwiseOp
from trilith.dialects.ops.table import TABLE

from .intervals import (
    Bounds,
    conjunction,
    exactly,
    lipschitz,
    monotone,
    round_to,
    rounded,
    settled,
    spacing,
    storage_type,
    wrap,
)
from .oracle import OPERATIONS, Fault, Operand, Value, Weak, as_operand, fresh
from .semantics import (
    BITS,
    DEFAULT,
    DTYPES,
    FLOATS,
    INTEGERS,
    REALS,
    Invalid,
    broadcast,
    pointwise,
    preserved,
    result_type,
)

Array = NDArray[Any]
FloatFunction = Callable[..., Bounds]
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
    parts = [converted(operand, common) for operand in operands]
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
    # Logical operations read any dtype: what is converted first is converted to the common one.
    laid = common_dtype(operands, "promote") if rule.kind == "logical" else common
    return placed(result, operands, [laid] * len(operands), bounds)


def common_dtype(operands: Sequence[Operand], kind: str) -> str:
    """Return the dtype that operands are converted to."""
    if kind == "logical":
        return "bool"
    common = result_type([(operand.dtype, operand.kind) for operand in operands])
    return DEFAULT if kind == "int_to_float" and common not in FLOATS else common


def placed(dtype: str, operands: Sequence[Operand], dtypes: Sequence[str], bounds: Bounds) -> Value:
    """Return a pointwise result; operands that are converted first are packed by that."""
    shape = broadcast(*(operand.shape for operand in operands))
    layouts = [
        (x.shape, x.strides if x.dtype == to else preserved(x.shape, x.strides))
        for x, to in zip(operands, dtypes, strict=True)
    ]
    return fresh(dtype, shape, bounds, pointwise(shape, layouts))


# ---- conversion


def converted(operand: Operand, dtype: str) -> Bounds:
    """Return an operand's bounds after conversion to a dtype."""
    if isinstance(operand, Weak):
        return _of_number(operand.value, dtype)
    bounds = convert(operand.bounds, operand.dtype, dtype)
    if dtype in NARROW and not operand.shape and operand.dtype != dtype:
        return _either(convert(operand.bounds, operand.dtype, "float32"), bounds)
    return bounds


NARROW = ("float16", "bfloat16")


def _either(wide: Bounds, narrow: Bounds) -> Bounds:
    """Return bounds of both: PyTorch rounds a number beside 16-bit floats to them, or to float32.

    Which it does depends on the operation.
    """
    low, high = np.minimum(wide.low, narrow.low), np.maximum(wide.high, narrow.high)
    return settled(low, high, narrow.known)


def _of_number(value: bool | int | float, dtype: str) -> Bounds:
    if dtype == "bool":
        return exactly(np.array(bool(value)))
    if dtype in INTEGERS:
        if isinstance(value, float):
            raise Invalid("a float beside integers decides the dtype")
        return exactly(wrap(np.array(int(value)), dtype))
    number = np.array(float(value))
    narrow = exactly(round_to(number, dtype))
    return _either(exactly(round_to(number, "float32")), narrow) if dtype in NARROW else narrow


def convert(bounds: Bounds, source: str, dtype: str) -> Bounds:
    """Return bounds after a conversion: floats to integers truncate, narrow integers wrap."""
    if source == dtype:
        return bounds
    low, high, known = bounds
    if dtype == "bool":
        if source not in FLOATS:
            return Bounds(low != 0, low != 0, known)
        crosses = (low <= 0) & (high >= 0)
        truth = ~((low == 0) & (high == 0))
        return Bounds(truth, truth, known & (~crosses | ((low == 0) & (high == 0))))
    if source not in FLOATS:
        if dtype in INTEGERS:
            exact = wrap(low.astype(np.int64), dtype)
            return Bounds(exact, exact, known)
        if dtype == "float64":
            exact = low.astype(np.float64)
        else:
            exact = round_to(low.astype(np.float32).astype(np.float64), dtype)
        return Bounds(exact, exact, known)
    if dtype in FLOATS:
        return settled(round_to(low, dtype), round_to(high, dtype), known)
    first, last = _to_integer(low, dtype), _to_integer(high, dtype)
    steady = bounds.is_point | (np.trunc(low) == np.trunc(high))
    return Bounds(first, first, known & steady & (first == last))


def _to_integer(values: Array, dtype: str) -> Array:
    """Truncate; int32 and int64 give their minimum for the rest, others the low bits of int32."""
    width = 64 if dtype == "int64" else 32
    whole = np.trunc(values)
    bound = 2.0 ** (width - 1)
    inside = (whole >= -bound) & (whole < bound)
    integers = np.where(inside, whole, 0).astype(np.int64)
    return wrap(np.where(inside, integers, -(2 ** (width - 1))), dtype)


def cast(x: Value, dtype: str) -> Value:
    """Return a value of another dtype, in memory of its own."""
    bounds = convert(x.bounds, x.dtype, dtype)
    return fresh(dtype, x.shape, bounds, preserved(x.shape, x.strides))


# ---- floats


def _ulp(name: str) -> float:
    row = TABLE[name]
    assert isinstance(row, ElementwiseOp)
    return row.ulp


def _smooth(name: str, function: Callable[..., Array]) -> FloatFunction:
    """Return a monotone function, with the error bound of its row."""

    def on_floats(dtype: str, *operands: Bounds) -> Bounds:
        return monotone(function, operands, dtype, _ulp(name))

    return on_floats


def _bent(name: str, function: Callable[[Array], Array], slope: float) -> FloatFunction:
    def on_floats(dtype: str, x: Bounds, **attributes: Any) -> Bounds:
        chosen = _gelu_tanh if attributes.get("approximate") == "tanh" else function
        # The oracle's own exp(-x * x / 2) loses digits where it is small.
        own = np.minimum(np.abs(x.low) ** 3, 1e6) if name == "gelu" and dtype == "float64" else 0.0
        return lipschitz(chosen, x, slope, dtype, _ulp(name) + own)

    return on_floats


def _vectorized(function: Callable[[float], float]) -> Callable[[Array], Array]:
    made = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(made(np.asarray(x, np.float64)), np.float64)


_erf, _erfc = _vectorized(math.erf), _vectorized(math.erfc)


def _sigmoid(x: Array) -> Array:
    small = np.exp(-np.abs(x))
    return np.where(x < 0, small / (1 + small), 1 / (1 + small))


def _silu(x: Array) -> Array:
    return np.where(np.isneginf(x), np.nan, x * _sigmoid(x))


def _gelu(x: Array) -> Array:
    return x * (_erfc(-x / math.sqrt(2)) / 2)


def _gelu_tanh(x: Array) -> Array:
    return x * _sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


def _divide(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    result = monotone(np.divide, (a, b), dtype)
    return result._replace(known=result.known & _keeps_sign(b))


def _keeps_sign(b: Bounds) -> Array:
    """Whether bounds are one number or do not contain zero."""
    return b.is_point | (b.low > 0) | (b.high < 0)


def _reciprocal(dtype: str, x: Bounds) -> Bounds:
    return _divide(dtype, exactly(np.ones(())), x)


def _reciprocal_root(dtype: str, x: Bounds) -> Bounds:
    result = monotone(lambda v: 1 / np.sqrt(v), (x,), dtype, _ulp("rsqrt"))
    return result._replace(known=result.known & _keeps_sign(x))


def _absolute(dtype: str, x: Bounds) -> Bounds:
    a, b = np.abs(x.low), np.abs(x.high)
    crosses = (x.low <= 0) & (x.high >= 0) & ~x.is_point
    return settled(np.where(crosses, 0.0, np.minimum(a, b)), np.maximum(a, b), x.known)


def _square(dtype: str, x: Bounds) -> Bounds:
    size = _absolute(dtype, x)
    return monotone(lambda v: v * v, (size,), dtype)


def _scaled(sign: int) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds, alpha: float = 1) -> Bounds:
        if alpha == 1:
            return monotone(np.add if sign > 0 else np.subtract, (a, b), dtype)
        factor = float(round_to(np.array(float(sign * alpha)), dtype))
        result = monotone(lambda x, y: x + factor * y, (a, b), dtype)
        # PyTorch scales in one rounding or in two; a two-rounding result differs by this.
        slack = spacing(factor * np.maximum(abs(b.low), abs(b.high)), dtype)
        slack = slack + spacing(np.maximum(abs(result.low), abs(result.high)), dtype)
        low, high = result.low - slack, result.high + slack
        keep = ~np.isfinite(result.low)
        low, high = np.where(keep, result.low, low), np.where(keep, result.high, high)
        return rounded(low, high, result.known, dtype)

    return on_floats


def _extreme(choose: Callable[[Array, Array], Array], larger: bool) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        any_nan = (a.is_point & np.isnan(a.low)) | (b.is_point & np.isnan(b.low))
        # 0.0 and -0.0 are equal: which of them comes out is not said.
        low = np.where((a.low == 0) & (b.low == 0), -0.0, choose(a.low, b.low))
        high = np.where((a.high == 0) & (b.high == 0), 0.0, choose(a.high, b.high))
        low, high = np.where(any_nan, np.nan, low), np.where(any_nan, np.nan, high)
        return settled(low, high, (a.known & b.known) | any_nan)

    return on_floats


_maximum, _minimum = _extreme(np.maximum, True), _extreme(np.minimum, False)


def _rectify(dtype: str, x: Bounds) -> Bounds:
    return _maximum(dtype, x, exactly(np.zeros(())))


def _stepwise(function: Callable[[Array], Array]) -> FloatFunction:
    def on_floats(dtype: str, x: Bounds) -> Bounds:
        return settled(function(x.low), function(x.high), x.known)

    return on_floats


def _negative(dtype: str, x: Bounds) -> Bounds:
    return settled(-x.high, -x.low, x.known)


def _sign(x: Array) -> Array:
    return np.where(np.isnan(x), 0.0, np.sign(x))


def _on_points(function: Callable[..., Array]) -> FloatFunction:
    """Return a function that is evaluated in the dtype's arithmetic, at points only."""

    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        kind = np.float64 if dtype == "float64" else np.float32
        value = function(a.low.astype(kind), b.low.astype(kind)).astype(np.float64)
        value = round_to(value, dtype)
        return settled(value, value, a.is_point & b.is_point)

    return on_floats


def _remainder(a: Array, b: Array) -> Array:
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((rest < 0) != (b < 0)), rest + b, rest)


def _floor_divide(a: Array, b: Array) -> Array:
    return np.where(b == 0, a / b, np.floor_divide(a, b))


def _truncated(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    # The quotient is rounded to the dtype that arithmetic is done in, then cut.
    quotient = _divide("float64" if dtype == "float64" else "float32", a, b)
    return settled(
        round_to(np.trunc(quotient.low), dtype),
        round_to(np.trunc(quotient.high), dtype),
        quotient.known,
    )


def _power(dtype: str, a: Bounds, b: Bounds) -> Bounds:
    result = monotone(np.power, (a, b), dtype, _ulp("power"))
    points = a.is_point & b.is_point
    return result._replace(known=result.known & (points | (a.low > 0)))


# ---- comparisons of bounds: truth values that may not be known


def _ordering(name: str) -> FloatFunction:
    relation: Callable[[Array, Array], Array] = getattr(np, name)

    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        truth = relation(a.low, b.high)
        same = truth == relation(a.high, b.low)
        same = same & (truth == relation(a.low, b.low)) & (truth == relation(a.high, b.high))
        return Bounds(truth, truth, a.known & b.known & same)

    return on_floats


def _equality(negated: bool) -> FloatFunction:
    def on_floats(dtype: str, a: Bounds, b: Bounds) -> Bounds:
        apart = (a.high < b.low) | (b.high < a.low)
        points = (a.low == a.high) & (b.low == b.high)
        any_nan = (np.isnan(a.low) & a.is_point) | (np.isnan(b.low) & b.is_point)
        truth = np.where(apart | any_nan, False, a.low == b.low) ^ negated
        return Bounds(truth, truth, a.known & b.known & (apart | points | any_nan))

    return on_floats


def _is_nan(dtype: str, x: Bounds) -> Bounds:
    truth = np.isnan(x.low)
    return Bounds(truth, truth, x.known)


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
    return lambda dtype, *arrays, **attributes: np.asarray(function(*arrays, **attributes))


def _integer_scaled(sign: int) -> ExactFunction:
    def on_integers(dtype: str, a: Array, b: Array, alpha: int = 1) -> Array:
        return a + sign * alpha * b

    return on_integers


def _bool_sum(dtype: str, a: Array, b: Array, alpha: Any = 1) -> Array:
    return a | (b & bool(alpha))


_or, _and, _xor = _plain(np.logical_or), _plain(np.logical_and), _plain(np.logical_xor)
_same = _plain(lambda x: x)

RULES: dict[str, Rule] = {
    "add": Rule("promote", DTYPES, _scaled(1), _integer_scaled(1), _bool_sum),
    "sub": Rule("promote", REALS, _scaled(-1), _integer_scaled(-1)),
    "mul": Rule("promote", DTYPES, _smooth("mul", np.multiply), _plain(np.multiply), _and),
    "true_divide": Rule("int_to_float", FLOATS, _divide),
    "floor_divide": Rule("promote", REALS, _on_points(_floor_divide), _integer_floor),
    "trunc_divide": Rule("promote", REALS, _truncated, _integer_trunc),
    "remainder": Rule("promote", REALS, _on_points(_remainder), _integer_remainder),
    "neg": Rule("promote", REALS, _negative, _plain(np.negative)),
    "abs": Rule("promote", REALS, _absolute, _plain(np.abs)),
    "sign": Rule("promote", DTYPES, _stepwise(_sign), _plain(np.sign), _same),
    "reciprocal": Rule("int_to_float", FLOATS, _reciprocal),
    "power": Rule("promote", REALS, _power, _integer_power),
    "maximum": Rule("promote", DTYPES, _maximum, _plain(np.maximum), _or),
    "minimum": Rule("promote", DTYPES, _minimum, _plain(np.minimum), _and),
    "floor": Rule("promote", REALS, _stepwise(np.floor), _same),
    "ceil": Rule("promote", REALS, _stepwise(np.ceil), _same),
    "round": Rule("promote", REALS, _stepwise(np.rint), _same),
    "trunc": Rule("promote", REALS, _stepwise(np.trunc), _same),
    "relu": Rule("promote", REALS, _rectify, _plain(lambda x: np.maximum(x, 0))),
    "bitwise_and": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_and), _and),
    "bitwise_or": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_or), _or),
    "bitwise_xor": Rule("promote", ("bool", *INTEGERS), None, _plain(np.bitwise_xor), _xor),
    "bitwise_not": Rule(
        "promote", ("bool", *INTEGERS), None, _plain(np.invert), _plain(np.logical_not)
    ),
    "bitwise_left_shift": Rule("promote", INTEGERS, None, _shifted_left),
    "bitwise_right_shift": Rule("promote", INTEGERS, None, _shifted_right),
    "eq": Rule("compare", DTYPES, _equality(False), _plain(np.equal), _plain(np.equal)),
    "ne": Rule("compare", DTYPES, _equality(True), _plain(np.not_equal), _plain(np.not_equal)),
    "lt": Rule("compare", DTYPES, _ordering("less"), _plain(np.less), _plain(np.less)),
    "le": Rule(
        "compare", DTYPES, _ordering("less_equal"), _plain(np.less_equal), _plain(np.less_equal)
    ),
    "gt": Rule("compare", DTYPES, _ordering("greater"), _plain(np.greater), _plain(np.greater)),
    "ge": Rule(
        "compare",
        DTYPES,
        _ordering("greater_equal"),
        _plain(np.greater_equal),
        _plain(np.greater_equal),
    ),
    "logical_and": Rule("logical", ("bool",), None, None, _and),
    "logical_or": Rule("logical", ("bool",), None, None, _or),
    "logical_xor": Rule("logical", ("bool",), None, None, _xor),
    "logical_not": Rule("logical", ("bool",), None, None, _plain(np.logical_not)),
    "isnan": Rule("test", DTYPES, _is_nan, _plain(np.isnan), _plain(np.isnan)),
    "sqrt": Rule("int_to_float", FLOATS, _smooth("sqrt", np.sqrt)),
    "rsqrt": Rule("int_to_float", FLOATS, _reciprocal_root),
    "sin": Rule("int_to_float", FLOATS, _bent("sin", np.sin, 1.0)),
    "cos": Rule("int_to_float", FLOATS, _bent("cos", np.cos, 1.0)),
    "erf": Rule("int_to_float", FLOATS, _smooth("erf", _erf)),
    "sigmoid": Rule("int_to_float", FLOATS, _smooth("sigmoid", _sigmoid)),
    "gelu": Rule("promote", FLOATS, _bent("gelu", _gelu, 1.2)),
    "silu": Rule("promote", FLOATS, _bent("silu", _silu, 1.2)),
    **{
        name: Rule("int_to_float", FLOATS, _smooth(name, getattr(np, name)))
        for name in ("exp", "exp2", "expm1", "log", "log1p", "log2", "tanh")
    },
}
#: Whether these raise depends on values.
NEEDS_VALUES = [RULES[name] for name in ("floor_divide", "trunc_divide", "remainder")]


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
    rule = Rule("promote", REALS, _square, _plain(lambda v: v * v))
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
        usual = (bounds.low != 0) & np.isfinite(bounds.low) & np.isfinite(bounds.high)
        bounds = bounds._replace(known=bounds.known & usual)
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


OPERATIONS.update(
    {
        "add": _add_or_sub("add"),
        "sub": _add_or_sub("sub"),
        "div": _div,
        "square": _squared,
        "rdiv": lambda a, b: OPERATIONS["mul"](OPERATIONS["reciprocal"](b), a),
        "pow": _pow,
        "clamp": _clamp,
        "clamp_min": lambda x, min: _clamp(x, min),
        "clamp_max": lambda x, max: _clamp(x, None, max),
        "where": _where,
        "gelu": lambda x, *, approximate="none": _apply(
            RULES["gelu"], (x,), approximate=approximate
        ),
    }
)
