"""How does native code get memory? From pools of free blocks, one for each size.

A block is an object of its own class. Ending one puts it into its pool, by native code and in one
step, and it keeps what holds its memory: an allocator stands behind, and gets the memory back when
a pool is emptied or full. Only small blocks are pooled; large ones are rare, and bounded together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

from .form import COUNT, LARGEST, LIMIT, POOL_WORDS, SMALLEST_STEP, STEPS_PER_POWER

#: Bytes of free blocks kept per size (at least four blocks, at most a thousand).
BYTES_PER_SIZE = 1 << 20


class Block(Protocol):
    """What native code knows a block by."""

    address: int
    size: int


#: Pools are never freed, since blocks know theirs by its address.
_kept: list[Any] = []


def class_of(size: int) -> int:
    """Return the number of a size class, as native code computes it.

    >>> from trilith.runtime.execution.allocator import block_size
    >>> sizes = [block_size(count) for count in range(1, LARGEST, 60)]
    >>> [class_of(size) for size in (64, 1024, 1152, LARGEST)], len(set(sizes))
    ([1, 16, 17, 96], 96)
    >>> len({class_of(size) for size in sizes})
    96
    """
    step = max((size - 1).bit_length() - 4, SMALLEST_STEP)
    return ((size - 1) >> step) + 1 + (step - SMALLEST_STEP) * STEPS_PER_POWER


def _limit(size: int) -> int:
    """Return how many free blocks of a size are kept."""
    return min(max(BYTES_PER_SIZE // size, 4), 1000) if size else 0


def new_table() -> ctypes.Array[ctypes.c_int64]:
    """Return a table of the addresses of pools by their class: there are none so far."""
    return (ctypes.c_int64 * (class_of(LARGEST) + 1))()


class Front:
    """Pools in front of an allocator: `obtain(size)` gives an address and what holds the block."""

    def __init__(
        self,
        obtain: Callable[[int], tuple[int, Any]],
        take: Callable[[int], Any],
        make: Callable[[int, int, int, Any], Any],
        table: ctypes.Array[ctypes.c_int64],
    ) -> None:
        """Begin without pools; `take` and `make` are native, and native code knows the table."""
        self._obtain, self._take, self._make = obtain, take, make
        self._pools: dict[int, Any] = {}
        self._addresses: dict[int, int] = {0: 0}
        self._table = table
        # Native code makes none: it finds one for each class.
        size = 1 << SMALLEST_STEP
        while size <= LARGEST:
            self.pool(size)
            size += 1 << max(size.bit_length() - 4, SMALLEST_STEP)

    def take(self, size: int) -> Any:
        """Return a block that nobody uses, of a pool if it has one."""
        pool = self._addresses.get(size)
        if pool is None:
            pool = self.pool(size)
        if pool:
            block = self._take(pool)
            if block is not None:
                return block
        address, holder = self._obtain(size)
        return self._make(pool, address, size, holder)

    def pool(self, size: int) -> int:
        """Return the address of the pool for a size; 0 if blocks of that size are not pooled."""
        if size > LARGEST:
            return 0
        pool = self._pools.get(size)
        if pool is None:
            made = (ctypes.c_int64 * POOL_WORDS)(0, 0, _limit(size), size)
            pool = self._pools.setdefault(size, made)
            _kept.append(pool)
        address = self._addresses[size] = ctypes.addressof(pool)
        if size:
            self._table[class_of(size)] = address
        return address

    def cached(self) -> int:
        """Return how many bytes lie in the pools."""
        return sum(size * pool[COUNT // 8] for size, pool in list(self._pools.items()))

    def trim(self) -> None:
        """Let go of every block that lies in a pool."""
        for size, pool in list(self._pools.items()):
            try:
                pool[LIMIT // 8] = 0
                while self._take(ctypes.addressof(pool)) is not None:
                    pass  # it ends at once, and finds no room
            finally:
                pool[LIMIT // 8] = _limit(size)
