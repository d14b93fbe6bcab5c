"""Which settings do the dtypes of results depend on? The process's, or those that a thread holds.

The default dtype and the promotion mode may be changed at any time, by any thread. A plan is
remembered for the settings that its key was made with, so whoever makes one holds these: in that
thread they are what everybody reads until the plan is made.
"""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager

from ..collection import collection
from ..records import record
from .dtype import DType, float32


@record(eq=False)
class Settings:
    """What the dtypes of results depend on beside the operands; equal ones are one object."""

    dtype: DType
    mode: str


class _Held(threading.local):
    #: What the thread holds; None if it goes with the process.
    settings: Settings | None = None
    #: Whether what the thread sets is held from then on: while a function is traced.
    is_open: bool = False
    #: How often that has happened.
    changes: int = 0
    #: The run of the garbage collector that it belongs to: what another one runs is apart from it.
    collection: object = None

    def set(self, dtype: DType, mode: str) -> None:
        """Hold other settings, if the thread holds any that it may change."""
        changed = _settings(dtype, mode)
        if self.is_open and self.now() not in (None, changed):
            self.settings = changed
            self.changes += 1

    def now(self) -> Settings | None:
        """Return what holds for the running code."""
        held = self.settings
        return None if held is None or self.collection is not collection() else held


HELD = _Held()

_known: dict[tuple[DType, str], Settings] = {}


def _settings(dtype: DType, mode: str) -> Settings:
    return _known.setdefault((dtype, mode), Settings(dtype, mode))


#: What was set last.
_dtype, _mode = float32, "torch"


class _Process:
    """Holds both as one; an attribute, since every call of an operation reads it for its key."""

    __slots__ = ("settings",)
    settings: Settings


#: What is set for the process: a part of every plan's key.
PROCESS = _Process()
PROCESS.settings = _settings(_dtype, _mode)


def current() -> Settings:
    """Return what this thread computes with now."""
    return HELD.now() or PROCESS.settings


def process_settings() -> Settings:
    """Return what is set for the process."""
    return PROCESS.settings


def restore_settings(settings: Settings) -> None:
    """Set for the process what was set before.

    >>> restore_settings(process_settings())
    """
    set_dtype(settings.dtype)
    set_mode(settings.mode)


def set_dtype(dtype: DType) -> None:
    """Set the default dtype."""
    global _dtype
    _dtype = dtype
    _update()
    HELD.set(dtype, current().mode)


def set_mode(mode: str) -> None:
    """Set the promotion mode."""
    global _mode
    _mode = mode
    _update()
    HELD.set(current().dtype, mode)


@contextmanager
def holding(settings: Settings, *, is_open: bool = False) -> Generator[None]:
    """Let this thread keep to some settings until the block ends.

    `is_open` says that what it sets itself counts, too.
    """
    before = HELD.settings, HELD.is_open, HELD.collection
    HELD.settings, HELD.is_open, HELD.collection = settings, is_open, collection()
    try:
        yield
    finally:
        HELD.settings, HELD.is_open, HELD.collection = before


def _update() -> None:
    """Put both together; again if another thread has set one of them meanwhile."""
    while True:
        PROCESS.settings = made = _settings(_dtype, _mode)
        if made.dtype is _dtype and made.mode == _mode:
            return
