"""Forks again and again while four threads work; run by test_fork.py in a process of its own.

    python forking.py CHILDREN [opencl]

Every child compiles, computes and uses the cache; one in four ends as a program does, with
everything that runs at its end. Prints how many did right.
"""

import faulthandler
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import trilith as tri
from trilith.compiler.eager.operations import forget_plans
from trilith.runtime.execution.cache import default_cache

CHILDREN, HAS_OPENCL = int(sys.argv[1]), "opencl" in sys.argv[2:]
#: Seconds after which a child hangs.
LIMIT = 60
STEPS: list[Callable[[Any], Any]] = [
    lambda x: x * 3,
    lambda x: x + 2,
    lambda x: x - x * x,
    lambda x: tri.maximum(x, -x),
    lambda x: tri.where(x > 1, x, x + x),
    lambda x: x / 2,
]
over = threading.Event()
rounds = [0, 0, 0, 0]


def new_function(seed: int) -> tuple[Any, Any]:
    """Return a function that nobody has compiled, and the same one not compiled."""
    chosen = random.Random(seed).choices(STEPS, k=6)

    def run(x: Any) -> Any:
        for step in chosen:
            x = step(x)
        return x

    return tri.compile(run), run


def compile_for_ever() -> None:
    while not over.is_set():
        compiled, _ = new_function(rounds[0])
        compiled(tri.ones(2, 2 + rounds[0] % 3))
        rounds[0] += 1


def run_for_ever() -> None:
    x = tri.ones(1 << 20)
    while not over.is_set():
        forget_plans()
        x = (x + 1).sqrt() * tri.rand(1 << 20)
        rounds[1] += 1


def store_for_ever() -> None:
    disk = default_cache()
    assert disk is not None
    while not over.is_set():
        disk.put(f"key {rounds[2] % 50}", bytes(10_000))
        disk.get(f"key {rounds[2] % 7}")
        rounds[2] += 1


def use_device_for_ever() -> None:
    x = tri.ones(1000, device="opencl:0" if HAS_OPENCL else "cpu")
    while not over.is_set():
        y = (x + 1) * x
        if not rounds[3] % 10:
            assert y.sum().item() == 2000
        rounds[3] += 1


def work_in_child(number: int) -> bool:
    """Do what the parent's threads do."""
    compiled, plain = new_function(1_000_000 + number)
    x = tri.tensor([1.0, -2.0, 5.0])
    disk = default_cache()
    assert disk is not None
    disk.put(f"child {number}", b"1")
    right = compiled(x).tolist() == plain(x).tolist() and disk.get(f"child {number}") == b"1"
    big = tri.full((1 << 20,), 2.0)
    right = right and big.sum().item() == 2 << 20
    if HAS_OPENCL:
        try:
            tri.ones(2, device="opencl:0")
            right = False
        except RuntimeError as error:
            right = right and "forked" in str(error)
    return right


def main() -> None:
    work = (compile_for_ever, run_for_ever, store_for_ever, use_device_for_ever)
    threads = [threading.Thread(target=each, daemon=True) for each in work]
    for thread in threads:
        thread.start()
    while HAS_OPENCL and not rounds[3]:
        time.sleep(0.01)  # a child of a process that has not used a device yet may use it
    good, longest = 0, 0.0
    for number in range(CHILDREN):
        start = time.monotonic()
        child = os.fork()
        if not child:
            faulthandler.dump_traceback_later(LIMIT - 5)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(LIMIT)
            right = work_in_child(number)
            if number % 4 == 0:
                sys.exit(0 if right else 1)
            os._exit(0 if right else 1)
        longest = max(longest, time.monotonic() - start)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        good += status == 0
        if status:
            print(f"child {number} ended with {status}", file=sys.stderr)
    alive = sum(thread.is_alive() for thread in threads)
    over.set()
    for thread in threads:
        thread.join()
    print(f"{good} of {CHILDREN} children did right, {alive} threads work", min(rounds) > 0)
    print(f"rounds {rounds}, the longest fork took {longest:.3f} s", file=sys.stderr)


main()
