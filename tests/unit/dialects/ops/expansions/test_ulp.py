"""The error of every expansion, against float64 (for float32) and mpmath (for float64).

TRILITH_EXHAUSTIVE=n sweeps every n-th of all float32 bit patterns instead of a sample.
"""

import importlib
import math
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import COMPOUNDS, PRIMITIVES

Array = NDArray[Any]
# Imported by name because mpmath has no types.
mpmath: Any = importlib.import_module("mpmath")

#: Where each function varies, to sample densely; the other half of a sample is any bit pattern.
RANGES = {
    "exp": (-750.0, 715.0), "exp2": (-1080.0, 1026.0), "expm1": (-42.0, 715.0),
    "log": (0.0, 4.0), "log1p": (-1.0, 4.0), "log2": (0.0, 4.0),
    "sin": (-50.0, 50.0), "cos": (-50.0, 50.0), "tanh": (-22.0, 22.0),
    "erf": (-6.0, 6.0), "erfc": (-6.0, 28.0), "sigmoid": (-750.0, 40.0), "silu": (-750.0, 40.0),
    "gelu_erf": (-39.0, 9.0), "gelu_tanh": (-22.0, 9.0),
    "tan": (-50.0, 50.0), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "atan": (-10.0, 10.0),
    "sinh": (-5.0, 5.0), "cosh": (-5.0, 5.0), "log10": (0.0, 4.0),
    "asinh": (-10.0, 10.0), "acosh": (1.0, 10.0), "atanh": (-1.0, 1.0),
}  # fmt: skip


def stated_error(name: str, dtype: DType) -> float:
    """Return the largest error that the docstring states; it must be within the promise."""
    found = re.search(
        r"error:\s+float32\s+([\d.]+\d),\s+float64\s+([\d.]+\d)", EXPANSIONS[name].__doc__ or ""
    )
    assert found, f"the docstring of {name} states no error"
    stated = float(found.group(1 if dtype is float32 else 2))
    assert stated <= (2.0 if name in PRIMITIVES else 3.0)
    return stated


def evaluate(name: str, dtype: DType, *columns: Array) -> Array:
    language = NumpyLanguage()
    return EXPANSIONS[name](*(language.array(column, dtype) for column in columns)).value


# ---- float32


def _each(function: Callable[[float], float]) -> Callable[[Array], Array]:
    return lambda x: np.array([function(value) for value in x.tolist()])


def _sigmoid(x: Array) -> Array:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1.0) / (1.0 + e)


def _gelu_erf(x: Array) -> Array:
    return x * 0.5 * _each(math.erfc)(-x * math.sqrt(0.5))


def _gelu_tanh(x: Array) -> Array:
    return x * _sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x))


#: float64 functions, whose own error is below 2^-45 of any result that float32 can hold.
EXACT: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1,
    "log": np.log, "log1p": np.log1p, "log2": np.log2,
    "sin": np.sin, "cos": np.cos, "tanh": np.tanh,
    "erf": _each(math.erf), "erfc": _each(math.erfc),
    "sigmoid": _sigmoid, "silu": lambda x: x * _sigmoid(x),
    "gelu_erf": _gelu_erf, "gelu_tanh": _gelu_tanh,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "log10": np.log10,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
}  # fmt: skip


