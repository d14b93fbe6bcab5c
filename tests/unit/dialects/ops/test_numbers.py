"""Are remainders, divisors, signs, neighbours and replacements those of NumPy and of Python?"""

import math
from typing import Any

import numpy as np
import pytest

import trilith as tri

FLOATS = ("float16", "float32", "float64")
SPECIAL = [0.0, -0.0, 1.0, -1.5, 2.5, -7.0, 1e-7, 6e4, -6e4, np.inf, -np.inf, np.nan, 5e-8]


def pairs(dtype: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return every pair of special values."""
    values = np.array(SPECIAL, dtype)
    return np.repeat(values, len(values)), np.tile(values, len(values))


def bits(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return bits, those of every NaN alike."""
    array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return array.view(f"u{array.itemsize}")


def apply(function: Any, *arrays: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return what a function gives, which must be the same when it is compiled."""
    tensors = [tri.from_numpy(array.copy()) for array in arrays]
    found: np.ndarray[Any, Any] = function(*tensors).numpy()
    compiled: Any = tri.compile(function)
    assert found.tobytes() == compiled(*tensors).numpy().tobytes()
    return found


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
def test_divisors_and_multiples_are_those_of_python(dtype: str):
    limits = np.iinfo(dtype)
    generator = np.random.default_rng(7)
    wide = generator.integers(limits.min, limits.max, 2000, dtype, endpoint=True)
    few = generator.integers(max(limits.min, -30), 30, 2000, dtype)
    first = np.concatenate([wide, few, few, np.array([0, 0, limits.max, 12], dtype)])
    second = np.concatenate([wide[::-1], few[::-1], wide, np.array([0, 5, limits.max, 0], dtype)])
    divisors = [math.gcd(int(a), int(b)) for a, b in zip(first, second, strict=True)]
    expected = np.array(divisors).astype(np.int64).astype(dtype)
    np.testing.assert_array_equal(apply(tri.gcd, first, second), expected)
    small = np.abs(few.astype(np.int64)) < 11
    multiples = apply(tri.lcm, few[small], few[::-1][small[::-1]][: small.sum()])
    others = few[::-1][small[::-1]][: small.sum()]
    pairs = zip(few[small], others, strict=True)
    assert multiples.tolist() == [math.lcm(int(a), int(b)) for a, b in pairs]


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64"])
def test_an_integer_remainder_has_the_sign_of_the_dividend(dtype: str):
    smallest = int(np.iinfo(dtype).min)
    values = np.array([7, -7, 0, 5, smallest, smallest, 100], dtype)
    divisors = np.array([3, 3, 2, -5, -1, 3, -7], dtype)
    expected = [int(math.fmod(int(a), int(b))) for a, b in zip(values, divisors, strict=True)]
    if dtype == "int64":
        expected[5] = -(2**63 % 3)
    assert apply(tri.fmod, values, divisors).tolist() == expected
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        tri.fmod(tri.tensor([1, 2]), 0)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["fmod", "copysign", "fmax", "fmin", "nextafter", "heaviside"])
def test_pairs_of_special_values_give_what_numpy_gives(name: str, dtype: str):
    first, second = pairs(dtype)
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(first, second)
    found = apply(getattr(tri, name), first, second)
    if name in ("fmax", "fmin"):
        # Which zero it is, C leaves open; PyTorch takes the first.
        both = (first == 0) & (second == 0)
        np.testing.assert_array_equal(bits(found[both]), bits(first[both]))
        found, expected = found[~both], expected[~both]
    if name == "nextafter":
        # From one zero to the other, C gives the other one, and NumPy's half the first.
        expected = np.where(first == second, second, expected)
    if name == "heaviside":
        # Neither 0 nor above it.
        expected = np.where(np.isnan(first), 0, expected)
    np.testing.assert_array_equal(bits(found), bits(expected.astype(dtype)))


@pytest.mark.parametrize("dtype", FLOATS)
def test_hypotenuse_neither_overflows_nor_vanishes(dtype: str):
    largest, least = np.finfo(dtype).max / 2, np.finfo(dtype).tiny
    first = np.array([3.0, largest, least, 0.0, np.inf, np.nan], dtype)
    second = np.array([4.0, largest, least, -0.0, np.nan, 1.0], dtype)
    expected = np.hypot(first, second)
    found = apply(tri.hypot, first, second)
    np.testing.assert_allclose(found, expected, rtol=4 * float(np.finfo(dtype).eps))


def test_every_number_of_a_narrow_dtype_has_its_neighbours():
    every = np.arange(1 << 16, dtype=np.uint16)
    halves = every.view(np.float16)
    for target in (np.inf, -np.inf):
        goal = np.full(halves.shape, target, np.float16)
        with np.errstate(all="ignore"):
            expected = np.nextafter(halves, goal)
        np.testing.assert_array_equal(bits(apply(tri.nextafter, halves, goal)), bits(expected))
    # bfloat16 is the upper half of a float32, and its numbers are in the order of their bits.
    positive = tri.from_numpy(np.arange(0x7F80, dtype=np.int16)).view(tri.bfloat16)
    above = tri.nextafter(positive, tri.tensor(tri.inf, dtype=tri.bfloat16)).view(tri.int16)
    assert above.tolist() == list(range(1, 0x7F81))
    below = tri.nextafter(-positive, tri.tensor(-tri.inf, dtype=tri.bfloat16)).view(tri.int16)
    assert below.tolist() == [number - 0x8000 for number in range(1, 0x7F81)]


def test_signs_and_ends():
    for dtype in FLOATS:
        values = np.array([*SPECIAL, -np.nan], dtype)
        for name in ("signbit", "isposinf", "isneginf"):
            expected = getattr(np, name)(values)
            np.testing.assert_array_equal(apply(getattr(tri, name), values), expected)
    assert tri.signbit(tri.tensor([-1, 0, 1])).tolist() == [True, False, False]
    assert not tri.isposinf(tri.tensor([1, 2])).any()
    with pytest.raises(NotImplementedError, match="signbit is not implemented for complex"):
        tri.signbit(tri.tensor([1j]))


@pytest.mark.parametrize("dtype", FLOATS)
def test_what_is_no_finite_number_is_replaced(dtype: str):
    values = np.array(SPECIAL, dtype)
    np.testing.assert_array_equal(apply(tri.nan_to_num, values), np.nan_to_num(values))
    found = tri.nan_to_num(tri.from_numpy(values), 1.0, 2.0, -3.0).numpy()
    np.testing.assert_array_equal(found, np.nan_to_num(values, nan=1.0, posinf=2.0, neginf=-3.0))


def test_interpolation_reaches_both_ends():
    generator = np.random.default_rng(3)
    start, end = generator.normal(size=(2, 1000)).astype(np.float32)
    for weight, expected in ((0.0, start), (1.0, end)):
        found = tri.lerp(tri.from_numpy(start), tri.from_numpy(end), weight).numpy()
        np.testing.assert_array_equal(found, expected)
    weights = generator.uniform(-1, 2, 1000).astype(np.float32)
    exact = start + weights.astype(np.float64) * (end.astype(np.float64) - start)
    np.testing.assert_allclose(apply(tri.lerp, start, end, weights), exact, rtol=1e-5, atol=1e-6)


def test_products_and_quotients_are_added():
    x, a, b = (tri.tensor(values) for values in ([1, 2], [3, -4], [5, 6]))
    assert tri.addcmul(x, a, b, value=2).tolist() == [31, -46]
    assert x.float().addcdiv(a, b, value=10).tolist() == pytest.approx([7, 2 - 40 / 6])
    target = x.float()
    assert target.addcmul_(a, b) is target
    assert target.tolist() == [16, -22]
    with pytest.raises(RuntimeError, match="Integer division with addcdiv is no longer supported"):
        tri.addcdiv(x, a, b)
    with pytest.raises(RuntimeError, match="expected dtype float for `end` but got dtype double"):
        tri.lerp(x.float(), x.double(), 0.5)


def test_powers_are_those_of_float64():
    x = tri.tensor([2, 3])
    assert repr(tri.float_power(x, -1)) == "tensor([0.5000, 0.3333], dtype=trilith.float64)"
    assert tri.float_power(2, x).tolist() == [4.0, 8.0]
    with pytest.raises(RuntimeError, match="the base given to float_power_ has dtype Float"):
        x.float().float_power_(2)
    assert tri.ldexp(tri.tensor([0.5, -3.0]), tri.tensor([3, -1])).tolist() == [4.0, -1.5]
    assert tri.polar(tri.tensor([2.0]), tri.tensor([0.0])).tolist() == [2 + 0j]
    assert tri.complex(tri.tensor([1.0]), tri.tensor([-0.0])).imag.signbit().tolist() == [True]


def test_closeness():
    x = tri.tensor([1.0, 1.0, tri.inf, tri.nan, tri.inf])
    y = tri.tensor([1.00001, 1.1, tri.inf, tri.nan, -tri.inf])
    assert tri.isclose(x, y, rtol=2e-5).tolist() == [True, False, True, False, False]
    assert tri.isclose(x, y, equal_nan=True).tolist()[3]
    assert tri.isclose(tri.tensor([100, 1]), tri.tensor([101, 1]), rtol=0.01).tolist() == [True] * 2
    with pytest.raises(RuntimeError, match="Float did not match Double"):
        tri.isclose(x, y.double())


def test_names_of_comparisons_mean_the_same():
    x, y = tri.tensor([1, 2, 3]), tri.tensor([3, 2, 1])
    for long, short in (("less", "lt"), ("greater_equal", "ge"), ("not_equal", "ne")):
        assert getattr(tri, long)(x, y).tolist() == getattr(x, short)(y).tolist()
        assert getattr(x, long)(y).tolist() == getattr(tri, short)(x, y).tolist()
    assert tri.fix(tri.tensor([-1.5])).tolist() == [-1.0]
