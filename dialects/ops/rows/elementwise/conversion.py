"""Which operations change the dtype or the memory format, and nothing else?

What the user calls is `to`, in `to_methods`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import (
    Category,
    DType,
    float32,
    float64,
    int32,
    int64,
    uint8,
    uint32,
    uint64,
)
from ....attributes.memory_format import MemoryFormat, contiguous_format, preserve_format
from ....attributes.spec import TensorSpec
from ....attributes.strides import is_contiguous, preserve_strides, strides_for
from ....diagnostics import TrilithRuntimeError
from ....records import replace
from ...frame.elementwise import elementwise
from ...frame.opspec import CopyOp, composite
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.rules import CASTABLE, cast, compute_dtype, resolve_like
from ...frame.traits import POINTWISE
from ...gradients.copies import OF_CAST, OF_CLONE
from ...scalars import scalar
from ...scalars.complexes import complex_of
from ...scalars.pairs import split
from ...scalars.scalar import Scalar


def convert(x: Scalar, dtype: DType) -> Scalar:
    """Convert by PyTorch's rules; the result is in the compute dtype of `dtype`.

    Complex to real drops the imaginary part, but for bool. Float to integer cuts towards zero.
    int32 and int64 give their minimum for NaN and whatever is out of range; the narrow integers are
    the low bits of the int32 conversion, but uint8 of float64 those of the int64 conversion.
    """
    target = compute_dtype(dtype)
    if x.dtype.is_complex:
        return scalar.cast(x, target) if keeps_both(target) else convert(split(x)[0], dtype)
    if target.is_complex:
        return complex_of(convert(x, target.to_real()))
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
    is_wide = x.dtype is float64 and target is uint8
    return scalar.cast(scalar.cast(x, int64 if is_wide else int32), target)


def keeps_both(dtype: DType) -> bool:
    """Whether a conversion of a complex number to a dtype looks at both of its parts."""
    return dtype.is_complex or dtype.category is Category.BOOLEAN


def _to_uint64(x: Scalar) -> Scalar:
    """Convert as x86 compilers do: what is 2**63 and more is converted less 2**63."""
    is_high = x >= 2.0**63
    low = scalar.bitcast(scalar.cast(scalar.select(is_high, x - 2.0**63, x), int64), uint64)
    return scalar.select(is_high, low ^ (1 << 63), low)


elementwise(
    "cast(Tensor input, dtype dtype)",
    "The elements converted to another dtype; layout as preserve_format gives it.",
    "tri.tensor([1.7, -1.7]).to(tri.int32)  # tensor([ 1, -1], dtype=trilith.int32)",
    body=convert,
    promotion=cast,
    resolver=resolve_like,
    accepts=CASTABLE,
    traits=replace(POINTWISE, converts_numbers=True),
    methods=(),
    is_public=False,
    gradient=OF_CAST,
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
        "clone(Tensor input, *, memory_format? memory_format=None)",
        "A copy in memory of its own, in the input's layout or in a memory format.",
        "tri.zeros(1, 2, 3, 5).clone(memory_format=tri.channels_last).stride()  # (30, 1, 10, 2)",
        resolver=_resolve_clone,
        gradient=OF_CLONE,
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
    if wanted is preserve_format:
        raise TrilithRuntimeError(
            "preserve memory format is unsupported by the contiguous operator"
        )
    return t.call("clone", input, memory_format=wanted)


composite(
    "contiguous(Tensor input, *, memory_format? memory_format=None)",
    "The tensor itself if it has the memory format, else a copy that has it.",
    "tri.zeros(2, 3).t().contiguous().stride()  # (2, 1)",
    _contiguous,
    is_public=False,
)
