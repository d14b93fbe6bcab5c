"""How does the interpreter end while daemon threads use OpenCL? After they have left the library.

Python stops a daemon thread where it next wants the interpreter's lock. Inside pyopencl that is in
the middle of C++, which aborts the process. So at the end every thread but the one that ends stops
for ever at its next call (`library.refuse`), and that one waits until no other is inside.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from types import FrameType

from .binaries import THREAD
from .library import STATE, park

#: How long the end waits for other threads, in seconds.
LIMIT = 10.0
_FOLDER = str(Path(__file__).parent)


def close_to_others() -> None:
    """Let no other thread call the library from now on, and wait for those that do."""
    STATE.is_ending = STATE.is_barred = True
    deadline = time.monotonic() + LIMIT
    while _is_anybody_inside() and time.monotonic() < deadline:
        time.sleep(1e-3)


def _is_anybody_inside() -> bool:
    """Whether another thread is in a call of this folder's; threads that store are waited for."""
    ours = {threading.get_ident()}
    ours |= {thread.ident or 0 for thread in threading.enumerate() if thread.name == THREAD}
    frames = sys._current_frames()  # pyright: ignore[reportPrivateUsage]  # documented, so named
    return any(_is_inside(frame) for ident, frame in frames.items() if ident not in ours)


def _is_inside(innermost: FrameType) -> bool:
    frame: FrameType | None = innermost
    while frame is not None:
        if frame.f_code is park.__code__:
            return False
        if frame.f_code.co_filename.startswith(_FOLDER):
            return True
        frame = frame.f_back
    return False
