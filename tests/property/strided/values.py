"""What are the rules of dtypes? Promotion, casts and exact arithmetic, from the specification.

Written from the specification's text alone (sections 2.1 to 2.3): nothing of trilith is used here,
so that what trilith computes can be held against it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#: The dtypes that programs are about, from least to most within each category.
NUMPY: dict[str, Any] = {
    "bool": np.dtype(np.bool_),
    "uint8": np.dtype(np.uint8),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "float16": np.dtype(np.float16),
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "complex64": np.dtype(np.complex64),
    "complex128": np.dtype(np.complex128),
}
DTYPES = tuple(NUMPY)
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")
FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEXES = ("complex64", "complex128")
HALVES = ("float16", "bfloat16")
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not")
#: The components of each complex dtype.
REAL = {"complex64": "float32", "complex128": "float64"}

Number = bool | int | float | complex


class RefusedError(Exception):
    """What a library must raise: `kind` is the built-in exception."""

    def __init__(self, kind: type[Exception], why: str) -> None:
        super().__init__(f"{kind.__name__}: {why}")
        self.kind = kind


class UndefinedError(Exception):
    """The specification does not say what happens: such a step is not drawn."""


def itemsize(dtype: str) -> int:
    return NUMPY[dtype].itemsize


def category(dtype: str) -> int:
    """Return the place among boolean, integral, floating, complex."""
    if dtype == "bool":
        return 0
    if dtype in INTEGERS:
        return 1
    return 2 if dtype in FLOATS else 3


def _complex_of(dtype: str) -> str:
    """Return the complex dtype that a floating one becomes beside a complex operand."""
    if dtype == "float16":
        raise UndefinedError("complex32 is no dtype of these programs")
    return "complex128" if dtype == "float64" else "complex64"


def promote(first: str, second: str) -> str:
    """Return the dtype that two tensors with dims are computed in (2.1)."""
    if first == second:
        return first
    low, high = sorted((first, second), key=lambda dtype: (category(dtype), DTYPES.index(dtype)))
    if category(low) == category(high):
        if {low, high} == {"uint8", "int8"}:
            return "int16"
        return "float32" if {low, high} == set(HALVES) else high
    return "complex128" if (low, high) == ("float64", "complex64") else high


def kind_of_number(number: Number) -> str:
    """Return the dtype that a Python number has by itself."""
    if isinstance(number, bool):
        return "bool"
    if isinstance(number, int):
        return "int64"
    return "float32" if isinstance(number, float) else "complex64"


def _combine(high: str | None, low: str | None) -> str | None:
    if high is None or low is None:
        return low if high is None else high
    if category(high) == 3:
        return high
    if category(high) == 2:
        return _complex_of(high) if category(low) == 3 else high
    if high == "bool" or category(low) >= 2:
        return promote(high, low)
    return high


def result_type(operands: Sequence[tuple[str, int] | Number]) -> str:
    """Return the common dtype of tensors, given as (dtype, rank), and Python numbers."""
    groups: list[str | None] = [None, None, None]
    for operand in operands:
        if isinstance(operand, tuple):
            dtype, place = operand[0], 0 if operand[1] else 1
        else:
            dtype, place = kind_of_number(operand), 2
        found = groups[place]
        groups[place] = dtype if found is None else promote(found, dtype)
    result = _combine(groups[0], _combine(groups[1], groups[2]))
    assert result is not None
    return result


def can_cast(source: str, target: str) -> bool:
    """Whether a result may be written into a target (P10)."""
    if category(source) == 3:
        return category(target) == 3
    if category(source) == 2:
        return category(target) >= 2
    return category(source) == 0 or category(target) > 0


# ---- values


def cast(values: Array, source: str, target: str) -> Array:
    """Convert elements as `to` does (2.3)."""
    if source == target:
        return values
    with np.errstate(all="ignore"):
        if target == "bool":
            return values != 0
        if source in COMPLEXES and target not in COMPLEXES:
            return cast(np.ascontiguousarray(np.real(values)), REAL[source], target)
        if source in FLOATS and target in INTEGERS:
            return _to_integer(values.astype(np.float64), target)
        if target in HALVES and source != "float32":
            # There is no way from a wide dtype to a half but over float32.
            return values.astype(np.float32).astype(NUMPY[target])
        if target == "complex64" and source not in COMPLEXES:
            return values.astype(np.float32).astype(np.complex64)
        return values.astype(NUMPY[target])


def _to_integer(values: Array, target: str) -> Array:
    bits = 64 if target == "int64" else 32
    cut = np.trunc(values)
    fits = (cut >= -(2.0 ** (bits - 1))) & (cut < 2.0 ** (bits - 1))
    whole = np.where(fits, cut, 0).astype(np.int64)
    whole = np.where(fits, whole, -(2 ** (bits - 1)))
    return whole.astype(NUMPY[target])


def number_as(number: Number, dtype: str) -> Array:
    """Return a Python number as an operand of a dtype; integers wrap."""
    if dtype in INTEGERS:
        bits = 8 * itemsize(dtype)
        wrapped = int(number.real) % 2**bits
        if dtype != "uint8" and wrapped >= 2 ** (bits - 1):
            wrapped -= 2**bits
        return np.array(wrapped, NUMPY[dtype])
    if dtype == "bool":
        return np.array(bool(number))
    result = np.array(number).astype(NUMPY[dtype])
    if complex(result) != complex(number) and dtype in HALVES:
        raise UndefinedError("how a number is rounded beside a half is not said")
    return result


def fill_number(number: Number, dtype: str) -> Array:
    """Return what `fill_` writes: the range is checked, a fraction is cut."""
    if 0 < category(dtype) < 3 and isinstance(number, complex):
        raise RefusedError(RuntimeError, "complex into real")
    if dtype in INTEGERS:
        assert not isinstance(number, complex)
        bits = 8 * itemsize(dtype)
        greatest = 2**bits - 1 if dtype == "uint8" else 2 ** (bits - 1) - 1
        least = -greatest if dtype == "uint8" else -greatest - 1
        if not least <= number <= greatest:
            raise RefusedError(RuntimeError, "value cannot be converted without overflow")
        return number_as(int(number), dtype)
    if dtype == "bool":
        return np.array(bool(number))
    return np.array(number).astype(NUMPY[dtype])


def compute(name: str, operands: Sequence[Array], dtype: str) -> Array:
    """Compute an operation on arrays of the common dtype; halves go through float32."""
    with np.errstate(all="ignore"):
        if dtype in HALVES and name not in COMPARISONS:
            wide = [operand.astype(np.float32) for operand in operands]
            return _compute(name, wide, "float32").astype(NUMPY[dtype])
        return _compute(name, operands, dtype)


def _reversed_difference(first: Array, second: Array) -> Array:
    return np.subtract(second, first)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "rsub": _reversed_difference,
    "mul": np.multiply,
    "neg": np.negative,
    "abs": np.abs,
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_not": np.bitwise_not,
    "where": np.where,
}


def _compute(name: str, operands: Sequence[Array], dtype: str) -> Array:
    if name in ("maximum", "minimum"):
        return _extreme(name, operands[0], operands[1], dtype)
    if name in ("add", "sub", "rsub") and dtype in COMPLEXES:
        if not all(np.isfinite(operand).all() for operand in operands):
            raise UndefinedError("which part of a complex sum is infinite is not said")
    if name == "neg" and dtype in COMPLEXES:
        if ((np.real(operands[0]) == 0) | (np.imag(operands[0]) == 0)).any():
            raise UndefinedError("the sign of a zero in a complex negation is not said")
    if name == "mul" and dtype in COMPLEXES:
        return _complex_product(operands[0], operands[1])
    return _FUNCTIONS[name](*operands)


def _extreme(name: str, first: Array, second: Array, dtype: str) -> Array:
    first, second = np.broadcast_arrays(first, second)
    if dtype in FLOATS:
        zeros = (first == 0) & (second == 0)
        if (zeros & (np.signbit(first) != np.signbit(second))).any():
            raise UndefinedError("which zero is greater is not said")
    return np.maximum(first, second) if name == "maximum" else np.minimum(first, second)


def _complex_product(first: Array, second: Array) -> Array:
    """Multiply where no rounding can happen: how products are added is not said."""
    for number in (first, second):
        for part in (np.real(number), np.imag(number)):
            if not ((np.abs(part) <= 2**10) & (part * 16 == np.floor(part * 16))).all():
                raise UndefinedError("the order of rounding in a complex product is not said")
    product = first * second
    if ((np.real(product) == 0) | (np.imag(product) == 0)).any():
        raise UndefinedError("the sign of a zero in a complex product is not said")
    return product


def refuse(name: str, dtypes: Sequence[str], common: str) -> None:
    """Refuse dtypes that an operation does not take (2.2); `dtypes` are those of the operands."""
    if name in ("sub", "rsub", "neg") and "bool" in dtypes:
        raise RefusedError(RuntimeError, f"{name} with a bool operand")
    if name in ("maximum", "minimum") and common in COMPLEXES:
        raise RefusedError(RuntimeError, f"{name} of complex numbers")
    if name == "abs" and common in COMPLEXES:
        raise UndefinedError("the rounding of a complex modulus is not said")


def has_kernel(name: str, common: str) -> bool:
    """Whether there is an implementation for a dtype: asked last, after all other checks."""
    if name == "abs":
        return common != "bool"
    if name in BITWISE:
        return category(common) < 2
    return name not in ("lt", "le", "gt", "ge") or common not in COMPLEXES
