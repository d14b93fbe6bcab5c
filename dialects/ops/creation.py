"""Which operations make a tensor from numbers alone? full, zeros, ones, arange and `*_like`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..attributes.device import Device, get_default_device
from ..attributes.dtype import (
    DType,
    bool_,
    float64,
    get_default_dtype,
    int64,
)
from ..attributes.layout import strided
from ..attributes.memory_format import MemoryFormat, preserve_format
from ..attributes.spec import TensorSpec
from ..attributes.strides import preserve_strides, strides_for
from ..diagnostics import TrilithRuntimeError, TrilithValueError
from . import scalar
from .conversion import convert
from .literals import check_fill
from .opspec import (
    TABLE,
    Attributes,
    CompositeOp,
    CreationOp,
    NumbersCheck,
    OperandSpec,
    Resolved,
    TensorLanguage,
    describe,
)
from .rules import ALL_COMPLEX, ARITHMETIC, CASTABLE, check_dtype
from .scalar import Scalar

_OPTIONS = "*, dtype? dtype=None, layout? layout=None, device? device=None"


def _device(attributes: Attributes) -> Device:
    device = attributes["device"]
    found = device if isinstance(device, Device) else get_default_device()
    # The host has one memory: its index is not remembered.
    return Device("cpu") if found.type == "cpu" else found


def _resolve_full(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    size: Any = attributes["size"]
    strides: Any = attributes["strides"]
    dtype = attributes["dtype"]
    (value,) = operands
    if not isinstance(dtype, DType):
        dtype = value.dtype
    for dim in size:
        if dim < 0:
            raise TrilithRuntimeError(
                f"Trying to create tensor with negative dimension {dim}: {list(size)}"
            )
    check_dtype("full", dtype, CASTABLE, "fill_cpu", {}, ALL_COMPLEX)
    device = _device(attributes)
    result = TensorSpec.of(size, dtype, device, strides)
    canonical = dict(attributes) | {"dtype": dtype, "device": device}
    return Resolved(canonical, (dtype,), result)


def _fill(index: Scalar, value: Scalar) -> Scalar:
    return value


TABLE.add(
    CreationOp(
        **describe(
            "full_strided(int[] size, Operand fill_value, *, dtype? dtype=None, "
            "device? device=None, int[]? strides=None)",
            "A tensor of one value, with given strides: what full and its relatives become.",
            "tri.full((2,), 7)  # tensor([7, 7])",
            (),
        ),
        resolver=_resolve_full,
        body=_fill,
        is_public=False,
    )
)


def _resolve_arange(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    start, end, step = (attributes[name] for name in ("start", "end", "step"))
    dtype = attributes["dtype"]
    assert isinstance(start, (int, float))
    assert isinstance(end, (int, float))
    assert isinstance(step, (int, float))
    if not isinstance(dtype, DType):
        is_float = any(isinstance(number, float) for number in (start, end, step))
        dtype = get_default_dtype() if is_float else int64
    check_dtype("arange", dtype, ARITHMETIC - {bool_}, "arange_cpu", {})
    if step == 0:
        raise TrilithRuntimeError("step must be nonzero")
    if not all(math.isfinite(number) for number in (start, end, step)):
        raise TrilithRuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise TrilithRuntimeError("upper bound and lower bound inconsistent with step sign")
    if not dtype.is_floating_point:
        # PyTorch cuts the numbers first, but counts the elements of int64 alone with the cut ones.
        whole_start, whole_end, whole_step = int(start), int(end), int(step)
        if not whole_step:
            raise TrilithValueError("step must be nonzero")
        attributes = {**attributes, "start": whole_start, "step": whole_step}
        if dtype is int64:
            start, end, step = whole_start, whole_end, whole_step
    if isinstance(start, int) and isinstance(end, int) and isinstance(step, int):
        length = -((start - end) // step)
    else:
        length = math.ceil((end - start) / step)
    device = _device(attributes)
    result = TensorSpec.of((length,), dtype, device)
    return Resolved(dict(attributes) | {"dtype": dtype, "device": device}, (), result)


def _count(
    index: Scalar, start: float, end: float, step: float, dtype: DType, device: object
) -> Scalar:
    """Start + step * index, in float64 unless all are integers; rounded once to the dtype."""
    if not dtype.is_floating_point and isinstance(start, int) and isinstance(step, int):
        return convert(index * step + start, dtype)
    position = scalar.cast(index, float64)
    return convert(position * float(step) + float(start), dtype)


TABLE.add(
    CreationOp(
        **describe(
            "range_of(Number start, Number end, Number step, *, dtype? dtype=None, "
            "device? device=None)",
            "start, start + step, ... below end: what arange becomes.",
            "tri.arange(1, 7, 2)  # tensor([1, 3, 5])",
            (),
        ),
        resolver=_resolve_arange,
        body=_count,
        is_public=False,
    )
)


def _full(
    t: TensorLanguage,
    size: tuple[int, ...],
    fill_value: Any,
    dtype: DType | None,
    layout: object,
    device: Device | None,
) -> Any:
    _check_layout("full(...)", layout)
    return t.call("full_strided", size, fill_value, dtype=dtype, device=device)


def _check_layout(name: str, layout: object) -> None:
    if layout is not None and layout is not strided:
        raise TrilithRuntimeError(f"{name} is not implemented for sparse layout")


def _filled(value: float) -> Any:
    def expand(
        t: TensorLanguage,
        size: tuple[int, ...],
        dtype: DType | None,
        layout: object,
        device: Device | None,
    ) -> Any:
        dtype = get_default_dtype() if dtype is None else dtype
        _check_layout("full(...)" if value else "zeros(...)", layout)
        if not value and any(dim < 0 for dim in size):
            raise TrilithRuntimeError("zeros: Dimension size must be non-negative.")
        return t.call("full_strided", size, value, dtype=dtype, device=device)

    return expand


def _like(
    t: TensorLanguage,
    input: Any,
    fill_value: Any,
    dtype: DType | None,
    device: Device | None,
    memory_format: MemoryFormat | None,
) -> Any:
    spec = t.spec(input)
    assert isinstance(spec, TensorSpec)
    if memory_format is None or memory_format is preserve_format:
        strides = preserve_strides(spec.shape, spec.strides)
    else:
        strides = strides_for(spec.shape, memory_format)
    return t.call(
        "full_strided",
        spec.shape,
        fill_value,
        dtype=dtype or spec.dtype,
        device=device or spec.device,
        strides=strides,
    )


def _full_like(
    t: TensorLanguage,
    input: Any,
    fill_value: Any,
    dtype: DType | None,
    layout: object,
    device: Device | None,
    memory_format: MemoryFormat | None,
) -> Any:
    _check_layout("full_like(...)", layout)
    return _like(t, input, fill_value, dtype, device, memory_format)


def _filled_like(value: float) -> Any:
    def expand(
        t: TensorLanguage,
        input: Any,
        dtype: DType | None,
        layout: object,
        device: Device | None,
        memory_format: MemoryFormat | None,
    ) -> Any:
        _check_layout("ones_like(...)" if value else "zeros_like(...)", layout)
        return _like(t, input, value, dtype, device, memory_format)

    return expand


def _arange(
    t: TensorLanguage,
    start: float,
    end: float | None,
    step: float,
    dtype: DType | None,
    layout: object,
    device: Device | None,
) -> Any:
    _check_layout("arange(...)", layout)
    if end is None:
        start, end = 0, start
    return t.call("range_of", start, end, step, dtype=dtype, device=device)


def _sugar(
    signature: str,
    doc: str,
    example: str,
    expand: Any,
    check_numbers: NumbersCheck | None = None,
) -> None:
    TABLE.add(
        CompositeOp(
            **describe(signature, doc, example, ()), expand=expand, check_numbers=check_numbers
        )
    )


_LIKE = f"{_OPTIONS}, memory_format? memory_format=None"

_sugar(
    f"full(int[] size, Operand fill_value, {_OPTIONS})",
    "A tensor of one value; the dtype follows the value.",
    "tri.full((2, 2), 7)  # tensor([[7, 7],\n#         [7, 7]])",
    _full,
    check_fill,
)
_sugar(
    f"zeros(int[]* size, {_OPTIONS})",
    "A tensor of zeros.",
    "tri.zeros(2)  # tensor([0., 0.])",
    _filled(0),
)
_sugar(
    f"ones(int[]* size, {_OPTIONS})",
    "A tensor of ones.",
    "tri.ones(2)  # tensor([1., 1.])",
    _filled(1),
)
_sugar(
    f"full_like(Tensor input, Operand fill_value, {_LIKE})",
    "A tensor of one value with the shape, dtype, device and layout of another.",
    "tri.full_like(tri.tensor([1., 2.]), 7)  # tensor([7., 7.])",
    _full_like,
    check_fill,
)
_sugar(
    f"zeros_like(Tensor input, {_LIKE})",
    "Zeros with the shape, dtype, device and layout of another tensor.",
    "tri.zeros_like(tri.tensor([1, 2]))  # tensor([0, 0])",
    _filled_like(0),
)
_sugar(
    f"ones_like(Tensor input, {_LIKE})",
    "Ones with the shape, dtype, device and layout of another tensor.",
    "tri.ones_like(tri.tensor([1, 2]))  # tensor([1, 1])",
    _filled_like(1),
)
_sugar(
    f"arange(Number start, Number? end=None, Number step=1, {_OPTIONS})",
    "start, start + step, ... below end; `arange(end)` starts at 0.",
    "tri.arange(3)  # tensor([0, 1, 2])",
    _arange,
)
