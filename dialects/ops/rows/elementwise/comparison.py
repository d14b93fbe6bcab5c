"""Which operations compare, test or combine truth values and bits?"""

from __future__ import annotations

from functools import partial
from typing import Any

from ....attributes.dtype import Category, bool_, float4_e2m1fn_x2
from ....diagnostics import TrilithTypeError
from ...frame.elementwise import USUAL, binary, elementwise, unary
from ...frame.literals import check_where
from ...frame.opspec import Algebra, composite
from ...frame.out_rules import out_type
from ...frame.row import TensorLanguage, registering
from ...frame.rules import (
    ARITHMETIC,
    BOOL,
    CASTABLE,
    COMPLEX,
    INTEGERS,
    WIDE_UNSIGNED,
    compare,
    of_tensors,
    promote,
    select,
    test,
)
from ...frame.view_rows import tensor_of
from ...gradients.copies import OF_WHERE
from ...scalars import scalar
from ...scalars.scalar import Scalar

#: Adds a comparison; NaN compares unequal to everything.
_comparison = registering(partial(USUAL, promotion=compare), "%s(Tensor input, Operand other)")


def _equal(a: Scalar, b: Scalar) -> Scalar:
    return a.eq(b)


def _not_equal(a: Scalar, b: Scalar) -> Scalar:
    return a.ne(b)


def _less(a: Scalar, b: Scalar) -> Scalar:
    return a < b


def _less_equal(a: Scalar, b: Scalar) -> Scalar:
    return a <= b


def _greater(a: Scalar, b: Scalar) -> Scalar:
    return a > b


def _greater_equal(a: Scalar, b: Scalar) -> Scalar:
    return a >= b


_comparison(
    "eq",
    "Whether input is equal to other, elementwise.",
    "tri.eq(tri.tensor([1, 2, 3]), 2)  # tensor([False,  True, False])",
    body=_equal,
    accepts=CASTABLE,
    methods=("eq", "__eq__"),
    ufuncs=("equal",),
    algebra=Algebra(commutative=True),
)
_comparison(
    "ne",
    "Whether input is not equal to other, elementwise.",
    "tri.ne(tri.tensor([1, 2, 3]), 2)  # tensor([ True, False,  True])",
    body=_not_equal,
    accepts=CASTABLE,
    methods=("ne", "not_equal", "__ne__"),
    ufuncs=("not_equal",),
    algebra=Algebra(commutative=True),
)
_comparison(
    "lt",
    "Whether input is less than other, elementwise.",
    "tri.lt(tri.tensor([1, 2, 3]), 2)  # tensor([ True, False, False])",
    body=_less,
    methods=("lt", "less", "__lt__"),
    ufuncs=("less",),
)
_comparison(
    "le",
    "Whether input is at most other, elementwise.",
    "tri.le(tri.tensor([1, 2, 3]), 2)  # tensor([ True,  True, False])",
    body=_less_equal,
    methods=("le", "less_equal", "__le__"),
    ufuncs=("less_equal",),
)
_comparison(
    "gt",
    "Whether input is greater than other, elementwise.",
    "tri.gt(tri.tensor([1, 2, 3]), 2)  # tensor([False, False,  True])",
    body=_greater,
    methods=("gt", "greater", "__gt__"),
    ufuncs=("greater",),
)
_comparison(
    "ge",
    "Whether input is at least other, elementwise.",
    "tri.ge(tri.tensor([1, 2, 3]), 2)  # tensor([False,  True,  True])",
    body=_greater_equal,
    methods=("ge", "greater_equal", "__ge__"),
    ufuncs=("greater_equal",),
)


def _and(a: Scalar, b: Scalar) -> Scalar:
    return a & b


def _or(a: Scalar, b: Scalar) -> Scalar:
    return a | b


def _xor(a: Scalar, b: Scalar) -> Scalar:
    return a ^ b


def _not(a: Scalar) -> Scalar:
    return ~a


def is_nonzero(x: Scalar) -> Scalar:
    """Return whether x counts as true."""
    return x if x.dtype.category is Category.BOOLEAN else x.ne(0)


def _is_zero(x: Scalar) -> Scalar:
    return ~x if x.dtype.category is Category.BOOLEAN else x.eq(0)


def _both(a: Scalar, b: Scalar) -> Scalar:
    return is_nonzero(a) & is_nonzero(b)


def _either(a: Scalar, b: Scalar) -> Scalar:
    return is_nonzero(a) | is_nonzero(b)


def _one_only(a: Scalar, b: Scalar) -> Scalar:
    return is_nonzero(a) ^ is_nonzero(b)


#: Adds an operation on truth values: what is not zero is true.
_logical = registering(
    partial(
        USUAL,
        promotion=compare,
        accepts=ARITHMETIC | COMPLEX,
        algebra=Algebra(commutative=True),
    ),
    "%s(Tensor input, Tensor other)",
)


_logical(
    "logical_and",
    "Whether both operands are not zero, elementwise.",
    "tri.logical_and(tri.tensor([0, 1]), tri.tensor([1, 1]))  # tensor([False,  True])",
    body=_both,
)
_logical(
    "logical_or",
    "Whether one of the operands is not zero, elementwise.",
    "tri.logical_or(tri.tensor([0, 1]), tri.tensor([0, 0]))  # tensor([False,  True])",
    body=_either,
)
_logical(
    "logical_xor",
    "Whether exactly one of the operands is not zero, elementwise.",
    "tri.logical_xor(tri.tensor([0, 1]), tri.tensor([1, 1]))  # tensor([ True, False])",
    body=_one_only,
)
unary(
    "logical_not",
    "Whether input is zero, elementwise.",
    "tri.logical_not(tri.tensor([0, 2]))  # tensor([ True, False])",
    body=_is_zero,
    promotion=test,
    accepts=ARITHMETIC | COMPLEX,
)

