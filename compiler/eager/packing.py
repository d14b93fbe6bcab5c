"""What does an operation return that has several results? A tuple of them, perhaps a named one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..trace.pytree import LEAF, Structure


def is_plain(result: Structure) -> bool:
    """Whether an operation returns one tensor, or nothing."""
    return result in (LEAF, ("none",))


def packing(result: Structure) -> Callable[[Any], Any] | None:
    """Return what makes the tuple of an operation out of its results; None for other structures."""
    kind, *rest = result
    if kind not in ("namedtuple", tuple):
        return None
    named, parts = rest
    if any(part != LEAF for part in parts):
        return None
    # The number of results is that of the names: nothing is left to check.
    make: Any = tuple
    return make if named is None else partial(make.__new__, named)


def type_of(result: Structure) -> type:
    """Return the class of the tuple that `packing` makes."""
    return result[1] or tuple
