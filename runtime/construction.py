"""How is a tensor made from Python data? `tensor` and `as_tensor`, with PyTorch's dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from ..dialects.attributes.device import Device, as_device
from ..dialects.attributes.dtype import (
    DType,
    bool_,
    get_default_complex_dtype,
    get_default_dtype,
    int64,
)
from ..dialects.attributes.spec import TensorSpec
from ..dialects.diagnostics import (
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from .interchange import from_dlpack, from_numpy
from .tensor import Tensor, tensor_from_bytes


def tensor(data: Any, *, dtype: Any = None, device: Device | str | int | None = None) -> Tensor:
    """Return a new tensor with a copy of `data`: a number, nested sequences, an array, a tensor.

    Without `dtype`, bool gives bool, int int64, float the default dtype and complex its complex
    partner; arrays and tensors keep theirs.

    Raises TrilithValueError for ragged data, TrilithTypeError for what is no number,
    TrilithRuntimeError for a number that `dtype` cannot hold.

    >>> import trilith as tri
    >>> tri.tensor([[1, 2], [3, 4]])
    tensor([[1, 2],
            [3, 4]])
    >>> tri.tensor([1, 2.5]).dtype
    trilith.float32
    """
    target = as_device(device)
    if target.type != "cpu":
        raise TrilithNotImplementedError(f"tensors on {target} are not offered yet")
    if dtype is not None and not isinstance(dtype, DType):
        raise TrilithTypeError(
            f"tensor(): argument 'dtype' must be trilith.dtype, not {type(dtype).__name__}"
        )
    if isinstance(data, Tensor):
        return _copy(_as_array(data), data.dtype if dtype is None else dtype)
    if isinstance(data, np.ndarray):
        shared = from_numpy(np.ascontiguousarray(cast("np.ndarray[Any, Any]", data)))
        return _copy(_as_array(shared), shared.dtype if dtype is None else dtype)
    if not isinstance(data, (list, tuple)) and hasattr(data, "__dlpack__"):
        return tensor(from_dlpack(data), dtype=dtype)
    return _from_sequence(data, dtype)


def as_tensor(
    data: Any, dtype: DType | None = None, device: Device | str | int | None = None
) -> Tensor:
    """Return `data` as a tensor, sharing its memory where dtype and device allow it.

    >>> import numpy as np, trilith as tri
    >>> array = np.zeros(2, np.float32)
    >>> shared = tri.as_tensor(array)
    >>> array[0] = 7
    >>> shared
    tensor([7., 0.])
    """
    if isinstance(data, Tensor) and dtype in (None, data.dtype):
        return data
    if isinstance(data, np.ndarray):
        shared = from_numpy(data)
        if dtype in (None, shared.dtype):
            return shared
    return tensor(data, dtype=dtype, device=device)


def _as_array(value: Tensor) -> np.ndarray[Any, Any]:
    return np.asarray(value.numpy())


def _from_sequence(data: Any, dtype: DType | None) -> Tensor:
    shape: list[int] = []
    kinds: set[type] = set()
    numbers: list[Any] = []
    _collect(data, 0, shape, kinds, numbers)
    if dtype is None:
        dtype = _inferred(kinds)
    _check_numbers(numbers, dtype)
    flat = _to_numpy(numbers, dtype)
    return _copy(flat.reshape(tuple(shape)), dtype)


def _collect(data: Any, depth: int, shape: list[int], kinds: set[type], numbers: list[Any]) -> None:
    """Walk nested sequences, noting sizes, kinds of numbers and the numbers themselves."""
    if isinstance(data, (list, tuple)) or (isinstance(data, np.ndarray) and data.ndim):
        items = cast("Sequence[Any]", data)
        if len(shape) == depth:
            if numbers:
                raise TrilithTypeError(f"not a sequence at dim {depth}")
            shape.append(len(items))
        elif shape[depth] != len(items):
            raise TrilithValueError(
                f"expected sequence of length {shape[depth]} at dim {depth} (got {len(items)})"
            )
        for item in items:
            _collect(item, depth + 1, shape, kinds, numbers)
        return
    number = cast("Any", data.item() if isinstance(data, (np.generic, Tensor)) else data)
    if not isinstance(number, (bool, int, float, complex)):
        if hasattr(number, "__len__") and not isinstance(number, str):
            return _collect(list(number), depth, shape, kinds, numbers)
        raise TrilithTypeError(
            f"new(): invalid data type '{type(number).__name__}'"
            if isinstance(number, str)
            else f"Could not infer dtype of {type(number).__name__}"
        )
    if len(shape) != depth:
        raise TrilithTypeError(f"expected a sequence of length {shape[depth]} at dim {depth}")
    kinds.add(bool if isinstance(number, bool) else type(number))
    numbers.append(number)
    return None


def _inferred(kinds: set[type]) -> DType:
    if any(issubclass(kind, complex) for kind in kinds):
        return get_default_complex_dtype()
    if not kinds or any(issubclass(kind, float) for kind in kinds):
        return get_default_dtype()
    return bool_ if kinds == {bool} else int64


def _check_numbers(numbers: Sequence[Any], dtype: DType) -> None:
    """Refuse what the dtype cannot hold, in PyTorch's words."""
    if dtype.is_complex or dtype is bool_:
        return
    for number in numbers:
        if isinstance(number, complex):
            raise TrilithTypeError("must be real number, not complex")
        if dtype.is_floating_point:
            continue
        if isinstance(number, float):
            if number != number:
                raise TrilithValueError("cannot convert float NaN to integer")
            if number in (float("inf"), float("-inf")):
                raise TrilithRuntimeError(
                    f"value cannot be converted to type {_short(dtype)} without overflow"
                )
        low = -(1 << (dtype.bits - 1))
        high = (1 << dtype.bits) - 1 if not dtype.is_signed else -low - 1
        if not low <= int(number) <= high:
            if dtype.bits == 64:
                raise TrilithValueError("Overflow when unpacking long long")
            raise TrilithRuntimeError(
                f"value cannot be converted to type {_short(dtype)} without overflow"
            )


def _short(dtype: DType) -> str:
    return repr(dtype).rpartition(".")[2]


def _to_numpy(numbers: Sequence[Any], dtype: DType) -> np.ndarray[Any, Any]:
    if dtype is bool_:
        return np.array([bool(number) for number in numbers], np.bool_)
    if dtype.is_complex:
        return np.array(numbers, np.complex128)
    if dtype.is_floating_point:
        return np.array([float(number) for number in numbers], np.float64)
    mask = (1 << 64) - 1
    return np.array([int(number) & mask for number in numbers], np.uint64)


def _copy(array: np.ndarray[Any, Any], dtype: DType) -> Tensor:
    """Return a contiguous tensor with a copy of the array, converted."""
    with np.errstate(all="ignore"):
        converted = np.ascontiguousarray(array.astype(dtype.numpy)).reshape(array.shape)
    spec = TensorSpec.of(tuple(array.shape), dtype)
    return tensor_from_bytes(spec, converted.tobytes())
