"""Does anybody touch memory beyond a tensor's? Blocks at the edge of pages that nobody may touch.

`install` puts an allocator in place of the host's whose every block has pages of its own: an access
beyond the edge ends the process with a signal, at once and every time. A block that was freed can
no longer be touched either.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections import deque
from functools import partial
from typing import Any

from trilith.dialects.attributes.device import cpu
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.execution.allocator import NO_BLOCK, GiveBack

PAGE = mmap.PAGESIZE
#: How many freed blocks stay forbidden before their addresses may serve again.
KEPT = 512
#: What freshly made memory holds: no number that a program would compute.
FILLING = 0xA5

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
_libc.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def map_guarded(size: int, *, at_end: bool) -> tuple[int, int]:
    """Map pages between two that nobody may touch.

    Return the address of `size` bytes that end where they end, or begin where they begin, and the
    address of the mapping, which is `mapped_length(size)` long.
    """
    length = mapped_length(size)
    start = _libc.mmap(None, length, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
    if start in (None, ctypes.c_void_p(-1).value):
        raise MemoryError(f"cannot map {length} bytes: error {ctypes.get_errno()}")
    inside = length - 2 * PAGE
    if _libc.mprotect(start + PAGE, inside, mmap.PROT_READ | mmap.PROT_WRITE):
        raise MemoryError(f"cannot open {inside} bytes: error {ctypes.get_errno()}")
    ctypes.memset(start + PAGE, FILLING, inside)
    return start + PAGE + (inside - size if at_end else 0), start


def mapped_length(size: int) -> int:
    """Return the bytes of the pages for a block, the guards included."""
    return (-(-size // PAGE) + 2) * PAGE


class GuardedAllocator:
    """Blocks of exactly the size that is asked for, at an edge of their pages."""

    def __init__(self) -> None:
        """Begin with blocks that end at the edge."""
        self.at_end = True
        #: How many bytes behind the edge a block begins: no alignment is promised.
        self.shift = 0
        self.freed: deque[tuple[int, int]] = deque()

    def allocate(self, size: int) -> tuple[int, GiveBack]:
        """Return the address of a block, and what forbids it."""
        if not size:
            return NO_BLOCK
        room = size + self.shift
        address, start = map_guarded(room, at_end=self.at_end)
        address += 0 if self.at_end else self.shift
        return address, partial(self._forbid, (address, size, (start, mapped_length(room))))

    def _forbid(self, block: tuple[int, int, tuple[int, int]]) -> None:
        """Forbid a block, and give the oldest forbidden one back to the system."""
        _, _, mapped = block
        _libc.mprotect(*mapped, 0)
        self.freed.append(mapped)
        if len(self.freed) > KEPT:
            _libc.munmap(*self.freed.popleft())

    def copy(self, source: int, target: int, nbytes: int) -> None:
        """Copy bytes between two blocks."""
        if nbytes:
            ctypes.memmove(target, source, nbytes)


def install() -> GuardedAllocator:
    """Make the host hand out guarded memory only; for a process that has computed nothing yet."""
    host: Any = runtime_of(cpu)
    if isinstance(host.allocator, GuardedAllocator):
        return host.allocator
    host.allocator = GuardedAllocator()
    os.environ["TRILITH_CACHE"] = "0"  # plans on the disk know the sizes of other processes' blocks
    for name, module in list(sys.modules.items()):
        # Classes of sizes would put a gap between a block and the edge.
        if name.startswith("trilith.") and hasattr(module, "block_size"):
            vars(module)["block_size"] = _exact
    return host.allocator


def _exact(nbytes: int) -> int:
    return max(nbytes, 0)
