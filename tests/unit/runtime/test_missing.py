"""What does a program read that asks for a name of PyTorch which trilith does not have?"""

from __future__ import annotations

import operator
import pickle
import subprocess
import sys
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithAttributeError
from trilith.runtime.tensors import advice
from trilith.runtime.tensors.replacements import WORDS
from trilith.runtime.tensors.torch_names import FUNCTIONS, METHODS, NN_FUNCTIONS

#: Names that a sentence is right for, though they are none of PyTorch's: NumPy's.
OF_NUMPY = {"astype", "copy", "array"}
#: Names of modules of `torch.nn`, of which no list is kept.
OF_NN = {"attention"}
#: Names of the modules of automatic mixed precision.
OF_AMP = {"GradScaler"}
X: Any = tri.ones(2)


@pytest.fixture(autouse=True)
def a_name_that_is_missing(monkeypatch: pytest.MonkeyPatch):
    """What PyTorch is said to have, and trilith will never have."""
    name = "frobnicate"
    monkeypatch.setattr(advice, "FUNCTIONS", FUNCTIONS | {name})
    monkeypatch.setattr(advice, "METHODS", METHODS | {name})
    monkeypatch.setattr(advice, "WORDS", {**WORDS, name: "x.sum(dim)"})


def refused(owner: Any, name: str) -> TrilithAttributeError:
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    error = caught.value
    assert isinstance(error, TrilithAttributeError)
    assert error.name == name
    return error


def test_a_function_that_is_missing():
    error = refused(tri, "frobnicate")
    assert error.message == "module 'trilith' has no attribute 'frobnicate'"
    assert error.hint == (
        "PyTorch has torch.frobnicate; trilith does not\n        write: x.sum(dim)"
    )
    assert str(error).splitlines()[1].startswith(f"  --> {__file__}:")


def test_a_method_that_is_missing():
    error = refused(X, "to_mkldnn")
    assert error.message == "'Tensor' object has no attribute 'to_mkldnn'"
    assert error.hint == ("PyTorch has torch.Tensor.to_mkldnn; trilith does not")
    error = refused(tri.Tensor, "to_mkldnn")
    assert error.message == "type object 'Tensor' has no attribute 'to_mkldnn'"
    assert error.hint == refused(X, "to_mkldnn").hint


def test_a_method_that_is_missing_while_traced():
    with pytest.raises(AttributeError) as caught:
        tri.compile(operator.methodcaller("to_mkldnn"))(X)
    assert isinstance(caught.value, tri.TrilithError)
    assert caught.value.message == "'Tensor' object has no attribute 'to_mkldnn'"
    assert caught.value.hint == refused(X, "to_mkldnn").hint


HINTS: list[tuple[Any, str, str | None]] = [
    (tri, "linear", "it is in a module: trilith.nn.functional.linear"),
    (tri, "jit", "PyTorch has torch.jit; trilith does not"),
    (tri, "tolist", "it is a method of tensors: x.tolist"),
    (tri, "zeros_lik", "did you mean 'zeros_like' or 'zeros' or 'zero_'?"),
    (tri, "float8_e4m3", "did you mean 'float8_e4m3fn' or 'float8_e4m3fnuz' or 'float8_e5m2'?"),
    (tri, "qqqqqqqq", None),
    (tri.nn, "Linear", "classes of layers are not here: keep the weights in tensors"),
    (X, "smu", "did you mean 'sum' or 'sub' or 'smm'?"),
    (X, "astype", "write: x.to(dtype)"),
    (X, "to_mkldnn", "PyTorch has torch.Tensor.to_mkldnn; trilith does not"),
    (X, "to_sparse_csr", "PyTorch has torch.Tensor.to_sparse_csr; trilith does not"),
]


@pytest.mark.parametrize(("owner", "name", "hint"), HINTS)
def test_hints(owner: Any, name: str, hint: str | None):
    found = refused(owner, name).hint
    assert found == hint or (hint is not None and (found or "").startswith(hint))


def test_asking_for_a_name_is_no_error():
    assert not hasattr(tri, "frobnicate")
    assert not hasattr(X, "to_mkldnn")
    assert not hasattr(tri.Tensor, "nope")
    assert getattr(X, "to_mkldnn", 3) == 3
    for owner in (tri, X, tri.Tensor):
        with pytest.raises(AttributeError) as caught:
            getattr(owner, "__nope__")  # noqa: B009
        assert not isinstance(caught.value, tri.TrilithError)


def test_the_error_can_be_pickled_and_keeps_no_tensor_alive():
    error = refused(X, "to_mkldnn")
    assert error.obj is None
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.hint) == (error.message, error.hint)


def test_asking_loads_no_table_of_names():
    script = (
        "import sys, trilith as tri\n"
        "x = tri.ones(2)\n"
        "hasattr(tri, 'frobnicate'), hasattr(x, 'to_mkldnn'), hasattr(tri.Tensor, 'nope')\n"
        "print('trilith.runtime.tensors.torch_names' in sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert output.stdout.split() == [b"False"]


def test_no_name_that_exists_is_called_missing():
    have = set(dir(tri))
    methods = set(dir(tri.Tensor))
    for name in set(WORDS) - OF_NUMPY - OF_NN - OF_AMP:
        assert name in FUNCTIONS | METHODS | NN_FUNCTIONS, name
        assert name not in have or name not in methods, name


@pytest.mark.parametrize(
    ("owner", "name", "wanted"),
    [
        (tri, "cond", "tri.where"),
        (tri, "amp", "tri.bfloat16"),
        (tri, "signal", "tri.hann_window"),
        (tri, "Storage", "tri.UntypedStorage"),
        (tri, "optim", "w.grad"),
        (tri.utils, "data", "tri.randperm"),
        (tri.nn, "attention", "scaled_dot_product_attention"),
    ],
)
def test_names_at_the_top_of_programs_have_a_hint(owner: Any, name: str, wanted: str):
    assert wanted in str(refused(owner, name).hint)
