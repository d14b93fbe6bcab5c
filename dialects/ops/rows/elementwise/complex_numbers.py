"""Which operations ask about a number what complex ones made a question of? Signs, angles, ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import (
    Category,
    DType,
    bool_,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2fnuz,
    float8_e8m0fnu,
)
from ....attributes.spec import TensorSpec
from ...frame.elementwise import unary
from ...frame.opspec import Algebra, ElementwiseOp, composite
from ...frame.row import Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import (
    ALL_COMPLEX,
    ARITHMETIC,
    CASTABLE,
    FIELDS,
    int_to_float,
    resolve_elementwise,
    resolve_like,
    resolve_whole_like,
    test,
)
from ...frame.view_rows import tensor_of
from ...gradients.complexes import OF_ANGLE, OF_CONJ_PHYSICAL, OF_SGN
from ...scalars import scalar
from ...scalars.pairs import join, split
from ...scalars.scalar import Scalar

_NO_INFINITY = frozenset({float8_e4m3fn, float8_e4m3fnuz, float8_e5m2fnuz})


def sign_of(x: Scalar) -> Scalar:
    """Return -1, 0 or 1 by the sign; of a complex number, that of magnitude 1 in its direction."""
    if x.dtype.is_complex:
        return x.language.apply("sgn", (x,), x.dtype)
    if x.dtype.category is Category.BOOLEAN:
        return x
    if not x.dtype.is_signed:
        return scalar.cast(x > 0, x.dtype)
    # NaN is neither above nor below zero: PyTorch gives 0.
    return scalar.cast(x > 0, x.dtype) - scalar.cast(x < 0, x.dtype)


def _angle(x: Scalar) -> Scalar:
    if x.dtype.is_complex:
        return x.language.apply("angle", (x,), x.dtype.to_real())
    angle = scalar.cast(x < 0.0, x.dtype) * math.pi
    return scalar.select(scalar.isnan(x), x, angle)


def _conjugate(z: Scalar) -> Scalar:
    real, imag = split(z)
    return join(z, real, -imag)


def _is_finite(x: Scalar) -> Scalar:
    if x.dtype.is_complex:
        real, imag = split(x)
        return _is_finite(real) & _is_finite(imag)
    return abs(x) < math.inf if x.dtype.is_floating_point else _always(x, True)


def _is_infinite(x: Scalar) -> Scalar:
    if x.dtype.is_complex:
        real, imag = split(x)
        return _is_infinite(real) | _is_infinite(imag)
    return abs(x).eq(math.inf) if x.dtype.is_floating_point else _always(x, False)


def _is_real(x: Scalar) -> Scalar:
    return split(x)[1].eq(0.0) if x.dtype.is_complex else _always(x, True)


def _always(x: Scalar, truth: bool) -> Scalar:
    return x.language.constant(truth, bool_)


def _angle_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """As for exp, but the result is real."""
    dtypes, common = int_to_float(operands, attributes)
    return dtypes, common.to_real()


def _resolve_angle(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """As for any elementwise row, but of a complex tensor the result is contiguous."""
    resolved = resolve_elementwise(row, operands, attributes)
    (operand,) = operands
    if not isinstance(operand, TensorSpec) or not operand.dtype.is_complex:
        return resolved
    result = resolved.result
    packed = TensorSpec.of(result.shape, result.dtype, result.device)
    return Resolved(resolved.attributes, resolved.operand_dtypes, packed)


unary(
    "sgn",
    "input / abs(input), elementwise, and 0 for 0: `sign` for complex numbers too.",
    "tri.sgn(tri.tensor([-3., 0., 5.]))  # tensor([-1.,  0.,  1.])",
    body=sign_of,
    accepts=ARITHMETIC | ALL_COMPLEX,
    gradient=OF_SGN,
)
unary(
    "angle",
    "The angle of a complex number in radians, elementwise; pi for a negative one that is real.",
    "tri.angle(tri.tensor([1j, -1]))  # tensor([1.5708, 3.1416])",
    body=_angle,
    promotion=_angle_dtype,
    accepts=FIELDS,
    is_costly=True,
    in_place=(),
    resolver=_resolve_angle,
    gradient=OF_ANGLE,
)
unary(
    "conj_elements",
    "The conjugate, elementwise: what `conj_physical` of a complex tensor becomes.",
    "tri.conj_physical(tri.tensor([1 + 2j]))  # tensor([1.-2.j])",
    body=_conjugate,
    accepts=ALL_COMPLEX,
    algebra=Algebra(involution=True),
    methods=(),
    resolver=resolve_like,
    is_public=False,
    gradient=OF_CONJ_PHYSICAL,
)
unary(
    "isfinite",
    "Whether input is neither infinite nor NaN, elementwise.",
    "tri.isfinite(tri.tensor([1., tri.inf]))  # tensor([ True, False])",
    body=_is_finite,
    promotion=test,
    accepts=CASTABLE - _NO_INFINITY,
    in_place=(),
    resolver=resolve_whole_like,
    has_out=False,
)
unary(
    "isinf",
    "Whether input is an infinity, or has an infinite part, elementwise.",
    "tri.isinf(tri.tensor([1., tri.inf]))  # tensor([False,  True])",
    body=_is_infinite,
    promotion=test,
    accepts=CASTABLE - _NO_INFINITY - {float8_e8m0fnu},
    in_place=(),
    resolver=resolve_whole_like,
    has_out=False,
)
unary(
    "isreal",
    "Whether the imaginary part of input is zero, elementwise.",
    "tri.isreal(tri.tensor([1j, 1]))  # tensor([False,  True])",
    body=_is_real,
    promotion=test,
    accepts=CASTABLE,
    in_place=(),
    resolver=resolve_like,
    has_out=False,
)


def _conj_physical(t: TensorLanguage, input: Any) -> Any:
    is_complex = tensor_of(t, input).dtype.is_complex
    return t.call("conj_elements", input) if is_complex else input


composite(
    "conj_physical(Tensor input)",
    "The conjugate of a complex tensor, elementwise; any other tensor itself.",
    "tri.conj_physical(tri.tensor([1 + 2j]))  # tensor([1.-2.j])",
    _conj_physical,
    has_out=True,
    in_place=("conj_physical_",),
    in_place_functions=("conj_physical_",),
)
