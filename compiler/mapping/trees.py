"""How are the arguments of a mapped function nested? As PyTorch's trees, which its errors print."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, cast

from ...dialects.records import record


@record
class Tree:
    """A tuple, a list or a dict of others; a leaf has no kind. `context` is what rebuilds it."""

    kind: Any = None
    context: Any = None
    children: tuple[Tree, ...] = ()

    @property
    def count(self) -> int:
        """How many leaves there are."""
        return 1 if self.kind is None else sum(child.count for child in self.children)

    def text(self, indent: int = 0) -> str:
        """Return it as PyTorch prints it.

        >>> print(taken_apart((1, 2))[1].text())
        TreeSpec(tuple, None, [*,
          *])
        """
        if self.kind is None:
            return "*"
        indent += 2
        first, *others = [child.text(indent) for child in self.children] or [""]
        drawn = first + ("," if others else "")
        drawn += ",".join(f"\n{' ' * indent}{other}" for other in others)
        return f"TreeSpec({self.kind.__name__}, {self.context}, [{drawn}])"

    def drawn(self) -> str:
        """Return it with nothing but stars and brackets.

        >>> taken_apart((1, [2]))[1].drawn()
        '(*, [*])'
        """
        if self.kind is None:
            return "*"
        items = [child.drawn() for child in self.children]
        if self.kind in (dict, OrderedDict):
            pairs = zip(self.context, items, strict=True)
            return "{" + ", ".join(f"{key!r}: {item}" for key, item in pairs) + "}"
        if self.kind is list:
            return f"[{', '.join(items)}]"
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"

    def put_together(self, leaves: Iterator[Any]) -> Any:
        """Return a value nested like this, of leaves from left to right."""
        if self.kind is None:
            return next(leaves)
        items = [child.put_together(leaves) for child in self.children]
        if self.kind in (dict, OrderedDict):
            kind: Any = self.kind
            return kind(zip(self.context, items, strict=True))
        return self.kind(*items) if self.context is self.kind else self.kind(items)


LEAF = Tree()


def taken_apart(value: Any) -> tuple[list[Any], Tree]:
    """Return the leaves of a value, and how they are nested.

    >>> taken_apart({"a": [1, None]})[0]
    [1, None]
    """
    leaves: list[Any] = []
    return leaves, _taken_apart(value, leaves)


def _taken_apart(value: Any, leaves: list[Any]) -> Tree:
    kind = cast("Any", type(value))
    if kind in (dict, OrderedDict):
        named = cast("dict[Any, Any]", value)
        return Tree(kind, list(named), tuple(_taken_apart(each, leaves) for each in named.values()))
    if kind in (tuple, list) or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        items = cast("Sequence[Any]", value)
        context = kind if kind not in (tuple, list) else None
        return Tree(kind, context, tuple(_taken_apart(each, leaves) for each in items))
    leaves.append(value)
    return LEAF


def spread(value: Any, tree: Tree) -> list[Any] | None:
    """Return for each leaf of a tree what a value nested like it, or less, says; None if neither.

    >>> spread((0, None), taken_apart((1, [2, 3]))[1])
    [0, None, None]
    """
    leaves, found = taken_apart(value)
    result: list[Any] = []
    return result if _spread(found, tree, iter(leaves), result) else None


def _spread(said: Tree, tree: Tree, leaves: Iterator[Any], result: list[Any]) -> bool:
    if said.kind is None:
        result += [next(leaves)] * tree.count
        return True
    if said.kind is not tree.kind or said.context != tree.context:
        return False
    if len(said.children) != len(tree.children):
        return False
    pairs = zip(said.children, tree.children, strict=True)
    return all(_spread(child, other, leaves, result) for child, other in pairs)
