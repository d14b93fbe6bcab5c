"""How is a function compiled? By a decorator with options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, overload

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError, TrilithValueError
from .function import COMPILED, CompiledFunction
from .methods import P, R

#: What `torch.compile` knows, which changes nothing here: there is one compiler, and one effort.
_BACKENDS = ("inductor", "eager")
_MODES = (*("default", "lite", "reduce-overhead", "max-autotune-no-cudagraphs", "max-autotune"),)


@overload
def compile(
    function: Callable[P, R],
    *,
    device: str | None = ...,
    static_argnames: str | Iterable[str] = ...,
    static_shapes: bool = ...,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
    disable: bool = ...,
) -> CompiledFunction[P, R]: ...


@overload
def compile(
    function: None = ...,
    *,
    device: str | None = ...,
    static_argnames: str | Iterable[str] = ...,
    static_shapes: bool = ...,
    fullgraph: bool = ...,
    dynamic: bool | None = ...,
    backend: str = ...,
    mode: str | None = ...,
    options: Mapping[str, Any] | None = ...,
    disable: bool = ...,
) -> Callable[[Callable[P, R]], CompiledFunction[P, R]]: ...


def compile(
    function: Callable[..., Any] | None = None,
    *,
    device: str | None = None,
    static_argnames: str | Iterable[str] = (),
    static_shapes: bool = False,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str = "inductor",
    mode: str | None = None,
    options: Mapping[str, Any] | None = None,
    disable: bool = False,
) -> Any:
    """Compile a function of tensors: a decorator, with or without options.

    The first call with each kind of arguments (dtypes, ranks, strides, kinds of numbers) traces the
    function. Other sizes trace it once more, for all sizes; what it asks of them are guards of that
    plan. Tensors of the enclosing program are captured as they are when the function is traced;
    what products read of them alone is computed once, and again when they were written to. The
    target is that of the tensors' devices, unless `device` names one; arguments in host memory are
    then moved to it for the call if it is an accelerator, and results stay there. What it does to
    its arguments is done to the host's, too; tensors of other devices are refused.
    Flags, strings, dtypes, devices and numbers that the code looks at (`range(n)`) have a plan for
    each value. `static_argnames` names other arguments that the traced code depends on; they must
    be hashable. Values share a plan if nothing can tell them apart: 1 and 1.0 do not. An object
    that is equal to itself alone is taken as it was when it was first seen. With `static_shapes`
    each size has a plan of its own: sizes are numbers while it is traced.

    Of the options of `torch.compile`, `dynamic=False` is `static_shapes`, with `fullgraph` a
    function that cannot be one program is an error instead of running step by step, and `disable`
    gives the function back. `backend="inductor"` and `"eager"`, `mode` and `options` change
    nothing; other backends are refused.

    Raises TrilithTypeError, with your line, for Python control flow on tensor values. A function
    that cannot be traced for another reason runs step by step, with one TrilithWarning. Attributes
    of objects are read in each call; a function that stores some runs step by step, too.

    >>> import trilith as tri
    >>> @tri.compile
    ... def f(x, y):
    ...     return tri.maximum(2 * x, y)
    >>> f(tri.tensor([1.0, 2.0]), tri.tensor([3.0, 3.0]))
    tensor([3., 4.])
    >>> f.stats().traces
    1
    """
    _check_options(backend, mode, options)
    if function is not None and not callable(function):
        raise TrilithTypeError(f"compile() takes a function, not {type(function).__name__}")
    if disable:
        return _same if function is None else function
    names = (static_argnames,) if isinstance(static_argnames, str) else tuple(static_argnames)
    is_static = static_shapes or _is_static(dynamic)
    if is_static and dynamic:
        raise TrilithValueError("dynamic=True and static_shapes=True exclude one another")
    if function is None:
        how = {"static_shapes": is_static, "is_whole": bool(fullgraph)}
        return functools.partial(COMPILED, device=device, static_argnames=names, **how)
    return COMPILED(function, device, names, is_static, bool(fullgraph))


def _same(function: Callable[P, R]) -> Callable[P, R]:
    return function


def _is_static(dynamic: object) -> bool:
    if dynamic is not None and not isinstance(dynamic, bool):
        raise TrilithTypeError(f"dynamic must be True, False or None, not {dynamic!r}")
    return dynamic is False


def _check_options(backend: object, mode: object, options: object) -> None:
    """Refuse what `torch.compile` refuses, and backends that are not here."""
    if mode is not None and options is not None:
        raise TrilithRuntimeError(
            "Either mode or options can be specified, but both can't be specified at the same time."
        )
    if mode is not None and mode not in _MODES:
        known = ", ".join(_MODES)
        raise TrilithRuntimeError(f"Unrecognized mode={mode}, should be one of: {known}")
    if options is not None and not isinstance(options, Mapping):
        raise TrilithTypeError(f"options must be a dict, not {type(options).__name__}")
    if not isinstance(backend, str) or backend not in _BACKENDS:
        raise TrilithRuntimeError(
            f"Invalid backend: {backend!r}",
            hint="trilith is the compiler: leave backend= out; explain() shows what it makes",
        )
