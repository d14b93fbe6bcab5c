"""The angle of a point as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, maximum, minimum, select
from .floating import format_of, polynomial, to_bits

# fmt: off
#: Numerator and denominator of (atan(x) - x) / x^3 in x^2, |x| <= 0.66 (Cephes, Moshier).
_ABOVE = (
    -64.85021904942025, -122.88666844901361, -75.00855792314705, -16.157537187333652,
    -0.8750608600031904,
)
_BELOW = (
    194.5506571482614, 485.3903996359137, 432.88106049129027, 165.02700983169885,
    24.858464901423062, 1.0,
)
# fmt: on
#: What pi / 4 and pi / 2 lack to the exact values.
_QUARTER_REST, _HALF_REST = 3.061616997868383e-17, 6.123233995736766e-17


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Return the angle of the point (x, y), in float64, with C's answers for zeros and infinities.

    The angle of the first octant from the ratio of the coordinates, reduced once more at 0.66.
    """
    across, along = abs(y), abs(x)
    large, small = maximum(across, along), minimum(across, along)
    is_diagonal = small.eq(math.inf)
    ratio = select(is_diagonal, 1.0, small / select(large.eq(0.0), 1.0, large))
    is_steep = ratio > 0.66
    t = select(is_steep, (ratio - 1.0) / (ratio + 1.0), ratio)
    square = t * t
    series = t * (square * (polynomial(square, _ABOVE) / polynomial(square, _BELOW)))
    angle = select(is_steep, (series + _QUARTER_REST + t) + math.pi / 4, series + t)
    angle = select(across > along, (math.pi / 2 - angle) + _HALF_REST, angle)
    angle = select(_is_negative(x), (math.pi - angle) + 2 * _HALF_REST, angle)
    return copysign(angle, y)


def _is_negative(x: Scalar) -> Scalar:
    """Return whether the sign bit is set, as it is of -0.0."""
    form = format_of(x)
    return (to_bits(x) & form.sign).ne(0)
