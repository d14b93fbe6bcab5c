"""What is called with sizes never seen? Programs whose sizes come with each call."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from array_programs import make_inputs, twenty
from peers import Peer

#: Elements of the vectors that are cut, and where the first ones are cut: sums are short.
LENGTH, FIRST = 1024, 100
#: Calls with other sizes before the first that is measured: what is compiled, is compiled then.
LEARNING = 3
ROW = 16
SEEN_PASSES = 5


@dataclass(frozen=True, slots=True)
class SizeProgram:
    """A function of some vectors, which stay, and of a number by which it cuts them.

    A compiled one is a function of arrays (number, 16) instead.
    """

    body: Callable[..., Any]
    arrays: int
    is_compiled: bool = False


def ones(m: Any, n: int) -> Any:
    """Return n twos."""
    return m.ones(n) + 1


def element(m: Any, x: Any, i: int) -> Any:
    """Return a view of an element."""
    return x[i]


def rest(m: Any, x: Any, i: int) -> Any:
    """Return what follows the first elements, plus one."""
    return x[i:] + 1


def correlation(m: Any, x: Any, y: Any, i: int) -> Any:
    """Return the product of two vectors, one of them shifted."""
    return (x[i:] * y[:-i]).sum(0)


def cat(m: Any, x: Any, y: Any, i: int) -> Any:
    """Return the beginning of one vector and the end of another one."""
    return m.cat([x[:i], y[i:]])


def dot(m: Any, x: Any, y: Any, i: int) -> Any:
    """Return the product of the beginnings of two vectors."""
    return x[:i] @ y[:i]


COMPILED = "20 operations, (n, 16)"
SIZE_PROGRAMS = {
    "ones(n) + 1": SizeProgram(ones, 0),
    "x[i]": SizeProgram(element, 1),
    "x[i:] + 1": SizeProgram(rest, 1),
    "(x[i:] * y[:-i]).sum(0)": SizeProgram(correlation, 2),
    "cat([x[:i], y[i:]])": SizeProgram(cat, 2),
    "x[:i] @ y[:i]": SizeProgram(dot, 2),
    COMPILED: SizeProgram(twenty, 3, is_compiled=True),
}


class SizeRun:
    """A program in a peer's hands, and which sizes it has seen: all up to the last one."""

    def __init__(self, peer: Peer, name: str, largest: int) -> None:
        """Make the function and what it is called with; call nothing yet."""
        self._peer = peer
        self._program = program = SIZE_PROGRAMS[name]
        shape = (FIRST + LEARNING + largest, ROW) if program.is_compiled else (LENGTH,)
        self._values = make_inputs("20 operations", shape)[: program.arrays]
        self._arrays = [] if program.is_compiled else [peer.array(v) for v in self._values]
        self._next = FIRST
        self._last: list[tuple[Any, ...]] = []
        self.function: Any = (
            peer.compiled(program.body, sizes_change=True)
            if program.is_compiled
            else peer.eager(program.body)
        )

    def learn(self) -> Any:
        """Call it with the first sizes, and return the last result as a NumPy array."""
        result: Any = None
        for _ in range(LEARNING):
            self._last.append(self.next_arguments())
            result = self.function(*self._last[-1])
        return self._peer.numpy(result)

    def repeat(self, count: int) -> None:
        """Call it so often, with sizes that it has seen."""
        for _ in range(count // len(self._last)):
            self._pass(self._last)

    def next_arguments(self) -> tuple[Any, ...]:
        """Return what to call it with next: a size that it has not seen."""
        size = self._next
        self._next += 1
        if self._program.is_compiled:
            return tuple(self._peer.array(values[:size]) for values in self._values)
        return (*self._arrays, size)

    def time(self, count: int) -> tuple[float, float]:
        """Return the mean times of a call in ns: with sizes never seen, and with the same again."""
        arguments = [self.next_arguments() for _ in range(count)]
        self._pass(self._last)  # who was measured before has emptied the processor's caches
        self._last = arguments
        new, *seen = [self._pass(arguments) for _ in range(1 + SEEN_PASSES)]
        return new, statistics.median(seen)

    def calls(self, count: int) -> float:
        """Return the mean time of a call in ns, of many with as many sizes."""
        spent = 0
        for _ in range(count):
            arguments = self.next_arguments()
            start = time.perf_counter_ns()
            self.function(*arguments)
            spent += time.perf_counter_ns() - start
        return spent / count

    def _pass(self, calls: list[tuple[Any, ...]]) -> float:
        function = self.function
        start = time.perf_counter_ns()
        for arguments in calls:
            function(*arguments)
        return (time.perf_counter_ns() - start) / len(calls)
