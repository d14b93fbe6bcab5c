"""erf, erfc and the exact GELU as straight-line arithmetic."""

from __future__ import annotations

from typing import NamedTuple

from ..scalar import Scalar, copysign, fma, select
from .exponential import exponential_parts
from .floating import (
    at_most,
    format_of,
    is_single,
    polynomial,
    power_of_two,
    product_with_error,
    scale,
)

# fmt: off
#: erf(x)/x - 1 in x^2, |x| <= 1.25; error 2^-29.9 of erf(x).
_ERF_SMALL_SINGLE = (
    0.1283791659752999, -0.3761263004447112, 0.11283675029943235, -0.026860247598109132,
    0.005209016450103397, -0.0008339571277431652, 0.00010393882528367421, -7.572974183008916e-06,
)
#: The same, |x| <= 0.85; error 2^-56.2 of erf(x).
_ERF_SMALL_DOUBLE = (
    0.12837916709551256, -0.37612638903183315, 0.11283791670931304, -0.026866170640029417,
    0.005223977569253663, -0.0008548323403339579, 0.00012055187109180736, -1.492185919878144e-05,
    1.639839249067129e-06, -1.5692378779858936e-07, 1.0662638107743811e-08,
)
#: erf(x) - 1 in x - 2.625, 1.25 <= x <= 4; error 2^-27.9 of erf(x).
_ERF_LARGE_SINGLE = (
    -0.0002053745978992, 0.0011478366015429656, -0.003013233419938617, 0.004891129089465481,
    -0.00541379206516354, 0.004214147318109336, -0.002248226881146921, 0.0006896683832438717,
    3.609055033316886e-05, -0.00016331121790121999, 7.390111127630647e-05,
    -3.3179169994013555e-06, -7.644306478686202e-06, 1.836064572776408e-06,
)
#: (t + 3) e^(t^2) erfc(t) in (t - 3) / (t + 3), 0.85 <= t <= 6; error 2^-58.3 of it.
_ERFCX_MIDDLE_DOUBLE = (
    1.0740069070883398, -0.8833944531698837, 0.5902283571041032, -0.3104672619005386,
    0.1195277612871127, -0.02682723462659294, -0.0012124166193449404, 0.003034062076198994,
    -0.0005483098317231828, -0.00027677930039044223, 0.00010756214245643436, 3.041364391365909e-05,
    -1.7461086231215173e-05, -4.831019535579118e-06, 2.642400295323928e-06, 1.1338099871374747e-06,
)
#: (t + 2) e^(t^2) erfc(t) in (t - 2) / (t + 2), 0 <= t <= 10.3; error 2^-28.1 of it.
_ERFCX_SINGLE = (
    1.021582708806832, -0.6871606956311408, 0.2794717607236687, -0.03644182756965992,
    -0.021505609807798427, 0.006476260008742007, 0.003062284944350868, -0.000833321071212394,
    -0.0005926132229151759, 4.8333773288094825e-05, 7.02251546643325e-05,
)
#: (t + 4) e^(t^2) erfc(t) in (t - 4) / (t + 4), 0 <= t <= 27; error 2^-58.1 of it.
_ERFCX_DOUBLE = (
    1.095995661000491, -0.9765487290808821, 0.7732087022652369, -0.5408538313132252,
    0.3308515878780205, -0.1740109372402855, 0.0763815149092153, -0.026370053334666417,
    0.006112055655997916, -0.0002809589157192341, -0.00045505268365093193, 0.00017681308758137634,
    -3.6351707400918303e-06, -1.886179427145261e-05, 4.694383648449744e-06,
    1.4261292304376528e-06, -8.460837491747424e-07, -7.804989077619015e-08,
    1.2399244112949236e-07, 2.683439262624243e-09, -1.5396429260794353e-08,
    -4.136082382553219e-10, 1.0072204609466085e-09,
)
#: (t + 3) e^(t^2/2) erfc(t / sqrt(2)) / 2 in (t - 3) / (t + 3), 0 <= t <= 14.5; error 2^-30 of it.
_NORMAL_TAIL_SINGLE = (
    0.7290836903699479, -0.5093319914077168, 0.230017699962523, -0.047262687592879084,
    -0.010462520413617659, 0.006969302251495819, 0.0010247842256509922, -0.001032524086836111,
    -0.00024475488626220346, 0.0001312538482180418, 5.445515488861562e-05,
)
#: (t + 5) e^(t^2/2) erfc(t / sqrt(2)) / 2 in (t - 5) / (t + 5), 0 <= t <= 39; error 2^-57.2 of it.
_NORMAL_TAIL_DOUBLE = (
    0.769193049750063, -0.6653825028900567, 0.4953056159699773, -0.3135331566712962,
    0.16502036617033744, -0.06911863870657001, 0.020795066800837533, -0.002993376766705476,
    -0.0007978694080086566, 0.000544899033389054, -5.9375674797056144e-05, -4.9762654901993356e-05,
    1.6681041234865384e-05, 3.980384673157841e-06, -2.7689525006101057e-06,
    -3.3553712901649063e-07, 4.32884129845208e-07, 4.0880402363782647e-08, -6.601155563817177e-08,
    -8.294748058792904e-09, 7.942201538385e-09, 1.431957359379529e-09, -3.0290511469145827e-10,
)
# fmt: on


