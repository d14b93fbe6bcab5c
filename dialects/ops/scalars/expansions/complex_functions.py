"""Functions of a complex number as arithmetic and real functions of its parts.

Each takes complex128 scalars; complex64 goes through them, so that its results are rounded once.
Branch cuts, zeros and infinities are those of C, where PyTorch takes its functions from.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..pairs import join, split
from ..scalar import (
    Scalar,
    copysign,
    cos,
    exp,
    expm1,
    fma,
    log,
    log1p,
    maximum,
    minimum,
    select,
    sin,
    sqrt,
)
from .arctangent import angle

#: Magnitudes outside of these are scaled before they are squared.
_HUGE, _TINY = 2.0**500, 2.0**-500
#: From here on an exponential may overflow that a small factor brings back.
_STEEP, _SHIFT = 700.0, 600.0


def _is_finite(x: Scalar) -> Scalar:
    return abs(x) < math.inf


def _scaled_magnitude(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar, Scalar, Scalar, Scalar]:
    """Return |a|, |b| and |a + bi|, times a power of two, then one over that and its root."""
    a, b = abs(a), abs(b)
    large = maximum(a, b)
    is_huge, is_tiny = large > _HUGE, large < _TINY
    one = a.language.constant(1.0, a.dtype)
    scale = select(is_huge, 2.0**-600, select(is_tiny, 2.0**600, one))
    back = select(is_huge, 2.0**600, select(is_tiny, 2.0**-600, one))
    root = select(is_huge, 2.0**300, select(is_tiny, 2.0**-300, one))
    x, y = a * scale, b * scale
    magnitude = sqrt(fma(x, x, y * y))
    is_infinite = a.eq(math.inf) | b.eq(math.inf)
    return x, y, select(is_infinite, math.inf, magnitude), back, root


def complex_abs(z: Scalar) -> Scalar:
    """Return the magnitude, which overflows only where it must."""
    _, _, magnitude, back, _ = _scaled_magnitude(*split(z))
    return magnitude * back


def complex_angle(z: Scalar) -> Scalar:
    """Return the angle in (-pi, pi]."""
    real, imag = split(z)
    return angle(imag, real)


def complex_sqrt(z: Scalar) -> Scalar:
    """Return the root with a real part that is not negative."""
    real, imag = split(z)
    a, b, magnitude, _, back = _scaled_magnitude(real, imag)
    is_infinite = b.eq(math.inf)
    large = sqrt((a + magnitude) * 0.5)
    small = b / (large + large)
    large, small = select(is_infinite, math.inf, large), select(is_infinite, math.inf, small)
    is_zero = magnitude.eq(0.0)
    large, small = large * back, select(is_zero, 0.0, small * back)
    is_right = real >= 0.0
    return join(z, select(is_right, large, small), copysign(select(is_right, small, large), imag))


def log_magnitude(a: Scalar, b: Scalar) -> Scalar:
    """Return log|a + bi|; near 1 from what the squares are above 1, where all digits count."""
    x, y, magnitude, back, _ = _scaled_magnitude(a, b)
    large, small = maximum(x, y), minimum(x, y)
    near = log1p(fma(large - 1.0, large + 1.0, small * small)) * 0.5
    is_near = (magnitude > 0.5) & (magnitude < 2.0) & back.eq(1.0)
    return select(is_near, near, log(magnitude) + log(back))


def complex_log(z: Scalar) -> Scalar:
    """Return the logarithm with an imaginary part in (-pi, pi]."""
    real, imag = split(z)
    return join(z, log_magnitude(real, imag), angle(imag, real))


def over(number: float, function: Callable[[Scalar], Scalar]) -> Callable[[Scalar], Scalar]:
    """Return a function whose parts are divided by a number."""

    def divided(z: Scalar) -> Scalar:
        real, imag = split(function(z))
        return join(z, real / number, imag / number)

    return divided


def complex_log1p(z: Scalar) -> Scalar:
    """Return log(1 + z) without cancellation near 0."""
    a, b = split(z)
    above = a * (a + 2.0) + b * b
    is_near = complex_abs(z) < 0.5
    real = select(is_near, 0.5 * log1p(above), log_magnitude(a + 1.0, b))
    real = select(a.eq(0.0) & b.eq(0.0), a, real)
    return join(z, real, angle(b, a + 1.0))


def _shifted(a: Scalar) -> tuple[Scalar, Scalar]:
    """Return b and e^(a - b): near the end of the range they differ, so that e^b is finite."""
    is_steep = a > _STEEP
    one = a.language.constant(1.0, a.dtype)
    return select(is_steep, a - _SHIFT, a), select(is_steep, math.exp(_SHIFT), one)


def complex_exp(z: Scalar) -> Scalar:
    """Return e^z; a zero or infinite part decides before the other can make it NaN."""
    a, b = split(z)
    near, rest = _shifted(a)
    size, is_real, vanishes = exp(near), b.eq(0.0), a.eq(-math.inf)
    real, imag = (size * cos(b)) * rest, (size * sin(b)) * rest
    size = size * rest
    real, imag = select(is_real, size, real), select(is_real, b, imag)
    real = select(a.eq(math.inf) & ~_is_finite(b), size, real)
    undirected = vanishes & ~_is_finite(b)
    nothing = select(b.eq(-math.inf), -0.0, a.language.constant(0.0, a.dtype))
    return join(z, select(undirected, 0.0, real), select(undirected, nothing, imag))


def complex_exp2(z: Scalar) -> Scalar:
    """Return 2^z."""
    real, imag = split(z)
    return complex_exp(join(z, real * math.log(2.0), imag * math.log(2.0)))


def complex_expm1(z: Scalar) -> Scalar:
    """Return e^z - 1 without cancellation near 0."""
    a, b = split(z)
    half = sin(b * 0.5)
    real = expm1(a) * cos(b) - 2.0 * half * half
    return join(z, real, exp(a) * sin(b))


def _hyperbolic(x: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return sinh and cosh, and what both are still to be multiplied by."""
    magnitude = abs(x)
    start, rest = _shifted(magnitude)
    grown, above = exp(start), expm1(magnitude)
    shrunk = 0.5 / grown
    near = 0.5 * (above + above / (above + 1.0))
    sinh = select(magnitude < 1.0, near, 0.5 * grown - shrunk)
    return copysign(sinh, x), 0.5 * grown + shrunk, rest


