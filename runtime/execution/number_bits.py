"""How does a kernel take a Python number? As the bits of a dtype, in a 64-bit integer."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import Category, DType
from ...dialects.diagnostics import TrilithOverflowError, TrilithTypeError
from .artifact import ScalarSlot


def encoder(slot: ScalarSlot) -> Callable[[Any], int]:
    """Return what turns a Python number into the integer a kernel takes for it."""
    encode = _encoder_of(slot.dtype)
    if slot.part == "real":
        return lambda value: encode(value.real)
    if slot.part == "imag":
        return lambda value: encode(value.imag)
    return encode


def _encoder_of(dtype: DType) -> Callable[[Any], int]:
    if dtype is dtypes.float64:
        return lambda value: _INT64.unpack(_FLOAT64.pack(_to_float(value)))[0]
    if dtype is dtypes.float32:
        return _float32_bits
    if dtype.category is Category.BOOLEAN:
        return lambda value: int(bool(value))
    if dtype is dtypes.int64:
        return _int64
    if dtype.category is Category.INTEGRAL:
        return lambda value: wrap_integer(value, dtype)
    return lambda value: _narrow_bits(_to_float(value), dtype)


_FLOAT32, _UINT32 = struct.Struct("<f"), struct.Struct("<I")
_PACK, _UNPACK = _FLOAT32.pack, _UINT32.unpack
_FLOAT64, _INT64 = struct.Struct("<d"), struct.Struct("<q")


def _to_float(value: Any) -> float:
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        raise TrilithOverflowError("int too big to convert")
    try:
        return float(value)
    except TypeError:
        raise TrilithTypeError(f"must be real number, not {type(value).__name__}") from None


def _float32_bits(value: Any) -> int:
    """Return the bits of the nearest float32; of a usual float at once."""
    if type(value) is float and -dtypes.MODERATE < value < dtypes.MODERATE:
        return _UNPACK(_PACK(value))[0]
    return _UNPACK(_float32_bytes(_to_float(value)))[0]


def _float32_bytes(value: float) -> bytes:
    """Return the nearest float32; what is too large becomes infinity, as a cast does it."""
    try:
        return _FLOAT32.pack(value)
    except OverflowError:
        return _FLOAT32.pack(math.copysign(math.inf, value))


def _narrow_bits(value: float, dtype: DType) -> int:
    """Return the bits in a dtype narrower than float32, rounded to that first as in PyTorch."""
    single = np.frombuffer(_float32_bytes(value), np.float32)
    with np.errstate(over="ignore"):
        return int.from_bytes(single.astype(dtype.numpy).tobytes(), "little")


def _int64(value: Any) -> int:
    """Wrap like any integer, which changes none of these: 1 us sooner."""
    if type(value) is int and -(1 << 63) <= value < 1 << 63:
        return value
    return wrap_integer(value, dtypes.int64)


def wrap_integer(value: Any, dtype: DType) -> int:
    """Return an integer in the range of a dtype, wrapped as PyTorch's arithmetic wraps.

    >>> wrap_integer(300, dtypes.uint8), wrap_integer(200, dtypes.int8)
    (44, -56)
    >>> wrap_integer(2**64, dtypes.int64)
    Traceback (most recent call last):
    trilith.dialects.diagnostics.TrilithOverflowError: int too big to convert
    """
    number = int(value)
    if not -(1 << 63) <= number < 1 << 64:
        raise TrilithOverflowError("int too big to convert")
    bits = number & ((1 << dtype.bits) - 1)
    # As the kernel takes it, in a signed 64-bit integer.
    is_negative = bits >> (dtype.bits - 1) and (dtype.is_signed or dtype.bits == 64)
    return bits - (1 << dtype.bits) if is_negative else bits
