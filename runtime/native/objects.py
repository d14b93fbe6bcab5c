"""What can native code do with objects of Python's? Count references, and read numbers."""

from __future__ import annotations

from .form import AS_BOOL, AS_FLOAT32, AS_FLOAT64, AS_UNSIGNED, here
from .intrinsics import Word, as_float32, as_float64, half_word, store, word, words
from .layout import FLOAT_BITS, LONG_DIGITS, LONG_SIZE, REFERENCES, TYPE
from .subset import inlined, native


@inlined
def hold(value: Word) -> Word:
    """Count one more reference."""
    store(value, REFERENCES, word(value, REFERENCES) + 1)
    return value


@native
def drop(value: Word) -> Word:
    """Count one reference less; the last one ends the object."""
    left = word(value, REFERENCES) - 1
    store(value, REFERENCES, left)
    if left == 0:
        here._Py_Dealloc(value)
    return 0


@native
def replace(value: Word, offset: Word, new: Word) -> Word:
    """Set a field of an object to a reference that is handed over."""
    old = word(value, offset)
    store(value, offset, new)
    if old != 0:
        drop(old)
    return 0


@inlined
def wide_integer(value: Word, overflow: Word) -> Word:
    """Return a Python integer; the word at `overflow` becomes non-zero if it needs more bits."""
    store(overflow, 0, 0)
    size = word(value, LONG_SIZE)
    if size == 0:
        return 0
    if size == 1:
        return half_word(value, LONG_DIGITS)
    if size == 2:
        return half_word(value, LONG_DIGITS) | (half_word(value, LONG_DIGITS + 4) << 30)
    if size == -1:
        return 0 - half_word(value, LONG_DIGITS)
    return here.PyLong_AsLongLongAndOverflow(value, overflow)


@inlined
def mixed_with(mixed: Word, part: Word) -> Word:
    """Return a hash of which a word has become a part."""
    mixed = (mixed ^ part) * 0x1E3779B97F4A7C15
    return mixed ^ (mixed >> 29)


@inlined
def integer(value: Word) -> Word:
    """Return a Python integer that is known to fit."""
    return wide_integer(value, words(1))


@native
def encoded(value: Word, how: Word, bits: Word) -> Word:
    """Return the bits in which a kernel takes a number."""
    if how == AS_FLOAT64 or how == AS_FLOAT32:
        if word(value, TYPE) == here.float_type:
            found = word(value, FLOAT_BITS)
        else:
            found = as_float64(integer(value))
        if how == AS_FLOAT64:
            return found
        return as_float32(found)
    return encoded_integer(integer(value), how, bits)


@native
def encoded_number(number: Word, how: Word, bits: Word) -> Word:
    """Return the bits in which a kernel takes a number that is a size."""
    if how == AS_FLOAT64:
        return as_float64(number)
    if how == AS_FLOAT32:
        return as_float32(as_float64(number))
    return encoded_integer(number, how, bits)


@inlined
def encoded_integer(number: Word, how: Word, bits: Word) -> Word:
    """Return the bits in which a kernel takes an integer as an integer."""
    if how == AS_BOOL:
        return number != 0
    if bits == 64:
        return number
    number = number & ((1 << bits) - 1)
    if how == AS_UNSIGNED:
        return number
    sign = 1 << (bits - 1)
    return (number ^ sign) - sign
