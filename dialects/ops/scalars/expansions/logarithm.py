"""log, log1p, log2 and log10 as straight-line arithmetic."""

from __future__ import annotations

import math

from ..scalar import Scalar, bitcast, fma, select
from .exponential import ln2_parts
from .floating import Format, format_of, is_single, polynomial, rounded_once, to_bits

# fmt: off
#: (log(1 + f) - f + f^2/2) / f^3 in f, sqrt(1/2) <= 1 + f <= sqrt(2); error 2^-27.3 of log(1 + f).
_LOG_SINGLE = (
    0.3333333170363809, -0.2500082099787572, 0.20001227099097518, -0.16623358515835848,
    0.14201755046599776, -0.13160169888513423, 0.12761586104340283, -0.07634533849491265,
)
#: (2 atanh(s)/s - 2) / s^2 in s^2, s = f / (2 + f) with the same f; error 2^-59.5 of log(1 + f).
_LOG_DOUBLE = (
    0.6666666666666734, 0.3999999999941601, 0.28571428742101157, 0.222221986014315,
    0.18183562920518825, 0.15314084909211073, 0.1479562177509327,
)
#: log2(1 + f) / f in f, with the same f; error 2^-27.9 of log2(1 + f).
_LOG2_SINGLE = (
    1.4426950408295562, -0.7213473514907737, 0.4808982411884464, -0.3606966496850922,
    0.28856740065570136, -0.23961739540290614, 0.2046007581659752, -0.19106293900805002,
    0.1861741903094372, -0.10994822625264318,
)
# fmt: on
#: log2(e) in two parts; the first is a float64.
_LOG2_E = (1.4426950408889634, 2.0355273740931033e-17)
#: log10(e) and log10(2), each in two parts; k times the first part of the latter is exact.
_LOG10_E = (0.4342944819032518, 1.098319650216765e-17)
_LOG10_2 = (0.30102999566361177, 3.694239077158931e-13)
#: The bits of the float below which a mantissa counts as one exponent higher: sqrt(1/2).
_SQRT_HALF_BITS = {23: 0x3F3504F3, 52: 0x3FE6A09E667F3BCD}


