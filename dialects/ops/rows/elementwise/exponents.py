"""Which operations scale by powers or by constants? ldexp, powers in float64, and angles."""

from __future__ import annotations

import math
from typing import Any

from ....attributes.dtype import DType, complex128, float64
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import preserve_strides
from ....diagnostics import TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import refuse_combination
from ...frame.view_rows import tensor_of
from ...frame.writing import OutRule, Writing
from ...gradients.functions import OF_DEG2RAD, OF_LDEXP, OF_RAD2DEG
from .power import is_looked_at


def _multiplied(t: TensorLanguage, name: str, input: Any, factor: float) -> Any:
    if tensor_of(t, input).dtype.is_complex:
        raise TrilithRuntimeError(f"{name} is not supported for complex tensors.")
    product = t.call("mul", input, factor)
    # PyTorch writes it into a tensor like the operand; dims of one element, and what is empty,
    # have other strides in a product.
    given = tensor_of(t, input)
    strides = preserve_strides(given.shape, given.strides)
    is_like = tensor_of(t, product).strides == strides
    return product if is_like else t.call("with_strides", product, strides)


def _radians(t: TensorLanguage, input: Any) -> Any:
    return _multiplied(t, "deg2rad", input, math.pi / 180)


def _degrees(t: TensorLanguage, input: Any) -> Any:
    return _multiplied(t, "rad2deg", input, 180 / math.pi)


composite(
    "deg2rad(Tensor input)",
    "Degrees as radians: input * pi / 180, elementwise.",
    "tri.deg2rad(tri.tensor([180., 90.]))  # tensor([3.1416, 1.5708])",
    _radians,
    has_out=True,
    in_place=("deg2rad_",),
    in_place_functions=("deg2rad_",),
    ufuncs=("deg2rad", "radians"),
    gradient=OF_DEG2RAD,
)
composite(
    "rad2deg(Tensor input)",
    "Radians as degrees: input * 180 / pi, elementwise.",
    "tri.rad2deg(tri.tensor([0., tri.pi]))  # tensor([  0., 180.])",
    _degrees,
    has_out=True,
    in_place=("rad2deg_",),
    in_place_functions=("rad2deg_",),
    ufuncs=("rad2deg", "degrees"),
    gradient=OF_RAD2DEG,
)


def _ldexp(t: TensorLanguage, input: Any, other: Any) -> Any:
    return t.call("mul", input, t.call("pow", 2.0, other))


composite(
    "ldexp(Tensor input, Tensor other)",
    "input * 2^other, elementwise, as a power and a product.",
    "tri.ldexp(tri.tensor([0.5]), tri.tensor([3]))  # tensor([4.])",
    _ldexp,
    has_out=True,
    in_place=("ldexp_",),
    in_place_functions=("ldexp_",),
    gradient=OF_LDEXP,
)


def _as_wide(t: TensorLanguage, value: Any, dtype: DType) -> Any:
    """Return a tensor or a number in float64 or complex128."""
    if isinstance(t.spec(value), TensorSpec):
        return t.call("to", value, dtype)
    if is_number(value):
        return complex(value) if dtype.is_complex or isinstance(value, complex) else float(value)
    return value


def _float_power(t: TensorLanguage, input: Any, exponent: Any) -> Any:
    pair = t.spec(input), t.spec(exponent)
    if all(isinstance(spec, ScalarSpec) for spec in pair):
        refuse_combination("float_power", pair)
    is_complex = any(spec.dtype.is_complex for spec in pair)
    dtype = complex128 if is_complex else float64
    values = [_as_wide(t, value, dtype) for value in (input, exponent)]
    return t.call("pow", *values)


def _refusing_other(what: str) -> OutRule:
    """Return the rule that the result is written into its own dtype alone."""

    def rule(result: DType, out: DType) -> None:
        if out is not result:
            raise TrilithRuntimeError(
                f"{what} has dtype {out.c_name} but the operation's result requires dtype "
                f"{result.c_name}"
            )

    return rule


composite(
    "float_power(Operand input, Operand exponent)",
    "input to the power of exponent, elementwise, in float64 or complex128.",
    "tri.float_power(tri.tensor([2, 3]), 2)  # tensor([4., 9.], dtype=trilith.float64)",
    _float_power,
    has_out=True,
    in_place=("float_power_",),
    static_operands={"exponent": is_looked_at},
    refuse_out=_refusing_other("the output given to float_power"),
    writing=Writing(refuse_result=_refusing_other("the base given to float_power_")),
    ufuncs=("float_power",),
)