def complex_sin(z: Scalar) -> Scalar:
    """Return the sine; that of an imaginary number is imaginary, however large."""
    a, b = split(z)
    sinh, cosh, rest = _hyperbolic(b)
    turns, magnitude = _is_finite(a), abs(b)
    real, imag = (sin(a) * cosh) * rest, (cos(a) * sinh) * rest
    # Of no angle only the size is known.
    imag = select(~turns & b.eq(0.0), b, imag)
    imag = select(~turns & magnitude.eq(math.inf), magnitude, imag)
    return join(z, select(a.eq(0.0), a, real), imag)


def complex_cos(z: Scalar) -> Scalar:
    """Return the cosine; that of an imaginary number is real, however large."""
    a, b = split(z)
    sinh, cosh, rest = _hyperbolic(b)
    turns, magnitude = _is_finite(a), abs(b)
    real, imag = (cos(a) * cosh) * rest, (sin(a) * sinh) * rest
    imag = -select(a.eq(0.0), a * copysign(1.0, b), imag)
    imag = select(a.eq(0.0) & b.ne(b), a, imag)
    real = select(~turns & magnitude.eq(math.inf), magnitude, real)
    return join(z, real, select(~turns & b.eq(0.0), 0.0, imag))


def complex_tanh(z: Scalar) -> Scalar:
    """Return the hyperbolic tangent; beyond 20 the real part is 1 and the other decays."""
    a, b = split(z)
    is_far, is_infinite = abs(a) > 20.0, abs(a).eq(math.inf)
    sinh, cosh, _ = _hyperbolic(select(is_far, 1.0, a))
    sine, cosine = sin(b), cos(b)
    one = a.language.constant(1.0, a.dtype)
    scale = one / (sinh * sinh + cosine * cosine)
    turned = sine * cosine
    real = select(is_far, copysign(one, a), sinh * cosh * scale)
    # `sine` is NaN where b says no angle; an infinite a decides all the same.
    real = select(is_far & ~is_infinite & ~_is_finite(b), sine, real)
    real = select(a.eq(0.0), a, real)
    imag = select(is_far, 4.0 * turned * exp(-2.0 * abs(a)), turned * scale)
    imag = select(is_infinite & ~_is_finite(b), copysign(0.0 * one, b), imag)
    return join(z, real, select(b.eq(0.0), b, imag))


