"""Interrupts a program at random, as Ctrl-C does; run by test_interruptions.py in its own process.

    python interrupting.py COUNT

After each interrupt the same work is done in peace and its results are compared. Prints what is
left at the end: what the process grew by after the first third, what tensors hold, and locks.
"""

import faulthandler
import gc
import os
import random
import signal
import sys
from collections.abc import Callable
from typing import Any

import trilith as tri
from tests.unit.interruption import no_lock_is_held
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.eager import operations as eager
from trilith.compiler.kernels.table import KERNELS
from trilith.compiler.trace.active import ACTIVE
from trilith.dialects.attributes.device import get_default_device
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.devices.llvm import release_left_over

COUNT = int(sys.argv[1])
chooser = random.Random(7)
STEPS: list[Callable[[Any], Any]] = [
    lambda x: x * 3,
    lambda x: x + 2,
    lambda x: x - x * x,
    lambda x: tri.maximum(x, -x),
    lambda x: tri.where(x > 1, x, x + x),
]


class Model:
    def __init__(self) -> None:
        self.weights = tri.ones(1 << 19)

    @tri.compile
    def run(self, x: Any) -> Any:
        return (x * self.weights).sum()


def compute(seed: int) -> None:
    chosen = random.Random(seed % 300).choices(STEPS, k=4)

    def run(x: Any) -> Any:
        for step in chosen:
            x = step(x)
        return x

    x = tri.tensor([1.0, -2.0, 5.0])
    assert tri.compile(run)(x).tolist() == run(x).tolist()
    if not seed % 7:
        eager.forget_plans()
    assert Model().run(tri.ones(1 << 19)).item() == 1 << 19
    large = tri.full((3 << 19,), 2.0)
    large += 1
    assert large[::1000].sum().item() == 3 * len(large[::1000])
    storage = tri.ones(1000).untyped_storage()
    storage.resize_(5 << 20)
    assert storage[:4].tolist() == [0, 0, 128, 63]
    with tri.device("meta"):
        assert tri.ones(3).device.type == "meta"
    y = tri.zeros(4)
    y[1:3] = 1
    assert y.tolist() == [0, 1, 1, 0]


def resident() -> int:
    """Return the bytes of memory that the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


came = 0


def interrupt(number: int, frame: object) -> None:
    global came
    came += 1
    raise KeyboardInterrupt


def ignore(_: object) -> None:
    """Say nothing of interrupts in finalizers: those are lost, in Python."""


def main() -> None:
    faulthandler.dump_traceback_later(280 + 4 * COUNT, exit=True)
    sys.unraisablehook = ignore
    signal.signal(signal.SIGALRM, interrupt)
    allocator: Any = runtime_of(tri.device("cpu")).allocator
    compute(0)
    compute(1)
    gc.collect()
    caught, early, held = 0, 0, allocator.stats().in_use
    for number in range(COUNT):
        try:
            signal.setitimer(signal.ITIMER_REAL, chooser.uniform(1e-5, 0.06))
            while came == number:  # Python loses an interrupt that comes in a finalizer
                compute(chooser.randrange(10_000))
        except KeyboardInterrupt:
            caught += 1
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        assert came == number + 1
        compute(number)
        assert ACTIVE.trace is None
        assert get_default_device().type == "cpu"
        if number == COUNT // 3:
            gc.collect()
            early = resident()
    AFTERWARDS.finish()
    gc.collect()
    grown = resident() - early
    release_left_over()
    making = KERNELS.codes.in_the_making + eager._plans.in_the_making  # pyright: ignore[reportPrivateUsage]
    more = allocator.stats().in_use - held
    print(f"{came} of {COUNT} interrupts", no_lock_is_held(), making, more < 1 << 20)
    print(f"{caught} were caught; grown {grown >> 20} MiB, {more} bytes held", file=sys.stderr)
    assert caught > COUNT // 2
    assert grown < 64 << 20, grown
    assert more < 1 << 20, more
    assert no_lock_is_held()
    assert not making


main()
