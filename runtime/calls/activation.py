"""When is there native code?

Nobody waits for it: until it is there, and where it cannot be, everything runs in Python and means
the same. What lies on the disk is loaded when a function is called often, and with it all that
packs plans; LLVM makes it for a process that makes many calls. `TRILITH_NATIVE=0` does without.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.locks import imported, new_lock
from ..devices.threads import THREADS
from ..execution.cache import default_cache
from ..native.layout import is_known

if TYPE_CHECKING:
    from .beginning import Begun

#: How many calls a process makes before it is worth compiling native code, which takes 0.2 s: for
#: itself, and where those that come after it will find it on the disk.
WORTH_COMPILING, WORTH_STORING = 20_000, 2_000


class Native:
    """Whether there is native code, and its functions."""

    def __init__(self) -> None:
        """Begin without."""
        self.is_active = False
        self.is_refused = os.environ.get("TRILITH_NATIVE", "1") == "0" or not is_known()
        #: What it does, once it is active.
        self.begun: Begun
        self._lock = new_lock()
        self._calls = 0
        self._has_looked = False

    def want(self, calls: int) -> bool:
        """Load native code if it is there or worth making, after so many more calls."""
        if self.is_active or self.is_refused:
            return self.is_active
        self._calls += calls
        if not self._has_looked or self._is_worth_compiling():
            self._load()
        return self.is_active

    def load(self) -> bool:
        """Load native code now, compiled if need be; return whether there is any."""
        if not self.is_active and not self.is_refused:
            self._calls = WORTH_COMPILING + 1
            self._load()
        return self.is_active

    def _is_worth_compiling(self) -> bool:
        return self._calls > (WORTH_COMPILING if default_cache() is None else WORTH_STORING)

    def _load(self) -> None:
        try:
            # Outside of the lock: whoever imports may be interrupted by a call that wants it.
            beginning = imported(".beginning", __package__)
        except TrilithRuntimeError:
            return  # who asks has interrupted an import: another call will load it
        except Exception:
            self.is_refused = True
            return
        with self._lock:
            # Another thread may have done it meanwhile, and there is one class of blocks.
            is_left = not (self.is_active or self.is_refused)
            if is_left and (not self._has_looked or self._is_worth_compiling()):
                self._begin(beginning)

    def _begin(self, beginning: Any) -> None:
        self._has_looked = True
        try:
            data = beginning.stored_code()
            if data is None and self._is_worth_compiling():
                data = beginning.new_code()
            if data is not None:
                self.begun = beginning.begin(data)
                self.is_active = True
        except Exception:
            # Sources or LLVM are missing, or it refuses the text: no call fails for that.
            self.is_refused = True


NATIVE = Native()
#: Who makes a launch that takes long wants the threads of native code.
THREADS.load, THREADS.compile = lambda: NATIVE.want(0), NATIVE.load
