"""sin, cos and tan as straight-line arithmetic, for arguments of any size."""

from __future__ import annotations

import math

from ..scalar import Scalar, fma, select
from .floating import (
    flip_sign,
    is_single,
    ordered_sum_with_error,
    polynomial,
    rounded_once,
    to_bits,
)
from .quarter_turns import reduce_double, reduce_short, reduce_single

# fmt: off
#: (sin(x) - x) / x^3 in x^2, |x| <= 1.01 pi/4; error 2^-27.9 and 2^-57.9 of sin(x).
_SIN_SINGLE = (-0.16666653863566802, 0.00833211303267437, -0.00019508740440777017)
_SIN_DOUBLE = (
    -0.1666666666666663, 0.008333333333322108, -0.00019841269829580483, 2.7557313618109035e-06,
    -2.5050747231395203e-08, 1.5896198369711525e-10,
)
#: (cos(x) - 1 + x^2/2) / x^4 in x^2, |x| <= 1.01 pi/4; error 2^-32.9 and 2^-64 of cos(x).
_COS_SINGLE = (0.04166664436890453, -0.0013887251533129146, 2.4425686478416058e-05)
_COS_DOUBLE = (
    0.041666666666666595, -0.001388888888887304, 2.4801587288842054e-05, -2.7557314176418273e-07,
    2.087570043910733e-09, -1.135851508794717e-11,
)
# fmt: on


def _sine_and_cosine(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return sin(r), cos(r) and n for |x| = n pi/2 + r; n in the low bits of an integer."""
    r, low, quarters = reduce_single(abs(x)) if is_single(x) else reduce_double(abs(x))
    if low is None:
        return *_short_pair(r), quarters
    sine_rest, leading, rest = _long_pair(r, low)
    return r + sine_rest, leading + rest, quarters


def _short_pair(r: Scalar) -> tuple[Scalar, Scalar]:
    """Return sin(r) and cos(r) to the precision of float32."""
    square = r * r
    sine = fma(square * r, polynomial(square, _SIN_SINGLE), r)
    return sine, fma(square * square, polynomial(square, _COS_SINGLE), fma(square, -0.5, 1.0))


def _long_pair(r: Scalar, low: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return sin(r + low) - r, and cos(r + low) as a sum of two."""
    square = r * r
    sine_rest = fma(square * r, polynomial(square, _SIN_DOUBLE), low)
    leading = fma(square, -0.5, 1.0)
    rounding = fma(square, -0.5, 1.0 - leading)
    fourth = square * square
    return sine_rest, leading, fma(fourth, polynomial(square, _COS_DOUBLE), fma(-r, low, rounding))


def _turn(sine: Scalar, cosine: Scalar, quarters: Scalar) -> Scalar:
    """Return sin(n pi/2 + r) from sin(r), cos(r) and n."""
    result = select((quarters & 1).ne(0), cosine, sine)
    return flip_sign(result, quarters << (result.dtype.bits - 2))


def sin(x: Scalar) -> Scalar:
    """Return the sine, which is NaN for an infinity; the sign of zero is kept.

    Largest error: float32 1.58, float64 1.01.

    >>> import numpy as np
    >>> from ....attributes.dtype import float32
    >>> from ..reference import NumpyLanguage
    >>> sin(NumpyLanguage().array(np.array([0.5, 1e30], np.float32), float32)).value
    array([ 0.47942555, -0.79116344], dtype=float32)
    """
    return flip_sign(_turn(*_sine_and_cosine(x)), to_bits(x))


def cos(x: Scalar) -> Scalar:
    """Return the cosine, which is NaN for an infinity.

    Largest error: float32 1.59, float64 1.02.
    """
    sine, cosine, quarters = _sine_and_cosine(x)
    return _turn(sine, cosine, quarters + 1)


def sine_and_cosine(x: Scalar, is_short: bool) -> tuple[Scalar, Scalar]:
    """Return sin(x) and cos(x) of a float64 x >= 0, which is a float32 if it is short."""
    r, low, quarters = reduce_short(x) if is_short else reduce_double(x)
    low = 0.0 * r if low is None else low
    sine_rest, leading, rest = _long_pair(r, low)
    sine, cosine = r + sine_rest, leading + rest
    return _turn(sine, cosine, quarters), _turn(sine, cosine, quarters + 1)


@rounded_once
def tan(x: Scalar, is_short: bool) -> Scalar:
    """Return the tangent, which is NaN for an infinity; the sign of zero is kept.

    A quotient of sine and cosine, which are sums of two numbers. Largest error: float32 0.60,
    float64 1.30.
    """
    r, low, quarters = reduce_short(abs(x)) if is_short else reduce_double(abs(x))
    is_odd = (quarters & 1).ne(0)
    sign = to_bits(x) ^ (quarters << 63)
    if low is None:
        sine, cosine = _short_pair(r)
        return flip_sign(select(is_odd, cosine, sine) / select(is_odd, sine, cosine), sign)
    sine_rest, cosine, cosine_rest = _long_pair(r, low)
    above, above_rest = select(is_odd, cosine, r), select(is_odd, cosine_rest, sine_rest)
    below, below_rest = select(is_odd, r, cosine), select(is_odd, sine_rest, cosine_rest)
    divisor, divisor_rest = ordered_sum_with_error(below, below_rest)
    quotient = (above + above_rest) / divisor
    rest = fma(-quotient, divisor, above) + fma(-quotient, divisor_rest, above_rest)
    result = quotient + rest / divisor
    return flip_sign(select(abs(x) < 2.0**-27, abs(x), result), sign)


@rounded_once
def spherical_j0(x: Scalar, is_short: bool) -> Scalar:
    """Return sin(x) / x, 1 at zero and 0 at infinity.

    Largest error: float32 0.51, float64 2.00.
    """
    sine, _ = sine_and_cosine(abs(x), is_short)
    result = select(abs(x) < 2.0**-300, 1.0, sine / abs(x))
    return select(abs(x).eq(math.inf), 0.0, result)
