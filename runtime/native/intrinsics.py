"""What can native functions do with memory, and beyond arithmetic? These, which only they can call.

A Python function stands for each: it is read where native code is translated (`subset.py`), and who
calls it by mistake is told.
"""

from __future__ import annotations

from typing import TypeAlias

#: A value of a native function, as a checker sees it.
Word: TypeAlias = int

_ONLY_NATIVE = "this means something in native code only"


def word(address: Word, offset: int = 0) -> Word:
    """Read the 64-bit word that lies `offset` bytes behind an address."""
    raise NotImplementedError(_ONLY_NATIVE)


def half_word(address: Word, offset: int = 0) -> Word:
    """Read an unsigned 32-bit word."""
    raise NotImplementedError(_ONLY_NATIVE)


def store(address: Word, offset: int, value: Word) -> None:
    """Write a 64-bit word."""
    raise NotImplementedError(_ONLY_NATIVE)


def words(count: Word) -> Word:
    """Return the address of so many words on the stack, which end with the function."""
    raise NotImplementedError(_ONLY_NATIVE)


def call(function: Word, *arguments: Word) -> Word:
    """Call a function by its address."""
    raise NotImplementedError(_ONLY_NATIVE)


def spread(function: Word, arguments: Word, count: int) -> None:
    """Call a function with as many words as a constant says, which lie at an address."""
    raise NotImplementedError(_ONLY_NATIVE)


def as_float32(bits: Word) -> Word:
    """Return the bits of the nearest float32, given those of a float64."""
    raise NotImplementedError(_ONLY_NATIVE)


def as_float64(value: Word) -> Word:
    """Return the bits of the nearest float64, given a signed integer."""
    raise NotImplementedError(_ONLY_NATIVE)


# What threads tell one another: every word that two of them look at is read and written by these.


def seen(address: Word, offset: int) -> Word:
    """Read a word that another thread may be writing, and see what was written before it."""
    raise NotImplementedError(_ONLY_NATIVE)


def show(address: Word, offset: int, value: Word) -> None:
    """Write a word that another thread may be reading, after all that was written before."""
    raise NotImplementedError(_ONLY_NATIVE)


def add_seen(address: Word, offset: int, value: Word) -> Word:
    """Add to a word in one step, and return what it was."""
    raise NotImplementedError(_ONLY_NATIVE)


def change_seen(address: Word, offset: int, old: Word, new: Word) -> Word:
    """Write a word in one step if it is `old`; return whether it was."""
    raise NotImplementedError(_ONLY_NATIVE)


def pause() -> None:
    """Tell the processor that a loop waits."""
    raise NotImplementedError(_ONLY_NATIVE)


def float_modes() -> Word:
    """Return how this thread rounds and what it does with denormals: the register MXCSR."""
    raise NotImplementedError(_ONLY_NATIVE)


def set_float_modes(modes: Word) -> None:
    """Let this thread compute as another one does."""
    raise NotImplementedError(_ONLY_NATIVE)
