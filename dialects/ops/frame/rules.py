"""Which dtype, shape, strides and device does an operation give? Rules that rows share.

Source of every rule: PyTorch 2.13's own answers, kept as tables under `tests/data`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NoReturn

from ...attributes.broadcast import broadcast_shapes
from ...attributes.default_dtype import get_default_dtype
from ...attributes.device import Device, cpu
from ...attributes.dtype import (
    Category,
    DType,
    bfloat16,
    bool_,
    complex32,
    complex64,
    complex128,
    float4_e2m1fn_x2,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float8_e8m0fnu,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from ...attributes.extents import are_equal
from ...attributes.options import warn_of_complex32
from ...attributes.promotion import get_promotion_mode, result_type
from ...attributes.spec import ScalarSpec, TensorSpec
from ...attributes.strides import (
    contiguous_strides,
    pointwise_strides,
    preserve_strides,
)
from ...diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
)
from ...frames import warn_once
from ..frame.torch_kernels import not_implemented
from .opspec import ElementwiseOp, Refusal
from .row import Attributes, OperandSpec, Resolved
from .schema import SCALAR_TYPES

#: dtypes in which arithmetic is done, where it is not the dtype itself.
_COMPUTE_DTYPES = {
    **dict.fromkeys(
        (
            *(float16, bfloat16, float8_e4m3fn, float8_e4m3fnuz),
            *(float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu),
        ),
        float32,
    ),
    complex32: complex64,
}


def compute_dtype(dtype: DType) -> DType:
    """Return the dtype a scalar body computes in: at least float32 or complex64, else itself."""
    return _COMPUTE_DTYPES.get(dtype, dtype)


# ---- devices


def common_device(operands: Sequence[OperandSpec]) -> Device:
    """Return the device of the first operand that is not a 0-dim CPU tensor; refuse a mixture."""
    first: Device | None = None
    fallback: Device | None = None
    for operand in operands:
        if isinstance(operand, ScalarSpec):
            continue
        device = operand.device
        if not operand.shape and device.is_host:
            fallback = fallback or device
        elif first is None:
            first = device
        elif device != first:
            raise TrilithRuntimeError(
                f"Tensor on device {device} is not on the expected device {first}!",
                hint="move one of the operands with .to(device) first",
            )
    return first or fallback or cpu


# ---- promotion rules: (operands, attributes) -> (operand dtypes, result dtype)

PromotionRule = Callable[[Sequence[OperandSpec], Attributes], tuple[tuple[DType, ...], DType]]


def _common(operands: Sequence[OperandSpec]) -> DType:
    first = operands[0]
    if len(operands) == 1:
        return first.dtype
    if all(
        isinstance(operand, TensorSpec) and operand.dtype is first.dtype for operand in operands
    ):
        return first.dtype
    return result_type(*(operand.operand for operand in operands))


def promote(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """All operands take the common dtype, and so does the result (add, maximum, ...)."""
    common = _common(operands)
    return (common,) * len(operands), common


def ordered(name: str) -> PromotionRule:
    """Return `promote` that first refuses complex operands, which have no order (maximum)."""

    def rule(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        if any(operand.dtype.is_complex for operand in operands):
            raise TrilithRuntimeError(f"{name} not implemented for complex tensors.")
        return promote(operands, attributes)

    return rule


def subtract(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """As `promote`, but bool operands are refused, even beside others."""
    count = sum(operand.dtype is bool_ for operand in operands)
    if count == 2:
        raise TrilithRuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if count:
        raise TrilithRuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
            "to invert a mask, use the `~` or `logical_not()` operator instead."
        )
    return promote(operands, attributes)


def clamped(name: str, accepts: frozenset[DType]) -> PromotionRule:
    """Return `promote` for clamp, whose kernels for tensor bounds are others than for numbers."""

    def rule(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        first, *bounds = operands
        if first.dtype.is_complex:
            raise TrilithNotImplementedError(_CLAMP_COMPLEX)
        if first.dtype.is_floating_point and any(
            isinstance(bound, ScalarSpec) and bound.dtype.is_complex for bound in bounds
        ):
            raise TrilithRuntimeError("value cannot be converted to type double without overflow")
        dtypes, common = promote(operands, attributes)
        if any(isinstance(operand, ScalarSpec) for operand in operands):
            if common.is_complex:
                raise TrilithNotImplementedError(_CLAMP_COMPLEX)
            check_dtype(f"{name}.number", common, REALS)
        else:
            check_dtype(name, common, accepts)
        return dtypes, common

    return rule


_CLAMP_COMPLEX = "clamp is not supported for complex types"


def of_tensors(name: str, rule: PromotionRule) -> PromotionRule:
    """Return a rule that refuses a call without any tensor, as PyTorch has no such overload."""

    def checked(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        if all(isinstance(operand, ScalarSpec) for operand in operands):
            refuse_combination(name, operands)
        return rule(operands, attributes)

    return checked


def refuse_combination(name: str, operands: Sequence[OperandSpec]) -> NoReturn:
    """Refuse kinds of operands that no overload takes together."""
    kinds = ", ".join(
        operand.kind if isinstance(operand, ScalarSpec) else "Tensor" for operand in operands
    )
    raise TrilithTypeError(
        f"{name}() received an invalid combination of arguments - got ({kinds})",
        hint="one of them must be a tensor" if "Tensor" not in kinds else None,
    )


def real_result(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The operand's dtype; a complex one gives that of its parts (abs)."""
    dtype = operands[0].dtype
    return (dtype,), dtype.to_real()


