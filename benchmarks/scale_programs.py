"""Which programs show how the cost of compiling grows? A dozen shapes, each of about n operations.

    python scale_programs.py chain 1000        # one shape, in this process: ms for each phase

What is linear takes the same time per operation for every n.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import trilith as tri

Function = Callable[..., Any]
Maker = Callable[[int], tuple[Function, tuple[Any, ...]]]

#: How long the rows of the tensors are: long enough for a loop, short enough for 4,000 of them.
SIZE = 64


def chain(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function whose operations follow one another."""

    def function(x: Any) -> Any:
        for _ in range(n // 2):
            x = x * 0.5 + 1.0
        return x

    return function, (tri.ones(SIZE),)


def costly_chain(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a chain of operations of which each is many instructions."""

    def function(x: Any) -> Any:
        for _ in range(n):
            x = tri.tanh(x)
        return x

    return function, (tri.ones(SIZE),)


def complex_chain(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a chain of complex numbers."""

    def function(x: Any) -> Any:
        for _ in range(n // 3):
            x = tri.exp(x * 0.5) / (x + 2.0)
        return x

    return function, (tri.ones(SIZE, dtype=tri.complex128),)


def fan_out(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function of which many operations read one value."""

    def function(d: Any, w: Any) -> Any:
        d = d - d.mean(0)
        return [(d * w[index % SIZE]).sum() for index in range(n // 3)]

    return function, (tri.ones(SIZE, SIZE), tri.ones(SIZE, SIZE))


def fan_in(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a sum of many tensors."""

    def function(xs: Any) -> Any:
        return sum(xs)

    return function, ([tri.ones(SIZE) for _ in range(n)],)


def diamonds(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a ladder on which each step reads the one before twice."""

    def function(x: Any) -> Any:
        for _ in range(n // 3):
            x = (x + 1.0) * (x - 1.0)
        return x

    return function, (tri.zeros(SIZE),)


def views(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a chain of views."""

    def function(x: Any) -> Any:
        for _ in range(n):
            x = x[1:]
        return x * 2

    return function, (tri.ones(n + SIZE),)


def writes(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function that fills a matrix row by row."""

    def function(x: Any) -> Any:
        made = tri.zeros(n // 2, SIZE)
        for index in range(n // 2):
            made[index] = x * index
        return made

    return function, (tri.ones(SIZE),)


def argument_writes(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function that changes an argument row by row, each by way of the one before."""

    def function(x: Any) -> Any:
        for index in range(1, n // 2):
            x[index] += x[index - 1]
        return x

    return function, (tri.ones(n // 2 + 1, SIZE),)


def reductions(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a chain through sums."""

    def function(x: Any) -> Any:
        for _ in range(n // 2):
            x = x - x.sum()
        return x

    return function, (tri.ones(SIZE),)


def outputs(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function of many small results."""

    def function(x: Any) -> Any:
        return [x * index for index in range(n)]

    return function, (tri.ones(SIZE),)


def captured(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function that uses many tensors of the enclosing program."""
    tensors = [tri.ones(SIZE) for _ in range(n)]

    def function(x: Any) -> Any:
        for tensor in tensors:
            x = tri.maximum(x, tensor)
        return x

    return function, (tri.ones(SIZE),)


def trees(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function from a tree of tensors to one of the same structure."""

    def function(tree: Any) -> Any:
        return {key: [item * 2 for item in items] for key, items in tree.items()}

    return function, ({f"k{key}": [tri.ones(4) for _ in range(10)] for key in range(n // 10)},)


def constants(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a chain of which each operation has a number of its own."""

    def function(x: Any) -> Any:
        for index in range(n):
            x = x + index / 7
        return x

    return function, (tri.ones(SIZE),)


def pieces(n: int) -> tuple[Function, tuple[Any, ...]]:
    """Return a function that cuts a tensor up and joins the parts."""

    def function(x: Any) -> Any:
        return tri.cat([part * 2 for part in x.split(1)])

    return function, (tri.ones(n // 2, 4),)


MAKERS: dict[str, Maker] = {
    **{"chain": chain, "costly chain": costly_chain, "complex chain": complex_chain},
    **{"fan out": fan_out, "fan in": fan_in, "diamonds": diamonds, "views": views},
    **{"writes": writes, "writes to an argument": argument_writes, "reductions": reductions},
    **{"outputs": outputs, "captured": captured, "trees": trees, "constants": constants},
    "pieces": pieces,
}


@dataclass(frozen=True, slots=True)
class Times:
    """What the phases of one program took of a processor, in ms, and what came of it."""

    trace: float
    lower: float
    compile: float
    first: float
    warm: float
    kernels: int
    launches: int


def measure(name: str, n: int) -> Times:
    """Take a program from Python to its first results."""
    # What is made once per process is made before.
    tri.compile(lambda x: (x + 1).sum())(tri.ones(2))
    function, arguments = MAKERS[name](n)
    clock = [time.process_time()]
    traced = tri.trace(function, *arguments)
    clock.append(time.process_time())
    lowered = traced.lower(in_place=True)
    clock.append(time.process_time())
    compiled = lowered.compile()
    clock.append(time.process_time())
    compiled(*arguments)
    clock.append(time.process_time())
    compiled(*arguments)
    clock.append(time.process_time())
    steps = [1e3 * (end - start) for start, end in pairwise(clock)]
    artifact = compiled.artifact
    return Times(*steps, kernels=len(artifact.kernels), launches=len(artifact.launches))


if __name__ == "__main__":
    found = measure(sys.argv[1], int(sys.argv[2]))
    print(json.dumps({field: getattr(found, field) for field in Times.__slots__}))
