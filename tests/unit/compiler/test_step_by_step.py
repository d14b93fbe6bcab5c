"""When does a compiled function run step by step? By one rule, and never without a word."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false

import threading
import warnings
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import trilith

#: Without types: these programs are about what they are traced to.
tri: Any = trilith

Program = Callable[[Any], Any]


def _loop(x: Any) -> Any:
    while x.sum() < 100:
        x = x * 2
    return x


#: What needs a value without asking for it.
NEED_VALUES: dict[str, Program] = {
    "while": _loop,
    "if": lambda x: x if x.sum() > 0 else -x,
    "and": lambda x: x.any() and x,
    "int": lambda x: x * int(x.sum()),
    "float": lambda x: x * float(x.sum()),
    "index": lambda x: [x, x, x + 1][x.sum().to(tri.int64)],
    "range": lambda x: [x for _ in range(x.sum().to(tri.int64))],
}

#: What asks for memory or elements.
ASK: dict[str, Program] = {
    "item": lambda x: x * x.sum().item(),
    "tolist": lambda x: x * x.tolist()[0],
    "numpy": lambda x: x + x.numpy(),
    "mask": lambda x: x[x > 0],
    "resize_": lambda x: x.resize_(1),
    "random": lambda x: x * 0 + tri.seed() * 0,
    "caught": lambda x: x * _number_or(x, 3.0),
}


def _number_or(x: Any, other: float) -> float:
    """Return a number, with a way out if there is none."""
    try:
        return float(x.sum())
    except TypeError:
        return other


def _listed(result: Any) -> Any:
    if isinstance(result, list):
        return [_listed(part) for part in cast("list[Any]", result)]
    return result.tolist()


def _written_before(program: Program) -> Program:
    def changed(x: Any) -> Any:
        x += 0
        return program(x)

    return changed


@pytest.mark.parametrize("name", NEED_VALUES)
def test_control_flow_on_values_is_an_error_where_the_function_must_be_one_program(name: str):
    program = NEED_VALUES[name]
    with pytest.raises(TypeError, match="a tensor has no value while its function is traced"):
        tri.trace(program, tri.ones(2))
    with pytest.raises(RuntimeError, match="a tensor has no value while its function is traced"):
        tri.compile(program, fullgraph=True)(tri.ones(2))


@pytest.mark.parametrize("is_writing", [False, True], ids=["reading", "writing"])
@pytest.mark.parametrize("name", [*NEED_VALUES, *ASK])
def test_what_asks_for_values_runs_step_by_step_with_one_warning(name: str, is_writing: bool):
    program = (NEED_VALUES | ASK)[name]
    program = _written_before(program) if is_writing else program
    compiled = tri.compile(program)
    with pytest.warns(tri.TrilithWarning, match=r"\(\) runs step by step") as caught:
        results = [_listed(compiled(tri.ones(size))) for size in (2, 2, 2)]
    assert results == [_listed(program(tri.ones(2)))] * 3
    assert len(caught) == 1
    assert compiled.stats().eager_calls == 3


def test_the_warning_says_why_and_where_and_what_to_do():
    @tri.compile
    def scaled(x: Any) -> Any:
        return x * x.sum().item()  # here

    with pytest.warns(tri.TrilithWarning) as caught:
        scaled(tri.ones(2))
    (found,) = caught
    text = str(found.message)
    assert text.startswith("scaled() runs step by step, as if it was not compiled: a tensor has no")
    assert "return x * x.sum().item()  # here" in text
    assert "hint: do it outside of the function" in text
    assert found.filename == __file__
    assert f"{__file__}:{found.lineno}, in scaled" in text


def test_the_warning_is_one_for_all_kinds_of_arguments_and_all_threads():
    compiled = tri.compile(lambda x: x * x.sum().item())
    sizes = [1, 2, 3, 4]
    with warnings.catch_warnings(record=True, action="always") as caught:
        threads = [
            threading.Thread(target=compiled, args=(tri.ones(size),)) for size in (*sizes, *sizes)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(caught) == 1
    assert compiled.stats().eager_calls == 8


def test_a_method_warns_once_for_all_instances():
    class Model:
        @tri.compile
        def scale(self, x: Any) -> Any:
            return x * x.sum().item()

    with pytest.warns(tri.TrilithWarning, match=r"scale\(\) runs") as caught:
        results = [Model().scale(tri.ones(2)).tolist() for _ in range(3)]
    assert results == [[2, 2]] * 3
    assert len(caught) == 1


def test_where_the_warning_is_an_error_nothing_has_run_and_the_next_call_does():
    ran: list[Any] = []

    @tri.compile
    def function(x: Any) -> Any:
        x.add_(1)
        ran.append(x.sum().item())
        return x

    x = tri.zeros(2)
    with pytest.raises(tri.TrilithWarning):
        function(x)
    assert (x.tolist(), ran) == ([0, 0], [])
    assert function(x).tolist() == [1, 1]


def test_the_category_can_be_ignored():
    compiled = tri.compile(lambda x: x * x.sum().item())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tri.TrilithWarning)
        assert compiled(tri.ones(2)).tolist() == [2, 2]


def test_arguments_that_overlap_are_told_of():
    def program(x: Any, y: Any) -> Any:
        x.add_(1)
        return y * 2

    base = tri.zeros(3)
    with pytest.warns(tri.TrilithWarning, match="shares memory with another one"):
        assert tri.compile(program)(base[:2], base[1:]).tolist() == [2, 0]


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_a_refusal_that_the_function_catches_does_not_decide_its_way():
    compiled = tri.compile(lambda x: x * _number_or(x, 30.0))
    assert compiled(tri.ones(2)).tolist() == [2, 2]
    with pytest.raises(TypeError, match="has no value while its function is traced"):
        tri.trace(lambda x: x * _number_or(x, 30.0), tri.ones(2))


@pytest.mark.filterwarnings("ignore::trilith.TrilithWarning")
def test_an_array_that_was_given_is_a_tensor_already():
    def sum_of(x: Any, array: Any) -> Any:
        return x + tri.from_numpy(array)

    def chosen(x: Any, array: Any) -> Any:
        return x + tri.from_numpy(array).add_(1) if x.sum() > 0 else x

    for program, expected, calls in ((sum_of, [2, 3], 0), (chosen, [3, 4], 2)):
        compiled, array = tri.compile(program), np.array([1, 2], np.float32)
        assert compiled(tri.ones(2), array).tolist() == expected
        assert tri.compile(compiled)(tri.ones(2), array * 0 + [1, 2]).tolist() == expected
        assert array.tolist() == ([2, 3] if calls else [1, 2])
        assert compiled.stats().eager_calls == calls
    with pytest.raises(TypeError, match=r"expected np\.ndarray"):
        tri.from_numpy(tri.ones(2))
