"""What does a program read that stores a tensor while it is traced, and uses it later?"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

X = tri.ones(3)
WORDS = (
    "this tensor was stored while remember() was traced and is used outside of it: it stands for a "
    "tensor of remember() and has no elements"
)


def stored() -> tuple[Any, Any]:
    """A tensor and a number, and the function that stored them."""
    kept: list[Any] = []

    @tri.compile
    def remember(x: Any, n: Any) -> Any:
        kept.extend([x + 1, n])
        return x * n

    remember(X, 2)
    return kept[0], kept[1]


USES: dict[str, Callable[[Any], Any]] = {
    "operator": lambda k: k + 1,
    "reflected": lambda k: X + k,
    "function": lambda k: tri.add(X, k),
    "list": lambda k: tri.cat([X, k]),
    "method": lambda k: k.sum(),
    "in place": lambda k: k.add_(1),
    "written to another": lambda k: X.clone().copy_(k),
    "out": lambda k: tri.add(X, X, out=k),
    "view": lambda k: k[0],
    "transposed": lambda k: k.t_(),
    "data": lambda k: k.data,
    "number": lambda k: k.item(),
    "condition": bool,
    "integer": int,
    "format": lambda k: f"{k:.2f}",
    "iteration": list,
    "NumPy": np.asarray,
    "NumPy's operator": lambda k: np.ones(3) + k,
    "DLPack": tri.from_dlpack,
    "tensor": tri.tensor,
    "pickle": pickle.dumps,
    "copy": copy.copy,
    "deep copy": copy.deepcopy,
    "compiled": lambda k: tri.compile(lambda x: x + 1)(k),
    "compiled there": lambda k: tri.compile(lambda x: x + 1, device="meta")(k),
    "captured": lambda k: tri.compile(lambda x: x + k)(X),
    "returned": lambda k: tri.compile(lambda x: k)(X),
    "written while traced": lambda k: tri.compile(lambda x: k.add_(x))(X),
    "read while traced": lambda k: tri.compile(lambda x: x * int(k))(X),
    "traced": lambda k: tri.trace(lambda x: x + 1, k),
    "storage": lambda k: k.untyped_storage(),
}


@pytest.mark.parametrize("name", USES)
def test_a_tensor_that_was_stored_says_so(name: str):
    kept, _ = stored()
    with pytest.raises(RuntimeError) as caught:
        USES[name](kept)
    error = caught.value
    assert isinstance(error, tri.TrilithError)
    assert error.message == WORDS
    assert error.hint == "return it from remember() and use what the call returns"


NUMBER_USES: dict[str, Callable[[Any], Any]] = {
    "operator": lambda n: n + 1,
    "operand": lambda n: X * n,
    "condition": bool,
    "integer": int,
    "comparison": lambda n: n == 2,
    "format": lambda n: f"{n:d}",
    "attribute": lambda n: n.real,
    "compiled": lambda n: tri.compile(lambda x, n: x * n)(X, n),
    "captured": lambda n: tri.compile(lambda x: x * n)(X),
    "returned": lambda n: tri.compile(lambda x: n)(X),
}


@pytest.mark.parametrize("name", NUMBER_USES)
def test_a_number_that_was_stored_says_so(name: str):
    _, number = stored()
    with pytest.raises(RuntimeError, match=r"this number was stored while remember\(\) was traced"):
        NUMBER_USES[name](number)


def test_what_was_stored_can_be_printed():
    kept, number = stored()
    text = "tensor of shape [3], trilith.float32, left over from the tracing of remember()"
    assert text in repr(kept)
    assert text in str(kept)
    assert text in f"{kept}"
    assert text in kept._repr_html_()
    assert "int argument of remember()" in repr(number)
    assert kept.shape == (3,)  # what needs no elements is known


def test_what_is_printed_while_traced_says_what_it_is():
    shown: list[str] = []

    def show(x: Any) -> Any:
        shown.append(f"{x}")
        return x

    tri.trace(show, X)
    text = "<tensor of shape [3], trilith.float32, while show() is traced: it has no elements>"
    assert shown == [text]


def while_loop(x: Any) -> Any:
    while x.sum() < 100:
        x = x * 2
    return x


VALUES: dict[str, tuple[Callable[[Any], Any], str, list[str]]] = {
    "while": (while_loop, "a condition", ["tri.where", "passed as a number", "uncompiled"]),
    "int": (lambda x: x[: int(x.sum())], "an int", ["passed as a number", "uncompiled"]),
    "range": (
        lambda x: x * len(range(x.sum().to(tri.int64))),
        "an int",
        ["passed as a number", "uncompiled"],
    ),
    "float": (lambda x: x * float(x.sum()), "a float", [".to(tri.float64)", "uncompiled"]),
    "complex": (lambda x: x * complex(x.sum()), "a complex", [".to(tri.complex128)"]),
    "format": (lambda x: f"{x.sum():.3f}", "text in the format '.3f'", ["return the tensor"]),
    "NumPy": (lambda x: np.sin(x), "a NumPy array", ["the function of trilith"]),
}


@pytest.mark.parametrize("name", VALUES)
def test_what_needs_a_value_while_traced_names_what_helps(name: str):
    function, what, hints = VALUES[name]
    with pytest.raises(TypeError) as caught:
        tri.trace(function, X)
    error = caught.value
    assert isinstance(error, tri.TrilithError)
    prefix = "a tensor has no value while its function is traced: it cannot be used as "
    assert error.message.startswith(prefix + what)
    assert error.hint is not None
    assert [hint for hint in hints if hint not in error.hint] == []
    assert error.location is not None
    assert error.location.file == __file__
