"""`tri.explain` says what a call did: plans found and made, why, how long, which kernels ran."""

from __future__ import annotations

import gc
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.eager.open_plans import OFTEN
from trilith.compiler.trace.active import ACTIVE

explain = tri.explain


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """Begin without plans of operations, and end without anybody who watches."""
    with no_plans():
        yield
    assert ACTIVE.trace is None


def _as_any(value: Any) -> Any:
    return value


@tri.compile
def windows(x: tri.Tensor, y: tri.Tensor) -> tri.Tensor:
    """Ask for a size."""
    return (x * 2 + y if x.shape[0] > 8 else x - y).sum(0)


def test_a_compiled_function_from_its_first_call_on() -> None:
    function = tri.compile(windows.function)
    pairs = {n: (tri.ones(n, 3), tri.ones(n, 3)) for n in (12, 9, 5)}
    calls = [explain(function, *pairs[n]).calls for n in (12, 12, 9, 9, 5, 5)]
    assert [len(each) for each in calls] == [1] * 6
    assert [each[0].how for each in calls] == [
        "made, for these sizes",
        "found, for these sizes",
        "made, for all sizes",
        "found, for all sizes",
        "made, for all sizes",
        "found, for all sizes",
    ]
    why = [call.made[0].reason for (call,) in calls if call.made]
    assert why[:2] == [
        "the first call with arguments of this kind",
        "other sizes than in the first call: a plan for all",
    ]
    assert re.fullmatch(
        r"the plan before is for x.shape\[0\] > 8 \(asked for at .*test_explain.py:[0-9]+\), "
        r"and x.shape\[0\] is 5",
        why[2],
    )
    (first,) = calls[0]
    assert first.is_compiled
    assert first.location is not None
    assert {"trace", "lower", "compile", "load"} <= first.made[0].milliseconds.keys()
    assert sum(first.made[0].milliseconds.values()) <= first.milliseconds
    assert [kernel.name for kernel in first.made[0].kernels] == [k.name for k in first.kernels]
    # Two matrices and a row, of float32.
    assert [k.nbytes for k in first.kernels] == [12 * 3 * 4 * 2 + 3 * 4]
    assert [k.launches for k in first.kernels] == [1]
    assert {k.origin for k in calls[2][0].made[0].kernels} == {"reused"}


def test_the_result_is_that_of_the_call() -> None:
    x, y = tri.arange(6.0).reshape(2, 3), tri.ones(2, 3)
    found = explain(windows, x, y)
    assert found.result.tolist() == (np.arange(6).reshape(2, 3) - 1).sum(0).tolist()
    assert explain(lambda: {"a": x + 1, "b": 3}).result["b"] == 3
    assert explain(tri.add, x, y, alpha=2).result.tolist() == (x + 2 * y).tolist()
    assert explain(windows, y=y, x=x).result.tolist() == found.result.tolist()


def test_operations_are_listed_with_their_lines() -> None:
    def work(x: Any) -> Any:
        x[1:3] = 5.0
        y = x * 2
        y += x
        tri.add(x, 1, out=y)
        return y.view(2, -1).max(0).values[:1].contiguous()

    x = tri.ones(8)
    first = explain(work, x)
    start = work.__code__.co_firstlineno
    lines = [call.location.line - start if call.location else None for call in first.calls]
    assert [(line, call.name) for line, call in zip(lines, first.calls, strict=True)] == [
        *((1, "getitem()"), (1, "fill() in place")),
        *((2, "mul()"), (3, "add() in place"), (4, "add() out")),
        *((5, "view()"), (5, "max()"), (5, "getitem()"), (5, "contiguous()")),
    ]
    assert {call.how for call in first.calls} == {"made, for all sizes"}
    second = explain(work, tri.ones(14))
    assert {call.how for call in second.calls} == {"found, for all sizes"}
    assert second.plans_made == []
    assert second.launches == sum(len(call.kernels) for call in second.calls) == 5
    assert second.nbytes > first.nbytes


def test_what_native_code_is_told_of_an_assignment_is_no_call() -> None:
    def assign(x: Any) -> None:
        x[1:3] = 5.0

    for count in range(20):
        calls = explain(assign, tri.ones(8 + count % 7)).calls
        assert [call.name for call in calls] == ["getitem()", "fill() in place"], count


@pytest.mark.usefixtures("python_calls")
def test_sizes_that_come_often() -> None:
    x = tri.ones(8)
    for _ in range(OFTEN + 1):
        _ = x * 3
    (call,) = explain(lambda: x * 3).calls
    assert call.how == "found, for these sizes"
    assert [k.nbytes for k in call.kernels] == [64]


def test_an_operation_says_which_size_made_a_plan() -> None:
    x = tri.ones(9)
    _ = x[2:5]
    (call,) = explain(lambda: x[2:20]).calls
    assert "index.stop is 20" in call.made[0].reason


def test_rows_that_look_at_elements_and_functions_step_by_step() -> None:
    x = tri.tensor([0.0, 2.0])
    found = explain(lambda: (x > 1).nonzero())
    assert [call.how for call in found.calls][1] == "no plan"

    @tri.compile
    def scaled(x: Any) -> Any:
        return x * x.sum().item()

    with pytest.warns(tri.TrilithWarning):
        scaled(x)
    (outer, *inner) = explain(scaled, x).calls
    assert (outer.name.rpartition(".")[2], outer.how) == ("scaled", "no plan: step by step")
    assert [call.name for call in inner] == ["sum()", "mul()"]


