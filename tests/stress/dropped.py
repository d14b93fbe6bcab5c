"""Compiles functions, calls them and drops them; run by `run.py`.

    python -m tests.stress.dropped FUNCTIONS

No two have the same kernel. Prints how many are still there, and what memory and machine code the
process grew by. The last thousand kernels stay linked for the next function that has them; what is
left without that table must be what there was before the first function.
"""

from __future__ import annotations

import gc
import itertools
import random
import sys
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

import trilith as tri
from tests.stress.memory import machine_code, resident
from tests.stress.progress import show
from trilith.runtime.devices.base import runtime_of

#: What a function does, in words that NumPy has, too.
STEPS: list[Callable[[Any, Any], Any]] = [
    lambda m, x: x * 3,
    lambda m, x: x + 2,
    lambda m, x: x - x * x,
    lambda m, x: m.maximum(x, -x),
    lambda m, x: m.where(x > 1, x, x + x),
    lambda m, x: m.sqrt(m.abs(x)),
    lambda m, x: m.minimum(x, 7 - x),
    lambda m, x: m.floor(x) * x,
]
LENGTH = 5
#: Calls of each: native code has taken over then.
CALLS = 70
#: After so many calls a process loads native code without a disk that keeps it.
MANY_CALLS = 25_000
VALUES = np.linspace(-2, 2, 37, dtype=np.float32)


def make(steps: tuple[int, ...], calls: int = CALLS) -> weakref.ref[Any]:
    """Compile a function of some steps, call it, compare, and let it go."""

    def run(m: Any, x: Any) -> Any:
        for step in steps:
            x = STEPS[step](m, x)
        return x

    compiled: Any = tri.compile(lambda x: run(tri, x))
    x = tri.tensor(VALUES)
    for _ in range(calls - 1):
        compiled(x)
    np.testing.assert_allclose(compiled(x).numpy(), run(np, VALUES), rtol=1e-6)
    return weakref.ref(compiled)


def main() -> None:
    """Make and drop them, and say what is left."""
    count = int(sys.argv[1])
    programs = [*itertools.product(range(len(STEPS)), repeat=LENGTH)]
    chosen = random.Random(3).sample(programs, k=count + 1)
    make(chosen.pop(), MANY_CALLS)  # what the first one loads, stays
    before = machine_code()
    dropped: list[weakref.ref[Any]] = []
    half = resident()
    for number, steps in enumerate(chosen):
        dropped.append(make(steps))
        if number == count // 2:
            half = resident()
        show(number + 1, count, "functions")
    gc.collect()
    left = sum(reference() is not None for reference in dropped)
    grown, with_table = (resident() - half) / 2**20, (machine_code() - before) / 2**20
    runtime: Any = runtime_of(tri.device("cpu"))
    kept = runtime.loaded_kernels
    runtime._loaded.clear()
    gc.collect()
    without = (machine_code() - before) / 2**20
    print(
        f"{count} functions dropped, {left} left; {grown:.1f} MiB more than after half of them; "
        f"machine code: {with_table:.1f} MiB with the last {kept} kernels, {without:.1f} without"
    )
    sys.exit(left > 0 or grown > 16 or without > 0.1)


if __name__ == "__main__":
    main()
