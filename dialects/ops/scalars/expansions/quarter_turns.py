"""How many quarter turns are in an angle of any size, and what is left over?

All reductions give r and n with |x| = n pi/2 + r and |r| <= pi/4 (a little more in float32),
relatively accurate even where x is the float nearest to a multiple of pi/2. Angles of usual size
take a dozen operations; what larger ones take is computed where there is one.
"""

from __future__ import annotations

from typing import NamedTuple

from ....attributes.dtype import float32, float64, uint32, uint64
from ..scalar import Scalar, bitcast, cast, fma, rarely, select
from .floating import format_of, ordered_sum_with_error, product_with_error, to_bits

#: 2/pi in two parts of 53 bits, for |x| < 2^44. For |x| at or above each bound: 2/pi without
#: those leading bits that give multiples of four quarter turns with every float32 of that size.
_TWO_OVER_PI = (0.6366197723675814, -3.935735335036497e-17)
_TWO_OVER_PI_BEYOND = (
    (2.0**44, (2.0449648759307553e-07, 6.074026489649846e-24)),
    (2.0**65, (2.418782397124712e-13, 2.471138875912043e-29)),
    (2.0**86, (1.0760572810738749e-19, -1.690193447800753e-36)),
    (2.0**107, (7.696704864039572e-26, 4.420676015940119e-42)),
)
#: The first 1225 bits of 2/pi in 64-bit words, after 55 zero bits.
_TWO_OVER_PI_WORDS = (
    0x0000000000000145, 0xF306DC9C882A53F8, 0x4EAFA3EA69BB81B6, 0xC52B3278872083FC,
    0xA2C757BD778AC36E, 0x48DC74849BA5C00C, 0x925DD413A32439FC, 0x3BD63962534E7DD1,
    0x046BEA5D768909D3, 0x38E04D68BEFC8273, 0x23AC7306A673E939, 0x08BF177BF250763F,
    0xF12FFFBC0B301FDE, 0x5E2316B414DA3EDA, 0x6CFD9E4F96136E9E, 0x8C7ECD3CBFD45AEA,
    0x4F758FD7CBE2F67A, 0x0E73EF14A525D4D7, 0xF6BF623F1ABA10AC, 0x06608DF8F6D757E1,
)  # fmt: skip
#: pi/2 in two parts.
_HALF_PI = (1.5707963267948966, 6.123233995736766e-17)
#: pi/2 in three parts of a dtype, and the angles below which n of them are subtracted exactly
#: enough: the third part is known to 2^-25 and 2^-54, n is below 2^17 and 2^20.
_USUAL = {
    float32: ((1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15), 2.0**17),
    float64: ((1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33), 2.0**20),
}


class Reduced(NamedTuple):
    """The rest r of an angle, a correction to r (float64 only), and n in an integer's low bits."""

    rest: Scalar
    low: Scalar | None
    quarters: Scalar


