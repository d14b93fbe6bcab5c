"""The logarithm of the gamma function and its derivatives as straight-line arithmetic."""

from __future__ import annotations

import math

from ....attributes.dtype import float64
from ..scalar import Scalar, cast, exp2, floor, fma, log, log2, select
from .floating import at_most, polynomial, product_with_error, rounded_once, sum_with_error
from .half_turns import cosine_of_half_turns, half_turns, sine_over
from .power import logarithm_parts

# fmt: off
#: log(gamma(1 + d)) / d in d, -1/4 <= d <= 1/2; error 2^-37.3 and 2^-54.9 of it.
_NEAR_ONE_SHORT = (
    -0.5772156649176451, 0.8224670336188009, -0.4006856237656075, 0.27058074749639716,
    -0.20738661872782518, 0.1695630112917943, -0.14401671331584429, 0.12528536116802008,
    -0.11154480781313054, 0.10357265155073542, -0.09584420737804275, 0.06980193179488024,
    -0.025720363495664658,
)
_NEAR_ONE = (
    -0.5772156649015329, 0.8224670334241132, -0.400685634386531, 0.27058080842778326,
    -0.20738555102883263, 0.16955717699795772, -0.14404989674810065, 0.1255096694332774,
    -0.11133426716374382, 0.10009946487368933, -0.09095397748951133, 0.08335352244836366,
    -0.07693293588192285, 0.0714404899235654, -0.06667643003795337, 0.06241131019492197,
    -0.05855669171371501, 0.05583654922070838, -0.05517945273081483, 0.05362489425621825,
    -0.04344926514036843, 0.023480157976071475, -0.005984776659115886,
)
#: log(gamma(2 + d)) / d in d, |d| <= 1/2; error 2^-41.2 and 2^-54.9 of it.
_NEAR_TWO_SHORT = (
    0.42278433509846713, 0.32246703342004873, -0.06735230105130044, 0.020580808882117916,
    -0.007385551240791602, 0.0028904958630843014, -0.0011927471573807307, 0.0005098661348137004,
    -0.00022324653987287443, 9.816870450896373e-05, -4.4324684533065815e-05,
    2.4487052975853987e-05, -1.1296499102214296e-05,
)
_NEAR_TWO = (
    0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546,
    -0.007385551028673985, 0.00289051033074169, -0.001192753911703341, 0.0005096695247350683,
    -0.0002231547584497479, 9.945751299363625e-05, -4.492623683991237e-05, 2.0507209343745496e-05,
    -9.439486626319787e-06, 4.374902412017623e-06, -2.0392328688796726e-06, 9.548997418453316e-07,
    -4.491309060158939e-07, 2.13132360926355e-07, -1.0094174077851612e-07, 4.480967270070044e-08,
    -2.132355601310922e-08, 1.518480659935755e-08, -7.270889231643466e-09,
)
#: What Stirling's formula lacks, times x, in 1/x^2, x >= 8; error 2^-37.7 and 2^-54 of it.
_STIRLING_SHORT = (
    0.08333333333296741, -0.0027777770275731234, 0.0007934093294071784, -0.0005701470164647203,
)
_STIRLING = (
    0.08333333333333333, -0.0027777777777777744, 0.0007936507936450394, -0.0005952380914267929,
    0.000841749570829054, -0.001917287055870562, 0.006383322059276921, -0.027742741357277903,
    0.11001554697563673,
)
#: The derivative of log(gamma(x)), over (x - its root), 1/2 <= x <= 3: numerator and denominator.
_NEAR_ROOT_SHORT_P = (
    766346.0035002657, 2242844.164974638, 1606588.9681201368, 351852.84261270665,
    19192.675024020136, 55.571744278659594,
)
_NEAR_ROOT_SHORT_Q = (
    1.0, 1120103.7882860205, 1865389.654355681, 870952.1226935737, 127478.42584226235,
    4366.31031185462,
)
_NEAR_ROOT_P = (
    78550094138635.52, 284491199343970.56, 334402620337079.44, 180500765684755.2, 50093733063977.3,
    7301989906149.815, 534089348715.0212, 17158842493.348713, 173606427.7002375, 97186.86007279437,
)
_NEAR_ROOT_Q = (
    1.0, 114811342583301.34, 271000482335823.8, 236713784977163.78, 100556354809217.06,
    22558693631643.35, 2682043798381.5107, 159067946418.9452, 4037578157.6686416,
    29805333.368004512,
)
#: (log(x) - 1 / (2x) - the derivative) x^2 in 1/x^2, x >= 3; error 2^-35.3 and 2^-54 of it.
_FAR_SHORT = (
    0.08333333333142112, -0.00833333163754816, 0.003968002916839083, -0.004152332078029541,
    0.00716793774416608, -0.014583362157539647, 0.01978885019739281,
)
_FAR = (
    0.08333333333333333, -0.008333333333333326, 0.003968253968245896, -0.00416666666312862,
    0.007575756747124515, -0.021092676133123985, 0.08332160883453643, -0.4424385799567477,
    3.0108624610826857, -24.699092008544717, 223.81561415634675, -2026.1766395905647,
    16746.28862584653, -117718.97097326009, 664319.9463274427, -2843459.2867058683,
    8586039.683927426, -16203846.005205872, 14323683.744468112,
)
#: (the second derivative - 1/x - 1 / (2 x^2)) x^3 in 1/x^2, x >= 6; error 2^-34.7 and 2^-54 of it.
_SECOND_SHORT = (
    0.16666666666054805, -0.033333322293923835, 0.023806305166301747, -0.0329999247944221,
    0.061173994506865656,
)
_SECOND = (
    0.16666666666666666, -0.0333333333333333, 0.023809523809461493, -0.03333333329091027,
    0.0757575607314297, -0.25311038408120007, 1.166237521101838, -7.0531565574358215,
    52.531255930022255, -422.4785625678043, 2887.5268638555503, -11096.054418525982,
)
# fmt: on
#: B(2k) / (2k)!, B(2k) being the Bernoulli numbers, k = 1, 2, ...
_BERNOULLI = (
    0.08333333333333333,
    -0.001388888888888889,
    3.306878306878307e-05,
    -8.267195767195768e-07,
    2.08767569878681e-08,
    -5.284190138687493e-10,
    1.3382536530684679e-11,
    -3.3896802963225827e-13,
    8.586062056277845e-15,
    -2.174868698558062e-16,
)
#: Where the derivative is zero, in two parts.
_ROOT = (1.4616321449683622, 9.549995429965697e-17)
#: log(2 pi) / 2 - 1/2, in two parts.
_STIRLING_CONSTANT = (0.4189385332046727, 1.6728209650585413e-17)


