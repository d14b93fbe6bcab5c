"""Do operations appear on tensors when they are first needed, and fail clearly before?"""

import operator
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.runtime.tensors import dispatch
from trilith.runtime.tensors.dispatch import Registry
from trilith.runtime.tensors.interchange import from_numpy


def negate(thing: Any) -> str:
    return "neg"


def combine(thing: Any, other: Any) -> str:
    return "sum"


def pair(thing: Any, other: Any) -> tuple[str, Any]:
    return "add", other


class Thing:
    """Stands for the tensor class."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@pytest.fixture
def registry() -> Registry:
    registry = Registry()
    registry.adopt(Thing)
    return registry


def operators(names: dict[str, Callable[..., Any]], registry: Registry) -> Callable[[], None]:
    def load() -> None:
        for name, function in names.items():
            registry.install(name, function)

    return load


def test_the_loader_runs_once_at_the_first_operator(registry: Registry):
    calls: list[int] = []

    def load() -> None:
        calls.append(1)
        registry.install("__add__", pair)

    registry.set_loader(load)
    assert calls == []
    thing: Any = Thing()
    assert thing + 1 == ("add", 1)
    assert thing + 2 == ("add", 2)
    assert calls == [1]


def test_installing_replaces_the_stand_in(registry: Registry):
    registry.install("__neg__", negate)
    assert Thing.__neg__ is negate  # pyright: ignore
    registry.install("total", property(negate))
    assert Thing().total == "neg"


def test_a_class_adopted_later_gets_what_is_installed(registry: Registry):
    registry.install("__neg__", negate)

    class Other:
        pass

    registry.adopt(Other)
    assert -Other() == "neg"  # pyright: ignore


def test_without_a_loader_operators_say_what_is_missing(registry: Registry):
    thing: Any = Thing()
    with pytest.raises(RuntimeError, match="'__add__' needs the operations"):
        thing + 1  # pyright: ignore
    with pytest.raises(RuntimeError, match="import trilith"):
        thing[0]


def test_an_operator_nobody_installed_declines(registry: Registry):
    registry.set_loader(operators({"__neg__": negate}, registry))
    thing: Any = Thing()

    class Right:
        def __radd__(self, other: Any) -> str:
            return "right"

    assert thing + Right() == "right"
    with pytest.raises(TypeError, match="unsupported operand"):
        thing + 1  # pyright: ignore
    thing += Right()
    assert thing == "right"
    thing = Thing()
    with pytest.raises(NotImplementedError, match="tensors have no operation '__getitem__'"):
        thing[0]


def test_in_place_falls_back_to_the_operator(registry: Registry):
    registry.set_loader(operators({"__add__": combine}, registry))
    thing: Any = Thing()
    thing += 1
    assert thing == "sum"


def test_comparison_keeps_the_hash(registry: Registry):
    registry.install("__eq__", combine)
    thing = Thing()
    assert hash(thing) == object.__hash__(thing)
    assert (thing == 1) == "sum"


def test_a_loader_that_fails_runs_again(registry: Registry):
    attempts: list[int] = []

    def load() -> None:
        attempts.append(1)
        if len(attempts) == 1:
            raise ImportError("not yet")
        registry.install("__neg__", negate)

    registry.set_loader(load)
    thing: Any = Thing()
    with pytest.raises(ImportError):
        operator.neg(thing)
    assert -thing == "neg"


def test_a_loader_may_use_tensors(registry: Registry):
    def load() -> None:
        registry.install("__neg__", negate)
        assert -Thing() == "neg"  # pyright: ignore
        with pytest.raises(TrilithRuntimeError, match="being loaded in this thread"):
            Thing() + 1  # pyright: ignore
        registry.install("__add__", combine)

    registry.set_loader(load)
    assert Thing() + 1 == "sum"  # pyright: ignore


def test_threads_wait_for_the_loader(registry: Registry):
    started, finish = threading.Event(), threading.Event()

    def load() -> None:
        started.set()
        assert finish.wait(10)
        registry.install("__neg__", negate)

    registry.set_loader(load)
    results: list[Any] = []
    threads = [
        threading.Thread(target=lambda: results.append(-Thing()))  # pyright: ignore
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    assert started.wait(10)
    finish.set()
    for thread in threads:
        thread.join()
    assert results == ["neg"] * 4


def test_missing_methods_and_protocol_probes_of_a_tensor():
    code = """
from trilith.runtime.tensors import dispatch
from trilith.runtime.tensors.interchange import from_numpy
import copy, numpy as np
calls = []
dispatch.set_loader(lambda: (calls.append(1), dispatch.install("double", lambda x: "twice")))
x = from_numpy(np.ones(2))
assert not hasattr(x, "__cuda_array_interface__") and not hasattr(x, "_private")
copy.copy(x), np.asarray(x), repr(x), x.shape
assert calls == [], "probing loads nothing"
assert x.double() == "twice" and calls == [1]
assert not hasattr(x, "nonsense") and calls == [1]
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numpy_leaves_arithmetic_to_the_tensor():
    code = """
from trilith.runtime.tensors import dispatch
from trilith.runtime.tensors.interchange import from_numpy
import numpy as np
dispatch.install("__radd__", lambda x, other: ("radd", type(other).__name__))
x = from_numpy(np.ones(2))
assert np.ones(2) + x == ("radd", "ndarray")
assert np.float32(1) + x == ("radd", "float32")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_operator_has_a_stand_in():
    x = from_numpy(np.ones(2))
    for name in (*dispatch.BINARY_OPERATORS, *dispatch.OTHER_OPERATORS):
        assert callable(getattr(type(x), name))
