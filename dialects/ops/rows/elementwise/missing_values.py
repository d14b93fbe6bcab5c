"""Which operations know that NaN is no number? fmax, fmin, nan_to_num and isclose."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....attributes.dtype import Category, bool_
from ....attributes.limits import finfo
from ....diagnostics import TrilithRuntimeError
from ...frame.elementwise import elementwise
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import (
    FIELDS,
    check_dtype,
    ordered,
    resolve_like,
)
from ...frame.view_rows import tensor_of
from ...gradients.kinks import OF_FMAX, OF_FMIN, OF_NAN_TO_NUM
from ...scalars import scalar
from ...scalars.pairs import join, split
from ...scalars.scalar import Scalar

# ---- extremes


def _larger(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.category is Category.BOOLEAN:
        return a | b
    return scalar.select(scalar.isnan(a) | (b > a), b, a)


def _smaller(a: Scalar, b: Scalar) -> Scalar:
    if a.dtype.category is Category.BOOLEAN:
        return a & b
    return scalar.select(scalar.isnan(a) | (b < a), b, a)


elementwise(
    "fmax(Tensor input, Tensor other)",
    "The larger of input and other, elementwise; the other one if one is NaN.",
    "tri.fmax(tri.tensor([1., tri.nan]), tri.tensor([3., 2.]))  # tensor([3., 2.])",
    body=_larger,
    promotion=ordered("fmax"),
    in_place=(),
    ufuncs=("fmax",),
    gradient=OF_FMAX,
)
elementwise(
    "fmin(Tensor input, Tensor other)",
    "The smaller of input and other, elementwise; the other one if one is NaN.",
    "tri.fmin(tri.tensor([1., tri.nan]), tri.tensor([3., 2.]))  # tensor([1., 2.])",
    body=_smaller,
    promotion=ordered("fmin"),
    in_place=(),
    ufuncs=("fmin",),
    gradient=OF_FMIN,
)


# ---- replacements


def _replace(x: Scalar, nan: float = 0.0, posinf: float = 0.0, neginf: float = 0.0) -> Scalar:
    if x.dtype.is_complex:
        return join(x, *(_replace(part, nan, posinf, neginf) for part in split(x)))
    finite = scalar.select(x.eq(math.inf), posinf, scalar.select(x.eq(-math.inf), neginf, x))
    return scalar.select(scalar.isnan(x), nan, finite)


elementwise(
    "replace_non_finite(Tensor input, *, float nan=0.0, float posinf=0.0, float neginf=0.0)",
    "input with other numbers for NaN and infinities: `nan_to_num`, told which.",
    "tri.nan_to_num(tri.tensor([tri.nan, 1.]))  # tensor([0., 1.])",
    body=_replace,
    accepts=FIELDS,
    resolver=resolve_like,
    methods=(),
    is_public=False,
    gradient=OF_NAN_TO_NUM,
)


def _nan_to_num(
    t: TensorLanguage, input: Any, nan: float | None, posinf: float | None, neginf: float | None
) -> Any:
    dtype = tensor_of(t, input).dtype
    if dtype.category <= Category.INTEGRAL:
        return t.call("clone", input)
    check_dtype("nan_to_num", dtype, FIELDS)
    limits = finfo(dtype)
    return t.call(
        "replace_non_finite",
        input,
        nan=0.0 if nan is None else nan,
        posinf=limits.max if posinf is None else posinf,
        neginf=limits.min if neginf is None else neginf,
    )


composite(
    "nan_to_num(Tensor input, float? nan=None, float? posinf=None, float? neginf=None)",
    "input with 0, the largest and the smallest number, or others, for NaN and infinities.",
    "tri.nan_to_num(tri.tensor([tri.nan, tri.inf, 1.]), posinf=9.)  # tensor([0., 9., 1.])",
    _nan_to_num,
    has_out=True,
    in_place=("nan_to_num_",),
    in_place_functions=("nan_to_num_",),
    gradient=OF_NAN_TO_NUM,
)


# ---- closeness


def _check_tolerance(name: str, value: float) -> None:
    if value < 0:
        raise TrilithRuntimeError(
            f"{name} must be greater than or equal to zero, but got {value:g}"
        )


def _isclose(
    t: TensorLanguage, input: Any, other: Any, rtol: float, atol: float, equal_nan: bool
) -> Any:
    first, second = tensor_of(t, input), tensor_of(t, other)
    if first.dtype is not second.dtype:
        raise TrilithRuntimeError(f"{first.dtype.c_name} did not match {second.dtype.c_name}")
    _check_tolerance("rtol", rtol)
    _check_tolerance("atol", atol)
    close = t.call("eq", input, other)
    is_whole = first.dtype.category <= Category.INTEGRAL
    if equal_nan and not is_whole:
        both = t.call("bitwise_and", t.call("isnan", input), t.call("isnan", other))
        close = t.call("bitwise_or", close, both)
    if rtol == 0 and atol == 0:
        return close
    if is_whole:
        other = t.call("to", other, get_default_dtype())
    if first.dtype is bool_:
        input = t.call("to", input, get_default_dtype())
    allowed = t.call("add", t.call("abs", t.call("mul", other, rtol)), atol)
    error = t.call("abs", t.call("sub", input, other))
    is_near = t.call("bitwise_and", t.call("isfinite", error), t.call("le", error, allowed))
    return t.call("bitwise_or", close, is_near)


composite(
    "isclose(Tensor input, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False)",
    "Whether |input - other| <= atol + rtol * |other|, elementwise.",
    "tri.isclose(tri.tensor([1., 2.]), tri.tensor([1., 2.1]))  # tensor([ True, False])",
    _isclose,
)
