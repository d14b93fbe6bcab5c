"""Which operations are arithmetic? Sums, products, quotients, powers, rounding and extremes."""

from __future__ import annotations

from collections.abc import Sequence

from ..attributes.dtype import Category
from ..diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from . import scalar
from .elementwise import binary, elementwise, unary
from .opspec import Algebra, OperandSpec
from .rules import ARITHMETIC, BOOL, FLOATS, REALS, WIDE_UNSIGNED, int_to_float, square_dtype
from .scalar import Scalar

Number = bool | int | float


def _scaled(operation: str, a: Scalar, b: Scalar, alpha: Number) -> Scalar:
    """a ± alpha * b; with floats in one rounding, as PyTorch's vectorised kernels do."""
    if alpha == 1:
        return a + b if operation == "add" else a - b
    factor = alpha if operation == "add" else -alpha
    if a.dtype.is_floating_point:
        return scalar.fma(b, factor, a)
    return a + b * factor


def _add(a: Scalar, b: Scalar, alpha: Number = 1) -> Scalar:
    if a.dtype.category is Category.BOOLEAN:
        return a | b
    return _scaled("add", a, b, alpha)


def _subtract(a: Scalar, b: Scalar, alpha: Number = 1) -> Scalar:
    return _scaled("sub", a, b, alpha)


def _multiply(a: Scalar, b: Scalar) -> Scalar:
    return a & b if a.dtype.category is Category.BOOLEAN else a * b


elementwise(
    "add(Operand input, Operand other, *, Number alpha=1)",
    "input + alpha * other, elementwise; for bool the logical or.",
    "tri.add(tri.tensor([1, 2]), 1.5)  # tensor([2.5000, 3.5000])",
    body=_add,
    kernel="add_stub",
    methods=("add", "__add__", "__radd__"),
    algebra=Algebra(commutative=True, identity=0),
)
_BOOL_SUBTRACTION = (
    TrilithRuntimeError,
    "Subtraction, the `-` operator, with two bool tensors is not supported. "
    "Use the `^` or `logical_xor()` operator instead.",
)
elementwise(
    "sub(Operand input, Operand other, *, Number alpha=1)",
    "input - alpha * other, elementwise.",
    "tri.sub(tri.tensor([3, 2]), 1)  # tensor([2, 1])",
    body=_subtract,
    kernel="add_stub",
    accepts=REALS,
    refusals={Category.BOOLEAN: _BOOL_SUBTRACTION},
    methods=("sub", "__sub__", "__rsub__"),
    algebra=Algebra(identity=0, exact_on_floats=True),
)
binary(
    "mul",
    "input * other, elementwise; for bool the logical and.",
    "tri.mul(tri.tensor([1, 2]), 3)  # tensor([3, 6])",
    body=_multiply,
    kernel="mul_cpu",
    accepts=ARITHMETIC | WIDE_UNSIGNED,
    methods=("mul", "__mul__", "__rmul__"),
    algebra=Algebra(commutative=True, identity=1, exact_on_floats=True),
)


def _divide_exactly(a: Scalar, b: Scalar) -> Scalar:
    return a / b


