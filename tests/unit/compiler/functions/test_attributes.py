"""Does a compiled function see what the attributes hold that it reads, and store what it stores?

What must come out is what the same function gives uncompiled.
"""

from __future__ import annotations

import copy
import functools
import gc
import sys
import warnings
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.compiler.functions.attributes_read import MOST_CODES, MOST_NOTED, attributes_read
from trilith.runtime.calls.entries import enable

X = tri.ones(2)


class Model:
    """What programs keep in objects: a number, tensors in a list, a dict, another object."""

    bias: Any = 1

    def __init__(self) -> None:
        self.n = 0
        self.rate = 1.0
        self.w = tri.ones(2)
        self.parts = [tri.ones(2), tri.ones(2)]
        self.options = {"power": 2, "shift": None}
        self.inner: Any = None
        self.act: Any = tri.sin
        self.cache = tri.zeros(3, 2)

    def read(self, x: Any) -> Any:
        for part in self.parts:
            x = x + part
        shift = self.options["shift"]
        x = self.act(x * self.w * self.rate) ** self.options["power"] + self.bias
        x = x if self.inner is None else self.inner.scaled(x)
        return x if shift is None else x + shift

    def by_name(self, x: Any) -> Any:
        return x * getattr(self, "ra" + "te")

    def step(self, x: Any) -> Any:
        self.cache[self.n] = x
        self.n += 1
        return self.cache.sum(0)

    def remember(self, x: Any) -> Any:
        self.last = x + 1
        return self.last * 2

    def append(self, x: Any) -> Any:
        self.parts.append(x)
        return self.parts[-1] + len(self.parts)

    def enter(self, x: Any) -> Any:
        self.options["new"] = 3
        return x * len(self.options)

    def once(self, x: Any) -> Any:
        if self.inner is None:
            self.inner = Inner(3)
        return self.inner.scaled(x)

    @functools.cached_property
    def table(self) -> Any:
        return tri.arange(2) * self.rate

    def from_table(self, x: Any) -> Any:
        return x + self.table


class Inner:
    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def scaled(self, x: Any) -> Any:
        return self._scaled(x)

    def _scaled(self, x: Any) -> Any:
        return x * self.factor


def set_to(name: str, value: Any) -> Callable[[Model], None]:
    return lambda model: setattr(model, name, value)


def change_parts(model: Model) -> None:
    model.parts[1] = tri.full((2,), 4.0)


def change_options(model: Model) -> None:
    model.options["shift"] = 4


def change_inner(model: Model) -> None:
    model.inner.factor = tri.full((2,), 0.5)


CHANGES: dict[str, Callable[[Model], None]] = {
    "number": set_to("rate", 0.5),
    "equal number of another type": set_to("rate", 1),
    "tensor": set_to("w", tri.full((2,), 3.0)),
    "tensor of another dtype": set_to("w", tri.full((2,), 3.0, dtype=tri.float64)),
    "tensor of another shape": set_to("w", tri.full((3, 1), 3.0)),
    "what the class had": set_to("bias", 7),
    "function": set_to("act", tri.cos),
    "function of the user's": set_to("act", lambda x: x + 100),  # pyright: ignore
    "object": set_to("inner", Inner(2)),
    "attribute of an object in it": lambda model: change_inner(model),
    "item of a list": change_parts,
    "longer list": lambda model: model.parts.append(tri.ones(2)),
    "shorter list": lambda model: model.parts.clear(),
    "item of a dict": change_options,
    "what is no longer there": lambda model: delattr(model, "w"),
    "nothing": lambda model: None,
}


@pytest.mark.parametrize("is_native", [False, True])
@pytest.mark.parametrize("name", CHANGES)
def test_a_change_between_calls_is_seen(name: str, is_native: bool):
    model = Model()
    if name == "attribute of an object in it":
        model.inner = Inner(tri.full((2,), 2.0))
    run: Any = tri.compile(model.read)
    calls = 40 if is_native and enable() else 1
    for _ in range(calls):
        assert run(X).tolist() == model.read(X).tolist()
    before = run.stats().traces
    CHANGES[name](model)
    if name == "what is no longer there":
        with pytest.raises(AttributeError, match="has no attribute 'w'"):
            run(X)
        return
    for _ in range(calls):
        result, expected = run(X), model.read(X)
        assert (result.tolist(), result.dtype) == (expected.tolist(), expected.dtype)
    # Of a tensor that only holds other elements there is a plan.
    is_known = name in ("tensor", "item of a list", "nothing", "attribute of an object in it")
    assert run.stats().traces == before + (not is_known)


