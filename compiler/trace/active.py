"""Is a function being traced in this thread?"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ...runtime.randomness import before_drawing
from .not_traceable import NotTraceable

if TYPE_CHECKING:
    from .tracer import Trace


class _Active(threading.local):
    """The trace that is being recorded in this thread, if any."""

    trace: Trace | None = None


ACTIVE = _Active()


def _refuse_drawing() -> None:
    if ACTIVE.trace is not None:
        raise NotTraceable(
            "random numbers cannot be drawn while a function is traced",
            hint="draw them outside and pass them in",
        )


before_drawing(_refuse_drawing)
