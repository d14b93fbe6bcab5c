"""Which functions of one operand keep zeros zero? They are computed of the specified values alone.

Those that are not linear take the entries of one coordinate together first.
"""

from __future__ import annotations

from typing import Any

from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...frame.sparse_forms import SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse import OF_NEGATIVE
from .entries import coalesced, entries, taken_apart, with_values

#: f(0) is 0, and the values of one coordinate must be added before.
NOT_LINEAR = (
    *("abs", "sign", "sgn", "sqrt", "square", "sin", "tan", "asin", "atan", "sinh", "tanh"),
    *("asinh", "atanh", "expm1", "log1p", "ceil", "floor", "round", "trunc", "frac", "deg2rad"),
    *("rad2deg", "erf", "erfinv", "relu", "nan_to_num"),
    *("isnan", "isinf", "isposinf", "isneginf", "signbit"),
)
#: f(a + b) is f(a) + f(b): each entry by itself.
LINEAR = ("neg", "positive", "conj", "conj_physical", "resolve_conj", "resolve_neg")

_GRADIENTS = {"neg": OF_NEGATIVE}

#: What is done to the values, where it is not the row itself: they are no views.
_ON_VALUES = {"conj": "conj_physical"}


def _check(name: str, options: dict[str, Any]) -> None:
    if name == "round" and options.get("decimals"):
        raise TrilithNotImplementedError(
            "round with decimals is not available for tensors of layout trilith.sparse_coo",
            hint="convert with .to_dense() first",
        )


def _form_of(name: str, *, is_linear: bool) -> None:
    def run(t: SparseLanguage, input: Any, **options: Any) -> Any:
        _check(name, options)
        parts = taken_apart(t, input)
        parts = parts if is_linear else coalesced(t, parts)
        return with_values(t, parts, t.call(_ON_VALUES.get(name, name), parts.values, **options))

    def write(t: SparseLanguage, input: Any, **options: Any) -> None:
        _check(name, options)
        parts = taken_apart(t, input)
        if not (is_linear or parts.is_coalesced):
            raise TrilithRuntimeError(f"{name}_ requires coalesced input")
        t.write(name, parts.values, **options)

    sparse_form(name, write=write, gradient=_GRADIENTS.get(name))(run)


for _name in NOT_LINEAR:
    _form_of(_name, is_linear=False)
for _name in LINEAR:
    _form_of(_name, is_linear=True)


@sparse_form("nn_functional_dropout")
def _dropout(t: SparseLanguage, input: Any, **options: Any) -> Any:
    parts = coalesced(t, taken_apart(t, input))
    return with_values(t, parts, t.call("nn_functional_dropout", parts.values, **options))


@sparse_form("real")
def _real(t: SparseLanguage, input: Any) -> Any:
    if not tensor_of(t, input).dtype.is_complex:
        return input
    return _part(t, input, "real")


@sparse_form("imag")
def _imag(t: SparseLanguage, input: Any) -> Any:
    return _part(t, input, "imag")


def _part(t: SparseLanguage, input: Any, name: str) -> Any:
    parts = taken_apart(t, input)
    values = t.call("clone", t.call(name, parts.values))
    return t.sparse(entries(t, parts.indices, values, parts.shape))
