"""How much memory has this process, and how much of it is machine code?"""

from __future__ import annotations

import os
from pathlib import Path


def resident() -> int:
    """Return the bytes of memory that the process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def machine_code() -> int:
    """Return the bytes of code that was made here: of no file, and may be run."""
    total = 0
    for line in Path("/proc/self/maps").read_text().splitlines():
        where, mode, _, _, inode, *_ = line.split()
        if "x" in mode and inode == "0":
            first, last = where.split("-")
            total += int(last, 16) - int(first, 16)
    return total
