"""sinh, cosh and the inverse hyperbolic functions as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, fma, select, sqrt
from .exponential import exponential_parts
from .floating import (
    at_most,
    format_of,
    ordered_sum_with_error,
    polynomial,
    power_of_two,
    product_with_error,
    rounded_once,
    scale,
    sum_with_error,
)
from .logarithm import log1p

# fmt: off
#: (sinh(x) - x) / x^3 in x^2, |x| <= 1; error 2^-32.5 and 2^-56.8 of sinh(x).
_SINH_SHORT = (
    0.16666666646842135, 0.00833333967591706, 0.00019838101968683888, 2.8062802582276946e-06,
)
_SINH = (
    0.16666666666666666, 0.008333333333333333, 0.00019841269841269773, 2.755731922404034e-06,
    2.505210836405804e-08, 1.6059048396350562e-10, 7.646625361656657e-13, 2.8445264169895285e-15,
)
# fmt: on
_LN2 = 0.6931471805599453
#: From here on sqrt(x^2 + 1) and sqrt(x^2 - 1) are x.
_LARGE = 2.0**28


def _halves(magnitude: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return p, q and n: e^|x| / 2 = (1 + p) 2^n and e^-|x| / 2 = q 2^n, n in an integer's bits."""
    p, exponent = exponential_parts(at_most(magnitude, 711.0))
    back = power_of_two(-exponent, format_of(magnitude))
    # Where 2^-n is no normal number, the smaller half is far below the last place.
    inverse = select(magnitude > 25.0, 0.0, back * back / (p + 1.0))
    return p, inverse, exponent - 1


@rounded_once
def sinh(x: Scalar, is_short: bool) -> Scalar:
    """Return the hyperbolic sine; the sign of zero is kept.

    A polynomial below 1. Largest error: float32 0.51, float64 1.40.
    """
    magnitude, square = abs(x), x * x
    coefficients = _SINH_SHORT if is_short else _SINH
    small = fma(square * magnitude, polynomial(square, coefficients), magnitude)
    p, inverse, exponent = _halves(magnitude)
    large = scale((p - inverse) + 1.0, exponent)
    return copysign(select(magnitude < 1.0, small, large), x)


@rounded_once
def cosh(x: Scalar, is_short: bool) -> Scalar:
    """Return the hyperbolic cosine.

    Largest error: float32 0.51, float64 1.20.
    """
    p, inverse, exponent = _halves(abs(x))
    return scale((p + inverse) + 1.0, exponent)


def _log1p_sum(high: Scalar, low: Scalar) -> Scalar:
    """Return log(1 + high + low)."""
    return log1p(high) + low / (high + 1.0)


@rounded_once
def asinh(x: Scalar, is_short: bool) -> Scalar:
    """Return the number whose hyperbolic sine is x; the sign of zero is kept.

    log(1 + x + x^2 / (1 + sqrt(1 + x^2))), which loses nothing near zero. Largest error: float32
    0.51, float64 1.80.
    """
    magnitude = abs(x)
    is_large = magnitude > _LARGE
    bounded = at_most(magnitude, _LARGE)
    square = bounded * bounded
    grown = square / (sqrt(square + 1.0) + 1.0)
    high, low = ordered_sum_with_error(bounded, grown)
    high, low = select(is_large, magnitude - 1.0, high), select(is_large, 0.0, low)
    result = _log1p_sum(high, low) + select(is_large, _LN2, 0.0 * bounded)
    return copysign(select(magnitude < 2.0**-27, magnitude, result), x)


@rounded_once
def acosh(x: Scalar, is_short: bool) -> Scalar:
    """Return the positive number whose hyperbolic cosine is x; NaN below 1.

    log(1 + t + sqrt(t (t + 2))), t = x - 1. Largest error: float32 0.51, float64 1.50.
    """
    is_large = x > _LARGE
    t = at_most(x, _LARGE) - 1.0
    square, square_error = product_with_error(t, t)
    total, error = sum_with_error(square, t + t)
    root = sqrt(total)
    rest = (fma(-root, root, total) + (error + square_error)) / (root + root)
    high, low = sum_with_error(t, root)
    low = low + select(root.eq(0.0), 0.0, rest)
    high, low = select(is_large, x - 1.0, high), select(is_large, 0.0, low)
    result = _log1p_sum(high, low) + select(is_large, _LN2, 0.0 * t)
    return select(x < 1.0, math.nan, result)


@rounded_once
def atanh(x: Scalar, is_short: bool) -> Scalar:
    """Return the number whose hyperbolic tangent is x: infinite at 1, NaN above.

    log(1 + 2x / (1 - x)) / 2. Largest error: float32 0.51, float64 1.60.
    """
    magnitude = abs(x)
    divisor = 1.0 - magnitude
    divisor_error = (1.0 - divisor) - magnitude
    high = (magnitude + magnitude) / divisor
    rest = fma(-high, divisor, magnitude + magnitude) - high * divisor_error
    low = select(high < math.inf, rest / divisor, 0.0)
    result = 0.5 * _log1p_sum(high, low)
    return copysign(select(magnitude < 2.0**-27, magnitude, result), x)