def _guarded(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    """Report a zero divisor, and return (divisor that cannot trap, is it -1, -a)."""
    zero = b.eq(0)
    scalar.check_failure(zero, "ZeroDivisionError")
    if not a.dtype.is_signed:
        return scalar.select(zero, 1, b), zero, a
    # MIN / -1 overflows and traps on x86: divide by 1 and negate, which wraps.
    minus_one = b.eq(-1)
    return scalar.select(zero | minus_one, 1, b), minus_one, -a


def _truncating(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.is_floating_point:
        return scalar.trunc(a / b)
    divisor, minus_one, negated = _guarded(a, b)
    quotient = scalar.quotient(a, divisor)
    return scalar.select(minus_one, negated, quotient) if a.dtype.is_signed else quotient


def _flooring(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.is_floating_point:
        return _flooring_float(a, b)
    quotient = _truncating(a, b)
    if not a.dtype.is_signed:
        return quotient
    rest = a - quotient * b
    is_below = rest.ne(0) & ((rest < 0) ^ (b < 0))
    return scalar.select(is_below, quotient - 1, quotient)


def _flooring_float(a: Scalar, b: Scalar) -> Scalar:
    """Floor of a / b from the exact remainder, as CPython's float floor division does it.

    The quotient of (a - remainder) and b is an integer up to rounding; `round` repairs the last
    bit, and a zero quotient takes the sign of a / b.
    """
    rest = scalar.fmod(a, b)
    quotient = (a - rest) / b
    quotient = scalar.select(rest.ne(0) & ((b < 0) ^ (rest < 0)), quotient - 1, quotient)
    floored = scalar.floor(quotient)
    floored = scalar.select(quotient - floored > 0.5, floored + 1, floored)
    zero = scalar.copysign(0.0, a / b)
    result = scalar.select(quotient.ne(0), floored, zero)
    return scalar.select(b.eq(0), a / b, result)


def _remainder(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.is_floating_point:
        rest = scalar.fmod(a, b)
        return scalar.select(rest.ne(0) & ((b < 0) ^ (rest < 0)), rest + b, rest)
    return a - _flooring(a, b) * b


binary(
    "true_divide",
    "input / other, elementwise; integers give the default dtype.",
    "tri.true_divide(tri.tensor([1, 2]), 4)  # tensor([0.2500, 0.5000])",
    body=_divide_exactly,
    promotion=int_to_float,
    kernel="div_cpu",
    accepts=FLOATS,
    methods=("true_divide", "__truediv__", "__rtruediv__"),
    algebra=Algebra(identity=1, exact_on_floats=True),
)
binary(
    "floor_divide",
    "input / other rounded towards minus infinity, elementwise.",
    "tri.floor_divide(tri.tensor([-7, 7]), 2)  # tensor([-4, 3])",
    body=_flooring,
    kernel="div_floor_cpu",
    accepts=REALS,
    methods=("floor_divide", "__floordiv__", "__rfloordiv__"),
    is_costly=True,
)
binary(
    "trunc_divide",
    "input / other rounded towards zero, elementwise: `div(..., rounding_mode='trunc')`.",
    "tri.div(tri.tensor([-7, 7]), 2, rounding_mode='trunc')  # tensor([-3, 3])",
    body=_truncating,
    kernel="div_trunc_cpu",
    accepts=REALS,
    methods=(),
    is_public=False,
    is_costly=True,
)
binary(
    "remainder",
    "The remainder of input / other with the sign of other, elementwise.",
    "tri.remainder(tri.tensor([-7, 7]), 3)  # tensor([2, 1])",
    body=_remainder,
    kernel="remainder_cpu",
    accepts=REALS,
    methods=("remainder", "__mod__", "__rmod__"),
    is_costly=True,
)


def _negate(a: Scalar) -> Scalar:
    return -a


def _sign(a: Scalar) -> Scalar:
    if a.dtype.category is Category.BOOLEAN:
        return a
    if not a.dtype.is_signed:
        return scalar.cast(a > 0, a.dtype)
    # NaN is neither above nor below zero: PyTorch gives 0.
    return scalar.cast(a > 0, a.dtype) - scalar.cast(a < 0, a.dtype)


def _absolute(a: Scalar) -> Scalar:
    return abs(a) if a.dtype.is_signed else a


unary(
    "neg",
    "-input, elementwise.",
    "tri.neg(tri.tensor([1, -2]))  # tensor([-1, 2])",
    body=_negate,
    kernel="neg_cpu",
    accepts=REALS,
    refusals={
        Category.BOOLEAN: (
            TrilithRuntimeError,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead.",
        )
    },
    methods=("neg", "negative", "__neg__"),
    algebra=Algebra(involution=True),
)
unary(
    "abs",
    "The absolute value, elementwise; the smallest integer stays itself.",
    "tri.abs(tri.tensor([1, -2]))  # tensor([1, 2])",
    body=_absolute,
    kernel="abs_cpu",
    accepts=REALS,
    methods=("abs", "absolute", "__abs__"),
    algebra=Algebra(idempotent=True),
)
unary(
    "sign",
    "-1, 0 or 1 by the sign of input, elementwise.",
    "tri.sign(tri.tensor([-3., 0., 5.]))  # tensor([-1., 0., 1.])",
    body=_sign,
    kernel="sign_cpu",
    refusals={
        Category.COMPLEX: (
            TrilithNotImplementedError,
            "Unlike NumPy, torch.sign is not intended to support complex numbers. "
            "Please use torch.sgn instead.",
        )
    },
    algebra=Algebra(idempotent=True),
)


def _square(a: Scalar) -> Scalar:
    return a * a


def _reciprocal(a: Scalar) -> Scalar:
    return 1 / a


def _power(base: Scalar, exponent: Scalar) -> Scalar:
    if base.dtype.is_floating_point:
        return scalar.pow(base, exponent)
    return _integer_power(base, exponent)


def _integer_power(base: Scalar, exponent: Scalar) -> Scalar:
    """Square and multiply over every bit of the exponent; it wraps as PyTorch's loop does.

    A negative exponent gives 1 for base 1, plus or minus 1 for base -1 and else 0.
    """
    result = base.language.constant(1, base.dtype)
    factor = base
    for bit in range(base.dtype.bits):
        is_set = ((exponent >> bit) & 1).ne(0)
        result = scalar.select(is_set, result * factor, result)
        factor = factor * factor
    if not base.dtype.is_signed:
        return result
    is_odd = (exponent & 1).ne(0)
    unit = scalar.select(is_odd, base, 1)
    of_negative = scalar.select(base.eq(1) | base.eq(-1), unit, 0)
    return scalar.select(exponent < 0, of_negative, result)


def _refuse_negative_exponent(operands: Sequence[OperandSpec], values: Sequence[object]) -> None:
    exponent = values[1]
    if operands[0].dtype.category > Category.INTEGRAL:
        return
    if isinstance(exponent, int) and exponent < 0:
        raise TrilithRuntimeError(
            "Integers to negative integer powers are not allowed.",
            hint="convert the base to a floating dtype first",
        )


unary(
    "square",
    "input * input, elementwise; bool gives int64.",
    "tri.square(tri.tensor([3, -2]))  # tensor([9, 4])",
    body=_square,
    promotion=square_dtype,
    kernel="pow",
    accepts=REALS,
)
unary(
    "reciprocal",
    "1 / input, elementwise; integers give the default dtype.",
    "tri.reciprocal(tri.tensor([4.]))  # tensor([0.2500])",
    body=_reciprocal,
    promotion=int_to_float,
    kernel="reciprocal_cpu",
    accepts=FLOATS,
)
elementwise(
    "pow(Operand input, Operand exponent)",
    "input to the power of exponent, elementwise.",
    "tri.pow(tri.tensor([2., 3.]), 2)  # tensor([4., 9.])",
    body=_power,
    kernel="pow",
    accepts=REALS,
    methods=("pow", "__pow__", "__rpow__"),
    algebra=Algebra(identity=1, exact_on_floats=True),
    static_operands=frozenset({"exponent"}),
    check_literals=_refuse_negative_exponent,
    domain=(0.0, 20.0),
    ulp=2.0,
    is_costly=True,
)


def _maximum(a: Scalar, b: Scalar) -> Scalar:
    return scalar.maximum(a, b) if a.dtype.category is not Category.BOOLEAN else a | b


def _minimum(a: Scalar, b: Scalar) -> Scalar:
    return scalar.minimum(a, b) if a.dtype.category is not Category.BOOLEAN else a & b


binary(
    "maximum",
    "The larger of input and other, elementwise; NaN if either is NaN.",
    "tri.maximum(tri.tensor([1, 5]), tri.tensor([3, 2]))  # tensor([3, 5])",
    body=_maximum,
    kernel="maximum_cpu",
    refusals={
        Category.COMPLEX: (TrilithRuntimeError, "maximum not implemented for complex tensors.")
    },
    algebra=Algebra(commutative=True),
)
binary(
    "minimum",
    "The smaller of input and other, elementwise; NaN if either is NaN.",
    "tri.minimum(tri.tensor([1, 5]), tri.tensor([3, 2]))  # tensor([1, 2])",
    body=_minimum,
    kernel="minimum_cpu",
    refusals={
        Category.COMPLEX: (TrilithRuntimeError, "minimum not implemented for complex tensors.")
    },
    algebra=Algebra(commutative=True),
)

_CLAMP_COMPLEX = {
    Category.COMPLEX: (TrilithNotImplementedError, "clamp is not supported for complex types")
}


def _clamp(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    return scalar.minimum(scalar.maximum(x, low), high)


def _clamp_min(x: Scalar, low: Scalar) -> Scalar:
    return scalar.maximum(x, low)


def _clamp_max(x: Scalar, high: Scalar) -> Scalar:
    return scalar.minimum(x, high)


elementwise(
    "clamp_both(Operand input, Operand min, Operand max)",
    "input limited to [min, max], elementwise: `clamp` with both bounds.",
    "tri.clamp(tri.tensor([-1, 5]), 0, 3)  # tensor([0, 3])",
    body=_clamp,
    kernel="clamp_cpu",
    accepts=REALS,
    refusals=_CLAMP_COMPLEX,
    methods=(),
    is_public=False,
)
elementwise(
    "clamp_min(Operand input, Operand min)",
    "input, but at least min, elementwise.",
    "tri.clamp_min(tri.tensor([-1, 5]), 0)  # tensor([0, 5])",
    body=_clamp_min,
    kernel="clamp_min_cpu",
    accepts=REALS,
    refusals=_CLAMP_COMPLEX,
)
elementwise(
    "clamp_max(Operand input, Operand max)",
    "input, but at most max, elementwise.",
    "tri.clamp_max(tri.tensor([-1, 5]), 3)  # tensor([-1, 3])",
    body=_clamp_max,
    kernel="clamp_max_cpu",
    accepts=REALS,
    refusals=_CLAMP_COMPLEX,
)


def _rounding(name: str, doc: str, example: str, kernel: str) -> None:
    """Register a rounding to an integral value; integers pass unchanged."""
    operation = getattr(scalar, name)

    def body(x: Scalar) -> Scalar:
        return operation(x) if x.dtype.is_floating_point else x

    unary(
        "round" if name == "round_even" else name,
        doc,
        example,
        body=body,
        kernel=kernel,
        accepts=REALS | WIDE_UNSIGNED,
        refusals={
            Category.COMPLEX: (
                TrilithNotImplementedError,
                f"{name} is not supported for complex inputs",
            )
        }
        if name != "round_even"
        else None,
        algebra=Algebra(idempotent=True),
    )


_rounding(
    "floor",
    "The largest integer not above input, elementwise.",
    "tri.floor(tri.tensor([1.7, -1.2]))  # tensor([1., -2.])",
    "floor_vml_cpu",
)
_rounding(
    "ceil",
    "The smallest integer not below input, elementwise.",
    "tri.ceil(tri.tensor([1.2, -1.7]))  # tensor([2., -1.])",
    "ceil_vml_cpu",
)
_rounding(
    "round_even",
    "The nearest integer, halves to even, elementwise.",
    "tri.round(tri.tensor([0.5, 1.5, 2.5]))  # tensor([0., 2., 2.])",
    "round_vml_cpu",
)
_rounding(
    "trunc",
    "input without its fraction, elementwise.",
    "tri.trunc(tri.tensor([1.7, -1.7]))  # tensor([1., -1.])",
    "trunc_vml_cpu",
)
