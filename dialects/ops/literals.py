"""Which Python numbers does an operation refuse by their value? What PyTorch's conversions check.

Arithmetic wraps silently, but filling, clamping and selecting convert the number with a check. A
number that is an argument of a compiled function has no value yet and is not checked.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from typing import Any, TypeGuard

from ..attributes import dtype as dtypes
from ..attributes.dtype import DType, get_default_dtype
from ..attributes.limits import finfo, iinfo
from ..attributes.promotion import result_type
from ..attributes.spec import ScalarSpec
from ..diagnostics import TrilithRuntimeError

Number = bool | int | float | complex

#: How PyTorch calls the C++ type of a dtype when a number does not fit it.
_C_TYPES = {
    dtypes.uint8: "uint8_t",
    dtypes.int8: "int8_t",
    dtypes.int16: "int16_t",
    dtypes.int32: "int",
    dtypes.int64: "int64_t",
    dtypes.uint16: "uint16_t",
    dtypes.uint32: "uint32_t",
    dtypes.uint64: "uint64_t",
    dtypes.float16: "c10::Half",
    dtypes.bfloat16: "c10::BFloat16",
    dtypes.float32: "float",
    dtypes.float64: "double",
}


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a bound argument is a Python number whose value is known."""
    return isinstance(value, (bool, int, float, complex))


def check_fits(number: object, dtype: DType, *, narrow_floats: bool = False) -> None:
    """Refuse a number that a dtype cannot hold; anything else passes.

    Negative integers wrap into unsigned dtypes, fractions are cut, infinities are kept. Most of
    PyTorch's conversions to 16-bit floats do not check, hence `narrow_floats`.

    >>> check_fits(-1, dtypes.uint8)
    >>> check_fits(300, dtypes.uint8)
    Traceback (most recent call last):
        ...
    trilith.dialects.diagnostics.TrilithRuntimeError: value cannot be converted to type uint8_t \
without overflow
    """
    if not is_number(number) or isinstance(number, bool) or dtype not in _C_TYPES:
        return
    if isinstance(number, complex):
        fits = not number.imag
    elif dtype.is_floating_point:
        is_checked = dtype.itemsize >= 4 or narrow_floats
        fits = not (is_checked and math.isfinite(number) and abs(number) > finfo(dtype).max)
    else:
        limits = iinfo(dtype)
        lowest = limits.min
        if isinstance(number, int) and not dtype.is_signed:
            lowest = -limits.max
        fits = lowest <= number <= limits.max
    if not fits:
        raise TrilithRuntimeError(
            f"value cannot be converted to type {_C_TYPES[dtype]} without overflow"
        )


def check_fill(bound: Mapping[str, Any]) -> None:
    """Check the value of full and full_like against the dtype that is asked for."""
    dtype = bound["dtype"]
    if dtype is None:
        like = bound.get("input")
        number = bound["fill_value"]
        if like is None and not isinstance(number, (int, float)):
            return
        if isinstance(number, int) and not -(1 << 63) <= number < 1 << 64:
            return  # no integer at all: refused as such where it becomes a constant
        chosen = get_default_dtype() if isinstance(number, float) else dtypes.int64
        dtype = chosen if like is None else like.dtype
    check_fits(bound["fill_value"], dtype)


def check_bounds(bound: Mapping[str, Any]) -> None:
    """Check the bounds of clamp against the dtype that they promote to."""
    bounds = [bound[name] for name in ("min", "max") if bound.get(name) is not None]
    numbers = [value for value in bounds if is_number(value)]
    if not numbers or any(isinstance(number, complex) for number in numbers):
        return
    if len(numbers) == len(bounds):
        operands = [_operand(bound["input"]), *map(_operand, numbers)]
        common = result_type(*operands)
        for number in numbers:
            check_fits(number, common, narrow_floats=True)


def check_where(bound: Mapping[str, Any]) -> None:
    """Check the numbers of where against the common dtype; warn of a uint8 condition."""
    if getattr(bound["condition"], "dtype", None) is dtypes.uint8:
        warnings.warn(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead.",
            UserWarning,
            stacklevel=5,
        )
    pair = bound["input"], bound["other"]
    if any(is_number(value) for value in pair) and not all(is_number(value) for value in pair):
        common = result_type(*map(_operand, pair))
        for value in pair:
            check_fits(value, common)


def check_padding(bound: Mapping[str, Any]) -> None:
    """Check the value that pad writes, if it writes any."""
    dtype = getattr(bound["input"], "dtype", None)
    if isinstance(dtype, DType) and any(bound["pad"]):
        check_fits(bound["value"], dtype)


def _operand(value: Any) -> Any:
    """Return what promotion looks at."""
    return ScalarSpec.of(value).operand if is_number(value) else value.spec.operand
