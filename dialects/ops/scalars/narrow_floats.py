"""How do narrow floats sit in integers? Exact conversions, written in the scalar language.

Memory holds 8- and 16-bit floats; arithmetic knows float32. `decode` turns the bits into a float32
without loss, `encode` rounds a float32 to nearest even and returns the bits. No step relies on
denormal float32 numbers, so devices that flush them agree too.

Rules beyond rounding, all as in PyTorch 2.13 (a float64 or an integer goes through float32):

- bfloat16, float16, float8_e5m2: too large becomes an infinity;
- float8_e4m3fn: too large, also an infinity, becomes the largest finite value;
- float8_e4m3fnuz, float8_e5m2fnuz: too large becomes NaN, and -0 becomes 0;
- float8_e8m0fnu: the sign is dropped, the nearest power of two is taken (the midpoint goes up),
  0 becomes 2**-127, too large and infinities become NaN.
"""

from __future__ import annotations

from typing import NamedTuple

from ...attributes.dtype import (
    DType,
    bfloat16,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
    float8_e8m0fnu,
    float16,
    float32,
    uint8,
    uint16,
    uint32,
)
from .scalar import Scalar, bitcast, cast, select

_SIGN, _INFINITY, _QUIET_NAN = 0x80000000, 0x7F800000, 0x7FC00000
_BIAS, _MANTISSA = 127, 23


class Format(NamedTuple):
    """A small float with a sign: exponent bias, bits of the mantissa, and what lies past the end.

    Codes are those of the magnitude, without sign. `nan` is the first that is no number; from
    `overflow` all values that are too large come, infinities too. `has_infinity` says that
    `overflow` is an infinity. Formats without a negative zero have their one NaN in its place.
    """

    bits: int
    bias: int
    mantissa: int
    largest: int
    overflow: int
    nan: int
    has_infinity: bool = False

    @property
    def has_negative_zero(self) -> bool:
        """Whether -0 is a zero; else its code is the NaN."""
        return self.nan != self.sign

    @property
    def sign(self) -> int:
        """The bit of the sign."""
        return 1 << (self.bits - 1)


_FORMATS: dict[DType, Format] = {
    float16: Format(16, 15, 10, 0x7BFF, 0x7C00, 0x7E00, has_infinity=True),
    float8_e5m2: Format(8, 15, 2, 0x7B, 0x7C, 0x7F, has_infinity=True),
    float8_e4m3fn: Format(8, 7, 3, 0x7E, 0x7E, 0x7F),
    float8_e5m2fnuz: Format(8, 16, 2, 0x7F, 0x80, 0x80),
    float8_e4m3fnuz: Format(8, 8, 3, 0x7F, 0x80, 0x80),
}

#: The integer that holds each narrow float.
STORAGE: dict[DType, DType] = {
    bfloat16: uint16,
    float16: uint16,
    float8_e5m2: uint8,
    float8_e4m3fn: uint8,
    float8_e5m2fnuz: uint8,
    float8_e4m3fnuz: uint8,
    float8_e8m0fnu: uint8,
}


def decode(bits: Scalar, dtype: DType) -> Scalar:
    """Return the float32 value of the bits, a scalar of `STORAGE[dtype]`.

    >>> import numpy as np
    >>> from .reference import NumpyLanguage
    >>> bits = NumpyLanguage().array(np.array([0x3F80, 0xC000], np.uint16), uint16)
    >>> decode(bits, bfloat16).value
    array([ 1., -2.], dtype=float32)
    """
    code = cast(bits, uint32)
    if dtype is bfloat16:
        return bitcast(code << 16, float32)
    if dtype is float8_e8m0fnu:
        # 2**-127 is a denormal float32; 255 is the NaN.
        power = select(code.eq(0), 0x00400000, code << _MANTISSA)
        return bitcast(select(code.eq(0xFF), _QUIET_NAN, power), float32)
    return _decode(code, _FORMATS[dtype])


