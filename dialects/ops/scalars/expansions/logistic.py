"""tanh, the logistic function and the activations made of it, as straight-line arithmetic."""

from __future__ import annotations

from ..scalar import Scalar, copysign, fma, select
from .exponential import exponential_parts
from .floating import (
    Power,
    at_least,
    at_most,
    format_of,
    halved_power_of_two,
    is_single,
    polynomial,
    power_of_two,
    product_with_error,
    sum_with_error,
)

# fmt: off
#: (tanh(x) - x) / x^3 in x^2, |x| <= 0.625; error 2^-27.7 and 2^-56.4 of tanh(x).
_TANH_SINGLE = (
    -0.33333281180621405, 0.13331420302513097, -0.05373779323252994, 0.02063253449693932,
    -0.005697373908424279,
)
_TANH_DOUBLE = (
    -0.3333333333333284, 0.13333333333259975, -0.05396825393028983, 0.021869487553834728,
    -0.008863220712736847, 0.0035919868477053735, -0.0014549469874993496, 0.0005862777289041315,
    -0.00022848591905480026, 7.705546044895907e-05, -1.6029114471364566e-05,
)
# fmt: on
#: 2 sqrt(2/pi) and 0.044715 times it, each in two parts: the tanh form of GELU is
#: x * sigmoid(x (a + b x^2)).
_GELU_SINGLE = (
    (1.5957691669464111, -4.534068054340423e-08),
    (0.07135481387376785, 2.3988324659995897e-09),
)
_GELU_DOUBLE = (
    (1.5957691216057308, -9.96930880911092e-17),
    (0.07135481627260025, -6.175149918155315e-19),
)


def tanh(x: Scalar) -> Scalar:
    """Return the hyperbolic tangent; the sign of zero is kept.

    A polynomial below 0.625, else 1 - 2 / (1 + e^(2|x|)). Largest error: float32 1.34,
    float64 1.34.
    """
    square = x * x
    coefficients = _TANH_SINGLE if is_single(x) else _TANH_DOUBLE
    small = fma(square * x, polynomial(square, coefficients), x)
    magnitude = abs(x)
    p, exponent = exponential_parts(at_most(magnitude * 2.0, 20.0 if is_single(x) else 40.0))
    power = power_of_two(exponent, format_of(x))
    large = -2.0 / (fma(power, p, power) + 1.0) + 1.0
    return copysign(select(magnitude < 0.625, small, large), x)


def sigmoid(x: Scalar) -> Scalar:
    """Return 1 / (1 + e^-x), whose negative tail reaches down to the denormals.

    Formed from e^-|x|, which never overflows. Largest error: float32 2.41, float64
    2.42.
    """
    p, exponent = exponential_parts(at_least(-abs(x), -104.5 if is_single(x) else -746.0))
    e = Power(exponent).times_one_plus(p)
    return select(x > 0.0, 1.0, e) / (e + 1.0)


def _times_sigmoid(x: Scalar, magnitude: Scalar, z: Scalar, low: Scalar | None) -> Scalar:
    """Return x * sigmoid(z + low of the sign of x), given -|x| and z(-|x|), both clamped.

    Below zero that is x e^z / (1 + e^z), where a part of the power of two in e^z is applied last,
    so that a denormal result is rounded once. (By `ldexp`, for e^z and at the end, gelu takes 4 %
    longer on Zen 5: each occupies the units of multiplications twice.)
    """
    p, exponent = exponential_parts(z, low)
    first, second = halved_power_of_two(exponent, format_of(x))
    negative = magnitude * first
    e = fma(first, p, first) * second
    result = select(x > 0.0, x, fma(negative, p, negative)) / (e + 1.0)
    # The addition of x * 0 gives NaN at -inf, as PyTorch does.
    return select(x > 0.0, result, fma(x, 0.0, result * second))


def silu(x: Scalar) -> Scalar:
    """Return x * sigmoid(x); NaN at -inf, as PyTorch does.

    Largest error: float32 2.67, float64 2.54.
    """
    magnitude = at_least(-abs(x), -112.0 if is_single(x) else -756.0)
    return _times_sigmoid(x, magnitude, magnitude, None)


def gelu_tanh(x: Scalar) -> Scalar:
    """Return x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))); NaN at -inf, as PyTorch does.

    Equal to x * sigmoid(z); in the tail e^z amplifies an error of z a hundredfold, so z is kept
    with its rounding errors. Largest error: float32 2.69, float64 2.67.
    """
    (a, a_low), (b, b_low) = _GELU_SINGLE if is_single(x) else _GELU_DOUBLE
    m = at_least(-abs(x), -11.0 if is_single(x) else -22.0)
    square, square_error = product_with_error(m, m)
    term = square * b
    slope, slope_error = sum_with_error(term, m.language.constant(a, m.dtype))
    slope_error = slope_error + fma(square, b, -term)
    slope_error = fma(square_error, b, fma(square, b_low, slope_error + a_low))
    z, z_error = product_with_error(m, slope)
    return _times_sigmoid(x, m, z, fma(m, slope_error, z_error))
