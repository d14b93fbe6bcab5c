"""May anything come in between: other threads, signal handlers, finalizers, the program's end?

What would hang or crash runs in a process of its own, with a time limit.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.runtime.devices.opencl import faults
from trilith.runtime.devices.opencl.faults import DeviceStatusWord

from .opencl_support import kernel, run_python, runtime


@pytest.fixture
def device() -> Iterator[Any]:
    found = runtime()
    yield found
    found.synchronize()


def _error(fault: int, position: int, details: tuple[int, int, int]) -> TrilithRuntimeError:
    return TrilithRuntimeError(f"fault {fault} at {position}")


def _fail(device: Any, fault: int, position: int) -> DeviceStatusWord:
    """Launch what reports a fault, as an executor does."""
    status = device.new_status(_error)
    device.load(kernel("fail"))(status.pointer, 1, fault, position)
    device.watch(status, _error)
    return status


# Faults


def test_a_fault_that_another_thread_is_reading_is_raised(
    device: Any, monkeypatch: pytest.MonkeyPatch
):
    """The other thread has read it and not yet handed it out: this one must not pass by."""
    genuine = device.faults._read
    inside, passed = threading.Event(), threading.Event()

    def read(address: int, nbytes: int) -> memoryview:
        content = genuine(address, nbytes)
        if threading.current_thread() is thread:
            inside.set()
            passed.wait(0.3)
        return content

    x = tri.ones(3, device="opencl:0")
    thread = threading.Thread(target=x.cpu)
    monkeypatch.setattr(device.faults, "_read", read)
    _fail(device, 2, 1)
    thread.start()
    inside.wait(30)
    try:
        with pytest.raises(TrilithRuntimeError, match="fault 2 at 1"):
            x.cpu()
    finally:
        passed.set()
        thread.join()


def test_no_fault_is_lost_while_another_thread_waits(device: Any):
    x, z = tri.arange(3, device="opencl:0"), tri.ones(3, device="opencl:0")
    is_over = threading.Event()

    def wait() -> None:
        while not is_over.is_set():
            z.cpu()

    thread = threading.Thread(target=wait)
    thread.start()
    silent = 0
    try:
        for _ in range(300):
            y: Any = x // x
            time.sleep(0)  # lets the other thread go first
            try:
                y.cpu()
                silent += 1
            except RuntimeError:
                pass
    finally:
        is_over.set()
        thread.join()
    assert silent == 0


def test_a_wait_inside_a_wait_finds_the_fault(device: Any, monkeypatch: pytest.MonkeyPatch):
    """A signal handler that waits, before the wait around it has looked at what it read."""
    genuine = device.faults._read
    raised: list[str] = []

    def read(address: int, nbytes: int) -> memoryview:
        content = genuine(address, nbytes)
        monkeypatch.setattr(device.faults, "_read", genuine)
        try:
            device.synchronize()
        except TrilithRuntimeError as error:
            raised.append(error.message)
        return content

    monkeypatch.setattr(device.faults, "_read", read)
    _fail(device, 3, 4)
    with pytest.raises(TrilithRuntimeError, match="fault 3 at 4"):
        device.synchronize()
    assert raised == ["fault 3 at 4"]


def test_a_word_outlives_its_block(device: Any, monkeypatch: pytest.MonkeyPatch):
    """A thread takes a word, others use up the slots and wait, and only then does it launch."""
    monkeypatch.setattr(faults, "SLOTS", 4)
    board = faults.FaultBoard(device.allocator)
    monkeypatch.setattr(device, "faults", board)
    early = device.new_status()
    for _ in range(10):
        board.watch(board.new(), _error)
        device.synchronize()
    device.load(kernel("fail"))(early.pointer, 1, 6, 7)
    device.watch(early, _error)
    with pytest.raises(TrilithRuntimeError, match="fault 6 at 7"):
        device.synchronize()
    del early
    for _ in range(10):
        board.watch(board.new(), _error)
        device.synchronize()
    assert len(board._blocks) == 1  # pyright: ignore[reportPrivateUsage]  # what is kept


# Launches inside launches


def test_a_launch_inside_a_launch_of_the_same_kernel():
    """At the last moment before the driver takes the arguments, as the collector may come."""
    program = """
    import pyopencl as cl
    import trilith as tri
    from trilith.runtime.devices.opencl.programs import driver
    genuine, inner = driver().enqueue_nd_range_kernel, []
    def enqueue(*arguments):
        if is_armed:
            is_armed.clear()
            inner.append(y + y)
        return genuine(*arguments)
    is_armed, driver().enqueue_nd_range_kernel = [], enqueue
    x, y = tri.ones(64, device="opencl:0"), tri.full((64,), 5.0, device="opencl:0")
    x + y
    for _ in range(2):
        is_armed.append(True)
        outer = x + x
        print(*(set(each.tolist()) for each in (outer, inner.pop(), x + y)))
    """
    assert run_python(program) == "{2.0} {10.0} {6.0}\n{2.0} {10.0} {6.0}"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer signals")
def test_signal_handlers_launch():
    program = """
    import signal
    import trilith as tri
    xs = [tri.zeros(64, dtype=tri.int64, device="opencl:0") for _ in range(4)]
    count = 0
    def handle(*_):
        global count
        count += 1
        xs[2 + count % 2].add_(1)
        if count < 300:
            signal.setitimer(signal.ITIMER_REAL, 0.0003)
    for x in xs:
        x.add_(1).sub_(1)
    signal.signal(signal.SIGALRM, handle)
    signal.setitimer(signal.ITIMER_REAL, 0.0003)
    number = 0
    while count < 300:
        xs[number % 2].add_(1)
        number += 1
    sums = [set(x.tolist()) for x in xs]
    print(sums == [{number - number // 2}, {number // 2}, {150}, {150}] or (number, sums))
    """
    assert run_python(program) == "True"


def test_finalizers_launch():
    program = """
    import gc
    import trilith as tri
    xs = [tri.zeros(64, dtype=tri.int64, device="opencl:0") for _ in range(4)]
    count = 0
    class Cycle:
        def __init__(self):
            self.me = self
        def __del__(self):
            global count
            count += 1
            xs[2 + count % 2].add_(1)
    for x in xs:
        x.add_(1).sub_(1)
    gc.set_threshold(7)
    for number in range(5000):
        Cycle()
        shift = [[] for _ in range(number % 11)]  # the collector comes elsewhere each time
        xs[number % 2].add_(1)
    gc.set_threshold(700)
    gc.collect()
    print(*(set(x.tolist()) for x in xs), count)
    """
    assert run_python(program) == "{2500} {2500} {2500} {2500} 5000"


# The end


def test_the_end_is_quiet_when_a_tensor_outlives_the_modules():
    """Something keeps a tensor until the interpreter has emptied the modules."""
    runtime()
    program = """
import threading
import trilith as tri
x = tri.ones(3, device="opencl:0") + 1
threading.keep = lambda: x
print(x.tolist())
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "TRILITH_OPENCL_PROBE": "0"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "[2.0, 2.0, 2.0]\n", "")
