"""Is it the first of the largest or smallest elements that is found, wherever it stands?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.schedules.reductions import searches

DTYPES = ["float32", "float64", "float16", "int64", "int32", "int16", "uint8"]
#: Less than a lane has, lanes that are full and not, several blocks, and a search that is split.
LENGTHS = [1, 2, 15, 16, 31, 32, 33, 64, 100, 1000, 16384, 16385, 40000, 600_001]
KINDS = ["few values", "any", "special", "all alike", "zeros"]
SPECIAL = [np.nan, -np.nan, -0.0, 0.0, np.inf, -np.inf]


def drawn(chance: np.random.Generator, kind: str, dtype: str, count: int) -> Any:
    """Return numbers; integers have no special ones."""
    limits = None if dtype.startswith("float") else np.iinfo(dtype)
    if kind == "all alike":
        ends = (-np.inf, np.inf) if limits is None else (limits.min, limits.max)
        return np.full(count, chance.choice(ends), dtype)
    if kind == "zeros" and limits is None:
        return chance.choice([0.0, -0.0], count).astype(dtype)
    if kind == "few values" or kind == "zeros":
        return chance.integers(0, 4, count).astype(dtype)
    if limits is not None:
        return chance.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)
    numbers = chance.standard_normal(count).astype(dtype)
    if kind == "special":
        numbers[chance.integers(0, count, 5)] = chance.choice(SPECIAL, 5)
    return numbers


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", LENGTHS)
def test_of_all(dtype: str, length: int):
    chance = np.random.default_rng(length)
    for kind in KINDS:
        numbers = drawn(chance, kind, dtype, length)
        x = tri.from_numpy(numbers)
        assert x.argmax().item() == numbers.argmax(), kind
        assert x.argmin().item() == numbers.argmin(), kind


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("length", [1, 7, 31, 33, 100, 1000, 17000])
def test_along_a_dim(dtype: str, dim: int, length: int):
    """The element keeps its bits: the sign of a zero, and what a NaN says."""
    chance = np.random.default_rng(length)
    rows = np.stack([drawn(chance, kind, dtype, length) for kind in KINDS])
    x = tri.from_numpy(rows if dim else np.ascontiguousarray(rows.T))
    for found, places in ((x.max(dim), rows.argmax(1)), (x.min(dim), rows.argmin(1))):
        values, indices = found
        assert indices.tolist() == places.tolist()
        assert values.numpy().tobytes() == rows[range(len(rows)), places].tobytes()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("length", [8, 16, 17, 40, 64, 100, 1000])
def test_rows_at_once(dtype: str, length: int):
    """Rows of one group are of several kinds, and the last group has fewer rows."""
    chance = np.random.default_rng(length)
    rows = np.stack([drawn(chance, KINDS[row % 5], dtype, length) for row in range(4 * 7 + 3)])
    for count in (1, 2, 3, 4, 5, len(rows)):
        x = tri.from_numpy(rows[:count].copy())
        assert x.argmax(1).tolist() == rows[:count].argmax(1).tolist()
        assert x.argmin(1).tolist() == rows[:count].argmin(1).tolist()
        values, indices = x.max(1)
        assert indices.tolist() == rows[:count].argmax(1).tolist()
        assert values.numpy().tobytes() == rows[range(count), rows[:count].argmax(1)].tobytes()


def test_infinities_of_both_signs_are_no_nan():
    """Their sum is one, as are sums of large numbers that come to both."""
    row = np.zeros(40, np.float32)
    row[[3, 19]], row[[5, 21]] = -np.inf, np.inf
    large = np.array([3e38, -3e38] * 4, np.float32)
    rows = np.stack([row, large.repeat(5)])
    x = tri.from_numpy(rows)
    assert x.argmax(1).tolist() == [5, 0]
    assert x.argmin(1).tolist() == [3, 5]


def test_longer_rows_than_places_can_say(monkeypatch: pytest.MonkeyPatch):
    """They go one by one, in one order with rows that do not."""
    monkeypatch.setattr(searches, "FAR", 50)
    x = tri.tensor([[1.0, 5.0] * 30, [-0.0, 0.0] * 30, [2.0, np.nan] * 30])
    assert tri.compile(lambda x: x.argmax(1) + 0)(x).tolist() == [1, 0, 1]
    assert tri.compile(lambda x: x[0].argmin() + 0)(x).item() == 0


def test_what_is_found_in_may_be_computed():
    x = tri.randn(3, 500)
    function = tri.compile(lambda x: (x.sin() * 3 + 1).argmax(1))
    assert function(x).tolist() == (x.sin() * 3 + 1).argmax(1).tolist()


def test_a_split_search_of_equal_elements():
    """What lanes of blocks start from is no element; some lanes of the last block have none."""
    x = tri.full((16384 * 40 + 3,), -np.inf)
    assert x.argmax().item() == 0
    assert (-x).argmin().item() == 0
    assert [part.item() for part in x.max(0)] == [-np.inf, 0]
    x[16384 * 40 + 1] = np.nan
    assert x.argmax().item() == x.argmin().item() == 16384 * 40 + 1


def test_rows_without_elements():
    assert tri.ones(0, 5).argmax(1).shape == (0,)
    with pytest.raises(tri.TrilithError):
        tri.ones(5, 0).argmax(1)
