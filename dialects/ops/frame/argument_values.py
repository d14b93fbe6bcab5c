"""Which values does an argument of a schema's type take, and what do they become?

A converter returns the value that an operation is given. It raises TypeError for what is none of
its type, and OverflowError for an integer that 64 bits do not hold; `schema` says whose they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, TypeGuard, cast

import numpy as np

from ...attributes.device import Device
from ...attributes.dtype import Category, DType
from ...attributes.extents import MAXIMUM_INT64, MINIMUM_INT64
from ...attributes.layout import Layout
from ...attributes.memory_format import MemoryFormat
from ...attributes.options import as_dtype
from ...attributes.spec import ScalarSpec, TensorSpec
from ...attributes.symint import SymInt
from ...diagnostics import TrilithError, TrilithTypeError, TrilithValueError

#: A static value, as a row, the IR and an artifact know it.
AttributeValue = (
    None
    | bool
    | int
    | float
    | complex
    | str
    | DType
    | Device
    | Layout
    | MemoryFormat
    | tuple["AttributeValue", ...]
)

Number = bool | int | float | complex


def is_number(value: object) -> TypeGuard[Number]:
    """Whether an argument is a Python number whose value is known.

    What stands for a number of a traced function calls itself an int, and has only its own type.
    """
    return issubclass(type(value), (bool, int, float, complex))


def _integer(value: object) -> int:
    if isinstance(value, bool):
        raise TypeError
    if isinstance(value, SymInt):
        return cast("int", value)
    try:
        number = operator.index(value)  # pyright: ignore[reportArgumentType] - raises itself
    except TrilithTypeError:
        if _is_one_integer(value):
            raise  # it says why its value is not known
        raise TypeError from None
    if not is_int64(number):
        raise OverflowError
    return number


def _is_one_integer(value: object) -> bool:
    """Whether an argument is a tensor that may stand for an integer, by all but its value."""
    spec: object = getattr(value, "spec", None)
    if not isinstance(spec, TensorSpec):
        return False
    return spec.numel == 1 and spec.dtype.category <= Category.INTEGRAL


def is_int64(number: int) -> bool:
    """Whether an integer fits into the 64 bits that sizes and dims have."""
    return MINIMUM_INT64 <= number <= MAXIMUM_INT64


def _boolean(value: object) -> bool:
    if type(value) is not bool:
        raise TypeError
    return value


def _number(value: object) -> Number:
    if is_number(value) or isinstance(value, SymInt):
        return cast("Number", value)
    spec: object = getattr(value, "spec", None)
    is_scalar = isinstance(spec, TensorSpec) and not spec.shape
    if is_scalar or isinstance(value, np.number):
        return cast("Any", value).item()
    if isinstance(value, np.bool_):
        return float(cast("Any", value))
    raise TypeError


def _scalar(value: object) -> Any:
    """Take a number, or what stands for one of a traced function."""
    return value if isinstance(getattr(value, "spec", None), ScalarSpec) else _number(value)


def _scalar_integer(value: object) -> Any:
    spec: object = getattr(value, "spec", None)
    if not isinstance(spec, ScalarSpec):
        return _integer(value)
    if spec.kind != "int":
        raise TypeError
    return value


def _real(value: object) -> float:
    if isinstance(value, (bool, complex)) or not isinstance(value, (int, float)):
        raise TypeError
    return float(value)


def _order(value: object) -> AttributeValue:
    """Take the order of a norm: a number, or the name of one that is none (`fro`, `nuc`)."""
    return value if isinstance(value, str) else _number(value)


def _device(value: object) -> Device:
    if isinstance(value, Device):
        return value
    if isinstance(value, (str, bytes, int)) and not isinstance(value, bool):
        return Device(value)
    raise TypeError


def _target(value: object) -> AttributeValue:
    """Convert what `to` takes first: a dtype, a device, or a tensor that has both."""
    if isinstance(value, DType):
        return value
    spec: object = getattr(value, "spec", None)
    if isinstance(spec, TensorSpec):
        return (spec.dtype, spec.device)
    return _device(value)


def _generator(value: object) -> AttributeValue:
    """Take what hands out random numbers: `trilith.Generator`, which the runtime knows."""
    if not getattr(type(value), "is_generator", False):
        raise TypeError
    return cast("AttributeValue", value)


def _index(value: object) -> AttributeValue:
    """Convert an index to plain values: slices become ("slice", start, stop, step)."""
    items = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
    return tuple(_index_item(item) for item in items)


def _index_item(item: object) -> AttributeValue:
    if item is None:
        return None
    if item is Ellipsis:
        return "..."
    if isinstance(item, slice):
        bounds = cast("slice[object, object, object]", item)
        parts = (bounds.start, bounds.stop, bounds.step)
        start, stop, step = (None if part is None else _slice_bound(part) for part in parts)
        if step == 0:
            raise TrilithValueError("slice step cannot be zero")
        return ("slice", start, stop, step)
    # Everything else that may stand in brackets has been taken out: see `split_index`.
    return _integer(item)


def _slice_bound(value: object) -> int:
    if isinstance(value, SymInt):
        return cast("int", value)
    try:
        bound = operator.index(value)  # pyright: ignore[reportArgumentType] - raises TypeError itself
        return max(MINIMUM_INT64, min(bound, MAXIMUM_INT64))
    except TypeError as error:
        if isinstance(error, TrilithError):
            raise
        raise TrilithTypeError(
            "slice indices must be integers or None or have an __index__ method"
        ) from None


def _padding(value: object) -> AttributeValue:
    """Convert the padding of a convolution: a number for all dims or for each, or a word."""
    if isinstance(value, str):
        return value
    items = cast("Any", value) if isinstance(value, (tuple, list)) else (value,)
    return tuple(_integer(item) for item in items)


def _instance_of(kind: type[AttributeValue]) -> Callable[[object], AttributeValue]:
    def check(value: object) -> AttributeValue:
        if not isinstance(value, kind):
            raise TypeError
        return cast("AttributeValue", value)

    return check


def _function(value: object) -> Any:
    if not callable(value):
        raise TypeError
    return value


CONVERTERS: dict[str, Callable[[object], AttributeValue]] = {
    "int": _integer,
    "int?": lambda value: None if value is None else _integer(value),
    "bool": _boolean,
    "float": _real,
    "Number": _number,
    "Order": _order,
    "Scalar": _scalar,
    "ScalarInt": _scalar_integer,
    "str": _instance_of(str),
    "dtype": as_dtype,
    "device": _device,
    "layout": _instance_of(Layout),
    "memory_format": _instance_of(MemoryFormat),
    "Target": _target,
    "Padding": _padding,
    "Generator": _generator,
    "Index": _index,
    "function": _function,
}
