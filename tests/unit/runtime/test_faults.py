"""Does an error of a kernel, or of the host, name the line that called, whoever made the plan?"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

TABLE, PLACES, WRONG = [1.0, 2.0, 3.0], [0, 2], [0, 9]


def line_of(call: Callable[[], Any]) -> int:
    """Return the line that an error of a call names."""
    with pytest.raises((IndexError, RuntimeError)) as caught:
        call()
    location: Any = getattr(caught.value, "location", None)
    assert location.file == __file__
    return location.line


def _wait(device: str) -> None:
    if device != "cpu":
        tri.opencl.synchronize()


@pytest.mark.parametrize("device", ["cpu", "opencl:0"])
def test_a_fault_is_of_the_line_that_called(device: str):
    table = tri.tensor(TABLE, device=device)
    places, wrong = tri.tensor(PLACES, device=device), tri.tensor(WRONG, device=device)
    assert table[places].tolist() == [1, 3]  # a plan is made here

    def by_an_index() -> Any:
        found = table[wrong]
        _wait(device)
        return found

    def by_name() -> Any:
        found = table.index_select(0, wrong)
        _wait(device)
        return found

    first = inspect.getsourcelines(by_an_index)[1] + 1
    second = inspect.getsourcelines(by_name)[1] + 1
    for _ in range(2):
        assert line_of(by_an_index) == first
        assert line_of(by_name) == second
        assert line_of(by_an_index) == first


def test_an_error_of_the_host_is_of_the_line_that_called():
    assert tri.linalg.inv(tri.eye(2)).tolist() == [[1, 0], [0, 1]]  # a plan is made here

    def singular() -> Any:
        return tri.linalg.inv(tri.zeros(2, 2))

    assert line_of(singular) == inspect.getsourcelines(singular)[1] + 1


def test_a_compiled_function_names_its_own_lines():
    @tri.compile
    def picked(table: Any, places: Any) -> Any:
        doubled = table * 2
        return doubled[places] + 1

    assert picked(tri.tensor(TABLE), tri.tensor(PLACES)).tolist() == [3, 7]
    line = inspect.getsourcelines(picked)[1] + 3
    assert line_of(lambda: picked(tri.tensor(TABLE), tri.tensor(WRONG))) == line
