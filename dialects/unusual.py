"""What makes calls unusual right now? Two words in memory that native code looks at.

A call that finds both zero may take the short way. They count for the process, not for a thread:
while one thread traces a function, calls of all threads go the long way, which knows what is whose.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Hashable

from .locks import new_lock


class Reasons:
    """Reasons that come and go, counted in a word of memory: `address` is where.

    >>> reasons = Reasons()
    >>> reasons.add("a trace")
    >>> reasons.count
    1
    >>> reasons.remove("a trace")
    >>> reasons.count
    0
    """

    __slots__ = ("_lock", "_reasons", "_word")

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = new_lock()
        #: Each with the thread that has added it.
        self._reasons: set[tuple[int, Hashable]] = set()
        self._word = ctypes.c_int64(0)

    @property
    def address(self) -> int:
        """Where the word is."""
        return ctypes.addressof(self._word)

    @property
    def count(self) -> int:
        """How many there are."""
        return self._word.value

    def add(self, reason: Hashable) -> None:
        """Count a reason of this thread, once."""
        with self._lock:
            self._reasons.add((threading.get_ident(), reason))
            self._word.value = len(self._reasons)

    def remove(self, reason: Hashable) -> None:
        """Count a reason of this thread no more."""
        with self._lock:
            self._reasons.discard((threading.get_ident(), reason))
            self._word.value = len(self._reasons)

    def keep_own(self) -> None:
        """In a forked child: forget what other threads, which do not exist here, have counted."""
        thread = threading.get_ident()
        self._reasons = {reason for reason in self._reasons if reason[0] == thread}
        self._word.value = len(self._reasons)


#: Functions that are being traced.
TRACES = Reasons()
#: Default devices that threads have chosen, and contexts of devices that they are in.
PLACES = Reasons()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TRACES.keep_own)
    os.register_at_fork(after_in_child=PLACES.keep_own)
