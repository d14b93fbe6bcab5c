"""How is a function compiled? By a decorator with options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, overload

from ...dialects.diagnostics import TrilithTypeError
from .function import COMPILED, CompiledFunction
from .methods import P, R


@overload
def compile(
    function: Callable[P, R],
    *,
    device: str | None = ...,
    static_argnames: str | Iterable[str] = ...,
    static_shapes: bool = ...,
) -> CompiledFunction[P, R]: ...


@overload
def compile(
    function: None = ...,
    *,
    device: str | None = ...,
    static_argnames: str | Iterable[str] = ...,
    static_shapes: bool = ...,
) -> Callable[[Callable[P, R]], CompiledFunction[P, R]]: ...


def compile(
    function: Callable[..., Any] | None = None,
    *,
    device: str | None = None,
    static_argnames: str | Iterable[str] = (),
    static_shapes: bool = False,
) -> CompiledFunction[..., Any] | Callable[[Callable[P, R]], CompiledFunction[P, R]]:
    """Compile a function of tensors: a decorator, with or without options.

    The first call with each kind of arguments (dtypes, ranks, strides, kinds of numbers) traces the
    function. Other sizes trace it once more, for all sizes; what it asks of them are guards of that
    plan. Tensors of the enclosing program are captured as they are when the function is traced. The
    target is that of the tensors' devices, unless `device` names one; arguments in host memory are
    then moved to it for the call if it is an accelerator, and results stay there. What it does to
    its arguments is done to the host's, too; tensors of other devices are refused.
    Flags, strings, dtypes, devices and numbers that the code looks at (`range(n)`) have a plan for
    each value. `static_argnames` names other arguments that the traced code depends on; they must
    be hashable. Values share a plan if nothing can tell them apart: 1 and 1.0 do not. An object
    that is equal to itself alone is taken as it was when it was first seen. With `static_shapes`
    each size has a plan of its own: sizes are numbers while it is traced.

    Raises TrilithTypeError, with your line, for Python control flow on tensor values. A function
    that cannot be traced for another reason runs step by step, with one TrilithWarning.

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
        made: Any = functools.partial(COMPILED, device=device, static_argnames=names)
        return functools.partial(made, static_shapes=static_shapes)
    if not callable(function):
        raise TrilithTypeError(f"compile() takes a function, not {type(function).__name__}")
    return COMPILED(function, device, names, static_shapes)
