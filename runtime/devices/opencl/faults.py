"""When are faults that kernels report read? When somebody waits for the device anyway.

Each place that launches what can fail has a slot of one buffer for each thread, of which the first
fault takes possession. A slot is zero unless a kernel reported something, so launches cost nothing
until the wait: then the used slots are read at once. The first fault of a thread is raised in that
thread, at its next wait; others follow from it and are dropped. A thread that ended leaves its
faults to whoever waits.
"""

from __future__ import annotations

import threading
from typing import Any

from ....dialects.diagnostics import TrilithError
from ..base import ErrorMaker
from .errors import translating
from .memory import BufferTable
from .programs import driver

SLOTS = 2048
SLOT_BYTES = 64


class DeviceStatusWord:
    """One slot: two int32 and three int64."""

    __slots__ = ("_board", "is_watched", "pointer")

    def __init__(self, board: FaultBoard, pointer: int) -> None:
        self._board = board
        self.pointer = pointer
        self.is_watched = False

    def read(self) -> tuple[int, int]:
        """Wait for the launches so far and return (fault number or 0, position)."""
        words = self._board.words(self.pointer).cast("i")
        return words[0], words[1]

    def details(self) -> tuple[int, int, int]:
        """Return the numbers that the check gave with the fault."""
        _, first, second, third, *_ = self._board.words(self.pointer).cast("q")
        return first, second, third


class FaultBoard:
    """The slots of one device and whose they are."""

    def __init__(self, table: BufferTable) -> None:
        """Take no memory yet."""
        self._table = table
        self._lock = threading.RLock()
        self._address = 0
        self._next = 0
        self._shared: dict[tuple[int, ErrorMaker], DeviceStatusWord] = {}
        self._watched: list[tuple[int, int, ErrorMaker]] = []
        self._found: dict[int, TrilithError] = {}
        #: Whether a wait has anything to look at.
        self.is_busy = False

    def new(self, error: ErrorMaker | None = None) -> DeviceStatusWord:
        """Return the status word of a maker of errors in this thread; without one a new word."""
        if error is None:
            return self._new()
        key = threading.get_ident(), error
        found = self._shared.get(key)
        if found is None:
            with self._lock:
                found = self._shared[key] = self._new()
        return found

    def _new(self) -> DeviceStatusWord:
        with self._lock:
            if self._next == SLOTS:
                self._collect()
                self._next, self._shared, self._watched = 0, {}, []
            if not self._address:
                self._address = self._table.allocate(SLOTS * SLOT_BYTES)
            if not self._next:
                self._clear(self._address, SLOTS * SLOT_BYTES)
            self._next += 1
            return DeviceStatusWord(self, self._address + (self._next - 1) * SLOT_BYTES)

    def watch(self, status: DeviceStatusWord, error: ErrorMaker) -> None:
        """Raise what `error` makes of a fault of a launch just made at this thread's next wait."""
        if not status.is_watched:
            with self._lock:
                status.is_watched = True
                self._watched.append((status.pointer, threading.get_ident(), error))
        # After the launch: a wait of another thread may have looked before it.
        self.is_busy = True

    def check(self) -> None:
        """Raise what this thread's launches, or those of threads that ended, reported."""
        if not self.is_busy and not self._found:
            return
        with self._lock:
            if self.is_busy:
                self._collect()
            if not self._found:
                return
            alive = {thread.ident for thread in threading.enumerate()}
            for thread in list(self._found):
                if thread == threading.get_ident() or thread not in alive:
                    raise self._found.pop(thread)

    def words(self, pointer: int) -> memoryview:
        """Read one slot, after the launches so far."""
        return self._read(pointer, SLOT_BYTES)

    def _collect(self) -> None:
        """Read the used slots and make the errors of those that hold faults."""
        self.is_busy = False
        if not self._watched:
            return
        content = self._read(self._address, self._next * SLOT_BYTES)
        if not any(content):
            return
        for pointer, thread, error in self._watched:
            start = pointer - self._address
            slot = content[start : start + SLOT_BYTES]
            fault, position = slot.cast("i")[:2]
            if fault:
                self._clear(pointer, SLOT_BYTES)
                _, first, second, third, *_ = slot.cast("q")
                self._found.setdefault(thread, error(fault, position, (first, second, third)))

    def _read(self, address: int, nbytes: int) -> memoryview:
        buffer, start = self._table.locate(address)
        content: Any = bytearray(nbytes)
        with translating("reading what kernels reported"):
            driver()._enqueue_read_buffer(
                self._table.queue, buffer, content, start, is_blocking=True
            )
        return memoryview(content)

    def _clear(self, address: int, nbytes: int) -> None:
        buffer, start = self._table.locate(address)
        with translating("clearing the status words"):
            driver()._enqueue_fill_buffer(self._table.queue, buffer, bytearray(8), start, nbytes)
