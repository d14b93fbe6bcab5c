"""What is an operand after conversion to the common dtype, and where does the result lie?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from .evaluation import Operand, Value, Weak, fresh
from .intervals import Array, Bounds, exactly, round_to, settled, wrap
from .semantics import (
    DEFAULT,
    FLOATS,
    INTEGERS,
    Invalid,
    broadcast,
    pointwise,
    preserved,
    result_type,
)

#: Floats that numbers beside them may or may not be rounded to.
NARROW = ("float16", "bfloat16")


def common_dtype(operands: Sequence[Operand], kind: str) -> str:
    """Return the dtype that operands are converted to."""
    if kind == "logical":
        return "bool"
    common = result_type([(operand.dtype, operand.kind) for operand in operands])
    return DEFAULT if kind == "int_to_float" and common not in FLOATS else common


def placed(dtype: str, operands: Sequence[Operand], dtypes: Sequence[str], bounds: Bounds) -> Value:
    """Return a pointwise result; operands that are converted first are packed by that."""
    shape = broadcast(*(operand.shape for operand in operands))
    layouts = [
        (x.shape, x.strides if x.dtype == to else preserved(x.shape, x.strides))
        for x, to in zip(operands, dtypes, strict=True)
    ]
    return fresh(dtype, shape, bounds, pointwise(shape, layouts))


def converted(operand: Operand, dtype: str) -> Bounds:
    """Return an operand's bounds after conversion to a dtype."""
    if isinstance(operand, Weak):
        return _of_number(operand.value, dtype)
    bounds = convert(operand.bounds, operand.dtype, dtype)
    if dtype in NARROW and math.prod(operand.shape) == 1 and operand.dtype != dtype:
        return _either(convert(operand.bounds, operand.dtype, "float32"), bounds)
    return bounds


def _either(wide: Bounds, narrow: Bounds) -> Bounds:
    """Return bounds of both: PyTorch rounds a number beside 16-bit floats to them, or to float32.

    Which it does depends on the operation.
    """
    low, high = np.minimum(wide.low, narrow.low), np.maximum(wide.high, narrow.high)
    return settled(low, high, narrow.known)


def _of_number(value: bool | int | float, dtype: str) -> Bounds:
    if dtype == "bool":
        return exactly(np.array(bool(value)))
    if dtype in INTEGERS:
        if isinstance(value, float):
            raise Invalid("a float beside integers decides the dtype")
        return exactly(wrap(np.array(int(value)), dtype))
    number = np.array(float(value))
    narrow = exactly(round_to(number, dtype))
    return _either(exactly(round_to(number, "float32")), narrow) if dtype in NARROW else narrow


def convert(bounds: Bounds, source: str, dtype: str) -> Bounds:
    """Return bounds after a conversion: floats to integers truncate, narrow integers wrap."""
    if source == dtype:
        return bounds
    low, high, known = bounds
    if dtype == "bool":
        if source not in FLOATS:
            return Bounds(low != 0, low != 0, known)
        crosses = (low <= 0) & (high >= 0)
        truth = ~((low == 0) & (high == 0))
        return Bounds(truth, truth, known & (~crosses | ((low == 0) & (high == 0))))
    if source not in FLOATS:
        if dtype in INTEGERS:
            exact = wrap(low.astype(np.int64), dtype)
            return Bounds(exact, exact, known)
        if dtype == "float64":
            exact = low.astype(np.float64)
        else:
            exact = round_to(low.astype(np.float32).astype(np.float64), dtype)
        return Bounds(exact, exact, known)
    if dtype in FLOATS:
        return settled(round_to(low, dtype), round_to(high, dtype), known)
    first, last = _to_integer(low, source, dtype), _to_integer(high, source, dtype)
    steady = bounds.is_point | (np.trunc(low) == np.trunc(high))
    return Bounds(first, first, known & steady & (first == last))


def _to_integer(values: Array, source: str, dtype: str) -> Array:
    """Truncate; int32 and int64 give their minimum for the rest, others the low bits of int32.

    uint8 of float64 are those of int64.
    """
    width = 64 if dtype == "int64" or (source, dtype) == ("float64", "uint8") else 32
    whole = np.trunc(values)
    bound = 2.0 ** (width - 1)
    inside = (whole >= -bound) & (whole < bound)
    integers = np.where(inside, whole, 0).astype(np.int64)
    return wrap(np.where(inside, integers, -(2 ** (width - 1))), dtype)


def cast(x: Value, dtype: str) -> Value:
    """Return a value of another dtype, in memory of its own."""
    bounds = convert(x.bounds, x.dtype, dtype)
    return fresh(dtype, x.shape, bounds, preserved(x.shape, x.strides))
