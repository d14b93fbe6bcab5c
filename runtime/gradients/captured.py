"""Who has captured a tensor, and is to know when it begins or ends to take part in gradients?

A compiled function is compiled for what it has captured: without gradients if no tensor requires
one, as an operation of a graph if one does.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol
from weakref import ReferenceType, WeakSet, ref


class Watcher(Protocol):
    """What is compiled for the tensors that it has captured."""

    def gradients_changed(self) -> None:
        """Forget what is true no more."""


#: By the identity of a tensor: the tensor, and who has captured it.
WATCHED: dict[int, tuple[ReferenceType[Any], WeakSet[Any]]] = {}


def watch(tensors: Iterable[Any], watcher: Watcher) -> None:
    """Tell somebody from now on when one of the tensors begins or ends to require a gradient."""
    for tensor in tensors:
        key = id(tensor)
        found = WATCHED.get(key)
        if found is None or found[0]() is not tensor:
            found = WATCHED[key] = ref(tensor, lambda _, key=key: WATCHED.pop(key, None)), WeakSet()
        found[1].add(watcher)


def has_changed(tensor: Any) -> None:
    """Tell who has captured a tensor that it requires a gradient now, or none any more."""
    found = WATCHED.get(id(tensor))
    if found is not None and found[0]() is tensor:
        for watcher in tuple(found[1]):
            watcher.gradients_changed()
