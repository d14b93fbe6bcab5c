"""The words of the scalar language on NumPy, against Python's integers and exact fractions."""

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from trilith.dialects.attributes.dtype import (
    DType,
    bool_,
    by_name,
    float32,
    float64,
    int8,
    int32,
    int64,
    uint8,
    uint32,
    uint64,
)
from trilith.dialects.ops.scalars.reference import NumpyLanguage
from trilith.dialects.ops.scalars.scalar import (
    Scalar,
    bitcast,
    cast,
    ceil,
    check_failure,
    copysign,
    floor,
    fma,
    fmod,
    isnan,
    maximum,
    minimum,
    quotient,
    remainder_truncated,
    round_even,
    select,
    sqrt,
    trunc,
)

INTEGERS = [by_name(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
INF, NAN = math.inf, math.nan


def given(dtype: DType, *columns: Any) -> list[Scalar]:
    language = NumpyLanguage()
    return [language.array(np.array(column, dtype.numpy), dtype) for column in columns]


def wrap(value: int, dtype: DType) -> int:
    value %= 1 << dtype.bits
    return value - (1 << dtype.bits) if dtype.is_signed and value >> (dtype.bits - 1) else value


def samples(dtype: DType) -> list[int]:
    low, high = wrap(1 << (dtype.bits - 1), dtype), 0
    low = low if dtype.is_signed else 0
    high = low + (1 << dtype.bits) - 1
    middle = [value for value in (-100, -7, -3, -1, 0, 1, 2, 3, 7, 100) if low <= value <= high]
    return [low, low + 1, *middle, high - 1, high]


def pairs(dtype: DType) -> tuple[list[int], list[int]]:
    values = samples(dtype)
    return [a for a in values for _ in values], [b for _ in values for b in values]


def truncated(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def same(got: Scalar, expected: Any) -> None:
    """Equal in dtype and bits; any NaN equals any NaN."""
    assert got.value.dtype == got.dtype.numpy
    expected = np.array(expected, got.dtype.numpy)
    np.testing.assert_array_equal(got.value, expected)
    if got.dtype.is_floating_point:
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(got.value)[numbers], np.signbit(expected)[numbers])


INTEGER_WORDS: dict[str, tuple[Callable[[Scalar, Scalar], Scalar], Callable[[int, int], int]]] = {
    "add": (lambda a, b: a + b, lambda a, b: a + b),
    "sub": (lambda a, b: a - b, lambda a, b: a - b),
    "mul": (lambda a, b: a * b, lambda a, b: a * b),
    "and": (lambda a, b: a & b, lambda a, b: a & b),
    "or": (lambda a, b: a | b, lambda a, b: a | b),
    "xor": (lambda a, b: a ^ b, lambda a, b: a ^ b),
    "neg": (lambda a, b: -a, lambda a, b: -a),
    "not": (lambda a, b: ~a, lambda a, b: ~a),
    "abs": (lambda a, b: abs(a), lambda a, b: abs(a)),
    "minimum": (minimum, min),
    "maximum": (maximum, max),
    "select": (lambda a, b: select(a < b, a, b), lambda a, b: a if a < b else b),
}


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("word", INTEGER_WORDS)
def test_integers_wrap(word: str, dtype: DType) -> None:
    write, exact = INTEGER_WORDS[word]
    left, right = pairs(dtype)
    expected = [wrap(exact(a, b), dtype) for a, b in zip(left, right, strict=True)]
    same(write(*given(dtype, left, right)), expected)


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: dtype.name)
def test_division_truncates(dtype: DType) -> None:
    low = samples(dtype)[0]
    kept = [(a, b) for a, b in zip(*pairs(dtype), strict=True) if b and (a, b) != (low, -1)]
    left, right = [a for a, _ in kept], [b for _, b in kept]
    a, b = given(dtype, left, right)
    same(quotient(a, b), [truncated(a, b) for a, b in kept])
    same(remainder_truncated(a, b), [a - truncated(a, b) * b for a, b in kept])


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: dtype.name)
def test_shifts_take_any_count(dtype: DType) -> None:
    left, right = pairs(dtype)
    a, b = given(dtype, left, right)

    def inside(count: int) -> bool:
        return 0 <= count < dtype.bits

    def right_shift(value: int, count: int) -> int:
        return value >> count if inside(count) else -1 if value < 0 else 0

    rows = list(zip(left, right, strict=True))
    same(a << b, [wrap(x << n, dtype) if inside(n) else 0 for x, n in rows])
    same(a >> b, [right_shift(x, n) for x, n in rows])
    for count in (0, 1, dtype.bits - 1):
        same(a << count, [wrap(x << count, dtype) for x in left])
        same(a >> count, [x >> count for x in left])


