"""How is a tensor made from Python data? `tensor`, `as_tensor` and `asarray`, as PyTorch does it.

Sizes are read off the first elements, the dtype is promoted over all of them, then each number is
converted and checked. Arrays and tensors are copied as they lie, in their own layout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.device import Device, get_default_device, home_of
from ...dialects.attributes.dtype import DType, complex32, float4_e2m1fn_x2
from ...dialects.attributes.layout import strided
from ...dialects.attributes.options import (
    check_differentiable,
    check_flags,
    check_pinned,
    dtype_argument,
    warn_of_complex32,
)
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import preserve_strides
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ...dialects.frames import warn_user
from . import dispatch, origins, recording
from .fields import TensorFields
from .host_view import host_elements
from .interchange import from_dlpack, from_numpy, over_array
from .sequences import Sequences
from .tensor import Tensor, empty_tensor, tensor_from_bytes

_KEEPS_GRADIENT = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)
_COPIED_TENSOR = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor)."
)


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Device | str | int | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Return a new tensor with a copy of `data`: a number, nested sequences, an array, a tensor.

    Without `dtype`, bool gives bool, int int64, float the default dtype and complex its complex
    partner; NumPy's scalars, arrays and tensors keep theirs.

    Raises TrilithValueError for ragged data, TrilithTypeError for what is no number,
    TrilithRuntimeError for a number that `dtype` cannot hold.

    >>> import trilith as tri
    >>> tri.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> tri.tensor([1, 2.5]).dtype
    trilith.float32
    """
    asked = dtype_argument("tensor", dtype)
    target = device_argument("tensor", device)
    check_flags("tensor", requires_grad=requires_grad, pin_memory=pin_memory)
    check_pinned(pin_memory)
    return _requiring(
        build(_detached(data, "trilith.tensor"), asked, target, copy=True), requires_grad
    )


def as_tensor(data: Any, dtype: Any = None, device: Device | str | int | None = None) -> Tensor:
    """Return `data` as a tensor, sharing its memory where dtype and device allow it.

    >>> import numpy as np, trilith as tri
    >>> array = np.zeros(2, np.float32)
    >>> shared = tri.as_tensor(array)
    >>> array[0] = 7
    >>> shared
    tensor([7., 0.])
    """
    asked = dtype_argument("as_tensor", dtype)
    return build(data, asked, device_argument("as_tensor", device), copy=False)


def asarray(
    obj: Any,
    *,
    dtype: Any = None,
    device: Device | str | int | None = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Tensor:
    """Return `obj` as a tensor; `copy` True asks for memory of its own, False forbids a copy.

    >>> import numpy as np, trilith as tri
    >>> tri.asarray(np.array([1, 2]), copy=False)
    tensor([1, 2])
    """
    asked = dtype_argument("asarray", dtype)
    target = device_argument("asarray", device)
    source = _shared(obj)
    if source is None and not isinstance(obj, (list, tuple, np.generic)) and _has_buffer(obj):
        source = frombuffer(obj, dtype=asked or get_default_dtype())
    if copy is False:
        if source is None:
            raise TrilithValueError("can't alias arbitrary sequence into a tensor.")
        if asked is not None and asked is not source.dtype:
            raise TrilithValueError(
                f"can't alias tensor with dtype '{source.dtype.c_name}' into dtype "
                f"'{asked.c_name}'."
            )
        if target is not None and target != source.device:
            raise TrilithValueError(
                f"can't alias tensor from device '{source.device}' to '{target}'."
            )
    if requires_grad is None and isinstance(obj, TensorFields) and _requires_gradient(obj):
        warn_user(_KEEPS_GRADIENT)
        return _of_recorded(obj, asked, target, copy=bool(copy))
    made = build(obj if source is None else source, asked, target, copy=bool(copy))
    return _requiring(made, bool(requires_grad))


def _requires_gradient(tensor: Any) -> bool:
    return tensor.requires_grad


def _of_recorded(tensor: Any, dtype: Any, device: Any, *, copy: bool) -> Any:
    """Return a tensor that requires a gradient as it is, or converted, which is recorded."""
    if device is not None or dtype is not None:
        return tensor.to(device=device or tensor.device, dtype=dtype or tensor.dtype, copy=copy)
    return tensor.clone() if copy else tensor


def frombuffer(
    buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Tensor:
    """Return a tensor over the memory of a buffer (bytes, bytearray, memoryview, mmap), read-only
    if the buffer is; `offset` is in bytes, `count` in elements (-1: all that follow).

    >>> from trilith.dialects.attributes.dtype import int16
    >>> frombuffer(bytearray(6), dtype=int16, count=2)
    tensor([0, 0], dtype=trilith.int16)
    """
    element = dtype_argument("frombuffer", dtype)
    if element is None:
        raise TrilithTypeError("frombuffer() missing 1 required keyword-only argument: 'dtype'")
    if not _has_buffer(buffer):
        raise TrilithValueError("object does not implement Python buffer protocol.")
    length = memoryview(buffer).nbytes
    if not length or not count:
        raise TrilithValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise TrilithValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    size = element.itemsize
    if count < 0 and (length - offset) % size:
        raise TrilithValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({size})"
        )
    wanted = (length - offset) // size if count < 0 else count
    if offset + wanted * size > length:
        raise TrilithValueError(
            f"requested buffer length ({wanted} * {size} bytes) after offset ({offset} bytes) "
            f"must not be greater than actual buffer length ({length} bytes)"
        )
    check_differentiable(element, requires_grad)
    seen: Any = over_array(np.frombuffer(buffer, np.uint8, wanted * size, offset))
    memory = seen.untyped_storage()
    made = origins.borrowed(Tensor(memory, TensorSpec.of((wanted,), element)))
    return _requiring(made, requires_grad)


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value)
    except TypeError:
        return False
    return True