def int_to_float(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """As `promote`, but an integral common dtype becomes the default dtype (div, exp, ...)."""
    common = _common(operands)
    if common.category <= Category.INTEGRAL:
        common = get_default_dtype()
    return (common,) * len(operands), common


def square_dtype(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The operand's dtype, but int64 for bool (square is pow with an int exponent)."""
    dtype = operands[0].dtype
    dtype = int64 if dtype is bool_ else dtype
    return (dtype,), dtype


def wide_second(rule: PromotionRule, name: str) -> PromotionRule:
    """Return a rule in which a number beside a tensor of narrow floats is not rounded to them.

    The kernels of mul, div and its roundings read a number, or the one element of a tensor, in the
    second place as float32; 8-bit floats they refuse then, in the name of another kernel.
    """

    def widened(
        operands: Sequence[OperandSpec], attributes: Attributes
    ) -> tuple[tuple[DType, ...], DType]:
        dtypes, common = rule(operands, attributes)
        first, second = operands
        if common in FLOAT8 and is_single(second):
            check_dtype(f"{name}.float8", common, REALS)
        if common is float16 or common is bfloat16:
            if isinstance(first, TensorSpec) and is_single(second):
                return (common, float32), common
        return dtypes, common

    return widened


def is_single(operand: OperandSpec) -> bool:
    """Whether an operand is a number, or a tensor of one element."""
    return isinstance(operand, ScalarSpec) or operand.numel == 1


def is_empty(operand: OperandSpec) -> bool:
    """Whether an operand is a tensor without elements."""
    return isinstance(operand, TensorSpec) and not operand.numel


def compare(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """Operands take the common dtype, the result is bool."""
    return (_common(operands),) * len(operands), bool_


def test(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """Operands keep their dtypes, the result is bool (isnan)."""
    return tuple(operand.dtype for operand in operands), bool_


def select(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """A bool condition, then two operands that take their common dtype (where)."""
    condition = operands[0].dtype
    if condition is not bool_ and condition is not uint8:
        raise TrilithRuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{condition.c_name}",
            hint="compare it with something, or convert it with .to(trilith.bool)",
        )
    common = _common(operands[1:])
    return (bool_, common, common), common


def cast(
    operands: Sequence[OperandSpec], attributes: Attributes
) -> tuple[tuple[DType, ...], DType]:
    """The operand keeps its dtype, the result has the one asked for."""
    dtype, source = attributes["dtype"], operands[0].dtype
    assert isinstance(dtype, DType)
    if float4_e2m1fn_x2 in (source, dtype):
        kernel = "cast" if float32 in (source, dtype) else "cast.bytes"
        check_dtype(kernel, float4_e2m1fn_x2, CASTABLE)
    check_castable(dtype)
    if source.is_complex and not (dtype.is_complex or dtype is bool_):
        warn_once("Casting complex values to real discards the imaginary part")
    return (source,), dtype


# ---- checks of dtypes


BOOL = frozenset({bool_})
INTEGERS = frozenset({uint8, int8, int16, int32, int64})
WIDE_UNSIGNED = frozenset({uint16, uint32, uint64})
FLOATS = frozenset({float16, bfloat16, float32, float64})
REALS = INTEGERS | FLOATS
#: What arithmetic is defined on, and what also takes bool.
ARITHMETIC = REALS | BOOL
COMPLEX = frozenset({complex64, complex128})
ALL_COMPLEX = COMPLEX | {complex32}
#: What most functions are defined on.
FIELDS = FLOATS | COMPLEX
FLOAT8 = frozenset({float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz, float8_e8m0fnu})
#: What converts to one another.
CASTABLE = ARITHMETIC | WIDE_UNSIGNED | FLOAT8 | ALL_COMPLEX


def check_dtype(
    kernel: str,
    dtype: DType,
    accepts: frozenset[DType],
    refusals: Mapping[Category, Refusal] | None = None,
) -> None:
    """Refuse a dtype that a row, or one of its kernels, does not take, in PyTorch's words."""
    if dtype in accepts:
        return
    if dtype in WIDE_UNSIGNED and accepts >= INTEGERS and get_promotion_mode() == "array_api":
        # What works on every other integer works on these; PyTorch has no kernels for them.
        return
    refusal = (refusals or {}).get(dtype.category)
    error, text = refusal or (TrilithNotImplementedError, not_implemented(kernel))
    raise error(text.replace("{dtype}", dtype.c_name))


def check_castable(dtype: DType) -> None:
    """Refuse a dtype that no other is converted to or from."""
    check_dtype("cast", dtype, CASTABLE)


# ---- elementwise operations


def broadcast(operands: Sequence[OperandSpec]) -> tuple[int, ...]:
    """Return the shape that all operands broadcast to."""
    shapes = [operand.shape for operand in operands if isinstance(operand, TensorSpec)]
    first = shapes[0] if shapes else ()
    if all(are_equal(shape, first) for shape in shapes):
        return first
    return broadcast_shapes(*shapes)


def resolve_elementwise(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Broadcast shapes, promote dtypes, and give PyTorch's pointwise strides."""
    dtypes, result_dtype = row.promotion(operands, attributes)
    try:
        check_dtype(row.name, dtypes[-1], row.accepts, row.refusals)
    except TrilithNotImplementedError as error:
        error.result = result_dtype
        raise
    shape = broadcast(operands)
    device = common_device(operands)
    count = _laid_out(row, len(operands))
    strides = elementwise_strides(shape, operands[:count], dtypes[:count])
    warn_of_complex32(result_dtype)
    result = TensorSpec.of(shape, result_dtype, device, strides)
    return Resolved(dict(attributes), dtypes, result)


def _laid_out(row: ElementwiseOp, count: int) -> int:
    """Return how many of a row's operands PyTorch lays its result out by: alpha is none of them."""
    parameters = (item for item in row.schema.parameters if item.is_operand)
    return sum(item.type not in SCALAR_TYPES for item in islice(parameters, count))


def elementwise_strides(
    shape: tuple[int, ...], operands: Sequence[OperandSpec], dtypes: Sequence[DType]
) -> tuple[int, ...]:
    """Return the strides of a pointwise result; an operand that is cast first is packed by that."""
    contiguous = contiguous_strides(shape)
    layouts: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    plain = True
    for operand, dtype in zip(operands, dtypes, strict=True):
        if isinstance(operand, ScalarSpec):
            layouts.append(((), ()))
            # Beside a number the dims are sorted, and one of size 1 goes before one of size 0.
            plain = plain and 0 not in shape
            continue
        strides = operand.strides
        if operand.dtype is not dtype:
            strides = preserve_strides(operand.shape, strides)
        layouts.append((operand.shape, strides))
        plain = plain and are_equal(operand.shape, shape) and strides == contiguous
    if plain:
        return contiguous
    return pointwise_strides(shape, layouts)


def resolve_like(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Lay the result out like the first operand: where PyTorch fills a tensor like that.

    Of casts, and of tests (isreal). A pointwise result of dims of size 1 would be packed again.
    """
    resolved = resolve_elementwise(row, operands, attributes)
    operand = operands[0]
    if not isinstance(operand, TensorSpec):
        return resolved
    found = resolved.result
    strides = preserve_strides(operand.shape, operand.strides)
    result = TensorSpec.of(found.shape, found.dtype, found.device, strides)
    return Resolved(resolved.attributes, resolved.operand_dtypes, result)


def resolve_contiguous(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Pack the result, however its operands lie: where PyTorch's kernel takes packed ones alone."""
    resolved = resolve_elementwise(row, operands, attributes)
    found = resolved.result
    result = TensorSpec.of(found.shape, found.dtype, found.device)
    return Resolved(resolved.attributes, resolved.operand_dtypes, result)


def resolve_whole_like(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Lay the result out like an operand of integers, whose answer PyTorch knows (isinf)."""
    is_whole = operands[0].dtype.category <= Category.INTEGRAL
    return (resolve_like if is_whole else resolve_elementwise)(row, operands, attributes)


def resolve_without_numbers(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Leave numbers out of the strides' rule: of clamp and pow PyTorch has kernels with them."""
    resolved = resolve_elementwise(row, operands, attributes)
    tensors = [operand for operand in operands if isinstance(operand, TensorSpec)]
    if len(tensors) == len(operands) or not tensors:
        return resolved
    found = resolved.result
    dtypes = [
        dtype
        for operand, dtype in zip(operands, resolved.operand_dtypes, strict=True)
        if isinstance(operand, TensorSpec)
    ]
    strides = elementwise_strides(found.shape, tensors, dtypes)
    result = TensorSpec.of(found.shape, found.dtype, found.device, strides)
    return Resolved(resolved.attributes, resolved.operand_dtypes, result)
