"""What do PyTorch's oldest names mean? `FloatTensor(2, 3)`, `x.type()`, `x.type("FloatTensor")`.

A legacy type is a dtype on a device. Called with sizes it makes an uninitialised tensor, called
with data a copy, called with a tensor of its own type another look at the same memory. The default
dtype and the default device play no part.
"""

from __future__ import annotations

from typing import Any, cast

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.default_dtype import get_default_dtype
from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout, sparse_coo, strided
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from ..devices.base import devices_there
from ..execution.storage import UntypedStorage
from . import dispatch, origins, recording
from .construction import build
from .described import Described
from .size import Size
from .tensor import Tensor, adopt, empty_tensor

#: What legacy types are called after PyTorch's C++ names of their dtypes: all but "Half" are those.
NAMES: dict[str, DType] = {
    f"{dtype.c_name}Tensor": dtype
    for dtype in (
        *(dtypes.float32, dtypes.float64, dtypes.float16, dtypes.bfloat16),
        *(dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.bool_),
    )
}
_EVERY_NAME: dict[str, DType] = {f"{dtype.c_name}Tensor": dtype for dtype in dtypes.ALL_DTYPES}


class TensorType(type):
    """The type of the legacy types: `isinstance(x, FloatTensor)` asks for dtype and device."""

    dtype: DType
    device_type: str

    def __instancecheck__(cls, instance: object) -> bool:
        """Tell whether a tensor has the dtype and the kind of device."""
        spec = getattr(instance, "spec", None)
        if not isinstance(spec, TensorSpec):
            return False
        return spec.dtype is cls.dtype and spec.device.type == cls.device_type

    @property
    def is_cuda(cls) -> bool:
        """Whether the elements are on a CUDA device."""
        return cls.device_type == "cuda"

    @property
    def layout(cls) -> Layout:
        """How the elements are kept."""
        return strided

    def __call__(cls, *arguments: Any, device: Any = None, **keywords: Any) -> Any:
        """Make a tensor of sizes, or of data."""
        if cls.device_type != "cpu":
            raise TrilithTypeError(
                f"type {cls.__module__}.{cls.__name__} not available. "
                "Torch not compiled with CUDA enabled.",
                hint=devices_there,
            )
        return _construct(cls.dtype, arguments, device, keywords)


def _construct(
    dtype: DType, arguments: tuple[Any, ...], device: Any, keywords: dict[str, Any]
) -> Tensor:
    if device is not None and not Device(device).is_host:
        raise TrilithRuntimeError(
            "legacy constructor expects device type: cpu but device type: "
            f"{Device(device).type} was passed"
        )
    if keywords:
        (name, value), *rest = keywords.items()
        if rest or arguments or name not in {"size", "data", "other"}:
            raise TrilithTypeError(f"new() got an unexpected keyword argument '{name}'")
        arguments = (Size(value) if name == "size" else value,)
    if not arguments:
        return origins.uninitialised(_empty((0,), dtype))
    (first, *rest) = arguments
    if isinstance(first, Size) and not rest:
        return origins.uninitialised(_empty(tuple(first), dtype))
    if _is_size(first):
        if all(map(_is_size, rest)):
            return origins.uninitialised(_empty(tuple(map(int, arguments)), dtype))
        raise _refuse(arguments)
    if rest:
        raise _refuse(arguments)
    if isinstance(first, Described):
        return _alias(cast("Tensor", first), dtype)
    if isinstance(first, str):
        raise TrilithTypeError(f"new(): invalid data type '{type(first).__name__}'")
    if isinstance(first, (bool, float, complex)) or first is None:
        raise TrilithTypeError(f"new(): data must be a sequence (got {type(first).__name__})")
    return build(first, dtype, cpu, copy=True)


