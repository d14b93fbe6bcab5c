"""Is a tensor made, refused and printed as PyTorch 2.13 does it? `creation.json` has the answers.

An expression is evaluated with `torch` bound to trilith; "trilith." in an answer is "torch.".
"""

import json
import pathlib
import warnings
from collections.abc import Iterator

import numpy as np
import pytest

import trilith as tri

from .device_names import on_cpu
from .on_devices import differs

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch"
ROWS: list[list[str]] = json.loads((DATA / "creation.json").read_text(encoding="utf-8"))["rows"]

#: Expressions whose answer is another one here, by what they contain, and why.
OTHER_ANSWERS = {
    "np.uint64(2**63)": "PyTorch takes no NumPy scalar of uint64, trilith does",
    "torch.tensor()": "Python's own words for a missing argument",
    "torch.arange()": "the words say which argument is missing, not all signatures",
    "torch.rand()": "the words say which argument is missing, not all signatures",
    "torch.randn(2,2,generator=3)": "the words say which argument is wrong, not all signatures",
    "torch.eye(2,3,4)": "the words count the arguments, they do not list all signatures",
    "torch.eye(2,m=None)": "None is the default of m",
    "torch.FloatTensor([1,2],3)": "no constructor from a storage is listed",
    "torch.LongTensor(torch.tensor([1.,2]))": "PyTorch prints its TensorOptions",
    "cuda.FloatTensor')": "PyTorch explains how its libraries are linked",
    "type(torch.cuda.FloatTensor)": "PyTorch explains how its libraries are linked",
    "layout=torch.sparse_coo)": "PyTorch names the kernel that it does not have",
    "linspace(torch.tensor(300)": "the values of tensors are not known when a call is recorded",
    "torch.zeros(0,dtype=torch.float4_e2m1fn_x2)": "no elements are as good as zeros",
    "torch.new_zeros": "another module's name in the words",
    "torch.sparse_coo_tensor([0,1]": "the rank of the indices is checked before the size",
}


@pytest.fixture(autouse=True)
def usual_options() -> Iterator[None]:
    tri.set_printoptions(profile="default")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def answer(expression: str) -> str:
    try:
        text = repr(eval(expression, {"torch": tri, "np": np}))
    except tri.TrilithError as error:
        kind = next(base for base in type(error).__mro__ if base.__module__ == "builtins")
        text = f"{kind.__name__}: {error.message}"
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return text.replace("trilith.", "torch.")


# Texts are filled before "trilith." becomes "torch.": also on the CPU lines may break elsewhere.
@pytest.mark.parametrize(("expression", "expected"), ROWS, ids=[row[0] for row in ROWS])
def test_answer_is_that_of_torch(expression: str, expected: str, tested_device: str):
    if not any(part in expression for part in OTHER_ANSWERS):
        found = on_cpu(answer(expression))
        is_equal = found == on_cpu(expected)
        wrong = differs("creation", expression, is_equal=is_equal, device=tested_device)
        assert not wrong, f"{found!r} instead of {expected!r}"


@pytest.mark.parametrize("part", OTHER_ANSWERS)
def test_every_exception_is_needed(part: str):
    found = [row for row in ROWS if part in row[0]]
    assert any(on_cpu(answer(expression)) != on_cpu(expected) for expression, expected in found)
