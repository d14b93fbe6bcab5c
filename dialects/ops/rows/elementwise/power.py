"""What do powers mean? An exponent that is a Python number chooses the kernel by its value.

As in PyTorch, `x ** 2` is a product and `x ** 0.5` a square root, which differ from the general
power in the last bit, at -0.0 and at -inf. float16 takes the general kernel for all but 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....attributes.dtype import Category, DType, float16
from ....attributes.memory_format import contiguous_format
from ....attributes.promotion import result_type
from ....attributes.spec import ScalarSpec, TensorSpec
from ....attributes.strides import contiguous_strides, is_contiguous
from ....diagnostics import TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.elementwise import elementwise, unary
from ...frame.literals import check_fits
from ...frame.opspec import composite
from ...frame.row import TensorLanguage
from ...frame.rules import (
    COMPLEX,
    REALS,
    refuse_combination,
    resolve_without_numbers,
    square_dtype,
)
from ...gradients.functions import OF_SQUARE
from ...gradients.kinks import OF_POW
from ...scalars import scalar
from ...scalars.scalar import Scalar


def _square(a: Scalar) -> Scalar:
    return a * a


def _power(base: Scalar, exponent: Scalar) -> Scalar:
    if base.dtype.is_floating_point or base.dtype.is_complex:
        return scalar.pow(base, exponent)
    return _integer_power(base, exponent)


def _integer_power(base: Scalar, exponent: Scalar) -> Scalar:
    """Square and multiply over every bit of the exponent; it wraps as PyTorch's loop does.

    A negative exponent gives 1 for base 1, plus or minus 1 for base -1 and else 0.
    """
    result = base.language.constant(1, base.dtype)
    factor = base
    for bit in range(base.dtype.bits):
        is_set = ((exponent >> bit) & 1).ne(0)
        result = scalar.select(is_set, result * factor, result)
        factor = factor * factor
    if not base.dtype.is_signed:
        return result
    is_odd = (exponent & 1).ne(0)
    unit = scalar.select(is_odd, base, 1)
    of_negative = scalar.select(base.eq(1) | base.eq(-1), unit, 0)
    return scalar.select(exponent < 0, of_negative, result)


unary(
    "square",
    "input * input, elementwise; bool gives int64.",
    "tri.square(tri.tensor([3, -2]))  # tensor([9, 4])",
    body=_square,
    promotion=square_dtype,
    accepts=REALS | COMPLEX,
    in_place_functions=("square_",),
    gradient=OF_SQUARE,
)
elementwise(
    "power(Operand input, Operand exponent)",
    "input to the power of exponent, elementwise: `pow` where no simpler operation says it.",
    "tri.pow(2, tri.tensor([3, 5]))  # tensor([ 8, 32])",
    body=_power,
    resolver=resolve_without_numbers,
    accepts=REALS | COMPLEX,
    methods=(),
    is_public=False,
    domain=(0.0, 20.0),
    ulp=2.0,
    is_costly=True,
    gradient=OF_POW,
)


def _pow(t: TensorLanguage, input: Any, exponent: Any) -> Any:
    base = t.spec(input)
    if isinstance(base, ScalarSpec):
        if is_number(exponent):
            refuse_combination("pow", (base, t.spec(exponent)))
        result = _filled(t, input, base, exponent, t.call("power", input, exponent))
        spec = t.spec(result)
        assert isinstance(spec, TensorSpec)
        # PyTorch's kernel for a number as the base always gives a packed result.
        is_packed = spec.strides == contiguous_strides(spec.shape)
        return result if is_packed else t.call("clone", result, memory_format=contiguous_format)
    if not is_number(exponent):
        return t.call("power", input, exponent)
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    common = result_type(spec.operand, ScalarSpec.of(exponent).operand)
    if isinstance(exponent, int) and common.category <= Category.INTEGRAL and exponent < 0:
        raise TrilithRuntimeError(
            "Integers to negative integer powers are not allowed.",
            hint="convert the base to a floating dtype first",
        )
    is_packed = is_contiguous(spec.shape, spec.strides)
    memory_format = contiguous_format if is_packed else None
    if exponent == 0:
        return t.call("ones_like", input, dtype=common, memory_format=memory_format)
    if exponent == 1:
        return t.call("clone", t.call("to", input, common), memory_format=memory_format)
    if common not in REALS | COMPLEX:
        return t.call("power", input, exponent)
    _check_fits(exponent, common)
    if isinstance(exponent, complex):
        if exponent.imag:
            return t.call("power", input, exponent)
        exponent = exponent.real
    return _known_power(t, t.call("to", input, common), exponent, common)


def _filled(t: TensorLanguage, number: Any, base: ScalarSpec, exponent: Any, power: Any) -> Any:
    """Return ones where the number is 1, as PyTorch does: C's complex power has NaN at infinity."""
    spec = t.spec(power)
    assert isinstance(spec, TensorSpec)
    # The reals have no need, and PyTorch does not ask a bool.
    if spec.dtype not in COMPLEX or base.kind == "bool":
        return power
    is_one = t.call("eq", t.call("full_like", exponent, number, dtype=spec.dtype), 1)
    return t.call("where", is_one, 1, power)


