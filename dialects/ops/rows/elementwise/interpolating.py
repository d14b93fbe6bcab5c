"""Which operations add a multiple of something to a tensor? lerp, addcmul and addcdiv."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes.c_types import c_type
from ....attributes.dtype import Category, DType, bfloat16, float16, float32
from ....attributes.promotion import result_type
from ....attributes.spec import ScalarSpec
from ....diagnostics import TrilithRuntimeError
from ...frame.argument_values import is_number
from ...frame.elementwise import elementwise
from ...frame.literals import check_fits, spec_of_operand
from ...frame.opspec import Refusal
from ...frame.outdated import Outdated
from ...frame.row import Attributes, OperandSpec
from ...frame.rules import ALL_COMPLEX, FIELDS, REALS, check_dtype, promote, resolve_without_numbers
from ...gradients.kinks import OF_ADDCDIV, OF_ADDCMUL, OF_LERP
from ...scalars import scalar
from ...scalars.pairs import split
from ...scalars.scalar import Scalar

# ---- between two tensors


def _interpolate(start: Scalar, end: Scalar, weight: Scalar) -> Scalar:
    """Return start + weight * (end - start), from the end that is nearer.

    Real numbers in one rounding, as PyTorch's vectorised kernel does.
    """
    difference = end - start
    if start.dtype.is_complex:
        real, imag = split(weight)
        is_near = real * real + imag * imag < 0.25
        near, far = start + weight * difference, end - difference * (1 - weight)
        return scalar.select(is_near, near, far)
    is_near = abs(weight) < 0.5
    factor = scalar.select(is_near, weight, weight - 1)
    return scalar.fma(factor, difference, scalar.select(is_near, start, end))


def _lerp_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    start, end, weight = operands
    dtype = start.dtype
    if end.dtype is not dtype:
        raise TrilithRuntimeError(
            f"expected dtype {c_type(dtype)} for `end` but got dtype {c_type(end.dtype)}"
        )
    if isinstance(weight, ScalarSpec):
        check_dtype("lerp.number", dtype, FIELDS)
        # A number is not rounded to a narrow float.
        return (dtype, dtype, float32 if dtype in (float16, bfloat16) else dtype), dtype
    if weight.rank and weight.dtype is not dtype:
        raise TrilithRuntimeError(
            f"expected dtype {c_type(dtype)} for `weight` but got dtype {c_type(weight.dtype)}"
        )
    return promote(operands, attributes)


def _check_weight(bound: Mapping[str, Any]) -> None:
    dtype, weight = getattr(bound["input"], "dtype", None), bound["weight"]
    if dtype in FIELDS and is_number(weight):
        check_fits(weight, float32 if dtype in (float16, bfloat16) else dtype)


elementwise(
    "lerp(Tensor input, Tensor end, Operand weight)",
    "input + weight * (end - input), elementwise.",
    "tri.lerp(tri.tensor([1., 2.]), tri.tensor([3., 6.]), 0.5)  # tensor([2., 4.])",
    body=_interpolate,
    promotion=_lerp_dtype,
    accepts=FIELDS,
    resolver=resolve_without_numbers,
    check_numbers=_check_weight,
    gradient=OF_LERP,
)


# ---- a multiple of a product or a quotient


def _plus_product(x: Scalar, a: Scalar, b: Scalar, value: Scalar | None = None) -> Scalar:
    return x + (a if value is None else value * a) * b


def _plus_quotient(x: Scalar, a: Scalar, b: Scalar, value: Scalar | None = None) -> Scalar:
    return x + (a if value is None else value * a) / b


def _beside_value(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The tensors take their common dtype; the factor is not rounded to a narrow float."""
    dtypes, common = promote(operands[:3], attributes)
    wide = float32 if common in (float16, bfloat16) else common
    return dtypes + (wide,) * (len(operands) - 3), common


def _check_value(bound: Mapping[str, Any]) -> None:
    """Refuse a factor that the dtype of the result cannot hold."""
    value = bound["value"]
    tensors = [bound[name] for name in ("input", "tensor1", "tensor2")]
    if is_number(value) and value != 1 and all(hasattr(tensor, "spec") for tensor in tensors):
        common = result_type(*(spec_of_operand(tensor).operand for tensor in tensors))
        if common in REALS | ALL_COMPLEX:
            check_fits(value, float32 if common in (float16, bfloat16) else common)


_WHOLE: Refusal = (
    TrilithRuntimeError,
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes.",
)

_OUTDATED = Outdated(("input value tensor1 tensor2",))
elementwise(
    "addcmul(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
    "input + value * tensor1 * tensor2, elementwise.",
    "tri.addcmul(tri.tensor([1, 2]), tri.tensor([3, 4]), tri.tensor([5, 6]))  # tensor([16, 26])",
    body=_plus_product,
    promotion=_beside_value,
    accepts=REALS | ALL_COMPLEX,
    check_keywords=_check_value,
    outdated=_OUTDATED,
    gradient=OF_ADDCMUL,
)
elementwise(
    "addcdiv(Tensor input, Tensor tensor1, Tensor tensor2, *, Scalar value=1)",
    "input + value * tensor1 / tensor2, elementwise.",
    "tri.addcdiv(tri.tensor([1., 2.]), tri.tensor([3., 4.]), tri.tensor([4., 8.]), value=2)"
    "  # tensor([2.5000, 3.0000])",
    body=_plus_quotient,
    promotion=_beside_value,
    accepts=FIELDS,
    refusals={Category.BOOLEAN: _WHOLE, Category.INTEGRAL: _WHOLE},
    check_keywords=_check_value,
    outdated=_OUTDATED,
    gradient=OF_ADDCDIV,
)
