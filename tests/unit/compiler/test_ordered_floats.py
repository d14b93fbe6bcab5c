"""Are the largest and smallest floats those of IEEE 754, whose NaN and signs of zeros count?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import trilith as tri

SPECIAL = (0.0, -0.0, math.inf, -math.inf, math.nan, -math.nan, 1e-45, -1e-45, 3.0e38, -3.0e38)
LENGTHS = (1, 2, 15, 16, 31, 32, 33, 64, 100, 129)
DTYPES = ("float32", "float64", "float16", "bfloat16")


def draw(chance: np.random.Generator, length: int) -> list[float]:
    """Return numbers of which some are special, and in one of four draws no NaN is."""
    numbers = chance.standard_normal(length).tolist()
    pool = SPECIAL if chance.random() < 0.5 else SPECIAL[:4] + SPECIAL[6:]
    for place in chance.integers(0, length, chance.integers(0, 4)):
        numbers[place] = chance.choice(pool)
    if chance.random() < 0.3:
        numbers = chance.choice((0.0, -0.0), length).tolist()
    return numbers


def largest(numbers: list[float]) -> float:
    """Return what IEEE 754-2019 calls the maximum."""
    if any(map(math.isnan, numbers)):
        return math.nan
    return max(numbers, key=lambda number: (number, math.copysign(1, number)))


def smallest(numbers: list[float]) -> float:
    """Return what it calls the minimum."""
    return -largest([-number for number in numbers])


def same(found: list[float], wanted: list[float]) -> bool:
    """Whether numbers are equal and zeros have the same sign."""
    return all(
        (math.isnan(a) and math.isnan(b)) or (a == b and math.copysign(1, a) == math.copysign(1, b))
        for a, b in zip(found, wanted, strict=True)
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [0, 1])
def test_extremes_of_rows_and_columns(dtype: str, dim: int):
    chance = np.random.default_rng(7)
    both = tri.compile(lambda x: (x.amax(dim), x.amin(dim)))
    for length in LENGTHS:
        rows = [draw(chance, length) for _ in range(5)]
        x = tri.tensor(rows, dtype=getattr(tri, dtype))
        rows = x.to(tri.float64).tolist()
        x = x if dim == 1 else x.t().contiguous()
        for high, low in (both(x), (x.amax(dim), x.amin(dim))):
            assert same(high.to(tri.float64).tolist(), [largest(row) for row in rows])
            assert same(low.to(tri.float64).tolist(), [smallest(row) for row in rows])


def test_a_long_one_is_split_where_lanes_have_no_elements():
    """A block of which some lanes have no element gives what it starts from, which is no NaN."""
    x = tri.full((16384 * 40 + 3,), -math.inf)
    assert x.amax().item() == -math.inf
    assert (-x).amin().item() == math.inf
    x[16384 * 40 + 1] = -5.0
    assert x.amax().item() == -5.0
    x[70_000] = math.nan
    assert x.amax().isnan().item()


@pytest.mark.parametrize("length", [1, 7, 16, 33, 100, 1000])
def test_a_softmax_that_keeps_its_exponentials_has_the_bits_of_its_steps(length: int):
    def steps(x: Any) -> Any:
        powers = tri.exp(x - x.amax(1, keepdim=True))
        return powers / powers.sum(1, keepdim=True)

    numbers = np.random.default_rng(length).standard_normal((9, length)).astype(np.float32) * 5
    x = tri.tensor(numbers)
    wanted = np.exp(numbers.astype("f8") - numbers.astype("f8").max(1, keepdims=True))
    wanted /= wanted.sum(1, keepdims=True)
    for found in (tri.softmax(x, 1), tri.compile(steps)(x), tri.softmax(x.clone(), 1)):
        assert found.numpy().tobytes() == steps(x).numpy().tobytes()
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-5)
