"""Which operations are about what is left of a division? Fractions, remainders, common divisors."""

from __future__ import annotations

from ....attributes import dtype as dtypes
from ....attributes.dtype import DType
from ...frame.elementwise import elementwise, unary
from ...frame.opspec import Algebra
from ...frame.rules import FLOATS, INTEGERS, REALS, of_tensors, promote
from ...gradients.kinks import OF_FMOD, OF_FRAC
from ...scalars import scalar
from ...scalars.scalar import Scalar


def _fraction(x: Scalar) -> Scalar:
    return x - scalar.trunc(x)


def _remainder_of_truncated(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.is_floating_point:
        return scalar.fmod(a, b)
    zero = b.eq(0)
    scalar.check_failure(zero, "ZeroDivisionError")
    # MIN / -1 overflows and traps on x86; divided by 1 nothing is left either.
    traps = zero | b.eq(-1) if b.dtype.is_signed else zero
    return scalar.remainder_truncated(a, scalar.select(traps, 1, b))


unary(
    "frac",
    "The fraction of input, with its sign: input - trunc(input), elementwise.",
    "tri.frac(tri.tensor([1.5, -2.25]))  # tensor([ 0.5000, -0.2500])",
    body=_fraction,
    accepts=FLOATS,
    in_place_functions=("frac_",),
    gradient=OF_FRAC,
)
elementwise(
    "fmod(Tensor input, Operand other)",
    "The remainder of input / other with the sign of input, elementwise.",
    "tri.fmod(tri.tensor([-7, 7]), 3)  # tensor([-1,  1])",
    body=_remainder_of_truncated,
    promotion=of_tensors("fmod", promote),
    accepts=REALS,
    is_costly=True,
    has_constant_divisor=True,
    ufuncs=("fmod",),
    gradient=OF_FMOD,
)


# ---- common divisors

_UNSIGNED: dict[DType, DType] = {
    dtypes.int8: dtypes.uint8,
    dtypes.int16: dtypes.uint16,
    dtypes.int32: dtypes.uint32,
    dtypes.int64: dtypes.uint64,
}


def _magnitude(x: Scalar) -> Scalar:
    """Return |x| without a sign, so that the smallest integer has one, too."""
    return scalar.cast(abs(x), _UNSIGNED[x.dtype]) if x.dtype.is_signed else x


def _trailing_zeros(x: Scalar) -> Scalar:
    """Return how many low bits are 0, of a number that is not."""
    count = x.language.constant(0, x.dtype)
    width = x.dtype.bits // 2
    while width:
        is_clear = (x & ((1 << width) - 1)).eq(0)
        x = scalar.select(is_clear, x >> width, x)
        count = scalar.select(is_clear, count + width, count)
        width //= 2
    return count


def _common_divisor(a: Scalar, b: Scalar) -> Scalar:
    """Return the greatest common divisor by Stein's algorithm, which halves and subtracts.

    Each step takes a bit off one of two numbers of which the second is odd, so that twice their
    width is enough: no loop depends on elements, and vectors hold as many numbers as fit.
    """
    first, second = _magnitude(a), _magnitude(b)
    # Nothing divides 0: the divisor is the other number. Steps leave 0 as it is.
    second, first = scalar.select(second.eq(0), first, second), first
    shared = _trailing_zeros(first | second)
    x, odd = first, second >> _trailing_zeros(second)
    for _ in range(2 * first.dtype.bits - 1):
        is_odd = (x & 1).ne(0)
        is_less = is_odd & (x < odd)
        smaller = scalar.select(is_less, x, odd)
        x = scalar.select(is_odd, scalar.select(is_less, odd, x) - smaller, x) >> 1
        odd = smaller
    return scalar.cast(odd << shared, a.dtype)


def _common_multiple(a: Scalar, b: Scalar) -> Scalar:
    """Return |a / gcd * b|, which wraps."""
    divisor = _common_divisor(a, b)
    is_zero = divisor.eq(0)
    # Nothing traps: -1 is no greatest common divisor.
    product = scalar.quotient(a, scalar.select(is_zero, 1, divisor)) * b
    product = abs(product) if a.dtype.is_signed else product
    return scalar.select(is_zero, 0, product)


elementwise(
    "gcd(Tensor input, Tensor other)",
    "The greatest common divisor of integers, elementwise.",
    "tri.gcd(tri.tensor([12, 0]), tri.tensor([18, -5]))  # tensor([6, 5])",
    body=_common_divisor,
    accepts=INTEGERS,
    algebra=Algebra(commutative=True),
    is_costly=True,
    ufuncs=("gcd",),
    in_place_functions=("gcd_",),
)
elementwise(
    "lcm(Tensor input, Tensor other)",
    "The least common multiple of integers, elementwise; it wraps.",
    "tri.lcm(tri.tensor([4, 0]), tri.tensor([6, 3]))  # tensor([12,  0])",
    body=_common_multiple,
    accepts=INTEGERS,
    algebra=Algebra(commutative=True),
    is_costly=True,
    ufuncs=("lcm",),
    in_place_functions=("lcm_",),
)