@pytest.mark.parametrize("dtype", [*INTEGERS, float32, float64, bool_], ids=lambda d: d.name)
def test_comparisons(dtype: DType) -> None:
    left, right = pairs(int8 if dtype is bool_ or dtype.is_floating_point else dtype)
    if dtype is bool_:
        left, right = [value > 0 for value in left], [value > 0 for value in right]
    a, b = given(dtype, left, right)
    for got, exact in (
        (a < b, operator.lt),
        (a <= b, operator.le),
        (a > b, operator.gt),
        (a >= b, operator.ge),
        (a.eq(b), operator.eq),
        (a.ne(b), operator.ne),
    ):
        assert got.dtype is bool_
        same(got, [exact(x, y) for x, y in zip(left, right, strict=True)])


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
def test_nan_is_unordered(dtype: DType) -> None:
    a, b = given(dtype, [NAN, 1.0, NAN], [1.0, NAN, NAN])
    for got in (a < b, a <= b, a > b, a >= b, a.eq(b)):
        same(got, [False] * 3)
    same(a.ne(b), [True] * 3)
    same(isnan(a), [True, False, True])


def test_bool_words() -> None:
    a, b = given(bool_, [False, False, True, True], [False, True, False, True])
    same(a & b, [False, False, False, True])
    same(a | b, [False, True, True, True])
    same(a ^ b, [False, True, True, False])
    same(~a, [True, True, False, False])


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
def test_extrema_of_zeros_and_nan(dtype: DType) -> None:
    a, b = given(dtype, [0.0, -0.0, -0.0, NAN, 1.0, INF, -INF], [-0.0, 0.0, -0.0, 1.0, NAN, 1, 1])
    same(minimum(a, b), [-0.0, -0.0, -0.0, NAN, NAN, 1, -INF])
    same(maximum(a, b), [0.0, 0.0, -0.0, NAN, NAN, INF, 1])


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
def test_rounding_and_signs(dtype: DType) -> None:
    values = [0.5, 1.5, 2.5, -0.5, -1.5, -0.0, 2.0**30 + 0.5, INF, -INF, NAN]
    (x,) = given(dtype, values)
    same(round_even(x), [0, 2, 2, -0.0, -2, -0.0, 2.0**30, INF, -INF, NAN])
    same(floor(x), [0, 1, 2, -1, -2, -0.0, 2.0**30, INF, -INF, NAN])
    same(ceil(x), [1, 2, 3, -0.0, -1, -0.0, math.ceil(x.value[6]), INF, -INF, NAN])
    same(trunc(x), [0, 1, 2, -0.0, -1, -0.0, 2.0**30, INF, -INF, NAN])
    same(copysign(x, -1.0), [-abs(value) for value in x.value])
    same(abs(x), [math.fabs(value) for value in x.value])
    same(sqrt(abs(x)), np.sqrt(np.abs(x.value)))


def test_fmod_is_exact() -> None:
    left = [5.5, -5.5, 5.5, 1e300, 0.0, -0.0, 5e-324, 1.0]
    right = [3.0, 3.0, -3.0, 7e-300, 1.0, 1.0, 1.0, INF]
    same(fmod(*given(float64, left, right)), list(map(math.fmod, left, right)))
    same(fmod(*given(float64, [1.0, INF, NAN], [0.0, 1.0, 1.0])), [NAN] * 3)


def nearest(exact: Fraction, dtype: DType) -> float:
    """Round a fraction to nearest, ties to even."""
    if exact == 0:
        return 0.0
    precision, lowest, highest = (24, -149, 128) if dtype is float32 else (53, -1074, 1024)
    exponent = math.floor(math.log2(abs(exact.numerator)) - math.log2(exact.denominator)) - 1
    while abs(exact) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** max(exponent - precision + 1, lowest)
    rounded = round(exact / unit) * unit
    if abs(rounded) >= Fraction(2) ** highest:
        return INF if exact > 0 else -INF
    return math.copysign(float(rounded), 1 if exact > 0 else -1)


