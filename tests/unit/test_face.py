"""Does the face know every name before the first operation has run, and load nothing for it?"""

from __future__ import annotations

import inspect
import json
import pickle
import subprocess
import sys
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.devices.base import device_count

#: What each expression is in an interpreter that has done nothing but `import trilith`.
FRESH: dict[str, Any] = {
    "'sum' in dir(tri.tensor(1.))": True,
    "'sum' in dir(tri.Tensor)": True,
    "tri.Tensor.sum(tri.ones(2)).item()": 2.0,
    "str(inspect.signature(tri.Tensor.sum))": "(input, dim=None, keepdim=False, *, dtype=None)",
    "hasattr(tri.Tensor, 'nope')": False,
    "'The sum over dims' in pydoc.render_doc(tri.Tensor)": True,
    "'x.sum(' in [completer.complete('x.su', number) for number in range(9)]": True,
    "completer.complete('tri.Tensor.argm', 0)": "tri.Tensor.argmax(",
    "type('Sub', (tri.Tensor,), {}).sum is tri.Tensor.sum": True,
    "mock.create_autospec(tri.Tensor).sum is not None": True,
}
SCRIPT = """
import inspect, json, pydoc, rlcompleter, sys
from unittest import mock
import trilith as tri
completer = rlcompleter.Completer({"tri": tri, "x": tri.tensor(1.0)})
before = "xdsl" in sys.modules
print(json.dumps([before, eval(sys.argv[1])]))
"""


@pytest.mark.parametrize("expression", FRESH)
def test_every_method_is_known_before_the_first_operation(expression: str):
    command = [sys.executable, "-c", SCRIPT, expression]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert json.loads(output) == [False, FRESH[expression]]


def test_methods_have_the_names_under_which_they_are_found():
    assert pickle.loads(pickle.dumps(tri.Tensor.sum)) is tri.Tensor.sum
    assert tri.Tensor.sum.__qualname__ == "Tensor.sum"


def test_a_compiled_function_shows_the_signature_of_its_function():
    @tri.compile(static_argnames="dim")
    def total(x: tri.Tensor, dim: int = 0, *, scale: float = 1.0) -> tri.Tensor:
        """Add up."""
        return x.sum(dim) * scale

    expected = "(x: 'tri.Tensor', dim: 'int' = 0, *, scale: 'float' = 1.0) -> 'tri.Tensor'"
    assert str(inspect.signature(total)) == expected
    assert total.__doc__ == "Add up."


def refused_for(error: type[BaseException], call: Any) -> tri.TrilithError:
    with pytest.raises(error) as caught:
        call()
    assert isinstance(caught.value, tri.TrilithError)
    return caught.value


def devices() -> list[str]:
    return ["cpu", "meta", *(f"opencl:{index}" for index in range(device_count("opencl")))]


MISSING: dict[str, tuple[type[BaseException], Any]] = {
    "device of a function": (AssertionError, lambda: tri.zeros(2, device="cuda")),
    "cuda": (AssertionError, lambda: tri.ones(2).cuda()),
    "to": (AssertionError, lambda: tri.ones(2).to("xpu")),
    "another type": (NotImplementedError, lambda: tri.zeros(2, device="mps")),
    "compile": (ValueError, lambda: tri.compile(lambda x: x + 1, device="cuda")(tri.ones(2))),
    "legacy type": (TypeError, lambda: tri.cuda.FloatTensor(2)),
}


@pytest.mark.parametrize("name", MISSING)
def test_a_device_that_is_not_there_names_those_that_are(name: str):
    *first, last = devices()
    assert refused_for(*MISSING[name]).hint == f"there are {', '.join(first)} and {last}"


def test_a_device_that_is_not_there_keeps_pytorch_s_words():
    error = refused_for(AssertionError, lambda: tri.zeros(2, device="cuda"))
    assert error.message == "Torch not compiled with CUDA enabled"
