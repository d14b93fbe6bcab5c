"""Chebyshev's polynomials against their recurrence, which is exact for small numbers."""

from typing import Any

import numpy as np
import pytest

import trilith as tri

#: Kind -> the polynomial of degree 1, by its slope and what it is at 0.
LINES = {"t": (1, 0), "u": (2, 0), "v": (2, -1), "w": (2, 1)}


def expected(kind: str, x: Any, n: int) -> Any:
    slope, start = LINES[kind]
    before, now = np.ones_like(x), slope * x + start
    if n < 1:
        return before if n == 0 else np.zeros_like(x)
    for _ in range(n - 1):
        before, now = now, 2 * x * now - before
    return now


@pytest.mark.parametrize("dtype", [tri.float32, tri.float64], ids=str)
@pytest.mark.parametrize("kind", LINES)
def test_chebyshev_polynomials(kind: str, dtype: tri.dtype) -> None:
    x = np.array([-2.5, -1.0, -0.75, -0.125, 0.0, 0.5, 1.0, 1.5, 3.0])
    plain = getattr(tri.special, f"chebyshev_polynomial_{kind}")
    shifted = getattr(tri.special, f"shifted_chebyshev_polynomial_{kind}")
    tensor, half = tri.tensor(x, dtype=dtype), tri.tensor((x + 1) / 2, dtype=dtype)
    precision = 1e-6 if dtype is tri.float32 else 1e-13
    for n in (0, 1, 2, 3, 8, 13):
        exact = expected(kind, x, n)
        for got in (plain(tensor, n), shifted(half, n), plain(tensor, tri.tensor(n + 0.5))):
            np.testing.assert_allclose(got.numpy(), exact, rtol=precision, atol=precision)
    np.testing.assert_array_equal(plain(tensor, -1).numpy(), np.zeros_like(x))


def test_polynomials_of_what_is_no_number() -> None:
    x = tri.tensor([tri.nan, tri.inf, -tri.inf])
    got = tri.special.chebyshev_polynomial_t(x, 3)
    assert got.isnan().all()
    assert tri.special.chebyshev_polynomial_t(x, 0).tolist() == [1.0, 1.0, 1.0]
