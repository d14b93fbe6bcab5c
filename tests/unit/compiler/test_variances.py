"""Are variances as near to the true ones as float64 brings them, whatever the elements are?

The oracle is NumPy with 64 bits of mantissa, and two looks at the elements.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

RANDOM = np.random.default_rng(46)
WIDE: Any = np.longdouble


def _outlier_first(count: int) -> Any:
    """Return noise behind an element that is all of the variance."""
    found = RANDOM.standard_normal((3, count))
    found[:, 0] = 1e6
    return found


ROWS: dict[str, Callable[[int], Any]] = {
    "noise": lambda count: RANDOM.standard_normal((3, count)),
    "far from 0": lambda count: 1e4 + RANDOM.standard_normal((3, count)),
    "farther": lambda count: 1e6 + RANDOM.standard_normal((3, count)),
    "of all sizes": lambda count: np.exp(4 * RANDOM.standard_normal((3, count))),
    "an outlier first": _outlier_first,
}
#: The largest relative errors: a rounding to float32, and a few of float64.
ERRORS = {"float32": 6e-8, "float64": 2e-15}


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("count", [2, 7, 31, 1000, 300_000])
@pytest.mark.parametrize("dtype", ERRORS)
def test_variances_are_off_by_roundings(name: str, count: int, dtype: str):
    rows = ROWS[name](count).astype(dtype)
    expected = rows.astype(WIDE).var(1, ddof=1)
    for x, dim in ((tri.from_numpy(rows), 1), (tri.from_numpy(rows.T.copy()), 0)):
        found = tri.var(x, dim).numpy()
        assert np.abs(found / expected - 1).max() <= ERRORS[dtype]


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("dtype", ERRORS)
def test_means_beside_variances(name: str, dtype: str):
    rows = ROWS[name](1000).astype(dtype)
    wide = rows.astype(WIDE)
    _, found = tri.var_mean(tri.from_numpy(rows), 1)
    off = np.abs(found.numpy() - wide.mean(1)) / np.abs(wide).mean(1)
    assert off.max() <= ERRORS[dtype]


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64, tri.float16])
@pytest.mark.parametrize("number", [0.1, 1 / 3, 1234.5, 6e4])
@pytest.mark.parametrize("count", [2, 3, 1000, 12345])
def test_the_variance_of_equal_elements_is_0(dtype: tri.dtype, number: float, count: int):
    assert tri.full((count,), number, dtype=dtype).var().item() == 0


def test_of_the_largest_numbers():
    """The sum for the mean of float64 overflows: the first element stands in for it."""
    variance, mean = tri.var_mean(tri.full((3,), 1.7e308, dtype=tri.float64))
    assert (variance.item(), mean.item()) == (0, 1.7e308)
    variance, mean = tri.var_mean(tri.tensor([3e38, 3e38, 1e38]), correction=0)
    assert variance.item() == math.inf
    assert mean.item() == pytest.approx(7e38 / 3)


@pytest.mark.parametrize("size", [1e155, 1e170, 1e200, 1e300])
@pytest.mark.parametrize("dim", [0, 1, None])
def test_squares_beyond_the_largest_number_are_infinite(size: float, dim: int | None):
    """They were NaN where a rounding of the mean, times how far it is off, is infinite, too."""
    values = RANDOM.standard_normal((40, 300)) * size
    real = tri.from_numpy(values)
    for given in (real, tri.complex(real, real)):
        assert tri.isposinf(tri.var(given, dim=dim)).all()
        assert tri.isposinf(tri.std(given, dim=dim)).all()
    mean = tri.var_mean(real, dim=dim)[1].numpy()
    np.testing.assert_allclose(mean, values.mean(dim), rtol=1e-10)


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64])
@pytest.mark.parametrize("values", [[math.inf, 1, 2], [1, math.inf, 2], [1, 2, math.inf]])
def test_infinite_elements(dtype: tri.dtype, values: list[float]):
    """The mean is that of `mean`, wherever they stand; the variance is NaN."""
    variance, mean = tri.var_mean(tri.tensor(values, dtype=dtype))
    assert np.isnan(variance.numpy())
    assert mean.item() == math.inf
    both = tri.tensor([*values, -math.inf], dtype=dtype)
    assert np.isnan(tri.var_mean(both)[1].numpy())


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64, tri.complex64, tri.complex128])
@pytest.mark.parametrize("shape", [(33 * 8192 + 1005,), (2, 100_003), (100_003, 2)])
def test_threads_give_the_same_bits(dtype: tri.dtype, shape: tuple[int, ...]):
    """What elements are compared with is known to every part of a launch."""
    tri.manual_seed(3)
    x = tri.randn(shape, dtype=dtype) + 5
    dims = tuple(dim for dim, size in enumerate(shape) if size > 2)
    before = tri.get_num_threads()
    found: list[bytes] = []
    try:
        for threads in (1, 2):
            tri.set_num_threads(threads)
            parts = tri.var_mean(x, dims)
            found.append(b"".join(part.numpy().tobytes() for part in parts))
    finally:
        tri.set_num_threads(before)
    assert found[0] == found[1]


def test_kernels_of_a_long_variance():
    """That of float32 looks once; what that of float64 looks twice for is a kernel first."""

    def launches(dtype: tri.dtype, count: int) -> int:
        traced = tri.trace(lambda x: x.var(), tri.spec((count,), dtype))
        return len(traced.lower().artifact().launches)

    assert [launches(dtype, 8192) for dtype in (tri.float32, tri.float64)] == [1, 1]
    assert [launches(dtype, 1 << 20) for dtype in (tri.float32, tri.float64)] == [2, 4]


def test_a_variance_of_what_is_computed():
    """The first element is computed, too; of columns beside others."""
    x = RANDOM.standard_normal((50, 40))
    y = tri.from_numpy(x)
    found = tri.compile(lambda x: (x.exp().var(0), (x * x).std(1), x.sum(0)))(y)
    expected = (np.exp(x).var(0, ddof=1), (x * x).std(1, ddof=1), x.sum(0))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-13)
