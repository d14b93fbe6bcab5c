"""How does Python see the elements of a tensor: as a NumPy array over the same memory, as numbers?

These functions take the parts of a tensor (storage, spec, offset), so that `tensor` can use them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.extents import MAXIMUM_INT64, storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ..devices.base import runtime_of
from ..execution.storage import Storage

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

#: What reads one element of host memory, at any byte.
_C_TYPES: dict[dtypes.DType, Any] = {
    **{dtypes.bool_: ctypes.c_bool, dtypes.uint8: ctypes.c_uint8, dtypes.int8: ctypes.c_int8},
    **{dtypes.int16: ctypes.c_int16, dtypes.int32: ctypes.c_int32, dtypes.int64: ctypes.c_int64},
    **{dtypes.float32: ctypes.c_float, dtypes.float64: ctypes.c_double},
}
#: dtypes whose elements NumPy's array interface cannot name: seen as integers, then reinterpreted.
_CARRIERS = {1: "|u1", 2: "=u2", 4: "=u4"}


class _Window:
    """What NumPy keeps as the base of the array: it keeps the storage alive."""

    __slots__ = ("__array_interface__", "memory")

    def __init__(self, memory: Storage, interface: dict[str, Any]) -> None:
        self.memory = memory
        self.__array_interface__ = interface


def view_as_array(memory: Storage, spec: TensorSpec, offset: int) -> Array:
    """Return an array over host memory, without a copy; it keeps the storage alive.

    The array is read-only if the storage is. complex32 gives a structured array of two float16,
    float4_e2m1fn_x2 an array of uint8, bfloat16 and float8 the types of ml_dtypes.

    >>> from trilith.runtime.execution.allocator import CachingAllocator
    >>> memory = Storage.allocate(CachingAllocator(), 24)
    >>> view_as_array(memory, TensorSpec.of((2, 3), dtypes.float32), 0).strides
    (12, 4)
    """
    return array_at_byte(memory, spec, offset * spec.dtype.itemsize)


def array_at_byte(memory: Storage, spec: TensorSpec, first: int) -> Array:
    """Return an array over host memory as `view_as_array` does, from some byte on."""
    dtype = spec.dtype
    if not spec.numel:
        return np.empty(spec.shape, dtype.numpy)
    described, nbytes = _described(spec)
    address = memory.address(first, nbytes)
    interface = {**described, "data": (address, not memory.is_writable)}
    array: Array = np.asarray(_Window(memory, interface))
    return array if array.dtype == dtype.numpy else array.view(dtype.numpy)


@lru_cache(maxsize=1024)
def _described(spec: TensorSpec) -> tuple[dict[str, Any], int]:
    """Return what NumPy's array interface says of a spec, and how many bytes that spans.

    Too large a stride of a dim of size 1, where none is used, is 0.
    """
    itemsize = spec.dtype.itemsize
    strides = tuple(
        0 if size == 1 and stride * itemsize > MAXIMUM_INT64 else stride * itemsize
        for size, stride in zip(spec.shape, spec.strides, strict=True)
    )
    is_numpys_own = spec.dtype.numpy.isbuiltin == 1
    typestr = spec.dtype.numpy.str if is_numpys_own else _CARRIERS[itemsize]
    interface = {"version": 3, "shape": spec.shape, "typestr": typestr, "strides": strides}
    return interface, storage_extent(spec.shape, spec.strides) * itemsize


def compact_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes that are not 1, or one 0 for no elements: what NumPy's 64 dims hold.

    >>> compact_shape((1, 2, 1, 3)), compact_shape((0, 2**62))
    ((2, 3), (0,))
    """
    return (0,) if 0 in shape else tuple(size for size in shape if size != 1)


def host_elements(memory: Storage, spec: TensorSpec, offset: int) -> Array:
    """Return the elements as `host_array` does, without dims of size 1: of any rank and sizes."""
    if 0 not in spec.shape and 1 not in spec.shape:
        return host_array(memory, spec, offset)
    strides = [stride for size, stride in zip(spec.shape, spec.strides, strict=True) if size != 1]
    shape = compact_shape(spec.shape)
    kept = (1,) if 0 in shape else tuple(strides)
    compact = TensorSpec.of(shape, spec.dtype, spec.device, kept, is_conj=spec.is_conj)
    return host_array(memory, compact, offset)