def errors_in_ulp(got: Array, exact: Array) -> Array:
    """Return |got - exact| in units of float32's last place at `exact`; an equal result is 0."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(np.float32)
        exponent = np.frexp(exact)[1] - 1
        unit = np.ldexp(1.0, np.clip(exponent, -126, 127) - 23)
        # An overflow counts from 2^128, where the next float32 would be.
        bounded = np.where(np.isinf(got), np.copysign(2.0**128, got), got.astype(np.float64))
        error = np.abs(bounded - np.clip(exact, -(2.0**128), 2.0**128)) / unit
    equal = (got == rounded) & (np.signbit(got) == np.signbit(rounded)) & ~np.isfinite(got)
    equal |= np.isnan(got) & np.isnan(rounded)
    wrong_sign = (np.signbit(got) != np.signbit(rounded)) & ~np.isnan(rounded)
    error = np.where(np.isnan(error) | wrong_sign, np.inf, error)
    return np.where(equal, 0.0, error)


def patterns(name: str) -> Iterator[Array]:
    """Yield float32 values: a fixed sample, or all of them with a stride."""
    stride = int(os.environ.get("TRILITH_EXHAUSTIVE", "0"))
    if stride:
        for start in range(0, 2**32, stride << 18):
            stop = min(start + (stride << 18), 2**32)
            yield np.arange(start, stop, stride).astype(np.uint32).view(np.float32)
        return
    rng = np.random.default_rng(20)
    yield rng.integers(0, 2**32, 1 << 17, np.uint32).view(np.float32)
    low, high = np.clip(RANGES[name], -160, 130)
    yield rng.uniform(low, high, 1 << 17).astype(np.float32)


@pytest.mark.parametrize("name", EXACT)
def test_float32(name: str) -> None:
    worst = 0.0
    for x in patterns(name):
        with np.errstate(all="ignore"):
            exact = EXACT[name](x.astype(np.float64))
        errors = errors_in_ulp(evaluate(name, float32, x), exact)
        worst = max(worst, float(errors.max()))
        at = int(errors.argmax())
        assert worst <= stated_error(name, float32), f"{name}({x[at]!r}) is {worst} ULP off"
    assert worst > 0.4, "nothing was measured"


def test_float32_pow() -> None:
    rng = np.random.default_rng(21)
    count = 1 << 16
    any_x, any_y = (rng.integers(0, 2**32, count, np.uint32).view(np.float32) for _ in range(2))
    large = np.exp(rng.uniform(-88, 88, count)).astype(np.float32)
    near_one = (1 + rng.uniform(-1, 1, count) * 2.0 ** rng.uniform(-23, -1, count)).astype("f4")
    near_one[near_one == 1] = 2
    target = rng.uniform(-151, 129, count)
    signed, whole = rng.standard_normal(count) * 10, rng.integers(-40, 40, count)
    for x, y in (
        (any_x, any_y),
        (large, target / np.log2(large.astype(np.float64))),
        (near_one, target / np.log2(near_one.astype(np.float64))),
        (signed.astype(np.float32), whole),
    ):
        y = np.asarray(y).astype(np.float32)
        with np.errstate(all="ignore"):
            exact = np.power(x.astype(np.float64), y.astype(np.float64))
        errors = errors_in_ulp(evaluate("pow", float32, x, y), exact)
        at = int(errors.argmax())
        assert errors[at] <= stated_error("pow", float32), (x[at], y[at], errors[at])


# ---- float64


def _mp_sigmoid(x: Any) -> Any:
    return 1 / (1 + mpmath.exp(-x))


def _mp_gelu_tanh(x: Any) -> Any:
    slope = 2 * mpmath.sqrt(2 / mpmath.pi)
    return x * _mp_sigmoid(slope * (x + mpmath.mpf("0.044715") * x**3))


#: Relative to a 110-bit context; expm1 and log1p keep it near zero.
MP_EXACT: dict[str, Callable[[Any], Any]] = {
    "exp": mpmath.exp, "exp2": lambda x: mpmath.power(2, x), "expm1": mpmath.expm1,
    "log": mpmath.log, "log1p": mpmath.log1p, "log2": lambda x: mpmath.log(x, 2),
    "sin": mpmath.sin, "cos": mpmath.cos, "tanh": mpmath.tanh,
    "erf": mpmath.erf, "erfc": mpmath.erfc,
    "sigmoid": _mp_sigmoid, "silu": lambda x: x * _mp_sigmoid(x),
    "gelu_erf": lambda x: x / 2 * mpmath.erfc(-x / mpmath.sqrt(2)), "gelu_tanh": _mp_gelu_tanh,
    "tan": mpmath.tan, "asin": mpmath.asin, "acos": mpmath.acos, "atan": mpmath.atan,
    "sinh": mpmath.sinh, "cosh": mpmath.cosh, "log10": mpmath.log10,
    "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
}  # fmt: skip
#: Where functions are defined that are not defined everywhere.
DEFINED = {
    "log": (0.0, math.inf), "log2": (0.0, math.inf), "log10": (0.0, math.inf),
    "log1p": (-1.0, math.inf), "acosh": (1.0, math.inf),
    **dict.fromkeys(("asin", "acos", "atanh"), (-1.0, 1.0)),
}  # fmt: skip


def error_in_ulp(got: float, exact: Any) -> float:
    """Return |got - exact| in units of float64's last place at `exact`."""
    bound = mpmath.ldexp(1, 1024)
    if math.isinf(got):
        got = mpmath.sign(got) * bound
    exact = max(-bound, min(bound, exact))
    exponent = mpmath.frexp(exact)[1] - 1 if exact else -1022
    unit = mpmath.ldexp(1, min(max(exponent, -1022), 1023) - 52)
    return float(abs(got - exact) / unit)


