"""Which operations bring a tensor to another dtype, device or memory format? `to`, and the like.

`to` is called in three ways, `to(device, dtype)`, `to(dtype)` and `to(tensor)`, each followed by
`non_blocking` and `copy`; it gives the tensor itself where nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....attributes import dtype as dtypes
from ....attributes.device import Device, cpu, home_of
from ....attributes.dtype import DType
from ....attributes.memory_format import MemoryFormat, preserve_format
from ....attributes.options import as_dtype
from ....attributes.spec import TensorSpec
from ....attributes.strides import preserve_strides, strides_for, suggest_memory_format
from ....diagnostics import TrilithNotImplementedError, TrilithRuntimeError, TrilithTypeError
from ...frame.opspec import TransferOp, composite
from ...frame.overloads import is_tensor, no_such_form
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved, TensorLanguage
from ...frame.schema import Schema
from ...frame.view_rows import tensor_of
from ...gradients.copies import OF_TO, OF_TRANSFER

# ---- to another device


def _resolve_transfer(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    device = attributes["device"]
    assert isinstance(device, Device)
    if device.has_values and not operand.device.has_values:
        raise TrilithNotImplementedError("Cannot copy out of meta tensor; no data!")
    strides = preserve_strides(operand.shape, operand.strides)
    result = TensorSpec.of(operand.shape, operand.dtype, device, strides)
    return Resolved(dict(attributes), (operand.dtype,), result)


TABLE.add(
    TransferOp(
        "transfer(Tensor input, device device)",
        "A copy on another device: what `to(device)` and a 0-dim CPU operand become.",
        "tri.tensor([1, 2]).to('cpu')  # tensor([1, 2])",
        methods=(),
        resolver=_resolve_transfer,
        is_public=False,
        gradient=OF_TRANSFER,
    )
)


# ---- to


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
    spec = tensor_of(t, input)
    if isinstance(target, tuple):
        dtype, device = target
    elif isinstance(target, DType):
        dtype = target
    elif target is not None:
        device = target
    if memory_format is preserve_format:
        memory_format = None
    home = spec.device if device is None else home_of(device)
    # The host has one memory, but its index is another device: `x.to("cpu:0")` copies.
    named = device if device is not None and not home.has_indices else home
    is_cast = dtype is not None and dtype is not spec.dtype
    is_laid_out = memory_format in (None, suggest_memory_format(spec.shape, spec.strides))
    if not (copy or is_cast) and named == spec.device and is_laid_out:
        return input
    result = input
    # As few bytes as possible travel, and nothing is computed for meta.
    is_wider = is_cast and dtype is not None and dtype.itemsize > spec.dtype.itemsize
    if home != spec.device and (is_wider or not home.has_values):
        result = t.call("transfer", result, home)
    if is_cast:
        result = t.call("cast", result, dtype)
    if memory_format is not None:
        if tensor_of(t, result).strides != strides_for(spec.shape, memory_format):
            result = t.call("clone", result, memory_format=memory_format)
    if tensor_of(t, result).device != home:
        result = t.call("transfer", result, home)
    return t.call("clone", input, memory_format=memory_format) if result is input else result


_FORMS = """
 * (trilith.device device = None, trilith.dtype dtype = None, bool non_blocking = False, \
bool copy = False, *, trilith.memory_format memory_format = None)
 * (trilith.dtype dtype, bool non_blocking = False, bool copy = False, *, \
trilith.memory_format memory_format = None)
 * (Tensor tensor, bool non_blocking = False, bool copy = False, *, \
trilith.memory_format memory_format = None)
"""


def _bind_to(
    schema: Schema, arguments: Sequence[Any], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Bind the three forms of `to` to one signature."""
    if len(arguments) == 2 and not keywords and isinstance(arguments[1], (str, DType, Device)):
        return schema.bind(arguments, keywords)  # the usual call
    input, *given = arguments
    if len(given) > 4:
        raise TrilithTypeError(
            f"to() takes from 0 to 4 positional arguments but {len(given)} were given"
        )
    named = dict(keywords)
    if not given and "tensor" in named and is_tensor(named["tensor"]):
        given = [named.pop("tensor")]
    names = ["target", "dtype", "non_blocking", "copy"]
    first = given[0] if given else None
    if _as_dtype(first) is not None or is_tensor(first):
        names.remove("dtype")
        given[0] = first = _as_dtype(first) or first
        is_clash = "dtype" in named or "device" in named
    else:
        is_clash = bool(given) and "device" in named
        if isinstance(first, bytes):
            given[0] = Device(first)
    values = dict(zip(names, given, strict=False))
    if is_clash or len(given) > len(names) or values.keys() & named.keys() or "target" in keywords:
        raise no_such_form("to", arguments[1:], keywords, _FORMS)
    values |= named
    if "dtype" in values:
        values["dtype"] = _as_dtype(values["dtype"]) or values["dtype"]
    try:
        return schema.bind((input,), values)
    except TypeError:
        raise no_such_form("to", arguments[1:], keywords, _FORMS) from None


