"""`TRILITH_LOG=plans` says which plans are made, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest

import trilith as tri
from tests.plans import no_plans


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Begin without plans."""
    with no_plans():
        yield


def test_plans_and_their_reasons(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = {size: tri.ones(size) for size in (12, 9, 5, 7)}

    @tri.compile
    def windows(x: tri.Tensor) -> tri.Tensor:
        return x[2:] + x[:-2] if x.shape[0] > 8 else x * 2

    monkeypatch.setenv("TRILITH_LOG", "plans")
    for size in (12, 9, 5, 7):
        windows(inputs[size])
    _ = inputs[9] * inputs[9], inputs[5] * inputs[5]
    printed = capsys.readouterr().err.splitlines()
    lines = [re.sub(r"in [0-9.]+ ms \([^)]*\)", "in 0 ms", line) for line in printed]
    lines = [re.sub(r"at [^ ]*test_plan_log.py:[0-9]+", "at HERE", line) for line in lines]
    start = "trilith: plan of test_plans_and_their_reasons.<locals>.windows in 0 ms: "
    assert lines == [
        f"{start}the first call with arguments of this kind",
        f"{start}other sizes than in the first call: a plan for all",
        f"{start}the plan before is for x.shape[0] > 8 (asked for at HERE), and x.shape[0] is 5",
        "trilith: plan of mul() in 0 ms: the first call with arguments of this kind",
    ]
    assert all("trace" in line and "lower" in line and "load" in line for line in printed)


def reasons(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the reasons that were printed since the last look."""
    return [line.split("): ", 1)[1] for line in capsys.readouterr().err.splitlines()]


def test_what_sets_a_kind_of_call_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = tri.ones(4, 3)
    others = {
        "x.dtype is trilith.float64, was trilith.float32": (x.to(tri.float64), 2.0),
        "x has 1 dims, had 2": (x[0].clone(), 2.0),
        "x.shape[1] is 1, was 3 (1 is a kind of its own)": (tri.ones(4, 1), 2.0),
        "x.shape[0] is 0, was 4 (0 is a kind of its own)": (tri.ones(0, 3), 2.0),
        "x has strides [1, 4], had contiguous strides": (tri.ones(3, 4).t(), 2.0),
        "n is a number of kind int, was a number of kind float": (x, 2),
        "n is a tensor, was a number of kind float": (x, tri.ones(3)),
        "arguments of another structure": (x, (2.0, 3.0)),
    }
    monkeypatch.setenv("TRILITH_LOG", "plans")
    for words, arguments in others.items():

        @tri.compile
        def scaled(x: Any, n: Any) -> Any:
            factor: Any = cast("Any", n)[0] if isinstance(n, tuple) else n
            return x * factor

        scaled(x, 2.0)
        capsys.readouterr()
        scaled(*arguments)
        assert reasons(capsys) == [f"a new kind of call: {words}"]


def test_other_settings_and_static_values(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @tri.compile(static_argnames="k")
    def power(x: Any, k: int) -> Any:
        return x**k

    x = tri.ones(4)
    monkeypatch.setenv("TRILITH_LOG", "plans")
    power(x, k=2)
    power(x, k=3)
    before = tri.get_default_dtype()
    tri.set_default_dtype(tri.float64)
    try:
        power(x, k=3)
    finally:
        tri.set_default_dtype(before)
    assert reasons(capsys) == [
        "the first call with arguments of this kind",
        "a new kind of call: a static argument has another value",
        "a new kind of call: the default dtype is trilith.float64, was trilith.float32",
    ]


def test_sizes_of_operations_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x = tri.ones(9)
    _ = x[2:5]
    capsys.readouterr()
    monkeypatch.setenv("TRILITH_LOG", "plans")
    _ = x[2:20]
    (why,) = reasons(capsys)
    assert re.sub(r"\(asked for at .*?\)", "", why) == (
        "the plan before is for input.shape[0] >= index.stop , "
        "and input.shape[0] is 9 and index.stop is 20"
    )


def test_nothing_is_said_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    assert (tri.ones(3) * 2).tolist() == [2.0] * 3
    assert capsys.readouterr().err == ""


def test_a_log_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_LOG", "plan, plans")
    with pytest.warns(
        UserWarning, match="TRILITH_LOG='plan': there is no such log; there is 'plans'"
    ):
        tri.compile(lambda x: x - 4.25)(tri.ones(3))
