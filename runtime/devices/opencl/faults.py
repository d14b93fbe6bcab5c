"""When are faults that kernels report read? When somebody waits for the device anyway.

Each caller that launches what can fail has a slot of one buffer for each thread, of which the first
fault takes possession. A slot is zero unless a kernel reported something, so launches cost nothing
until the wait: then the used slots are read at once. The first fault of a thread is raised in that
thread, at its next wait; others follow from it and are dropped. A thread that ended leaves its
faults to whoever waits.

A launch is announced by a number that was never used before, and what was read is remembered by
the newest number before the reading. So a wait passes by only when all that its thread launched was
looked at to the end, by whichever thread. Signal handlers and finalizers may come between any two
steps, and use all of this.
"""

from __future__ import annotations

import itertools
import sys
import threading
import weakref
from typing import Any, TypeAlias

from ....dialects.diagnostics import TrilithError
from ....dialects.locks import new_lock
from ...execution.allocator import GiveBack
from ..base import ErrorMaker
from .errors import translating
from .memory import BufferTable
from .programs import driver

SLOTS = 2048
SLOT_BYTES = 64


class _Block:
    """The memory of some slots. It lives as long as a status word in it, or as it is the newest."""

    __slots__ = ("__weakref__", "address", "give_back", "indices", "watched")

    def __init__(self, address: int, give_back: GiveBack) -> None:
        self.address = address
        self.give_back = give_back
        self.indices = itertools.count()
        #: (pointer of a slot, its thread, what makes its errors)
        self.watched: list[tuple[int, int, ErrorMaker]] = []


_Row: TypeAlias = tuple[weakref.ref[_Block], GiveBack, list[tuple[int, int, ErrorMaker]]]


class DeviceStatusWord:
    """One slot: two int32 and three int64."""

    __slots__ = ("_board", "block", "is_watched", "pointer")

    def __init__(self, board: FaultBoard, block: _Block, index: int) -> None:
        self._board = board
        self.block = block
        self.pointer = block.address + index * SLOT_BYTES
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
        # Nobody allocates or launches while holding it: finalizers could meet in two threads.
        self._lock = new_lock()
        self._block: _Block | None = None
        #: All blocks: whether they live, what gives them back, what is watched in them.
        self._blocks: list[_Row] = []
        self._shared: dict[tuple[int, ErrorMaker], DeviceStatusWord] = {}
        self._found: dict[int, TrilithError] = {}
        self._numbers = itertools.count(1)
        self._latest = self._seen = 0

    def new(self, error: ErrorMaker | None = None) -> DeviceStatusWord:
        """Return the status word of a maker of errors in this thread; without one a new word."""
        if error is None:
            return self._new()
        shared, key = self._shared, (threading.get_ident(), error)
        found = shared.get(key)
        if found is None:
            found = shared[key] = self._new()
        return found

    def _new(self) -> DeviceStatusWord:
        while True:
            block = self._block
            index = SLOTS if block is None else next(block.indices)
            if block is not None and index < SLOTS:
                return DeviceStatusWord(self, block, index)
            self._renew(block)

    def _renew(self, full: _Block | None) -> None:
        """Use another block from now on, unless somebody was faster."""
        block = _Block(*self._table.allocate(SLOTS * SLOT_BYTES))
        self._clear(block.address, SLOTS * SLOT_BYTES)
        row, shared = (weakref.ref(block), block.give_back, block.watched), {}
        with self._lock:
            if self._block is full:
                self._blocks.append(row)
                self._block, self._shared = block, shared
                return
        block.give_back()

    def watch(self, status: DeviceStatusWord, error: ErrorMaker) -> None:
        """Raise what `error` makes of a fault of a launch just made at this thread's next wait."""
        if not status.is_watched:
            status.block.watched.append((status.pointer, threading.get_ident(), error))
            status.is_watched = True
        # After the launch: a wait of another thread may have looked before it.
        self._latest = next(self._numbers)

    def check(self) -> None:
        """Raise what this thread's launches, or those of threads that ended, reported."""
        if self._latest == self._seen and not self._found:
            return
        with self._lock:
            if self._latest != self._seen:
                self._collect()
            if not self._found:
                return
            alive = sys._current_frames()  # pyright: ignore[reportPrivateUsage]  # documented
            for thread in list(self._found):
                if thread == threading.get_ident() or thread not in alive:
                    raise self._found.pop(thread)

    def words(self, pointer: int) -> memoryview:
        """Read one slot, after the launches so far."""
        return self._read(pointer, SLOT_BYTES)

    def _collect(self) -> None:
        """Read the used slots and make the errors of those that hold faults."""
        latest = self._latest
        for row in tuple(self._blocks):
            block, give_back, watched = row
            # Before the reading: who has no word any more has launched all that it ever will.
            is_over = block() is None
            self._collect_block(give_back.args[0][0], tuple(watched))
            if is_over and row in self._blocks:
                self._blocks.remove(row)
                give_back()
        self._seen = latest

    def _collect_block(
        self, address: int, watched: tuple[tuple[int, int, ErrorMaker], ...]
    ) -> None:
        if not watched:
            return
        content = self._read(
            address, max(pointer for pointer, *_ in watched) + SLOT_BYTES - address
        )
        if not any(content):
            return
        for pointer, thread, error in watched:
            slot = content[pointer - address :][:SLOT_BYTES]
            fault, position = slot.cast("i")[:2]
            if fault:
                _, first, second, third, *_ = slot.cast("q")
                self._found.setdefault(thread, error(fault, position, (first, second, third)))
                # Last: an interruption before it lets the fault be found again, not lost.
                self._clear(pointer, SLOT_BYTES)

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
