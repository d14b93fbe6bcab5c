"""Is the garbage collector running in this thread, and which of its runs is it?

What it tells its callbacks is noted by functions of C's alone: no signal handler can come into
them, whose exception Python would drop together with what the callback had to do.
"""

import gc
import threading
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


# Called with the phase, "start" or "stop", and a dictionary that is made for it.
gc.callbacks += [partial(setattr, _latest), partial(setattr, _mine)]