def test_a_state_that_comes_again_has_its_plans():
    model = Model()
    run: Any = tri.compile(model.read)
    for rate in (1.0, 2.0, 1.0, 2.0, 1.0):
        model.rate = rate
        model.w = model.w * 2
        assert run(X).tolist() == model.read(X).tolist()
    assert run.stats().traces == 2


def test_plans_for_all_sizes_take_other_tensors_and_see_other_numbers():
    model = Model()
    run: Any = tri.compile(lambda x: (x[:, None] * model.w * model.rate).sum(1))
    for size in range(2, 9):
        x = tri.arange(size) * 1.0
        model.w = model.w + 1
        model.rate = float(size // 4)
        assert run(x).tolist() == ((x[:, None] * model.w * model.rate).sum(1)).tolist()
    assert run.stats().traces <= 5


def test_tensors_that_were_one_need_not_stay_so():
    model = Model()
    model.parts = [model.w]

    def both(x: Any) -> Any:
        return x * model.w + model.parts[0]

    run: Any = tri.compile(both)
    assert run(X).tolist() == [2, 2]
    model.w = tri.full((2,), 5.0)
    assert run(X).tolist() == [6, 6]
    model.parts[0] = model.w
    assert run(X).tolist() == [10, 10]


def test_attributes_that_are_not_read_change_nothing():
    model = Model()
    model.inner = Inner(2)
    run: Any = tri.compile(model.inner.scaled)
    run(X)
    model.rate = 4.0
    model.inner.unread = 3
    run(X)
    assert run.stats().traces == 1


def test_names_that_are_computed_are_any_name():
    model = Model()
    run: Any = tri.compile(model.by_name)
    for model.rate in (1.0, 3.0, 0.5):
        assert run(X).tolist() == [model.rate] * 2


STORES = ("step", "remember", "append", "enter")


@pytest.mark.parametrize("name", STORES)
def test_a_function_that_stores_runs_step_by_step(name: str):
    model, plain = Model(), Model()
    run: Any = tri.compile(getattr(model, name))
    with pytest.warns(tri.TrilithWarning, match=r"it changes .* Model|it changes a (list|dict)"):
        found = [run(X * n).tolist() for n in (1, 2, 3)]
    assert found == [getattr(plain, name)(X * n).tolist() for n in (1, 2, 3)]
    assert model.n == plain.n
    assert model.cache.tolist() == plain.cache.tolist()
    assert [part.tolist() for part in model.parts] == [part.tolist() for part in plain.parts]
    assert model.options == plain.options


def test_the_warning_names_attribute_and_line():
    model = Model()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        tri.compile(model.step)(X)
    (warning,) = caught
    assert str(warning.message).splitlines() == [
        "step() runs step by step, as if it was not compiled: it changes the attribute 'n' of a "
        "Model",
        f"  --> {__file__}:{Model.step.__code__.co_firstlineno + 2}, in step",
        "    self.n += 1",
        "  hint: return the new value, and store it outside",
    ]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_what_is_stored_once_leaves_later_calls_compiled():
    for name in ("once", "from_table"):
        model = Model()
        run: Any = tri.compile(getattr(model, name))
        for _ in range(4):
            assert run(X).tolist() == getattr(model, name)(X).tolist()
        assert run.stats().eager_calls == 1


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_a_function_that_stores_each_time_is_not_traced_for_ever():
    model = Model()
    model.cache = tri.zeros(100, 2)
    run: Any = tri.compile(model.step)
    for n in range(100):
        assert run(X).tolist() == [n + 1, n + 1]
    assert run.stats().traces <= 8
    assert run.stats().eager_calls == 100


def test_many_states_end_with_one_warning():
    model = Model()
    run: Any = tri.compile(lambda x: x * model.rate)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for rate in range(100):
            model.rate = rate
            assert run(X).tolist() == [rate, rate]
    (warning,) = caught
    assert "attributes that it reads had 64 different values" in str(warning.message)
    assert run.stats().traces == 64


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_an_error_after_a_store_leaves_what_was_stored():
    model = Model()

    def fail(x: Any) -> Any:
        model.n += 1
        return x + tri.ones(3)

    run: Any = tri.compile(fail)
    for count in (1, 2):
        with pytest.raises(RuntimeError, match="must match the size"):
            run(X)
        assert model.n == count


def test_compiled_methods_of_a_class_see_changes_of_their_instance():
    class Scaled:
        def __init__(self) -> None:
            self.factor = 2

        @tri.compile
        def run(self, x: Any) -> Any:
            return x * self.factor

    first, second = Scaled(), Scaled()
    assert first.run(X).tolist() == second.run(X).tolist() == [2, 2]
    second.factor = 3
    assert (first.run(X).tolist(), second.run(X).tolist()) == ([2, 2], [3, 3])
    ending = weakref.ref(second)
    del second
    gc.collect()
    assert ending() is None
    other = copy.copy(first)
    other.factor = 9
    assert other.run(X).tolist() == [9, 9]


def test_functions_that_are_called_belong_to_the_code():
    model = Model()
    inner = Inner(3)

    def outer(x: Any, factor: Any = inner) -> Any:
        return helper(x) * factor.factor

    def helper(x: Any) -> Any:
        return x * model.rate

    run: Any = tri.compile(functools.partial(outer))
    assert run(X).tolist() == [3, 3]
    model.rate = 2.0
    assert run(X).tolist() == [6, 6]
    inner.factor = 5
    assert run(X).tolist() == [10, 10]


class Memo:
    """What keeps a tensor that it has computed once."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def __call__(self, x: Any) -> Any:
        if "twice" not in self.found:
            self.found["twice"] = x * 2
        return self.found["twice"] + x


@pytest.mark.filterwarnings("ignore:Memo")
@pytest.mark.parametrize("before", [0, 1, 300], ids=["empty", "one", "many"])
def test_a_dict_that_was_filled_while_traced_holds_nothing_of_the_trace(before: int):
    memo = Memo()
    memo.found.update({str(number): None for number in range(before)})
    compiled = tri.compile(memo)
    assert [compiled(tri.ones(2) * n).tolist() for n in (1, 1, 5)] == [[3, 3], [3, 3], [7, 7]]
    assert memo.found["twice"].tolist() == [2, 2]
    assert len(memo.found) == before + 1


def test_what_pytest_makes_of_an_assert_is_not_looked_at():
    """A rewritten assert names modules of pytest, which hold tens of thousands of attributes."""
    model = Model()

    def function(x: Any) -> Any:
        assert model.n == 0
        return x * model.rate

    reached = attributes_read(function)
    assert {noted.key for noted in reached.noted} == {"n", "rate"}
    assert tri.compile(function)(X).tolist() == [1, 1]


def test_a_long_chain_of_functions_is_followed_to_its_end():
    model = Model()

    def last(x: Any) -> Any:
        return x * model.rate

    def chain(below: Any) -> Any:
        def link(x: Any) -> Any:
            return below(x)

        return link

    function: Any = last
    for _ in range(sys.getrecursionlimit()):
        function = chain(function)
    assert [noted.key for noted in attributes_read(function).noted] == ["rate"]


def test_what_is_far_away_in_a_library_is_left_out():
    """Each class names the next one, and all of them a method of each: as in a large library."""
    source = "".join(
        f"class C{n}:\n"
        f"    value = {n}\n"
        f"    def first(self): return self.value + C{n + 1}().second()\n"
        f"    def second(self): return self.first() + state{n}.field\n"
        f"state{n} = C{n}()\n"
        for n in range(2 * MOST_CODES)
    )
    names: dict[str, Any] = {"__name__": "large_library"}
    exec(source, names)
    near = Model()

    def function(x: Any) -> Any:
        return x * near.rate + names_first()

    names_first = names["C0"].first
    reached = attributes_read(function)
    assert reached.noted[0].key == "rate"
    assert 100 < len(reached.noted) <= MOST_NOTED
    assert 100 < len(reached.codes) <= MOST_CODES
