"""The special functions against mpmath, and their zeros, infinities and NaN as PyTorch has them."""

# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false

import importlib
import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import DType, float32, float64
from trilith.dialects.ops.scalars.expansions import gamma_function
from trilith.dialects.ops.scalars.expansions.registry import EXPANSIONS
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import SPECIALS

# Imported by name because mpmath has no types.
mpmath: Any = importlib.import_module("mpmath")
INF, NAN = math.inf, math.nan
DTYPES = pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)


class Case(NamedTuple):
    """A function: its exact values, where samples lie, its bound in float64, and what it swings by.

    A function with a `scale` has errors of that size where it is itself smaller.
    """

    exact: Callable[..., Any]
    low: float
    high: float
    bound: float
    scale: Callable[..., Any] | None = None


def _wave(x: Any) -> Any:
    """Return the size of an oscillation."""
    return min(1, mpmath.sqrt(2 / (mpmath.pi * abs(x)))) if x else 1


def _airy_wave(x: Any) -> Any:
    return mpmath.mpf("0.5") if abs(x) < 2 else abs(x) ** -0.25 if x < 0 else 0


def _normal(x: Any) -> Any:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def _log_normal(x: Any) -> Any:
    return mpmath.log1p(-_normal(-x)) if x > 0 else mpmath.log(_normal(x))


def _larger(x: Any, y: Any) -> Any:
    return max(abs(x), abs(y))


CASES = {
    "lgamma": Case(mpmath.loggamma, 0.0, 40.0, 2.0),
    "digamma": Case(mpmath.digamma, 0.0, 40.0, 5.0),
    "trigamma": Case(lambda x: mpmath.polygamma(1, x), 0.0, 40.0, 3.0),
    "sinc": Case(mpmath.sincpi, -9.0, 9.0, 2.5),
    "erfcx": Case(lambda x: mpmath.exp(x * x) * mpmath.erfc(x), -9.0, 60.0, 3.0),
    "erfinv": Case(mpmath.erfinv, -1.0, 1.0, 5.0),
    "ndtr": Case(_normal, -37.0, 9.0, 3.0),
    "ndtri": Case(lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), 0.0, 1.0, 5.0),
    "log_ndtr": Case(_log_normal, -37.0, 9.0, 3.0),
    "logit": Case(lambda x: mpmath.log(x / (1 - x)), 0.0, 1.0, 2.0),
    "entr": Case(lambda x: -x * mpmath.log(x), 0.0, 9.0, 2.0),
    "i0": Case(lambda x: mpmath.besseli(0, x), -20.0, 20.0, 3.5),
    "i1": Case(lambda x: mpmath.besseli(1, x), -20.0, 20.0, 3.5),
    "i0e": Case(lambda x: mpmath.besseli(0, x) * mpmath.exp(-abs(x)), -20.0, 20.0, 3.5),
    "i1e": Case(lambda x: mpmath.besseli(1, x) * mpmath.exp(-abs(x)), -20.0, 20.0, 3.5),
    "k0": Case(lambda x: mpmath.besselk(0, x), 0.0, 20.0, 6.0),
    "k1": Case(lambda x: mpmath.besselk(1, x), 0.0, 20.0, 6.0),
    "k0e": Case(lambda x: mpmath.besselk(0, x) * mpmath.exp(x), 0.0, 20.0, 6.0),
    "k1e": Case(lambda x: mpmath.besselk(1, x) * mpmath.exp(x), 0.0, 20.0, 6.0),
    "j0": Case(lambda x: mpmath.besselj(0, x), -40.0, 40.0, 3.0, _wave),
    "j1": Case(lambda x: mpmath.besselj(1, x), -40.0, 40.0, 3.0, _wave),
    "y0": Case(lambda x: mpmath.bessely(0, x), 0.0, 40.0, 4.0, _wave),
    "y1": Case(lambda x: mpmath.bessely(1, x), 0.0, 40.0, 4.0, _wave),
    "spherical_j0": Case(mpmath.sinc, -40.0, 40.0, 2.0),
    "airy_ai": Case(mpmath.airyai, -30.0, 10.0, 100.0, _airy_wave),
    "xlogy": Case(lambda x, y: x * mpmath.log(y), 0.0, 9.0, 2.0),
    "xlog1py": Case(lambda x, y: x * mpmath.log1p(y), 0.0, 9.0, 2.0),
    "logaddexp": Case(
        lambda x, y: mpmath.log(mpmath.exp(x) + mpmath.exp(y)), -9.0, 9.0, 2.0, _larger
    ),
    "logaddexp2": Case(lambda x, y: mpmath.log(2**x + 2**y, 2), -9.0, 9.0, 2.0, _larger),
}
#: Results at 0, -0, 1, -1, inf, -inf, NaN, of PyTorch 2.13; None is any number.
SPECIAL: dict[str, list[float | None]] = {
    "lgamma": [INF, INF, 0, INF, INF, INF, NAN],
    "digamma": [-INF, INF, None, NAN, INF, NAN, NAN],
    "trigamma": [INF, INF, None, INF, 0, NAN, NAN],
    "sinc": [1, 1, 0, 0, NAN, NAN, NAN],
    "logit": [-INF, -INF, INF, NAN, NAN, NAN, NAN],
    "erfinv": [0.0, -0.0, INF, -INF, NAN, NAN, NAN],
    "i0": [1, 1, None, None, NAN, NAN, NAN],
    "i0e": [1, 1, None, None, 0, 0, NAN],
    "i1": [0, 0, None, None, NAN, NAN, NAN],
    "i1e": [0, 0, None, None, 0.0, -0.0, NAN],
    "erfcx": [1, 1, None, None, 0, INF, NAN],
    "entr": [0, 0, 0, -INF, -INF, -INF, NAN],
    "ndtr": [0.5, 0.5, None, None, 1, 0, NAN],
    "ndtri": [-INF, -INF, INF, NAN, NAN, NAN, NAN],
    "log_ndtr": [None, None, None, None, 0, -INF, NAN],
    "j0": [1, 1, None, None, NAN, NAN, NAN],
    "j1": [0.0, -0.0, None, None, NAN, NAN, NAN],
    "y0": [-INF, -INF, None, NAN, NAN, NAN, NAN],
    "y1": [-INF, -INF, None, NAN, NAN, NAN, NAN],
    "k0": [INF, INF, None, NAN, 0, NAN, NAN],
    "k1": [INF, INF, None, NAN, 0, NAN, NAN],
    "k0e": [INF, INF, None, NAN, 0, NAN, NAN],
    "k1e": [INF, INF, None, NAN, 0, NAN, NAN],
    "spherical_j0": [1, 1, None, None, 0, 0, NAN],
    "airy_ai": [None, None, None, None, NAN, NAN, NAN],
}


