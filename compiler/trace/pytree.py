"""How do nested arguments become a flat list, and back? Tuples, lists, dicts and dataclasses.

The structure is a plain nested tuple, so that it can be part of a dictionary's key and be pickled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.diagnostics import TrilithValueError
from ...dialects.locks import imported
from .identity import identity_of

#: ("leaf",), ("none",), ("value", a value that is always the same), or (kind, what is needed to
#: rebuild, children).
Structure = tuple[Any, ...]
LEAF: Structure = ("leaf",)

#: Words and the like, of which each value is a structure of its own: modes, dtypes, devices.
_WORDS = frozenset({str, bytes, type(...), DType, Device, Layout, MemoryFormat})


def flatten(tree: Any, leaves: list[Any]) -> Structure:
    """Append the leaves of `tree` to `leaves`, left to right, and return its structure.

    >>> leaves = []
    >>> structure = flatten({"a": (1, [2]), "b": None}, leaves)
    >>> leaves, unflatten(structure, iter(leaves))
    ([1, 2], {'a': (1, [2]), 'b': None})
    >>> flatten((1, "mean"), [])[2]
    (('leaf',), ('value', 'mean'))
    """
    try:
        return _flatten(tree, leaves)
    except RecursionError:
        raise TrilithValueError(
            "lists, tuples, dicts or dataclasses are nested too deeply, or hold themselves"
        ) from None


def _flatten(tree: Any, leaves: list[Any]) -> Structure:
    if tree is None:
        return ("none",)
    kind = cast("Any", type(tree))
    if kind is tuple or kind is list:
        return (kind, None, tuple(_flatten(item, leaves) for item in tree))
    if kind is dict:
        keys = tuple(tree)
        if not all(type(key) is str for key in keys):
            keys = Keys(keys)
        return (dict, keys, tuple(_flatten(tree[key], leaves) for key in keys))
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        items = cast("Sequence[Any]", tree)
        return ("namedtuple", kind, tuple(_flatten(item, leaves) for item in items))
    if is_dataclass(kind):
        names = fields_of(kind)
        children = tuple(_flatten(getattr(cast("Any", tree), name), leaves) for name in names)
        return ("dataclass", (kind, names), children)
    if kind in _WORDS:
        return ("value", cast("Any", tree))
    leaves.append(tree)
    return LEAF


class Keys(tuple[Any, ...]):
    """The keys of a dict that are not all strings: equal ones may differ, as 1 and True do."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Keys) and _identity(self) == _identity(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_identity(self))


def _identity(keys: Keys) -> Any:
    return tuple(map(identity_of, keys))


def unflatten(structure: Structure, leaves: Any) -> Any:
    """Rebuild a tree from its structure and an iterator over its leaves."""
    kind = structure[0]
    if kind == "leaf":
        return next(leaves)
    if kind == "none":
        return None
    if kind == "value":
        return structure[1]
    extra, children = structure[1:]
    values = [unflatten(child, leaves) for child in children]
    if kind is tuple:
        return tuple(values)
    if kind is list:
        return values
    if kind is dict:
        return dict(zip(extra, values, strict=True))
    if kind == "namedtuple":
        return extra(*values)
    kind, names = extra
    return rebuild(kind, names, values)


def leaves_of(structure: Structure) -> int:
    """Return how many leaves a structure has.

    >>> leaves_of(flatten([1, (2, None)], []))
    2
    """
    if structure[0] in ("leaf", "none", "value"):
        return int(structure[0] == "leaf")
    return sum(map(leaves_of, structure[2]))


def is_dataclass(kind: Any) -> bool:
    """Whether a class is a dataclass: what the standard library asks, which need not be loaded."""
    return hasattr(kind, "__dataclass_fields__")


def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in imported("dataclasses").fields(kind))


def rebuild(kind: Any, names: tuple[str, ...], values: list[Any]) -> Any:
    """Make a dataclass with the given fields, frozen or not, without running its `__init__`."""
    made: Any = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def with_values(
    structure: Structure, leaves: Sequence[Any], is_value: Callable[[Any], bool]
) -> tuple[Structure, list[Any]]:
    """Return a structure that holds some of its leaves itself, and the leaves that are left.

    >>> leaves = []
    >>> structure = flatten((1, "a", 2), leaves)
    >>> structure, left = with_values(structure, leaves, lambda leaf: isinstance(leaf, str))
    >>> left, unflatten(structure, iter([3, 4]))
    ([1, 2], (3, 'a', 4))
    """
    pending, left = iter(leaves), list[Any]()

    def walk(node: Structure) -> Structure:
        if node[0] == "leaf":
            leaf = next(pending)
            if is_value(leaf):
                return ("value", leaf)
            left.append(leaf)
            return LEAF
        if node[0] in ("none", "value"):
            return node
        kind, extra, children = node
        return (kind, extra, tuple(walk(child) for child in children))

    return walk(structure), left