def host_array(memory: Storage, spec: TensorSpec, offset: int) -> Array:
    """Return the elements as an array: a view of host memory, a copy of an accelerator's.

    What memory holds the conjugates of is a copy, too.
    Raises TrilithNotImplementedError for meta.
    """
    if spec.is_conj:
        return conjugate(host_array(memory, spec.conjugated(False), offset), spec.dtype)
    if memory.device.is_host:
        return view_as_array(memory, spec, offset)
    if not memory.device.has_values:
        raise TrilithNotImplementedError("Cannot copy out of meta tensor; no data!")
    runtime = runtime_of(memory.device)
    itemsize = spec.dtype.itemsize
    nbytes = storage_extent(spec.shape, spec.strides) * itemsize
    target = np.empty(nbytes, np.uint8)
    copy = Storage.borrow(target.ctypes.data, nbytes, owner=target)
    runtime.copy_out(memory, offset * itemsize, copy.pointer, nbytes)
    return view_as_array(copy, spec, 0)


def conjugate(array: Array, dtype: dtypes.DType) -> Array:
    """Return the conjugates of complex elements in an array of its own.

    >>> conjugate(np.array([1 + 2j]), dtypes.complex128)
    array([1.-2.j])
    """
    if dtype is not dtypes.complex32:
        return np.conjugate(array)
    made = array.copy()
    made["imag"] = -made["imag"]
    return made


def printable(array: Array, dtype: dtypes.DType) -> Array:
    """Return the values in a type that NumPy computes with: exact, wider where it must be.

    >>> printable(np.array([1.5], dtypes.bfloat16.numpy), dtypes.bfloat16)
    array([1.5])
    """
    if dtype is dtypes.complex32:
        wide = np.empty(array.shape, np.complex64)
        wide.real, wide.imag = array["real"], array["imag"]  # i * inf would make the real part nan
        return wide
    if dtype.is_floating_point and dtype is not dtypes.float4_e2m1fn_x2:
        with np.errstate(invalid="ignore"):  # a signalling NaN, which fresh memory may hold
            return array.astype(np.float64)
    return array


def to_list(array: Array, dtype: dtypes.DType, shape: Sequence[int]) -> Any:
    """Return nested lists of Python numbers, or one number for a 0-dim tensor.

    The array holds the elements with or without the dims of size 1.

    >>> to_list(np.array([1, 2], np.int32), dtypes.int32, (2, 1))
    [[1], [2]]
    """
    if dtype is dtypes.float4_e2m1fn_x2:
        raise TrilithRuntimeError("load_scalar: invalid type")
    values = printable(array, dtype)
    if 0 in shape:
        return _nested([], shape)
    if values.ndim == len(shape):
        return values.tolist()
    return _nested(values.reshape(compact_shape(shape)).tolist(), shape)


def _nested(values: Any, shape: Sequence[int]) -> Any:
    """Put the dims of size 1 back, or the lists that a tensor without elements is made of."""
    if not shape:
        return values
    size, *inner = shape
    if not size:
        return []
    if size == 1:
        return [_nested(values, inner)]
    if not values:
        return [_nested(values, inner) for _ in range(size)]
    return [_nested(value, inner) for value in values]


def to_number(memory: Storage, spec: TensorSpec, offset: int) -> bool | int | float | complex:
    """Return the only element as a Python number.

    Raises TrilithRuntimeError if there are more or none, or on meta.
    """
    if spec.numel != 1:
        raise TrilithRuntimeError(
            f"a Tensor with {spec.numel} elements cannot be converted to Scalar"
        )
    if not memory.device.has_values:
        raise TrilithRuntimeError("Tensor.item() cannot be called on meta tensors")
    if spec.dtype is dtypes.float4_e2m1fn_x2:
        raise TrilithNotImplementedError(
            "\"_local_scalar_dense_cpu\" not implemented for 'Float4_e2m1fn_x2'"
        )
    kind = _C_TYPES.get(spec.dtype)
    if kind is not None and memory.device.is_host:
        # Six times as fast as by an array of NumPy.
        itemsize = spec.dtype.itemsize
        return kind.from_address(memory.address(offset * itemsize, itemsize)).value
    return printable(host_elements(memory, spec, offset), spec.dtype).item()
