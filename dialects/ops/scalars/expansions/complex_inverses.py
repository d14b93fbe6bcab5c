"""The inverse circular and hyperbolic functions of a complex number, with the branch cuts of C.

Formulas of Kahan ("Branch cuts for complex elementary functions"), which lose no digits near the
branch points. Far out, where squares are of no use, the result is a logarithm and an angle. Each
function takes complex128 scalars.
"""

from __future__ import annotations

import math

from ..pairs import join, split
from ..scalar import Scalar, copysign, log, log1p, maximum, select
from .arctangent import angle
from .complex_functions import complex_sqrt, log_magnitude
from .hyperbolic import asinh

#: From here on sqrt(z^2 - 1) is z.
_FAR = 2.0**60


def _times_i(z: Scalar) -> Scalar:
    """Return iz."""
    real, imag = split(z)
    return join(z, -imag, real)


def _over_i(z: Scalar) -> Scalar:
    """Return z / i."""
    real, imag = split(z)
    return join(z, imag, -real)


def _roots(z: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    """Return the parts of sqrt(1 - z) and of sqrt(1 + z)."""
    real, imag = split(z)
    below, above = complex_sqrt(join(z, 1.0 - real, -imag)), complex_sqrt(join(z, real + 1.0, imag))
    return *split(below), *split(above)


def _is_far(z: Scalar) -> Scalar:
    real, imag = split(z)
    return (abs(real) > _FAR) | (abs(imag) > _FAR)


def _log_of_double(z: Scalar) -> Scalar:
    """Return log|2z|, for a large z."""
    return log_magnitude(*split(z)) + math.log(2.0)


def complex_asin(z: Scalar) -> Scalar:
    """Return the angle whose sine is z; the cuts are the real axis beyond -1 and 1."""
    real, imag = split(z)
    a, b, c, d = _roots(z)
    is_far = _is_far(z)
    near = angle(real, a * c - b * d)
    turned = select(is_far, angle(real, abs(imag)), near)
    grown = select(is_far, _log_of_double(z), abs(asinh(a * d - b * c)))
    turned = select(real.eq(0.0) & imag.ne(imag), real, turned)
    return join(z, turned, copysign(grown, imag))


def complex_acos(z: Scalar) -> Scalar:
    """Return the angle whose cosine is z; the cuts are those of asin."""
    real, imag = split(z)
    a, b, c, d = _roots(z)
    is_far = _is_far(z)
    turned = select(is_far, angle(abs(imag), real), 2.0 * angle(a, c))
    turned = select(real.eq(0.0) & imag.ne(imag), math.pi / 2, turned)
    grown = select(is_far, _log_of_double(z), abs(asinh(b * c - a * d)))
    return join(z, turned, copysign(grown, -imag))


def complex_acosh(z: Scalar) -> Scalar:
    """Return i acos(z) with the sign that makes the real part not negative."""
    real, imag = split(complex_acos(z))
    # The imaginary part has the sign of that of z.
    return join(z, abs(imag), copysign(real, split(z)[1]))


def complex_asinh(z: Scalar) -> Scalar:
    """Return asin(iz) / i."""
    return _over_i(complex_asin(_times_i(z)))


def complex_atanh(z: Scalar) -> Scalar:
    """Return log((1 + z) / (1 - z)) / 2; the cuts are the real axis beyond -1 and 1."""
    real, imag = split(z)
    x, y, is_far = abs(real), abs(imag), _is_far(z)
    rest = 1.0 - x
    ratio = 4.0 * (x / (rest * rest + y * y))
    # Far out, x / |z|^2 in steps that do not overflow; zero at infinity.
    large = maximum(x, y)
    over_x, over_y = x / large, y / large
    distant = over_x / (over_x * over_x + over_y * over_y) / large
    is_infinite = x.eq(math.inf) | y.eq(math.inf)
    distant = select(is_infinite, 0.0, distant)
    # Beside the branch points the square of y may be no number any more.
    beside = 0.5 * (math.log(2.0) - log(y))
    near = select(rest.eq(0.0) & (y < 2.0**-400), beside, 0.25 * log1p(ratio))
    grown = select(is_far | is_infinite, distant, near)
    grown = copysign(select(x.eq(0.0), 0.0, grown), real)
    near = 0.5 * angle(imag + imag, rest * (x + 1.0) - y * y)
    quarter = copysign(x.language.constant(math.pi / 2, x.dtype), imag)
    turned = select(is_infinite | (is_far & ~real.ne(real)), quarter, near)
    turned = select(imag.ne(imag), imag, turned)
    return join(z, grown, turned)


def complex_atan(z: Scalar) -> Scalar:
    """Return atanh(iz) / i."""
    return _over_i(complex_atanh(_times_i(z)))