class Quotient(NamedTuple):
    """A fit p(u) / (t + shift), u = (t - shift) / (t + shift), for t up to `limit`.

    `low` is what the first coefficients lose when they are rounded; as many steps of Horner's rule
    carry a correction.
    """

    limit: float
    shift: float
    coefficients: tuple[float, ...]
    low: tuple[float, ...]


#: is_single -> fit of e^(t^2) erfc(t), and of e^(t^2/2) erfc(t / sqrt(2)) / 2.
_ERFCX = {
    True: Quotient(10.3, 2.0, _ERFCX_SINGLE, (-1.3857e-08,)),
    False: Quotient(27.3, 4.0, _ERFCX_DOUBLE, (5.852e-17, 5.858e-18)),
}
_NORMAL_TAIL = {
    True: Quotient(14.5, 3.0, _NORMAL_TAIL_SINGLE, (-2.6499e-08,)),
    False: Quotient(39.0, 5.0, _NORMAL_TAIL_DOUBLE, (-1.784e-17, -4.388e-17)),
}


def erf(x: Scalar) -> Scalar:
    """Return the error function; the sign of zero is kept.

    float32: two polynomials; float64: from 0.85 on, 1 - e^(-x^2) times a polynomial. Largest error:
    float32 1.74, float64 1.80.
    """
    magnitude, square = abs(x), x * x
    if is_single(x):
        large = polynomial(at_most(magnitude, 4.0) - 2.625, _ERF_LARGE_SINGLE) + 1.0
        small = fma(x, polynomial(square, _ERF_SMALL_SINGLE), x)
        return copysign(select(magnitude < 1.25, small, large), x)
    t = at_most(magnitude, 6.0)
    p, exponent = exponential_parts(-(t * t))
    power = power_of_two(exponent, format_of(x))
    inverse = 1.0 / (t + 3.0)
    scaled = polynomial(fma(inverse, -6.0, 1.0), _ERFCX_MIDDLE_DOUBLE) * inverse
    large = fma(fma(power, p, power), -scaled, 1.0)
    small = fma(x, polynomial(square, _ERF_SMALL_DOUBLE), x)
    return copysign(select(magnitude < 0.85, small, large), x)


def evaluate_quotient(fit: Quotient, t: Scalar, factor: Scalar | None) -> tuple[Scalar, Scalar]:
    """Return the fit at t >= 0, times the factor, as a rounded number and a correction to it."""
    shifted = t + fit.shift
    shift_error = t - (shifted - fit.shift)
    inverse = 1.0 / shifted
    inverse_error = fma(-inverse, shift_error, fma(-inverse, shifted, 1.0)) * inverse
    u = fma(inverse_error, -2.0 * fit.shift, fma(inverse, -2.0 * fit.shift, 1.0))
    count = len(fit.low)
    value, value_error = polynomial(u, fit.coefficients[count:]), None
    for coefficient, low in zip(fit.coefficients[:count][::-1], fit.low[::-1], strict=True):
        total = fma(value, u, coefficient)
        rounding = fma(value, u, coefficient - total) + low
        value_error = rounding if value_error is None else fma(value_error, u, rounding)
        value = total
    assert value_error is not None
    if factor is not None:
        value, rounding = product_with_error(value, factor)
        value_error = fma(value_error, factor, rounding)
    result, error = product_with_error(value, inverse)
    return result, fma(value_error, inverse, fma(value, inverse_error, error))


def erfc(x: Scalar) -> Scalar:
    """Return 1 - erf(x), accurate in its positive tail down to the denormals.

    e^-(x^2) is formed from the square with its rounding error. Largest error: float32 2.77,
    float64 2.97.
    """
    fit = _ERFCX[is_single(x)]
    t = at_most(abs(x), fit.limit)
    square, error = product_with_error(t, t)
    p, exponent = exponential_parts(-square, -error)
    tail, correction = evaluate_quotient(fit, t, None)
    tail = scale(tail + fma(tail, p, correction), exponent)
    return select(x < 0.0, 2.0 - tail, tail)


def gelu_erf(x: Scalar) -> Scalar:
    """Return x/2 (1 + erf(x / sqrt(2))) = x/2 erfc(-x / sqrt(2)); NaN at -inf, as PyTorch does.

    Largest error: float32 2.65, float64 2.98.
    """
    fit = _NORMAL_TAIL[is_single(x)]
    t = at_most(abs(x), fit.limit)
    square, error = product_with_error(t * 0.5, t)
    p, exponent = exponential_parts(-square, -error)
    tail, correction = evaluate_quotient(fit, t, t)
    tail = copysign(scale(tail + fma(tail, p, correction), exponent), x)
    # The addition of x * 0 gives NaN at -inf, as PyTorch does.
    return select(x > 0.0, x - tail, fma(x, 0.0, tail))