def _log_of_gamma_above(x: Scalar, is_short: bool) -> Scalar:
    """Return log(gamma(x)) for x > -1/4.

    From 8 on by Stirling's formula. Below, y = x - k is brought to [3/4, 5/2] by its functional
    equation, and a polynomial that has the root 1 or 2 of log(gamma(y)) gives the rest.
    """
    one = x.language.constant(1.0, x.dtype)
    is_far, is_small = x >= 8.0, x < 0.75
    product, y = one, x
    for step in range(1, 7):
        is_above = x >= step + 1.5
        product = select(is_above, product * (x - float(step)), product)
        y = select(is_above, x - float(step), y)
    near_two = (y >= 1.5) | (is_small & (y >= 0.5))
    shift = select(is_small, one, 0.0)
    d = y - (select(near_two, one * 2.0, 1.0) - shift)
    ones = _NEAR_ONE_SHORT if is_short else _NEAR_ONE
    twos = _NEAR_TWO_SHORT if is_short else _NEAR_TWO
    series = select(near_two, one * twos[-1], ones[-1])
    for a, b in zip(ones[-2::-1], twos[-2::-1], strict=True):
        series = fma(series, d, select(near_two, one * b, a))
    argument = select(is_far, x, select(is_small, abs(x), product))
    if is_short:
        high, low = log(argument), 0.0 * d
    else:
        high, low = logarithm_parts(argument)
    signed_high, signed_low = select(is_small, -high, high), select(is_small, -low, low)
    plain, plain_low = product_with_error(series, d)
    near, near_low = sum_with_error(signed_high, plain)
    rest = near_low + (signed_low + plain_low)
    near = select(argument.eq(0.0), near, near + rest)
    return select(is_far, _stirling(x, high, low, is_short), near)


