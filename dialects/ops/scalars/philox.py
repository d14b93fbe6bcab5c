"""How do bits come that look random, the same ones wherever they are drawn? Philox 4x32-10.

A block of four words of 32 bits is a function of a key and of a counter, and of nothing that was
drawn before: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). Each of ten
rounds multiplies two of the words and mixes the halves of both products with the rest. Words lie in
the low halves of uint64 scalars here, where a product of two has room.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ...attributes.dtype import DType, float32, float64, int32, uint64
from . import scalar
from .expansions.trigonometric import quarter_turned
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


def fraction(bits: Scalar, count: int, dtype: DType) -> Scalar:
    """Return the leading `count` of 64 bits as a fraction in [0, 1), exactly."""
    whole = bits >> (64 - count)
    if dtype is float64:
        return scalar.cast(whole, float64) * 2.0**-count
    # CPUs convert int32 to float32 in vectors, and no uint64.
    return scalar.cast(scalar.cast(whole, int32), float32) * 2.0**-count


def open_fraction(words: Words, dtype: DType) -> Scalar:
    """Return a number in (0, 1) of which no logarithm is 0: of 31 bits, or of 52 for float64.

    Numbers near 0 are as fine as these bits; the largest one is that in front of 1.
    """
    if dtype is float64:
        return _from_one_to_two(words.low >> 12) - (1 - 2.0**-53)
    number = scalar.cast(scalar.cast(words.first >> 1, int32), float32)
    return scalar.minimum((number + 0.5) * 2.0**-31, 1 - 2.0**-24)


def point_on_circle(bits: Scalar, dtype: DType) -> tuple[Scalar, Scalar]:
    """Return cosine and sine of an angle that is uniform, float32 or float64, by 64 bits.

    Two bits are the quarter, others the angle from its middle: nothing has to be reduced.
    """
    quarter = bits >> 62
    if dtype is float64:
        rest = _from_one_to_two((bits >> 10) & ((1 << 52) - 1)) - 1.5
    else:
        whole = scalar.cast((bits >> 38) & ((1 << 24) - 1), int32)
        rest = scalar.cast(whole, float32) * 2.0**-24 - 0.5
    return quarter_turned(rest * (math.pi / 2), quarter)


def _from_one_to_two(mantissa: Scalar) -> Scalar:
    """Return a float64 in [1, 2) with a mantissa of 52 bits, which takes no conversion."""
    return scalar.bitcast(mantissa | (1023 << 52), float64)
