"""Which operations are arithmetic? Sums, products, quotients, powers, rounding and extremes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.dtype import MODERATE, Category, DType, bool_, float8_e8m0fnu, float32, float64
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import preserve_strides
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.elementwise import binary, elementwise, unary
from ...frame.gradients import UNKNOWN
from ...frame.literals import check_fits, spec_of_operand
from ...frame.opspec import Algebra, ElementwiseOp, PromotionRule, composite
from ...frame.outdated import Outdated
from ...frame.row import Attributes, NumbersCheck, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import (
    ALL_COMPLEX,
    ARITHMETIC,
    CASTABLE,
    FIELDS,
    FLOAT8,
    REALS,
    int_to_float,
    of_tensors,
    ordered,
    promote,
    real_result,
    resolve_elementwise,
    subtract,
    wide_second,
)
from ...frame.view_rows import tensor_of
from ...frame.writing import Writing
from ...gradients.arithmetic import (
    FLAT,
    OF_ABS,
    OF_ADD,
    OF_DIV,
    OF_MUL,
    OF_NEG,
    OF_SUB,
    constant_in,
)
from ...gradients.functions import OF_RECIPROCAL
from ...gradients.kinks import OF_MAXIMUM, OF_MINIMUM, OF_REMAINDER
from ...scalars import scalar
from ...scalars.scalar import Scalar
from .complex_numbers import sign_of


def _add(a: Scalar, b: Scalar, alpha: Scalar | None = None) -> Scalar:
    if a.dtype.category is Category.BOOLEAN:
        return a | (b if alpha is None else b & alpha)
    return a + b if alpha is None else _scaled(a, b, alpha)


def _subtract(a: Scalar, b: Scalar, alpha: Scalar | None = None) -> Scalar:
    return a - b if alpha is None else _scaled(a, b, -alpha)


def _scaled(a: Scalar, b: Scalar, factor: Scalar) -> Scalar:
    """A + factor * b; with floats in one rounding, as PyTorch's vectorised kernels do."""
    return scalar.fma(b, factor, a) if a.dtype.is_floating_point else a + b * factor


