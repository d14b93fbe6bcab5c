"""What can the CPU do that code was made for, and this one? In LLVM's words, asked without LLVM.

Machine code may use what its target has. Of that, what a compiler chooses by itself is needed:
instructions for cryptography, or of the system, are in no kernel.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache

from .objects import UnknownObject, executable, is_known_host
from .processor import CPUID, XGETBV

_EAX, _EBX, _ECX, _EDX = range(4)

#: Where `cpuid` says that a feature is there: leaf, sub-leaf, register, bit.
_BITS: dict[str, tuple[int, int, int, int]] = {
    "cx8": (1, 0, _EDX, 8),
    "cmov": (1, 0, _EDX, 15),
    "mmx": (1, 0, _EDX, 23),
    "sse": (1, 0, _EDX, 25),
    "sse2": (1, 0, _EDX, 26),
    "sse3": (1, 0, _ECX, 0),
    "ssse3": (1, 0, _ECX, 9),
    "fma": (1, 0, _ECX, 12),
    "cx16": (1, 0, _ECX, 13),
    "sse4.1": (1, 0, _ECX, 19),
    "sse4.2": (1, 0, _ECX, 20),
    "movbe": (1, 0, _ECX, 22),
    "popcnt": (1, 0, _ECX, 23),
    "avx": (1, 0, _ECX, 28),
    "f16c": (1, 0, _ECX, 29),
    "bmi": (7, 0, _EBX, 3),
    "avx2": (7, 0, _EBX, 5),
    "bmi2": (7, 0, _EBX, 8),
    "avx512f": (7, 0, _EBX, 16),
    "avx512dq": (7, 0, _EBX, 17),
    "adx": (7, 0, _EBX, 19),
    "avx512ifma": (7, 0, _EBX, 21),
    "avx512cd": (7, 0, _EBX, 28),
    "avx512bw": (7, 0, _EBX, 30),
    "avx512vl": (7, 0, _EBX, 31),
    "avx512vbmi": (7, 0, _ECX, 1),
    "avx512vbmi2": (7, 0, _ECX, 6),
    "gfni": (7, 0, _ECX, 8),
    "avx512vnni": (7, 0, _ECX, 11),
    "avx512bitalg": (7, 0, _ECX, 12),
    "avx512vpopcntdq": (7, 0, _ECX, 14),
    "avx512vp2intersect": (7, 0, _EDX, 8),
    "avx512fp16": (7, 0, _EDX, 23),
    "avxvnni": (7, 1, _EAX, 4),
    "avx512bf16": (7, 1, _EAX, 5),
    "avxifma": (7, 1, _EAX, 23),
    "avxvnniint8": (7, 1, _EDX, 4),
    "avxneconvert": (7, 1, _EDX, 5),
    "avxvnniint16": (7, 1, _EDX, 10),
    "sahf": (0x80000001, 0, _ECX, 0),
    "lzcnt": (0x80000001, 0, _ECX, 5),
    "sse4a": (0x80000001, 0, _ECX, 6),
    "xop": (0x80000001, 0, _ECX, 11),
    "fma4": (0x80000001, 0, _ECX, 16),
    "tbm": (0x80000001, 0, _ECX, 21),
    "64bit": (0x80000001, 0, _EDX, 29),
}
#: Where `cpuid` says that there are versions of AVX10, which, and whether with 512 bits.
_HAS_AVX10, _AVX10, _HAS_512_BITS = (7, 1, _EDX, 19), (0x24, 0, _EBX), (0x24, 0, _EBX, 18)
#: The features that mean a version of it, at least.
_VERSIONS = {"avx10.1": 1, "avx10.2": 2}
#: What no compiler uses by itself: for cryptography, the system, transactions, random numbers.
_UNUSED = frozenset(
    "aes amx-avx512 amx-bf16 amx-complex amx-fp16 amx-fp8 amx-int8 amx-movrs amx-tf32 amx-tile "
    "cldemote clflushopt clwb clzero cmpccxadd crc32 enqcmd fsgsbase fxsr hreset invpcid kl lwp "
    "movdir64b movdiri mwaitx pclmul pconfig pku prefetchi prfchw ptwrite raoint rdpid rdpru rdrnd "
    "rdseed rtm serialize sgx sha sha512 shstk sm3 sm4 tsxldtrk uintr usermsr vaes vpclmulqdq "
    "waitpkg wbnoinvd widekl xsave xsavec xsaveopt xsaves".split()
)
#: Registers that the system must save so that features of these names can be used.
_SAVED = {"avx512": 0xE6, "avx10": 0xE6, "avx": 0x06, "fma": 0x06, "f16c": 0x06, "xop": 0x06}
_HAS_SAVED_STATE = (1, 0, _ECX, 27)


def needed_features(target: str) -> list[str]:
    """Return the features of a target that its code may use: `triple|name|+a,-b`.

    >>> needed_features("x86_64-unknown-linux-gnu|znver3|+avx2,+sse4.1,-avx512f,+rdrnd")
    ['avx2', 'sse4.1']
    """
    words = target.rpartition("|")[2].split(",")
    return sorted({word[1:] for word in words if word.startswith("+")} - _UNUSED)


def lacking(needed: Iterable[str]) -> list[str] | None:
    """Return which features this host has not, or nobody knows of; None if it cannot be asked.

    >>> lacking([]) in ([], None)
    True
    """
    there = host_features()
    return None if there is None else sorted(set(needed) - there)


@cache
def host_features() -> frozenset[str] | None:
    """Return the features of this host that can be asked for; None if nobody knows them."""
    if not is_known_host():
        return None
    try:
        return _host_features()
    except UnknownObject:
        return None


def _host_features() -> frozenset[str]:
    code, state = executable(CPUID, 0), executable(XGETBV, 0)
    words, pointer = ctypes.c_uint32, ctypes.c_void_p
    identify = ctypes.CFUNCTYPE(None, words, words, pointer)(code.address)
    saved = ctypes.CFUNCTYPE(None, pointer)(state.address)
    registers = (words * 4)()

    def ask(leaf: int, sub: int = 0) -> tuple[int, ...]:
        identify(leaf, sub, ctypes.addressof(registers))
        return tuple(registers)

    highest = {0: ask(0)[0], 0x80000000: ask(0x80000000)[0]}

    def has(leaf: int, sub: int, register: int, bit: int) -> bool:
        if leaf > highest[leaf & 0x80000000] or (sub and sub > ask(leaf)[0]):
            return False
        return bool(ask(leaf, sub)[register] >> bit & 1)

    kept = 0
    if has(*_HAS_SAVED_STATE):
        saved(ctypes.addressof(registers))
        kept = registers[0]
    found = {name for name, place in _BITS.items() if has(*place)}
    if has(*_HAS_AVX10) and has(*_HAS_512_BITS):
        leaf, sub, register = _AVX10
        version = ask(leaf, sub)[register] & 0xFF
        found |= {name for name, least in _VERSIONS.items() if version >= least}
    return frozenset(name for name in found if _is_saved(name, kept))


def _is_saved(name: str, kept: int) -> bool:
    """Whether the system saves the registers of a feature."""
    mask = next((mask for prefix, mask in _SAVED.items() if name.startswith(prefix)), 0)
    return kept & mask == mask
