"""How does a function get other leaves in the lists and dicts it is given, yet change those?

It is given twins of them. What it did to a twin is done to the original after the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ...runtime.tensors.sparse import SparseTensor, parts_of
from ..trace.pytree import fields_of, is_dataclass, rebuild

#: Stands for a field that is not there.
_ABSENT: Any = object()


class Twins:
    """Twins of nested arguments with other leaves; containers with nothing to replace stay.

    >>> twins, given = Twins(lambda leaf: -leaf), [1, 2]
    >>> twin = twins.of(given)
    >>> twin.append(5)
    >>> twins.bring_back()
    >>> twin, given
    ([-1, -2, 5], [1, 2, 5])
    """

    def __init__(self, replace: Callable[[Any], Any]) -> None:
        """Remember what returns another leaf, or the same, for a leaf."""
        self._replace = replace
        #: The twin of a container or leaf, by its id; both are held so that ids stay theirs.
        self._twins: dict[int, tuple[Any, Any]] = {}
        self._originals: dict[int, Any] = {}
        #: What can change: the original, the twin, and what the twin held at first.
        self._changing: list[tuple[Any, Any, Any]] = []

    def of(self, tree: Any) -> Any:
        """Return the twin of a tree of tuples, lists, dicts and dataclasses."""
        if tree is None:
            return None
        found = self._twins.get(id(tree))
        if found is None:
            found = tree, self._make(tree)
            self._twins[id(tree)] = found
            if found[1] is not tree:
                self._originals[id(found[1])] = tree
        return found[1]

    def bring_back(self) -> None:
        """Change the originals as their twins were changed."""
        for original, twin, before in self._changing:
            if isinstance(twin, list):
                after = cast("list[Any]", twin)
                if len(after) != len(before) or _differ(after, before):
                    original[:] = [self._original(item) for item in after]
            elif isinstance(twin, dict):
                words = cast("dict[Any, Any]", twin)
                if list(words) != list(before) or _differ(words.values(), before.values()):
                    original.clear()
                    original.update((key, self._original(words[key])) for key in words)
            elif isinstance(twin, SparseTensor):
                self._bring_back_parts(original, twin, before)
            else:
                self._bring_back_fields(original, twin, before)

    def _bring_back_fields(self, original: Any, twin: Any, before: dict[str, Any]) -> None:
        for name, value in before.items():
            item = getattr(twin, name, _ABSENT)
            if item is not value and item is not _ABSENT:
                object.__setattr__(original, name, self._original(item))

    def _bring_back_parts(self, original: Any, twin: Any, before: tuple[Any, ...]) -> None:
        """Give a sparse tensor the entries that its twin has now, if they are others."""
        after = parts_of(twin)
        if _differ(after, before):
            parts = [self._original(part).to(original.device) for part in after]
            original.hold(*parts, twin.shape, coalesced=twin.is_coalesced())

    def _original(self, item: Any) -> Any:
        """Return what an item of a twin is for the caller."""
        return self._originals.get(id(item), item)

    def _make(self, tree: Any) -> Any:
        kind = cast("Any", type(tree))
        if kind is tuple or kind is list:
            return self._made(tree, list(tree), kind)
        if kind is dict:
            return self._made(
                tree, list(tree.values()), lambda new: dict(zip(tree, new, strict=True))
            )
        if isinstance(tree, tuple) and hasattr(kind, "_fields"):
            return self._made(tree, list(cast("Any", tree)), lambda new: kind(*new))
        if is_dataclass(kind):
            names = fields_of(kind)
            values = [getattr(cast("Any", tree), name) for name in names]
            return self._made(tree, values, lambda new: rebuild(kind, names, new))
        if kind is SparseTensor:
            sparse = cast("SparseTensor", tree)
            return self._made(tree, list(parts_of(sparse)), lambda new: _with_parts(sparse, new))
        return self._replace(tree)

    def _made(self, tree: Any, items: list[Any], make: Callable[[list[Any]], Any]) -> Any:
        """Return the twin of a container: itself if none of its items has another twin."""
        new = [self.of(item) for item in items]
        if not _differ(new, items):
            return tree
        twin: Any = make(new)
        kind = cast("Any", type(twin))
        if kind is SparseTensor:
            self._changing.append((tree, twin, tuple(new)))
        elif kind is list or kind is dict:
            self._changing.append((tree, twin, twin.copy()))
        elif not issubclass(kind, tuple):
            self._changing.append((tree, twin, dict(zip(fields_of(kind), new, strict=True))))
        return twin


def _with_parts(tensor: SparseTensor, parts: list[Any]) -> SparseTensor:
    indices, values = parts
    return SparseTensor(indices, values, tensor.spec.shape, coalesced=tensor.is_coalesced())


def _differ(first: Any, second: Any) -> bool:
    """Whether items of two equally long sequences are other objects."""
    return any(one is not other for one, other in zip(first, second, strict=True))
