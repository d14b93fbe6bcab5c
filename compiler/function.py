"""What is a compiled function? A callable that remembers a plan for each kind of arguments.

Making one imports neither xDSL nor LLVM; its first call does.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from ..dialects.attributes.dtype import get_default_dtype
from ..dialects.attributes.spec import ScalarSpec, TensorSpec
from ..dialects.diagnostics import TrilithError, TrilithTypeError, without_own_frames
from ..runtime.tensor import Tensor
from .counters import KernelCounters
from .trace.active import ACTIVE
from .trace.leaves import split_leaves
from .trace.operands import as_number, as_tensor
from .trace.pytree import flatten

if TYPE_CHECKING:
    from .driver import Compiled, Traced

#: How many plans a compiled function remembers.
PLAN_LIMIT = 1024


@dataclass(slots=True)
class Stats:
    """What a compiled function has done so far.

    `traces` counts kinds of arguments, `kernels_compiled` runs of LLVM, `kernels_reused` kernels
    that existed in this process, `kernels_loaded` those that came from the disk cache.
    """

    calls: int
    traces: int
    plans: int
    kernels_compiled: int
    kernels_reused: int
    kernels_loaded: int


class CompiledFunction:
    """A function that is traced and compiled for each new kind of arguments: see `compile`."""

    def __init__(
        self, function: Callable[..., Any], device: str, static_argnames: Iterable[str]
    ) -> None:
        """Remember what to compile; nothing is imported or traced before the first call."""
        functools.update_wrapper(self, function)
        self.function = function
        self.device = device
        self.static_argnames = frozenset(static_argnames)
        self._signature = signature_with(function, self.static_argnames)
        self._plans: OrderedDict[Any, Compiled] = OrderedDict()
        self._quick: dict[Any, Compiled] = {}
        self._lock = threading.Lock()
        self._busy: dict[Any, threading.Lock] = {}
        self._counters = KernelCounters()
        self._calls = 0
        self._traces = 0

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Run the function; the first call with a kind of arguments traces and compiles it.

        Called while another function is traced, it becomes part of that one.
        """
        if ACTIVE.trace is not None:
            return self.function(*arguments, **keywords)
        self._calls += 1
        try:
            if not keywords:
                # The usual call, tensors and nothing else: one look-up on their interned specs.
                specs = [argument.spec for argument in arguments if type(argument) is Tensor]
                if len(specs) == len(arguments):
                    plan = self._quick.get((get_default_dtype(), *specs))
                    if plan is not None:
                        return plan.run(arguments, ())
            return self._call(arguments, keywords)
        except TrilithError as error:
            raise without_own_frames(error) from None

    def _call(self, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Find or make the plan for any arguments, and run it."""
        given = arguments
        static: tuple[Any, ...] = ()
        if self.static_argnames:
            arguments, keywords, static = self._split_static(arguments, keywords)
        leaves: list[Any] = []
        structure = flatten((arguments, keywords), leaves)
        tensors, scalars = split_leaves(leaves)
        kinds = tuple(leaf.spec if isinstance(leaf, Tensor) else _kind_of(leaf) for leaf in leaves)
        default = get_default_dtype()
        key = (structure, kinds, static, default)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plan(key, static)
        if not static and not keywords and all(type(argument) is Tensor for argument in given):
            if len(self._quick) >= PLAN_LIMIT:
                self._quick.clear()
            self._quick[default, *kinds] = plan
        return plan.run(tensors, scalars)

    def __repr__(self) -> str:
        """Return the name and how often it was traced."""
        name = getattr(self.function, "__qualname__", repr(self.function))
        return f"<compiled {name}, {self._traces} traces>"

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind like a function, so that methods can be compiled."""
        return self if instance is None else functools.partial(self, instance)

    def stats(self) -> Stats:
        """Return counters of calls, traces and kernels."""
        with self._lock:
            counters = self._counters
            return Stats(
                self._calls,
                self._traces,
                len(self._plans),
                counters.compiled,
                counters.reused,
                counters.loaded_from_disk,
            )

    def trace(self, *arguments: Any, **keywords: Any) -> Traced:
        """Trace on example arguments; see `trilith.trace`."""
        return _driver().trace(self.function, *arguments, **keywords)

    def _plan(self, key: Any, static: tuple[Any, ...]) -> Compiled:
        """Trace and compile for a key once, however many threads ask."""
        with self._lock:
            busy = self._busy.setdefault(key, threading.Lock())
        with busy:
            plan = self._plans.get(key)
            if plan is not None:
                return plan
            structure, kinds, _, _ = key
            function = self.function
            if static:
                function = functools.partial(function, **dict(static))
                functools.update_wrapper(function, self.function)
            traced = _driver().trace_specs(function, structure, kinds)
            plan = traced.lower(self.device, in_place=True).compile(self._counters)
            with self._lock:
                self._traces += 1
                self._plans[key] = plan
                while len(self._plans) > PLAN_LIMIT:
                    self._plans.popitem(last=False)
                self._busy.pop(key, None)
        return plan

    def _split_static(
        self, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any], tuple[Any, ...]]:
        """Return the arguments without the static ones, all by name, and the static ones."""
        assert self._signature is not None
        bound = self._signature.bind(*arguments, **keywords)
        bound.apply_defaults()
        dynamic: dict[str, Any] = {}
        static: list[tuple[str, Any]] = []
        for name, value in bound.arguments.items():
            if name in self.static_argnames:
                _check_hashable(name, value)
                static.append((name, value))
            else:
                dynamic[name] = value
        return (), dynamic, tuple(static)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the function, which must be importable, and the options."""
        return _restore, (
            self.function.__module__,
            self.function.__qualname__,
            self.device,
            tuple(self.static_argnames),
        )


def _kind_of(leaf: Any) -> TensorSpec | ScalarSpec:
    number = as_number(leaf)
    if number is not None:
        return ScalarSpec.of(number)
    tensor = as_tensor(leaf)
    assert tensor is not None
    return tensor.spec


def _check_hashable(name: str, value: Any) -> None:
    try:
        hash(value)
    except TypeError:
        raise TrilithTypeError(
            f"static argument '{name}' must be hashable, but is a {type(value).__name__}"
        ) from None


def signature_with(function: Callable[..., Any], names: frozenset[str]) -> inspect.Signature | None:
    """Return the signature of a function that has static arguments; refuse unknown names."""
    if not names:
        return None
    signature = inspect.signature(function)
    unknown = names - set(signature.parameters)
    if unknown:
        raise TrilithTypeError(
            f"static_argnames names {sorted(unknown)}, which {function.__name__}() does not have",
            hint=f"its parameters are {list(signature.parameters)}",
        )
    return signature


@overload
def compile(
    function: Callable[..., Any], *, device: str = ..., static_argnames: str | Iterable[str] = ...
) -> CompiledFunction: ...


@overload
def compile(
    function: None = ..., *, device: str = ..., static_argnames: str | Iterable[str] = ...
) -> Callable[[Callable[..., Any]], CompiledFunction]: ...


def compile(
    function: Callable[..., Any] | None = None,
    *,
    device: str = "cpu",
    static_argnames: str | Iterable[str] = (),
) -> CompiledFunction | Callable[[Callable[..., Any]], CompiledFunction]:
    """Compile a function of tensors: a decorator, with or without options.

    The first call with each kind of arguments (dtypes, shapes, strides, kinds of numbers) traces
    the function; new shapes of the same rank and stride pattern reuse the machine code. Tensors of
    the enclosing program are captured as they are when the function is traced. `static_argnames`
    names arguments whose values the traced code depends on; they must be hashable.

    Raises TrilithTypeError, with your line, for Python control flow on tensor values.

    >>> import trilith as tri
    >>> @tri.compile
    ... def f(x, y):
    ...     return tri.maximum(2 * x, y)
    >>> f(tri.tensor([1.0, 2.0]), tri.tensor([3.0, 3.0]))
    tensor([3., 4.])
    >>> f.stats().traces
    1
    """
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    if function is None:
        return functools.partial(CompiledFunction, device=device, static_argnames=names)
    if not callable(function):
        raise TrilithTypeError(f"compile() takes a function, not {type(function).__name__}")
    return CompiledFunction(function, device, names)


@functools.cache
def _driver() -> Any:
    """Import the compiler when the first function is traced."""
    return import_module(".driver", __package__)


def _restore(module: str, name: str, device: str, static_argnames: tuple[str, ...]) -> Any:
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if isinstance(found, CompiledFunction):
        return found
    return CompiledFunction(found, device, static_argnames)
