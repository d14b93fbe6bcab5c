"""What does a person see while compiling takes long? A line on the terminal, which goes when done.

    trilith: compiling f: 3 of 12 kernels, 2.4 s

It is written by a thread of its own, when plans take longer than a second, and only if the standard
error is a terminal and TRILITH_PROGRESS is not 0. The thread sleeps otherwise, and is made when the
first plan is. It writes to the terminal itself and never to `sys.stderr`, whose locks others hold;
whatever goes wrong there is nobody's error. A forked child begins without one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Sized
from typing import Protocol

from ..dialects.locks import new_lock

try:
    from _queue import SimpleQueue  # what `queue` has, without what else that loads
except ImportError:  # another Python
    from queue import SimpleQueue

#: Seconds until the line is written, and between changes of it.
PATIENCE, INTERVAL = 1.0, 0.1
#: Seconds that a terminal which takes nothing may hold up who compiles.
LONGEST_WAIT = 0.5


class Plan(Protocol):
    """A plan that is being made."""

    name: str
    #: How many kernels it has, once that is known.
    wanted: int | None
    #: When it was begun, by `time.perf_counter`.
    started: float

    @property
    def phase(self) -> str:
        """What is done now."""
        ...

    @property
    def kernels(self) -> Sized:
        """Those that are done."""
        ...


def text_of(plan: Plan, others: int, now: float) -> str:
    """Return what is said of a plan, and of how many others at the same time.

    >>> from trilith.compiler.plan_records import PlanRecord
    >>> plan = PlanRecord("f", wanted=12, started=0.0)
    >>> text_of(plan, 0, 2.41)
    'trilith: compiling f: 0 of 12 kernels, 2.4 s'
    >>> text_of(plan, 2, 2.41)
    'trilith: compiling f and 2 others: 0 of 12 kernels, 2.4 s'
    """
    name = f"{plan.name} and {others} others" if others else plan.name
    doing = f"{len(plan.kernels)} of {plan.wanted} kernels"
    if plan.wanted is None:
        doing = "tracing" if plan.phase == "trace" else "making kernels"
    return f"trilith: compiling {name}: {doing}, {now - plan.started:.1f} s"


class Progress:
    """The line of one process."""

    def __init__(self) -> None:
        """Show nothing; no thread is made."""
        #: By thread what it makes; who has made it removes it, by one call of C's.
        self.plans: dict[int, Plan] = {}
        #: What the sleeping thread waits for; it is C's own, which handlers of signals may enter.
        self._wake: SimpleQueue[None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = new_lock()
        #: How many letters stand on the terminal, and where.
        self._written = 0
        self._terminal = -1

    def begin(self, plan: Plan) -> None:
        """Show a plan from now on, if it takes long."""
        if terminal() is None:
            return
        self.plans[threading.get_ident()] = plan
        if self._thread is None or not self._thread.is_alive():
            self._start()
        if self._wake.empty():
            self._wake.put(None)

    def erase(self) -> None:
        """Take the line away; what else is made is shown soon."""
        if self._written:
            self._write("")

    def forget(self) -> None:
        """Begin anew in a forked child, where the threads are gone."""
        self.plans.clear()
        self._thread = None
        self._wake = SimpleQueue()
        self._written = 0

    def _start(self) -> None:
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                thread = threading.Thread(target=self._watch, name="trilith-progress", daemon=True)
                try:
                    thread.start()
                except RuntimeError:
                    return  # no more threads, or the interpreter ends
                self._thread = thread

    def _watch(self) -> None:
        wake = self._wake
        while True:
            wake.get()
            while plans := list(self.plans.values()):
                now = time.perf_counter()
                oldest = min(plans, key=lambda plan: plan.started)
                if now - oldest.started >= PATIENCE:
                    self._write(text_of(oldest, len(plans) - 1, now))
                    time.sleep(INTERVAL)
                else:
                    time.sleep(min(PATIENCE - (now - oldest.started) + 0.01, PATIENCE))
            if self._written:
                self._write("")

    def _write(self, text: str) -> None:
        """Put a text in the place of the one that stands there."""
        if not self._lock.acquire(timeout=LONGEST_WAIT):
            return
        try:
            if text and not self.plans:
                return  # all is made by now
            where = terminal() if text else self._terminal
            if where is None or where < 0:
                return
            text = text[: width_of(where) - 1]
            return_ = "" if text else "\r"
            line = f"\r{text}{' ' * (self._written - len(text))}{return_}"
            self._written, self._terminal = len(text), where
            os.write(where, line.encode(errors="replace"))
        except (OSError, ValueError):
            self._written = 0
        finally:
            self._lock.release()


def terminal() -> int | None:
    """Return the descriptor of the standard error if a person looks at it and wants to be told."""
    if os.environ.get("TRILITH_PROGRESS") == "0" or os.environ.get("TERM") == "dumb":
        return None
    try:
        return sys.stderr.fileno() if sys.stderr.isatty() else None
    except (AttributeError, OSError, ValueError):
        return None  # there is none, or it is closed


def width_of(descriptor: int) -> int:
    """Return how many letters a line of a terminal has."""
    try:
        return os.get_terminal_size(descriptor).columns or 80
    except OSError:
        return 80


#: The one there is.
PROGRESS = Progress()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=PROGRESS.forget)
