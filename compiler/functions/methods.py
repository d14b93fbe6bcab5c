"""How is a compiled function bound to an instance, without keeping the instance alive?

Plans are remembered for each instance, since what it holds (captured tensors, numbers) is part of
them. The table of the class's function knows the instance weakly, and so does what it traces; the
object that `instance.method` gives holds both, as a method of Python's does.
"""

from __future__ import annotations

import functools
import inspect
import weakref
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeAlias, TypeVar, cast

from ...dialects.diagnostics import TrilithTypeError

#: The parameters of a function that is compiled, and what it returns: the same, compiled.
P = ParamSpec("P")
R = TypeVar("R", covariant=True)

#: Under which name a method knows its instance.
_INSTANCE = "__instance_of_method__"


class Callee(Protocol[P, R]):
    """A compiled function, as its bound methods see it."""

    @property
    def function(self) -> Callable[P, R]:
        """What was compiled."""
        ...

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Run the function."""
        ...


#: By the `id` of an instance: a reference that removes the entry, and what remembers its plans.
Bound: TypeAlias = "dict[int, tuple[weakref.ref[Any], Callee[..., Any]]]"


class BoundFunction(Generic[P, R]):
    """A compiled method of one instance: call it, or ask it what its function can be asked."""

    __slots__ = ("__self__", "__weakref__", "_compiled")

    def __init__(self, compiled: Callee[P, R], instance: object) -> None:
        """Hold the instance as long as this object lives."""
        self._compiled = compiled
        self.__self__ = instance

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        """Run the method."""
        return self._compiled(*arguments, **keywords)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the compiled function, such as `stats` or `trace`."""
        return getattr(self._compiled, name)

    def __repr__(self) -> str:
        """Return the function's name and how often it was traced."""
        return repr(self._compiled)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same method of the same instance."""
        if not isinstance(other, BoundFunction):
            return NotImplemented
        return self._compiled is cast("Any", other)._compiled

    def __hash__(self) -> int:
        """Return the hash of the method of this instance."""
        return hash(self._compiled)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy as Python does its methods: as the instance and the name."""
        return getattr, (self.__self__, self._compiled.function.__name__)


def bind(
    function: Callable[..., Any],
    instance: object,
    table: Bound,
    make: Callable[[Callable[..., Any]], Callee[..., Any]],
) -> BoundFunction[..., Any]:
    """Return the method of an instance that the table does not know, and enter it there."""
    key = id(instance)
    # The callback is C's: nothing can come between the end of the instance and the entry's.
    try:
        reference = weakref.ref(instance, functools.partial(table.pop, key))
    except TypeError:
        raise TrilithTypeError(
            f"a compiled method needs weak references to its '{type(instance).__name__}'",
            hint="add '__weakref__' to the __slots__ of the class",
        ) from None
    compiled = make(_weakly_bound(function, reference))
    table[key] = (reference, compiled)
    return BoundFunction(compiled, instance)


def _weakly_bound(function: Callable[..., Any], reference: weakref.ref[Any]) -> Callable[..., Any]:
    """Return a function's method, which lives as long as the instance and does not hold it."""

    @functools.wraps(function)
    def method(*arguments: Any, **keywords: Any) -> Any:
        return _bound(function, reference)(*arguments, **keywords)

    method.__dict__[_INSTANCE] = reference
    # That of `__wrapped__` begins with `self`.
    method.__dict__["__signature__"] = inspect.signature(_bound(function, reference))
    return method


def instance_of(function: Callable[..., Any]) -> Any:
    """Return the instance of a method that does not hold it; None of any other function."""
    reference = function.__dict__.get(_INSTANCE)
    return None if reference is None else reference()


def _bound(function: Any, reference: weakref.ref[Any]) -> Callable[..., Any]:
    instance = reference()
    return function.__get__(instance, type(instance))
