"""What is done when nobody waits for it? Better code of kernels, and what goes to the disk.

A first call returns as soon as there is something to return. What is left to do is done by a
thread, one job after the other, when no plan is being made and none was for a while: so it does not
hold up a program that makes one plan after the other, unless it has had to wait for long. What the
thread has not reached is done when the interpreter ends; a process that is killed has done less. A
forked child does once more what its parent had not done, but not at its end.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

from ..dialects.locks import new_lock
from ..runtime.execution.cache import default_cache

#: Seconds without a new job or plan before the first job is done, and that a job waits at most.
QUIET, LONGEST = 0.01, 2.0
#: How many jobs may wait: an end does them in less than a second.
ROOM = 64
#: What the thread is called.
THREAD = "trilith-afterwards"

Job = Callable[[], object]


class Afterwards:
    """Jobs that wait.

    >>> later = Afterwards()
    >>> later.add(lambda: print("done"))
    >>> later.finish()
    done
    """

    def __init__(self) -> None:
        """Have nothing to do."""
        #: A job stays here until it is done: a child that is forked in the midst begins it anew.
        self._jobs: deque[tuple[float, Job]] = deque()
        #: What was the parent's to do, in a forked child.
        self._inherited: deque[tuple[float, Job]] = deque()
        self._newest = 0.0
        #: Threads that make plans.
        self._busy: set[int] = set()
        self._thread: threading.Thread | None = None
        self._is_ending = False
        self._lock = new_lock()
        #: Held by who does a job.
        self._doing = new_lock()

    @property
    def has_room(self) -> bool:
        """Whether one more job may wait: if not, whoever has one does better to do it at once."""
        return len(self._jobs) < ROOM and not self._is_ending

    def add(self, job: Job) -> None:
        """Do something when it is quiet; at once if the interpreter ends."""
        if self._is_ending:
            job()
            return
        self._newest = monotonic()
        self._jobs.append((self._newest, job))
        self._start()

    def begin_plan(self) -> None:
        """Say that this thread makes a plan, which somebody waits for."""
        self._busy.add(threading.get_ident())

    def end_plan(self) -> None:
        """Say that it is made."""
        self._newest = monotonic()
        self._busy.discard(threading.get_ident())

    def finish(self) -> None:
        """Do all that waits, now, whatever single jobs raise: the first error is raised then."""
        errors: list[Exception] = []
        while self._jobs or self._inherited:
            try:
                self._do_one()
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def end(self, *, is_needed: bool) -> None:
        """Do what waits, or leave it if nobody needs it, and have no thread from now on.

        The interpreter ends: a thread must not be in the midst of compiling then.
        """
        self._is_ending = True
        self._inherited.clear()
        try:
            if is_needed:
                self.finish()
        finally:
            self._jobs.clear()
            with self._doing:
                pass

    def begin_anew(self) -> None:
        """In a forked child: do what the thread of the parent, which is not here, would have."""
        self._thread = None
        self._busy.clear()
        self._inherited.extend(self._jobs)
        self._jobs.clear()
        library: Any = sys.modules.get("multiprocessing.util")
        if library is not None:
            library.register_after_fork(self, _end_with_child)
        if self._inherited:
            self._start()

    def _start(self) -> None:
        with self._lock:
            if self._thread is not None or self._is_ending:
                return
            thread = threading.Thread(target=self._work, name=THREAD, daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return  # no more threads, or the interpreter ends: `end` comes then
            self._thread = thread

    def _work(self) -> None:
        while self._goes_on():
            rest = self._rest()
            if rest > 0:
                sleep(rest)
                continue
            try:
                self._do_one()
            except Exception:
                threading.excepthook(
                    threading.ExceptHookArgs((*sys.exc_info(), threading.current_thread()))
                )

    def _goes_on(self) -> bool:
        """Whether there is something to do; if not, the next job needs another thread."""
        with self._lock:
            is_left = bool(self._jobs or self._inherited)
            if not is_left:
                self._thread = None
            return is_left

    def _rest(self) -> float:
        """Return how long the next job has to wait."""
        now = monotonic()
        try:
            since = (self._jobs or self._inherited)[0][0]
        except IndexError:
            return 0  # another thread has done the last one
        quiet = QUIET if self._busy else self._newest + QUIET - now
        return min(quiet, since + LONGEST - now)

    def _do_one(self) -> None:
        with self._doing:
            jobs = self._jobs or self._inherited
            if not jobs:
                return
            first = jobs[0]
            try:
                first[1]()
            finally:
                # A job that adds others, or a handler that finishes, may have changed the queue.
                if jobs and jobs[0] is first:
                    jobs.popleft()


AFTERWARDS = Afterwards()


def end() -> None:
    """Do what other processes find on the disk; what is for this one alone is not needed."""
    disk = default_cache()
    AFTERWARDS.end(is_needed=disk is not None and disk.is_usable and not disk.is_shipped)


def _end_with_child(_: Afterwards) -> None:
    """Have children of multiprocessing do so, too, which end without the functions of `atexit`."""
    library: Any = sys.modules.get("multiprocessing.util")
    if library is not None:
        library.Finalize(None, end, exitpriority=0)


atexit.register(end)
_end_with_child(AFTERWARDS)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=AFTERWARDS.begin_anew)