def test_compiled_functions_and_methods_inside_of_others() -> None:
    class Model:
        @tri.compile
        def forward(self, x: Any) -> Any:
            return x * 2

    model = Model()
    x = tri.ones(4, 2)
    found = explain(lambda: windows(model.forward(x), x))
    assert [call.name.rpartition(".")[2] for call in found.calls] == ["forward", "windows"]
    (call,) = explain(model.forward, tri.ones(4, 2)).calls
    assert call.made == ()
    (outer,) = explain(tri.compile(lambda x: windows(x, x) + 1), tri.ones(4, 2)).calls
    assert outer.is_compiled


def test_arrays_and_several_results() -> None:
    function = tri.compile(lambda x, k: (x + 1, x * k))
    found = explain(function, np.ones(3, np.float32), 2)
    assert [r.tolist() for r in found.result] == [[2.0] * 3, [2.0] * 3]
    assert found.calls[0].how == "made, for these sizes"


def test_what_is_raised_is_raised_and_nobody_watches_then() -> None:
    def fails(x: Any) -> Any:
        _ = x + 1
        raise KeyError("mine")

    x = tri.ones(3)
    with pytest.raises(KeyError, match="mine"):
        explain(fails, x)
    with pytest.raises(RuntimeError, match="must match the size"):
        explain(lambda: x + tri.ones(4))
    with pytest.raises(TypeError, match=r"explain\(\) takes a function, not Tensor"):
        explain(_as_any(x))
    assert ACTIVE.trace is None

    def survives() -> str:
        try:
            return str(x + tri.ones(4))
        except RuntimeError:
            return "refused"

    found = explain(survives)
    assert found.result == "refused"
    assert found.calls[-1].how.startswith("raised Trilith")


def test_it_is_no_part_of_a_trace() -> None:
    @tri.compile
    def inner(x: Any) -> Any:
        return explain(windows, x, x).result

    with pytest.warns(tri.TrilithWarning, match=r"explain\(\) is called"):
        inner(tri.ones(3, 3))


def test_other_threads_and_finalizers_are_not_disturbed() -> None:
    x = tri.ones(3)
    seen: list[Any] = []

    class Last:
        def __del__(self) -> None:
            seen.append((x + 1).tolist())

    def work() -> None:
        thread = threading.Thread(target=lambda: seen.append((x * 2).tolist()))
        thread.start()
        thread.join()
        last: Any = Last()
        last.cycle = last
        del last
        gc.collect()

    found = explain(work)
    assert seen == [[2.0] * 3, [2.0] * 3]
    assert "mul()" not in [call.name for call in found.calls]


def test_an_explanation_in_an_explanation() -> None:
    x = tri.ones(3)
    outer = explain(lambda: (explain(lambda: x + 1), x * 2))
    assert [call.name for call in outer.result[0].calls] == ["add()"]
    assert [call.name for call in outer.calls] == ["mul()"]


def test_explained_and_warm_calls_give_the_same() -> None:
    def work(x: Any) -> Any:
        for i in range(1, 6):
            x[i:] = x[i:] * 2 - x[:-i].clone()
            x[i] += x[:i] @ x[:i]
        return x.cumsum(0)[::2], tri.where(x > 0, x, -x).sum()

    plain = work(tri.arange(8.0))
    for _ in range(12):
        watched = explain(work, tri.arange(8.0)).result
        assert [w.tolist() for w in watched] == [p.tolist() for p in plain]


def test_the_report() -> None:
    x = tri.ones(4)
    found = explain(lambda: [x * 2.5 for _ in range(3)])
    text = re.sub(r"[0-9]+\.[0-9]+(?: ms)?", "#", str(found))
    text = re.sub(r" {2,}", "  ", re.sub(r"_[0-9a-f]{8}", "_KEY", text))
    text = re.sub(r"took [^:]*:", "took #:", text).replace("<lambda>", "work")
    line = found.calls[0].location.line if found.calls[0].location else 0
    expected = f"""\
test_the_report.<locals>.work took #: 3 calls, 1 plan made in #, 3 launches on 96 bytes

What was called
  line  call  times  plan  ms  launches  bytes
  test_explain.py:{line}  mul()  1  made, for all sizes  #  1  32 bytes
  test_explain.py:{line}  mul()  2  found, for all sizes  #  2  64 bytes

Plans that were made, ms of each phase
  plan of  trace  lower  compile  load  other  ms  why it was made
  mul()  #  #  #  #  #  #  the first call with arguments of this kind

Kernels that ran
  kernel  launches  bytes  code
  mul_KEY  3  96 bytes  """
    assert text.startswith(expected)
    assert str(found) == repr(found)


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.depth: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.depth.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.depth.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_notebook_has_the_same_and_escapes_it() -> None:
    x = tri.ones(4)
    found = explain(lambda: x * 2.5)
    cells = _Cells()
    shown: str = _as_any(found)._repr_html_()
    cells.feed(shown)
    assert cells.depth == []
    assert "mul()" in cells.texts
    assert "made, for all sizes" in cells.texts
    assert any("<lambda> took" in text for text in cells.texts)
    assert "<lambda>" not in shown


def test_a_long_report_is_cut() -> None:
    x = tri.ones(4)
    source = "def work():\n" + "    _ = x + 1\n" * 60
    names: dict[str, Any] = {"x": x}
    exec(compile(source, "<made>", "exec"), names)
    text = str(explain(names["work"]))
    assert "20 more" in text
    assert len(text.splitlines()) < 70
