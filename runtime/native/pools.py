"""How does native code get memory? From pools of free blocks, one for each size.

A block is an object of its own class. Ending one puts it into its pool, by native code and in one
step, and it keeps what holds its memory: an allocator stands behind, and gets the memory back when
a pool is emptied or full. Of large blocks a pool keeps one or two; together they are bounded, which
is seen to when a new one is made. The largest are not pooled.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Protocol

from .forever import keep_forever
from .form import COUNT, LARGER, LARGEST, LIMIT, POOL_WORDS, SMALLEST_STEP, STEPS_PER_POWER

#: Bytes of free blocks kept per size (at least four blocks, at most a thousand).
BYTES_PER_SIZE = 1 << 20
#: Blocks above this are large: of each size two are kept, or one above the second number.
LARGEST_OF_FOUR, LARGEST_OF_TWO = 1 << 20, 8 << 20
#: Bytes of free large blocks from which on all of them go to the allocator when a new one is made,
#: which counts what lies here among what it keeps.
BYTES_OF_LARGE = 256 << 20
#: The first blocks of a size are of the next power of two, so that sizes which come once share
#: them: so many of each size, up to so many bytes. More than this is not wasted.
FIRST_BLOCKS, LARGEST_SHARED = 4, 1 << 16


class Block(Protocol):
    """What native code knows a block by."""

    address: int
    size: int


def class_of(size: int) -> int:
    """Return the number of a size class, as native code computes it.

    >>> from trilith.runtime.execution.allocator import block_size
    >>> sizes = [block_size(count) for count in range(1, 1 << 20, 60)]
    >>> [class_of(size) for size in (64, 1024, 1152, 1 << 20)], len(set(sizes))
    ([1, 16, 17, 96], 96)
    >>> len({class_of(size) for size in sizes})
    96
    >>> class_of((1 << 20) + 1), class_of(1 << 21), class_of(LARGEST)
    (97, 104, 144)
    """
    step = max((size - 1).bit_length() - 4, SMALLEST_STEP)
    return ((size - 1) >> step) + 1 + (step - SMALLEST_STEP) * STEPS_PER_POWER


def _limit(size: int) -> int:
    """Return how many free blocks of a size are kept."""
    if size > LARGEST_OF_FOUR:
        return 1 if size > LARGEST_OF_TWO else 2
    return min(max(BYTES_PER_SIZE // size, 4), 1000) if size else 0


def new_table() -> ctypes.Array[ctypes.c_int64]:
    """Return a table of the addresses of pools by their class: there are none so far."""
    return (ctypes.c_int64 * (class_of(LARGEST) + 1))()


def _power_of_two(size: int) -> int:
    """Return the least power of two that is not less."""
    return 1 << (size - 1).bit_length()


class Front:
    """Pools in front of an allocator: `obtain(size)` gives an address and what holds the block."""

    def __init__(
        self,
        obtain: Callable[[int], tuple[int, Any]],
        take: Callable[[int], Any],
        make: Callable[[int, int, int, Any], Any],
        table: ctypes.Array[ctypes.c_int64],
        block_size: Callable[[int], int],
    ) -> None:
        """Begin without blocks; `take` and `make` are native, and native code knows the table.

        `block_size` says which blocks of the allocator serve a class, and may serve several.
        """
        self._obtain, self._take, self._make = obtain, take, make
        self._pools: dict[int, Any] = {}
        #: How many blocks of a size were larger ones, since all were let go of.
        self._larger: dict[int, int] = {}
        self._addresses: dict[int, int] = {0: 0}
        self._table = table
        # Native code makes none: it finds one for each class.
        size = 1 << SMALLEST_STEP
        while size <= LARGEST:
            self._table[class_of(size)] = self.pool(block_size(size))
            size += 1 << max(size.bit_length() - 4, SMALLEST_STEP)
        #: The pools of large blocks: all there are, as sizes that are pooled have theirs by now.
        self._large = [each for each in self._pools.items() if each[0] > LARGEST_OF_FOUR]
        for size, pool in self._pools.items():
            larger = _power_of_two(size)
            if size < larger <= LARGEST_SHARED:
                pool[LARGER // 8] = self._addresses[larger]

    def take(self, size: int) -> Any:
        """Return a block that nobody uses, of a pool if it has one."""
        pool = self._addresses.get(size)
        if pool is None:
            pool = self.pool(size)
        if not pool:
            return self._new(size)
        block = self._take(pool)
        if block is not None:
            return block
        larger = self._pools[size][LARGER // 8]
        if larger:
            block = self._take(larger)
            if block is not None:
                return block
            given = self._larger[size] = self._larger.get(size, 0) + 1
            if given <= FIRST_BLOCKS:
                size = _power_of_two(size)
        return self._new(size)

    def _new(self, size: int) -> Any:
        if size > LARGEST_OF_FOUR:
            self._bound_large()
        address, holder = self._obtain(size)
        return self._make(self._addresses.get(size, 0), address, size, holder)

    def pool(self, size: int) -> int:
        """Return the address of the pool for a size; 0 if blocks of that size are not pooled."""
        if size > LARGEST:
            return 0
        pool = self._pools.get(size)
        if pool is None:
            made = (ctypes.c_int64 * POOL_WORDS)(0, 0, _limit(size), size)
            pool = self._pools.setdefault(size, made)
            keep_forever(made)  # blocks know theirs by its address
        address = self._addresses[size] = ctypes.addressof(pool)
        return address

    def cached(self) -> int:
        """Return how many bytes lie in the pools."""
        return sum(size * pool[COUNT // 8] for size, pool in list(self._pools.items()))

    def cached_large(self) -> int:
        """Return how many bytes of large blocks lie in the pools."""
        return sum(size * pool[COUNT // 8] for size, pool in self._large)

    def trim(self) -> None:
        """Let go of every block that lies in a pool."""
        self._larger.clear()
        for size, pool in list(self._pools.items()):
            self._empty(size, pool)

    def _bound_large(self) -> None:
        """Let go of the large blocks if there are too many."""
        if self.cached_large() > BYTES_OF_LARGE:
            for size, pool in self._large:
                self._empty(size, pool)

    def _empty(self, size: int, pool: Any) -> None:
        try:
            pool[LIMIT // 8] = 0
            # What is taken ends at once, and finds no room. A handler that comes in between may
            # have let go of all, and have made room: then as many come back as are taken.
            for _ in range(pool[COUNT // 8]):
                self._take(ctypes.addressof(pool))
        finally:
            pool[LIMIT // 8] = _limit(size)
