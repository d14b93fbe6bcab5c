"""Which Python numbers does an operation refuse by their value? What PyTorch's conversions check.

Arithmetic wraps silently, but filling, clamping and selecting convert the number with a check. A
number that is an argument of a compiled function has no value yet: it is checked in each call.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn

from ...attributes import dtype as dtypes
from ...attributes.default_dtype import get_default_dtype
from ...attributes.dtype import DType
from ...attributes.limits import finfo, iinfo
from ...attributes.promotion import result_type
from ...attributes.spec import ScalarSpec
from ...diagnostics import TrilithOverflowError, TrilithRuntimeError
from ...frames import warn_user
from .argument_values import Number, is_number
from .rules import REALS

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
    dtypes.complex32: "c10::complex<c10::Half>",
    dtypes.complex64: "c10::complex<float>",
    dtypes.complex128: "c10::complex<double>",
    **{dtype: f"c10::{dtype.c_name}" for dtype in dtypes.FLOAT8_DTYPES},
}
_WITHOUT_INFINITY = frozenset(dtypes.FLOAT8_DTYPES) - {dtypes.float8_e5m2}


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
    if isinstance(number, int) and not -(1 << 63) <= number < 1 << 64:
        # Python's integer is converted before PyTorch looks at the dtype.
        raise TrilithOverflowError(
            "int too big to convert" if number > 0 else "can't convert negative int to unsigned"
        )
    if not _fits(number, dtype, narrow_floats):
        _refuse(_C_TYPES[dtype])


def refuse_complex(dtype: DType) -> NoReturn:
    """Refuse a complex number for a real dtype, as one with an imaginary part is refused."""
    _refuse(_C_TYPES[dtype])


def _refuse(c_type: str) -> NoReturn:
    raise TrilithRuntimeError(f"value cannot be converted to type {c_type} without overflow")


def _fits(number: Number, dtype: DType, narrow_floats: bool) -> bool:
    if dtype.is_complex:
        whole, part = complex(number), dtype.to_real()
        return _is_within(whole.real, part) and _is_within(whole.imag, part)
    if isinstance(number, complex):
        return not number.imag and _fits(number.real, dtype, narrow_floats)
    if dtype.is_floating_point:
        is_checked = dtype.itemsize >= 4 or narrow_floats
        return not is_checked or _is_within(number, dtype)
    limits = iinfo(dtype)
    lowest = limits.min
    if isinstance(number, int) and not dtype.is_signed:
        lowest = -limits.max
    return lowest <= number <= limits.max


def _is_within(number: float, dtype: DType) -> bool:
    """Whether a floating dtype has room for a number, NaN, or an infinity if it has them."""
    if number != number:
        return True
    if math.isinf(number):
        return dtype not in _WITHOUT_INFINITY
    limits = finfo(dtype)
    lowest = limits.min if isinstance(number, float) else -limits.max
    return lowest <= number <= limits.max


def check_fill_value(number: object, dtype: DType, shape: tuple[int, ...]) -> None:
    """Check the number that a tensor is filled with.

    PyTorch fills one element by another way than more: it goes through float64 to a narrow float,
    and through float32 to the parts of more than one complex32.
    """
    if not is_number(number):
        return
    is_one = math.prod(shape) == 1
    if dtype is dtypes.complex32 and not is_one:
        check_fits(number, dtypes.complex64)
    elif is_one and dtype.is_floating_point and dtype.itemsize < 4:
        if isinstance(number, complex) and number.imag:
            _refuse("double")
    else:
        check_fits(number, dtype, narrow_floats=True)


def check_fill(bound: Mapping[str, Any]) -> None:
    """Check the value of full and full_like against the dtype that is asked for."""
    dtype, like, number = bound["dtype"], bound.get("input"), bound["fill_value"]
    if not is_number(number):
        return
    if dtype is None:
        if like is None and not isinstance(number, (int, float)):
            return
        if isinstance(number, int) and not -(1 << 63) <= number < 1 << 64:
            return  # no integer at all: refused as such where it becomes a constant
        chosen = get_default_dtype() if isinstance(number, float) else dtypes.int64
        dtype = chosen if like is None else like.dtype
    size = bound["size"] if like is None else like.shape
    check_fill_value(number, dtype, tuple(size))


def check_bounds(bound: Mapping[str, Any]) -> None:
    """Check the bounds of clamp against the dtype that they promote to."""
    bounds = [bound[name] for name in ("min", "max") if bound.get(name) is not None]
    numbers = [value for value in bounds if is_number(value)]
    if not numbers or any(isinstance(number, complex) for number in numbers):
        return
    if len(numbers) == len(bounds):
        operands = [_operand(bound["input"]), *map(_operand, numbers)]
        common = result_type(*operands)
        if common not in REALS:
            # Refused for its dtype, whatever the number.
            return
        for number in numbers:
            check_fits(number, common, narrow_floats=True)


def check_where(bound: Mapping[str, Any]) -> None:
    """Check the numbers of where against the common dtype; warn of a uint8 condition."""
    if getattr(bound["condition"], "dtype", None) is dtypes.uint8:
        warn_user(
            "where received a uint8 condition tensor. This behavior is deprecated and will be "
            "removed in a future version of PyTorch. Use a boolean condition instead."
        )
    pair = bound["input"], bound["other"]
    if any(is_number(value) for value in pair) and not all(is_number(value) for value in pair):
        common = result_type(*map(_operand, pair))
        for value in pair:
            check_fits(value, common)


def check_padding(bound: Mapping[str, Any]) -> None:
    """Check the value that pad writes, if it writes any; it goes through float64."""
    dtype, value = getattr(bound["input"], "dtype", None), bound["value"]
    if isinstance(dtype, DType) and any(amount > 0 for amount in bound["pad"]):
        if is_number(value) and not isinstance(value, (bool, complex)):
            value = float(value)
        check_fits(value, dtype, narrow_floats=True)


def spec_of_operand(value: Any) -> Any:
    """Return the spec of a number, a tensor or a proxy."""
    return ScalarSpec.of(value) if is_number(value) else value.spec


def _operand(value: Any) -> Any:
    """Return what promotion looks at."""
    return spec_of_operand(value).operand
