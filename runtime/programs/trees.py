"""How are nested arguments and results of a program stored? As trees of plain data.

A tree is `["leaf"]`, `["none"]`, `["value", a number or a text]`, `["size", [integers]]`, or
`["tuple" | "list", [trees]]`, `["dict", [keys], [trees]]`. It is read as what somebody else wrote:
its depth and its types are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, cast

from ...dialects.diagnostics import TrilithTypeError
from ..tensors.size import Size

#: Plain data, as JSON has it.
Tree: TypeAlias = "list[Any]"
_MOST_DEPTH = 64
_KINDS: dict[str, type] = {"tuple": tuple, "list": list}


def checked_tree(tree: Any, depth: int = 0) -> Tree:
    """Return a tree if it is one; raises ValueError or TypeError if it is not.

    >>> checked_tree(["tuple", [["leaf"], ["value", 2.5]]])
    ['tuple', [['leaf'], ['value', 2.5]]]
    """
    if type(tree) is not list or not tree or depth > _MOST_DEPTH:
        raise ValueError("a tree is a short list of lists")
    found = cast("list[Any]", tree)
    match found:
        case ["leaf"] | ["none"]:
            pass
        case ["value", bool() | int() | float() | str()]:
            pass
        case ["size", [*sizes]] if all(type(size) is int for size in sizes):
            pass
        case ["tuple" | "list", [*children]]:
            for child in children:
                checked_tree(child, depth + 1)
        case ["dict", [*keys], [*children]] if len(keys) == len(children):
            if not all(type(key) is str for key in keys):
                raise TypeError("a key is a text")
            for child in children:
                checked_tree(child, depth + 1)
        case _:
            raise ValueError(f"no tree begins with {found[0]!r}")
    return found


def count_leaves(tree: Tree) -> int:
    """Return how many leaves a tree has.

    >>> count_leaves(["dict", ["a", "b"], [["leaf"], ["tuple", [["leaf"], ["none"]]]]])
    2
    """
    if tree[0] == "leaf":
        return 1
    children: list[Any] = tree[-1] if tree[0] in ("tuple", "list", "dict") else []
    return sum(map(count_leaves, children))


def flatten(tree: Tree, value: Any, leaves: list[Any], where: str) -> None:
    """Append the leaves of what was given for a tree; refuse what has another structure."""
    kind = tree[0]
    if kind == "leaf":
        leaves.append(value)
    elif kind == "none":
        if value is not None:
            raise TrilithTypeError(f"{where} must be None, not {type(value).__name__}")
    elif kind == "dict":
        keys = tree[1]
        if not isinstance(value, dict) or list(cast("dict[Any, Any]", value)) != keys:
            raise TrilithTypeError(f"{where} must be a dict with the keys {', '.join(keys)}")
        items = cast("dict[str, Any]", value)
        for key, child in zip(keys, tree[2], strict=True):
            flatten(child, items[key], leaves, f"{where}[{key!r}]")
    elif kind in _KINDS:
        if type(value) is not _KINDS[kind] or len(value) != len(tree[1]):
            raise TrilithTypeError(f"{where} must be a {kind} of {len(tree[1])}")
        for index, child in enumerate(tree[1]):
            flatten(child, value[index], leaves, f"{where}[{index}]")
    else:
        raise TrilithTypeError(f"{where} is no argument")


def unflatten(tree: Tree, leaves: Iterator[Any]) -> Any:
    """Build what a tree stands for from its leaves.

    >>> unflatten(["dict", ["a"], [["tuple", [["leaf"], ["value", 1]]]]], iter([2.5]))
    {'a': (2.5, 1)}
    """
    match tree:
        case ["leaf"]:
            return next(leaves)
        case ["value", value]:
            return value
        case ["size", sizes]:
            return Size(sizes)
        case ["dict", keys, children]:
            return {k: unflatten(child, leaves) for k, child in zip(keys, children, strict=True)}
        case [("tuple" | "list") as kind, children]:
            return _KINDS[kind](unflatten(child, leaves) for child in cast("list[Any]", children))
        case _:
            return None


def tree_of(structure: Sequence[Any]) -> Tree | None:
    """Return the tree of what the compiler calls a structure; None if it cannot be stored.

    >>> tree_of((tuple, None, (("leaf",), ("none",), ("value", 3))))
    ['tuple', [['leaf'], ['none'], ['value', 3]]]
    """
    kind = structure[0]
    if kind in ("leaf", "none"):
        return [kind]
    if kind == "value":
        value = structure[1]
        if type(value) is Size:
            return ["size", list(value)]
        return ["value", value] if type(value) in (bool, int, float, str) else None
    if kind not in (tuple, list, dict):
        return None
    children = [tree_of(child) for child in structure[2]]
    if None in children:
        return None
    if kind is not dict:
        return ["tuple" if kind is tuple else "list", children]
    keys = list(structure[1])
    return ["dict", keys, children] if all(type(key) is str for key in keys) else None
