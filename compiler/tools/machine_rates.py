"""What can this machine do? Asked of it when somebody wants to know, by running small programs.

Bytes are moved by NumPy, on one thread. Arithmetic is that of loops which wait for nothing and read
next to nothing. They are compiled as all others, with the same vectors and threads.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ...runtime.tensors.interchange import from_numpy
from ..afterwards import AFTERWARDS
from ..functions.making import compile as compile_function

#: Elements that one thread runs over, which lie in a cache, and so few that they take no time.
ELEMENTS, FEW = 1 << 13, 16
#: Enough terms that neither memory nor the call decides.
TERMS = 48
#: Sums side by side, more than can be under way at once, and multiply-adds of each: few, as
#: compilers form one sum after the other. Then the sums are added, by multiply-adds, too.
CHAINS, LENGTH = 32, 4
MULTIPLY_ADDS = CHAINS * LENGTH + CHAINS - 1


@cache
def copying_time(nbytes: int) -> float:
    """Return how many seconds the machine takes to move some bytes: half is read, half written."""
    source = np.ones(max(1, nbytes // 2), np.uint8)
    target = source.copy()
    empty = source[:0]
    overhead = _shortest(lambda: np.copyto(empty, empty), 0.0005)
    return max(0.0, _shortest(lambda: np.copyto(target, source)) - overhead)


@cache
def arithmetic_rate() -> float:
    """Return how many operations on 32 bits a thread does in a second, sums and products."""
    return (3 * TERMS - 1) / _time_of_element(_terms)


@cache
def multiply_add_rate() -> float:
    """Return how many fused multiply-adds of float32 a thread makes in a second."""
    return MULTIPLY_ADDS / _time_of_element(multiply_adds)


def _time_of_element(function: Callable[[Any], Any]) -> float:
    """Return how many seconds an element takes; what a call takes by itself does not count.

    That is less after many calls, and so measured last.
    """
    all_ = _shortest(_ready(function, ELEMENTS, np.float32))
    call = _shortest(_ready(function, FEW, np.float32))
    return max(all_ - call, all_ / 2) / ELEMENTS


def multiply_add_loop(
    dtype: Any = np.float32, elements: int = ELEMENTS
) -> tuple[Callable[[], object], int]:
    """Return what makes fused multiply-adds, and how many of them.

    It is one thread that makes them, unless there are elements enough for more.
    """
    return _ready(multiply_adds, elements, dtype), elements * MULTIPLY_ADDS


def multiply_adds(x: Any) -> Any:
    """Return a sum of chains of `x + factor * sum`, each step rounded once."""
    sums = [x] * CHAINS
    for _ in range(LENGTH):
        sums = [x.add(each, alpha=0.5 + at / (4 * CHAINS)) for at, each in enumerate(sums)]
    return _sum(sums, lambda a, b: a.add(b, alpha=0.5))


def _ready(function: Callable[[Any], Any], elements: int, dtype: Any) -> Callable[[], object]:
    """Return a call of a compiled function, whose code is as good as it gets."""
    run = compile_function(function)
    values = from_numpy(np.linspace(0.5, 1.5, elements, dtype=dtype))
    run(values)
    AFTERWARDS.finish()
    return lambda: run(values)


def _shortest(call: Callable[[], object], seconds: float = 0.002) -> float:
    """Return the shortest time of a call, of those that fit into some time."""
    clock = time.perf_counter
    end, best = clock() + seconds, float("inf")
    while clock() < end or best == float("inf"):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


def _terms(x: Any) -> Any:
    return _sum([x * (0.5 + number) + number for number in range(TERMS)])


def _sum(terms: Sequence[Any], add: Callable[[Any, Any], Any] = operator.add) -> Any:
    """Return a sum in pairs."""
    while len(terms) > 1:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        terms = [*(add(a, b) for a, b in pairs), *terms[len(terms) // 2 * 2 :]]
    return terms[0]
