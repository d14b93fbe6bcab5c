"""With how many threads does NumPy's LAPACK compute? With those of the library, where they help.

OpenBLAS begins with a thread for each processor, which wait for one another by spinning: beside
other work a matrix of 200 rows is taken apart in 250 ms by two of them, in 9 by one. It has the
number per process, so it is put back when nobody computes any more.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from ...dialects.locks import new_lock
from .threads import get_num_threads

#: Matrices of fewer rows and columns are computed by one thread.
WORTH_SHARING = 512
#: What libraries call their functions, in NumPy's builds and in others.
_NAMES = [
    (f"{prefix}openblas_get_num_threads{suffix}", f"{prefix}openblas_set_num_threads{suffix}")
    for prefix in ("scipy_", "")
    for suffix in ("64_", "_64", "")
] + [("MKL_Get_Max_Threads", "MKL_Set_Num_Threads")]


class _Control(NamedTuple):
    """Functions of the library that NumPy's linear algebra is linked with."""

    get: Callable[[], int]
    set: Callable[[int], Any]


@cache
def control() -> _Control | None:
    """Return what says how many threads there are; None if nothing is known of the library."""
    path = getattr(sys.modules.get("numpy.linalg._umath_linalg"), "__file__", None)
    if path is None:
        return None
    try:
        library = ctypes.CDLL(path)  # what it is linked with is found by its names, too
    except OSError:
        return None
    for get, set_ in _NAMES:
        if hasattr(library, get) and hasattr(library, set_):
            return _Control(getattr(library, get), getattr(library, set_))
    return None


class _Users:
    """Which threads compute: the first one says the number, the last one puts back what it was."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = new_lock()
        self._threads: set[int] = set()
        self._before = 0

    @contextmanager
    def one_more(self, control: _Control, number: int) -> Generator[None]:
        """Compute with so many threads, or with as many as others do at this time."""
        own = threading.get_ident()
        try:
            with self._lock:
                if not self._threads:
                    self._before = control.get()
                    control.set(number)
                self._threads.add(own)
            yield
        finally:
            with self._lock:
                self._leave({own}, control)

    def keep_own(self) -> None:
        """In a forked child: no other thread computes."""
        found = control() if self._threads else None
        if found is not None:
            self._leave(self._threads - {threading.get_ident()}, found)

    def _leave(self, threads: set[int], control: _Control) -> None:
        were_there = bool(self._threads)
        self._threads -= threads
        if were_there and not self._threads:
            control.set(self._before)


_USERS = _Users()
os.register_at_fork(after_in_child=_USERS.keep_own)


@contextmanager
def lapack_threads(rows: int) -> Generator[None]:
    """Compute with matrices of so many rows or columns.

    >>> import numpy as np
    >>> with lapack_threads(2):
    ...     print(np.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist())
    [[0.5, 0.0], [0.0, 0.25]]
    """
    found = control()
    if found is None:
        yield
        return
    with _USERS.one_more(found, get_num_threads() if rows >= WORTH_SHARING else 1):
        yield
