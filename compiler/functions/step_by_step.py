"""What happens to a compiled function that cannot be traced? It runs step by step, and says so.

Each operation runs by itself, as without `tri.compile`. The first time a function does so there is
one `TrilithWarning`, with the reason, the line and what to do instead.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...dialects.diagnostics import (
    CapturedChanged,
    Location,
    TrilithError,
    TrilithRuntimeError,
    TrilithWarning,
    user_location,
)
from ...dialects.records import record
from ...runtime.tensors.origins import given_for_array
from ...runtime.tensors.tensor import Tensor
from ..trace.active import run_shown
from ..trace.operands import as_number, as_operand
from .twins import Twins


@record
class Untraceable:
    """In the place of a plan: why the function runs operation by operation."""

    reason: str
    location: Location | None = None
    hint: str | None = None

    @staticmethod
    def because(error: TrilithError) -> Untraceable:
        """Return what an error says that was met while tracing."""
        return Untraceable(error.message, error.location, error.hint)


#: Why a call runs whose numbers have no plan. Who calls so often was told before.
MANY_NUMBERS = Untraceable(
    "its code looks at the value of a number, and it was compiled for as many as have plans"
)


class Notice:
    """The warning that a function runs step by step: once, however many threads call it."""

    __slots__ = ("_given",)

    def __init__(self) -> None:
        """Nothing has been said."""
        #: Counting is one step of the interpreter: no thread comes between.
        self._given = itertools.count()

    def give(self, function: Callable[..., Any], why: Untraceable) -> None:
        """Warn, unless that was done before: where warnings are errors, the next call runs."""
        if why is MANY_NUMBERS or next(self._given):
            return
        name = getattr(function, "__name__", type(function).__name__)
        lines = [f"{name}() runs step by step, as if it was not compiled: {why.reason}"]
        lines += [] if why.location is None else why.location.describe()
        lines += [] if why.hint is None else [f"  hint: {why.hint}"]
        location = why.location or user_location()
        file, line = ("<unknown>", 1) if location is None else (location.file, location.line)
        warnings.warn_explicit("\n".join(lines), TrilithWarning, file, line)


def not_whole(function: Callable[..., Any], why: Untraceable) -> TrilithError:
    """Return the error for a function that must not run step by step, and would."""
    name = getattr(function, "__name__", type(function).__name__)
    text = f"{name}() is compiled with fullgraph=True and is not one program: {why.reason}"
    return TrilithRuntimeError(text, hint=why.hint, location=why.location)


def run_step_by_step(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    leaves: Sequence[Any],
) -> Any:
    """Run the function as it is, each operation by itself; arrays become tensors first."""
    try:
        return _run(function, arguments, keywords, leaves)
    except CapturedChanged as error:
        # Of a plan that the function called: what it did before must not be done again.
        raise TrilithRuntimeError(
            error.message, hint=error.hint, location=error.location
        ).with_traceback(error.__traceback__) from None


def _run(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    leaves: Sequence[Any],
) -> Any:
    if any(not isinstance(leaf, Tensor) and as_number(leaf) is None for leaf in leaves):
        twins = Twins(_concrete)
        arguments, keywords = twins.of((arguments, keywords))
        try:
            return run_shown(function, arguments, keywords)
        finally:
            twins.bring_back()
    return run_shown(function, arguments, keywords)


def _concrete(leaf: Any) -> Any:
    """Return a tensor for an array; anything else, such as a static argument, as it is."""
    found = leaf if isinstance(leaf, Tensor) else as_operand(leaf)
    if not isinstance(found, Tensor):
        return leaf
    return found if found is leaf else given_for_array(found)
