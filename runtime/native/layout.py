"""Where do the fields of Python's objects lie, and is that true of this interpreter?

What is known of CPython 3.11, in bytes. `is_known` puts each number that native code relies on to
the test, on objects that are made for it; on any other interpreter, or where one number differs,
there is no native code, and everything runs in Python.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import weakref
from functools import cache
from types import FunctionType, MemberDescriptorType
from typing import Any

import numpy as np

REFERENCES, TYPE = 0, 8
FLOAT_BITS = 16
#: A signed count of digits, each of 30 bits in 32.
LONG_SIZE, LONG_DIGITS, DIGIT = 16, 24, 30
#: A tuple holds its items, a list where they are; both begin with how many, as a dict does.
TUPLE_SIZE, TUPLE_ITEMS, LIST_ITEMS = 16, 24, 24
SLICE_START, SLICE_STOP, SLICE_STEP = 16, 24, 32
#: Of a class: where its objects hold the address that they are called by (0 if they have none).
VECTORCALL_OFFSET = 56
#: Of what a slot of a class is described by, and of that description.
_MEMBER, _MEMBER_OFFSET = 40, 16

VERSIONS = ((3, 11),)

#: Of NumPy's arrays.
ARRAY = {
    "array_data": 16,
    "array_rank": 24,
    "array_shape": 32,
    "array_strides": 40,
    "array_dtype": 56,
}


def is_known() -> bool:
    """Whether this interpreter is one whose objects lie in memory as is said here."""
    if platform.python_implementation() != "CPython" or sys.version_info[:2] not in VERSIONS:
        return False
    if struct.calcsize("P") != 8 or sys.byteorder != "little" or hasattr(sys, "gettotalrefcount"):
        return False
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False  # the convention in which words are passed to kernels
    objects = (_references, _floats, _integers, _tuples, _slices, _slots)
    return all(check() for check in (*objects, _weak_references, _vectorcalls))


def arrays_are_known() -> bool:
    """Whether NumPy's arrays lie in memory as is said here."""
    whole = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    return all(map(_is_known_array, (whole, whole[1:, ::2].T, np.zeros(()), np.ones((1, 5)))))


def _is_known_array(array: np.ndarray[Any, np.dtype[Any]]) -> bool:
    found = {name: word_at(id(array) + offset) for name, offset in ARRAY.items()}
    rank = found["array_rank"] & 0xFFFFFFFF  # an int
    if rank != array.ndim or found["array_dtype"] != id(array.dtype):
        return False
    shape = _words_at(found["array_shape"], rank) if rank else ()
    strides = _words_at(found["array_strides"], rank) if rank else ()
    is_there = found["array_data"] == array.__array_interface__["data"][0]
    return is_there and (shape, strides) == (array.shape, array.strides)


@cache
def slot_offset(owner: type, name: str) -> int:
    """Return how many bytes into its objects a class has a slot.

    >>> class Pair:
    ...     __slots__ = ("left", "right")
    >>> slot_offset(Pair, "right") - slot_offset(Pair, "left")
    8
    """
    member = word_at(id(vars(owner)[name]) + _MEMBER)
    found = _words_at(member + _MEMBER_OFFSET, 1)
    return found[0] if found else 0


def all_slots(owner: type) -> range:
    """Return the offsets of all slots that a class has itself, which lie beside one another.

    >>> class Pair:
    ...     __slots__ = ("__weakref__", "left", "right")
    >>> len(all_slots(Pair))
    2
    """
    members = [name for name, value in vars(owner).items() if type(value) is MemberDescriptorType]
    offsets = sorted(slot_offset(owner, name) for name in members)
    found = range(offsets[0], offsets[-1] + 1, 8)
    assert list(found) == offsets
    return found


def word_at(address: int) -> int:
    """Read the signed 64-bit word at an address."""
    return ctypes.c_int64.from_address(address).value


def _words_at(address: int, count: int) -> tuple[int, ...] | None:
    """Read words where an address may be none: the system is asked, which does not fault."""
    try:
        file = os.open("/proc/self/mem", os.O_RDONLY)
    except OSError:
        return None
    try:
        return struct.unpack(f"<{count}q", os.pread(file, 8 * count, address))
    except (OSError, OverflowError, struct.error):
        return None
    finally:
        os.close(file)


def _references() -> bool:
    class Made:
        pass

    made = Made()
    held = [made, made, made]
    counted = sys.getrefcount(made) - 1
    is_counted = word_at(id(made) + REFERENCES) == counted
    del held
    return is_counted and word_at(id(made) + TYPE) == id(Made)


def _floats() -> bool:
    value = 1234.5678
    return struct.pack("<q", word_at(id(value) + FLOAT_BITS)) == struct.pack("<d", value)


def _integers() -> bool:
    def is_laid_out(value: int) -> bool:
        digits: list[int] = []
        rest = abs(value)
        while rest:
            digits.append(rest & ((1 << DIGIT) - 1))
            rest >>= DIGIT
        found = [
            ctypes.c_uint32.from_address(id(value) + LONG_DIGITS + 4 * place).value
            for place in range(len(digits))
        ]
        size = len(digits) if value >= 0 else -len(digits)
        return word_at(id(value) + LONG_SIZE) == size and found == digits

    values = (0, 1, -1, 255, -5, 1 << 29, (1 << 30) - 1, 1 << 30, -(1 << 30), 1 << 47, 1 << 62)
    return all(map(is_laid_out, values)) and word_at(id(True) + LONG_SIZE) == 1


def _tuples() -> bool:
    made: Any = (object(), object())
    items = [word_at(id(made) + TUPLE_ITEMS + 8 * place) for place in range(2)]
    listed: Any = list(made)
    items += _words_at(word_at(id(listed) + LIST_ITEMS), 2) or ()
    by_key: Any = dict.fromkeys(made)
    sizes = {word_at(id(value) + TUPLE_SIZE) for value in (made, listed, by_key)}
    return sizes == {2} and items == [id(made[0]), id(made[1])] * 2


def _slices() -> bool:
    made = slice(object(), object(), object())
    places = ((SLICE_START, made.start), (SLICE_STOP, made.stop), (SLICE_STEP, made.step))
    return all(word_at(id(made) + offset) == id(part) for offset, part in places)


def _slots() -> bool:
    class Made:
        __slots__ = ("first", "second")

    made: Any = Made()
    made.first, made.second = object(), object()
    offsets = {name: slot_offset(Made, name) for name in ("first", "second")}
    sound = all(0 < offset < Made.__basicsize__ for offset in offsets.values())
    return sound and all(
        word_at(id(made) + offset) == id(getattr(made, name)) for name, offset in offsets.items()
    )


def _weak_references() -> bool:
    """An object knows its weak references, that without a callback first."""

    class Made:
        __slots__ = ("__weakref__", "value")

    made = Made()
    place = id(made) + Made.__weakrefoffset__
    if Made.__weakrefoffset__ in all_slots(Made) or word_at(place) != 0:
        return False
    called = weakref.ref(made, bool)
    plain = weakref.ref(made)
    is_first = word_at(place) == id(plain) and weakref.ref(made) is plain
    return is_first and called() is made


def _vectorcalls() -> bool:
    offset = word_at(id(FunctionType) + VECTORCALL_OFFSET)
    if not 0 < offset <= FunctionType.__basicsize__ - 8:
        return False
    # What calls one function calls them all.
    first, second = (word_at(id(function) + offset) for function in (_slots, _tuples))
    return first == second != 0 and word_at(id(object) + VECTORCALL_OFFSET) == 0