def exponent_and_mantissa(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return the biased exponent e, an integer, and m with x = m 2^(e - bias), m^2 in [1/2, 2].

    For a positive normal x (infinity gives m = 1).
    """
    form = format_of(x)
    offset = _SQRT_HALF_BITS[form.mantissa_bits]
    shifted = to_bits(x) + (form.one - offset)
    mantissa_mask = (1 << form.mantissa_bits) - 1
    mantissa = bitcast((shifted & mantissa_mask) + offset, form.dtype)
    return shifted >> form.mantissa_bits, mantissa


def small_integer_plus_magic(n: Scalar, form: Format) -> Scalar:
    """Return n + 2^mantissa_bits as a float, for an integer n in [0, 2^mantissa_bits)."""
    return bitcast(n | ((form.bias + form.mantissa_bits) << form.mantissa_bits), form.dtype)


def split(x: Scalar) -> tuple[Scalar, Scalar]:
    """Return k and f, floats, with x = (1 + f) 2^k and (1 + f)^2 in [1/2, 2], for any x > 0."""
    form = format_of(x)
    lift = form.mantissa_bits + 1
    is_denormal = x < 2.0 ** (1 - form.bias)
    exponent, mantissa = exponent_and_mantissa(select(is_denormal, x * 2.0**lift, x))
    offset = 2.0**form.mantissa_bits + form.bias
    # Both arms are constants: this costs one blend.
    offset = select(is_denormal, offset + lift, x.language.constant(offset, x.dtype))
    return small_integer_plus_magic(exponent, form) - offset, mantissa - 1.0


def _tail_of_log(f: Scalar) -> Scalar:
    """Return log(1 + f) - f."""
    square = f * f
    if is_single(f):
        return fma(square, -0.5, square * f * polynomial(f, _LOG_SINGLE))
    s, half = f / (f + 2.0), square * 0.5
    z = s * s
    return fma(s, fma(z, polynomial(z, _LOG_DOUBLE), half), -half)


def _combine(k: Scalar, f: Scalar) -> Scalar:
    """Return k ln(2) + log(1 + f)."""
    high, low = ln2_parts(f)
    if is_single(f):
        square = f * f
        tail = fma(k, low, square * f * polynomial(f, _LOG_SINGLE))
        return fma(k, high, f + fma(square, -0.5, tail))
    return fma(k, high, f + fma(k, low, _tail_of_log(f)))


def _with_specials(argument: Scalar, result: Scalar) -> Scalar:
    """Return the logarithm's value at zero, infinity, NaN and below zero, else `result`."""
    result = select(argument < math.inf, result, argument)
    result = select(argument.eq(0.0), -math.inf, result)
    return select(argument < 0.0, math.nan, result)


def log(x: Scalar) -> Scalar:
    """Return the natural logarithm: -inf at both zeros, NaN below.

    x = (1 + f) 2^k; a polynomial gives log(1 + f). Largest error: float32 0.86,
    float64 0.84.
    """
    return _with_specials(x, _combine(*split(x)))


def log2(x: Scalar) -> Scalar:
    """Return the logarithm to base 2, exact for powers of two.

    Largest error: float32 1.68, float64 0.96.
    """
    k, f = split(x)
    if is_single(x):
        return _with_specials(x, fma(f, polynomial(f, _LOG2_SINGLE), k))
    high, low = _LOG2_E
    product = f * high
    error = fma(f, high, -product)
    total = k + product
    # |k| is 0 or at least 1 > |product|, so this error of the sum is exact.
    error = error + (product - (total - k))
    return _with_specials(x, total + fma(_tail_of_log(f), high, fma(f, low, error)))


def log1p(x: Scalar) -> Scalar:
    """Return the logarithm of 1 + x, accurate near zero; the sign of zero is kept.

    1 + f = (1 + x) 2^-k is formed from x itself, with one rounding, so what 1 + x loses is not
    lost. Largest error: float32 1.44, float64 1.43.
    """
    form = format_of(x)
    argument = x + 1.0
    exponent, _ = exponent_and_mantissa(argument)
    k = small_integer_plus_magic(exponent, form) - (2.0**form.mantissa_bits + form.bias)
    # 4 * 2^-k is normal for every k; for the largest k, 2^-k would not be.
    scale_bits = ((2 * form.bias + 2) << form.mantissa_bits) - (exponent << form.mantissa_bits)
    power = bitcast(scale_bits, form.dtype)
    f = fma(x * 0.25, power, fma(power, 0.25, -1.0))
    result = _with_specials(argument, _combine(k, f))
    # x^2/2 is below half an ULP of x here; keeps -0, and denormals that the quarter would round.
    return select(abs(x) < 2.0 ** -(form.mantissa_bits + 1), x, result)


@rounded_once
def log10(x: Scalar, is_short: bool) -> Scalar:
    """Return the logarithm to base 10, exact for powers of ten.

    Largest error: float32 0.62, float64 0.90.
    """
    k, f = split(x)
    if is_short:
        square = f * f
        fraction = f + square * fma(f, polynomial(f, _LOG_SINGLE), -0.5)
        return _with_specials(x, fma(k, _LOG10_2[0] + _LOG10_2[1], fraction * _LOG10_E[0]))
    high, low = _LOG10_E
    product = f * high
    error = fma(f, high, -product)
    start = k * _LOG10_2[0]
    total = start + product
    # |start| is 0 or at least 0.3 > |product|, so this error of the sum is exact.
    error = fma(k, _LOG10_2[1], error + (product - (total - start)))
    return _with_specials(x, total + fma(_tail_of_log(f), high, fma(f, low, error)))
