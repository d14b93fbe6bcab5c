"""How are specs, lines and numbers stored? As JSON; what is read may be anything: it is checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import by_name as dtype_by_name
from ...dialects.attributes.layout import LAYOUTS, strided
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import Location

#: Reads an integer, or an expression in its place; ValueError or TypeError for anything else.
ReadSize: TypeAlias = Callable[[Any], Any]


def encode_spec(spec: TensorSpec) -> list[Any]:
    """Return what is stored of a spec."""
    layout = spec.layout.name
    fields = [list(spec.shape), spec.dtype.name, str(spec.device), list(spec.strides), layout]
    return [*fields, spec.is_conj]


def decode_spec(fields: Any, size: ReadSize) -> TensorSpec:
    """Read a spec."""
    shape, dtype, device, strides, layout, is_conj = typed(fields, list, str, str, list, str, bool)
    return TensorSpec.of(
        sizes(shape, size),
        dtype_by_name(dtype),
        Device(device),
        sizes(strides, size) if LAYOUTS[layout] is strided else None,
        LAYOUTS[layout],
        is_conj,
    )


def encode_location(location: Location | None) -> list[Any] | None:
    """Return what is stored of a line."""
    if location is None:
        return None
    return [location.file, location.line, location.column, location.function, location.text]


def decode_location(fields: Any) -> Location | None:
    """Read a line."""
    return None if fields is None else Location(*typed(fields, str, int, int, str, str))


def typed(values: Any, *kinds: type) -> list[Any]:
    """Return the list if it holds exactly these types; True is no integer here."""
    if not isinstance(values, list):
        raise TypeError(f"expected a list, got {type(values).__name__}")
    items = cast("list[Any]", values)
    if [type(item) for item in items] != list(kinds):
        raise TypeError(f"expected {[kind.__name__ for kind in kinds]}, got {items}")
    return items


def integers(values: Any) -> tuple[int, ...]:
    """Return a list of integers."""
    return tuple(typed(values, *[int] * len(values)))


def integer(value: Any) -> int:
    """Return an integer; True is none."""
    return integers([value])[0]


def sizes(values: Any, size: ReadSize) -> tuple[Any, ...]:
    """Return a list of integers, or of what is in their place."""
    (items,) = typed([values], list)
    return tuple(map(size, items))
