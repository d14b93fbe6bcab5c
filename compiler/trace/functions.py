"""What is asked of a function before it is traced? Its name, its code, and that it is one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import CodeType
from typing import Any

from ...dialects.diagnostics import TrilithTypeError
from ...dialects.frames import is_own_file
from .not_traceable import NumberNeeded, ValueNeeded


def check_function(function: object) -> None:
    """Refuse to trace what cannot be called."""
    if not callable(function):
        raise TrilithTypeError(f"trace() takes a function, not {type(function).__name__}")


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """Return the code that runs when a function is called; None if it is not written in Python."""
    if isinstance(function, functools.partial):
        return code_of(function.func)
    method: Any = getattr(function, "__func__", function)
    code = getattr(method, "__code__", None)
    if isinstance(code, CodeType) and is_own_file(code.co_filename):
        return code_of(method.__wrapped__) if hasattr(method, "__wrapped__") else None
    return code if isinstance(code, CodeType) else None


def symbol_of(function: Callable[..., Any]) -> str:
    """Return what the IR calls the function."""
    name = getattr(function, "__name__", type(function).__name__)
    return "".join(letter for letter in name if letter.isalnum() or letter == "_") or "function"


def raise_swallowed(refusal: TrilithTypeError | None, error: Exception) -> None:
    """Raise the refusal that Python has replaced by an error of its own, as "%d" % x does.

    An error that a function raises while it handles the refusal has that for a context.
    """
    is_value = isinstance(refusal, (ValueNeeded, NumberNeeded))
    if type(error) is TypeError and error.__context__ is None and is_value:
        raise refusal from error
