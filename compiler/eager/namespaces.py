"""What are the functions of `trilith.linalg` and its like? Those of rows with a place there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dialects.locks import imported
from ...runtime.tensors import dispatch
from ...runtime.tensors.missing import missing_function


def getters(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a module, given its name: `trilith.linalg`.

    >>> get, names = getters("trilith.nn.functional")
    >>> get("sigmoid").__name__, "sigmoid" in names()
    ('sigmoid', True)
    """
    package, _, place = module.partition(".")

    def get(name: str) -> Any:
        whole = f"{place}.{name}"
        early = dispatch.early_function(whole)
        if early is not dispatch.LATER:
            return early
        if name.startswith("_") or whole not in _functions():
            raise missing_function(name, module)
        dispatch.load()
        value = imported(".operations", __package__).function_of(whole)
        setattr(imported(f".{place}", package), name, value)
        return value

    def names() -> list[str]:
        start = f"{place}."
        found = (name.removeprefix(start) for name in _functions() if name.startswith(start))
        return sorted(name for name in found if "." not in name)

    return get, names


def _functions() -> Any:
    return imported("...dialects.ops.table", __package__).public_functions()
