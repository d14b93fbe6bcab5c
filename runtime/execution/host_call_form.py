"""How is a call on the host stored? As a list that begins with the name of what is called."""

from __future__ import annotations

from typing import Any, cast

from .form_parts import (
    ReadSize,
    decode_location,
    decode_spec,
    encode_location,
    encode_spec,
    integer,
    typed,
)
from .plan_parts import HostArray, HostCall


def encode_call(call: HostCall) -> list[Any]:
    """Return what is stored of a call."""
    return [
        call.body,
        list(map(_encode_array, call.operands)),
        list(map(_encode_array, call.results)),
        [[name, value] for name, value in call.attributes],
        encode_location(call.location),
    ]


def decode_call(fields: Any, size: ReadSize) -> HostCall:
    """Read a call."""
    *content, location = fields
    body, operands, results, attributes = typed(content, str, list, list, list)
    return HostCall(
        body,
        tuple(_decode_array(array, size) for array in operands),
        tuple(_decode_array(array, size) for array in results),
        tuple((typed([name], str)[0], _decode_value(value, size)) for name, value in attributes),
        decode_location(location),
    )


def _encode_array(array: HostArray) -> list[Any]:
    return [array.buffer, encode_spec(array.spec), array.offset]


def _decode_array(fields: Any, size: ReadSize) -> HostArray:
    buffer, spec, offset = fields
    return HostArray(integer(buffer), decode_spec(spec, size), size(offset))


def _decode_value(value: Any, size: ReadSize) -> Any:
    """Read a static value: JSON knows no tuples, and an object is an expression of sizes."""
    if value is None or isinstance(value, (bool, float, str)):
        return value
    if isinstance(value, list):
        return tuple(_decode_value(item, size) for item in cast("list[Any]", value))
    return size(value)
