"""Is the garbage collector running in this thread, which of its runs is it, and when may it rest?

What it tells its callbacks is noted by functions of C's alone: no signal handler can come into
them, whose exception Python would drop together with what the callback had to do.
"""

import gc
import threading
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import Any


class _Mine(threading.local):
    #: What the collector said when it last started in this thread: an object per run.
    start: Any = None


class _Latest:
    #: What the collector said last, in any thread. There is one run at a time.
    __slots__ = ("start",)
    start: Any
    stop: Any


_Latest.stop = _Latest.start  # both names are one place
_mine, _latest = _Mine(), _Latest()
_latest.start = None


def collection() -> object | None:
    """Return what stands for the run of the collector that this thread is in; None outside of it.

    >>> collection() is None
    True
    """
    start = _mine.start
    return start if start is _latest.start else None


@contextmanager
def collector_at_rest() -> Generator[None]:
    """Make objects that stay: none is looked at meanwhile, and afterwards all count as old.

    Garbage of others is found later. Where a program has frozen objects of its own, they stay so,
    and what was made is looked at as usual.

    >>> with collector_at_rest():
    ...     gc.isenabled()
    False
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():
            # The oldest generation takes all: two lists are joined, nothing is looked through.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()


# Called with the phase, "start" or "stop", and a dictionary that is made for it.
gc.callbacks += [partial(setattr, _latest), partial(setattr, _mine)]
