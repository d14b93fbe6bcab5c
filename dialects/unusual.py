"""What makes calls unusual right now? Words in memory that native code looks at.

A call that finds no reason may take the short way. Reasons count for the process, not for a thread:
while one thread traces a function, calls of all threads go the long way, which knows what is whose.
In inference mode calls take the short way too, and mark what they make: native code asks for it by
thread.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Hashable
from functools import partial

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


class _End:
    """Calls something when nobody holds it any more."""

    __slots__ = ("__del__",)
    __del__: Callable[[], None]

    def __init__(self, call: Callable[[], None]) -> None:
        """Take what is to be called."""
        self.__del__ = call


class Threads:
    """The threads in which something holds, in a table that native code reads.

    At `address` are the number of threads and where the table of their identifiers is. Only who
    holds the interpreter's lock reads or changes these, and every step leaves them readable.

    >>> threads = Threads()
    >>> threads.let_hold_here(True)
    >>> threads.is_here(), len(threads)
    (True, 1)
    >>> threads.let_hold_here(False)
    >>> threads.is_here(), len(threads)
    (False, 0)
    """

    __slots__ = ("_leaving", "_lock", "_places", "_table", "_words")

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = new_lock()
        #: Where in the table each is.
        self._places: dict[int, int] = {}
        self._table = (ctypes.c_int64 * 8)()
        self._words = (ctypes.c_int64 * 2)(0, ctypes.addressof(self._table))
        #: Holds for each thread what ends with it.
        self._leaving = threading.local()

    @property
    def address(self) -> int:
        """Where the words are."""
        return ctypes.addressof(self._words)

    def __len__(self) -> int:
        """Return the number of threads."""
        return len(self._places)

    def is_here(self) -> bool:
        """Tell whether it holds in this thread."""
        return threading.get_ident() in self._places

    def let_hold_here(self, holds: bool) -> None:
        """Let it hold in this thread, or not any more."""
        thread = threading.get_ident()
        if not holds:
            self._forget(thread)
        elif thread not in self._places:
            # A thread that ends leaves, or the next one of its identifier would be taken for it.
            if not hasattr(self._leaving, "end"):
                self._leaving.end = _End(partial(self._forget, thread))
            self._add(thread)

    def _add(self, thread: int) -> None:
        with self._lock:
            place = len(self._places)
            if place == len(self._table):
                table = (ctypes.c_int64 * (2 * place))(*self._table)
                self._words[1] = ctypes.addressof(table)
                self._table = table
            self._table[place] = thread
            self._words[0] = place + 1
            self._places[thread] = place

    def _forget(self, thread: int) -> None:
        """Take a thread out of the table; the last one goes to where it was."""
        with self._lock:
            place = self._places.pop(thread, None)
            if place is None:
                return
            last = self._table[len(self._places)]
            if last != thread:
                self._table[place] = last
                self._places[last] = place
            self._words[0] = len(self._places)

    def keep_own(self) -> None:
        """In a forked child: forget other threads, which do not exist here."""
        for thread in set(self._places) - {threading.get_ident()}:
            self._forget(thread)


#: Functions that are being traced.
TRACES = Reasons()
#: Default devices that threads have chosen, and contexts of devices that they are in.
PLACES = Reasons()
#: Threads in a block of `inference_mode`.
INFERENCE = Threads()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=TRACES.keep_own)
    os.register_at_fork(after_in_child=PLACES.keep_own)
    os.register_at_fork(after_in_child=INFERENCE.keep_own)
