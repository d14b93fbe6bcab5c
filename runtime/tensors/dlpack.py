"""How does a tensor travel to and from other libraries as a DLPack capsule?

NumPy makes and takes the capsules, in C, so that freeing one never runs Python code in a foreign
thread. For dtypes NumPy does not know (bfloat16, float8, complex32) an integer view of the same
width travels and the dtype in the capsule's own description is rewritten, on the way out and in.
"""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Any

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import (
    TrilithError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ..devices.kinds import KINDS
from ..execution.storage import Storage
from .host_view import Array, host_array


class DLDeviceType(IntEnum):
    """DLPack's numbers of the kinds of devices that trilith has."""

    kDLCPU = 1
    kDLOpenCL = 4


KDL_CPU, KDL_OPENCL = DLDeviceType.kDLCPU, DLDeviceType.kDLOpenCL
_DEVICE_CODES = {
    kind.type: DLDeviceType(kind.dlpack) for kind in KINDS.values() if kind.dlpack is not None
}

#: (type code, bits, lanes) of DLPack 1.1 for the dtypes NumPy cannot export.
FOREIGN: dict[DType, tuple[int, int, int]] = {
    dtypes.bfloat16: (4, 16, 1),
    dtypes.complex32: (5, 32, 1),
    dtypes.float8_e4m3fn: (10, 8, 1),
    dtypes.float8_e4m3fnuz: (11, 8, 1),
    dtypes.float8_e5m2: (12, 8, 1),
    dtypes.float8_e5m2fnuz: (13, 8, 1),
    dtypes.float8_e8m0fnu: (14, 8, 1),
    dtypes.float4_e2m1fn_x2: (17, 4, 2),
}
_FOREIGN_BY_CODE = {code: dtype for dtype, code in FOREIGN.items()}
_CARRIERS: dict[int, Any] = {1: np.uint8, 2: np.uint16, 4: np.uint32}
_UNSIGNED_INTEGER = 1


class DLPackBufferError(TrilithError, BufferError):
    """The data cannot be exported as it was asked for."""


class _Device(ctypes.Structure):
    _fields_ = (("type", ctypes.c_int32), ("id", ctypes.c_int32))


class _DataType(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _DLTensor(ctypes.Structure):
    """The part of DLTensor up to the dtype."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _DataType),
    )


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned up to the dtype; an unversioned one begins with the DLTensor."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _DLTensor),
    )


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule_pointer.restype = ctypes.c_void_p
_capsule_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_capsule_is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule_is_valid.restype = ctypes.c_int


def device_code(device: Device) -> tuple[int, int]:
    """Return DLPack's (device type, index).

    >>> from trilith.dialects.attributes.device import cpu
    >>> device_code(cpu)
    (<DLDeviceType.kDLCPU: 1>, 0)
    """
    code = _DEVICE_CODES.get(device.type)
    if code is None:
        raise TrilithValueError(f"Unknown device type {device.type} for Dlpack")
    return code, device.index or 0


def export(
    memory: Storage,
    spec: TensorSpec,
    offset: int,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """Return a capsule; it keeps the storage alive until its consumer lets go.

    Versioned if `max_version` allows 1.0. An unversioned capsule cannot say that data is read-only:
    such data is refused, unless `copy` is True. An accelerator's data is copied to the host only
    when `dl_device` asks for the host.
    """
    if not memory.device.has_values:
        raise DLPackBufferError("Cannot pack tensors on meta")
    if spec.is_conj:
        raise DLPackBufferError("Can't export tensors with the conjugate bit set")
    is_host = memory.device.is_host
    wanted = device_code(memory.device) if dl_device is None else tuple(dl_device)
    if wanted != (KDL_CPU, 0) or (not is_host and copy is False):
        raise DLPackBufferError(f"Cannot export data on {memory.device} to DLPack device {wanted}")
    if stream is not None and is_host:
        raise DLPackBufferError("a stream has no meaning for data on cpu; pass stream=None")
    array = host_array(memory, spec, offset)
    versioned = max_version is not None and max_version[0] >= 1
    if not versioned and not array.flags.writeable and not copy:
        raise DLPackBufferError(
            "Cannot export read-only data with unversioned DLPack",
            hint="ask for max_version=(1, 0)",
        )
    foreign = FOREIGN.get(spec.dtype)
    if foreign is not None:
        array = array.view(_CARRIERS[spec.dtype.itemsize])
    version = (1, 0) if versioned else None
    capsule = array.__dlpack__(max_version=version, copy=True if copy else None)
    if foreign is not None:
        described = describe(capsule).dtype
        described.code, described.bits, described.lanes = foreign
    return capsule


def take(
    producer: Any, *, device: Any = None, copy: bool | None = None
) -> tuple[Array, DType, bool]:
    """Consume what a producer exports: an array over its memory, the dtype, whether to write to it.

    The array's own dtype is an integer of the same width where NumPy lacks the dtype. A capsule
    that was asked for already is taken as it is, once: `copy` has no effect then.
    Raises TrilithTypeError if the object does not speak DLPack; data must be on the host.
    """
    if type(producer).__name__ == "PyCapsule":
        return _open(producer)
    if not hasattr(producer, "__dlpack__") or not hasattr(producer, "__dlpack_device__"):
        raise TrilithTypeError(
            f"from_dlpack needs an object with __dlpack__ and __dlpack_device__, "
            f"not {type(producer).__name__}"
        )
    code = tuple(int(part) for part in producer.__dlpack_device__())
    keywords: dict[str, Any] = {}
    if code[0] != KDL_CPU:
        keywords["dl_device"] = (KDL_CPU, 0)
    if copy is not None:
        keywords["copy"] = copy
    try:
        capsule = producer.__dlpack__(max_version=(1, 0), **keywords)
    except TypeError:
        if keywords:
            raise
        capsule = producer.__dlpack__()  # a producer older than DLPack 1.0
    return _open(capsule)


def _open(capsule: Any) -> tuple[Array, DType, bool]:
    """Consume a capsule: an array over its memory, the dtype, whether the memory is writable.

    An unversioned capsule cannot say that data is read-only, so that such data is not in one: NumPy
    does not rely on it, PyTorch does.
    """
    tensor = describe(capsule)
    is_unversioned = bool(_capsule_is_valid(capsule, b"dltensor"))
    if tensor.device.type != KDL_CPU:
        raise DLPackBufferError(
            f"the capsule holds data on DLPack device {(tensor.device.type, tensor.device.id)}",
            hint="import from its owner, which can copy it to the host",
        )
    described = tensor.dtype
    code = described.code, described.bits, described.lanes
    dtype = _FOREIGN_BY_CODE.get(code)
    if dtype is not None:
        described.code, described.bits, described.lanes = (
            _UNSIGNED_INTEGER,
            dtype.itemsize * 8,
            1,
        )
    try:
        array: Array = np.from_dlpack(_Carrier(capsule))
    except BaseException:
        # It is still the caller's: what it says of its elements must be what it said.
        described.code, described.bits, described.lanes = code
        raise
    is_writable = is_unversioned or array.flags.writeable
    return array, dtypes.from_numpy(array.dtype) if dtype is None else dtype, is_writable


class _Carrier:
    """Hands a capsule that was already asked for to NumPy."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **_: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return KDL_CPU, 0


def describe(capsule: Any) -> Any:
    """Return the DLTensor inside a capsule that nobody has consumed."""
    if _capsule_is_valid(capsule, b"dltensor_versioned"):
        address = _capsule_pointer(capsule, b"dltensor_versioned")
        if _Versioned.from_address(address).major > 1:
            raise DLPackBufferError("the producer exports a DLPack version newer than 1")
        return _Versioned.from_address(address).tensor
    if _capsule_is_valid(capsule, b"dltensor"):
        return _DLTensor.from_address(_capsule_pointer(capsule, b"dltensor"))
    raise TrilithRuntimeError(
        "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only "
        "once, so you might have already constructed a tensor from it once."
    )
