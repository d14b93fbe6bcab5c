"""Static values that are equal, but can be told apart, have a plan each; others share one."""

import cmath
import datetime
import enum
import math
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.trace.identity import identity_of

Pair = namedtuple("Pair", "first second")


@dataclass(frozen=True)
class Options:
    scale: Any
    note: Any = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Slotted:
    scale: Any


class Word(str):
    """Text with more to it."""

    mark: Any = None


class Level(enum.IntEnum):
    ONE = 1


class Loose:
    """Equal by its name alone."""

    def __init__(self, name: str, scale: float) -> None:
        self.name, self.scale = name, scale

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loose) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def _word(mark: int) -> Word:
    word = Word("a")
    word.mark = mark
    return word


ZONE = datetime.timezone(datetime.timedelta(hours=1))
NOON = datetime.datetime(2000, 1, 1, 12, tzinfo=datetime.UTC)

#: Pairs that compare equal.
TOLD_APART: dict[str, tuple[Any, Any]] = {
    "numbers": (1, 1.0),
    "truth": (1, True),
    "zeros": (0.0, -0.0),
    "complex zeros": (complex(0.0, 0.0), complex(0.0, -0.0)),
    "tuples": ((1,), (1.0,)),
    "nested tuples": (((0.0,),), ((-0.0,),)),
    "named tuples": (Pair(1, 0.0), Pair(1, -0.0)),
    "a tuple and a named tuple": ((1, 2), Pair(1, 2)),
    "dataclasses": (Options(1), Options(1.0)),
    "fields that are not compared": (Options(1, "a"), Options(1, "b")),
    "slotted dataclasses": (Slotted(0.0), Slotted(-0.0)),
    "frozen sets": (frozenset([1]), frozenset([True])),
    "orders of frozen sets": (frozenset([0, 8]), frozenset([8, 0])),
    "frozen sets in tuples": ((frozenset([0.0]),), (frozenset([-0.0]),)),
    "an enumeration and its number": (Level.ONE, 1),
    "numbers of NumPy": (np.float64(0.0), np.float64(-0.0)),
    "dtypes of NumPy's numbers": (np.float32(1), np.float64(1)),
    "ranges": (range(0, 3, 2), range(0, 4, 2)),
    "decimals": (Decimal("1.0"), Decimal("1.00")),
    "fractions": (Fraction(1), 1),
    "texts with attributes": (_word(1), _word(2)),
    "a text and its subclass": (Word("a"), "a"),
    "times": (NOON, NOON.astimezone(ZONE)),
    "classes with an equality": (Loose("a", 1), Loose("a", 2)),
    "lists in them": (Options((1, 2)), Options((1.0, 2))),
}

SAME: dict[str, Callable[[], Any]] = {
    "number": lambda: 1.5,
    "nan": lambda: float("nan"),
    "named tuple": lambda: Pair(1, 0.0),
    "dataclass": lambda: Options((1, "a"), [1]),
    "slotted dataclass": lambda: Slotted(2.0),
    "frozen set": lambda: frozenset(["a", 1]),
    "range": lambda: range(3),
    "decimal": lambda: Decimal("1.0"),
    "fraction": lambda: Fraction(2, 4),
    "NumPy's number": lambda: np.float32(2),
    "NumPy's dtype": lambda: np.dtype("f4"),
    "class with an equality": lambda: Loose("a", 1),
    "text": lambda: _word(1),
    "time": lambda: datetime.datetime(2000, 1, 1, tzinfo=ZONE),
    "function": lambda: math.sqrt,
    "method": lambda: NOON.isoformat,
    "dtype": lambda: tri.float32,
}


@pytest.mark.parametrize("name", TOLD_APART)
def test_equal_values_that_can_be_told_apart_share_no_plan(name: str):
    first, second = TOLD_APART[name]
    assert first == second
    assert identity_of(first) != identity_of(second)
    seen: list[Any] = []

    compiled = tri.compile(lambda x, value: seen.append(value) or x + 1, static_argnames="value")
    for value in (first, second, first, second):
        compiled(tri.ones(1), value)
    assert compiled.stats().traces == 2
    assert [id(value) for value in seen] == [id(first), id(second)]


@pytest.mark.parametrize("name", SAME)
def test_the_same_values_share_a_plan(name: str):
    make = SAME[name]
    assert identity_of(make()) == identity_of(make())
    assert hash(identity_of(make())) == hash(identity_of(make()))
    compiled = tri.compile(lambda x, value: x + 1, static_argnames="value")
    for _ in range(3):
        compiled(tri.ones(1), make())
    assert compiled.stats().traces == 1


def test_functions_of_one_name_differ():
    assert identity_of(math.sqrt) != identity_of(cmath.sqrt)


def test_a_value_that_holds_itself_has_an_identity():
    loose = Loose("a", 1)
    loose.scale = loose  # pyright: ignore[reportAttributeAccessIssue]
    assert identity_of(loose) == identity_of(loose)


def test_a_static_tuple_gives_the_dtype_of_its_number():
    compiled = tri.compile(lambda x, by: x * by.first, static_argnames="by")
    x = tri.ones(2, dtype=tri.int64)
    assert compiled(x, Pair(2, 0)).dtype is tri.int64
    assert compiled(x, Pair(2.0, 0)).dtype is tri.float32


def test_static_zeros_keep_their_sign():
    compiled = tri.compile(lambda x, options: x / options.scale, static_argnames="options")
    x = tri.ones(1)
    assert compiled(x, Options(0.0)).item() == math.inf
    assert compiled(x, Options(-0.0)).item() == -math.inf


@pytest.mark.parametrize("keys", [(1, True), (1, 1.0), (0.0, -0.0), ((1,), (True,))])
def test_dicts_with_equal_keys_share_no_plan(keys: tuple[Any, Any]):
    seen: list[Any] = []

    def function(given: dict[Any, Any]) -> Any:
        (key,) = given
        seen.append(key)
        return {key: given[key] + 1}

    compiled = tri.compile(function)
    for key in (*keys, *keys):
        (returned,) = compiled({key: tri.ones(1)})
        assert repr(returned) == repr(key)
    assert [repr(key) for key in seen] == [repr(key) for key in keys]
