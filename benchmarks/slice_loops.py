"""Which loops cut their arrays in another place in each turn? Three of linear algebra.

They are written as one writes them for NumPy: slices, assigned to in place. An oracle says what
must come out; the matrices are such that errors hardly grow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_programs import Array


@dataclass(frozen=True, slots=True)
class SliceLoop:
    """A loop over an array that is made for a size, and what NumPy says of its result.

    `error` gives the norm of what is wrong with a result, relative to that of the right one.
    """

    body: Callable[[Any, Any], Any]
    make: Callable[[int], Array]
    error: Callable[[Array, Array], float]


def cholesky(m: Any, matrix: Any) -> Any:
    """Return a matrix whose lower triangle is the factor of Cholesky."""
    x = m.copy(matrix)
    for k in range(x.shape[0]):
        x[k, k] = m.sqrt(x[k, k])
        x[k + 1 :, k] /= x[k, k]
        x[k + 1 :, k + 1 :] -= x[k + 1 :, k : k + 1] * x[k + 1 :, k]
    return x


def lu(m: Any, matrix: Any) -> Any:
    """Return both factors of a matrix in one, by Doolittle and without pivots."""
    x = m.copy(matrix)
    for k in range(x.shape[0]):
        x[k, k:] -= x[k, :k] @ x[:k, k:]
        x[k + 1 :, k] = (x[k + 1 :, k] - x[k + 1 :, :k] @ x[:k, k]) / x[k, k]
    return x


def durbin_levinson(m: Any, r: Any) -> Any:
    """Return the coefficients of the best linear prediction from autocovariances."""
    phi = m.copy(r[1:])
    phi[0] = r[1] / r[0]
    variance = r[0] * (1 - phi[0] * phi[0])
    for k in range(1, phi.shape[0]):
        last = (r[k + 1] - (phi[:k] * m.flip(r[1 : k + 1])).sum()) / variance
        phi[:k] = phi[:k] - last * m.flip(phi[:k])
        phi[k] = last
        variance = variance * (1 - last * last)
    return phi


def _positive_definite(n: int) -> Array:
    x = np.random.default_rng(n).standard_normal((n, n))
    return (x @ x.T / n + np.eye(n)).astype(np.float32)


def _dominant(n: int) -> Array:
    x = np.random.default_rng(n).standard_normal((n, n))
    return (x + 2 * n * np.eye(n)).astype(np.float32)


def _autocovariances(n: int) -> Array:
    lags = np.arange(n + 1)
    return (0.7**lags * np.cos(lags) + (lags == 0)).astype(np.float32)


def _cholesky_error(found: Array, matrix: Array) -> float:
    return _distance(np.tril(found), np.linalg.cholesky(matrix.astype(np.float64)))


def _lu_error(found: Array, matrix: Array) -> float:
    found = found.astype(np.float64)
    lower = np.tril(found, -1) + np.eye(len(found))
    return _distance(lower @ np.triu(found), matrix)


def _prediction_error(found: Array, r: Array) -> float:
    lags = np.arange(len(found))
    toeplitz = r.astype(np.float64)[abs(lags[:, None] - lags)]
    return _distance(found, np.linalg.solve(toeplitz, r[1:].astype(np.float64)))


def _distance(found: Array, expected: Array) -> float:
    return float(np.linalg.norm(found - expected) / np.linalg.norm(expected))


SLICE_LOOPS = {
    "Cholesky": SliceLoop(cholesky, _positive_definite, _cholesky_error),
    "LU": SliceLoop(lu, _dominant, _lu_error),
    "Durbin-Levinson": SliceLoop(durbin_levinson, _autocovariances, _prediction_error),
}


def refuse_wrong(name: str, found: Array, value: Array) -> None:
    """Raise ValueError if a result is worse than the dtype's accuracy explains."""
    error = SLICE_LOOPS[name].error(found, value)
    bound = len(value) * float(np.finfo(value.dtype).eps)
    if not error <= bound:
        raise ValueError(f"a relative error of {error:.1e}, where {bound:.1e} is explained")
