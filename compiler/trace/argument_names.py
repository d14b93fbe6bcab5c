"""What are the arguments of a traced function called in the IR? As its parameters are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .pytree import LEAF, WITHOUT_CHILDREN, Structure

#: What follows a sparse tensor's name in that of its values.
OF_VALUES = "_values"


def argument_names(function: Callable[..., Any], structure: Structure) -> list[str]:
    """Return a name for each leaf of a call's arguments: the parameter's, or one made from it."""
    _, _, (positional, keywords) = structure
    code = getattr(inspect.unwrap(function), "__code__", None)
    known = code.co_varnames[: code.co_argcount] if code is not None else ()
    names: list[str] = []
    for index, child in enumerate(positional[2]):
        _name_leaves(known[index] if index < len(known) else f"arg{index}", child, names)
    for key, child in zip(keywords[1], keywords[2], strict=True):
        _name_leaves(str(key), child, names)
    return names


def _name_leaves(name: str, structure: Structure, names: list[str]) -> None:
    if structure is LEAF or structure[0] == "leaf":
        names.append(name)
    elif structure[0] == "sparse":
        names += [f"{name}_indices", f"{name}{OF_VALUES}"]
    elif structure[0] not in WITHOUT_CHILDREN:
        for index, child in enumerate(structure[2]):
            _name_leaves(f"{name}_{index}", child, names)
