"""How does PyTorch call the C++ type of an element, or of a tensor? Some of its texts say so."""

from __future__ import annotations

from .dtype import DType

_NAMES = {
    "bool": "bool",
    "uint8": "unsigned char",
    "int8": "signed char",
    "int16": "short int",
    "int32": "int",
    "int64": "long int",
    "uint16": "short unsigned int",
    "uint32": "unsigned int",
    "uint64": "long unsigned int",
    "float32": "float",
    "float64": "double",
    "complex32": "c10::complex<c10::Half>",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def c_type(dtype: DType) -> str:
    """Return the name of the C++ type.

    >>> from trilith.dialects.attributes.dtype import float16, int64
    >>> c_type(int64), c_type(float16)
    ('long int', 'c10::Half')
    """
    return _NAMES.get(dtype.name, f"c10::{dtype.c_name}")


#: Dtypes whose tensors have a class in Python, as all had once.
_LEGACY = frozenset(("float32", "float64", "float16", "uint8", "int8", "int16", "int32", "int64"))


def tensor_type(dtype: DType) -> str:
    """Return the name of the type of a tensor on the CPU.

    >>> from trilith.dialects.attributes.dtype import bool_, int64
    >>> tensor_type(int64), tensor_type(bool_)
    ('trilith.LongTensor', 'CPUBoolType')
    """
    name = dtype.c_name
    return f"trilith.{name}Tensor" if dtype.name in _LEGACY else f"CPU{name}Type"