def _as_dtype(value: object) -> DType | None:
    try:
        return as_dtype(value)
    except TypeError:
        return None


composite(
    "to(Tensor input, Target? target=None, dtype? dtype=None, bool non_blocking=False, "
    "bool copy=False, *, device? device=None, memory_format? memory_format=None)",
    "The tensor with another dtype, device or memory format; itself where nothing changes.",
    "tri.tensor([1, 2]).to(tri.float32)  # tensor([1., 2.])",
    _to,
    binder=_bind_to,
    is_public=False,
    gradient=OF_TO,
)


# ---- methods that are named after a dtype or a device


def _cast_method(name: str, dtype: DType) -> None:
    def expand(t: TensorLanguage, input: Any, memory_format: MemoryFormat | None) -> Any:
        return t.call("to", input, dtype, memory_format=memory_format)

    composite(
        f"{name}(Tensor input, *, memory_format? memory_format=None)",
        f"The tensor as {dtype}: `to({dtype})`.",
        f"tri.tensor([1]).{name}().dtype  # {dtype}",
        expand,
        is_public=False,
    )


for _name, _dtype in {
    "float": dtypes.float32,
    "double": dtypes.float64,
    "half": dtypes.float16,
    "bfloat16": dtypes.bfloat16,
    "chalf": dtypes.complex32,
    "cfloat": dtypes.complex64,
    "cdouble": dtypes.complex128,
    "bool": dtypes.bool_,
    "byte": dtypes.uint8,
    "char": dtypes.int8,
    "short": dtypes.int16,
    "int": dtypes.int32,
    "long": dtypes.int64,
}.items():
    _cast_method(_name, _dtype)


def _cpu(t: TensorLanguage, input: Any, memory_format: MemoryFormat | None) -> Any:
    return t.call("to", input, cpu, memory_format=memory_format)


def _cuda(
    t: TensorLanguage,
    input: Any,
    device: Device | None,
    non_blocking: bool,
    memory_format: MemoryFormat | None,
) -> Any:
    wanted = Device("cuda") if device is None else device
    if wanted.type != "cuda":
        raise TrilithRuntimeError("Invalid device, must be cuda device")
    return t.call("to", input, wanted, memory_format=memory_format)


def _pin_memory(t: TensorLanguage, input: Any, device: Device | None) -> Any:
    if device is None:
        Device(0)  # raises where there is no accelerator
    return t.call("clone", input)


composite(
    "cpu(Tensor input, *, memory_format? memory_format=None)",
    "The tensor in host memory; itself if it is there.",
    "tri.tensor([1, 2]).cpu()  # tensor([1, 2])",
    _cpu,
    is_public=False,
)
composite(
    "cuda(Tensor input, device? device=None, bool non_blocking=False, *, "
    "memory_format? memory_format=None)",
    "The tensor on a CUDA device, which trilith has not: raises as builds without CUDA do.",
    "tri.device('cuda', 0)  # device(type='cuda', index=0)",
    _cuda,
    is_public=False,
)
composite(
    "pin_memory(Tensor input, device? device=None)",
    "A copy in memory that an accelerator reads fast, which is any; raises if there is none.",
    "tri.tensor([1, 2]).cpu()  # tensor([1, 2])",
    _pin_memory,
    is_public=False,
)
