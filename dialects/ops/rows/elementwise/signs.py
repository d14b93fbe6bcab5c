"""Which operations are about signs, ends and neighbours, or make a number of two others?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import Category, DType, bfloat16, bool_, float16, float32, float64
from ....attributes.promotion import result_type
from ....diagnostics import TrilithError, TrilithNotImplementedError, TrilithRuntimeError
from ...frame.elementwise import elementwise, unary
from ...frame.gradients import UNKNOWN
from ...frame.opspec import Refusal, composite
from ...frame.out_rules import boolean, scalar_type
from ...frame.row import Attributes, OperandSpec, TensorLanguage
from ...frame.rules import (
    ARITHMETIC,
    FLOATS,
    WIDE_UNSIGNED,
    check_dtype,
    int_to_float,
    resolve_whole_like,
    test,
)
from ...gradients.complexes import OF_COMPLEX, OF_POLAR
from ...gradients.kinks import OF_COPYSIGN, OF_NEXTAFTER
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.expansions.floating import format_of, to_bits
from ...scalars.scalar import Scalar

# ---- signs


def _is_negative(x: Scalar) -> Scalar:
    """Return whether the sign bit is set: that of -0.0 and of some NaN is."""
    if x.dtype.is_floating_point:
        return (to_bits(x) & format_of(x).sign).ne(0)
    return x < 0 if x.dtype.is_signed else x.language.constant(False, bool_)


def _heaviside(x: Scalar, at_zero: Scalar) -> Scalar:
    if x.dtype.category is Category.BOOLEAN:
        return x | at_zero
    step = scalar.cast(x > 0, x.dtype)
    return scalar.select(x.eq(0), at_zero, step)


def _step_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    first, second = (operand.dtype for operand in operands)
    if first.is_complex or second.is_complex:
        raise TrilithRuntimeError("heaviside is not yet implemented for complex tensors.")
    if first is not second:
        raise TrilithRuntimeError(
            "heaviside is not yet implemented for tensors with different dtypes."
        )
    return (first, second), first


def _refused_complex(error: type[TrilithError], text: str) -> dict[Category, Refusal]:
    return {Category.COMPLEX: (error, text)}


elementwise(
    "copysign(Tensor input, Operand other)",
    "The magnitude of input with the sign of other, elementwise.",
    "tri.copysign(tri.tensor([1., -2.]), -0.0)  # tensor([-1., -2.])",
    body=scalar.copysign,
    promotion=int_to_float,
    accepts=FLOATS,
    ufuncs=("copysign",),
    gradient=OF_COPYSIGN,
)
unary(
    "signbit",
    "Whether the sign bit of input is set, elementwise; that of -0.0 is.",
    "tri.signbit(tri.tensor([1., -0.]))  # tensor([False,  True])",
    body=_is_negative,
    promotion=test,
    accepts=ARITHMETIC | WIDE_UNSIGNED,
    refusals=_refused_complex(
        TrilithNotImplementedError, "signbit is not implemented for complex tensors."
    ),
    in_place=(),
    ufuncs=("signbit",),
)
elementwise(
    "heaviside(Tensor input, Tensor values)",
    "0 below zero and 1 above, elementwise; at zero that of values.",
    "tri.heaviside(tri.tensor([-2., 0., 3.]), tri.tensor([0.5]))  "
    "# tensor([0.0000, 0.5000, 1.0000])",
    body=_heaviside,
    promotion=_step_dtype,
    ufuncs=("heaviside",),
    gradient=UNKNOWN,
)


# ---- ends


def _is_infinity(x: Scalar, end: float) -> Scalar:
    is_float = x.dtype.is_floating_point
    return x.eq(end) if is_float else x.language.constant(False, bool_)


def _is_above_all(x: Scalar) -> Scalar:
    return _is_infinity(x, math.inf)


def _is_below_all(x: Scalar) -> Scalar:
    return _is_infinity(x, -math.inf)


for _name, _body, _word, _shown in (
    ("isposinf", _is_above_all, "plus", "[ True, False]"),
    ("isneginf", _is_below_all, "minus", "[False,  True]"),
):
    unary(
        _name,
        f"Whether input is {_word} infinity, elementwise.",
        f"tri.{_name}(tri.tensor([tri.inf, -tri.inf]))  # tensor({_shown})",
        body=_body,
        promotion=test,
        accepts=ARITHMETIC | WIDE_UNSIGNED,
        refusals=_refused_complex(TrilithRuntimeError, f"{_name} does not support complex inputs."),
        refuse_out=boolean(_name),
        resolver=resolve_whole_like,
        in_place=(),
    )


# ---- neighbours


def _next_after(x: Scalar, other: Scalar, unit: int = 1, least: float = 0.0) -> Scalar:
    """Return the number beside x on the way to other.

    `unit` is what the last bit of the dtype is worth among those of the scalar. `least` is the
    smallest positive number of a dtype whose denormals are normal here: up to 1024 times that the
    numbers are as far apart.
    """
    form = format_of(x)
    sign = to_bits(x) & form.sign
    magnitude = to_bits(x) ^ sign
    is_up = other > x
    grows = is_up ^ _is_negative(x)
    bits = scalar.select(grows, magnitude + unit, magnitude - unit)
    stepped = scalar.bitcast(bits | sign, x.dtype)
    smallest = scalar.bitcast(x.language.constant(unit, form.bits), x.dtype)
    if least:
        smallest = x.language.constant(least, x.dtype)
        edge = least * 1024
        is_even = (abs(x) < edge) | (abs(x).eq(edge) & ~grows)
        # The sign stays when a step ends at zero.
        beside = scalar.copysign(x + scalar.select(is_up, smallest, -least), x)
        stepped = scalar.select(is_even, beside, stepped)
        largest = scalar.copysign(2.0**16 - 2.0**5, x)
        stepped = scalar.select(abs(x).eq(math.inf), largest, stepped)
    moved = scalar.select(x.eq(0), scalar.copysign(smallest, other), stepped)
    is_unknown = scalar.isnan(x) | scalar.isnan(other)
    return scalar.select(x.eq(other), other, scalar.select(is_unknown, x + other, moved))


elementwise(
    "next_after(Tensor input, Tensor other, *, int unit=1, float least=0.0)",
    "The number beside input on the way to other: `nextafter`, told how far apart numbers are.",
    "tri.nextafter(tri.tensor([0.]), tri.tensor([-1.]))  # tensor([-1.4013e-45])",
    body=_next_after,
    accepts=FLOATS,
    methods=(),
    is_public=False,
)

#: How far apart the numbers of dtypes are that bodies see as float32.
_UNITS: dict[DType, dict[str, float]] = {
    bfloat16: {"unit": 1 << 16},
    float16: {"unit": 1 << 13, "least": 2.0**-24},
}


def _nextafter(t: TensorLanguage, input: Any, other: Any) -> Any:
    common = result_type(t.spec(input).operand, t.spec(other).operand)
    check_dtype("nextafter", common, FLOATS)
    return t.call("next_after", input, other, **_UNITS.get(common, {}))


composite(
    "nextafter(Tensor input, Tensor other)",
    "The number beside input on the way to other, elementwise.",
    "tri.nextafter(tri.tensor([0.]), tri.tensor([-1.]))  # tensor([-1.4013e-45])",
    _nextafter,
    has_out=True,
    in_place=("nextafter_",),
    ufuncs=("nextafter",),
    gradient=OF_NEXTAFTER,
)


# ---- numbers of two others


def _hypotenuse(a: Scalar, b: Scalar) -> Scalar:
    return abs(complex_of(a, b))


def _with_parts(real: Scalar, imag: Scalar) -> Scalar:
    return complex_of(real, imag)


def _with_angle(magnitude: Scalar, angle: Scalar) -> Scalar:
    return complex_of(magnitude * scalar.cos(angle), magnitude * scalar.sin(angle))


def _complex_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    first, second = (operand.dtype for operand in operands)
    if not {first, second} <= {float16, float32, float64}:
        raise TrilithRuntimeError(
            "Expected both inputs to be Half, Float or Double tensors but got "
            f"{first.c_name} and {second.c_name}"
        )
    if first is not second:
        raise TrilithRuntimeError(
            f"Expected object of scalar type {first.c_name} but got scalar type {second.c_name} "
            "for second argument"
        )
    return (first, second), first.to_complex()


elementwise(
    "hypot(Tensor input, Tensor other)",
    "sqrt(input^2 + other^2) without overflow on the way, elementwise.",
    "tri.hypot(tri.tensor([3.]), tri.tensor([4.]))  # tensor([5.])",
    body=_hypotenuse,
    accepts=FLOATS,
    ulp=2.0,
    is_costly=True,
    ufuncs=("hypot",),
)
elementwise(
    "complex(Tensor real, Tensor imag)",
    "The complex numbers of two parts, elementwise.",
    "tri.complex(tri.tensor([1.]), tri.tensor([2.]))  # tensor([1.+2.j])",
    body=_with_parts,
    promotion=_complex_dtype,
    accepts=FLOATS,
    methods=(),
    refuse_out=scalar_type,
    gradient=OF_COMPLEX,
)
elementwise(
    "polar(Tensor abs, Tensor angle)",
    "The complex numbers of a magnitude and an angle in radians, elementwise.",
    "tri.polar(tri.tensor([2.]), tri.tensor([0.]))  # tensor([2.+0.j])",
    body=_with_angle,
    promotion=_complex_dtype,
    accepts=FLOATS - {float16},
    ulp=3.0,
    is_costly=True,
    methods=(),
    refuse_out=scalar_type,
    gradient=OF_POLAR,
)
