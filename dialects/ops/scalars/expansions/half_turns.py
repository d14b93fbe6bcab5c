"""sin(pi x) and cos(pi x), whose angles are reduced exactly, and sinc, in straight lines."""

from __future__ import annotations

import math

from ..scalar import Scalar, fma, round_even, select
from .floating import polynomial, rounded_once

# fmt: off
#: (sin(pi x) / x - pi) / x^2 in x^2, |x| <= 1/2; error 2^-54.3 of it.
_SINE = (
    -5.16771278004997, 2.5501640398773455, -0.599264529320791, 0.08214588661108463,
    -0.007370430944816936, 0.0004663027953897944, -2.1915282920601852e-05, 7.949258149042043e-07,
    -2.2349456072698055e-08,
)
#: (cos(pi x) - 1) / x^2 in x^2, |x| <= 1/2; error 2^-53.2 of it.
_COSINE = (
    -4.934802200544679, 4.0587121264167685, -1.3352627688545895, 0.23533063035889246,
    -0.025806891389994792, 0.0019295743091160256, -0.00010463810230557562, 4.303054832119255e-06,
    -1.3873925305665263e-07, 3.5096988376964982e-09,
)
# fmt: on
#: What pi lacks to the exact value.
_PI_REST = 1.2246467991473532e-16


def sine_over(r: Scalar) -> Scalar:
    """Return sin(pi r) / r for |r| <= 1/2."""
    square = r * r
    return fma(square, polynomial(square, _SINE), _PI_REST) + math.pi


def cosine_of_half_turns(r: Scalar) -> Scalar:
    """Return cos(pi r) for |r| <= 1/2, with an absolute error."""
    square = r * r
    return fma(square, polynomial(square, _COSINE), 1.0)


def half_turns(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return r and n with x = n + r, |r| <= 1/2; both are exact, and NaN for an infinity."""
    n = round_even(x)
    return x - n, n


def sign_of_half_turns(result: Scalar, n: Scalar) -> Scalar:
    """Return the result, negated where the whole number n is odd."""
    half = n * 0.5
    return select(round_even(half).ne(half), -result, result)


@rounded_once
def sinc(x: Scalar, is_short: bool) -> Scalar:
    """Return sin(pi x) / (pi x), and 1 at zero; zero at every other whole number.

    Largest error: float32 0.51, float64 2.00.
    """
    r, n = half_turns(x)
    ratio = sine_over(r)
    far = sign_of_half_turns(r * ratio, n) / (x * math.pi)
    far = select(r.eq(0.0), 0.0, far)
    return select(n.eq(0.0), ratio / math.pi, far)