def new_tensor(
    self: Tensor,
    data: Any,
    *,
    dtype: Any = None,
    device: Device | str | int | None = None,
    requires_grad: bool = False,
    pin_memory: bool = False,
) -> Tensor:
    """Return a tensor with a copy of `data`, by default with the dtype and device of this one.

    >>> import trilith as tri
    >>> tri.zeros(1).new_tensor([1, 2])
    tensor([1., 2.])
    """
    asked = dtype_argument("new_tensor", dtype)
    target = self.device if device is None else device_argument("new_tensor", device)
    check_pinned(pin_memory)
    made = build(_detached(data, "tensor.new_tensor"), asked or self.dtype, target, copy=True)
    return _requiring(made, requires_grad)


def _detached(data: Any, function: str) -> Any:
    """Return data to copy; of a tensor that requires a gradient, warn that it is left behind."""
    given: Any = data
    if not isinstance(data, TensorFields) or not given.requires_grad:
        return given
    warn_user(_COPIED_TENSOR.format(function))
    return given.detach()


def _requiring(made: Tensor, requires_grad: bool) -> Tensor:
    """Let a new tensor require a gradient, if that is asked for."""
    check_differentiable(made.dtype, requires_grad)
    return made.requires_grad_() if requires_grad else made


def device_argument(function: str, value: Any) -> Device | None:
    """Return the device that a keyword argument names; None stays None."""
    if value is None or isinstance(value, Device):
        return value
    if isinstance(value, (str, bytes, int)) and not isinstance(value, bool):
        return Device(value)
    raise TrilithTypeError(
        f"{function}(): argument 'device' must be trilith.device, not {type(value).__name__}"
    )


def build(data: Any, dtype: DType | None, device: Device | None, *, copy: bool) -> Tensor:
    """Return a tensor of the data; without `copy` it may share memory.

    No device means the default device; if that is the host, tensors stay where they are.
    """
    source = _shared(data)
    if source is None:
        return _of_sequences(data, dtype, home_of(device or get_default_device()))
    target = device or get_default_device()
    if device is None and target.is_host:
        target = source.device
    return _converted(source, dtype or source.dtype, home_of(target), copy)


def _shared(data: Any) -> Tensor | None:
    """Return tensors and arrays as a tensor on their own memory, None for anything else."""
    if isinstance(data, Tensor):
        return data
    if isinstance(data, np.ndarray):
        return from_numpy(data)
    if not isinstance(data, (list, tuple, np.generic)) and hasattr(data, "__dlpack__"):
        return from_dlpack(data)
    return None


def _converted(source: Tensor, dtype: DType, device: Device, copy: bool) -> Tensor:
    """Return the tensor with another dtype or device; itself if nothing changes and it may be."""
    warn_of_complex32(dtype)
    if not device.has_values and not source.is_meta:
        shape = source.spec.shape
        strides = preserve_strides(shape, source.spec.strides)
        return origins.uninitialised(empty_tensor(TensorSpec.of(shape, dtype, device, strides)))
    moved: Any = source
    if dtype is not source.dtype:
        moved = moved.to(dtype)
    if device != source.device:
        moved = moved.to(device)
    return _copied(source) if copy and moved is source else moved


def _copied(source: Tensor) -> Tensor:
    """Return the same elements in other memory, in the order in which they lie."""
    spec = source.spec
    if not spec.device.is_host or spec.layout is not strided or recording.are_recorded():
        moved: Any = source
        return moved.clone()
    strides = preserve_strides(spec.shape, spec.strides)
    made = empty_tensor(TensorSpec.of(spec.shape, spec.dtype, spec.device, strides))
    # Not `numpy()`: it would make the storage one that cannot be resized.
    target = host_elements(made.memory, made.spec, made.offset)
    target[...] = host_elements(source.memory, source.spec, source.offset)
    return made


def _of_sequences(data: Any, dtype: DType | None, device: Device) -> Tensor:
    """Return a tensor of a number or of nested sequences of numbers."""
    sequences = Sequences(data)
    if dtype is None:
        dtype = sequences.inferred()
    if dtype is float4_e2m1fn_x2:
        raise TrilithRuntimeError("store_scalar: invalid type")
    warn_of_complex32(dtype)
    spec = TensorSpec.of(sequences.shape, dtype, device)
    numbers = sequences.numbers(dtype)
    if not device.has_values:
        return origins.uninitialised(empty_tensor(spec))
    if dtype.is_floating_point and dtype.itemsize == 1:
        # What a float8 does with too large numbers is the business of the conversion.
        wide = numbers.astype(np.float32).reshape(spec.shape)
        return _converted(over_array(wide), dtype, device, copy=False)
    return origins.made(tensor_from_bytes(spec, _encoded(numbers, dtype).tobytes()))


def _encoded(numbers: np.ndarray[Any, Any], dtype: DType) -> np.ndarray[Any, Any]:
    """Return the numbers as elements of a dtype; narrow floats are rounded to float32 first."""
    if numbers.dtype == dtype.numpy:
        return numbers
    with np.errstate(all="ignore"):
        if dtype is complex32:
            pairs = np.empty(numbers.shape, dtype.numpy)
            pairs["real"] = numbers.real.astype(np.float32)
            pairs["imag"] = numbers.imag.astype(np.float32)
            return pairs
        if dtype.is_floating_point and dtype.itemsize < 4:
            numbers = numbers.astype(np.float32)
        return numbers.astype(dtype.numpy)


dispatch.install("new_tensor", new_tensor)
