"""Which attributes may a function read or store? Those its code names, of objects it can reach.

A function reaches its instance, the objects that its globals and the variables of outer functions
name, and what lies in attributes of these that its code names, also in lists, tuples and dicts.
The code of functions and methods that it names is part of its code. Nothing runs to find this out.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections import deque
from collections.abc import Callable, Iterable
from itertools import chain
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, cast

from ...dialects.diagnostics import Location
from ...dialects.frames import is_own_file
from ...runtime.calls.held_places import LENGTH, MISSING
from ...runtime.tensors.tensor import Tensor
from .methods import BoundFunction, instance_of

#: Lists and dicts of more items are looked at as a whole: which one it is, and how long.
MOST_ITEMS = 256
#: So many attributes and items are noted, of so much code; what a function reads beyond them it
#: reads once. A function that names a library's class reaches all of the library.
MOST_NOTED, MOST_CODES = 4096, 2048
#: What takes names as text: all attributes may be meant.
_BY_TEXT = frozenset(("getattr", "setattr", "delattr", "vars", "__dict__"))
#: Methods that no call on an existing object runs.
_NOT_RUN = frozenset(("__init__", "__new__", "__repr__", "__str__", "__del__"))
_STORES = (dis.opmap["STORE_ATTR"], dis.opmap["DELETE_ATTR"])


class Noted(NamedTuple):
    """What is at a place: under a name of an object's `__dict__`, in a dict, or in a list."""

    container: Any
    key: Any
    value: Any
    #: Whose it is, for people.
    owner: str

    def now(self) -> Any:
        """Return what is there now."""
        if self.key is LENGTH:
            return len(self.container)
        try:
            return self.container[self.key]
        except (KeyError, IndexError):
            return MISSING

    def is_same(self) -> bool:
        """Whether what is there now is what was noted."""
        now = self.now()
        return now == self.value if self.key is LENGTH else now is self.value


def attributes_read(function: Callable[..., Any]) -> Reached:
    """Return the attributes that a function may read, with their values, and its code.

    >>> from types import SimpleNamespace
    >>> counter = SimpleNamespace(step=2, name="unread")
    >>> [(noted.key, noted.value) for noted in attributes_read(lambda x: x * counter.step).noted]
    [('step', 2)]
    """
    reached = Reached()
    reached.enter(function)
    reached.walk()
    return reached


