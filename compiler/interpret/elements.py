"""How do the elements of a tensor become scalars of the language, and back?

A float narrower than 32 bits is computed on as float32, and rounded from float32: PyTorch's
conversions of float64 and integers take the same way.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from ...dialects.attributes import dtype as dtypes
from ...dialects.attributes.dtype import DType
from ...dialects.ops.rows.elementwise.conversion import convert
from ...dialects.ops.scalars import scalar
from ...dialects.ops.scalars.complexes import complex_of
from ...dialects.ops.scalars.narrow_floats import STORAGE, decode, encode
from ...dialects.ops.scalars.pairs import split
from ...dialects.ops.scalars.reference import NumpyLanguage
from ...dialects.ops.scalars.scalar import Scalar
from .payload import Array

Number: TypeAlias = bool | int | float | complex


def widen(language: NumpyLanguage, values: Array, dtype: DType) -> Scalar:
    """Return elements as a scalar, in the dtype that bodies compute in."""
    if dtype.is_complex:
        parts = [widen(language, part, dtype.to_real()) for part in _parts(values, dtype)]
        return complex_of(*parts)
    storage = STORAGE.get(dtype)
    if storage is None:
        return language.array(values, dtype)
    return decode(language.array(values.view(storage.numpy), storage), dtype)


def narrow(value: Scalar, dtype: DType) -> Array:
    """Return a scalar as elements, rounded to the dtype.

    >>> narrow(NumpyLanguage().constant(500.0, dtypes.float32), dtypes.float8_e4m3fn)
    array(448, dtype='float8_e4m3fn')
    """
    if dtype.is_complex:
        return _joined(*split(value), dtype)
    if dtype not in STORAGE:
        return np.asarray(scalar.cast(value, dtype).value)
    bits = encode(scalar.cast(value, dtypes.float32), dtype).value
    return np.asarray(bits).view(dtype.numpy)


def convert_array(values: Array, source: DType, target: DType) -> Array:
    """Return elements converted by PyTorch's rules."""
    if source is target:
        return values
    return narrow(_converted(widen(NumpyLanguage(), values, source), target), target)


def _converted(value: Scalar, target: DType) -> Scalar:
    # The 8-bit floats are no dtypes of arithmetic: what is converted to them is float32.
    return convert(value, dtypes.float32 if target in STORAGE else target)


def _parts(values: Array, dtype: DType) -> tuple[Array, Array]:
    """Return real and imaginary parts."""
    if dtype is dtypes.complex32:
        return values["real"], values["imag"]
    return np.real(values), np.imag(values)


def _joined(real: Scalar, imag: Scalar, dtype: DType) -> Array:
    """Return complex elements of two parts, each rounded."""
    parts = [narrow(part, dtype.to_real()) for part in (real, imag)]
    made = np.empty(np.broadcast_shapes(*(part.shape for part in parts)), dtype.numpy)
    if dtype is dtypes.complex32:
        made["real"], made["imag"] = parts
    else:
        made.real, made.imag = parts
    return made


def number_scalar(language: NumpyLanguage, number: Number) -> Scalar:
    """Return a Python number as kernels take it: int64, or float64.

    >>> number_scalar(NumpyLanguage(), True)
    Scalar(array(1), trilith.int64)
    """
    assert not isinstance(number, complex)
    if isinstance(number, float):
        return language.constant(number, dtypes.float64)
    return language.constant(_wrap(int(number), dtypes.int64), dtypes.int64)


def number_array(number: Number, dtype: DType) -> Array:
    """Return a Python number as a 0-dim array: integers wrap, fractions are cut.

    >>> number_array(300, dtypes.uint8)
    array(44, dtype=uint8)
    """
    if dtype is dtypes.complex32:
        return np.array((complex(number).real, complex(number).imag), dtype.numpy)
    if dtype.is_complex or dtype is dtypes.bool_:
        return np.array(number, dtype.numpy)
    if isinstance(number, complex):
        number = number.real
    if not dtype.is_floating_point:
        return np.array(_wrap(int(number), dtype), dtype.numpy)
    with np.errstate(all="ignore"):
        if dtype in dtypes.FLOAT8_DTYPES:
            wide = np.array(number, np.float32)
            return narrow(NumpyLanguage().array(wide, dtypes.float32), dtype)
        return np.array(dtype.numpy.type(number))


def _wrap(number: int, dtype: DType) -> int:
    if not dtype.is_signed:
        return number % (1 << dtype.bits)
    half = 1 << (dtype.bits - 1)
    return (number + half) % (2 * half) - half
