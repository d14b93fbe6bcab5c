"""What do the options of `torch.compile` mean here?"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

X = tri.ones(3)


def plus_one(x: Any) -> Any:
    return x + 1


def first_item(x: Any) -> Any:
    return x * x[0].item()


@tri.compile(fullgraph=True)
def whole(x: Any) -> Any:
    return x * 2


@pytest.mark.parametrize("mode", [None, "default", "reduce-overhead", "max-autotune"])
@pytest.mark.parametrize("backend", ["inductor", "eager"])
def test_what_changes_nothing_is_taken(backend: str, mode: str | None):
    run = tri.compile(plus_one, backend=backend, mode=mode)
    assert run(X).tolist() == [2, 2, 2]
    assert run.stats().traces == 1


def test_options_are_taken():
    assert tri.compile(plus_one, options={"max_autotune": True})(X).tolist() == [2, 2, 2]


def traces_of_five_sizes(run: Any) -> int:
    for size in range(3, 8):
        assert run(tri.ones(size)).tolist() == [2] * size
    return run.stats().traces


def test_dynamic_says_whether_sizes_share_a_plan():
    assert traces_of_five_sizes(tri.compile(plus_one, dynamic=False)) == 5
    assert traces_of_five_sizes(tri.compile(plus_one, dynamic=True)) == 2
    assert traces_of_five_sizes(tri.compile(plus_one, dynamic=None)) == 2
    assert traces_of_five_sizes(tri.compile(dynamic=False)(plus_one)) == 5


def test_a_disabled_function_is_itself():
    assert tri.compile(plus_one, disable=True) is plus_one
    assert tri.compile(disable=True)(plus_one) is plus_one
    assert tri.compile(plus_one, disable=False) is not plus_one


def test_a_whole_function_does_not_run_step_by_step():
    run = tri.compile(first_item, fullgraph=True)
    with pytest.raises(RuntimeError):
        run(X)
    with pytest.raises(RuntimeError) as caught:
        run(X)
    error = caught.value
    assert isinstance(error, tri.TrilithError)
    assert error.message.startswith(
        "first_item() is compiled with fullgraph=True and is not one program: "
    )
    assert error.location is not None
    assert error.location.file == __file__
    assert run.stats().eager_calls == 0
    with pytest.warns(tri.TrilithWarning):
        assert tri.compile(first_item, fullgraph=False)(X).tolist() == [1, 1, 1]


def test_a_whole_function_that_stores_stores_nothing():
    class Counter:
        n = 0

        @tri.compile(fullgraph=True)
        def count(self, x: Any) -> Any:
            self.n += 1
            return x * self.n

    counter = Counter()
    with pytest.raises(RuntimeError, match="it changes the attribute 'n' of a Counter"):
        counter.count(X)
    assert counter.n == 0


def test_a_whole_function_is_pickled_as_one():
    assert pickle.loads(pickle.dumps(whole)).is_whole
    assert whole(X).tolist() == [2, 2, 2]


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "backend": (
        lambda: tri.compile(plus_one, backend="foo"),
        RuntimeError,
        "Invalid backend: 'foo'",
    ),
    "mode": (
        lambda: tri.compile(plus_one, mode="foo"),
        RuntimeError,
        "Unrecognized mode=foo, should be one of: default, lite, reduce-overhead, "
        "max-autotune-no-cudagraphs, max-autotune",
    ),
    "both": (
        lambda: tri.compile(plus_one, mode="default", options={}),
        RuntimeError,
        "Either mode or options can be specified, but both can't be specified at the same time.",
    ),
    "options": (
        lambda: tri.compile(plus_one, options=3),  # pyright: ignore
        TypeError,
        "options must be a dict, not int",
    ),
    "dynamic": (
        lambda: tri.compile(plus_one, dynamic=3),  # pyright: ignore
        TypeError,
        "dynamic must be True, False or None, not 3",
    ),
    "sizes": (
        lambda: tri.compile(plus_one, dynamic=True, static_shapes=True),
        ValueError,
        "dynamic=True and static_shapes=True exclude one another",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str):
    act, kind, words = REFUSED[name]
    with pytest.raises(kind) as caught:
        act()
    error = caught.value
    assert isinstance(error, tri.TrilithError)
    assert error.message == words
    assert error.location is not None
    assert error.location.file == __file__


def test_an_option_that_nobody_knows_is_a_type_error():
    unknown: Any = {"foo": 1}
    with pytest.raises(TypeError, match=r"compile\(\) got an unexpected keyword argument 'foo'"):
        tri.compile(plus_one, **unknown)
