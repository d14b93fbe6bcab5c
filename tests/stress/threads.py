"""Calls from eight threads with changing sizes, while the process forks; run by `run.py`.

    python -m tests.stress.threads CALLS

Each thread makes so many calls of compiled functions, operators and views, and compares each
result with NumPy's. The main thread forks meanwhile: a child calls what its parent has called and
compiles what it has not. Prints how many were wrong, what the process grew by, and locks.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import trilith as tri
from tests.stress.memory import resident
from tests.stress.progress import show
from tests.unit.interruption import no_lock_is_held
from trilith.compiler.afterwards import AFTERWARDS

THREADS = 8
#: Sizes go up to this: about as much memory as is in use varies with them.
LARGEST = 3000
#: Seconds between two forks, and after which a child hangs.
PAUSE, LIMIT = 0.1, 60
VALUES = np.random.default_rng(5).standard_normal((2, 2 * LARGEST), dtype=np.float32)
X, Y = (tri.tensor(values) for values in VALUES)


@tri.compile
def chain(x: Any, y: Any) -> Any:
    return (x * 2 + y) * y - x


@tri.compile
def total(x: Any) -> Any:
    return (x * 3).amax(0)


def chain_of(x: Any, y: Any) -> Any:
    return (x * 2 + y) * y - x


def make_calls(at: int, size: int) -> list[tuple[Callable[[], Any], Callable[[], Any]]]:
    """Return calls of this library for some place and size, and NumPy's that mean the same."""
    part = slice(at, at + size)
    x, y = X[part], Y[part]
    a, b = VALUES[0][part], VALUES[1][part]
    return [
        (lambda: chain(x, y), lambda: chain_of(a, b)),
        (lambda: total(x), lambda: (a * 3).max(0)),
        (lambda: x + y, lambda: a + b),
        (lambda: tri.cat([y[:3], x]), lambda: np.concatenate([b[:3], a])),
        (lambda: x.reshape(-1, 1) - y[:4], lambda: a.reshape(-1, 1) - b[:4]),
        (lambda: chain(a, b), lambda: chain_of(a, b)),
        (lambda: tri.ones(size) + x, lambda: np.ones(size, np.float32) + a),
        (lambda: x[::2].amin(0), lambda: a[::2].min(0)),
    ]


def work(number: int, calls: int, done: list[int], wrong: list[str]) -> None:
    """Make calls with sizes that change, and note those with another result than NumPy's."""
    chance = random.Random(number)
    while done[number] < calls:
        at, size = chance.randrange(LARGEST), chance.randrange(1, LARGEST)
        for ours, numpys in make_calls(at, size):
            found, expected = ours().numpy(), numpys()
            if found.shape != expected.shape or not (found == expected).all():
                wrong.append(f"thread {number}, call {done[number]}, x[{at}:{at + size}]")
            done[number] += 1


def is_right_in_child(number: int) -> bool:
    """Whether a child computes what its parent did, and what is new."""
    calls = make_calls(number % LARGEST, 5 + number % 7)
    right = all((ours().numpy() == numpys()).all() for ours, numpys in calls)
    new = tri.compile(lambda x: (x - 1) * (x - number))
    expected = (VALUES[0] - 1) * (VALUES[0] - number)
    return right and bool((new(X).numpy() == expected).all())


def fork(number: int) -> bool:
    """Whether a child that is forked now does everything right, and ends."""
    child = os.fork()
    if not child:
        signal.alarm(LIMIT)
        os._exit(0 if is_right_in_child(number) else 1)
    return os.waitpid(child, 0)[1] == 0


def main() -> None:
    """Run the threads, fork until they have ended, and say what came of it."""
    calls = int(sys.argv[1])
    done, wrong = [0] * THREADS, list[str]()
    threads = [
        threading.Thread(target=work, args=(number, calls, done, wrong), daemon=True)
        for number in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    forks, good, early = 0, 0, 0
    while any(thread.is_alive() for thread in threads):
        time.sleep(PAUSE)
        good += fork(forks)
        forks += 1
        if not early and sum(done) > THREADS * calls // 4:
            AFTERWARDS.finish()  # a compiler takes memory, which does not grow with calls
            early = resident()
        show(sum(done), THREADS * calls, f"calls, {forks} forks")
    grown = (resident() - early) / 2**20
    print(
        f"{sum(done)} calls in {THREADS} threads, {len(wrong)} wrong; "
        f"{good} of {forks} children did right; no lock is held: {no_lock_is_held()}; "
        f"grown by {grown:.1f} MiB after the first quarter"
    )
    for line in wrong[:10]:
        print(line, file=sys.stderr)
    sys.exit(bool(wrong) or good != forks or not no_lock_is_held() or grown > 16)


if __name__ == "__main__":
    main()
