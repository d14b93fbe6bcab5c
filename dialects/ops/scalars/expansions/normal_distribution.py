"""The normal distribution, its logarithm and its inverse, erfcx and erfinv, in straight lines."""

from __future__ import annotations

import math

from ..scalar import Scalar, copysign, fma, log, log1p, select, sqrt
from .error_function import Quotient, evaluate_quotient
from .exponential import times_exponential
from .floating import (
    at_most,
    polynomial,
    product_with_error,
    rounded_once,
)

# fmt: off
#: (t + s) e^(t^2/2) erfc(t / sqrt(2)) / 2 in (t - s) / (t + s), t >= 0, s = 3 and 5; error 2^-30.2
#: and 2^-54.4 of it.
_TAIL_SHORT = (
    0.7290836904484129, -0.5093319818342315, 0.2300176890511109, -0.0472630333443458,
    -0.010462368186790739, 0.006972755923354158, 0.0010245510957929763, -0.001046678852509881,
    -0.0002476486630711615, 0.0001570434887314008, 6.511399083992528e-05, -1.7749975944980472e-05,
    -9.88780074376397e-06, 7.847453522347455e-07,
)
_TAIL = (
    0.769193049750063, -0.6653825028900568, 0.495305615969976, -0.3135331566712873,
    0.16502036617041022, -0.0691186387068882, 0.020795066799182017, -0.0029933767616369764,
    -0.0007978693882189403, 0.0005448989900153975, -5.9375816497194156e-05,
    -4.9762437264350436e-05, 1.6681691028870053e-05, 3.979724365188037e-06,
    -2.7709189210612794e-06, -3.3435841360626706e-07, 4.368215920358062e-07, 3.982822889495043e-08,
    -7.110158634505199e-08, -8.259906462130293e-09, 1.1935407773895856e-08, 2.188841909858355e-09,
    -1.975993413136079e-09, -5.30994613235127e-10, 2.969001700712447e-10, 9.449954685566576e-11,
    -3.4954788620645754e-11, -8.786262175815149e-12, 2.328023028509443e-12,
)
#: Quantile over (p - 1/2) in 0.425^2 - (p - 1/2)^2, |p - 1/2| <= 0.425: numerator, denominator;
#: error 2^-31 and 2^-53.3.
_CENTRE_SHORT_P = (
    3.3871328711912194, 77.112784368019, 524.1548586399945, 1106.715787341847, 428.21453278310435,
    -39.70487693721347,
)
_CENTRE_SHORT_Q = (
    1.0, 25.771645607355445, 210.14138237102898, 598.0824306185178, 446.58652658830437,
)
_CENTRE_P = (
    3.3871328727963665, 148.75654077063152, 2548.2248573022625, 21627.48116049056,
    95692.73551269759, 213550.16248438213, 214247.3801984238, 74060.81462563902, 3907.007639023816,
)
_CENTRE_Q = (
    1.0, 46.92338689522055, 871.2838940641986, 8176.878340636071, 41169.98166790856,
    109244.70555458817, 140376.82723612545, 72342.69749284587, 9398.46451720659,
)
#: -quantile - sqrt(2) s in 1 / s scaled to [-1, 1], s = sqrt(-log(p)), 1.6 <= s <= 10.3; error
#: 2^-30.4 of the quantile.
_LOW_SHORT = (
    -0.6047613940115372, -0.27459918475893996, 0.05453705430623045, -0.015899887648086277,
    0.005957447998340881, -0.0026390489976104927, 0.001332120947427674, -0.0007020606866253424,
    0.00024148462772953966, -0.00012429827591798302, 0.0003753613132492119,
    -0.00024016264838335515, -0.00021111549060343028, 0.00014131272056071815,
    0.00013070874763594325, -8.55863198528315e-05,
)
#: -quantile in s - 3/2, 1.6 <= s <= 5, and in s - 5, 5 <= s <= 27.5; error 2^-52.
_MIDDLE_P = (
    1.2513729290570437, 4.435216758535697, 5.95368978005487, 4.093871577434786, 1.6083012641656391,
    0.3739261127207801, 0.05010349294801585, 0.0034317554106111695, 8.613087890778575e-05,
)
_MIDDLE_Q = (
    1.0, 2.1584818955438636, 1.8796302251257315, 0.8565715438507753, 0.22108435065482274,
    0.03209701604437956, 0.0023358004941464146, 6.089842893237632e-05, 4.390817405740127e-11,
)
_FAR_P = (
    6.657904643501103, 5.432657884997538, 1.7572282412802083, 0.2867117511306156,
    0.024721362473269937, 0.0010606215158119319, 1.7363893455540024e-05, -4.680459195738021e-08,
    -2.1705563292833894e-09,
)
_FAR_Q = (
    1.0, 0.5951570080011935, 0.1338170378863923, 0.014077352598141076, 0.0006880374162746385,
    1.240044503743185e-05, -2.542722708521734e-08, -1.5347988578852063e-09,
    -3.6030005738204747e-17,
)
# fmt: on
#: The long fit with what its first coefficients lose when they are rounded.
_TAIL_FIT = Quotient(
    math.inf, 5.0, _TAIL, (-1.4111732346705386e-17, -3.973423775872232e-18, 4.758288268361981e-18)
)
_CENTRE = 0.425
_ROOT_TWO, _INVERSE_ROOT_TWO = (1.4142135623730951, -9.667293313452913e-17), 0.7071067811865476
_INVERSE_ROOT_TWO_PI = 0.3989422804014327
#: 1 / s is scaled from between these.
_SCALED = (0.0970873786407766923, 0.621337720501491175)


