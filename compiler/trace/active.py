"""Is a function being traced in this thread?"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tracer import Trace


class _Active(threading.local):
    """The trace that is being recorded in this thread, if any."""

    trace: Trace | None = None


ACTIVE = _Active()
