"""Which arguments of a compiled function are static? Their values are a part of its plans."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...dialects.diagnostics import TrilithTypeError

#: Static arguments: (index among the positional ones, or name) and value.
Static = tuple[tuple[int | str, Any], ...]


def check_hashable(name: str, value: Any) -> None:
    """Refuse a static value that no key can hold."""
    try:
        hash(value)
    except TypeError:
        raise TrilithTypeError(
            f"static argument '{name}' must be hashable, but is a {type(value).__name__}"
        ) from None


def positional_names(function: Callable[..., Any], static: frozenset[str]) -> tuple[str, ...]:
    """Return the parameters that may be passed by position; refuse unknown static names."""
    if not static:
        return ()
    parameters = inspect.signature(function).parameters
    unknown = static - set(parameters)
    if unknown:
        raise TrilithTypeError(
            f"static_argnames names {sorted(unknown)}, which {function.__name__}() does not have",
            hint=f"its parameters are {list(parameters)}",
        )
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return tuple(name for name, item in parameters.items() if item.kind in by_position)


def with_static(function: Callable[..., Any], static: Static) -> Callable[..., Any]:
    """Return a function that puts static values back among the arguments and calls `function`."""
    if not static:
        return function

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        positional = list(arguments)
        for which, value in static:
            if isinstance(which, int):
                positional[which] = value
            else:
                keywords[which] = value
        return function(*positional, **keywords)

    return call


def split_static(
    positions: Sequence[str],
    names: frozenset[str],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any], Static]:
    """Return the arguments with None instead of the static ones, and which these are.

    `positions` are the names of the arguments that may be given by position.
    """
    positional = list(arguments)
    named = dict(keywords)
    static: Static = ()
    for index, name in enumerate(positions[: len(arguments)]):
        if name in names:
            static += ((index, positional[index]),)
            positional[index] = None
    for name in sorted(names & named.keys()):
        static += ((name, named[name]),)
        named[name] = None
    for which, value in static:
        check_hashable(positions[which] if isinstance(which, int) else which, value)
    return tuple(positional), named, static