def _beside_alpha(rule: PromotionRule) -> PromotionRule:
    """Return a rule of two operands for three: alpha takes the dtype of the others."""

    def promotion(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        dtypes, common = rule(operands[:2], attributes)
        return dtypes + (common,) * (len(operands) - 2), common

    return promotion


def _resolve_scaled(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Check the kind of alpha against the dtype of the result."""
    if len(operands) == 3:
        if isinstance(operands[2], TensorSpec) and operands[2].shape:
            raise TrilithRuntimeError("alpha must be a number, not a tensor with dims")
        _, dtype = row.promotion(operands, attributes)
        _check_alpha(operands[2].dtype, dtype)
    return resolve_elementwise(row, operands, attributes)


def _check_alpha(alpha: DType, dtype: DType) -> None:
    if alpha is bool_ and dtype is not bool_:
        raise TrilithRuntimeError("Boolean alpha only supported for Boolean results.")
    if alpha.category > Category.INTEGRAL and dtype.category <= Category.INTEGRAL:
        raise TrilithRuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    if alpha.is_complex and not dtype.is_complex:
        raise TrilithRuntimeError(
            "For non-complex input tensors, argument alpha must not be a complex number."
        )


def _are_wide(pair: Sequence[Any]) -> bool:
    """Whether operands hold any usual float: the check without promotion, 8 us sooner."""
    first, second = (getattr(value, "spec", None) for value in pair)
    if first is None or second is None:
        return False
    return first.dtype is second.dtype and first.dtype in (float32, float64)


def checking_alpha(
    rule: PromotionRule, *, is_subtracted: bool, names: Sequence[str] = ("input", "other")
) -> NumbersCheck:
    """Return the check that the dtype of the result holds alpha.

    PyTorch subtracts by adding -alpha times the other operand.
    """

    def check(bound: Mapping[str, Any]) -> None:
        alpha, pair = bound["alpha"], [bound[name] for name in names]
        if type(alpha) is float and -MODERATE < alpha < MODERATE and _are_wide(pair):
            return
        if is_number(alpha) and type(alpha) is not bool and alpha != 1:
            if not all(is_number(value) or hasattr(value, "spec") for value in pair):
                return
            _, dtype = rule([spec_of_operand(value) for value in pair], {})
            if dtype in ARITHMETIC | ALL_COMPLEX:
                _check_alpha(ScalarSpec.of(alpha).dtype, dtype)
                check_fits(-alpha if is_subtracted else alpha, dtype, narrow_floats=True)

    return check


def _multiply(a: Scalar, b: Scalar) -> Scalar:
    return a & b if a.dtype.category is Category.BOOLEAN else a * b


elementwise(
    "add(Operand input, Operand other, *, Scalar alpha=1)",
    "input + alpha * other, elementwise; for bool the logical or.",
    "tri.add(tri.tensor([1, 2]), 1.5)  # tensor([2.5000, 3.5000])",
    body=_add,
    promotion=_beside_alpha(promote),
    check_keywords=checking_alpha(promote, is_subtracted=False),
    accepts=ARITHMETIC | ALL_COMPLEX,
    methods=("add", "__add__", "__radd__"),
    resolver=_resolve_scaled,
    algebra=Algebra(commutative=True, identity=0),
    ufuncs=("add",),
    outdated=Outdated(("input alpha other",)),
    gradient=OF_ADD,
)
elementwise(
    "sub(Operand input, Operand other, *, Scalar alpha=1)",
    "input - alpha * other, elementwise.",
    "tri.sub(tri.tensor([3, 2]), 1)  # tensor([2, 1])",
    body=_subtract,
    promotion=_beside_alpha(subtract),
    check_keywords=checking_alpha(subtract, is_subtracted=True),
    accepts=REALS | ALL_COMPLEX,
    methods=("sub", "subtract", "__sub__", "__rsub__"),
    resolver=_resolve_scaled,
    algebra=Algebra(identity=0, exact_on_floats=True),
    ufuncs=("subtract",),
    outdated=Outdated(("input alpha other",)),
    gradient=OF_SUB,
)
binary(
    "mul",
    "input * other, elementwise; for bool the logical and.",
    "tri.mul(tri.tensor([1, 2]), 3)  # tensor([3, 6])",
    body=_multiply,
    promotion=wide_second(promote, "mul"),
    accepts=CASTABLE,
    methods=("mul", "multiply", "__mul__", "__rmul__"),
    algebra=Algebra(commutative=True, identity=1, exact_on_floats=True),
    ufuncs=("multiply",),
    gradient=OF_MUL,
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
    promotion=wide_second(int_to_float, "true_divide"),
    accepts=FIELDS,
    methods=("true_divide", "__truediv__"),
    algebra=Algebra(identity=1, exact_on_floats=True, by_reciprocal="mul"),
    gradient=OF_DIV,
)
binary(
    "floor_divide",
    "input / other rounded towards minus infinity, elementwise.",
    "tri.floor_divide(tri.tensor([-7, 7]), 2)  # tensor([-4,  3])",
    body=_flooring,
    promotion=wide_second(promote, "floor_divide"),
    accepts=REALS,
    methods=("floor_divide", "__floordiv__", "__rfloordiv__"),
    is_costly=True,
    has_constant_divisor=True,
    ufuncs=("floor_divide",),
    gradient=UNKNOWN,
)
binary(
    "trunc_divide",
    "input / other rounded towards zero, elementwise: `div(..., rounding_mode='trunc')`.",
    "tri.div(tri.tensor([-7, 7]), 2, rounding_mode='trunc')  # tensor([-3,  3])",
    body=_truncating,
    promotion=wide_second(promote, "trunc_divide"),
    accepts=REALS,
    methods=(),
    is_public=False,
    is_costly=True,
    has_constant_divisor=True,
    gradient=constant_in("input", "other"),
)
binary(
    "remainder",
    "The remainder of input / other with the sign of other, elementwise.",
    "tri.remainder(tri.tensor([-7, 7]), 3)  # tensor([2, 1])",
    body=_remainder,
    promotion=of_tensors("remainder", promote),
    accepts=REALS,
    methods=("remainder", "__mod__", "__rmod__"),
    is_costly=True,
    has_constant_divisor=True,
    ufuncs=("remainder",),
    gradient=OF_REMAINDER,
)


def _negate(a: Scalar) -> Scalar:
    return -a


def _absolute(a: Scalar) -> Scalar:
    return abs(a) if a.dtype.is_signed or a.dtype.is_complex else a


def _resolve_absolute(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """As for any elementwise row, but of a complex tensor the strides are kept as a copy does."""
    resolved = resolve_elementwise(row, operands, attributes)
    (operand,) = operands
    if not isinstance(operand, TensorSpec) or not operand.dtype.is_complex:
        return resolved
    strides = preserve_strides(operand.shape, operand.strides)
    result = resolved.result
    kept = TensorSpec.of(result.shape, result.dtype, result.device, strides)
    return Resolved(resolved.attributes, resolved.operand_dtypes, kept)


def _refuse_complex(dtype: DType) -> None:
    """Refuse to write absolute values, which are real, into a complex tensor."""
    if dtype.is_complex:
        raise TrilithRuntimeError("In-place abs is not supported for complex tensors.")


unary(
    "neg",
    "-input, elementwise.",
    "tri.neg(tri.tensor([1, -2]))  # tensor([-1,  2])",
    body=_negate,
    accepts=REALS | ALL_COMPLEX,
    refusals={
        Category.BOOLEAN: (
            TrilithRuntimeError,
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead.",
        )
    },
    methods=("neg", "negative", "__neg__"),
    algebra=Algebra(involution=True),
    in_place_functions=(
        "neg_",
        "negative_",
    ),
    gradient=OF_NEG,
)
unary(
    "abs",
    "The absolute value, elementwise; the smallest integer stays itself.",
    "tri.abs(tri.tensor([1, -2]))  # tensor([1, 2])",
    body=_absolute,
    promotion=real_result,
    accepts=REALS | ALL_COMPLEX | FLOAT8 - {float8_e8m0fnu},
    methods=("abs", "absolute", "__abs__"),
    writing=Writing(refuse=_refuse_complex),
    resolver=_resolve_absolute,
    algebra=Algebra(idempotent=True),
    in_place_functions=("abs_",),
    gradient=OF_ABS,
)
unary(
    "sign",
    "-1, 0 or 1 by the sign of input, elementwise.",
    "tri.sign(tri.tensor([-3., 0., 5.]))  # tensor([-1.,  0.,  1.])",
    body=sign_of,
    refusals={
        Category.COMPLEX: (
            TrilithNotImplementedError,
            "Unlike NumPy, torch.sign is not intended to support complex numbers. "
            "Please use torch.sgn instead.",
        )
    },
    algebra=Algebra(idempotent=True),
    gradient=FLAT,
)


def _reciprocal(a: Scalar) -> Scalar:
    return 1 / a


unary(
    "reciprocal",
    "1 / input, elementwise; integers give the default dtype.",
    "tri.reciprocal(tri.tensor([4.]))  # tensor([0.2500])",
    body=_reciprocal,
    promotion=int_to_float,
    accepts=FIELDS,
    in_place_functions=("reciprocal_",),
    gradient=OF_RECIPROCAL,
)


def _maximum(a: Scalar, b: Scalar) -> Scalar:
    return scalar.maximum(a, b) if a.dtype.category is not Category.BOOLEAN else a | b


def _minimum(a: Scalar, b: Scalar) -> Scalar:
    return scalar.minimum(a, b) if a.dtype.category is not Category.BOOLEAN else a & b


elementwise(
    "maximum(Tensor input, Tensor other)",
    "The larger of input and other, elementwise; NaN if either is NaN.",
    "tri.maximum(tri.tensor([1, 5]), tri.tensor([3, 2]))  # tensor([3, 5])",
    body=_maximum,
    promotion=ordered("maximum"),
    algebra=Algebra(commutative=True),
    in_place=(),
    gradient=OF_MAXIMUM,
)
elementwise(
    "minimum(Tensor input, Tensor other)",
    "The smaller of input and other, elementwise; NaN if either is NaN.",
    "tri.minimum(tri.tensor([1, 5]), tri.tensor([3, 2]))  # tensor([1, 2])",
    body=_minimum,
    promotion=ordered("minimum"),
    algebra=Algebra(commutative=True),
    in_place=(),
    gradient=OF_MINIMUM,
)


def _positive(t: TensorLanguage, input: Any) -> Any:
    if tensor_of(t, input).dtype is bool_:
        raise TrilithRuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


composite(
    "positive(Tensor input)",
    "The tensor itself: what `+x` is.",
    "+tri.tensor([1, -2])  # tensor([ 1, -2])",
    _positive,
    methods=("positive", "__pos__"),
)
