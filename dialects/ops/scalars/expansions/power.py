"""pow as straight-line arithmetic."""

from __future__ import annotations

import math

from ....attributes.dtype import float32, float64, uint32
from ..scalar import Scalar, cast, fma, round_even, select
from .exponential import exp2_fraction
from .floating import (
    at_least,
    at_most,
    flip_sign,
    format_of,
    is_single,
    ordered_sum_with_error,
    polynomial,
    product_with_error,
    scale,
    to_bits,
)
from .logarithm import exponent_and_mantissa, small_integer_plus_magic, split

# fmt: off
#: 2 atanh(s) / (s ln(2)) in s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1); error 2^-37.2 of log2.
_LOG2_SINGLE = (
    2.8853900817900873, 0.9617966733412033, 0.5770835850161041, 0.4116727179163527,
    0.34073010446420043,
)
#: atanh(s)/s = 1 + z/3 + z^2 q(z), z = s^2, with the same s: q; error 2^-73.6 of atanh.
_ATANH_DOUBLE = (
    0.1999999999999999, 0.14285714285722534, 0.11111111108773086, 0.0909090943460283,
    0.07692278470877124, 0.06668157431322443, 0.058374337110415474, 0.05994313933893059,
)
# fmt: on
#: ln(2), 2/ln(2) and 1/3 in two parts.
_LN2 = (0.6931471805599453, 2.3190468138462996e-17)
_TWO_OVER_LN2 = (2.8853900817779268, 4.0710547481862066e-17)
_THIRD = (0.3333333333333333, 1.850371707708594e-17)


def _power_single(x: Scalar, y: Scalar) -> Scalar:
    """Return x^y for float32, x >= 0; what it gives for y = 0 and for x = 1, y = NaN is replaced.

    log2(x) and its product with y are formed in float64, where no float32 is denormal; the
    fraction of the product goes back to float32.
    """
    wide = cast(x, float64)
    form = format_of(wide)
    exponent, mantissa = exponent_and_mantissa(wide)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    k = small_integer_plus_magic(exponent, form) - (2.0**form.mantissa_bits + form.bias)
    logarithm = fma(s, polynomial(s * s, _LOG2_SINGLE), k)
    logarithm = select(wide < math.inf, logarithm, wide)
    logarithm = select(wide.eq(0.0), -math.inf, logarithm)
    # A finite y keeps 0 * inf away from x = 1 and y = inf.
    bounded = at_least(at_most(y, 2.0**60), -(2.0**60))
    product = cast(bounded, float64) * logarithm
    # 2^-150 rounds to zero. Arithmetic on the way there would be denormal, and slow: powers of zero
    # are frequent.
    vanishes = product <= -150.0
    z = at_most(select(vanishes, 0.0, product), 129.0)
    shifted = z + form.magic
    fraction = cast(z - (shifted - form.magic), float32)
    exponent = cast(to_bits(shifted), uint32) + format_of(fraction).magic_bits
    power = scale(exp2_fraction(fraction), exponent)
    return select(vanishes, 0.0, power)


def _log2_double(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return log2(x) of a float64 x >= 0 as a sum of two numbers, with 66 bits.

    log2(1 + f) = 2/ln(2) atanh(s), s = f / (2 + f); s, z/3 and their products carry corrections.
    """
    k, f = split(x)
    constant = x.language.constant
    divisor = f + 2.0
    divisor_error = f - (divisor - 2.0)
    inverse = 1.0 / divisor
    s = f * inverse
    s_low = fma(-s, divisor_error, fma(-s, divisor, f)) * inverse
    z, z_error = product_with_error(s, s)
    z_error = fma(s + s, s_low, z_error)
    third, third_error = product_with_error(z, constant(_THIRD[0], x.dtype))
    third_error = fma(z_error, _THIRD[0], fma(z, _THIRD[1], third_error))
    series, rest = ordered_sum_with_error(third, z * z * polynomial(z, _ATANH_DOUBLE))
    rest = rest + third_error
    first, first_error = product_with_error(s, constant(_TWO_OVER_LN2[0], x.dtype))
    first_error = fma(s, _TWO_OVER_LN2[1], fma(s_low, _TWO_OVER_LN2[0], first_error))
    second, second_error = product_with_error(first, series)
    second_error = fma(first, rest, fma(first_error, series, second_error))
    # k is zero or exceeds `first`; `second` is at most a thirtieth of `first`.
    total, error = ordered_sum_with_error(k, first)
    total, next_error = ordered_sum_with_error(total, second)
    low = (error + next_error) + (first_error + second_error)
    return ordered_sum_with_error(total, low)


def logarithm_parts(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return log(x) of a float64 x > 0 as a sum of two numbers, with 66 bits."""
    high, low = _log2_double(x)
    product, error = product_with_error(high, x.language.constant(_LN2[0], x.dtype))
    error = fma(high, _LN2[1], fma(low, _LN2[0], error))
    is_plain = (x > 0.0) & (x < math.inf)
    total, rest = ordered_sum_with_error(product, error)
    edge = select(x.eq(0.0), -math.inf, x)
    return select(is_plain, total, edge), select(is_plain, rest, 0.0)


def _power_double(x: Scalar, y: Scalar) -> Scalar:
    """Return x^y for float64, x >= 0, with the same gaps as `_power_single`."""
    high, low = _log2_double(x)
    high = select(x < math.inf, high, x)
    high = select(x.eq(0.0), -math.inf, high)
    bounded = at_least(at_most(y, 2.0**66), -(2.0**66))
    product, error = product_with_error(bounded, high)
    error = fma(bounded, low, error)
    # Beyond the exponents the correction is without meaning (and NaN for an infinite product).
    error = select(abs(product) < 1100.0, error, 0.0)
    z = at_least(at_most(product, 1025.0), -1080.0)
    magic = format_of(x).magic
    shifted = z + magic
    return scale(exp2_fraction((z - (shifted - magic)) + error), to_bits(shifted))


def pow(x: Scalar, y: Scalar) -> Scalar:
    """Return x to the power y, with the special cases of C (IEEE 754 `pow`).

    x^0 and 1^y are 1 even for NaN; below zero, a finite x needs a whole y. Largest error: float32
    1.07, float64 1.45.
    """
    magnitude = abs(x)
    result = _power_single(magnitude, y) if is_single(x) else _power_double(magnitude, y)
    half = y * 0.5
    is_whole = round_even(y).eq(y)
    is_odd = is_whole & round_even(half).ne(half)
    is_invalid = (x < 0.0) & (x > -math.inf) & ~is_whole
    result = select(is_invalid, math.nan, result)
    sign = to_bits(x)
    result = select(is_odd, flip_sign(result, sign), result)
    return select(x.eq(1.0) | y.eq(0.0), 1.0, result)
