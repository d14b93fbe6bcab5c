"""What is a plain record of values, and how does it cost nothing before it is used?

`record` means what `dataclass(frozen=True, slots=True)` of the standard library does. That one
writes each method of each class as text and compiles it when the class is made: half a millisecond
for each, and an import made thirty. Here a class is made in 20 us; its `__init__` is written when
it has been called often, and the other methods need no text.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


class _Absent:
    """What stands for a default that there is not."""

    def __repr__(self) -> str:
        """Return what a signature shows."""
        return "<made anew>"


_ABSENT: Any = _Absent()
#: So many objects of a class are made before its `__init__` is written: that takes 0.1 ms.
UNWRITTEN = 16


class Field:
    """What is declared of one value of a record."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "repr", "type")
    type: Any

    def __init__(
        self,
        default: Any,
        default_factory: Any,
        init: bool,
        repr: bool,
        compare: bool,
        kw_only: bool | None,
    ) -> None:
        """Note it; `kw_only` of None is what the record says of all its values."""
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only


def field(
    *,
    default: Any = _ABSENT,
    default_factory: Any = _ABSENT,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    kw_only: bool | None = None,
) -> Any:
    """Say more of a value than its type and default, as in the standard library's `field`.

    >>> @record(frozen=False)
    ... class Names:
    ...     found: list[str] = field(default_factory=list[str])
    >>> Names()
    Names(found=[])
    """
    return Field(default, default_factory, init, repr, compare, kw_only)


