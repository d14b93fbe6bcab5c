"""What does a program read that asks for a name of PyTorch which trilith does not have?"""

from __future__ import annotations

import json
import operator
import pathlib
import pickle
import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithAttributeError
from trilith.runtime.tensors.replacements import CODE, PLANNED, WORDS
from trilith.runtime.tensors.torch_names import FUNCTIONS, METHODS, NN_FUNCTIONS

RECORD = pathlib.Path(__file__).parents[2] / "data" / "torch" / "replacements.json"
RECORDED = json.loads(RECORD.read_text(encoding="utf-8"))
#: Names that a sentence is right for, though they are none of PyTorch's: NumPy's.
OF_NUMPY = {"astype", "copy", "array"}
X: Any = tri.ones(2)


def refused(owner: Any, name: str) -> TrilithAttributeError:
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    error = caught.value
    assert isinstance(error, TrilithAttributeError)
    assert error.name == name
    return error


def test_a_function_that_is_missing():
    error = refused(tri, "softmax")
    assert error.message == "module 'trilith' has no attribute 'softmax'"
    assert error.hint == (
        "PyTorch has torch.softmax; here it is planned, but not there yet\n"
        "        write: e = (x - x.amax(dim, True)).exp(); e / e.sum(dim, True)"
    )
    assert str(error).splitlines()[1].startswith(f"  --> {__file__}:")


def test_a_method_that_is_missing():
    error = refused(X, "std")
    assert error.message == "'Tensor' object has no attribute 'std'"
    assert error.hint == (
        "PyTorch has torch.Tensor.std; here it is planned, but not there yet\n"
        "        write: tri.var_mean(x, dim)[0].sqrt()"
    )
    error = refused(tri.Tensor, "std")
    assert error.message == "type object 'Tensor' has no attribute 'std'"
    assert error.hint == refused(X, "std").hint


def test_a_method_that_is_missing_while_traced():
    with pytest.raises(AttributeError) as caught:
        tri.compile(operator.methodcaller("std"))(X)
    assert isinstance(caught.value, tri.TrilithError)
    assert caught.value.message == "'Tensor' object has no attribute 'std'"
    assert caught.value.hint == refused(X, "std").hint


HINTS: list[tuple[Any, str, str | None]] = [
    (tri, "linear", "PyTorch has torch.nn.functional.linear; here it is missing, and not planned"),
    (tri, "jit", "PyTorch has torch.jit; here it is missing, and not planned"),
    (tri, "conv2d", "PyTorch has torch.conv2d; here it is planned, but not there yet"),
    (tri, "detach", "it is a method of tensors: x.detach"),
    (tri, "zeros_lik", "did you mean 'zeros_like' or 'zeros' or 'zero_'?"),
    (tri, "float8_e4m3", "did you mean 'float8_e4m3fn' or 'float8_e4m3fnuz' or 'float8_e5m2'?"),
    (tri, "qqqqqqqq", None),
    (X, "smu", "did you mean 'sum' or 'sub' or 'mul'?"),
    (X, "astype", "write: x.to(dtype)"),
    (X, "register_hook", "PyTorch has torch.Tensor.register_hook; here it is missing, and not"),
    (X, "sspaddmm", "PyTorch has torch.Tensor.sspaddmm; here it is missing, and not planned"),
]


@pytest.mark.parametrize(("owner", "name", "hint"), HINTS)
def test_hints(owner: Any, name: str, hint: str | None):
    found = refused(owner, name).hint
    assert found == hint or (hint is not None and (found or "").startswith(hint))


def test_asking_for_a_name_is_no_error():
    assert not hasattr(tri, "softmax")
    assert not hasattr(X, "std")
    assert not hasattr(tri.Tensor, "nope")
    assert getattr(X, "std", 3) == 3
    for owner in (tri, X, tri.Tensor):
        with pytest.raises(AttributeError) as caught:
            getattr(owner, "__nope__")  # noqa: B009
        assert not isinstance(caught.value, tri.TrilithError)


def test_the_error_can_be_pickled_and_keeps_no_tensor_alive():
    error = refused(X, "std")
    assert error.obj is None
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.hint) == (error.message, error.hint)


def test_asking_loads_no_table_of_names():
    script = (
        "import sys, trilith as tri\n"
        "x = tri.ones(2)\n"
        "hasattr(tri, 'softmax'), hasattr(x, 'std'), hasattr(tri.Tensor, 'nope')\n"
        "print('trilith.runtime.tensors.torch_names' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert output.stdout.split() == [b"False"]


def test_no_name_that_exists_is_called_missing():
    have = set(dir(tri))
    methods = set(dir(tri.Tensor))
    for name in {*CODE, *WORDS} - OF_NUMPY:
        assert name in FUNCTIONS | METHODS | NN_FUNCTIONS, name
        assert name not in have or name not in methods, name
    assert PLANNED <= FUNCTIONS | METHODS | NN_FUNCTIONS
    assert not PLANNED & have & methods


def test_every_replacement_is_compared_with_pytorch():
    assert set(RECORDED["answers"]) == set(CODE)


@pytest.mark.parametrize("name", CODE)
def test_what_to_write_instead_gives_what_pytorch_gives(name: str):
    held: dict[str, Any] = {
        key: tri.tensor(value) if isinstance(value, list) else value
        for key, value in RECORDED["operands"].items()
    }
    swaps = {"trace": "input", "logit": "u", "log10": "y", "nansum": "holes", "nanmean": "holes"}
    if name in swaps:
        held["x"] = held[swaps[name]]
    *statements, last = CODE[name].split("; ")
    names = {"tri": tri, "np": np, **held}
    exec("\n".join(statements), names)
    found = eval(last, names)
    expected = RECORDED["answers"][name]
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    for part, answer in zip(cast("Any", found), expected, strict=True):
        value: Any = np.asarray(part.tolist() if isinstance(part, tri.Tensor) else part)
        assert value.shape == np.shape(answer)
        np.testing.assert_allclose(value, answer, rtol=2e-6, atol=2e-7)


@pytest.mark.parametrize(
    "x",
    [
        np.array([[0, 255, 3], [7, 0, 0]], np.uint8),
        np.array([[5, -128, 3], [-128, 4, -128]], np.int8),
        np.array([[1.0, np.nan, -np.inf], [2.0, 1.0, 1.0]]),
    ],
    ids=["uint8", "int8", "nan"],
)
def test_the_smallest_of_every_dtype_is_found_where_numpy_finds_it(x: Any):
    for dim in (0, 1):
        names = {"tri": tri, "x": tri.tensor(x), "dim": dim}
        assert eval(CODE["argmin"], names).tolist() == x.argmin(dim).tolist()


@pytest.mark.parametrize("dim", [None, 0, 1, (0, 1)], ids=str)
@pytest.mark.parametrize("name", ["var", "std"])
def test_the_variance_over_any_dims(name: str, dim: Any):
    x = np.arange(12.0).reshape(3, 4) ** 2
    *statements, last = CODE[name].split("; ")
    names = {"tri": tri, "x": tri.tensor(x), "dim": dim}
    exec("\n".join(statements), names)
    expected = getattr(np, name)(x, axis=dim, ddof=1)
    np.testing.assert_allclose(eval(last, names).numpy(), expected, rtol=1e-12)
