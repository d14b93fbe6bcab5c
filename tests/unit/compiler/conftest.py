"""What tests of programs share: each runs as it is, and compiled."""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

Run = Callable[..., Any]


def eagerly(function: Run, *arguments: Any) -> Any:
    return function(*arguments)


def compiled(function: Run, *arguments: Any) -> Any:
    return tri.compile(function)(*arguments)


@pytest.fixture(params=[eagerly, compiled])
def run(request: pytest.FixtureRequest) -> Run:
    """`run(function, *arguments)`: as it is, and compiled."""
    return request.param
