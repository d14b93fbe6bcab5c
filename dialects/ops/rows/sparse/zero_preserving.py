"""Which functions of one operand keep zeros zero? They are computed of the specified values alone.

Those that are not linear take the entries of one coordinate together first.
"""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import DType
from ....attributes.layout import TO_DENSE, no_kernel, sparse_coo
from ....attributes.spec import TensorSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.sparse_forms import FORMS, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse_functions import (
    OF_ABS,
    OF_CONJ_PHYSICAL,
    OF_DEG2RAD,
    OF_FRACTION,
    OF_IMAG,
    OF_LOG1P,
    OF_NEGATIVE,
    OF_PAIRS,
    OF_RAD2DEG,
    OF_REAL,
    OF_STEPS,
)
from .entries import coalesced, entries, taken_apart, values_of, with_values

#: f(0) is 0, and the values of one coordinate must be added before.
NOT_LINEAR = (
    *("abs", "sign", "sgn", "sqrt", "sin", "tan", "asin", "atan", "sinh", "tanh"),
    *("asinh", "atanh", "expm1", "log1p", "ceil", "floor", "round", "trunc", "frac", "deg2rad"),
    *("rad2deg", "erf", "erfinv", "relu", "nan_to_num"),
    *("isnan", "isinf", "isposinf", "isneginf", "signbit"),
)
#: f(a + b) is f(a) + f(b): each entry by itself.
LINEAR = ("neg", "positive", "conj", "conj_physical", "resolve_conj", "resolve_neg")

#: Those of the others are those of their values.
_GRADIENTS = {
    "abs": OF_ABS,
    "neg": OF_NEGATIVE,
    **dict.fromkeys(("conj", "conj_physical"), OF_CONJ_PHYSICAL),
    "log1p": OF_LOG1P,
    "frac": OF_FRACTION,
    "deg2rad": OF_DEG2RAD,
    "rad2deg": OF_RAD2DEG,
    **dict.fromkeys(("sign", "ceil", "floor", "round", "trunc"), OF_STEPS),
}
#: What gives back its operand: the first ones always, the others if it is real.
_ITSELF = ("positive", "resolve_conj", "resolve_neg")
_REAL_ITSELF = ("conj", "conj_physical")

#: What is done to the values, where it is not the row itself: they are no views.
_ON_VALUES = {"conj": "conj_physical"}


def _check(name: str, spec: TensorSpec, options: dict[str, Any]) -> None:
    if name == "round" and options.get("decimals"):
        raise no_kernel("round.decimals", sparse_coo, spec.device.type, TO_DENSE)


def _form_of(name: str, *, is_linear: bool) -> None:
    def run(t: SparseLanguage, input: Any, **options: Any) -> Any:
        _check(name, tensor_of(t, input), options)
        if _is_itself(name, tensor_of(t, input).dtype):
            return input
        parts = taken_apart(t, input)
        parts = parts if is_linear else coalesced(t, parts)
        return with_values(t, parts, t.call(_ON_VALUES.get(name, name), parts.values, **options))

    def write(t: SparseLanguage, input: Any, **options: Any) -> None:
        _check(name, tensor_of(t, input), options)
        parts = taken_apart(t, input)
        if not (is_linear or parts.is_coalesced):
            raise TrilithRuntimeError(f"{name}_ requires coalesced input")
        t.write(name, parts.values, **options)

    rule = _GRADIENTS.get(name)
    sparse_form(name, write=write, gradient=rule, is_of_values=not is_linear)(run)


def _is_itself(name: str, dtype: DType) -> bool:
    return name in _ITSELF or (name in _REAL_ITSELF and not dtype.is_complex)


for _name in NOT_LINEAR:
    _form_of(_name, is_linear=False)
for _name in LINEAR:
    _form_of(_name, is_linear=True)


def _write_relu(t: SparseLanguage, input: Any, inplace: bool) -> None:
    write = FORMS["relu"].write
    assert write is not None
    write(t, input=input)


@sparse_form("nn_functional_relu", write=_write_relu, is_stepwise=True)
def _relu(t: SparseLanguage, input: Any, inplace: bool) -> Any:
    return t.call("relu", input)


def _write_square(t: SparseLanguage, input: Any) -> None:
    parts = taken_apart(t, input)
    if not parts.is_coalesced:
        raise TrilithRuntimeError("square_ requires coalesced input")
    t.write("square", parts.values)


@sparse_form("square", write=_write_square, is_stepwise=True)
def _square(t: SparseLanguage, input: Any) -> Any:
    return t.call("pow", input, 2)


@sparse_form("nn_functional_dropout", is_stepwise=True)
def _dropout(t: SparseLanguage, input: Any, **options: Any) -> Any:
    """Multiply by what dropout makes of ones, so that the gradient is that of a product."""
    if not (options["training"] and options["p"]):
        return input
    whole = t.call("coalesce", input)
    parts = taken_apart(t, whole)
    ones = t.call("ones_like", parts.values)
    scales = t.call("nn_functional_dropout", ones, **options)
    return t.call("mul", whole, with_values(t, parts, scales))


@sparse_form("real", gradient=OF_REAL)
def _real(t: SparseLanguage, input: Any) -> Any:
    if not tensor_of(t, input).dtype.is_complex:
        return input
    return _part(t, input, "real")


@sparse_form("imag", gradient=OF_IMAG)
def _imag(t: SparseLanguage, input: Any) -> Any:
    return _part(t, input, "imag")


@sparse_form("view_as_real", gradient=OF_PAIRS)
def _pairs(t: SparseLanguage, input: Any) -> Any:
    parts = taken_apart(t, input)
    if not values_of(t, parts).dtype.is_complex:
        raise TrilithRuntimeError(
            "view_as_real_sparse is only supported for complex sparse tensors"
        )
    values = t.call("clone", t.call("view_as_real", parts.values))
    return with_values(t, parts, values)


def _part(t: SparseLanguage, input: Any, name: str) -> Any:
    parts = taken_apart(t, input)
    values = t.call("clone", t.call(name, parts.values))
    return t.sparse(entries(t, parts.indices, values, parts.shape))