def _tail(t: Scalar, is_short: bool) -> tuple[Scalar, Scalar]:
    """Return e^(t^2/2) erfc(t / sqrt(2)) / 2 for t >= 0 as a rounded number and a correction."""
    if is_short:
        inverse = 1.0 / (t + 3.0)
        zero = t.language.constant(0.0, t.dtype)
        return polynomial(fma(inverse, -6.0, 1.0), _TAIL_SHORT) * inverse, zero
    # The correction of an infinite t would be NaN.
    return evaluate_quotient(_TAIL_FIT, at_most(t, 2.0**600), None)


@rounded_once
def ndtr(x: Scalar, is_short: bool) -> Scalar:
    """Return the probability that a normal variable is below x, accurate in both tails.

    Largest error: float32 0.60, float64 3.00.
    """
    t = at_most(abs(x), 40.0)
    square, error = product_with_error(t * 0.5, t)
    below = times_exponential(*_tail(t, is_short), -square, -error)
    return select(x > 0.0, 1.0 - below, below)


@rounded_once
def log_ndtr(x: Scalar, is_short: bool) -> Scalar:
    """Return the logarithm of `ndtr`, accurate where that is 0 or 1.

    Largest error: float32 0.60, float64 3.00.
    """
    t = abs(x)
    scaled = _tail(t, is_short)
    square, error = product_with_error(at_most(t, 40.0) * 0.5, at_most(t, 40.0))
    above = log1p(-times_exponential(*scaled, -square, -error))
    return select(x > 0.0, above, log(scaled[0] + scaled[1]) - t * 0.5 * t)


@rounded_once
def erfcx(x: Scalar, is_short: bool) -> Scalar:
    """Return e^(x^2) erfc(x), which overflows below -26.

    Largest error: float32 0.60, float64 3.00.
    """
    t = abs(x)
    high, low = product_with_error(t, t.language.constant(_ROOT_TWO[0], t.dtype))
    value, correction = _tail(high, is_short)
    # The derivative is known from the function itself: T' = t T - 1 / sqrt(2 pi).
    slope = fma(high, value, -_INVERSE_ROOT_TWO_PI)
    # Far out the two cancel, and T is nearly one over t.
    slope = select(high < 2.0**20, slope, -value / high)
    moved = fma(slope, fma(t, _ROOT_TWO[1], low), correction)
    right = 2.0 * (value + select(high < 2.0**500, moved, 0.0))
    right = select(t.eq(math.inf), 0.0, right)
    bounded = at_most(t, 30.0)
    square, error = product_with_error(bounded, bounded)
    two = x.language.constant(2.0, x.dtype)
    left = times_exponential(two, 0.0 * bounded, square, error) - right
    return select(x < 0.0, left, right)


def _quantile(centre: Scalar, low: Scalar, is_short: bool) -> Scalar:
    """Return the quantile of 1/2 + centre, or that of `low`, negated, for a large centre."""
    v = _CENTRE * _CENTRE - centre * centre
    above, below = (_CENTRE_SHORT_P, _CENTRE_SHORT_Q) if is_short else (_CENTRE_P, _CENTRE_Q)
    near = centre * (polynomial(v, above) / polynomial(v, below))
    s = sqrt(-log(low))
    far = _short_tail(s) if is_short else _long_tail(s)
    far = select(low.eq(0.0), math.inf, far)
    return select(abs(centre) <= _CENTRE, near, copysign(far, centre))


def _short_tail(s: Scalar) -> Scalar:
    first, last = _SCALED
    u = fma(1.0 / s, 2.0 / (last - first), -(last + first) / (last - first))
    return fma(s, math.sqrt(2.0), polynomial(u, _LOW_SHORT))


def _long_tail(s: Scalar) -> Scalar:
    is_far = s > 5.0
    t = select(is_far, s - 5.0, s - 1.5)
    far = polynomial(t, _FAR_P) / polynomial(t, _FAR_Q)
    return select(is_far, far, polynomial(t, _MIDDLE_P) / polynomial(t, _MIDDLE_Q))


@rounded_once
def ndtri(p: Scalar, is_short: bool) -> Scalar:
    """Return the number that a normal variable is below with probability p.

    Infinite at 0 and 1, NaN outside. Largest error: float32 0.60, float64 4.00.
    """
    is_above = p > 0.5
    result = _quantile(p - 0.5, select(is_above, 1.0 - p, p), is_short)
    return select((p < 0.0) | (p > 1.0), math.nan, result)


@rounded_once
def erfinv(x: Scalar, is_short: bool) -> Scalar:
    """Return the number whose error function is x; the sign of zero is kept.

    Infinite at -1 and 1, NaN beyond. Largest error: float32 0.60, float64 4.00.
    """
    magnitude = abs(x)
    result = _quantile(x * 0.5, (1.0 - magnitude) * 0.5, is_short) * _INVERSE_ROOT_TWO
    result = select(magnitude > 1.0, math.nan, result)
    # Half of a denormal x may be rounded.
    return select(magnitude < 2.0**-500, x * (math.sqrt(math.pi) / 2), result)