def _reduce_usual(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Reduce |x| of a usual size, by Cody and Waite's method; NaN gives NaN.

    Returns r, what it lacks, and bits whose low ones are n. The first difference is exact: both
    are multiples of the last bit of pi/2, and it is below one.
    """
    (first, second, third), _ = _USUAL[x.dtype]
    magic = format_of(x).magic
    shifted = fma(x, _TWO_OVER_PI[0], magic)
    turns = magic - shifted
    exact = fma(turns, first, x)
    part, error = product_with_error(turns, x.language.constant(second, x.dtype))
    high = exact + part
    low = fma(turns, third, ((exact - high) + part) + error)
    return high, low, to_bits(shifted)


def reduce_single(magnitude: Scalar) -> Reduced:
    """Reduce a float32 |x|; infinity and NaN give NaN."""

    def rare() -> tuple[Scalar, Scalar]:
        rest, _, quarters = reduce_short(cast(magnitude, float64))
        return cast(rest, float32), cast(quarters, uint32)

    high, low, bits = _reduce_usual(magnitude)
    is_large = magnitude >= _USUAL[float32][1]
    rest, quarters = rarely(is_large, rare, high + low, bits)
    return Reduced(rest, None, quarters)


def reduce_short(x: Scalar) -> Reduced:
    """Reduce a float64 |x| that a float32 holds; infinity and NaN give NaN.

    The turns x * 2/pi are formed in float64: a float32 times 53 bits, with the product's exact
    error, then 53 bits more. The bounds keep the product below 2^46, so that the total is known to
    2^-60 for the largest float32; the smallest rest of any float32 is about 2^-30.
    """
    usual = [x.language.constant(part, float64) for part in _TWO_OVER_PI]

    def without_whole_turns() -> tuple[Scalar, Scalar]:
        high, low = usual
        for bound, (next_high, next_low) in _TWO_OVER_PI_BEYOND:
            is_beyond = x >= bound
            high, low = select(is_beyond, next_high, high), select(is_beyond, next_low, low)
        return high, low

    high, low = rarely(x >= _TWO_OVER_PI_BEYOND[0][0], without_whole_turns, *usual)
    magic = format_of(x).magic
    turns, error = product_with_error(x, high)
    shifted = turns + magic
    fraction = fma(x, low, (turns - (shifted - magic)) + error)
    return Reduced(fraction * _HALF_PI[0], None, to_bits(shifted))


def reduce_double(magnitude: Scalar) -> Reduced:
    """Reduce a float64 |x|; infinity and NaN give NaN."""
    is_large = magnitude >= _USUAL[float64][1]
    usual = _reduce_usual(magnitude)
    return Reduced(*rarely(is_large, lambda: _reduce_large(magnitude), *usual))


def _reduce_large(magnitude: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Reduce a float64 |x| of at least 1, by Payne and Hanek's method; infinity gives NaN.

    |x| = m 2^e with a 53-bit integer m. Of 2/pi only 192 bits matter: those above give multiples
    of four quarter turns, those below change the turns by less than 2^-136. Their product with m is
    formed modulo 2^192, of which the upper 128 bits are kept: 2 bits of n, 126 bits of fraction;
    the smallest rest of any float64 is about 2^-61.
    """
    bits = to_bits(magnitude)
    mantissa = (bits & ((1 << 52) - 1)) | (1 << 52)
    upper, lower = _turns_in_fixed_point(mantissa, (bits >> 52) - 1022)
    # Rounding to the nearest quarter; what is left, plus a half, is the low 62 bits.
    shifted = upper + (1 << 61)
    fraction = shifted & ((1 << 62) - 1)
    top = _fixed_to_float(fraction >> 32, -30) - 0.5
    high, rest = ordered_sum_with_error(top, _fixed_to_float(fraction & 0xFFFFFFFF, -62))
    low = rest + _fixed_to_float(lower >> 12, -114)
    angle, error = product_with_error(high, magnitude.language.constant(_HALF_PI[0], float64))
    error = error + fma(high, _HALF_PI[1], low * _HALF_PI[0])
    # x * 0 is NaN for what is not finite.
    return fma(magnitude, 0.0, angle), error, shifted >> 62


def _turns_in_fixed_point(mantissa: Scalar, offset: Scalar) -> tuple[Scalar, Scalar]:
    """Return m * (192 bits of 2/pi from a bit offset) modulo 2^192, its upper two words."""
    window = _window(offset)
    middle, lower = _full_product(mantissa, window[1])
    carry_in, _ = _full_product(mantissa, window[2])
    lower = lower + carry_in
    upper = mantissa * window[0] + middle
    return select(lower < carry_in, upper + 1, upper), lower


def _window(offset: Scalar) -> list[Scalar]:
    """Return three words of 2/pi from a bit offset: the word's number picks, stage by stage."""
    constant, word = offset.language.constant, offset >> 6
    words = [constant(value, uint64) for value in _TWO_OVER_PI_WORDS]
    for stage in (16, 8, 4, 2, 1):
        is_set = (word & stage).ne(0)
        # After this stage at most stage - 1 words are still to be skipped.
        words = [
            select(is_set, words[i + stage], words[i]) if i + stage < len(words) else words[i]
            for i in range(3 + stage)
        ]
    count = offset & 63
    rest = count ^ 63
    return [
        _shift("shl", words[i], count) | _shift("shr", words[i + 1] >> 1, rest) for i in (0, 1, 2)
    ]


def _shift(op: str, value: Scalar, count: Scalar) -> Scalar:
    """Shift by a count that is known to be in [0, 64), which needs no guard."""
    return value.language.apply(op, (value, count), value.dtype)


def _full_product(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """Return the upper and the lower word of a 128-bit product, from products of 32 bits."""
    a_low, a_high, b_low, b_high = a & 0xFFFFFFFF, a >> 32, b & 0xFFFFFFFF, b >> 32
    lowest = a_low * b_low
    middle = a_low * b_high + (lowest >> 32)
    other = a_high * b_low + (middle & 0xFFFFFFFF)
    upper = a_high * b_high + (middle >> 32) + (other >> 32)
    return upper, (other << 32) | (lowest & 0xFFFFFFFF)


def _fixed_to_float(value: Scalar, unit: int) -> Scalar:
    """Return an integer below 2^52, times 2^unit, as a float64."""
    base = 2.0 ** (52 + unit)
    return bitcast(value | ((1023 + 52 + unit) << 52), float64) - base
