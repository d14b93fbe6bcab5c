"""How are types and constants spelled in LLVM's text?"""

import struct
from ctypes import c_float
from typing import Any, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
)
from xdsl.ir import Attribute

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.types import cached_by_identity, element_of, i1, is_vector, lanes_of

#: Type text, and the suffix of intrinsics. bf16 is a bare i16: LLVM's own truncation to `bfloat`
#: may use vcvtneps2bf16, which flushes denormals.
_SCALARS: dict[type[Attribute], tuple[str, str, int]] = {
    Float32Type: ("float", "f32", 4),
    Float64Type: ("double", "f64", 8),
    Float16Type: ("half", "f16", 2),
    BFloat16Type: ("i16", "i16", 2),
    IndexType: ("i64", "i64", 8),
}


@cached_by_identity
def spell_type(type_: Attribute) -> str:
    """Return the text of a scalar or vector type.

    >>> from trilith.dialects.kernel.types import vector_of, f32
    >>> spell_type(vector_of(f32, 8))
    '<8 x float>'
    """
    if is_vector(type_):
        return f"<{lanes_of(type_)} x {spell_type(element_of(type_))}>"
    return _scalar(type_)[0]


@cached_by_identity
def spell_suffix(type_: Attribute) -> str:
    """Return how intrinsics name a type.

    >>> from trilith.dialects.kernel.types import vector_of, f32
    >>> spell_suffix(vector_of(f32, 8)), spell_suffix(f32)
    ('v8f32', 'f32')
    """
    if is_vector(type_):
        return f"v{lanes_of(type_)}{spell_suffix(element_of(type_))}"
    return _scalar(type_)[1]


def size_of(type_: Attribute) -> int:
    """Return the bytes of one element in memory."""
    return _scalar(type_)[2]


def _scalar(type_: Attribute) -> tuple[str, str, int]:
    if isinstance(type_, IntegerType):
        bits: int = type_.bitwidth
        return f"i{bits}", f"i{bits}", (bits + 7) // 8
    found = _SCALARS.get(type(type_))
    if found is None:
        raise UnsuitableIr(f"no LLVM type for {type_}: kernel-legalize-dtypes must run before")
    return found


def spell_constant(value: Attribute) -> str:
    """Return a constant without its type; floats as the exact bits in hexadecimal.

    >>> from xdsl.dialects.builtin import FloatAttr, IntegerAttr, f32, i32
    >>> spell_constant(FloatAttr(0.1, f32)), spell_constant(IntegerAttr(-3, i32))
    ('0x3FB99999A0000000', '-3')
    """
    if isinstance(value, IntegerAttr):
        integer = cast("IntegerAttr[Any]", value)
        number: int = integer.value.data
        if integer.type == i1:
            return "true" if number else "false"
        return str(number)
    if isinstance(value, FloatAttr):
        real = cast("FloatAttr[Any]", value)
        return spell_float(real.value.data, real.type)
    if isinstance(value, DenseIntOrFPElementsAttr):
        return _spell_dense(cast(DenseIntOrFPElementsAttr[Any], value))
    raise UnsuitableIr(f"no LLVM constant for {value}")


def spell_float(number: float, type_: Attribute) -> str:
    """Return the bits of a float; those of a float32 are written as the double of equal value."""
    if type(type_) is Float32Type:
        number = c_float(number).value
    elif type(type_) is Float16Type:
        return f"0xH{struct.unpack('<H', struct.pack('<e', number))[0]:04X}"
    elif type(type_) is BFloat16Type:
        return str(struct.unpack("<I", struct.pack("<f", number))[0] >> 16)
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def _spell_dense(value: DenseIntOrFPElementsAttr[Any]) -> str:
    type_ = value.get_type()
    element = element_of(type_)
    text = spell_type(element)
    parts: list[str] = []
    for number in value.get_values():
        if isinstance(number, float):
            parts.append(f"{text} {spell_float(number, element)}")
        else:
            parts.append(f"{text} {number}")
    if len(set(parts)) == 1:
        return f"splat ({parts[0]})"
    return f"<{', '.join(parts)}>"
