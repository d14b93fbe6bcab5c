"""How do operations get onto tensors, when the runtime knows none?

The compiler installs them: `install("add", function)` makes `tensor.add(...)`, and
`install("__add__", function)` the operator. Until then the operators of `Tensor` are stand-ins that
call the loader once (the face sets it, so that importing trilith does not import the compiler) and
try again. Without a loader, or for what the loader did not install, they say so.

Before they are loaded somebody else may know how to do the same without (`set_early`): by what an
earlier process left on the disk. It says `LATER` to what it does not know.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread, current_thread
from typing import TYPE_CHECKING, Any, Protocol

from ...dialects.attributes.operators import BINARY_OPERATORS
from ...dialects.diagnostics import TrilithNotImplementedError, TrilithRuntimeError
from ...dialects.locks import IMPORTS, being_loaded

#: Operators that only the tensor can answer.
OTHER_OPERATORS: tuple[str, ...] = (
    *("__neg__", "__pos__", "__abs__", "__invert__"),
    *("__getitem__", "__setitem__"),
)


_OPERATORS = frozenset((*BINARY_OPERATORS, *OTHER_OPERATORS))

#: What is said of a call that the operations must be loaded for.
LATER: Any = object()


if TYPE_CHECKING:

    class Early(Protocol):
        """Does some of what operations do, before they are loaded; LATER is what it does not."""

        def operator(self, name: str, arguments: tuple[Any, ...]) -> Any:
            """Apply an operator."""
            ...

        def attribute(self, tensor: Any, name: str) -> Any:
            """Return a method or a property of a tensor."""
            ...

        def function(self, name: str) -> Any:
            """Return a function."""
            ...


class _Later:
    """An attribute of tensors that is made when it is asked for."""

    def __init__(self, registry: Registry, name: str) -> None:
        self._registry, self._name = registry, name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self._made().__get__(instance, owner)

    def __set__(self, instance: Any, value: Any) -> None:
        """Assign to a property that can be; of others Python says that they cannot."""
        self._made()
        setattr(instance, self._name, value)

    def _made(self) -> Any:
        found = self._registry.installed(self._name)
        if found is None:
            raise AttributeError(self._name)
        return found


class Registry:
    """Operations by name, the classes that carry them and the loader that brings them.

    >>> class Number: ...
    >>> registry = Registry()
    >>> registry.adopt(Number)
    >>> registry.set_loader(lambda: registry.install("__neg__", lambda number: "negated"))
    >>> -Number()
    'negated'
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self._installed: dict[str, Any] = {}
        self._find: Callable[[str], Any] | None = None
        self._later_names: set[str] = set()
        self._targets: list[type] = []
        self._loader: Callable[[], None] | None = None
        self._loading: Thread | None = None
        self._early_loader: Callable[[], Early | None] | None = None
        self._early: Early | None = None
        self._function_of: Callable[[str], Any] | None = None

    def install(self, name: str, function: Any) -> None:
        """Make `function` (or a property) the attribute `name` of every tensor.

        It is called with the tensor first. Installing a name again replaces it.
        """
        self._installed[name] = function
        self._later_names.discard(name)
        for target in self._targets:
            setattr(target, name, function)

    def set_finder(self, find: Callable[[str], Any]) -> None:
        """Set what makes what is installed later: `find(name)`, None if there is no such thing."""
        self._find = find

    def install_later(self, name: str) -> None:
        """Let the finder make the attribute `name` of every tensor when it is first asked for."""
        self._installed.pop(name, None)
        self._later_names.add(name)
        for target in self._targets:
            setattr(target, name, self._later(name))

    def installed(self, name: str) -> Any:
        """Return what is installed under a name, loading if need be; None if nothing is."""
        if name not in self._installed:
            self.load()
        found = self._installed.get(name)
        if found is None and self._find is not None:
            found = self._find(name)
            if found is not None:
                self.install(name, found)
        return found

    def _later(self, name: str) -> Any:
        """Return what stands for an attribute that is made when it is asked for."""
        return self._stand_in(name) if name in _OPERATORS else _Later(self, name)

    def set_loader(self, loader: Callable[[], None]) -> None:
        """Set what to call, once, when an operation is first needed: it installs the operations."""
        with IMPORTS:
            self._loader = loader

    def set_early(
        self, loader: Callable[[], Early | None], function_of: Callable[[str], Any]
    ) -> None:
        """Set what to call, once, before operations are loaded, and what finds a function."""
        self._early_loader = loader
        self._function_of = function_of

    def is_early(self) -> bool:
        """Whether the operations are to be loaded yet, and nobody is at it."""
        return self._loader is not None and self._loading is None

    def early(self) -> Early | None:
        """Return what does without the operations, as long as they are not loaded."""
        if self._early_loader is not None and self.is_early():
            with IMPORTS:
                loader, self._early_loader = self._early_loader, None
                if loader is not None:
                    self._early = loader()
        return self._early if self.is_early() else None

    def early_attribute(self, tensor: Any, name: str) -> Any:
        """Return a method or a property of a tensor before the operations are loaded, or LATER."""
        early = self.early()
        return LATER if early is None else early.attribute(tensor, name)

    def early_function(self, name: str) -> Any:
        """Return a function before the operations are loaded, or LATER."""
        early = self.early()
        return LATER if early is None else early.function(name)

    def face_function(self, name: str) -> Any:
        """Return a function of the face."""
        assert self._function_of is not None
        return self._function_of(name)

    def load(self) -> None:
        """Run the loader if there is one that has not run; other threads wait for it.

        A loader that raises is kept and runs again next time.
        """
        if self._loader is None:
            return
        with IMPORTS:
            if self._loader is None or self._loading is current_thread():  # it itself uses a tensor
                return
            try:
                self._loading = current_thread()
                self._loader()
                self._loader = None
            finally:
                self._loading = None

    def call(self, name: str, *arguments: Any) -> Any:
        """Call the operation of that name; an operator nobody installed declines or raises.

        Raises TrilithRuntimeError if there are no operations at all, TrilithNotImplementedError if
        this one does not exist.
        """
        early = self.early()
        if early is not None:
            result = early.operator(name, arguments)
            if result is not LATER:
                return result
        function = self.installed(name)
        if function is not None:
            return function(*arguments)
        if self._loading is current_thread():
            raise being_loaded(f"'{name}'")
        if not self._installed:
            raise TrilithRuntimeError(
                f"'{name}' needs the operations, which the runtime alone does not have",
                hint="import trilith before using tensors",
            )
        if name in BINARY_OPERATORS:
            return NotImplemented
        raise TrilithNotImplementedError(f"tensors have no operation '{name}'")

    def adopt(self, target: type) -> None:
        """Give a class everything installed so far, and stand-ins for the other operators."""
        self._targets.append(target)
        for name in (*BINARY_OPERATORS, *OTHER_OPERATORS):
            setattr(target, name, self._stand_in(name))
        for name in self._later_names - _OPERATORS:
            setattr(target, name, _Later(self, name))
        for name, function in self._installed.items():
            setattr(target, name, function)

    def _stand_in(self, name: str) -> Callable[..., Any]:
        def operator(*arguments: Any) -> Any:
            return self.call(name, *arguments)

        operator.__name__ = name
        operator.__qualname__ = f"Tensor.{name}"
        operator.__doc__ = f"Load the operations and apply {name}."
        return operator


_registry = Registry()
install = _registry.install
install_later = _registry.install_later
set_finder = _registry.set_finder
installed = _registry.installed
set_loader = _registry.set_loader
load = _registry.load
set_early = _registry.set_early
is_early = _registry.is_early
early = _registry.early
early_attribute = _registry.early_attribute
early_function = _registry.early_function
face_function = _registry.face_function
call = _registry.call
adopt = _registry.adopt