_BITS = INTEGERS | BOOL

binary(
    "bitwise_and",
    "The bits set in both operands; for bool the logical and.",
    "tri.bitwise_and(tri.tensor([6]), 3)  # tensor([2])",
    body=_and,
    promotion=of_tensors("bitwise_and", promote),
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_and", "__and__", "__rand__"),
    algebra=Algebra(commutative=True),
    ufuncs=("bitwise_and",),
)
binary(
    "bitwise_or",
    "The bits set in one of the operands; for bool the logical or.",
    "tri.bitwise_or(tri.tensor([6]), 3)  # tensor([7])",
    body=_or,
    promotion=of_tensors("bitwise_or", promote),
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_or", "__or__", "__ror__"),
    algebra=Algebra(commutative=True, identity=0),
    ufuncs=("bitwise_or",),
)
binary(
    "bitwise_xor",
    "The bits set in exactly one of the operands; for bool the logical xor.",
    "tri.bitwise_xor(tri.tensor([6]), 3)  # tensor([5])",
    body=_xor,
    promotion=of_tensors("bitwise_xor", promote),
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_xor", "__xor__", "__rxor__"),
    algebra=Algebra(commutative=True, identity=0),
    ufuncs=("bitwise_xor",),
)
unary(
    "bitwise_not",
    "Every bit flipped; for bool the logical not.",
    "tri.bitwise_not(tri.tensor([0, 5]))  # tensor([-1, -6])",
    body=_not,
    accepts=_BITS,
    algebra=Algebra(involution=True),
)


def _invert(t: TensorLanguage, input: Any) -> Any:
    dtype = tensor_of(t, input).dtype
    if dtype.is_floating_point or dtype.is_complex:
        raise TrilithTypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    return t.call("bitwise_not", input)


composite(
    "invert(Tensor input)",
    "Every bit flipped; for bool the logical not: the operator `~`.",
    "~tri.tensor([0, 5])  # tensor([-1, -6])",
    _invert,
    methods=("__invert__",),
    is_public=False,
    torch_name="Tensor.__invert__",
)


def _shift_left(value: Scalar, count: Scalar) -> Scalar:
    return value << count


def _shift_right(value: Scalar, count: Scalar) -> Scalar:
    return value >> count


binary(
    "bitwise_left_shift",
    "input shifted left by other bits; 0 where other is negative or not below the width.",
    "tri.bitwise_left_shift(tri.tensor([1]), 3)  # tensor([8])",
    body=_shift_left,
    promotion=of_tensors("bitwise_left_shift", promote),
    accepts=INTEGERS,
    methods=("bitwise_left_shift", "__lshift__", "__rlshift__"),
)
binary(
    "bitwise_right_shift",
    "input shifted right by other bits, filled with the sign where other is out of range.",
    "tri.bitwise_right_shift(tri.tensor([-8]), 1)  # tensor([-4])",
    body=_shift_right,
    promotion=of_tensors("bitwise_right_shift", promote),
    accepts=INTEGERS,
    methods=("bitwise_right_shift", "__rshift__", "__rrshift__"),
)


def _is_nan(x: Scalar) -> Scalar:
    # The two numbers in a byte of float4 are never NaN.
    has_nan = x.dtype is not float4_e2m1fn_x2
    return scalar.isnan(x) if has_nan else x.language.constant(False, bool_)


unary(
    "isnan",
    "Whether input is NaN, elementwise.",
    "tri.isnan(tri.tensor([1., tri.nan]))  # tensor([False,  True])",
    body=_is_nan,
    promotion=test,
    accepts=CASTABLE | {float4_e2m1fn_x2},
    in_place=(),
    has_out=False,
)


def _where(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    return scalar.select(condition, a, b)


def _where_method(t: TensorLanguage, input: Any, condition: Any, other: Any) -> Any:
    return t.call("where", condition, input, other)


composite(
    "where_method(Tensor input, Tensor condition, Operand other)",
    "input where condition holds, else other: the method `x.where(condition, other)`.",
    "tri.tensor([1, 2]).where(tri.tensor([True, False]), 0)  # tensor([1, 0])",
    _where_method,
    methods=("where",),
    torch_name="Tensor.where",
    is_public=False,
)
elementwise(
    "where(Tensor condition, Operand input, Operand other)",
    "input where condition holds, else other.",
    "tri.where(tri.tensor([True, False]), tri.tensor([1, 2]), 0)  # tensor([1, 0])",
    body=_where,
    promotion=select,
    check_numbers=check_where,
    accepts=CASTABLE | {float4_e2m1fn_x2},
    methods=(),
    refuse_out=out_type,
    alone="places",
    overloads=(
        "Tensor condition",
        "Tensor condition, Tensor input, Tensor other, *, Tensor? out=None",
        "Tensor condition, Scalar self, Tensor other",
        "Tensor condition, Tensor input, Scalar other",
        "Tensor condition, Scalar self, Scalar other",
    ),
    gradient=OF_WHERE,
)
