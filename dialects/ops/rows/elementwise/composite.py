"""Which operations are written in others, or choose among others by their arguments?"""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import bfloat16, float16
from ....attributes.promotion import result_type
from ....diagnostics import TrilithRuntimeError
from ...frame.opspec import composite
from ...frame.row import OperandSpec, TensorLanguage
from ...frame.rules import is_empty, is_single, subtract
from ...frame.view_rows import tensor_of
from ...gradients.arithmetic import OF_RSUB
from ...gradients.kinks import OF_DIV_FORMS
from .arithmetic import checking_alpha

_DIVISIONS = {None: "true_divide", "floor": "floor_divide", "trunc": "trunc_divide"}


def _div(t: TensorLanguage, input: Any, other: Any, rounding_mode: str | None) -> Any:
    if rounding_mode not in _DIVISIONS:
        raise TrilithRuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    if rounding_mode == "trunc" and _rounds_twice(t.spec(input), t.spec(other)):
        return _cut(t, t.call("true_divide", input, other))
    return t.call(_DIVISIONS[rounding_mode], input, other)


def _cut(t: TensorLanguage, quotient: Any) -> Any:
    """Return quotients without their fractions, laid out as these: a row of one operand chooses."""
    result, strides = t.call("trunc", quotient), tensor_of(t, quotient).strides
    is_alike = tensor_of(t, result).strides == strides
    return result if is_alike else t.call("with_strides", result, strides)


def _rounds_twice(first: OperandSpec, second: OperandSpec) -> bool:
    """Whether PyTorch rounds a quotient to 16 bits before it cuts it; not beside one element.

    Of no elements there is none to round, and `trunc` would lay the result out anew.
    """
    if is_single(second) or is_empty(first) or is_empty(second):
        return False
    return result_type(first.operand, second.operand) in (float16, bfloat16)


def _rsub(t: TensorLanguage, input: Any, other: Any, alpha: Any) -> Any:
    return t.call("sub", other, input, alpha=alpha)


composite(
    "rsub(Tensor input, Operand other, *, Scalar alpha=1)",
    "other - alpha * input, elementwise.",
    "tri.rsub(tri.tensor([1, 2]), 3)  # tensor([2, 1])",
    _rsub,
    methods=(),
    check_keywords=checking_alpha(subtract, is_subtracted=True, names=("other", "input")),
    gradient=OF_RSUB,
)


composite(
    "div(Operand input, Operand other, *, str? rounding_mode=None)",
    "input / other, elementwise; rounding_mode 'trunc' or 'floor' rounds the quotient.",
    "tri.div(tri.tensor([7, -7]), 2, rounding_mode='floor')  # tensor([ 3, -4])",
    _div,
    methods=("div", "divide"),
    in_place=("div_", "divide_"),
    has_out=True,
    ufuncs=(
        "divide",
        "true_divide",
    ),
    gradient=OF_DIV_FORMS,
)


def _divide_number(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("mul", t.call("reciprocal", other), input)


composite(
    "rdiv(Operand input, Tensor other)",
    "input / other, elementwise, as input times the reciprocal: what `2 / x` means.",
    "2 / tri.tensor([4., 8.])  # tensor([0.5000, 0.2500])",
    _divide_number,
    methods=("__rtruediv__", "__rdiv__"),
    is_public=False,
)
