"""How are types and constants spelled in OpenCL C?

Integers are unsigned in values and memory, because overflow of signed ones is undefined in C; what
an op does with a sign is said where it is used (`as_int(a) < as_int(b)`). Positions are `long`.
"""

import math
from ctypes import c_float
from functools import cache
from typing import Any, cast

from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.ir import Attribute

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.types import element_of, f32, f64, lanes_of

#: Value type, signed type of equal width, suffix of a literal.
_INTEGERS: dict[int, tuple[str, str]] = {
    8: ("uchar", "char"),
    16: ("ushort", "short"),
    32: ("uint", "int"),
    64: ("ulong", "long"),
}
#: The type of a value that is two doubles: OpenCL has no integer of 128 bits, and `double2` would
#: promise an alignment that memory of the caller need not have.
WIDE = "tri_wide"
#: The lanes of vectors, of which those of floats are spelled.
VECTOR_LANES = (2, 4, 8, 16)


@cache
def spell_type(type_: Attribute) -> str:
    """Return the C type of a scalar, or of a vector of floats.

    >>> from trilith.dialects.kernel.types import f32, i1, i32, type_of_index
    >>> [spell_type(type_) for type_ in (f32, i1, i32, type_of_index)]
    ['float', 'bool', 'uint', 'long']
    """
    if isinstance(type_, IntegerType):
        bits: int = type_.bitwidth
        if bits == 1:
            return "bool"
        if bits == 128:
            return WIDE
        if bits in _INTEGERS:
            return _INTEGERS[bits][0]
    if isinstance(type_, IndexType):
        return "long"
    if isinstance(type_, Float32Type):
        return "float"
    if isinstance(type_, Float64Type):
        return "double"
    if isinstance(type_, VectorType):
        element, lanes = element_of(cast(Attribute, type_)), lanes_of(cast(Attribute, type_))
        if element in (f32, f64) and lanes in VECTOR_LANES:
            return f"{spell_type(element)}{lanes}"
    raise UnsuitableIr(f"no OpenCL type for {type_}: kernel-legalize-dtypes must run before")


def bits_of(type_: Attribute) -> int:
    """Return the width of a scalar type; 64 for index."""
    return 64 if isinstance(type_, IndexType) else cast(Any, type_).bitwidth


def spell_signed(name: str, type_: Attribute) -> str:
    """Return a value as a signed integer of C.

    >>> from trilith.dialects.kernel.types import i1, i8
    >>> spell_signed("v1", i8), spell_signed("v1", i1)
    ('as_char(v1)', '(-(int)v1)')
    """
    if isinstance(type_, IndexType):
        return name
    bits = bits_of(type_)
    return f"(-(int){name})" if bits == 1 else f"as_{_INTEGERS[bits][1]}({name})"


def spell_unsigned(name: str, type_: Attribute) -> str:
    """Return a value as an unsigned integer of C; narrow ones as wide as an unsigned `int`.

    C computes on integers narrower than `int` as `int`, where a product may overflow.
    """
    if isinstance(type_, IndexType):
        return f"(ulong){name}"
    return f"(uint){name}" if bits_of(type_) < 32 else name


def spell_constant(value: Attribute) -> str:
    """Return a constant; floats in hexadecimal, which is exact.

    >>> from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i32, i64
    >>> spell_constant(FloatAttr(0.1, f32)), spell_constant(IntegerAttr(-3, i64))
    ('0x1.99999a0000000p-4f', '0xfffffffffffffffduL')
    """
    if isinstance(value, IntegerAttr):
        integer = cast("IntegerAttr[Any]", value)
        return _spell_integer(integer.value.data, integer.type)
    if isinstance(value, FloatAttr):
        real = cast("FloatAttr[Any]", value)
        return _spell_float(real.value.data, isinstance(real.type, Float32Type))
    raise UnsuitableIr(f"no OpenCL constant for {value}")


def _spell_integer(number: int, type_: Attribute) -> str:
    if isinstance(type_, IndexType):
        if number == -(1 << 63):
            return "(-0x7fffffffffffffffL - 1)"
        return f"{number}L" if number >= 0 else f"({number}L)"
    bits = bits_of(type_)
    if bits == 1:
        return "true" if number else "false"
    wrapped = number % (1 << bits)
    if bits == 128:
        return f"tri_wide_of({wrapped % (1 << 64):#x}uL, {wrapped >> 64:#x}uL)"
    digits = str(wrapped) if wrapped < 1 << 31 else f"{wrapped:#x}"
    if bits == 64:
        return f"{digits}uL"
    return f"{digits}u" if bits == 32 else f"({spell_type(type_)}){digits}u"


def _spell_float(number: float, is_single: bool) -> str:
    if is_single:
        number = c_float(number).value
    if math.isfinite(number):
        text = number.hex() + ("f" if is_single else "")
        return f"({text})" if text[0] == "-" else text
    if is_single:
        bits = 0x7FC00000 if math.isnan(number) else 0x7F800000 if number > 0 else 0xFF800000
        return f"as_float({bits:#x}u)"
    high = 0x7FF8 if math.isnan(number) else 0x7FF0 if number > 0 else 0xFFF0
    return f"as_double({high << 48:#x}uL)"
