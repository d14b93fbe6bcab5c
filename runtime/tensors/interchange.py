"""How does data of other libraries become a tensor? By sharing its memory, or by DLPack."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.dtype import from_numpy as dtype_from_numpy
from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithNotImplementedError, TrilithTypeError, TrilithValueError
from ..execution.storage import Storage
from . import dlpack, origins, recording
from .host_view import Array
from .tensor import Tensor, adopt

#: The flag of types that are made by a class statement (Py_TPFLAGS_HEAPTYPE).
_MADE_BY_PYTHON = 1 << 9


def from_numpy(array: Any) -> Tensor:
    """Return a tensor over the memory of an array: writing to either changes both.

    A read-only array is accepted; the tensor's storage is then read-only too. Types of ml_dtypes
    are known. An argument of a compiled function that is an array is a tensor there already, and
    is returned as it is. Raises TrilithTypeError for other objects and dtypes, TrilithValueError
    for negative strides, a foreign byte order, and strides or addresses that are not multiples of
    the element.

    >>> from_numpy(np.array([1, 2, 3], np.int32))
    tensor([1, 2, 3], dtype=trilith.int32)
    """
    if not isinstance(array, np.ndarray) and origins.stands_for_array(array):
        return array
    return origins.borrowed(over_array(array))


def over_array(array: Any) -> Tensor:
    """Do what `from_numpy` does, of which a trace learns nothing."""
    if not isinstance(array, np.ndarray):
        raise TrilithTypeError(f"expected np.ndarray (got {_type_name(array)})")
    source = cast("Array", array)
    spec, nbytes = _spec_of(source.shape, source.strides, source.dtype)
    return _over(source, spec, nbytes, source.flags.writeable)


def array_wrap(self: Any, array: Any, context: Any = None, return_scalar: bool = False) -> Tensor:
    """Return a tensor over what a function of NumPy has made of one; bool becomes uint8.

    >>> import trilith as tri
    >>> np.sqrt(tri.tensor([1.0, 4.0])), np.greater(tri.tensor([1, 3]), 2)
    (tensor([1., 2.]), tensor([0, 1], dtype=trilith.uint8))
    """
    made = array.astype(np.uint8) if array.dtype == np.bool_ else np.asarray(array)
    return over_array(made)


@lru_cache(maxsize=1024)
def _spec_of(
    shape: tuple[int, ...], strides: tuple[int, ...], numpy_dtype: np.dtype[Any]
) -> tuple[TensorSpec, int]:
    """Return what an array is as a tensor, and how many bytes it spans; raises if it is none."""
    if any(stride < 0 for stride in strides):
        raise TrilithValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
    if not numpy_dtype.isnative:
        raise TrilithValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    return _typed_spec(shape, strides, dtype_from_numpy(numpy_dtype))


def _type_name(value: object) -> str:
    """Return what C calls the type: that of a class written in Python is its bare name."""
    kind = type(value)
    if kind.__module__ == "builtins" or kind.__flags__ & _MADE_BY_PYTHON:
        return kind.__name__
    return f"{kind.__module__}.{kind.__name__}"


def _typed_spec(
    shape: tuple[int, ...], strides: tuple[int, ...], dtype: DType
) -> tuple[TensorSpec, int]:
    """Return the spec of an array whose elements are as wide as the dtype's, and its bytes."""
    itemsize = dtype.itemsize
    if any(stride % itemsize for stride in strides):
        raise TrilithValueError(
            "given numpy array strides not a multiple of the element byte size. Copy the numpy "
            "array to reallocate the memory."
        )
    spec = TensorSpec.of(shape, dtype, strides=tuple(stride // itemsize for stride in strides))
    return spec, storage_extent(spec.shape, spec.strides) * itemsize


def _over(array: Array, spec: TensorSpec, nbytes: int, is_writable: bool) -> Tensor:
    """Return a tensor over the memory of an array, which it keeps alive."""
    if not array.flags.aligned:
        raise TrilithValueError(
            "given numpy array is not aligned to its element size. Copy the numpy array to "
            "reallocate the memory."
        )
    address: int = array.__array_interface__["data"][0]
    return adopt(Storage.borrow(address, nbytes, owner=array, is_writable=is_writable), spec)


def from_dlpack(
    ext_tensor: Any, *, device: Device | str | None = None, copy: bool | None = None
) -> Tensor:
    """Return a tensor over the memory of any object that speaks DLPack.

    Memory of other devices than the host is copied to it if its owner can do so. `copy` True asks
    for a copy, False forbids one. A capsule is taken, too, once.

    >>> from_dlpack(np.array([1.0, 2.0], np.float32))
    tensor([1., 2.])
    """
    if device is not None and not Device(device).is_host:
        raise TrilithNotImplementedError(
            f"from_dlpack to {device} is not supported", hint="import to cpu, then call .to()"
        )
    if copy:
        recording.unrecorded("from_dlpack makes a copy")
    return origins.borrowed(over_dlpack(ext_tensor, copy=copy))


def over_dlpack(ext_tensor: Any, *, copy: bool | None = None) -> Tensor:
    """Do what `from_dlpack` does, of which a trace learns nothing."""
    array, dtype, is_writable = dlpack.take(ext_tensor, copy=copy)
    if any(stride < 0 for stride in array.strides):
        raise TrilithValueError(
            "from_dlpack: tensors with negative strides are not supported; export a copy"
        )
    return _over(array, *_typed_spec(array.shape, array.strides, dtype), is_writable)
