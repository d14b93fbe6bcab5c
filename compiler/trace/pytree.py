"""How do nested arguments become a flat list, and back? Tuples, lists, dicts, dataclasses, slices.

A sparse tensor is such a container, too: its leaves are indices and values. The structure is a
plain nested tuple, so that it can be part of a dictionary's key and be pickled.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, cast

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat
from ...dialects.diagnostics import TrilithNotImplementedError, TrilithValueError
from ...dialects.locks import imported
from ...runtime.gradients.modes import is_recording
from ...runtime.gradients.state import requires_gradient
from ...runtime.tensors.size import Size
from ...runtime.tensors.sparse import SparseTensor, parts_of
from .identity import identity_of

#: ("leaf",), ("none",), ("value", a value that is always the same), ("member", one of an
#: enumeration), ("number", which number of the call is returned), or (kind, what is needed to
#: rebuild, children).
Structure = tuple[Any, ...]
LEAF: Structure = ("leaf",)

#: Words and the like, of which each value is a structure of its own: flags, modes, dtypes, devices.
WORDS = frozenset({bool, str, bytes, type(...), type, DType, Device, Layout, MemoryFormat})
WITHOUT_CHILDREN = ("leaf", "none", "value", "member", "number")


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
    if kind in WORDS or (kind is Size and all(type(size) is int for size in tree)):
        return ("value", tree)
    if kind is dict or kind is OrderedDict:
        keys = tuple(tree)
        if not all(type(key) is str for key in keys):
            keys = Keys(keys)
        return (kind, keys, tuple(_flatten(tree[key], leaves) for key in keys))
    if isinstance(tree, tuple) and hasattr(kind, "_fields"):
        items = cast("Sequence[Any]", tree)
        return ("namedtuple", kind, tuple(_flatten(item, leaves) for item in items))
    if is_dataclass(kind):
        names = names_in(cast("Any", tree))
        children = tuple(_flatten(getattr(cast("Any", tree), name), leaves) for name in names)
        return ("dataclass", (kind, names), children)
    if kind is slice:
        bounds = cast("slice[Any, Any, Any]", tree)
        parts = (bounds.start, bounds.stop, bounds.step)
        return (slice, None, tuple(_flatten(part, leaves) for part in parts))
    if kind is range:
        steps = cast("range", tree)
        return (range, (steps.start, steps.stop, steps.step), ())
    if isinstance(tree, Enum):
        return ("member", Member(tree))
    if isinstance(tree, SparseTensor):
        if requires_gradient(tree) and is_recording():
            raise RecordedSparseError(
                "a sparse tensor that requires a gradient is no part of a traced function",
                hint="give it the values and make the tensor inside, or .detach() the tensor",
            )
        extra = tuple(tree.spec.shape), tree.is_coalesced()
        return ("sparse", extra, tuple(_flatten(part, leaves) for part in parts_of(tree)))
    leaves.append(tree)
    return LEAF


class RecordedSparseError(TrilithNotImplementedError):
    """A sparse tensor has no parts through which gradients come to it: it is no container then."""


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


class Member(tuple[Enum]):
    """A member of an enumeration, which may be equal to those of others, and to numbers."""

    __slots__ = ()

    def __new__(cls, member: Enum) -> Member:
        """Hold one."""
        return super().__new__(cls, (member,))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Member) and self[0] is other[0]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self[0]), self[0].name))

    def __reduce__(self) -> tuple[Any, ...]:
        return Member, (self[0],)


def unflatten(structure: Structure, leaves: Any, numbers: Sequence[Any] = ()) -> Any:
    """Rebuild a tree from its structure, an iterator over its leaves, and numbers of the call."""
    kind = structure[0]
    if kind == "leaf":
        return next(leaves)
    if kind == "none":
        return None
    if kind == "value":
        return structure[1]
    if kind == "member":
        return structure[1][0]
    if kind == "number":
        return numbers[structure[1]]
    extra, children = structure[1:]
    values = [unflatten(child, leaves, numbers) for child in children]
    if kind is tuple:
        return tuple(values)
    if kind is list:
        return values
    if kind is slice or kind is range:
        return kind(*(extra or values))
    if kind is dict or kind is OrderedDict:
        return cast("Any", kind)(zip(extra, values, strict=True))
    if kind == "sparse":
        shape, is_coalesced = extra
        return SparseTensor(values[0], values[1], shape, coalesced=is_coalesced)
    if kind == "namedtuple":
        # Its own `__new__` may take other arguments.
        return cast("Any", tuple).__new__(extra, values)
    kind, names = extra
    return rebuild(kind, names, values)


def leaves_of(structure: Structure) -> int:
    """Return how many leaves a structure has.

    >>> leaves_of(flatten([1, (2, None)], []))
    2
    """
    if structure[0] in WITHOUT_CHILDREN:
        return int(structure[0] == "leaf")
    return sum(map(leaves_of, structure[2]))


def is_dataclass(kind: Any) -> bool:
    """Whether a class is a dataclass: what the standard library asks, which need not be loaded."""
    return hasattr(kind, "__dataclass_fields__")


def fields_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in imported("dataclasses").fields(kind))


def names_in(instance: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, and of what else an instance of it has."""
    fields = fields_of(type(instance))
    others = getattr(instance, "__dict__", {})
    return (*fields, *(name for name in others if name not in fields))


def rebuild(kind: Any, names: tuple[str, ...], values: list[Any]) -> Any:
    """Make a dataclass with the given attributes, frozen or not, without running its `__init__`."""
    made: Any = object.__new__(kind)
    for name, value in zip(names, values, strict=True):
        object.__setattr__(made, name, value)
    return made


def with_parts(
    structure: Structure, leaves: Sequence[Any], part_of: Callable[[Any], Structure | None]
) -> tuple[Structure, list[Any]]:
    """Return a structure with parts in the place of some leaves, and the leaves that are left.

    >>> leaves = []
    >>> structure = flatten((1, 0.5, 2), leaves)
    >>> structure, left = with_parts(structure, leaves, lambda n: ("value", n) if n == 2 else None)
    >>> left, unflatten(structure, iter([3, 4]))
    ([1, 0.5], (3, 4, 2))
    """
    pending, left = iter(leaves), list[Any]()

    def walk(node: Structure) -> Structure:
        if node[0] == "leaf":
            leaf = next(pending)
            part = part_of(leaf)
            if part:
                return part
            left.append(leaf)
            return LEAF
        if node[0] in WITHOUT_CHILDREN:
            return node
        kind, extra, children = node
        return (kind, extra, tuple(walk(child) for child in children))

    return walk(structure), left