@overload
def record(cls: type[_T], /) -> type[_T]: ...
@overload
def record(
    *,
    frozen: bool = True,
    init: bool = True,
    eq: bool = True,
    repr: bool = True,
    kw_only: bool = False,
) -> Callable[[type[_T]], type[_T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: Any = None,
    /,
    *,
    frozen: bool = True,
    init: bool = True,
    eq: bool = True,
    repr: bool = True,
    kw_only: bool = False,
) -> Any:
    """Make a class a record of the values that its annotations declare.

    Its objects have these values and no others, which are given by place or by name, compared,
    hashed and shown. Nothing can be assigned to them unless `frozen=False`. Methods that the class
    has itself stay. The functions of the module `dataclasses` take records, too.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(1), Point(1) == Point(1, 0), replace(Point(1), y=2)
    (Point(x=1, y=0), True, Point(x=1, y=2))
    >>> Point(1).x = 2
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'x'
    """

    def made(cls: type[Any]) -> type[Any]:
        return _made(cls, frozen=frozen, init=init, eq=eq, repr=repr, kw_only=kw_only)

    return made if cls is None else made(cls)


def declared(kind: Any) -> dict[str, Field]:
    """Return what is declared of the values of a record, by their names.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> {name: each.default for name, each in declared(Point).items()}
    {'x': <made anew>, 'y': 0}
    """
    return getattr(kind, "__record_fields__", {})


def replace(value: _T, /, **changes: Any) -> _T:
    """Return a record with other values: those that are not given stay.

    >>> @record
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> replace(Point(1, 2), x=3)
    Point(x=3, y=2)
    """
    for name, each in declared(type(value)).items():
        if each.init and name not in changes:
            changes[name] = getattr(value, name)
    return type(value)(**changes)


def _made(
    cls: type[Any], *, frozen: bool, init: bool, eq: bool, repr: bool, kw_only: bool
) -> type[Any]:
    """Return the class again, with slots and the methods that it does not have itself."""
    namespace = dict(vars(cls))
    inherited: dict[str, Field] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited |= vars(base).get("__record_fields__", {})
    own = _own_fields(cls, kw_only)
    fields = inherited | own
    _check(fields)
    for name in ("__dict__", "__weakref__", *own):
        namespace.pop(name, None)
    ordered = sorted(fields.items(), key=lambda item: bool(item[1].kw_only))
    made: dict[str, Any] = {
        "__record_fields__": dict(ordered),
        "__dataclass_fields__": _STANDARD_FIELDS,
        "__replace__": replace,
        "__match_args__": tuple(name for name, each in ordered if each.init and not each.kw_only),
    }
    if init:
        made["__init__"] = _first_init(dict(ordered), frozen)
    if repr:
        made["__repr__"] = _shown
    if eq:
        made |= _comparing(tuple(name for name, each in fields.items() if each.compare), frozen)
    if frozen:
        made |= {"__setattr__": _no_assignment, "__delattr__": _no_deletion}
        made |= _pickling(tuple(fields))
    if namespace.get("__hash__") is None:
        namespace.pop("__hash__", None)  # which Python puts beside an `__eq__` of the class's own
    slots = tuple(name for name in own if name not in inherited)
    namespace = made | namespace | {"__qualname__": cls.__qualname__, "__slots__": slots}
    kind: Any = type(cls)
    return kind(cls.__name__, cls.__bases__, namespace)


def _check(fields: dict[str, Field]) -> None:
    """Refuse what the standard library refuses, in the same words."""
    last = ""
    for name, each in fields.items():
        if type(each.default).__hash__ is None:
            raise ValueError(
                f"mutable default {type(each.default)} for field {name} is not allowed: "
                "use default_factory"
            )
        if not each.init or each.kw_only:
            continue
        if _has_default(each):
            last = name
        elif last:
            raise TypeError(f"non-default argument {name!r} follows default argument")


def _own_fields(cls: type[Any], kw_only: bool) -> dict[str, Field]:
    """Return what a class itself declares."""
    own: dict[str, Field] = {}
    # Of the class and not of its namespace, where Python 3.14 has them no more.
    for name, type_ in cls.__annotations__.items():
        given = vars(cls).get(name, _ABSENT)
        if not isinstance(given, Field):
            given = Field(given, _ABSENT, True, True, True, None)
        given.type = type_
        if given.kw_only is None:
            given.kw_only = kw_only
        own[name] = given
    return own


# ---- the methods, which look the values up; only `__init__` is written as text


def _first_init(fields: dict[str, Field], is_frozen: bool) -> Callable[..., None]:
    """Return an `__init__` that fills the first objects, then puts a written one in its place.

    Whoever interrupts it does the same, and it does not matter whose stays.
    """
    left = UNWRITTEN
    by_place = tuple(name for name, each in fields.items() if each.init and not each.kw_only)

    def __init__(self: Any, *arguments: Any, **keywords: Any) -> None:
        nonlocal left
        left -= 1
        if left >= 0 and _is_filled(self, fields, by_place, arguments, keywords):
            return None
        kind: type[Any] = self.__class__
        owners = (owner for owner in kind.__mro__ if vars(owner).get("__init__") is __init__)
        owner: Any = next(owners, None)
        written = _written_init(owner or kind, fields, is_frozen)
        if owner is not None:  # else another thread was faster, or this was kept from before
            owner.__init__ = written
        return written(self, *arguments, **keywords)

    return __init__


def _is_filled(
    record: Any,
    fields: dict[str, Field],
    by_place: tuple[str, ...],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> bool:
    """Assign what a call gives; False if it is wrong, and a written `__init__` is to say how."""
    given = dict(zip(by_place, arguments, strict=False))
    if len(arguments) > len(by_place) or given.keys() & keywords.keys():
        return False
    given |= keywords
    for name, each in fields.items():
        if each.init and name in given:
            value = given.pop(name)
        elif each.default_factory is not _ABSENT:
            value = each.default_factory()
        elif each.default is not _ABSENT:
            value = each.default
        elif each.init:
            return False
        else:
            continue
        object.__setattr__(record, name, value)
    if given:
        return False
    if hasattr(record, "__post_init__"):
        record.__post_init__()
    return True


def _written_init(owner: type[Any], fields: dict[str, Field], is_frozen: bool) -> Any:
    """Return the function that takes the values and assigns them."""
    given = {name: each for name, each in fields.items() if each.init}
    by_place = [name for name, each in given.items() if not each.kw_only]
    by_name = [name for name, each in given.items() if each.kw_only]
    parameters = ["self", *by_place, *(["*"] if by_name else []), *by_name]
    lines = [f"def __init__({', '.join(parameters)}):"]
    for name, each in fields.items():
        value = _value_text(name, each)
        if value:
            lines.append(
                f" __put(self, '{name}', {value})" if is_frozen else f" self.{name} = {value}"
            )
    if hasattr(owner, "__post_init__"):
        lines.append(" self.__post_init__()")
    scope = {"__put": object.__setattr__, "__fields": fields, "__absent": _ABSENT}
    exec("\n".join([*lines, " return None"]), scope)
    written: Any = scope["__init__"]
    written.__qualname__ = f"{owner.__qualname__}.__init__"
    written.__module__ = owner.__module__
    # Values with a default stand behind those without, as the type checker sees to.
    written.__defaults__ = tuple(
        given[name].default for name in by_place if _has_default(given[name])
    )
    written.__kwdefaults__ = {
        name: given[name].default for name in by_name if _has_default(given[name])
    }
    return written


def _has_default(each: Field) -> bool:
    return each.default is not _ABSENT or each.default_factory is not _ABSENT


def _value_text(name: str, each: Field) -> str:
    """Return where `__init__` takes a value from; nothing if it has none."""
    new = f"__fields['{name}'].default_factory()"
    if each.init:
        is_made = each.default_factory is not _ABSENT
        return f"{new} if {name} is __absent else {name}" if is_made else name
    if each.default_factory is not _ABSENT:
        return new
    return "" if each.default is _ABSENT else f"__fields['{name}'].default"


@recursive_repr()
def _shown(self: Any) -> str:
    """Return the name of the class and the values, as they are given."""
    shown = [
        f"{name}={getattr(self, name)!r}"
        for name, each in declared(type(self)).items()
        if each.repr
    ]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reader(names: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return what gives the values of some names as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def _comparing(names: tuple[str, ...], is_frozen: bool) -> dict[str, Any]:
    """Return `__eq__` and `__hash__` by the values of some names."""
    read = _reader(names)

    def __eq__(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return read(self) == read(other)

    def __hash__(self: Any) -> int:
        return hash(read(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if is_frozen else None}


def _no_assignment(_self: Any, name: str, _value: object) -> None:
    """Refuse: it is frozen."""
    raise _frozen_error(f"cannot assign to field {name!r}")


def _no_deletion(_self: Any, name: str) -> None:
    """Refuse: it is frozen."""
    raise _frozen_error(f"cannot delete field {name!r}")


def _frozen_error(text: str) -> AttributeError:
    return _dataclasses().FrozenInstanceError(text)


def _pickling(names: tuple[str, ...]) -> dict[str, Any]:
    """Return what `pickle` and `copy` ask of an object that cannot be assigned to."""

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}


class _StandardFields:
    """What the module `dataclasses` asks a class for: made when it does."""

    def __get__(self, record: object, kind: type[Any]) -> dict[str, Any]:
        """Return the fields in its words."""
        library = _dataclasses()
        words: list[tuple[str, Any, Any]] = []
        for name, each in declared(kind).items():
            options = {"init": each.init, "repr": each.repr, "compare": each.compare}
            for option in ("default", "default_factory"):
                if getattr(each, option) is not _ABSENT:
                    options[option] = getattr(each, option)
            words.append((name, each.type, library.field(**options, kw_only=each.kw_only)))
        found = library.make_dataclass(kind.__name__, words).__dataclass_fields__
        if "__record_fields__" in vars(kind):
            kind.__dataclass_fields__ = found
        return found


_STANDARD_FIELDS = _StandardFields()


def _dataclasses() -> Any:
    """Return the standard library's module, which is seldom needed."""
    import dataclasses

    return dataclasses
