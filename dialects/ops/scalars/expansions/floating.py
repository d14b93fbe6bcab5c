"""How is a float32 or float64 laid out, and which steps do all expansions share?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

from ....attributes.dtype import DType, float32, float64, uint32, uint64
from ....records import record
from ..scalar import Scalar, bitcast, cast, fma, ldexp, select


@record
class Format:
    """The layout of a binary format.

    `magic` is 1.5 * 2^mantissa_bits: adding it to a number far below it rounds that number to an
    integer n and leaves n in the low bits of the sum.
    """

    dtype: DType
    bits: DType
    mantissa_bits: int
    bias: int

    @property
    def magic(self) -> float:
        """Return the number whose last mantissa bit is worth one."""
        return 1.5 * 2.0**self.mantissa_bits

    @property
    def magic_bits(self) -> int:
        """Return the bits of the magic number: of its mantissa the highest one is set."""
        exponent = self.bias + self.mantissa_bits
        return (exponent << self.mantissa_bits) + (1 << (self.mantissa_bits - 1))

    @property
    def one(self) -> int:
        """Return the bits of 1.0, whose mantissa is zero."""
        return self.bias << self.mantissa_bits

    @property
    def sign(self) -> int:
        """Return the sign bit."""
        return 1 << (self.dtype.bits - 1)


_FORMATS = {float32: Format(float32, uint32, 23, 127), float64: Format(float64, uint64, 52, 1023)}


def format_of(x: Scalar) -> Format:
    """Return the layout of a float32 or float64 scalar."""
    return _FORMATS[x.dtype]


def is_single(x: Scalar) -> bool:
    """Return whether the scalar is float32, else it is float64."""
    return x.dtype is float32


def to_bits(x: Scalar) -> Scalar:
    """Return the bits as an unsigned integer, so that `>>` shifts in zeros."""
    return bitcast(x, format_of(x).bits)


def polynomial(x: Scalar, coefficients: Sequence[float]) -> Scalar:
    """Return c[0] + c[1] x + c[2] x^2 + ... by Horner's rule."""
    result = fma(x, coefficients[-1], coefficients[-2])
    for coefficient in reversed(coefficients[:-2]):
        result = fma(result, x, coefficient)
    return result


def at_most(x: Scalar, bound: float) -> Scalar:
    """Return the smaller of x and the bound; NaN stays. One instruction (minps)."""
    return select(x > bound, bound, x)


def at_least(x: Scalar, bound: float) -> Scalar:
    """Return the larger of x and the bound; NaN stays. One instruction (maxps)."""
    return select(x < bound, bound, x)


def power_of_two(exponent: Scalar, like: Format) -> Scalar:
    """Return 2^n from an integer whose low bits hold n, for n of a normal result."""
    return bitcast((exponent << like.mantissa_bits) + like.one, like.dtype)


def halved_power_of_two(exponent: Scalar, like: Format) -> tuple[Scalar, Scalar]:
    """Return two powers of two whose product is 2^n, for n of up to twice the exponent range."""
    half = exponent >> 1
    return power_of_two(half, like), power_of_two(exponent - half, like)


class Power:
    """2^n, from the bits of n + magic, for n of up to twice the exponent range.

    What it multiplies is of the order of one. The result may be denormal or overflow, and is
    rounded once: by `ldexp` where a language has that, else by two halves of 2^n, the first of
    which changes nothing but the exponent.
    """

    __slots__ = ("_parts",)

    def __init__(self, exponent: Scalar) -> None:
        """Prepare n as a float, or the halves."""
        form = _FORMATS[float32 if exponent.dtype is uint32 else float64]
        self._parts: tuple[Scalar, ...]
        if exponent.language.has_ldexp:
            self._parts = (bitcast(exponent, form.dtype) - form.magic,)
        else:
            self._parts = halved_power_of_two(exponent, form)

    def times(self, x: Scalar) -> Scalar:
        """Return x 2^n."""
        first, *rest = self._parts
        if not rest:
            return ldexp(x, first)
        return x * first * rest[0]

    def times_one_plus(self, p: Scalar) -> Scalar:
        """Return (1 + p) 2^n; the sum is rounded, too."""
        first, *rest = self._parts
        if not rest:
            return ldexp(p + 1.0, first)
        return fma(first, p, first) * rest[0]


def scale(x: Scalar, exponent: Scalar) -> Scalar:
    """Return x * 2^n, rounded once, from the bits of n + magic; see `Power`."""
    return Power(exponent).times(x)


def flip_sign(x: Scalar, sign_bits: Scalar) -> Scalar:
    """Return x, negated where the sign bit of `sign_bits` is set; its other bits are ignored."""
    form = format_of(x)
    return bitcast(to_bits(x) ^ (sign_bits & form.sign), form.dtype)


def product_with_error(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """Return the rounded product and its error, which is exact unless it is denormal."""
    product = a * b
    return product, fma(a, b, -product)


def sum_with_error(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """Return the rounded sum and its exact error (Knuth's TwoSum), for any a and b."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def ordered_sum_with_error(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """Return the rounded sum and its exact error (Dekker's FastTwoSum), for |a| >= |b|."""
    total = a + b
    return total, b - (total - a)


def rounded_once(function: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """Return a function of float32 or float64 scalars, given one of float64 scalars.

    float32 is computed in float64 and rounded once at the end; the function is told so (its last
    argument `is_short`), because half as many terms are enough then.
    """

    @wraps(function)
    def expansion(*arguments: Scalar) -> Scalar:
        dtype = arguments[0].dtype
        wide = [cast(argument, float64) for argument in arguments]
        return cast(function(*wide, dtype is float32), dtype)

    return expansion