class Reached:
    """What a function reaches, as far as it is known."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.noted: list[Noted] = []
        self.codes: dict[CodeType, None] = {}
        self._names: set[str] = set()
        self._stored: set[str] = set()
        self._is_any = False
        #: By identity what was entered; what of it is to be taken; objects with attributes.
        self._entered: dict[int, Any] = {}
        self._waiting: deque[Any] = deque()
        self._objects: list[tuple[Any, dict[str, Any]]] = []
        #: The values that a class has whose names are known.
        self._classes: dict[type, set[str]] = {}
        #: By names that no code has named yet: classes, and what they have under the name.
        self._unnamed: dict[str, list[tuple[type, Any]]] = {}
        self._known: set[tuple[int, Any]] = set()
        #: The instance of a method that must not be kept alive.
        self._instance: Any = MISSING

    def walk(self) -> None:
        """Look at the objects until neither names nor objects are added."""
        before = -1
        while before != (before := len(self._entered) + len(self._names) + len(self.noted)):
            while self._waiting:
                self._take(self._waiting.popleft())
            for owner, attributes in tuple(self._objects):
                if len(self.noted) < MOST_NOTED:
                    self._look_at(owner, attributes)
        # What was only passed through is not kept alive.
        self._instance = MISSING
        self._entered.clear()
        self._objects.clear()
        self._classes.clear()
        self._unnamed.clear()

    def line_of_store(self, name: object) -> Location | None:
        """Return where an attribute is stored."""
        for code in self.codes:
            for step in dis.get_instructions(code):
                line = step.positions.lineno if step.positions else None
                if step.opcode in _STORES and step.argval == name and line is not None:
                    return Location(code.co_filename, line, function=code.co_name)
        return None

    def enter(self, value: Any) -> None:
        """Remember what the function reaches: `walk` takes it, and what that reaches."""
        if isinstance(value, (Tensor, type(None), bool, int, float, str)):
            return
        if id(value) not in self._entered:
            self._entered[id(value)] = value
            self._waiting.append(value)

    def _take(self, value: Any) -> None:
        if isinstance(value, MethodType):
            self.enter(value.__func__)
            self.enter(value.__self__)
        elif isinstance(value, FunctionType):
            self._enter_function(value)
        elif isinstance(value, functools.partial):
            made = cast("functools.partial[Any]", value)
            self._enter_all((made.func, *made.args, *made.keywords.values()))
        elif isinstance(value, BoundFunction) or _is_ours(cast("type[Any]", type(value))):
            self.enter(getattr(cast("Any", value), "function", None))
        elif isinstance(value, tuple):
            self._enter_all(cast("Iterable[Any]", value))
        elif isinstance(value, type):
            self._look_at_class(value)
        elif isinstance(value, ModuleType):
            if not (_is_foreign(value.__name__) or _is_own(value.__name__)):
                self._objects.append((value, value.__dict__))
        else:
            self._enter_object(value)

    def _enter_all(self, values: Iterable[Any]) -> None:
        for value in values:
            self.enter(value)

    def _enter_function(self, function: FunctionType) -> None:
        if _is_foreign(function.__module__):
            return
        instance = instance_of(function)
        if instance is not None:
            self._instance = instance
            self.enter(instance)
        self.enter(getattr(function, "__wrapped__", None))
        if is_own_file(function.__code__.co_filename):
            return
        self._enter_code(function.__code__)
        # Asserts that pytest has rewritten name its modules so; nobody else can.
        names = (name for name in function.__code__.co_names if not name.startswith("@"))
        named = map(function.__globals__.get, names)
        self._enter_all(chain(named, _contents(function), function.__defaults__ or ()))
        self._enter_all((function.__kwdefaults__ or {}).values())

    def _enter_code(self, code: CodeType) -> None:
        if code in self.codes or len(self.codes) >= MOST_CODES:
            return
        self.codes[code] = None
        for name in code.co_names:
            self._enter_name(name)
        if not _BY_TEXT.isdisjoint(code.co_names):
            self._is_any = True
        if "hasattr" in code.co_names:
            self._stored.update(text for text in code.co_consts if isinstance(text, str))
        self._stored.update(_stored_names(code))
        for part in code.co_consts:
            if isinstance(part, CodeType):
                self._enter_code(part)

    def _enter_name(self, name: str) -> None:
        if name not in self._names:
            self._names.add(name)
            for kind, member in self._unnamed.pop(name, ()):
                self._meet(kind, name, member)

    def _enter_object(self, value: Any) -> None:
        if not _has_attributes(value):
            return
        attributes = value.__dict__
        # What refers to the instance would keep it alive.
        refers = any(part is self._instance for part in attributes.values())
        if value is self._instance or not refers:
            self._objects.append((value, attributes))

    def _look_at(self, owner: Any, attributes: dict[str, Any]) -> None:
        names = attributes.keys() if self._is_any else attributes.keys() & self._names
        if isinstance(owner, ModuleType):
            # What a module names is read when the function is traced, as globals are.
            self._enter_all(attributes[name] for name in attributes.keys() & self._names)
            return
        kind = cast("type[Any]", type(owner))
        words = f"a {kind.__name__}"
        for name in sorted(names):
            self._note(attributes, name, words)
        if self._is_any:
            self._note(attributes, LENGTH, words)
        own = self._look_at_class(kind)
        for name in (self._stored | own) - attributes.keys():
            self._note(attributes, name, words)

    def _look_at_class(self, kind: type[Any]) -> set[str]:
        """Take the methods that are named; return the names of values that a class has."""
        if _is_foreign(kind.__module__) or _is_ours(kind):
            return set()
        known = self._classes.get(kind)
        if known is None:
            known = self._classes[kind] = set()
            for base in kind.__mro__:
                for name, member in tuple(vars(base).items()):
                    if _is_special(name) and name not in _NOT_RUN:
                        self._enter_member(member)
                    if name in self._names:
                        self._meet(kind, name, member)
                    else:
                        self._unnamed.setdefault(name, []).append((kind, member))
        return known

    def _meet(self, kind: type[Any], name: str, member: Any) -> None:
        """Take what a class has, or inherits, under a name that is in the code."""
        self._enter_member(member)
        if _may_be_set(member) and _member(kind, name) is member:
            self._classes[kind].add(name)

    def _enter_member(self, member: Any) -> None:
        if isinstance(member, property):
            self._enter_all((member.fget, member.fset))
        elif isinstance(member, (staticmethod, classmethod, MethodType)):
            self.enter(cast("Any", member).__func__)
        elif isinstance(member, FunctionType) or _is_ours(cast("type[Any]", type(member))):
            self.enter(member)
        elif isinstance(member, functools.cached_property):
            self.enter(cast("Any", member).func)

    def _note(self, container: Any, key: Any, owner: str) -> None:
        if (id(container), key) in self._known or len(self.noted) >= MOST_NOTED:
            return
        self._known.add((id(container), key))
        noted = Noted(container, key, MISSING, owner)
        value = noted.now()
        self.noted.append(noted._replace(value=value))
        kind = cast("type[Any]", type(value))
        if kind not in (list, dict):
            self.enter(value)
            return
        if id(value) in self._entered:
            return
        self._entered[id(value)] = value
        self._note(value, LENGTH, f"a {kind.__name__}")
        if len(value) <= MOST_ITEMS:
            for part in range(len(value)) if kind is list else tuple(value):
                self._note(value, part, f"a {kind.__name__}")


def _stored_names(code: CodeType) -> Iterable[str]:
    """Return the attributes that code stores; `dis` would take ten times as long."""
    steps, high = code.co_code, 0
    for operation, low in zip(steps[::2], steps[1::2], strict=True):
        if operation in _STORES:
            yield code.co_names[high + low]
        high = (high + low) << 8 if operation == dis.EXTENDED_ARG else 0


def _member(kind: type[Any], name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), MISSING)


def _may_be_set(member: Any) -> bool:
    """Whether an instance may have a value in the place of what its class has."""
    plain = (bool, int, float, complex, str, tuple, Tensor, functools.cached_property)
    return member is None or isinstance(member, plain)


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _contents(function: FunctionType) -> Iterable[Any]:
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # it has no value yet
            continue


def _has_attributes(value: Any) -> bool:
    kind = cast("type[Any]", type(value))
    if kind.__module__.partition(".")[0] in ("numpy", "builtins"):
        return False
    try:
        return type(object.__getattribute__(value, "__dict__")) is dict
    except AttributeError:
        return False


@functools.lru_cache(maxsize=4096)
def _is_foreign(module: str | None) -> bool:
    """Whether a module is of the standard library or NumPy: no user's code."""
    top = str(module).partition(".")[0]
    return top == "numpy" or (top in sys.stdlib_module_names and top != "__main__")


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == __name__.partition(".")[0]


def _is_ours(kind: type[Any]) -> bool:
    return _is_own(kind.__module__)
