"""How do bits come that look random, the same ones wherever they are drawn? Philox 4x32-10.

A block of four words of 32 bits is a function of a key and of a counter, and of nothing that was
drawn before: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Each of ten
rounds multiplies two of the words and mixes the halves of both products with the rest. Words lie in
the low halves of uint64 scalars here, where a product of two has room.
"""

from __future__ import annotations

from typing import NamedTuple

from ...attributes.dtype import float32, float64, uint64
from . import scalar
from .scalar import Scalar

_ROUNDS = 10
#: What words are multiplied with, and what is added to the key after each round.
_FIRST, _SECOND = 0xD2511F53, 0xCD9E8D57
_WEYL_LOW, _WEYL_HIGH = 0x9E3779B9, 0xBB67AE85
_WORD = 0xFFFFFFFF


class Words(NamedTuple):
    """A block of four random words, in uint64 scalars."""

    first: Scalar
    second: Scalar
    third: Scalar
    fourth: Scalar

    @property
    def low(self) -> Scalar:
        """64 bits, of the first two words."""
        return self.first | (self.second << 32)

    @property
    def high(self) -> Scalar:
        """64 other bits, of the last two words."""
        return self.third | (self.fourth << 32)


def philox(words: Words, key_low: Scalar, key_high: Scalar) -> Words:
    """Return the block of a counter of four words under a key of two."""
    first, second, third, fourth = words
    for number in range(_ROUNDS):
        if number:
            key_low = (key_low + _WEYL_LOW) & _WORD
            key_high = (key_high + _WEYL_HIGH) & _WORD
        left, right = first * _FIRST, third * _SECOND
        first, second, third, fourth = (
            (right >> 32) ^ second ^ key_low,
            right & _WORD,
            (left >> 32) ^ fourth ^ key_high,
            left & _WORD,
        )
    return Words(first, second, third, fourth)


def block(number: Scalar, key: Scalar, stream: int = 0) -> Words:
    """Return block `number` of a key's stream; both are int64, of which the bits count.

    A key has several streams, for those who need more than one block for an element.
    """
    counter = scalar.cast(number, uint64)
    key = scalar.cast(key, uint64)
    language = number.language
    rest = language.constant(stream, uint64), language.constant(0, uint64)
    words = Words(counter & _WORD, counter >> 32, *rest)
    return philox(words, key & _WORD, key >> 32)


def fraction(bits: Scalar, count: int, dtype: object) -> Scalar:
    """Return the leading `count` of 64 bits as a fraction in [0, 1), exactly."""
    whole = bits >> (64 - count)
    return scalar.cast(whole, float64 if dtype is float64 else float32) * 2.0**-count


def open_fraction(words: Words, dtype: object) -> Scalar:
    """Return a number in (0, 1) whose smallest values are fine: of 32 bits, or 53 for float64.

    The largest one is that in front of 1, so that no logarithm of it is 0.
    """
    if dtype is float64:
        return (scalar.cast(words.low >> 12, float64) + 0.5) * 2.0**-52
    number = (scalar.cast(words.first, float32) + 0.5) * 2.0**-32
    return scalar.minimum(number, 1 - 2.0**-24)
