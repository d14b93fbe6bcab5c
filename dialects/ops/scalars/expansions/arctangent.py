"""The angle of a point, atan and atan2, as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, fma, maximum, minimum, select
from .floating import format_of, polynomial, rounded_once, to_bits

# fmt: off
#: (atan(x) - x) / x^3 in x^2, |x| <= 1; error 2^-31.8 of atan(x).
_ATAN_SHORT = (
    -0.33333333293301176, 0.19999990275947271, -0.14285317963907304, 0.1110470678864422,
    -0.09036742342070782, 0.0741749696430051, -0.05760716083128117, 0.038327445983064846,
    -0.019261081322765883, 0.00620725453378005, -0.0009362994719496015,
)
#: The same, |x| <= tan(pi/8); error 2^-58.2.
_ATAN = (
    -0.3333333333333333, 0.19999999999999998, -0.14285714285714146, 0.11111111111090412,
    -0.09090909089288615, 0.07692307616150786, -0.06666664341568992, 0.05882304580983546,
    -0.052624532717064215, 0.047546154403256914, -0.042942356540364414, 0.037233133200806595,
    -0.027272250764406647, 0.01195717675860064,
)
# fmt: on
#: What pi / 4 and pi / 2 lack to the exact values.
_QUARTER_REST, _HALF_REST = 3.061616997868383e-17, 6.123233995736766e-17
#: tan(pi/8): the angle of what is above is that of another number and half a quarter turn.
_STEEP = 0.41421356237309503


def _first_octant(ratio: Scalar, is_short: bool) -> tuple[Scalar, Scalar]:
    """Return atan(ratio), 0 <= ratio <= 1, and what is still to be added to it."""
    if is_short:
        square = ratio * ratio
        return fma(square * ratio, polynomial(square, _ATAN_SHORT), ratio), ratio * 0.0
    is_steep = ratio > _STEEP
    t = select(is_steep, (ratio - 1.0) / (ratio + 1.0), ratio)
    square = t * t
    series = square * t * polynomial(square, _ATAN)
    zero = ratio.language.constant(0.0, ratio.dtype)
    start, rest = select(is_steep, math.pi / 4, zero), select(is_steep, _QUARTER_REST, zero)
    total = start + t
    # |start| is zero or above |t|, so this error of the sum is exact.
    return total, (t - (total - start)) + (series + rest)


def angle(y: Scalar, x: Scalar, is_short: bool = False) -> Scalar:
    """Return the angle of the point (x, y), in float64, with C's answers for zeros and infinities.

    The angle of the first octant from the ratio of the coordinates, mirrored twice.
    """
    across, along = abs(y), abs(x)
    large, small = maximum(across, along), minimum(across, along)
    is_diagonal = small.eq(math.inf)
    ratio = select(is_diagonal, 1.0, small / select(large.eq(0.0), 1.0, large))
    result, rest = _first_octant(ratio, is_short)
    is_above, is_behind = across > along, _is_negative(x)
    result, rest = _mirrored(is_above, math.pi / 2, _HALF_REST, result, rest)
    result, rest = _mirrored(is_behind, math.pi, 2 * _HALF_REST, result, rest)
    return copysign(result + rest, y)


def _mirrored(
    where: Scalar, turn: float, turn_rest: float, result: Scalar, rest: Scalar
) -> tuple[Scalar, Scalar]:
    """Return turn - result where a condition holds; the error of the difference is kept."""
    total = turn - result
    error = (turn - total) - result
    return select(where, total, result), select(where, (error - rest) + turn_rest, rest)


def _is_negative(x: Scalar) -> Scalar:
    """Return whether the sign bit is set, as it is of -0.0."""
    form = format_of(x)
    return (to_bits(x) & form.sign).ne(0)


@rounded_once
def atan2(y: Scalar, x: Scalar, is_short: bool) -> Scalar:
    """Return the angle of the point (x, y), in (-pi, pi].

    Largest error: float32 0.51, float64 2.00.
    """
    return angle(y, x, is_short)


@rounded_once
def atan(x: Scalar, is_short: bool) -> Scalar:
    """Return the angle whose tangent is x; the sign of zero is kept.

    Largest error: float32 0.51, float64 1.80.
    """
    magnitude = abs(x)
    is_above = magnitude > 1.0
    ratio = select(is_above, 1.0 / magnitude, magnitude)
    result, rest = _first_octant(ratio, is_short)
    result, rest = _mirrored(is_above, math.pi / 2, _HALF_REST, result, rest)
    return copysign(result + rest, x)