def complex_sinh(z: Scalar) -> Scalar:
    """Return sin(iz) / i."""
    a, b = split(z)
    real, imag = split(complex_sin(join(z, -b, a)))
    return join(z, imag, -real)


def complex_cosh(z: Scalar) -> Scalar:
    """Return cos(iz)."""
    a, b = split(z)
    return complex_cos(join(z, -b, a))


def complex_tan(z: Scalar) -> Scalar:
    """Return tanh(iz) / i."""
    a, b = split(z)
    real, imag = split(complex_tanh(join(z, -b, a)))
    return join(z, imag, -real)


def complex_sigmoid(z: Scalar) -> Scalar:
    """Return 1 / (1 + e^-z)."""
    return 1.0 / (complex_exp(-z) + 1.0)


def complex_silu(z: Scalar) -> Scalar:
    """Return z / (1 + e^-z)."""
    return z / (complex_exp(-z) + 1.0)


def _is_infinite(x: Scalar) -> Scalar:
    return abs(x).eq(math.inf)


def _boxed(x: Scalar, y: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Return whether a part is infinite, and the corner of the unit square that it points to."""
    is_infinite = _is_infinite(x) | _is_infinite(y)
    one = x.language.constant(1.0, x.dtype)
    corners = [copysign(select(_is_infinite(part), one, 0.0), part) for part in (x, y)]
    return is_infinite, corners[0], corners[1]


def _c_product(first: Scalar, second: Scalar) -> Scalar:
    """Return a product as C does: infinite where an operand is, if both parts came out as NaN."""
    (a, b), (c, d) = split(first), split(second)
    real, imag = a * c - b * d, a * d + b * c
    grows, a1, b1 = _boxed(a, b)
    also, c1, d1 = _boxed(c, d)
    a, b = select(grows, a1, a), select(grows, b1, b)
    c, d = select(also, c1, c), select(also, d1, d)
    a, b, c, d = (select(part.ne(part), copysign(0.0 * c1, part), part) for part in (a, b, c, d))
    is_lost = (grows | also) & real.ne(real) & imag.ne(imag)
    real = select(is_lost, math.inf * (a * c - b * d), real)
    return join(first, real, select(is_lost, math.inf * (a * d + b * c), imag))


def complex_pow(base: Scalar, exponent: Scalar) -> Scalar:
    """Return e^(exponent log(base)), as C does it."""
    turned = _c_product(exponent, complex_log(base))
    found = complex_exp(turned)
    size, angle = split(turned)
    # An angle that is lost in the product is a NaN with a sign, and so is the zero.
    is_lost = size.eq(-math.inf) & angle.ne(angle)
    real, imag = split(found)
    return join(base, real, select(is_lost, -0.0, imag))


def complex_sign(z: Scalar) -> Scalar:
    """Return z / |z|, and 0 for 0."""
    real, imag = split(z)
    x, y, magnitude, _, _ = _scaled_magnitude(real, imag)
    is_zero = magnitude.eq(0.0)
    divisor = select(is_zero, 1.0, magnitude)
    return join(
        z,
        select(is_zero, 0.0, copysign(x, real) / divisor),
        select(is_zero, 0.0, copysign(y, imag) / divisor),
    )
