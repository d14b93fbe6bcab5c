"""exp, exp2 and expm1 as straight-line arithmetic."""

from __future__ import annotations

from ..scalar import Scalar, fma, select
from .floating import (
    Format,
    Power,
    at_least,
    at_most,
    format_of,
    is_single,
    polynomial,
    power_of_two,
    scale,
    to_bits,
)

# fmt: off
#: (e^r - 1 - r) / r^2 in r, |r| <= ln(2)/2; error 2^-28.2 of e^r (float32), 2^-64 (float64).
_EXP_SINGLE = (
    0.49999993447245344, 0.16666520638297114, 0.04166838830864208, 0.008368716161637499,
    0.0013814579494439755,
)
_EXP_DOUBLE = (
    0.5, 0.16666666666666682, 0.041666666666666095, 0.008333333333317035, 0.0013888888889115637,
    0.0001984126989638258, 2.4801586926601184e-05, 2.75572348631776e-06, 2.755758188457619e-07,
    2.5112036399720246e-08, 2.0826613986176533e-09,
)
#: The same function; error 2^-31.9 and 2^-61.7 of e^r - 1.
_EXPM1_SINGLE = (
    0.5000000044161776, 0.1666666637047642, 0.041666360921923606, 0.00833338935558604,
    0.001394062664240851, 0.00019845887693495948,
)
_EXPM1_DOUBLE = (
    0.5, 0.16666666666666677, 0.04166666666666651, 0.008333333333321691, 0.001388888888896234,
    0.000198412698859662, 2.4801587172592847e-05, 2.7557244373776223e-06, 2.755740259912855e-07,
    2.510897904634522e-08, 2.0875342864900365e-09,
)
#: (2^r - 1) / r in r, |r| <= 1/2; error 2^-28.9 and 2^-64.3 of 2^r.
_EXP2_SINGLE = (
    0.6931472028566168, 0.24022647913861903, 0.055503324694600835, 0.009618437285348773,
    0.0013398874768247103, 0.00015353387046127594,
)
_EXP2_DOUBLE = (
    0.6931471805599453, 0.24022650695910072, 0.05550410866482169, 0.00961812910762833,
    0.0013333558146392695, 0.0001540353039364094, 1.5252733854315317e-05, 1.3215486594742654e-06,
    1.0178051943023135e-07, 7.054974537251534e-09, 4.456570369127289e-10, 2.5625344639812035e-11,
)
# fmt: on
LOG2_E = 1.4426950408889634
#: ln(2) in two parts; n times the first is exact for every exponent n.
_LN2_SINGLE = (0.693145751953125, 1.428606765330187e-06)
_LN2_DOUBLE = (0.6931471805598903, 5.497923018708371e-14)


def ln2_parts(x: Scalar) -> tuple[float, float]:
    """Return ln(2) as a sum of two numbers, of which the first is short."""
    return _LN2_SINGLE if is_single(x) else _LN2_DOUBLE


def _nearest_integer(x: Scalar, factor: float, form: Format) -> tuple[Scalar, Scalar]:
    """Return n, the integer nearest to x * factor, as a float and in the low bits of an integer."""
    shifted = fma(x, factor, form.magic)
    return shifted - form.magic, to_bits(shifted)


def _remainder(x: Scalar, low: Scalar | None = None) -> tuple[Scalar, Scalar]:
    """Return r and n: x + low = n ln(2) + r, |r| <= ln(2)/2; n in the low bits of an integer."""
    n, exponent = _nearest_integer(x, LOG2_E, format_of(x))
    ln2_high, ln2_low = ln2_parts(x)
    # Exact: the product fits, and so does what its subtraction leaves.
    r = fma(n, -ln2_high, x)
    return fma(n, -ln2_low, r) if low is None else r + fma(n, -ln2_low, low), exponent


def exponential_parts(x: Scalar, low: Scalar | None = None) -> tuple[Scalar, Scalar]:
    """Return p and n with e^(x + low) = (1 + p) 2^n, |p| <= 0.42; n as the bits of n + magic.

    `low` is far below an ULP of x. A multiple c (1 + p) is best formed as fma(c, p, c).
    """
    r, exponent = _remainder(x, low)
    tail = polynomial(r, _EXP_SINGLE if is_single(x) else _EXP_DOUBLE)
    return fma(tail, r * r, r), exponent


def exp2_fraction(r: Scalar) -> Scalar:
    """Return 2^r for |r| <= 1/2."""
    return fma(polynomial(r, _EXP2_SINGLE if is_single(r) else _EXP2_DOUBLE), r, 1.0)


def expm1_parts(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return p and n with e^x = (1 + p) * 2^n, |p| <= 0.42; n in the low bits of an integer."""
    r, exponent = _remainder(x)
    tail = polynomial(r, _EXPM1_SINGLE if is_single(x) else _EXPM1_DOUBLE)
    return fma(tail, r * r, r), exponent


def exp(x: Scalar) -> Scalar:
    """Return e^x.

    x = n ln(2) + r; e^r is a polynomial. Beyond the clamps the result is zero or infinity.
    Largest error: float32 1.01, float64 0.98.
    """
    low, high = (-104.5, 89.0) if is_single(x) else (-746.0, 710.0)
    p, exponent = exponential_parts(at_least(at_most(x, high), low))
    return Power(exponent).times_one_plus(p)


def exp2(x: Scalar) -> Scalar:
    """Return 2^x, exact where x is an integer.

    Largest error: float32 0.96, float64 0.90.
    """
    form = format_of(x)
    low, high = (-151.0, 129.0) if is_single(x) else (-1076.0, 1025.0)
    x = at_least(at_most(x, high), low)
    shifted = x + form.magic
    return scale(exp2_fraction(x - (shifted - form.magic)), to_bits(shifted))


def expm1(x: Scalar) -> Scalar:
    """Return e^x - 1, accurate near zero.

    (1 + p) 2^n - 1 is summed at half its size, which 2^n for the largest n does not overflow.
    Largest error: float32 1.44, float64 1.83.
    """
    form = format_of(x)
    low, high = (-18.0, 89.0) if is_single(x) else (-40.0, 710.0)
    p, exponent = expm1_parts(at_least(at_most(x, high), low))
    half_power = power_of_two(exponent - 1, form)
    result = fma(half_power, p, half_power - 0.5) * 2.0
    # x^2/2 is below half an ULP of x here; keeps -0, and denormals that the halving would round.
    return select(abs(x) < 2.0 ** -(form.mantissa_bits + 1), x, result)


def times_exponential(
    factor: Scalar, factor_low: Scalar, x: Scalar, low: float | Scalar = 0.0
) -> Scalar:
    """Return (factor + factor_low) e^(x + low) in float64, rounded once; `low` is far below x."""
    limit = 760.0
    is_inside = abs(x) < limit
    bounded = at_least(at_most(x, limit), -limit)
    p, exponent = exponential_parts(bounded, select(is_inside, low, 0.0 * bounded))
    return scale(factor + fma(factor, p, factor_low), exponent)
