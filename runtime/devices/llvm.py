"""How do threads, signal handlers and forks share LLVM? Through one lock, and llvmlite's own.

llvmlite takes a lock around each call into LLVM. A child can renew neither that lock nor what LLVM
itself was changing, so a fork waits for the call that runs (one kernel's compilation at most). That
holds for other users of llvmlite in this process, too: llvmlite is given a lock that forks know.

llvmlite takes it in Python code. A signal handler that raises there leaves the lock taken, and
every other thread would wait for ever: `in_llvm` releases it before it waits for anybody, and when
a call ends. Nor does llvmlite expect one between the end of a string and the note that it has
ended: it would end again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

from ...dialects.locks import LLVM_CALLS, new_lock, wait_before_fork

Result = TypeVar("Result")

#: Held by whoever compiles or links: a handler may enter again, other threads wait.
_LLVM = new_lock()

#: The lock of llvmlite's, once it is imported.
_inner: list[Any] = []


def guarded(binding: Any) -> Any:
    """Return llvmlite's binding; from the first call on a fork waits for calls into LLVM."""
    holder: Any = getattr(binding.ffi.lib, "_lock", None)
    lock = getattr(holder, "_lock", None)
    if lock is None or lock in _inner:
        return binding
    if not lock._is_owned() and lock.acquire(blocking=False):
        try:
            holder._lock = LLVM_CALLS
        finally:
            lock.release()
        _inner.append(LLVM_CALLS)
    else:
        # Somebody else is inside, with the lock that llvmlite had.
        _inner.append(lock)
        wait_before_fork(lock)
    _end_strings_once(binding.ffi)
    return binding


def _end_strings_once(ffi: Any) -> None:
    """Let LLVM's strings be ended once: interrupted on the way, one is left and not freed twice."""

    def close(string: Any) -> None:
        pointer, string._ptr = string._ptr, None  # no handler runs in between
        if pointer is not None and string._owned:
            ffi.lib.LLVMPY_DisposeString(pointer)

    ffi.OutputString.close = close


def in_llvm(call: Callable[[], Result]) -> Result:
    """Call what compiles or links, when no other thread does.

    >>> in_llvm(lambda: "compiled")
    'compiled'
    """
    # Who is inside may wait for what this thread has left, so that this thread must not wait first.
    release_left_over()
    with _LLVM:
        try:
            return call()
        finally:
            release_left_over()


def release_left_over() -> None:
    """Release llvmlite's lock if an interrupted call of this thread has left it taken."""
    for lock in _inner:
        if lock._is_owned() and not _is_inside(sys._getframe()):  # pyright: ignore[reportPrivateUsage]
            while lock._is_owned():
                lock.release()


def _is_inside(innermost: FrameType) -> bool:
    """Whether a call of llvmlite's is on the stack: a handler or finalizer that came in between."""
    frame: FrameType | None = innermost
    while frame is not None:
        if frame.f_globals.get("__name__") == "llvmlite.binding.ffi":
            return True
        frame = frame.f_back
    return False
