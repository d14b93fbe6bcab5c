"""Where do the bytes of an OpenCL device come from? Buffers behind numbers that act as addresses.

The address of a block is its handle times 2**40: `address >> 40` names the buffer and the low 40
bits count bytes inside, so that adding an offset to an address stays inside the block. Handles are
unique over all devices: memory of another device is found out.

Freed blocks are kept by size and handed out again; that is right without waiting, because all
commands of a device go through one queue, in order. Where host and device share memory, large
blocks are huge pages of the host that the device uses in place (page faults cost more than most
kernels). Drivers overcommit, so the bytes are counted here against what the device has.

A block may be freed by the garbage collector at any moment, in any thread: freeing only appends.
So does dropping one, as an interrupted function does, or memory that others own: its buffer, which
commands in the queue may use, stays until whoever comes next has waited for them.
"""

from __future__ import annotations

import ctypes
import itertools
import weakref
from collections import deque
from contextlib import suppress
from functools import partial
from sys import getrefcount
from typing import Any, TypeAlias

import numpy as np

from ....dialects.diagnostics import InternalError, TrilithError
from ....dialects.locks import new_lock
from ...execution.allocator import (
    ALONE,
    HUGE_PAGE,
    NO_BLOCK,
    Block,
    GiveBack,
    OutOfMemoryError,
    map_huge,
)
from .discovery import DeviceEntry
from .errors import translating
from .library import STATE, forked, library

HANDLE_SHIFT = 40
OFFSET_MASK = (1 << HANDLE_SHIFT) - 1
#: Free blocks kept: a quarter of the device's memory, at most this.
CACHE_LIMIT = 2 << 30

#: Refers to a block's owner; its key is the handle. What it calls at the end is a function of C's,
#: and it is made whole: no interrupt can come between a block's end and its being noted.
End: TypeAlias = "weakref.KeyedRef[int, Any]"

#: Zero is the address of no memory; those of the host have 47 bits, and are never one of these.
_handles = itertools.count(1 << 8)


