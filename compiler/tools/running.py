"""How does a tool end? With an exit status and a message, whatever its streams are."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import Any, NoReturn, TextIO

from .refusal import Kind, Refusal


def end_at_once(tool: Callable[[], object]) -> NoReturn:
    """Run a tool as all that a process does, and end it without taking apart what was loaded.

    That takes Python a quarter of the time of `trilith-opt`, and gives back nothing that the system
    does not take anyway. What is to be done at the end is done. An error that the tool does not
    turn into a message ends the process as in any program. Not for a tool that runs a user's code:
    files that nobody has closed would not be flushed, and its threads would not be waited for.
    """
    status: Any = 0
    try:
        tool()
    except SystemExit as ended:
        status = 0 if ended.code is None else ended.code
        if not isinstance(status, int):
            raise
    atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage] - as the interpreter does
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):  # it is not there, broken or closed
            stream.flush()
    os._exit(status & 0xFF)


def run_tool(run: Callable[[], int], refuse: Callable[[Exception], Refusal]) -> None:
    """Run a tool and end as it says; `refuse` makes a message of what it raises.

    >>> from .refusal import system_refusal
    >>> run_tool(lambda: 0, lambda error: system_refusal(OSError(error)))
    """
    stderr: Any = sys.stderr
    try:
        with nullcontext() if stderr else open(os.devnull, "w") as nowhere:
            sys.stderr = stderr or nowhere  # without one, `print` would take stdout
            _run(run, refuse)
    finally:
        sys.stderr = stderr


def _run(run: Callable[[], int], refuse: Callable[[Exception], Refusal]) -> None:
    stdout: Any = getattr(sys, "stdout", None)
    reconfigure: Any = getattr(stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8")  # as IR is read, whatever the terminal takes
    try:
        status = run()
        if stdout is not None:
            stdout.flush()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except BrokenPipeError:
        _drop_output(stdout)  # who read it has gone
        raise SystemExit(1) from None
    except Exception as error:
        if os.environ.get("TRILITH_TRACEBACK", "0") not in ("", "0"):
            raise
        refusal = refuse(error)
        print(refusal, file=sys.stderr)
        _drop_output(stdout)
        raise SystemExit(refusal.status) from None
    if status:
        raise SystemExit(status)


def _drop_output(stdout: Any) -> None:
    """Drop what cannot be written: Python must not complain once more while it ends."""
    if stdout is None:
        return
    try:
        stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())


def opened(stream: TextIO | None, name: str) -> TextIO:
    """Return a stream of the process; a shell may start a program without it (`>&-`).

    >>> opened(sys.stdout, "stdout") is sys.stdout
    True
    """
    if stream is None:
        raise Refusal(Kind.SYSTEM, f"{name}: error: it is closed")
    return stream
