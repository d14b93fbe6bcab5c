"""Which operations change dtype, device or memory format, and nothing else?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..attributes import dtype as dtypes
from ..attributes.device import Device
from ..attributes.dtype import Category, DType, float32, float64, int32, int64, uint32, uint64
from ..attributes.memory_format import MemoryFormat, contiguous_format, preserve_format
from ..attributes.spec import TensorSpec
from ..attributes.strides import (
    is_contiguous,
    preserve_strides,
    strides_for,
    suggest_memory_format,
)
from ..diagnostics import TrilithNotImplementedError
from . import scalar
from .elementwise import elementwise
from .opspec import (
    TABLE,
    Attributes,
    CompositeOp,
    CopyOp,
    ElementwiseOp,
    OperandSpec,
    Resolved,
    TensorLanguage,
    describe,
)
from .rules import ALL_COMPLEX, CASTABLE, cast, compute_dtype, resolve_elementwise
from .scalar import Scalar


def convert(x: Scalar, dtype: DType) -> Scalar:
    """Convert by PyTorch's rules; the result is in the compute dtype of `dtype`.

    Float to integer cuts towards zero. int32 and int64 give their minimum for NaN and whatever is
    out of range; the narrow integers are the low bits of the int32 conversion.
    """
    target = compute_dtype(dtype)
    if not x.dtype.is_floating_point or target.category is not Category.INTEGRAL:
        if x.dtype is float64 and dtype is not target:
            return scalar.cast(x, float32)
        return scalar.cast(x, target)
    if target is int32 or target is int64:
        return scalar.cast(x, target)
    if target is uint64:
        return _to_uint64(x)
    if target is uint32:
        bits = scalar.cast(scalar.cast(x, int64), uint32)
        return scalar.select(scalar.isnan(x), 2**31, bits)
    return scalar.cast(scalar.cast(x, int32), target)


def _to_uint64(x: Scalar) -> Scalar:
    """Convert as x86 compilers do: what is 2**63 and more is converted less 2**63."""
    is_high = x >= 2.0**63
    low = scalar.bitcast(scalar.cast(scalar.select(is_high, x - 2.0**63, x), int64), uint64)
    return scalar.select(is_high, low ^ (1 << 63), low)


def _resolve_cast(
    row: ElementwiseOp, operands: Sequence[OperandSpec], attributes: Attributes
) -> Resolved:
    """Keep the strides, where a pointwise result of dims of size 1 would be packed again."""
    resolved = resolve_elementwise(row, operands, attributes)
    (operand,) = operands
    if not isinstance(operand, TensorSpec):
        return resolved
    strides = preserve_strides(operand.shape, operand.strides)
    result = TensorSpec.of(operand.shape, resolved.result.dtype, operand.device, strides)
    return Resolved(resolved.attributes, resolved.operand_dtypes, result)


elementwise(
    "cast(Tensor input, dtype dtype)",
    "The elements converted to another dtype; layout as preserve_format gives it.",
    "tri.tensor([1.7, -1.7]).to(tri.int32)  # tensor([ 1, -1], dtype=trilith.int32)",
    body=convert,
    promotion=cast,
    resolver=_resolve_cast,
    accepts=CASTABLE,
    pending=ALL_COMPLEX,
    kernel="copy_kernel",
    methods=(),
    is_public=False,
)


def _strides_of(spec: TensorSpec, memory_format: Any) -> tuple[int, ...]:
    if memory_format is None or memory_format is preserve_format:
        return preserve_strides(spec.shape, spec.strides)
    return strides_for(spec.shape, memory_format)


def _resolve_clone(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    strides = _strides_of(operand, attributes["memory_format"])
    result = TensorSpec.of(operand.shape, operand.dtype, operand.device, strides)
    return Resolved(dict(attributes), (operand.dtype,), result)


TABLE.add(
    CopyOp(
        **describe(
            "clone(Tensor input, *, memory_format? memory_format=None)",
            "A copy in memory of its own, in the input's layout or in a memory format.",
            "tri.zeros(1, 2, 3, 5).clone(memory_format=tri.channels_last).stride()"
            "  # (30, 1, 10, 2)",
            None,
        ),
        resolver=_resolve_clone,
    )
)


def _has_format(spec: TensorSpec, memory_format: Any) -> bool:
    return is_contiguous(spec.shape, spec.strides, memory_format)


def _contiguous(t: TensorLanguage, input: Any, memory_format: MemoryFormat | None) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    wanted = contiguous_format if memory_format is None else memory_format
    if _has_format(spec, wanted):
        return input
    return t.call("clone", input, memory_format=wanted)


def _to(
    t: TensorLanguage,
    input: Any,
    target: DType | Device | tuple[DType, Device] | None,
    dtype: DType | None,
    non_blocking: bool,
    copy: bool,
    device: Device | None,
    memory_format: MemoryFormat | None,
) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    if isinstance(target, tuple):
        dtype, device = target
    elif isinstance(target, DType):
        dtype = target
    elif target is not None:
        device = target
    if device is not None and device.type == spec.device.type == "cpu":
        # The host has one memory, but its index is another device: `x.to("cpu:0")` copies.
        copy = copy or device != spec.device
        device = None
    if device is not None and device != spec.device:
        raise TrilithNotImplementedError(
            f"moving a tensor from {spec.device} to {device} is not offered yet"
        )
    if memory_format is preserve_format:
        memory_format = None
    is_cast = dtype is not None and dtype is not spec.dtype
    is_laid_out = memory_format in (None, suggest_memory_format(spec.shape, spec.strides))
    if not (copy or is_cast) and is_laid_out:
        return input
    if not is_cast:
        return t.call("clone", input, memory_format=memory_format)
    result = t.call("cast", input, dtype)
    if memory_format is None or _strides(t, result) == strides_for(spec.shape, memory_format):
        return result
    return t.call("clone", result, memory_format=memory_format)


def _strides(t: TensorLanguage, value: Any) -> tuple[int, ...]:
    spec = t.spec(value)
    assert isinstance(spec, TensorSpec)
    return spec.strides


def _sugar(signature: str, doc: str, example: str, expand: Any) -> None:
    TABLE.add(
        CompositeOp(**describe(signature, doc, example, None), expand=expand, is_public=False)
    )


_sugar(
    "contiguous(Tensor input, *, memory_format? memory_format=None)",
    "The tensor itself if it has the memory format, else a copy that has it.",
    "tri.zeros(2, 3).t().contiguous().stride()  # (2, 1)",
    _contiguous,
)
_sugar(
    "to(Tensor input, Target? target=None, dtype? dtype=None, bool non_blocking=False, "
    "bool copy=False, *, device? device=None, memory_format? memory_format=None)",
    "The tensor with another dtype, device or memory format; itself where nothing changes.",
    "tri.tensor([1, 2]).to(tri.float32)  # tensor([1., 2.])",
    _to,
)


def _cast_method(name: str, dtype: DType) -> None:
    def expand(t: TensorLanguage, input: Any) -> Any:
        return t.call("to", input, dtype)

    _sugar(
        f"{name}(Tensor input)",
        f"The tensor as {dtype}: `to({dtype})`.",
        f"tri.tensor([1]).{name}().dtype  # {dtype}",
        expand,
    )


for _name, _dtype in {
    "float": dtypes.float32,
    "double": dtypes.float64,
    "half": dtypes.float16,
    "bfloat16": dtypes.bfloat16,
    "bool": dtypes.bool_,
    "byte": dtypes.uint8,
    "char": dtypes.int8,
    "short": dtypes.int16,
    "int": dtypes.int32,
    "long": dtypes.int64,
}.items():
    _cast_method(_name, _dtype)


def _resolve_transfer(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    device = attributes["device"]
    assert isinstance(device, Device)
    strides = preserve_strides(operand.shape, operand.strides)
    result = TensorSpec.of(operand.shape, operand.dtype, device, strides)
    return Resolved(dict(attributes), (operand.dtype,), result)


TABLE.add(
    CopyOp(
        **describe(
            "transfer(Tensor input, device device)",
            "A copy on another device: what `to(device)` and a 0-dim CPU operand become.",
            "tri.tensor([1, 2]).to('cpu')  # tensor([1, 2])",
            (),
        ),
        resolver=_resolve_transfer,
        is_public=False,
    )
)
