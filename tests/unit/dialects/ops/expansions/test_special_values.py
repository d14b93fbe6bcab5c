"""Zeros, infinities, NaN, denormals and exact points of the expansions, in both formats."""

import math
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import COMPOUNDS, PRIMITIVES, SPECIALS

INF, NAN = math.inf, math.nan
DTYPES = pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)

#: Functions that are x near zero.
ODD = ("sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "expm1", "log1p")
#: Function -> results at 0, -0, inf, -inf, NaN; at a huge and a huge negative number.
SPECIAL = {
    "exp": [1, 1, INF, 0.0, NAN, INF, 0.0],
    "exp2": [1, 1, INF, 0.0, NAN, INF, 0.0],
    "expm1": [0.0, -0.0, INF, -1, NAN, INF, -1],
    "log": [-INF, -INF, INF, NAN, NAN, None, NAN],
    "log1p": [0.0, -0.0, INF, NAN, NAN, None, NAN],
    "log2": [-INF, -INF, INF, NAN, NAN, None, NAN],
    "sin": [0.0, -0.0, NAN, NAN, NAN, None, None],
    "cos": [1, 1, NAN, NAN, NAN, None, None],
    "tanh": [0.0, -0.0, 1, -1, NAN, 1, -1],
    "erf": [0.0, -0.0, 1, -1, NAN, 1, -1],
    "erfc": [1, 1, 0.0, 2, NAN, 0.0, 2],
    "sigmoid": [0.5, 0.5, 1, 0.0, NAN, 1, 0.0],
    "silu": [0.0, -0.0, INF, NAN, NAN, 1e30, -0.0],
    "gelu_erf": [0.0, -0.0, INF, NAN, NAN, 1e30, -0.0],
    "gelu_tanh": [0.0, -0.0, INF, NAN, NAN, 1e30, -0.0],
    "tan": [0.0, -0.0, NAN, NAN, NAN, None, None],
    "asin": [0.0, -0.0, NAN, NAN, NAN, NAN, NAN],
    "acos": [math.pi / 2, math.pi / 2, NAN, NAN, NAN, NAN, NAN],
    "atan": [0.0, -0.0, *(math.pi / 2, -math.pi / 2, NAN), math.pi / 2, -math.pi / 2],
    "sinh": [0.0, -0.0, INF, -INF, NAN, INF, -INF],
    "cosh": [1, 1, INF, INF, NAN, INF, INF],
    "asinh": [0.0, -0.0, INF, -INF, NAN, None, None],
    "acosh": [NAN, NAN, INF, NAN, NAN, None, NAN],
    "atanh": [0.0, -0.0, NAN, NAN, NAN, NAN, NAN],
    "log10": [-INF, -INF, INF, NAN, NAN, 30, NAN],
}


def evaluate(name: str, dtype: DType, *columns: Any) -> Any:
    language = NumpyLanguage()
    arrays = [language.array(np.array(column, dtype.numpy), dtype) for column in columns]
    return EXPANSIONS[name](*arrays).value


def same(got: Any, expected: Any) -> None:
    """Equal in value and in the sign of zero; any NaN equals any NaN."""
    expected = np.array(expected, got.dtype)
    np.testing.assert_array_equal(got, expected)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(expected)[numbers])


def test_every_function_has_its_row() -> None:
    assert set(SPECIAL) | {"pow", "atan2"} == set(PRIMITIVES) | set(COMPOUNDS)
    assert set(PRIMITIVES) | set(COMPOUNDS) | set(SPECIALS) == set(EXPANSIONS)


@DTYPES
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(name: str, dtype: DType) -> None:
    got = evaluate(name, dtype, [0.0, -0.0, INF, -INF, NAN, 1e30, -1e30])
    known = [index for index, value in enumerate(SPECIAL[name]) if value is not None]
    same(got[known], [SPECIAL[name][index] for index in known])


@pytest.mark.parametrize("name", SPECIAL)
def test_every_nan_gives_nan(name: str) -> None:
    rng = np.random.default_rng(1)
    for dtype, quiet, count in ((float32, 0x7F800000, 23), (float64, 0x7FF << 52, 52)):
        integers = np.dtype(f"uint{dtype.bits}")
        payload = rng.integers(1, 1 << count, 100, integers) | integers.type(quiet)
        sign = rng.integers(0, 2, 100).astype(integers) << integers.type(dtype.bits - 1)
        assert np.isnan(evaluate(name, dtype, (payload | sign).view(dtype.numpy))).all()