def _stirling(x: Scalar, high: Scalar, low: Scalar, is_short: bool) -> Scalar:
    """Return (x - 1/2) (log(x) - 1) + log(2 pi) / 2 - 1/2 and what that lacks, for x >= 8."""
    inverse = 1.0 / x
    square = inverse * inverse
    series = inverse * polynomial(square, _STIRLING_SHORT if is_short else _STIRLING)
    factor = x - 0.5
    less = high - 1.0
    less_low = ((high - less) - 1.0) + low
    total, error = product_with_error(factor, less)
    error = fma(factor, less_low, error)
    result = total + (_STIRLING_CONSTANT[0] + series + (error + _STIRLING_CONSTANT[1]))
    return select(total < math.inf, result, total)


@rounded_once
def lgamma(x: Scalar, is_short: bool) -> Scalar:
    """Return log|gamma(x)|, infinite at zero and at negative whole numbers.

    Below -1/4 by reflection, log(pi / |x sin(pi x)|) - log(gamma(-x)); the error is then one of
    the larger of the two. Above, largest error: float32 0.60, float64 2.00.
    """
    is_reflected = x <= -0.25
    magnitude = abs(x)
    above = _log_of_gamma_above(select(is_reflected, magnitude, x), is_short)
    r, _ = half_turns(magnitude)
    sine = abs(r * sine_over(r))
    reflected = (math.log(math.pi) - log(magnitude * sine)) - above
    result = select(is_reflected, reflected, above)
    return select(magnitude.eq(math.inf), math.inf, result)


@rounded_once
def digamma(x: Scalar, is_short: bool) -> Scalar:
    """Return the derivative of log(gamma(x)); NaN at negative whole numbers.

    About its root by a quotient of polynomials, from 3 on by the asymptotic series, below 1 by its
    functional equation and, from -1/2 on, by reflection. Above, largest error: float32 0.60,
    float64 3.00.
    """
    is_reflected = x <= -0.5
    positive = select(is_reflected, 1.0 - x, x)
    is_lifted = positive < 1.0
    y = select(is_lifted, positive + 1.0, positive)
    ratio = polynomial(y, _NEAR_ROOT_SHORT_P if is_short else _NEAR_ROOT_P) / polynomial(
        y, _NEAR_ROOT_SHORT_Q if is_short else _NEAR_ROOT_Q
    )
    near = ((y - _ROOT[0]) - _ROOT[1]) * ratio
    inverse = 1.0 / y
    square = inverse * inverse
    series = square * polynomial(square, _FAR_SHORT if is_short else _FAR)
    far = log(y) - fma(inverse, 0.5, series)
    result = select(y < 3.0, near, far)
    result = select(is_lifted, result - 1.0 / positive, result)
    result = select(x.eq(0.0), -1.0 / x, result)
    r, _ = half_turns(x)
    turned = cosine_of_half_turns(r) * math.pi / (r * sine_over(r))
    turned = select(r.eq(0.0), math.nan, turned)
    return select(is_reflected, result - turned, result)


@rounded_once
def trigamma(x: Scalar, is_short: bool) -> Scalar:
    """Return the second derivative of log(gamma(x)).

    The functional equation brings x to 6 or more; below 0 by reflection. Largest error: float32
    0.60, float64 3.00.
    """
    is_reflected = x < 0.0
    y = select(is_reflected, 1.0 - x, x)
    total = x.language.constant(0.0, x.dtype)
    for _ in range(6):
        total = total + select(y < 6.0, 1.0 / (y * y), 0.0)
        y = select(y < 6.0, y + 1.0, y)
    inverse = 1.0 / y
    square = inverse * inverse
    series = polynomial(square, _SECOND_SHORT if is_short else _SECOND)
    result = total + (fma(square * inverse, series, square * 0.5) + inverse)
    r, _ = half_turns(x)
    sine = r * sine_over(r)
    ratio = math.pi / sine
    return select(is_reflected, ratio * ratio - result, result)


def _cotangent_derivative(order: int) -> list[int]:
    """Return the derivative of the cotangent as a polynomial in it: [c0, c1, ...]."""
    coefficients = [0, 1]
    for _ in range(order):
        slopes = [power * number for power, number in enumerate(coefficients)][1:]
        # The derivative of the cotangent c is -(1 + c^2).
        grown = [0] * (len(slopes) + 2)
        for power, number in enumerate(slopes):
            grown[power] -= number
            grown[power + 2] -= number
        coefficients = grown
    return coefficients


