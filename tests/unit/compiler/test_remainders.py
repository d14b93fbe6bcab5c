"""Is the remainder of floats, which one division gives, C's fmod in every bit?"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import trilith as tri


def pairs(dtype: Any) -> tuple[Any, Any]:
    """Return dividends and divisors: any bits, and quotients that are whole or nearly so."""
    rng = np.random.default_rng(8)
    count = 20_003
    bits = np.uint32 if dtype is np.float32 else np.uint64
    most = np.iinfo(bits).max

    def any_bits() -> Any:
        return rng.integers(0, most, count, dtype=bits, endpoint=True).view(dtype)

    largest = 23 if dtype is np.float32 else 52
    quotients = np.floor(2.0 ** rng.uniform(0, largest, count))
    divisors = (rng.standard_normal(count) * 10.0 ** rng.uniform(-30, 30, count)).astype(dtype)
    whole = (quotients.astype(dtype) * divisors).astype(dtype)
    odd: list[Any] = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        np.nan,
        1.0,
        -3.0,
        np.finfo(dtype).tiny,
        5e-324,
        1e308,
    ]
    with np.errstate(over="ignore"):
        table = np.array(np.meshgrid(odd, odd), dtype).reshape(2, -1)
    dividends = [
        *(any_bits(), rng.standard_normal(count) * 100, rng.integers(-60, 60, count) * 0.5),
        *(whole, np.nextafter(whole, dtype(0)), np.nextafter(whole, whole * 2), table[0]),
    ]
    others = [
        *(any_bits(), rng.standard_normal(count) * 3, rng.integers(-6, 6, count) * 0.5),
        *(divisors, divisors, divisors, table[1]),
    ]
    return np.concatenate(dividends).astype(dtype), np.concatenate(others).astype(dtype)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_bits_are_those_of_fmod(dtype: Any):
    a, b = pairs(dtype)
    found = tri.compile(lambda a, b: tri.fmod(a, b))(tri.from_numpy(a), tri.from_numpy(b)).numpy()
    wanted = np.fmod(a, b)
    kind = np.uint32 if dtype is np.float32 else np.uint64
    is_nan = np.isnan(found) & np.isnan(wanted)
    assert np.all(is_nan | (found.view(kind) == wanted.view(kind)))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_remainder_of_python_is_made_of_it(dtype: Any):
    a, b = pairs(dtype)
    kept = np.isfinite(a) & np.isfinite(b) & (b != 0)
    a, b = a[kept], b[kept]
    remainder = tri.compile(lambda a, b: tri.remainder(a, b))
    found = remainder(tri.from_numpy(a), tri.from_numpy(b)).numpy()
    fmod: Any = np.fmod(a, b)
    is_moved: Any = (fmod != 0) & ((fmod < 0) != (b < 0))
    assert found.tolist() == (fmod + is_moved * b).tolist()