class BufferTable:
    """The blocks of one device by handle, with what they weigh."""

    def __init__(self, context: Any, entry: DeviceEntry, name: str) -> None:
        """Take no memory yet, but for the one block that stands for none."""
        self.buffers: dict[int, Any] = {}
        self.queue: Any = None
        self.peak = 0
        self.peak_in_use = 0
        #: Counts the buffers that were let go of: those that kernels hold may be among them.
        self.epoch = 0
        self._context = context
        self._entry = entry
        self._name = name
        self._flags = library().mem_flags
        self._lock = new_lock()
        self._free: dict[int, list[Block]] = {}
        self._returned: deque[Block] = deque()
        #: Sizes of the blocks there are, by handle, and what says that one has died.
        self._alive: dict[int, tuple[int, End]] = {}
        self._dropped: deque[End] = deque()
        self._exported: dict[int, Any] = {}
        #: What others own and tensors look at: their objects keep the host memory behind it.
        self._adopted: dict[int, Any] = {}
        self._held = 0
        self._cached = 0
        self._cache_limit = min(entry.memory // 4, CACHE_LIMIT)
        # Kernels on empty tensors are given this one and look at none of it.
        self.buffers[0] = self._new_buffer(64)

    def allocate(self, size: int) -> tuple[int, GiveBack]:
        """Return the address of an uninitialised block and what gives it back; 0 for no bytes.

        It may be given back while kernels that use it are still in the queue. Raises
        OutOfMemoryError for more than the device has or allocates at once.
        """
        if not size:
            return NO_BLOCK
        if STATE.is_forked:
            raise forked()
        with self._lock:
            if self._returned or self._dropped:
                self._drain()
            blocks = self._free.get(size)
            if blocks:
                self._cached -= size
                block = blocks.pop()
            else:
                block = self._obtain(size)
            if self._held - self._cached > self.peak_in_use:
                self.peak_in_use = self._held - self._cached
            return block[0], partial(self._returned.append, block)

    def copy(self, source: int, target: int, nbytes: int) -> None:
        """Copy bytes between two blocks, after the commands so far."""
        if STATE.is_forked:
            raise forked()
        if nbytes:
            first, start = self.locate(source)
            second, goal = self.locate(target)
            with translating("copying"):
                library().enqueue_copy(
                    self.queue, second, first, src_offset=start, dst_offset=goal, byte_count=nbytes
                )

    def locate(self, address: int) -> tuple[Any, int]:
        """Return the buffer of an address, and the byte in it."""
        found = self.buffers.get(address >> HANDLE_SHIFT)
        if found is None:
            raise self.foreign(address)
        return found, address & OFFSET_MASK

    def foreign(self, address: int) -> TrilithError:
        """Return the error for an address that is not of this device's memory."""
        return InternalError(f"{self._name} was given the address {address:#x}, which is not its")

    def adopt(self, buffer: Any) -> tuple[int, Any]:
        """Give a buffer of another owner an address; it is kept until what comes with that dies.

        The owner may release it meanwhile: here an object of our own stands for its memory.
        """
        handle, lease = next(_handles), np.empty(0, np.uint8)
        self._enter(handle, 0, lease)
        self._adopted[handle] = buffer
        self.buffers[handle] = retained(buffer)
        return handle << HANDLE_SHIFT, lease

    def export(self, address: int) -> Any:
        """Return the buffer of an address for other owners: its block is not handed out again.

        They may release it: here an object of our own stands for the same memory from then on.
        """
        handle, buffer = address >> HANDLE_SHIFT, self.locate(address)[0]
        with self._lock:
            if handle not in self._exported:
                # The first object keeps the host memory that is behind a block, also if released.
                self._exported[handle] = buffer
                self.buffers[handle] = retained(buffer)
            return self._exported[handle]

    def stats(self) -> dict[str, int]:
        """Return the bytes in use, those of free blocks kept, the peaks, and the limit.

        `peak` counts both kinds of blocks, `peak_in_use` those in use.
        """
        with self._lock:
            self._drain()
            self._count()
            return {
                "in_use": self._held - self._cached,
                "cached": self._cached,
                "peak": self.peak,
                "peak_in_use": self.peak_in_use,
                "limit": self._entry.memory,
            }

    def reset_peaks(self) -> None:
        """Let the peaks begin anew at what is held now."""
        with self._lock:
            self._drain()
            self._count()
            self.peak, self.peak_in_use = self._held, self._held - self._cached

    def trim(self) -> None:
        """Give the free blocks back to the device, after the commands that may use them."""
        with self._lock:
            self._drain()
            self._count()
            self._release(0)

    # Inside, with the lock held

    def _drain(self) -> None:
        """Move blocks that came back to the free ones, and let go of what was dropped."""
        try:
            while True:
                block = self._returned.popleft()
                if getrefcount(block) != ALONE:
                    continue  # of a tensor that was revived, and still holds it
                handle, size = block[0] >> HANDLE_SHIFT, block[1]
                if handle in self._exported:
                    continue  # others may use it: it is dropped
                self._free.setdefault(size, []).append(block)
                self._cached += size
        except IndexError:
            block = None
        if self._dropped:
            self._release_dropped()
        if self._cached > self._cache_limit:
            self._count()
        if self._cached > self._cache_limit:
            self._release(self._cache_limit // 2)

    def _count(self) -> None:
        """Take the sums anew from what is there."""
        self._held = sum([size for size, _ in list(self._alive.values())])
        self._cached = sum(size * len(blocks) for size, blocks in list(self._free.items()))

    def _release(self, limit: int) -> None:
        """Release free blocks, the largest first, until no more than `limit` bytes are kept.

        They are taken out first: what a finalizer frees here meanwhile is not waited for.
        """
        taken: list[Block] = []
        for size in sorted(self._free, reverse=True):
            blocks = self._free.get(size)
            while blocks and self._cached > limit:
                self._cached -= size
                taken.append(blocks.pop())
            # Asked anew: a finalizer that ran meanwhile may have freed and allocated here.
            if not self._free.get(size):
                self._free.pop(size, None)
        if taken:
            self._wait()
            for block in taken:
                self._forget(block[0] >> HANDLE_SHIFT)

    def _release_dropped(self) -> None:
        """Release what nobody holds, after the commands that may use it."""
        ends = list(self._dropped)
        self._wait()
        for end in ends:
            self._forget(end.key)
            with suppress(ValueError):  # a finalizer that ran meanwhile was here
                self._dropped.remove(end)
        self._count()

    def _wait(self) -> None:
        with translating("waiting"):
            self.queue.finish()

    def _forget(self, handle: int) -> None:
        """Let go of a buffer that no command uses; again if that was interrupted."""
        self._exported.pop(handle, None)
        self._adopted.pop(handle, None)
        self.buffers.pop(handle, None)
        size, _ = self._alive.pop(handle, (0, None))
        self.epoch += 1
        self._held -= size

    def _obtain(self, size: int) -> Block:
        """Make a new block."""
        if size > self._entry.largest:
            raise OutOfMemoryError(
                f"{self._name} out of memory. Tried to allocate {size} bytes, but the device "
                f"allocates no more than {self._entry.largest} at once"
            )
        if self._held + size > self._entry.memory:
            self.trim()
        if self._held + size > self._entry.memory:
            raise OutOfMemoryError(
                f"{self._name} out of memory. Tried to allocate {size} bytes; {self._held} of "
                f"{self._entry.memory} bytes are in use"
            )
        handle, buffer = next(_handles), self._new_buffer(size)
        block = handle << HANDLE_SHIFT, size, np.empty(0, np.uint8)
        self._enter(handle, size, block[2])
        self.buffers[handle] = buffer
        self._held += size
        self.peak = max(self.peak, self._held)
        return block

    def _enter(self, handle: int, size: int, owner: Any) -> None:
        """Count what is there until its owner dies, an array that the collector does not enter."""
        self._alive[handle] = size, weakref.KeyedRef(owner, self._dropped.append, handle)

    def _new_buffer(self, size: int) -> Any:
        create = library().Buffer
        with translating(f"allocating {size} bytes on {self._name}"):
            if not self._entry.has_unified_memory or size < HUGE_PAGE:
                return create(self._context, self._flags.READ_WRITE, size)
            flags = self._flags.READ_WRITE | self._flags.USE_HOST_PTR
            return create(self._context, flags, hostbuf=_huge_pages(size))


def _huge_pages(size: int) -> memoryview:
    """Return mapped memory from a 2 MiB boundary on; the view keeps the mapping alive."""
    mapping, address = map_huge(size)
    start = address - ctypes.addressof(ctypes.c_char.from_buffer(mapping))
    return memoryview(mapping)[start : start + size]


def retained(buffer: Any) -> Any:
    """Return an object of our own for a buffer's memory: it is valid when the other is released."""
    return library().MemoryObject.from_int_ptr(buffer.int_ptr, retain=True)


def host_bytes(address: int, nbytes: int) -> memoryview:
    """Return host memory as something with the buffer protocol; it keeps nothing alive."""
    return _memory_view(address, nbytes, 0x200)  # PyBUF_WRITE


def _make_memory_view() -> Any:
    function = ctypes.pythonapi.PyMemoryView_FromMemory
    function.restype = ctypes.py_object
    function.argtypes = (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)
    return function


_memory_view = _make_memory_view()
