"""How are numbers of a distribution drawn that no formula gives? By NumPy, on the host.

Its generator is Philox, too, of 64-bit words: the key is the seed, and the place in the stream is
that of the first block, so that equal seeds and equal calls give equal numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dialects.diagnostics import TrilithRuntimeError

Array = np.ndarray[Any, Any]

#: Poisson numbers of larger means are normal to all their digits.
_LARGE = 1e15
#: Binomial numbers of more trials are normal to all their digits.
_MANY = 2.0**62
_MASK = (1 << 64) - 1


def sample(
    name: str, shape: tuple[int, ...], taken: tuple[int, int], parameters: Sequence[Array]
) -> Array:
    """Return numbers of the distribution called `name`, float64.

    >>> sample("binomial", (2,), (3, 0), [np.array([5.0, 7.0]), np.array(1.0)]).tolist()
    [5.0, 7.0]
    """
    key, block = taken
    source = np.random.Philox(key=key & _MASK, counter=(block & _MASK) << 64)
    given = [np.broadcast_to(p.astype(np.float64), shape) for p in parameters]
    with np.errstate(invalid="ignore"):
        drawn: Array = _DISTRIBUTIONS[name](np.random.Generator(source), *given)
    return np.ascontiguousarray(drawn).reshape(shape)


def _poisson(source: np.random.Generator, rate: Array) -> Array:
    if not (rate >= 0).all():
        raise TrilithRuntimeError("invalid Poisson rate, expected rate to be non-negative")
    numbers = source.poisson(np.minimum(rate, _LARGE)).astype(np.float64)
    if (rate > _LARGE).any():
        wide = np.asarray(source.normal(rate, np.sqrt(rate)), np.float64)
        numbers = np.where(rate > _LARGE, np.round(wide), numbers)
    return numbers


def _binomial(source: np.random.Generator, count: Array, prob: Array) -> Array:
    is_inside = (count > 0) & (prob > 0) & (prob < 1)
    trials = np.where(is_inside, np.minimum(count, _MANY), 0).astype(np.int64)
    drawn = source.binomial(trials, np.where(is_inside, prob, 0)).astype(np.float64)
    drawn = np.where((count > 0) & (prob >= 1), count, drawn)
    return np.where(np.isnan(prob) & (count > 0), np.nan, drawn)


_DISTRIBUTIONS: dict[str, Callable[..., Array]] = {"poisson": _poisson, "binomial": _binomial}
