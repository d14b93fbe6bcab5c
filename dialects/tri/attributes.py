"""How do a row's static values stand in the IR? Python value to attribute, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute

from ..attributes.device import Device
from ..attributes.dtype import DType
from ..attributes.memory_format import MemoryFormat
from ..attributes.symint import SymInt, is_symbolic
from ..diagnostics import InternalError, TrilithTypeError
from ..ops.frame.argument_values import AttributeValue
from ..ops.frame.row import OpSpec
from .sizes import SizeAttr, SizesAttr, integer_attribute
from .types import DTYPES, ELEMENT_TYPES, DeviceAttr, FormatAttr, NumberAttr


def _to_attribute(kind: type, spelled: str, value: AttributeValue) -> Attribute:
    """Return an attribute; those of expressions belong to one trace."""
    if kind is SymInt:
        return integer_attribute(value)
    if kind is tuple and is_symbolic(found := cast("tuple[Any, ...]", value)):
        return SizesAttr(found)
    return _known_attribute(kind, spelled, value)


@lru_cache(maxsize=4096)
def _known_attribute(kind: type, spelled: str, value: AttributeValue) -> Attribute:
    """Return an attribute. Kind and spelling keep True and 1, 0.0 and -0.0 apart in the cache."""
    if isinstance(value, DType):
        return ELEMENT_TYPES[value]
    if isinstance(value, (bool, float, complex)):
        return NumberAttr(value)
    if isinstance(value, int):
        return IntegerAttr(value, i64)
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, tuple):
        return DenseArrayBase.from_list(i64, [_as_int(item) for item in value])
    if isinstance(value, MemoryFormat):
        return FormatAttr(value)
    if isinstance(value, Device):
        return DeviceAttr(value)
    raise InternalError(f"no attribute for {value!r}")


def _as_int(value: AttributeValue) -> int:
    assert isinstance(value, int)
    return value


def _from_size(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, SizeAttr | SizesAttr)
    return cast("AttributeValue", attribute.data)


def _from_number(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, NumberAttr)
    return attribute.data


def _from_integer(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, IntegerAttr)
    return attribute.value.data


def _from_string(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, StringAttr)
    return attribute.data


def _from_array(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, DenseArrayBase)
    return tuple(int(value) for value in attribute.get_values())


def _from_format(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, FormatAttr)
    return attribute.data


def _from_device(attribute: Attribute) -> AttributeValue:
    assert isinstance(attribute, DeviceAttr)
    return attribute.data


def _from_type(attribute: Attribute) -> AttributeValue:
    found = DTYPES.get(attribute)
    if found is None:
        raise TrilithTypeError(f"{attribute} is neither a static value nor the type of a dtype")
    return found


_FROM: dict[type[Attribute], Callable[[Attribute], AttributeValue]] = {
    NumberAttr: _from_number,
    IntegerAttr: _from_integer,
    StringAttr: _from_string,
    DenseArrayBase: _from_array,
    FormatAttr: _from_format,
    DeviceAttr: _from_device,
    SizeAttr: _from_size,
    SizesAttr: _from_size,
}


def to_attributes(row: OpSpec, values: Mapping[str, AttributeValue]) -> dict[str, Attribute]:
    """Return the attributes of an op; what equals the schema's default is left out."""
    attributes: dict[str, Attribute] = {}
    by_name = row.schema.by_name
    for name, value in values.items():
        parameter = by_name.get(name)
        if value is None or (
            parameter is not None
            and parameter.has_default
            and value == parameter.default
            and type(value) is type(parameter.default)
        ):
            continue
        spelled = repr(value) if isinstance(value, (float, complex)) else ""
        attributes[name] = _to_attribute(type(value), spelled, value)
    return attributes


def from_attributes(row: OpSpec, attributes: Mapping[str, Attribute]) -> dict[str, AttributeValue]:
    """Return the static values of an op, defaults filled in."""
    values: dict[str, AttributeValue] = {
        parameter.name: parameter.default
        for parameter in row.schema.parameters
        if not parameter.is_operand
    }
    for name, attribute in attributes.items():
        convert = _FROM.get(type(attribute))
        values[name] = _from_type(attribute) if convert is None else convert(attribute)
    return values