@DTYPES
@pytest.mark.parametrize(
    "name", ["sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "expm1", "log1p"]
)
def test_small_arguments_are_their_own_results(name: str, dtype: DType) -> None:
    tiny, smallest = np.finfo(dtype.numpy).tiny, np.finfo(dtype.numpy).smallest_subnormal
    x = np.array([smallest, -smallest, 3 * smallest, tiny / 2, -tiny, tiny * 3], dtype.numpy)
    same(evaluate(name, dtype, x), x)


@DTYPES
def test_denormals_round_once(dtype: DType) -> None:
    precision = 149 if dtype is float32 else 1074
    exponents = np.arange(-precision - 2, -precision + 60)
    same(evaluate("exp2", dtype, exponents), np.ldexp(1.0, exponents).astype(dtype.numpy))
    powers = np.ldexp(dtype.numpy.type(1), np.arange(-precision, -precision + 60))
    same(evaluate("log2", dtype, powers), np.arange(-precision, -precision + 60))


@DTYPES
def test_exact_points(dtype: DType) -> None:
    bias = 127 if dtype is float32 else 1023
    exponents = np.arange(-bias + 1, bias + 1)
    powers = np.ldexp(dtype.numpy.type(1), exponents)
    same(evaluate("exp2", dtype, exponents), powers)
    same(evaluate("log2", dtype, powers), exponents)
    same(evaluate("log", dtype, [1.0]), [0.0])
    decades = np.arange(-30, 31)
    same(evaluate("log10", dtype, 10.0**decades), decades)
    same(evaluate("acosh", dtype, [1.0]), [0.0])
    same(evaluate("atanh", dtype, [1.0, -1.0]), [INF, -INF])
    same(evaluate("acos", dtype, [1.0, -1.0]), [0.0, math.pi])
    same(evaluate("log1p", dtype, [-1.0, -1.5]), [-INF, NAN])
    same(evaluate("pow", dtype, [3.0, -2.0, 2.0, 10.0], [4.0, 3.0, -4.0, 0.0]), [81, -8, 2**-4, 1])


@DTYPES
def test_pow_follows_c(dtype: DType) -> None:
    big, huge = 1e30, float(np.finfo(dtype.numpy).max)
    values = [0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 1.5, -2.5, INF, -INF, NAN, big, -big]
    values += [huge, -huge, 2.0**23 + 1, -(2.0**24), 2.0**52 + 1, 1e-40, -1e-40]
    x, y = (column.ravel() for column in np.meshgrid(*[np.array(values, dtype.numpy)] * 2))
    got = evaluate("pow", dtype, x, y)
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), y.astype(np.float64)).astype(dtype.numpy)
    exact = ~np.isfinite(expected) | np.isin(np.abs(expected), [0.0, 1.0])
    assert exact.sum() > 300
    same(got[exact], expected[exact])
    np.testing.assert_array_equal(np.signbit(got)[~exact], np.signbit(expected)[~exact])


def test_largest_angles() -> None:
    x = np.array([3.4028235e38, 1e30, 2.0**100, 1.6e7], np.float32)
    same(evaluate("sin", float32, x), np.sin(x.astype(np.float64)).astype(np.float32))
    # sin and cos of 2^1000 from mpmath with 1100 bits.
    same(evaluate("sin", float64, [2.0**1000]), [-0.15920170308624243])
    same(evaluate("cos", float64, [2.0**1000]), [0.9872460775989135])


@DTYPES
def test_atan2_follows_c(dtype: DType) -> None:
    values = [0.0, -0.0, 1, -1, 2, -2, INF, -INF, NAN, 1e30, -1e30, 1e-40, -1e-40, 5e-324]
    y, x = (column.ravel() for column in np.meshgrid(*[np.array(values, dtype.numpy)] * 2))
    expected = np.arctan2(y.astype(np.float64), x.astype(np.float64)).astype(dtype.numpy)
    got = evaluate("atan2", dtype, y, x)
    numbers = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(got)[numbers], np.signbit(expected)[numbers])
    np.testing.assert_array_max_ulp(got, expected, 1, dtype.numpy)
