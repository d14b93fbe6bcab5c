"""Are the caller's lists, dicts and dataclasses changed as their twins were?"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.functions.twins import Twins


@dataclass
class Point:
    """Two fields that may be assigned."""

    x: Any
    y: Any = 0


class Pair(NamedTuple):
    """Two fields that may not."""

    first: Any
    second: Any


def negated(leaf: Any) -> Any:
    return -leaf if isinstance(leaf, int) else leaf


def test_what_has_nothing_to_replace_is_passed_itself():
    inner, outer = ["a"], [1, "b"]
    outer.append(inner)  # type: ignore[arg-type]  # lists of anything
    twin = Twins(negated).of(outer)
    assert twin == [-1, "b", ["a"]]
    assert twin[2] is inner


def test_every_kind_is_changed():
    given = {"list": [1, 2], "pair": Pair([3], 4), "point": Point(5), "none": None}
    inner, pair, point = given["list"], given["pair"], given["point"]
    twins = Twins(negated)
    twin = twins.of(given)
    assert twin == {"list": [-1, -2], "pair": Pair([-3], -4), "point": Point(-5), "none": None}
    twin["list"].reverse()
    twin["pair"].first.append("new")
    twin["point"].y = twin["list"]
    twin["again"] = twin.pop("pair")
    twins.bring_back()
    assert list(given) == ["list", "point", "none", "again"]
    assert given["list"] is inner
    assert given["again"] is pair
    assert given["point"] is point
    assert inner == [2, 1]
    assert pair == Pair([3, "new"], 4)
    assert point == Point(5, inner)


def test_one_list_has_one_twin():
    shared = [1]
    twins = Twins(negated)
    first, second = twins.of((shared, shared))
    assert first is second
    first.append(7)
    twins.bring_back()
    assert shared == [1, 7]


def test_what_is_not_changed_is_not_touched():
    given = [1]
    twins = Twins(negated)
    twins.of(given)
    given.append(9)
    twins.bring_back()
    assert given == [1, 9]


def test_a_function_that_runs_step_by_step_changes_a_list_of_arrays():
    def change(items: Any) -> None:
        items[0].add_(1)
        items.append(3)

    array = np.zeros(2, np.float32)
    given: list[Any] = [array]
    with pytest.warns(tri.TrilithWarning, match="cannot change the lists and dicts"):
        tri.compile(change)(given)
    assert given[0] is array
    assert given[1:] == [3]
    assert array.tolist() == [1, 1]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_arrays_that_are_views_of_one_another_are_one_memory():
    def change(a: Any, b: Any) -> Any:
        b.mul_(2)
        a.add_(b[:1])
        return b * 1

    for compiled in (tri.compile(change), change):
        array = np.array([1, 2, 3, 4], np.float32)
        first, second = tri.from_numpy(array), tri.from_numpy(array[1:])
        assert compiled(first[:2], second).tolist() == [8, 6, 8]
        assert array.tolist() == [5, 8, 6, 8]
