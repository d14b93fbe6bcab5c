"""When are faults that kernels report read? When somebody waits for the device anyway.

Each launch that can fail gets a slot of one buffer, and leaves its error's maker here. A slot is
zero unless its kernel reported something, so slots cost nothing until the wait: then the used ones
are read at once. The first fault of a thread is raised in that thread, at its next wait; later
ones follow from it and are dropped. A thread that ended leaves its faults to whoever waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from ....dialects.diagnostics import TrilithError
from .errors import translating
from .memory import BufferTable
from .programs import driver

SLOTS = 2048
SLOT_BYTES = 64

#: Makes the error of (fault number, position, details).
ErrorMaker: TypeAlias = Callable[[int, int, tuple[int, int, int]], TrilithError]


class DeviceStatusWord:
    """One slot: two int32 and three int64."""

    __slots__ = ("_board", "pointer")

    def __init__(self, board: FaultBoard, pointer: int) -> None:
        self._board = board
        self.pointer = pointer

    def read(self) -> tuple[int, int]:
        """Wait for the launches so far and return (fault number or 0, position)."""
        words = self._board.words(self.pointer).cast("i")
        return words[0], words[1]

    def details(self) -> tuple[int, int, int]:
        """Return the numbers that the check gave with the fault."""
        _, first, second, third, *_ = self._board.words(self.pointer).cast("q")
        return first, second, third


class FaultBoard:
    """The slots of one device and what waits to be read from them."""

    def __init__(self, table: BufferTable) -> None:
        """Take no memory yet."""
        self._table = table
        self._lock = threading.RLock()
        self._address = 0
        self._next = 0
        self._watched: list[tuple[int, int, ErrorMaker]] = []
        self._found: dict[int, TrilithError] = {}
        #: Whether a wait has anything to look at.
        self.is_busy = False

    def new(self) -> DeviceStatusWord:
        """Return a status word that reads (0, 0)."""
        with self._lock:
            if self._next == SLOTS:
                self._collect()
            if not self._address:
                self._address = self._table.allocate(SLOTS * SLOT_BYTES)
                self._clear()
            self._next += 1
            return DeviceStatusWord(self, self._address + (self._next - 1) * SLOT_BYTES)

    def watch(self, status: DeviceStatusWord, error: ErrorMaker) -> None:
        """Raise what `error` makes of a fault at this thread's next wait."""
        with self._lock:
            self._watched.append((status.pointer, threading.get_ident(), error))
            self.is_busy = True

    def check(self) -> None:
        """Raise what this thread's launches, or those of threads that ended, reported."""
        if not self.is_busy:
            return
        with self._lock:
            self._collect()
            alive = {thread.ident for thread in threading.enumerate()}
            own = threading.get_ident()
            for thread in list(self._found):
                if thread == own or thread not in alive:
                    error = self._found.pop(thread)
                    self.is_busy = bool(self._found)
                    raise error
            self.is_busy = bool(self._found)

    def words(self, pointer: int) -> memoryview:
        """Read one slot, after the launches so far."""
        return self._read(pointer, SLOT_BYTES)

    def _collect(self) -> None:
        """Read the used slots and make the errors of those that hold faults."""
        watched, self._watched = self._watched, []
        used, self._next = self._next, 0
        if not watched:
            return
        content = self._read(self._address, used * SLOT_BYTES)
        if not any(content):
            return
        self._clear()
        for pointer, thread, error in watched:
            start = pointer - self._address
            slot = content[start : start + SLOT_BYTES]
            fault, position = slot.cast("i")[:2]
            if fault:
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

    def _clear(self) -> None:
        buffer, start = self._table.locate(self._address)
        with translating("clearing the status words"):
            driver()._enqueue_fill_buffer(
                self._table.queue, buffer, bytearray(8), start, SLOTS * SLOT_BYTES
            )
