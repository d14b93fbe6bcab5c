"""How is a compiled function pickled? As the name that it can be imported by, and its options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...dialects.diagnostics import TrilithTypeError


def importable_name(compiled: object, function: Callable[..., Any]) -> tuple[str, str]:
    """Return the module and the name that a compiled function, or what was compiled, is found by.

    Raises TrilithTypeError if something else, or nothing, has that name.
    """
    module, name = function.__module__, function.__qualname__
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    if found is not compiled and found is not function:
        raise TrilithTypeError(
            f"can't pickle {name}: it cannot be imported by that name",
            hint="define it at the top level of a module, or pickle a compiled plan: "
            "tri.trace(f, ...).lower().compile()",
        )
    return module, name


def imported_by(module: str, name: str) -> Any:
    """Return what has a name in a module, which is imported."""
    found: Any = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found
