"""Who imports pyopencl, and may this process use it? Nobody before a device is asked for.

OpenCL libraries have threads and locks that a forked child inherits half: a call there hangs. So a
child of a process that has used OpenCL is told to start by `spawn`, at every entry. And a fork
waits until no driver builds or runs a kernel: one that loads a library at that moment would leave
the child's loader locked for ever, for everything.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Any, Final, NoReturn, Protocol

from ....dialects.diagnostics import TrilithError, TrilithRuntimeError
from ....dialects.locks import imported
from ...native.forever import keep_forever

INSTALL = "pip install trilith[opencl]"
#: How long a fork waits for devices that are busy, in seconds.
FORK_LIMIT = 10.0


class Pausable(Protocol):
    """A device's runtime, as a fork sees it."""

    def pause(self, deadline: float) -> None:
        """Let nothing be built, and what was launched end, if that is soon enough."""
        ...

    def resume(self) -> None:
        """Undo `pause`."""
        ...


class _State:
    """What this process has done: the library it loaded, and whether its parent had done so."""

    __slots__ = ("is_barred", "is_ending", "is_forked", "keep", "library", "paused")

    def __init__(self) -> None:
        self.library: Any = None
        self.is_forked = False
        self.is_ending = False
        self.is_barred = False
        self.keep: list[Pausable] = []
        self.paused: list[Pausable] = []


#: `STATE.is_barred` is read at the entries of a runtime, where no lock is held: `refuse` decides.
STATE: Final = _State()


def library() -> Any:
    """Return pyopencl; raises TrilithRuntimeError where it is not installed or after a fork."""
    if STATE.is_forked:
        raise forked()
    if STATE.library is None:
        try:
            STATE.library = imported("pyopencl")
        except ImportError as error:
            raise TrilithRuntimeError(
                f"OpenCL devices need the package pyopencl, which does not load: {error}",
                hint=INSTALL,
            ) from error
    return STATE.library


def library_of_arrays() -> Any:
    """Return pyopencl's module of arrays, or raise as `library` does."""
    library()
    return imported("pyopencl.array")


def keep_over_fork(thing: Pausable) -> None:
    """Keep an object and what it holds from ever being released in a forked child."""
    STATE.keep.append(thing)


def drop_kept(thing: Pausable) -> None:
    """Forget an object that `keep_over_fork` was given."""
    STATE.keep = [kept for kept in STATE.keep if kept is not thing]


def refuse() -> None:
    """Raise in a forked child; at the interpreter's end, stop every thread but the main one."""
    if STATE.is_forked:
        raise forked()
    if STATE.is_ending and threading.current_thread() is not threading.main_thread():
        park()


def park() -> NoReturn:
    """Wait for the end of the process."""
    while True:
        time.sleep(3600)


def forked() -> TrilithError:
    """Return the error of a child that was forked from a process that uses OpenCL."""
    return TrilithRuntimeError(
        "OpenCL cannot be used in a process that was forked from one that had used it",
        hint="start the process with multiprocessing.get_context('spawn')",
    )


def _before_fork() -> None:
    if STATE.is_forked:
        return
    deadline = time.monotonic() + FORK_LIMIT
    for runtime in tuple(STATE.keep):
        STATE.paused.append(runtime)
        runtime.pause(deadline)


def _after_fork_in_parent() -> None:
    while STATE.paused:
        STATE.paused.pop().resume()


def _after_fork_in_child() -> None:
    if STATE.library is None:
        return
    STATE.is_forked = STATE.is_barred = True
    for thing in STATE.keep:
        keep_forever(thing)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork,
        after_in_parent=_after_fork_in_parent,
        after_in_child=_after_fork_in_child,
    )
