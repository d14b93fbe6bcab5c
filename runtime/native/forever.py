"""What does native code rely on as long as there is an object that it ends? What nobody frees.

A list in a module is not enough: at its end the interpreter empties modules first, and ends the
last objects, among them those that cycles hold, after that.
"""

from __future__ import annotations

import ctypes
from typing import Any


def keep_forever(*things: Any) -> None:
    """Hold a reference to each that is never given back, not even when the interpreter ends.

    >>> import sys
    >>> thing = object()
    >>> count = sys.getrefcount(thing)
    >>> keep_forever(thing)
    >>> sys.getrefcount(thing) - count
    1
    """
    for thing in things:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))
