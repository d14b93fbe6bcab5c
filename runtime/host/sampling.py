"""How are numbers of a distribution drawn that no formula gives? By NumPy, on the host.

Its generator is Philox, too, of 64-bit words: the key is the seed, and the place in the stream is
that of the first block, so that equal seeds and equal calls give equal numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects.diagnostics import TrilithRuntimeError
from .bodies import Array, Arrays

#: Poisson numbers of larger means are normal to all their digits.
_LARGE = 1e15
#: Binomial numbers of more trials are normal to all their digits.
_MANY = 2.0**62
_MASK = (1 << 64) - 1


def poisson(operands: Arrays, results: Arrays) -> None:
    """Fill the result with numbers of events; key and counter follow the means."""
    rates, key, block = operands
    with np.errstate(invalid="ignore"):
        results[0][...] = _poisson(_source(key, block), rates.astype(np.float64))


def binomial(operands: Arrays, results: Arrays) -> None:
    """Fill the result with numbers of successes; key and counter follow trials and chances.

    >>> found = np.empty(2)
    >>> binomial([np.array([5.0, 7.0]), np.array(1.0), np.array(3), np.array(0)], [found])
    >>> found.tolist()
    [5.0, 7.0]
    """
    count, prob, key, block = operands
    given = [np.broadcast_to(part.astype(np.float64), results[0].shape) for part in (count, prob)]
    results[0][...] = _binomial(_source(key, block), *given)


def _source(key: Array, block: Array) -> np.random.Generator:
    seed, begin = (int(part.item()) & _MASK for part in (key, block))
    return np.random.Generator(np.random.Philox(key=seed, counter=begin << 64))


def _poisson(source: np.random.Generator, rate: Array) -> Any:
    if not (rate >= 0).all():
        raise TrilithRuntimeError("invalid Poisson rate, expected rate to be non-negative")
    numbers = source.poisson(np.minimum(rate, _LARGE)).astype(np.float64)
    if (rate > _LARGE).any():
        wide = np.asarray(source.normal(rate, np.sqrt(rate)), np.float64)
        numbers = np.where(rate > _LARGE, np.round(wide), numbers)
    return numbers


def _binomial(source: np.random.Generator, count: Array, prob: Array) -> Any:
    is_inside = (count > 0) & (prob > 0) & (prob < 1)
    trials = np.where(is_inside, np.minimum(count, _MANY), 0).astype(np.int64)
    drawn = source.binomial(trials, np.where(is_inside, prob, 0)).astype(np.float64)
    drawn = np.where((count > 0) & (prob >= 1), count, drawn)
    return np.where(np.isnan(prob) & (count > 0), np.nan, drawn)
