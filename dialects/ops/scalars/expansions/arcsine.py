"""asin and acos as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, fma, select, sqrt
from .floating import at_least, polynomial, rounded_once

# fmt: off
#: (asin(x) - x) / x^3 in x^2, |x| <= 1/2; error 2^-34 and 2^-57.4 of asin(x).
_ASIN_SHORT = (
    0.16666666686085643, 0.07499992404401838, 0.04464766388813485, 0.030269138728589183,
    0.023611817008891752, 0.010574415516912909, 0.030974540371355073,
)
_ASIN = (
    0.16666666666666669, 0.07499999999998433, 0.04464285714635543, 0.030381944138531247,
    0.02237217294214989, 0.017352392720869973, 0.013971212973552933, 0.011479177415184906,
    0.01032281435018578, 0.005457506718640358, 0.01740087944269402, -0.014851887071247204,
    0.028757851367421566,
)
# fmt: on
#: What pi / 2 lacks to the exact value.
_HALF_REST = 6.123233995736766e-17


def _arc(magnitude: Scalar, is_short: bool) -> tuple[Scalar, Scalar, Scalar]:
    """Return a and b with asin(s) = a + b, and whether s is sqrt((1 - |x|) / 2) instead of |x|.

    NaN if |x| > 1.
    """
    is_far = magnitude > 0.5
    square = select(is_far, (1.0 - magnitude) * 0.5, magnitude * magnitude)
    s = select(is_far, sqrt(square), magnitude)
    rest = s * square * polynomial(square, _ASIN_SHORT if is_short else _ASIN)
    if not is_short:
        # What the root was rounded by; the square is zero or at least 2^-54.
        rounding = fma(-s, s, square) / at_least(s + s, 2.0**-60)
        rest = select(is_far, rest + rounding, rest)
    return s, rest, is_far


@rounded_once
def asin(x: Scalar, is_short: bool) -> Scalar:
    """Return the angle in [-pi/2, pi/2] whose sine is x; the sign of zero is kept.

    Largest error: float32 0.51, float64 0.80.
    """
    s, rest, is_far = _arc(abs(x), is_short)
    total = math.pi / 2 - 2.0 * s
    error = (math.pi / 2 - total) - 2.0 * s
    far = total + (error + fma(rest, -2.0, _HALF_REST))
    return copysign(select(is_far, far, s + rest), x)


@rounded_once
def acos(x: Scalar, is_short: bool) -> Scalar:
    """Return the angle in [0, pi] whose cosine is x.

    Largest error: float32 0.51, float64 0.80.
    """
    s, rest, is_far = _arc(abs(x), is_short)
    start = select(is_far, math.pi, x.language.constant(math.pi / 2, x.dtype))
    start_rest = select(is_far, 2 * _HALF_REST, x.language.constant(_HALF_REST, x.dtype))
    taken = select(is_far, 2.0 * s, copysign(s, x))
    taken_rest = select(is_far, 2.0 * rest, copysign(rest, x))
    total = start - taken
    error = (start - total) - taken
    result = total + (error + (start_rest - taken_rest))
    return select(is_far & (x > 0.0), 2.0 * (s + rest), result)
