"""Who imports pyopencl, and may this process use it? Nobody before a device is asked for.

OpenCL libraries have threads and locks that a forked child inherits half: a call there hangs. So a
child of a process that has used OpenCL is told to start by `spawn`, at every entry.
"""

from __future__ import annotations

import ctypes
import importlib
import os
from typing import Any, Final

from ....dialects.diagnostics import TrilithError, TrilithRuntimeError

INSTALL = "pip install trilith[opencl]"


class _State:
    """What this process has done: the library it loaded, and whether its parent had done so."""

    __slots__ = ("is_forked", "keep", "library")

    def __init__(self) -> None:
        self.library: Any = None
        self.is_forked = False
        self.keep: list[object] = []


#: `STATE.is_forked` is read before every call into the library.
STATE: Final = _State()


def library() -> Any:
    """Return pyopencl; raises TrilithRuntimeError where it is not installed or after a fork."""
    if STATE.is_forked:
        raise forked()
    if STATE.library is None:
        try:
            STATE.library = importlib.import_module("pyopencl")
        except ImportError as error:
            raise TrilithRuntimeError(
                f"OpenCL devices need the package pyopencl, which does not load: {error}",
                hint=INSTALL,
            ) from error
    return STATE.library


def keep_over_fork(thing: object) -> None:
    """Keep an object and what it holds from ever being released in a forked child."""
    STATE.keep.append(thing)


def drop_kept(thing: object) -> None:
    """Forget an object that `keep_over_fork` was given."""
    STATE.keep = [kept for kept in STATE.keep if kept is not thing]


def forked() -> TrilithError:
    """Return the error of a child that was forked from a process that uses OpenCL."""
    return TrilithRuntimeError(
        "OpenCL cannot be used in a process that was forked from one that had used it",
        hint="start the process with multiprocessing.get_context('spawn')",
    )


def _after_fork() -> None:
    if STATE.library is None:
        return
    STATE.is_forked = True
    for thing in STATE.keep:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