def _construct_default(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Tensor:
    """Do what `Tensor(...)` does: the default dtype, and storages and tensors of any dtype."""
    first: Any = arguments[0] if len(arguments) == 1 and not keywords else None
    if isinstance(first, Described):
        return _alias(cast("Tensor", first), first.dtype)
    rest = dict(keywords)
    device = rest.pop("device", None)
    dtype = get_default_dtype()
    if isinstance(first, UntypedStorage):
        return origins.borrowed(_empty((0,), dtype).set_(first))
    return _construct(dtype, arguments, device, rest)


def _is_size(value: Any) -> bool:
    is_number = isinstance(value, int) or (
        hasattr(value, "__index__") and not hasattr(value, "__len__")
    )
    return is_number and not isinstance(value, bool)


def _empty(shape: tuple[int, ...], dtype: DType) -> Tensor:
    return empty_tensor(TensorSpec.of(shape, dtype))


def _alias(other: Tensor, dtype: DType) -> Tensor:
    spec = other.spec
    if spec.dtype is not dtype or not spec.device.is_host:
        raise TrilithTypeError(
            f"expected a tensor of {dtype} on cpu (got one of {spec.dtype} on {spec.device})",
            hint=f"convert it with .to({dtype})",
        )
    return other.detach() if recording.are_recorded() else adopt(other.memory, spec, other.offset)


def _refuse(arguments: tuple[Any, ...]) -> TrilithTypeError:
    given = ", ".join(type(argument).__name__ for argument in arguments)
    return TrilithTypeError(
        f"new() received an invalid combination of arguments - got ({given}), but expected one "
        "of:\n * (*, trilith.device device = None)\n * (Tensor other)\n"
        " * (tuple of ints size, *, trilith.device device = None)\n"
        " * (object data, *, trilith.device device = None)\n"
    )


def _make(name: str, dtype: DType, device_type: str = "cpu") -> TensorType:
    module = "trilith" if device_type == "cpu" else f"trilith.{device_type}"
    where = "" if device_type == "cpu" else f" on {device_type}"
    members = {
        "__module__": module,
        "__doc__": f"Tensors of {dtype}{where}: sizes make an uninitialised one, data a copy.",
        "dtype": dtype,
        "device_type": device_type,
    }
    return TensorType(name, (), members)


#: The legacy types by name, and the same for a device that trilith does not drive.
TYPES: dict[str, TensorType] = {name: _make(name, dtype) for name, dtype in NAMES.items()}
CUDA_TYPES: dict[str, TensorType] = {
    name: _make(name, dtype, "cuda") for name, dtype in NAMES.items()
}


def type_name(spec: TensorSpec) -> str:
    """Return the legacy name of a tensor's dtype and device.

    >>> type_name(TensorSpec.of((2,), dtypes.int64))
    'trilith.LongTensor'
    """
    device = spec.device.type
    parts = [
        "" if device == "cpu" else f"{device}.",
        "sparse." if spec.layout is sparse_coo else "",
    ]
    return f"trilith.{''.join(parts)}{spec.dtype.c_name}Tensor"


def type_of(self: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Return the name of the tensor's legacy type, or the tensor converted to another type.

    `dtype` is a dtype, a legacy type, or the name of one, such as "trilith.DoubleTensor" (the
    prefix "torch." is taken too).

    >>> import trilith as tri
    >>> tri.zeros(1).type(), tri.zeros(1).type("trilith.DoubleTensor").dtype
    ('trilith.FloatTensor', trilith.float64)
    """
    if dtype is None:
        return type_name(self.spec)
    if isinstance(dtype, DType):
        return self.to(dtype)
    if isinstance(dtype, TensorType):
        target, device = dtype.dtype, dtype.device_type
    elif isinstance(dtype, str):
        target, device = _parse(dtype)
    elif cast("object", dtype) is Tensor:
        target, device = get_default_dtype(), "cpu"
    else:
        raise TrilithTypeError("dtype must be a type, str, or dtype object")
    if self.spec.device.type != device:
        self = self.to(device)
    return self.to(target)


def _parse(text: str) -> tuple[DType, str]:
    if text.count(".") < 1:
        raise TrilithValueError(f"invalid type: '{text}'")
    package, *middle, name = text.split(".")
    device = middle[0] if len(middle) == 1 else "" if middle else "cpu"
    target = _EVERY_NAME.get(name)
    if text in {"torch.Tensor", "trilith.Tensor"}:
        return get_default_dtype(), "cpu"
    if package not in {"torch", "trilith"} or not name or target is None or not device:
        raise TrilithValueError(f"invalid type: '{text}'")
    try:
        return target, Device(device).type
    except TrilithRuntimeError:
        raise TrilithValueError(f"invalid type: '{text}'") from None


def new(self: Any, *arguments: Any, device: Any = None, **keywords: Any) -> Any:
    """Return a tensor of this one's dtype, of sizes or of data; `new_empty` and `new_tensor` are.

    >>> import trilith as tri
    >>> tri.zeros(1).new(2, 3).shape, tri.zeros(1).new([1, 2])
    (trilith.Size([2, 3]), tensor([1., 2.]))
    """
    return _construct(self.dtype, arguments, device, keywords)


dispatch.install("new", new)
dispatch.install("type", type_of)
dispatch.install("_legacy_constructor", _construct_default)