def evaluate(function: Callable[..., Any], dtype: DType, *columns: Any) -> Any:
    language = NumpyLanguage()
    arrays = (language.array(np.array(column, dtype.numpy), dtype) for column in columns)
    return function(*arrays).value


def worst_error(
    function: Callable[..., Any],
    exact: Callable[..., Any],
    dtype: DType,
    *columns: Any,
    scale: Callable[..., Any] | None = None,
) -> float:
    """Return the largest error in units in the last place of the exact value."""
    columns = tuple(np.array(column, dtype.numpy) for column in columns)
    got = evaluate(function, dtype, *columns)
    precision, smallest = (24, -125) if dtype is float32 else (53, -1021)
    worst = 0.0
    with mpmath.workprec(250):
        rows = zip(*(column.tolist() for column in (*columns, got)), strict=True)
        for *operands, result in rows:
            numbers = [mpmath.mpf(operand) for operand in operands]
            value = mpmath.re(exact(*numbers))
            size = max(abs(value), scale(*numbers)) if scale else abs(value)
            exponent = max(mpmath.frexp(size)[1], smallest)
            worst = max(worst, float(abs(result - value) / mpmath.ldexp(1, exponent - precision)))
    return worst


def samples(case: Case, count: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    x = rng.uniform(case.low, case.high, count)
    x[::4] *= 2.0 ** rng.uniform(-20, 0, len(x[::4]))
    return x


def test_every_function_has_its_row() -> None:
    assert set(CASES) == set(SPECIALS)
    assert set(SPECIAL) == {name for name, count in SPECIALS.items() if count == 1}


@DTYPES
@pytest.mark.parametrize("name", CASES)
def test_errors(name: str, dtype: DType) -> None:
    case = CASES[name]
    columns = [samples(case, 60, seed) for seed in range(SPECIALS[name])]
    bound = 0.6 if dtype is float32 else case.bound
    error = worst_error(EXPANSIONS[name], case.exact, dtype, *columns, scale=case.scale)
    assert 0.3 < error <= bound


@DTYPES
@pytest.mark.parametrize("name", SPECIAL)
def test_special_values(name: str, dtype: DType) -> None:
    got = evaluate(EXPANSIONS[name], dtype, [0.0, -0.0, 1, -1, INF, -INF, NAN])
    for result, expected in zip(got.tolist(), SPECIAL[name], strict=True):
        if expected is None:
            assert math.isfinite(result)
        else:
            ulp = float(np.finfo(dtype.numpy).eps)
            np.testing.assert_allclose(result, expected, rtol=2 * ulp, atol=0.0)
    if name in ("erfinv", "j1"):
        assert np.signbit(got[:2]).tolist() == [False, True]


@DTYPES
@pytest.mark.parametrize("name", ["lgamma", "digamma", "trigamma"])
def test_reflection(name: str, dtype: DType) -> None:
    x = np.random.default_rng(7).uniform(-9, 0, 60)
    error = worst_error(EXPANSIONS[name], CASES[name].exact, dtype, x, scale=lambda x: abs(x) + 1)
    assert error <= (0.6 if dtype is float32 else 8.0)


def _hurwitz(x: Any, q: Any) -> Any:
    """Return Hurwitz's zeta function, of a negative q by the terms that mpmath has not."""
    total = mpmath.mpf(0)
    while q < 0:
        total, q = total + q ** -int(x), q + 1
    return total + mpmath.zeta(x, q)


def test_zeta() -> None:
    rng = np.random.default_rng(9)
    x, q = rng.uniform(1.01, 20, 40), rng.uniform(0.01, 30, 40)
    assert worst_error(gamma_function.zeta, _hurwitz, float32, x, q) <= 0.6
    assert worst_error(gamma_function.zeta, _hurwitz, float64, x, q) <= 64.0
    x, q = rng.integers(2, 9, 40), rng.uniform(-30, 0, 40)
    assert worst_error(gamma_function.zeta, _hurwitz, float32, x, q) <= 0.6
    got = evaluate(gamma_function.zeta, float64, [1, 0.5, 2, 2.5, 2, NAN], [1, 1, -3, -0.5, 0, 1])
    np.testing.assert_equal(got, [INF, NAN, INF, NAN, INF, NAN])


@pytest.mark.parametrize("order", [2, 3, 7])
def test_polygamma(order: int) -> None:
    def function(x: Any) -> Any:
        return gamma_function.polygamma(x, order)

    rng = np.random.default_rng(order)
    x = np.concatenate([rng.uniform(0.01, 20, 40), 2.0 ** rng.uniform(-9, 9, 20)])
    exact = lambda x: mpmath.polygamma(order, x)  # noqa: E731
    assert worst_error(function, exact, float64, x) <= 20.0
    assert worst_error(function, exact, float32, np.concatenate([x, -x])) <= 0.6


@DTYPES
@pytest.mark.parametrize("name", ["erfcx", "lgamma", "digamma", "i0e", "i1e", "k0e", "k1e"])
def test_large_arguments(name: str, dtype: DType) -> None:
    x = 2.0 ** np.random.default_rng(8).uniform(6, 100, 40)
    # What decays as one over x, and its root, by the first terms of the series.
    series: dict[str, Callable[[Any], Any]] = {
        "erfcx": lambda x: (1 - 1 / (2 * x * x) + 3 / (4 * x**4)) / (x * mpmath.sqrt(mpmath.pi)),
        "i0e": lambda x: mpmath.besseli(0, x) * mpmath.exp(-x),
        "i1e": lambda x: mpmath.besseli(1, x) * mpmath.exp(-x),
        "k0e": lambda x: mpmath.besselk(0, x) * mpmath.exp(x),
        "k1e": lambda x: mpmath.besselk(1, x) * mpmath.exp(x),
    }
    if name == "erfcx":
        x = x[x > 2.0**12]
    elif name in series:
        x = x[x < 2.0**20]
    error = worst_error(EXPANSIONS[name], series.get(name, CASES[name].exact), dtype, x)
    assert error <= (0.6 if dtype is float32 else CASES[name].bound)


@DTYPES
def test_products_with_logarithms(dtype: DType) -> None:
    x, y = [0.0, 0.0, 0.0, 1.0, 0.0, 2.0], [0.0, NAN, INF, -2.0, -2.0, 0.0]
    expected = [0.0, NAN, 0.0, NAN, 0.0, -INF]
    np.testing.assert_equal(evaluate(EXPANSIONS["xlogy"], dtype, x, y), expected)
    expected = [0.0, NAN, 0.0, NAN, 0.0, 0.0]
    np.testing.assert_equal(evaluate(EXPANSIONS["xlog1py"], dtype, x, y), expected)


@DTYPES
@pytest.mark.parametrize("name", ["logaddexp", "logaddexp2"])
def test_sums_of_infinities(name: str, dtype: DType) -> None:
    x, y = [INF, -INF, INF, -INF, NAN, NAN], [INF, -INF, -INF, 1.0, 1.0, INF]
    got = evaluate(EXPANSIONS[name], dtype, x, y)
    np.testing.assert_equal(got, [INF, -INF, INF, 1.0, NAN, NAN])
