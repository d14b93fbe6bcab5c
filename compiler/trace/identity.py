"""When are two static values the same? If nothing that is traced could tell them apart.

Equality is not enough: 1, 1.0 and True are equal, and so are 0.0 and -0.0, `range(0, 3, 2)` and
`range(0, 4, 2)`, two decimals with other zeros, and whatever a class says. So a value stands in a
key with its type and its parts: of Python's own types their items, of any other the state that it
would be pickled with. What is equal to nothing but itself is itself.
"""

from __future__ import annotations

import struct
from types import MethodType
from typing import Any, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat

#: Types whose equal values are the same in every respect.
_PLAIN = frozenset(
    (int, bool, str, bytes, type(None), type(Ellipsis), DType, Device, Layout, MemoryFormat)
)


class Itself:
    """Stands for an object that only itself is the same as, and keeps it alive."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.value is other.value

    def __hash__(self) -> int:
        return object.__hash__(self.value)


def identity_of(value: Any) -> Any:
    """Return what stands for a value in a key: it is hashable, and equal for the same values.

    >>> identity_of(1) == identity_of(1.0), identity_of((0.0,)) == identity_of((-0.0,))
    (False, False)
    >>> identity_of(range(0, 3, 2)) == identity_of(range(0, 4, 2))
    False
    >>> from fractions import Fraction
    >>> identity_of(Fraction(2, 4)) == identity_of(Fraction(1, 2))
    True
    """
    kind = cast("Any", type(value))
    if kind in _PLAIN:
        return (kind, value)
    if kind is tuple:
        return (kind, *map(identity_of, value))
    return _identity(value, ())


def _identity(value: Any, outer: tuple[int, ...]) -> Any:
    """Return what stands for a value; `outer` are the objects that it is found in."""
    kind = cast("Any", type(value))
    if kind in _PLAIN:
        return (kind, value)
    if kind is float:
        return (kind, struct.pack("d", value))
    if kind is complex:
        return (kind, struct.pack("2d", value.real, value.imag))
    if id(value) in outer:
        return ("again", outer.index(id(value)))
    inner = (*outer, id(value))
    if kind is tuple or kind is list or kind is frozenset or kind is set:
        # The order of a set is seen by whoever walks over it.
        return (kind, *(_identity(item, inner) for item in value))
    if kind is dict:
        pairs = ((_identity(key, inner), _identity(value[key], inner)) for key in value)
        return (kind, *pairs)
    if kind is slice:
        return (kind, *(_identity(part, inner) for part in (value.start, value.stop, value.step)))
    if kind is MethodType:
        return (kind, Itself(value.__func__), Itself(value.__self__))
    if kind.__eq__ is object.__eq__ or isinstance(value, type) or hasattr(kind, "__dlpack__"):
        return Itself(value)
    return _of_state(kind, value, inner)


def _of_state(kind: Any, value: Any, inner: tuple[int, ...]) -> Any:
    """Return what stands for a value of a class with an equality of its own."""
    try:
        reduced = value.__reduce_ex__(4)
    except Exception:
        return Itself(value)
    if isinstance(reduced, str):
        # It is pickled as a name, so there is one of it.
        return Itself(value)
    make, *parts = reduced
    shown = tuple(_identity(part, inner) for part in _listed(parts))
    return (kind, _identity(make, inner), *shown)


def _listed(parts: list[Any]) -> list[Any]:
    """Return the parts of a pickle; items that are handed out one by one are put into lists."""
    return [
        list(part) if number in (2, 3) and part is not None else part
        for number, part in enumerate(parts)
    ]
