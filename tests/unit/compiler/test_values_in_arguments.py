"""Do compiled functions take what programs give them beside tensors, and see its values?"""

# The functions are those that programs are made of: nothing says what they take.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import collections
import dataclasses
import enum
import functools
import itertools
import json
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple, cast

import numpy as np
import pytest

import trilith as tri

Calls = tuple[Callable[..., Any], tuple[Any, ...]]


class Way(enum.IntEnum):
    """A member is equal to a number, and no number."""

    MEAN = 0
    SUM = 1


class Word(enum.StrEnum):
    """A member is equal to a text."""

    A = "a"
    B = "b"


class Parts(enum.Flag):
    """Members are combined."""

    LEFT = 1
    RIGHT = 2


@dataclasses.dataclass
class Config:
    """What `__post_init__` adds is no field, and hides what the class has."""

    count: int = 2
    scale = 1

    def __post_init__(self) -> None:
        self.scale = self.count * 10


class Pair(NamedTuple):
    """Two numbers."""

    first: float
    second: float


class Twice(Pair):
    """It is made of one argument."""

    def __new__(cls, first: float) -> Any:
        return super().__new__(cls, first, first)


X = tri.arange(12.0).reshape(3, 4)
TWO = {"w0": X, "w1": X * 2}

#: Functions, and what they are called with; each is also what is to be expected.
CALLS: dict[str, Calls] = {
    "flag": (lambda x, dim, keepdim: x.sum(dim, keepdim=keepdim), (X, 1, True)),
    "flag of a tuple": (lambda x, descending: x.sort(descending=descending), (X, True)),
    "flag by identity": (lambda x, flag: x * 2 if flag is True else x, (X, True)),
    "flag as operand": (lambda x, flag: x * flag, (X, True)),
    "bounds": (lambda start, stop, step: tri.arange(start, stop, step), (5, 9.5, 0.5)),
    "share": (lambda x, q: x.quantile(q), (X, 0.5)),
    "order": (lambda x, p: x.norm(p), (X, 3.0)),
    "correction": (lambda x, correction: x.var(correction=correction), (X, 2)),
    "no operation": (lambda x, n: x * len(str(tri.result_type(x, n))), (X, 0.5)),
    "text": (lambda p, n: p[f"w{n}"], (TWO, 1)),
    "text with a default": (lambda x, n: x * {"w1": 2.0}.get(f"w{n}", 0.0), (X, 1)),
    "text by percent": (lambda x, n: x + len("%s" % n), (X, 123)),  # noqa: UP031 - this is what is asked
    "repr": (lambda x, n: x + int(repr(n)), (X, 12)),
    "index in a list": (lambda x, n: x[[0, n]], (X, 1)),
    "list as an index": (lambda x, rows: x[rows], (X, [0, 1])),
    "NumPy function": (lambda x, n: x * float(np.sqrt(n)), (X, 4.0)),
    "NumPy array": (lambda n: tri.tensor(np.array([n, 1, 2])), (3,)),
    "NumPy fill": (lambda n: tri.tensor(np.full(4, n)), (3,)),
    "C code of itertools": (lambda rows, n: sum(itertools.islice(rows, n)), ([X, X, X], 2)),
    "C code of json": (lambda x, n: x + len(json.dumps({"n": n})), (X, 42)),
    "decimal": (lambda x, n: x + float(Decimal(n)), (X, 42)),
    "dataclass": (lambda x, config: x * config.scale, (X, Config(3))),
    "named tuple": (lambda x, pair: x * pair.first + pair.second, (X, Twice(3.0))),
    "enumeration of integers": (
        lambda x, way: x.sum() if way is Way.SUM else x.mean(),
        (X, Way.SUM),
    ),
    "name of a member": (lambda x, way: x * len(way.name), (X, Way.SUM)),
    "enumeration of texts": (lambda x, way: x * (2 if way is Word.A else 3), (X, Word.A)),
    "combined members": (
        lambda x, parts: x * (2 if parts & Parts.LEFT else 3),
        (X, Parts.LEFT | Parts.RIGHT),
    ),
    "ordered dict": (lambda p, x: x * p["b"], (collections.OrderedDict(a=X, b=X), X)),
    "shape": (lambda x, shape: x.view(shape), (X, X.view(4, 3).shape)),
    "slice": (lambda x, rows: x[rows], (X, slice(1, None))),
    "range": (lambda x, numbers: sum(x * n for n in numbers), (X, range(3))),
    "type": (lambda x, kind: x.to(kind), (X, int)),
    "partial": (functools.partial(lambda n, x: x * len(range(n)), 3), (X,)),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_a_program_gives(name: str):
    function, arguments = CALLS[name]
    compiled: Any = tri.compile(function)
    expected = function(*arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("error", tri.TrilithWarning)
        for _ in range(3):
            assert repr(compiled(*arguments)) == repr(expected)
    assert compiled.stats().eager_calls == 0


def test_numbers_that_are_returned_are_numbers():
    compiled: Any = tri.compile(lambda x, n, m: (n, x * m, {"m": [m, n + 1]}))
    for n, m in ((1, 2.5), (1, 3.5), (2, 3.5), (True, 1j)):
        for rows in (2, 3):
            x = tri.ones(rows)
            assert repr(compiled(x, n, m)) == repr((n, x * m, {"m": [m, n + 1]}))
    held: Any = tri.compile(lambda x, n: (x + n, n))
    assert [held(tri.ones(2), n)[1] for n in range(100)] == list(range(100))
    assert held.stats().traces <= 2


def test_members_and_flags_are_no_numbers():
    """What is equal to another argument finds no plan of that one."""
    compiled = tri.compile(lambda x, value: x * (len(repr(value)) + 1))
    for value in (1, True, Way.SUM, 1.0, Word.A, "a", Parts.LEFT, None, 0, False, Way.MEAN):
        for _ in range(2):
            assert compiled(X, value).tolist() == (X * (len(repr(value)) + 1)).tolist()


def test_a_function_that_fails_with_its_numbers_fails_with_its_own_error():
    function: Any = tri.compile(lambda x, n: x.sum(0) * {}[n])
    with pytest.raises(KeyError, match="3"):
        function(X, 3)
    with pytest.raises(IndexError, match="out of range"):
        tri.compile(lambda x, n: x * [1][n])(X, 3)
    with pytest.raises(TypeError, match=r"^sum\(\) received .* got \(bool\)"):
        tri.compile(lambda x, n: cast("Any", x).sum(n))(X, True)


def test_many_values_are_not_compiled_for_ever():
    compiled: Any = tri.compile(lambda x, rate: x - rate * x if rate > 1e-4 else x)

    def call(numbers: range) -> None:
        for n in numbers:
            assert compiled(X, 1 / n).tolist() == (X - 1 / n * X).tolist()

    with pytest.warns(tri.TrilithWarning, match="After 64 it will run step by step"):
        call(range(1, 101))
    stats = compiled.stats()
    assert (stats.traces, stats.eager_calls) == (64, 36)
    assert compiled(X, 1.0).tolist() == (X * 0).tolist()
    assert compiled.stats().eager_calls == 36


def test_arguments_by_name_have_short_keys():
    compiled: Any = tri.compile(lambda x, *, dim, keepdim, way: getattr(x, way)(dim, keepdim))
    calls = [(0, True, "sum"), (1, True, "sum"), (1, False, "amax"), (1, False, "sum")]
    for _ in range(3):
        for dim, keepdim, way in calls:
            found = compiled(X, dim=dim, keepdim=keepdim, way=way)
            assert found.tolist() == getattr(X, way)(dim, keepdim).tolist()
            swapped = compiled(X, way=way, keepdim=keepdim, dim=dim)
            assert swapped.tolist() == found.tolist()
    assert compiled.stats().table.shortcuts == 2 * len(calls)


def test_values_of_a_tensor_that_no_element_has():
    quantile = tri.compile(lambda x, q: x.quantile(q))
    with pytest.raises(RuntimeError, match=r"q values must be in the range \[0, 1\]"):
        quantile(X, tri.tensor([3.0]))
