"""Is `x.real = y` what PyTorch makes of it? Literals are answers of torch 2.13."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

Run = Callable[[Callable[..., Any]], Callable[..., Any]]


@pytest.fixture(params=["eager", "compiled"])
def run(request: pytest.FixtureRequest) -> Run:
    """Return what makes a function run: as it is, or compiled."""
    return (lambda function: function) if request.param == "eager" else tri.compile


def ones(*shape: int) -> Any:
    return tri.ones(*shape, dtype=tri.complex64)


def test_parts_are_written_into_the_tensor(run: Run):
    def write(x: Any, number: float) -> Any:
        x.real = tri.arange(2)
        x.imag = number
        return x

    x = ones(2)
    y = run(write)(x, 3.0)
    assert x.tolist() == y.tolist() == [3j, 1 + 3j]
    z: Any = tri.ones(2)
    z.real = 2
    assert z.tolist() == [2, 2]


@pytest.mark.parametrize("value", [2, tri.tensor(2.0), tri.tensor([2, 2])])
def test_the_imaginary_part_of_a_conjugate(run: Run, value: Any):
    def write(x: Any, value: Any) -> Any:
        y = x.conj()
        y.imag = value
        return y

    x = ones(2)
    y = run(write)(x, value)
    assert y.tolist() == [1 + 2j, 1 + 2j]
    assert x.tolist() == [1 - 2j, 1 - 2j]


def assign(x: Any, name: str, value: Any) -> None:
    setattr(x, name, value)


BAD: dict[str, tuple[Callable[[], None], type[Exception], str]] = {
    "list": (lambda: assign(ones(3), "imag", [1]), TypeError, "can't assign a list to a"),
    "complex": (lambda: assign(ones(3), "real", 1j), RuntimeError, "without overflow"),
    "no imag": (lambda: assign(tri.ones(3), "imag", 2), RuntimeError, "imag is not implemented"),
    "shape": (lambda: assign(ones(3), "real", tri.ones(1, 3)), RuntimeError, "output with shape"),
    "expanded": (
        lambda: assign(ones(1).expand(3), "imag", 2),
        RuntimeError,
        "more than one element of the written-to tensor",
    ),
    "view": (lambda: assign(ones(3), "T", 2), AttributeError, "no setter"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_assigned(name: str):
    call, error, text = BAD[name]
    with pytest.raises(error, match=text):
        call()
