"""Does a child compute that was forked while another thread was compiling?"""

import os
import signal
import subprocess
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import trilith as tri
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.kernels.table import KERNELS
from trilith.dialects import locks
from trilith.runtime.devices.opencl import library as opencl_library


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_child_compiles_although_its_parent_was_compiling():
    is_held, may_end = threading.Event(), threading.Event()

    def compile_for_long():
        with KERNELS.codes._lock:  # pyright: ignore[reportPrivateUsage]
            is_held.set()
            may_end.wait(60)

    tri.ones(2).sum()  # what a first operation imports is no business of the child
    thread = threading.Thread(target=compile_for_long)
    thread.start()
    assert is_held.wait(60)
    try:
        child = os.fork()
        if not child:
            signal.alarm(20)  # ends a child that hangs
            function = tri.compile(lambda x: x * 3 - 2)
            os._exit(0 if function(tri.ones(3)).tolist() == [1.0, 1.0, 1.0] else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        may_end.set()
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("device", ["cpu", "opencl"])
def test_children_of_a_busy_process_do_not_hang(device: str, tmp_path: Path):
    """TRILITH_FORKS=500 forks so many children; each computes, compiles and uses the cache."""
    count = int(os.environ.get("TRILITH_FORKS", "6"))
    if device == "opencl":
        try:
            tri.empty(1, device="opencl:0")
        except RuntimeError as error:
            pytest.skip(str(error))
    environment = {
        **os.environ,
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(tmp_path),
        "TRILITH_OPENCL_PROBE": "0",
    }
    script = Path(__file__).with_name("forking.py")
    arguments = [sys.executable, str(script), str(count), device]
    ended = subprocess.run(
        arguments, env=environment, capture_output=True, text=True, timeout=300 + 20 * count
    )
    assert ended.stdout.split("\n")[0] == (
        f"{count} of {count} children did right, 4 threads work True"
    ), ended.stderr


def test_a_fork_waits_for_imports_and_llvm_and_renews_every_other_lock(
    monkeypatch: pytest.MonkeyPatch,
):
    """Another thread holds every lock there is; the child finds them free."""
    monkeypatch.setattr(opencl_library, "FORK_LIMIT", 0.1)  # a fork waits so long for devices
    is_held, may_end = threading.Event(), threading.Event()
    tri.compile(lambda x: x * 2)(tri.ones(2))
    AFTERWARDS.finish()
    gates = [locks.IMPORTS]
    others = [lock for lock in locks.every_lock() if lock not in gates]

    def hold() -> None:
        for lock in others:
            lock.acquire()
        is_held.set()
        may_end.wait(60)
        for lock in others:
            lock.release()

    thread = threading.Thread(target=hold)
    thread.start()
    assert is_held.wait(60)
    try:
        child = os.fork()
        if not child:
            signal.alarm(20)
            free = all(lock.acquire(blocking=False) for lock in locks.every_lock())
            os._exit(0 if free else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        may_end.set()
        thread.join()


def test_a_lock_that_the_forking_thread_holds_stays_its_own():
    lock = locks.new_lock()
    with lock, lock:
        child = os.fork()
        if not child:
            signal.alarm(20)
            try:
                lock.release()
                lock.release()
                lock.release()
            except RuntimeError:  # twice held, three times released
                os._exit(0)
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_llvmlite_has_a_lock_that_every_fork_knows():
    """One that began before llvmlite was imported takes it, too."""
    binding: Any = import_module("llvmlite.binding")
    tri.compile(lambda x: x * 3)(tri.ones(2))
    assert binding.ffi.lib._lock._lock is locks.LLVM_CALLS
    with binding.ffi.lib._lock:
        assert not _is_free_elsewhere(locks.LLVM_CALLS)
    assert _is_free_elsewhere(locks.LLVM_CALLS)


def _is_free_elsewhere(lock: Any) -> bool:
    found: list[bool] = []

    def look() -> None:
        found.append(lock.acquire(blocking=False))
        if found[0]:
            lock.release()

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return found[0]
