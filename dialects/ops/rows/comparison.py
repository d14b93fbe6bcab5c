"""Which operations compare, test or combine truth values and bits?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...attributes.dtype import Category, bool_, float4_e2m1fn_x2
from ..frame.elementwise import binary, elementwise, unary
from ..frame.literals import check_where
from ..frame.opspec import TABLE, Algebra, CompositeOp, TensorLanguage, describe
from ..frame.out_rules import out_type
from ..frame.rules import (
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
from ..scalars import scalar
from ..scalars.scalar import Scalar


def _comparison(
    name: str,
    words: str,
    body: Callable[[Scalar, Scalar], Scalar],
    dunder: str,
    *,
    commutative: bool = False,
) -> None:
    """Register a comparison; NaN compares unequal to everything."""
    is_equality = name in ("eq", "ne")
    elementwise(
        f"{name}(Tensor input, Operand other)",
        f"Whether input is {words} other, elementwise.",
        f"tri.{name}(tri.tensor([1, 2, 3]), 2)  # "
        + {
            "eq": "tensor([False,  True, False])",
            "ne": "tensor([ True, False,  True])",
            "lt": "tensor([ True, False, False])",
            "le": "tensor([ True,  True, False])",
            "gt": "tensor([False, False,  True])",
            "ge": "tensor([False,  True,  True])",
        }[name],
        body=body,
        promotion=compare,
        kernel=f"{name}_cpu",
        accepts=CASTABLE if is_equality else ARITHMETIC,
        methods=(name, dunder),
        algebra=Algebra(commutative=commutative),
    )


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


_comparison("eq", "equal to", _equal, "__eq__", commutative=True)
_comparison("ne", "not equal to", _not_equal, "__ne__", commutative=True)
_comparison("lt", "less than", _less, "__lt__")
_comparison("le", "at most", _less_equal, "__le__")
_comparison("gt", "greater than", _greater, "__gt__")
_comparison("ge", "at least", _greater_equal, "__ge__")


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


def _logical(name: str, doc: str, example: str, body: Callable[[Scalar, Scalar], Scalar]) -> None:
    elementwise(
        f"{name}(Tensor input, Tensor other)",
        doc,
        example,
        body=body,
        promotion=compare,
        kernel=f"{name}_cpu",
        accepts=ARITHMETIC | COMPLEX,
        algebra=Algebra(commutative=True),
    )


_logical(
    "logical_and",
    "Whether both operands are not zero, elementwise.",
    "tri.logical_and(tri.tensor([0, 1]), tri.tensor([1, 1]))  # tensor([False,  True])",
    _both,
)
_logical(
    "logical_or",
    "Whether one of the operands is not zero, elementwise.",
    "tri.logical_or(tri.tensor([0, 1]), tri.tensor([0, 0]))  # tensor([False,  True])",
    _either,
)
_logical(
    "logical_xor",
    "Whether exactly one of the operands is not zero, elementwise.",
    "tri.logical_xor(tri.tensor([0, 1]), tri.tensor([1, 1]))  # tensor([ True, False])",
    _one_only,
)
unary(
    "logical_not",
    "Whether input is zero, elementwise.",
    "tri.logical_not(tri.tensor([0, 2]))  # tensor([ True, False])",
    body=_is_zero,
    promotion=test,
    kernel="logical_not_cpu",
    accepts=ARITHMETIC | COMPLEX,
)

_BITS = INTEGERS | BOOL

binary(
    "bitwise_and",
    "The bits set in both operands; for bool the logical and.",
    "tri.bitwise_and(tri.tensor([6]), 3)  # tensor([2])",
    body=_and,
    promotion=of_tensors("bitwise_and", promote),
    kernel="bitwise_and_cpu",
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_and", "__and__", "__rand__"),
    algebra=Algebra(commutative=True),
)
binary(
    "bitwise_or",
    "The bits set in one of the operands; for bool the logical or.",
    "tri.bitwise_or(tri.tensor([6]), 3)  # tensor([7])",
    body=_or,
    promotion=of_tensors("bitwise_or", promote),
    kernel="bitwise_or_cpu",
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_or", "__or__", "__ror__"),
    algebra=Algebra(commutative=True, identity=0),
)
binary(
    "bitwise_xor",
    "The bits set in exactly one of the operands; for bool the logical xor.",
    "tri.bitwise_xor(tri.tensor([6]), 3)  # tensor([5])",
    body=_xor,
    promotion=of_tensors("bitwise_xor", promote),
    kernel="bitwise_xor_cpu",
    accepts=_BITS | WIDE_UNSIGNED,
    methods=("bitwise_xor", "__xor__", "__rxor__"),
    algebra=Algebra(commutative=True, identity=0),
)
unary(
    "bitwise_not",
    "Every bit flipped; for bool the logical not.",
    "tri.bitwise_not(tri.tensor([0, 5]))  # tensor([-1, -6])",
    body=_not,
    kernel="bitwise_not_cpu",
    accepts=_BITS,
    methods=("bitwise_not", "__invert__"),
    algebra=Algebra(involution=True),
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
    kernel="lshift_cpu",
    accepts=INTEGERS,
    methods=("bitwise_left_shift", "__lshift__", "__rlshift__"),
)
binary(
    "bitwise_right_shift",
    "input shifted right by other bits, filled with the sign where other is out of range.",
    "tri.bitwise_right_shift(tri.tensor([-8]), 1)  # tensor([-4])",
    body=_shift_right,
    promotion=of_tensors("bitwise_right_shift", promote),
    kernel="rshift_cpu",
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


TABLE.add(
    CompositeOp(
        **describe(
            "where_method(Tensor input, Tensor condition, Operand other)",
            "input where condition holds, else other: the method `x.where(condition, other)`.",
            "tri.tensor([1, 2]).where(tri.tensor([True, False]), 0)  # tensor([1, 0])",
            ("where",),
            "Tensor.where",
        ),
        expand=_where_method,
        is_public=False,
    )
)
elementwise(
    "where(Tensor condition, Operand input, Operand other)",
    "input where condition holds, else other.",
    "tri.where(tri.tensor([True, False]), tri.tensor([1, 2]), 0)  # tensor([1, 0])",
    body=_where,
    promotion=select,
    check_numbers=check_where,
    kernel="where_cpu",
    accepts=CASTABLE | {float4_e2m1fn_x2},
    methods=(),
    refuse_out=out_type,
    alone="places",
)
