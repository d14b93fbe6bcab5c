"""What is done when nobody waits for it? Better code of kernels, and what goes to the disk.

A first call returns as soon as there is something to return. What is left to do is done by a
thread, one job after the other, when no plan was made for a while: so it does not hold up a program
that makes one plan after the other. The thread ends when all is done; what it has not reached
is done when the interpreter ends, and a forked child does once more what its parent had not done.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable
from time import monotonic, sleep

from ..dialects.locks import new_lock
from ..runtime.execution.cache import default_cache

#: Seconds without a new job or plan before the first job is done.
QUIET = 0.05
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
        self._jobs: deque[Job] = deque()
        self._newest = 0.0
        self._thread: threading.Thread | None = None
        self._is_ending = False
        self._lock = new_lock()
        #: Held by who does a job.
        self._doing = new_lock()

    def add(self, job: Job) -> None:
        """Do something when it is quiet."""
        if self._is_ending:
            job()
            return
        self.put_off()
        self._jobs.append(job)
        self._start()

    def put_off(self) -> None:
        """Say that somebody waits for something else: it is not quiet now."""
        self._newest = monotonic()

    def finish(self) -> None:
        """Do all that waits, now. What a job raises is raised, and the job is not done again."""
        while self._jobs:
            self._do_one()

    def begin_anew(self) -> None:
        """In a forked child: do what the thread of the parent, which is not here, would have."""
        self._thread = None
        if self._jobs:
            self._start()

    def end(self, *, is_needed: bool) -> None:
        """Do what waits, or leave it if nobody needs it, and have no thread from now on.

        The interpreter ends: a thread must not be in the midst of compiling then.
        """
        self._is_ending = True
        if is_needed:
            self.finish()
        self._jobs.clear()
        with self._doing:
            pass

    def _start(self) -> None:
        with self._lock:
            if self._thread is not None or self._is_ending:
                return
            thread = threading.Thread(target=self._work, name=THREAD, daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return  # no more threads, or the interpreter ends: `finish` comes then
            self._thread = thread

    def _work(self) -> None:
        try:
            while self._goes_on():
                rest = self._newest + QUIET - monotonic()
                if rest > 0:
                    sleep(rest)
                else:
                    self._do_one()
        except BaseException:
            self._thread = None
            raise

    def _goes_on(self) -> bool:
        """Whether there is something to do; if not, the next job needs another thread."""
        with self._lock:
            if not self._jobs:
                self._thread = None
            return bool(self._jobs)

    def _do_one(self) -> None:
        with self._doing:
            if not self._jobs:
                return  # another thread has done the last one
            job = self._jobs[0]
            try:
                job()
            finally:
                # A job that adds others, or a handler that finishes, may have changed the queue.
                if self._jobs and self._jobs[0] is job:
                    self._jobs.popleft()


AFTERWARDS = Afterwards()


def _at_exit() -> None:
    # Other processes find what is on the disk. What is for this one alone is not needed any more.
    AFTERWARDS.end(is_needed=default_cache() is not None)


atexit.register(_at_exit)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=AFTERWARDS.begin_anew)
