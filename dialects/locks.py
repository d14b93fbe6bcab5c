"""Which locks does trilith have, and what becomes of them when the process forks?

Every lock is made here: reentrant, since a signal handler or a finalizer may compute while its
thread holds one, and renewed in a forked child, where the thread that held it does not exist.
(One that the forking thread itself holds stays: it is still there to release it.) So what a lock
guards must be whole, or be made whole by whoever comes next, at every step in between.

What cannot be renewed is waited for: a fork passes its gates (`wait_before_fork`) in the parent,
and goes on when no other thread is inside. There are few: imports, LLVM, and OpenCL devices, which
have a file of their own (`runtime/devices/opencl/library.py`).
"""

import gc
import os
import sys
import threading
import weakref
from importlib import import_module
from importlib.util import resolve_name
from types import ModuleType
from typing import Any, Protocol, TypeAlias

from .diagnostics import TrilithRuntimeError

#: What `new_lock` returns: C's own class, which `with` takes and leaves such that no signal handler
#: can raise in between.
Lock: TypeAlias = threading.RLock


class Gate(Protocol):
    """What a fork takes before and gives back after, in the parent and in the child."""

    @property
    def acquire(self) -> Any:
        """Wait until no other thread is inside."""
        ...

    @property
    def release(self) -> Any:
        """Let others in."""
        ...


_locks: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> Lock:
    """Return a reentrant lock that a forked child finds free, unless its own thread holds it.

    >>> with new_lock() as is_held:
    ...     is_held
    True
    """
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def every_lock() -> list[Any]:
    """Return the locks that are alive."""
    return list(_locks)


def _renew() -> None:
    """Free the locks of threads that a child does not have."""
    for lock in every_lock():
        if lock.acquire(blocking=False):
            lock.release()
        else:
            lock._at_fork_reinit()


def wait_before_fork(gate: Gate) -> None:
    """Let no thread fork while another one is inside a gate; the newest gate is taken first.

    Its functions are to be C's, as those of a lock: no signal handler can come in between.
    """
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=gate.acquire, after_in_parent=gate.release, after_in_child=gate.release
        )


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)

#: Held while a part of trilith, or what it drives, is imported: a child would wait for ever for a
#: module that a thread it does not have was importing.
IMPORTS = new_lock()
wait_before_fork(IMPORTS)

#: Held around each call into LLVM, as llvmlite's own lock. It is a gate from the start: a fork that
#: waits for an import would not know a gate that the import makes, and not take it.
LLVM_CALLS = threading.RLock()
wait_before_fork(LLVM_CALLS)


class _Importing:
    #: Whether the thread that holds `IMPORTS` imports something with it.
    here: bool = False


def imported(name: str, package: str | None = None) -> ModuleType:
    """Import a module that is first needed now, such that no child finds it half imported.

    Not for the top level of a module, which is imported as a part of what asked for it. So whoever
    asks while this thread imports is a handler of signals or a finalizer that has interrupted that:
    it gets what is there already, or a TrilithRuntimeError. (Python would give it half a module, or
    import one twice.)

    >>> imported("json").__name__, imported("..frames", "trilith.dialects.tri").__name__
    ('json', 'trilith.dialects.frames')
    """
    with IMPORTS:
        full = resolve_name(name, package)
        found = sys.modules.get(full)
        if found is not None and not getattr(found.__spec__, "_initializing", False):
            return found
        if _Importing.here:
            raise being_loaded(full)
        is_collecting = gc.isenabled()
        try:
            _Importing.here = True
            # What is loaded stays, and looking through it took a tenth of a first compilation.
            gc.disable()
            return import_module(name, package)
        finally:
            _Importing.here = False
            if is_collecting:
                gc.enable()  # the first call since the import: no interrupt comes before it


def being_loaded(name: str) -> TrilithRuntimeError:
    """Return the error of what is needed by code that has interrupted its thread's imports."""
    return TrilithRuntimeError(
        f"trilith is being loaded in this thread, and {name} is not there yet: a handler of "
        "signals or a finalizer that needs it has interrupted that",
        hint="do once, before that, what the handler or the finalizer does",
    )