@pytest.mark.parametrize("name", MP_EXACT)
def test_float64(name: str) -> None:
    rng = np.random.default_rng(22)
    low, high = RANGES[name]
    x = np.concatenate([
        rng.integers(0, 2**64, 300, np.uint64).view(np.float64),
        rng.uniform(low, high, 500),
        rng.standard_normal(300) * 2.0 ** rng.uniform(-40, 3, 300),
        # The float64 nearest to a multiple of pi/2, relative to its size.
        [6381956970095103 * 2.0**797, 1e22, np.pi, np.pi / 2, np.pi / 4, 1.7976931348623157e308],
    ])  # fmt: skip
    above, below = DEFINED.get(name, (-np.inf, np.inf))
    x = x[np.isfinite(x) & (x > above) & (x < below)]
    if name in COMPOUNDS | {"tanh": 1, "erf": 1}:
        # Beyond, the result is exact and tested as a special value; mpmath would be slow.
        x = x[np.abs(x) < 1000]
    got = evaluate(name, float64, x)
    bound = stated_error(name, float64)
    worst = 0.0
    with mpmath.workprec(110):
        for value, result in zip(x.tolist(), got.tolist(), strict=True):
            if abs(value) > 1e5 and "exp" in name:
                exact = mpmath.inf if value > 0 else mpmath.mpf(-1 if name == "expm1" else 0)
            else:
                exact = MP_EXACT[name](mpmath.mpf(value))
            error = error_in_ulp(result, exact)
            assert error <= bound, f"{name}({value!r}) is {error} ULP off"
            worst = max(worst, error)
    assert worst > 0.4, "nothing was measured"


def test_float64_pow() -> None:
    rng = np.random.default_rng(23)
    count = 400
    large = np.exp(rng.uniform(-700, 700, count))
    near_one = 1 + rng.uniform(-1, 1, count) * 2.0 ** rng.uniform(-52, -1, count)
    near_one[near_one == 1] = 2
    middle = rng.uniform(0, 3, count)
    x = np.concatenate([large, near_one, middle, -np.abs(rng.standard_normal(count) * 10)])
    y = rng.uniform(-1076, 1025, 4 * count) / np.log2(np.abs(x))
    y[-count:] = rng.integers(-40, 40, count)
    got = evaluate("pow", float64, x, y)
    with mpmath.workprec(140):
        for a, b, result in zip(x.tolist(), y.tolist(), got.tolist(), strict=True):
            exact = mpmath.power(abs(mpmath.mpf(a)), mpmath.mpf(b))
            exact = -exact if a < 0 and b % 2 else exact
            error = error_in_ulp(result, exact)
            assert error <= stated_error("pow", float64), f"{a!r} ** {b!r} is {error} ULP off"


def test_atan2() -> None:
    rng = np.random.default_rng(24)
    y, x = (rng.standard_normal(900) * 2.0 ** rng.uniform(-9, 9, 900) for _ in range(2))
    short_y, short_x = y.astype(np.float32), x.astype(np.float32)
    exact = np.arctan2(short_y.astype(np.float64), short_x.astype(np.float64))
    errors = errors_in_ulp(evaluate("atan2", float32, short_y, short_x), exact)
    assert errors.max() <= stated_error("atan2", float32)
    got = evaluate("atan2", float64, y, x)
    with mpmath.workprec(110):
        for a, b, result in zip(y.tolist(), x.tolist(), got.tolist(), strict=True):
            error = error_in_ulp(result, mpmath.atan2(a, b))
            assert error <= stated_error("atan2", float64), f"{a!r}, {b!r}: {error} ULP off"