def _decode(code: Scalar, fmt: Format) -> Scalar:
    sign = code & fmt.sign
    magnitude = code & (fmt.sign - 1)
    shifted = magnitude << (_MANTISSA - fmt.mantissa)
    normal = shifted + ((_BIAS - fmt.bias) << _MANTISSA)
    # A denormal without its leading one: read it with that one, then subtract the one.
    smallest = (_BIAS - fmt.bias + 1) << _MANTISSA
    denormal = bitcast(bitcast(shifted + smallest, float32) - 2.0 ** (1 - fmt.bias), uint32)
    value = select(magnitude < (1 << fmt.mantissa), denormal, normal)
    if fmt.has_infinity:
        beyond = shifted + ((255 << _MANTISSA) - (fmt.overflow << (_MANTISSA - fmt.mantissa)))
        value = select(magnitude > fmt.largest, beyond, value)
    elif fmt.has_negative_zero:
        value = select(magnitude > fmt.largest, _QUIET_NAN, value)
    value = value | (sign << (32 - fmt.bits))
    if not fmt.has_negative_zero:
        value = select(code.eq(fmt.nan), _QUIET_NAN, value)
    return bitcast(value, float32)


def encode(value: Scalar, dtype: DType) -> Scalar:
    """Round a float32 to a narrow float; return its bits, a scalar of `STORAGE[dtype]`.

    >>> import numpy as np
    >>> from .reference import NumpyLanguage
    >>> value = NumpyLanguage().array(np.array([1.0, 500.0], np.float32), float32)
    >>> encode(value, float8_e4m3fn).value
    array([ 56, 126], dtype=uint8)
    """
    bits = bitcast(value, uint32)
    if dtype is bfloat16:
        code = _encode_bfloat16(bits)
    elif dtype is float8_e8m0fnu:
        code = _encode_power_of_two(bits)
    else:
        code = _encode(bits, _FORMATS[dtype])
    return cast(code, STORAGE[dtype])


def _encode_bfloat16(bits: Scalar) -> Scalar:
    is_odd = (bits >> 16) & 1
    rounded = (bits + is_odd + 0x7FFF) >> 16
    is_nan = (bits & (_SIGN - 1)) > _INFINITY
    return select(is_nan, 0x7FC0, rounded)


def _encode_power_of_two(bits: Scalar) -> Scalar:
    magnitude = bits & (_SIGN - 1)
    # Half of the distance to the next power; below 2**-126 the float32 itself is a denormal.
    up = 0x00400000 - cast(magnitude < 0x00800000, uint32)
    return select(magnitude < _INFINITY, (magnitude + up) >> _MANTISSA, 0xFF)


def _encode(bits: Scalar, fmt: Format) -> Scalar:
    magnitude = bits & (_SIGN - 1)
    sign = (bits >> (32 - fmt.bits)) & fmt.sign
    shift = _MANTISSA - fmt.mantissa
    is_odd = (magnitude >> shift) & 1
    rebias = ((fmt.bias - _BIAS) << _MANTISSA) + (1 << (shift - 1)) - 1
    normal = (magnitude + is_odd + (rebias & 0xFFFFFFFF)) >> shift
    # Adding a power of two whose last bit is the last bit of the denormals rounds to it.
    exponent = shift + 1 - fmt.bias
    pushed = bitcast(magnitude, float32) + 2.0**exponent
    denormal = bitcast(pushed, uint32) - ((_BIAS + exponent) << _MANTISSA)
    code = select(magnitude < ((_BIAS - fmt.bias + 1) << _MANTISSA), denormal, normal)
    code = select(code > fmt.largest, fmt.overflow, code)
    code = select(magnitude > _INFINITY, fmt.nan, code)
    if fmt.has_negative_zero:
        return code | sign
    # The NaN has the bit of the sign already.
    return select(code.eq(0), 0, code | sign)