def polygamma(x: Scalar, order: int) -> Scalar:
    """Return the derivative of `order` >= 2 of digamma, rounded once.

    The sum of (-1)^(n + 1) n! / (x + k)^(n + 1), whose end is Euler and Maclaurin's formula, and
    below zero the reflection of that by a polynomial in the cotangent. Absolute errors there;
    above, largest error: float32 0.60, float64 20.
    """
    dtype = x.dtype
    wide = cast(x, float64)
    is_reflected = wide < 0.0
    y = select(is_reflected, 1.0 - wide, wide)
    sign, size = (-1.0) ** (order + 1), float(math.factorial(order))
    result = hurwitz(y, order + 1) * (sign * size)
    r, _ = half_turns(wide)
    cotangent = cosine_of_half_turns(r) / (r * sine_over(r))
    turned = polynomial(cotangent, [float(c) for c in _cotangent_derivative(order)])
    turned = turned * math.pi ** (order + 1)
    mirrored = select(r.eq(0.0), sign * math.inf, result * (-1.0) ** order - turned)
    result = select(is_reflected, mirrored, result)
    return cast(select(wide.eq(math.inf), 0.0, result), dtype)


def hurwitz(x: Scalar, power: int) -> Scalar:
    """Return the sum over k >= 0 of (x + k)^-power, for x >= 0 and a whole power above 1."""
    count = 10 + power // 2
    total = x.language.constant(0.0, x.dtype)
    for step in reversed(range(count)):
        total = total + _whole_power(1.0 / (x + float(step)), power)
    inverse = 1.0 / (x + float(count))
    square = inverse * inverse
    # The Bernoulli numbers over factorials, times rising products of the power.
    coefficients, rising = [1.0 / (power - 1)], 1.0
    for number, quotient in enumerate(_BERNOULLI):
        rising *= power if not number else (power + 2 * number - 1) * (power + 2 * number)
        coefficients.append(quotient * rising)
    tail = _whole_power(inverse, power - 1) * polynomial(square, coefficients)
    return total + (tail + 0.5 * _whole_power(inverse, power))


@rounded_once
def zeta(x: Scalar, q: Scalar, is_short: bool) -> Scalar:
    """Return the sum over k >= 0 of (q + k)^-x, infinite for x = 1, NaN below.

    A q that is not positive is one of three sums from positive numbers: those of its fraction f and
    of 1 - f, and what the latter has beyond 1 - q. Largest error: float32 0.60, float64 1e-15 times
    the logarithm of the result.
    """
    x = at_most(x, 2.0**20)
    n = floor(q)
    fraction = q - n
    is_low = q <= 0.0
    result = _positive_zeta(x, select(is_low, fraction, q))
    # Of whole powers alone; a sum from a positive number is none from 2 on for others.
    beyond = _positive_zeta(x, 1.0 - fraction) - _positive_zeta(x, 1.0 - select(is_low, q, 0.0))
    half = x * 0.5
    beyond = select(floor(half).eq(half), beyond, -beyond)
    result = select(is_low, result + beyond, result)
    result = select(is_low & floor(x).ne(x), math.nan, result)
    result = select(is_low & n.eq(q), math.inf, result)
    result = select(x.eq(1.0), math.inf, result)
    return select((x < 1.0) | x.ne(x) | q.ne(q), math.nan, result)


def _positive_zeta(x: Scalar, q: Scalar) -> Scalar:
    """Return the sum for q > 0: ten terms, then Euler and Maclaurin's formula."""
    total = x.language.constant(0.0, x.dtype)
    for step in reversed(range(10)):
        total = total + exp2(-x * log2(q + float(step)))
    last = q + 10.0
    power = exp2(-x * log2(last))
    inverse = 1.0 / last
    square = inverse * inverse
    term, series = x * inverse, 0.0 * total
    for number, quotient in enumerate(_BERNOULLI):
        series = fma(term, quotient, series)
        term = term * ((x + float(2 * number + 1)) * (x + float(2 * number + 2))) * square
    tail = power * ((last / (x - 1.0) + 0.5) + series)
    return total + select(power.eq(0.0), 0.0, tail)


def _whole_power(x: Scalar, exponent: int) -> Scalar:
    """Return x to a whole power above 0."""
    result = None
    while exponent:
        if exponent & 1:
            result = x if result is None else result * x
        exponent >>= 1
        x = x * x if exponent else x
    assert result is not None
    return result
