"""Which CPU does this process run on, asked without LLVM? A digest of what the CPU says of itself.

Machine code is made for a CPU's features. LLVM reads them with the instruction `cpuid`, and so does
this, with 20 bytes of code: whatever LLVM may look at is in the digest. What differs between the
cores of one CPU is left out.
"""

from __future__ import annotations

import ctypes
from functools import cache

from ...dialects.digests import blake2b
from .objects import UnknownObject, executable, is_known_host

#: void (*)(uint32 leaf, uint32 sub-leaf, uint32 registers[4])
CPUID = bytes.fromhex("53 4989d0 89f8 89f1 0fa2 418900 41895804 41894808 4189500c 5b c3")
#: void (*)(uint32 registers[2]): which registers the system saves.
XGETBV = bytes.fromhex("31c9 0f01d0 8907 895704 c3")

#: Leaves that say what a CPU is and can do, by the highest one that there is, and sub-leaves.
_LEAVES = (
    *((leaf, 0) for leaf in (0x0, 0x1)),
    *((leaf, sub) for leaf in (0x7, 0xD, 0x14, 0x1D, 0x1E, 0x24) for sub in (0, 1, 2)),
    (0x19, 0),
)
_EXTENDED_LEAVES = tuple(0x80000000 + leaf for leaf in (0, 1, 2, 3, 4, 7, 8, 0x1F, 0x21))
_HAS_SAVED_STATE = 1 << 27  # of ecx of leaf 1
#: Of ebx of leaf 1 the number of the core.
_SAME_ON_CORES = 0x00FFFFFF


@cache
def processor_digest() -> bytes | None:
    """Return what tells this CPU from others that can do something else; None if nobody knows.

    >>> processor_digest() == processor_digest()
    True
    """
    if not is_known_host():
        return None
    try:
        return _digest()
    except UnknownObject:
        return None


def _digest() -> bytes:
    code, state = executable(CPUID, 0), executable(XGETBV, 0)
    words, pointer = ctypes.c_uint32, ctypes.c_void_p
    identify = ctypes.CFUNCTYPE(None, words, words, pointer)(code.address)
    saved = ctypes.CFUNCTYPE(None, pointer)(state.address)
    registers = (words * 4)()
    digest = blake2b(digest_size=16)

    def ask(leaf: int, sub: int = 0) -> tuple[int, int, int, int]:
        identify(leaf, sub, ctypes.addressof(registers))
        first, second, third, fourth = registers
        return first, second, third, fourth

    def add(leaf: int, sub: int = 0) -> None:
        first, second, third, fourth = ask(leaf, sub)
        second &= _SAME_ON_CORES if leaf == 1 else 0xFFFFFFFF
        digest.update(repr((leaf, sub, first, second, third, fourth)).encode())

    highest, extended = ask(0)[0], ask(0x80000000)[0]
    for leaf, sub in _LEAVES:
        if leaf <= highest:
            add(leaf, sub)
    for leaf in _EXTENDED_LEAVES:
        if leaf <= extended:
            add(leaf)
    if ask(1)[2] & _HAS_SAVED_STATE:
        saved(ctypes.addressof(registers))
        digest.update(repr(tuple(registers)[:2]).encode())
    return digest.digest()