def is_looked_at(exponent: Any) -> bool:
    """Whether a power by this number may be another operation than the general power."""
    return type(exponent) is not float or exponent in (-2, -1, -0.5, 0, 0.5, 1, 2, 3)


def _check_exponent(bound: Mapping[str, Any]) -> None:
    """Check an exponent that `_pow` does not see."""
    base, exponent = bound["input"], bound["exponent"]
    if is_number(exponent) and not is_looked_at(exponent) and hasattr(base, "spec"):
        spec = ScalarSpec.of(exponent)
        _check_fits(exponent, result_type(base.spec.operand, spec.operand))


def _check_fits(exponent: complex, common: DType) -> None:
    """Check that the dtype of a power holds the exponent, where PyTorch converts it."""
    is_converted = common.itemsize < 4 or common.category <= Category.INTEGRAL
    if is_converted and common in REALS | COMPLEX:
        check_fits(exponent, common, narrow_floats=True)


def _known_power(t: TensorLanguage, x: Any, exponent: float, dtype: DType) -> Any:
    """Return x to a known power; x has the dtype of the result."""
    if dtype.category <= Category.INTEGRAL:
        return _repeated_product(t, x, int(exponent))
    if exponent == 2:
        return t.call("mul", x, x)
    if dtype is float16:
        return t.call("power", x, exponent)
    if exponent == 3:
        return t.call("mul", t.call("mul", x, x), x)
    if exponent == -2:
        return t.call("reciprocal", t.call("mul", x, x))
    simpler = {0.5: "sqrt", -0.5: "rsqrt", -1: "reciprocal"}.get(exponent)
    return t.call("power", x, exponent) if simpler is None else t.call(simpler, x)


def _repeated_product(t: TensorLanguage, x: Any, exponent: int) -> Any:
    """Square and multiply; integers wrap, so the order does not matter."""
    result = None
    while exponent:
        if exponent & 1:
            result = x if result is None else t.call("mul", result, x)
        exponent >>= 1
        if exponent:
            x = t.call("mul", x, x)
    return result


composite(
    "pow(Operand input, Operand exponent)",
    "input to the power of exponent, elementwise.",
    "tri.pow(tri.tensor([2., 3.]), 2)  # tensor([4., 9.])",
    _pow,
    methods=("pow", "__pow__", "__rpow__"),
    in_place=("pow_", "__ipow__"),
    has_out=True,
    static_operands={"exponent": is_looked_at},
    check_numbers=_check_exponent,
    ufuncs=("power",),
    gradient=OF_POW,
)
