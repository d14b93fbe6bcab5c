"""Which processor does PoCL compile for? One that its compiler knows by name.

PoCL asks its compiler what the processor is called, and says so with each kernel. Of one that is
newer than itself the compiler answers "generic", and takes that for no processor's name when it
comes back: nothing builds. So it is with the PoCL that pip installs (3.0) on AMD's Zen 5; later
ones choose a name by themselves. No setting is asked, but PoCL keeps the name in what it has
noted of the device, beside the kind of machine: there it is replaced, before anything is built, by
the name of an older processor that does nothing which this one does not do.

So are names of processors for which PoCL 3.0's compiler makes slow code: a Granite Rapids in a
virtual machine may call itself a Rocket Lake, and 512 x 512 floats take 6.1 ms so, 1.3 otherwise.

The child that tries devices reads this file too: it imports nothing of trilith.
"""

from __future__ import annotations

import ctypes
import struct
from io import FileIO
from itertools import pairwise
from pathlib import Path
from typing import Any

_PLATFORM = "Portable Computing Language"
#: How the compiler calls a processor that it does not know.
UNKNOWN = b"generic"
#: Names that it takes, but makes slow code for.
SLOW = (b"rocketlake", b"icelake-client")
#: How names of machines begin for which compilers do not take that word.
_MACHINE = b"x86_64-"
#: How much of what PoCL has noted is looked through, in pointers.
_LENGTH = 256

_WIDE = frozenset("avx512f avx512bw avx512cd avx512dq avx512vl".split())
_HASWELL = frozenset("avx2 bmi1 bmi2 f16c fma movbe abm popcnt aes pclmulqdq".split())
#: The best first, with what a compiler makes use of unasked, in the words of Linux.
PROCESSORS = (
    (b"skylake-avx512", _WIDE | _HASWELL),
    (b"haswell", _HASWELL),
    (b"x86-64", frozenset[str]()),
)


def give_known_name(device: Any) -> None:
    """Give a device of PoCL the name of a processor that its compiler knows, if it has none."""
    name = poor_name(device.version) if device.platform.name == _PLATFORM else None
    if name is not None:
        place = place_of_name(device.int_ptr, name)
        if place is not None:
            copy = ctypes.CDLL(None).strdup  # PoCL's own name is such a copy: it may free it
            copy.argtypes, copy.restype = [ctypes.c_char_p], ctypes.c_void_p
            better = copy(known_processor(features()))
            ctypes.c_void_p.from_address(place).value = better


def given_name(device: Any) -> str:
    """Return the name of a processor that a device has been given; empty if none."""
    if device is None or device.platform.name != _PLATFORM or poor_name(device.version) is None:
        return ""
    return known_processor(features()).decode()


def poor_name(version: str) -> bytes | None:
    """Return the name of a processor at the end of a version if it is to be replaced.

    >>> poor_name("OpenCL 3.0 PoCL HSTR: pthread-x86_64-pc-linux-gnu-generic")
    b'generic'
    """
    names = (UNKNOWN, *SLOW)
    return next((name for name in names if version.endswith(f"-{name.decode()}")), None)


def place_of_name(notes: int, name: bytes) -> int | None:
    """Return where PoCL's notes at an address point to the processor's name; None if nowhere.

    It is the pointer after the one to the kind of machine. Memory is read as a file: pointers to
    nowhere are an error then, and not the process's end.
    """
    try:
        with Path("/proc/self/mem").open("rb", buffering=0) as memory:
            data = _read(memory, notes, _LENGTH * _WIDTH)
            pointers = struct.unpack(f"{len(data) // _WIDTH}P", data[: len(data) & -_WIDTH])
            for number, (machine, processor) in enumerate(pairwise(pointers), 1):
                is_named = _text(memory, processor) == name
                if is_named and _text(memory, machine).startswith(_MACHINE):
                    return notes + number * _WIDTH
    except OSError:
        pass  # no Linux
    return None


_WIDTH = struct.calcsize("P")


def _text(memory: FileIO, address: int) -> bytes:
    return _read(memory, address, 64).partition(b"\0")[0]


def _read(memory: FileIO, address: int, count: int) -> bytes:
    """Return what is at an address, as much of it as there is."""
    try:
        memory.seek(address)
        return memory.read(count)
    except (OSError, OverflowError):
        return b""


def known_processor(available: frozenset[str]) -> bytes:
    """Return the name of a processor that has no more features than these.

    >>> known_processor(frozenset({"avx", "sse2"}))
    b'x86-64'
    """
    return next(name for name, needed in PROCESSORS if needed <= available)


def features() -> frozenset[str]:
    """Return what Linux says that the processor can do; nothing where it does not."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    found = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(found.partition(":")[2].split())