def hard_triples(dtype: DType, rng: np.random.Generator) -> list[Any]:
    """Triples of any size, and triples whose sum nearly cancels or nearly ties."""
    bits, integers = dtype.bits, np.dtype(f"uint{dtype.bits}")
    anything = [rng.integers(0, 2**bits, 1000, dtype=integers).view(dtype.numpy) for _ in range(3)]
    ordinary = [rng.standard_normal(1000).astype(dtype.numpy) for _ in range(3)]
    a, b, c = (rng.standard_normal(1000).astype(dtype.numpy) for _ in range(3))
    shift = (2.0 ** rng.integers(-90, 90, 1000)).astype(dtype.numpy)
    epsilon = np.finfo(dtype.numpy).eps
    cancelling = [a, b, -(a * b) * (1 + epsilon * rng.integers(-2, 3, 1000)).astype(dtype.numpy)]
    halves = [1 + epsilon * rng.integers(0, 9, 1000).astype(dtype.numpy) for _ in range(2)]
    ties = [*halves, (epsilon * epsilon * c).astype(dtype.numpy)]
    tiny = float(np.finfo(dtype.numpy).tiny)
    denormal = [a * dtype.numpy.type(tiny), b, (c * tiny).astype(dtype.numpy)]
    groups = (anything, ordinary, [a * shift, b, c], cancelling, ties, denormal)
    return [np.concatenate([group[i] for group in groups]).astype(dtype.numpy) for i in range(3)]


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
def test_fma_rounds_once(dtype: DType) -> None:
    with np.errstate(all="ignore"):
        columns = hard_triples(dtype, np.random.default_rng(7))
    columns = [column[np.all(np.isfinite(columns), axis=0)] for column in columns]
    expected: list[float] = []
    for a, b, c in zip(*(column.tolist() for column in columns), strict=True):
        exact = Fraction(a) * Fraction(b) + Fraction(c)
        expected.append(nearest(exact, dtype) if exact else a * b + c)
    same(fma(*given(dtype, *columns)), expected)


@pytest.mark.parametrize("dtype", [float32, float64], ids=lambda dtype: dtype.name)
def test_fma_of_specials(dtype: DType) -> None:
    big = float(np.finfo(dtype.numpy).max)
    a = [INF, INF, 0.0, -0.0, 1.0, big, big, big, -0.0, NAN]
    b = [1.0, 0.0, 1.0, 1.0, -1.0, big, big, 2.0, 1.0, 1.0]
    c = [1.0, 1.0, -0.0, -0.0, 1.0, -INF, NAN, -big, 0.0, 1.0]
    same(fma(*given(dtype, a, b, c)), [INF, NAN, 0.0, -0.0, 0.0, -INF, NAN, big, 0.0, NAN])


def test_casts_from_floats() -> None:
    for dtype in (float32, float64):
        (x,) = given(dtype, [1.9, -1.9, NAN, INF, -INF, 2.0**31, -(2.0**31), 2.0**63, -(2.0**63)])
        low32, low64 = -(2**31), -(2**63)
        same(cast(x, int32), [1, -1, low32, low32, low32, low32, low32, low32, low32])
        same(cast(x, int64), [1, -1, low64, low64, low64, 2**31, low32, low64, low64])
        same(cast(x, bool_), [True] * 9)
    (x,) = given(float64, [2147483647.9, -2147483648.9, 2147483648.0, 0.0, -0.0])
    same(cast(x, int32), [2**31 - 1, -(2**31), -(2**31), 0, 0])
    same(cast(x, bool_), [True, True, True, False, False])
    (x,) = given(float64, [1 + 2.0**-24, 1 + 2.0**-24 + 2.0**-40, 1e39, 1e-46])
    same(cast(x, float32), [1.0, 1 + 2.0**-23, INF, 0.0])


def test_casts_from_integers() -> None:
    (x,) = given(int64, [2**53 + 1, 2**24 + 1, 2**62 + 2**38 + 1, -1, 0])
    same(cast(x, float64), [2**53, 2**24 + 1, 2**62 + 2**38, -1, 0])
    same(cast(x, float32), [2**53, 2**24, 2**62 + 2**39, -1, 0])
    same(cast(x, uint8), [1, 1, 1, 255, 0])
    same(cast(x, int32), [1, 2**24 + 1, 1, -1, 0])
    same(cast(x, bool_), [True, True, True, True, False])
    (x,) = given(uint64, [2**64 - 1, 2**63])
    same(cast(x, float32), [2.0**64, 2.0**63])
    same(cast(x, int64), [-1, -(2**63)])
    (x,) = given(bool_, [True, False])
    same(cast(x, float32), [1, 0])
    same(cast(x, int64), [1, 0])


def test_bitcasts() -> None:
    (x,) = given(float32, [1.0, -0.0])
    same(bitcast(x, uint32), [0x3F800000, 0x80000000])
    same(bitcast(bitcast(x, uint32), float32), [1.0, -0.0])


def test_constants_round_to_their_dtype() -> None:
    language = NumpyLanguage()
    assert language.constant(0.1, float32).value == np.float32(0.1)
    assert language.constant(1e300, float32).value == np.float32(np.inf)
    assert language.constant(2**64 - 1, uint64).value == 2**64 - 1


def test_faults_say_where() -> None:
    (x,) = given(int32, [1, 0, 2])
    language = x.language
    assert isinstance(language, NumpyLanguage)
    check_failure(x.eq(0), "ZeroDivisionError")
    check_failure(x.eq(5), "IndexError")
    assert [(code, where.tolist()) for code, where in language.faults] == [
        ("ZeroDivisionError", [False, True, False])
    ]


def test_an_operand_must_have_its_dtype() -> None:
    with pytest.raises(AssertionError):
        NumpyLanguage().array(np.zeros(1), float32)
