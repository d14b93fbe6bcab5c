"""Do `x[...]` and its relatives answer as PyTorch does: values, strides, errors, warnings?

The answers are in `tests/data/torch/indexing.json`, made by the recorder beside it.
"""

import json
import pathlib
import warnings
from typing import Any

import numpy as np
import pytest

import trilith as tri

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "indexing.json"
CASES: list[dict[str, Any]] = json.loads(DATA.read_text(encoding="utf-8"))["cases"]

#: Warnings of PyTorch that are about its own plans.
NOT_REPEATED = ("The reduce argument of torch.scatter",)


def names() -> dict[str, Any]:
    x = tri.arange(24.0).reshape(2, 3, 4)
    return {
        "L": tri,
        "np": np,
        "x": x,
        "p": x.permute(2, 0, 1),
        "y": tri.arange(6.0).reshape(2, 3),
        "m": tri.tensor([[True, False, True], [False, True, True]]),
        "i": tri.tensor([0, 1]),
    }


def wait(device: str, result: Any) -> None:
    """Let a device say what came of a launch: bad indices are known only then."""
    assert result is not None
    if device != "cpu":
        tri.opencl.synchronize(device)


def case_of(case: dict[str, Any]) -> str:
    return case["case"]


@pytest.mark.parametrize("case", [case for case in CASES if "error" in case], ids=case_of)
def test_an_error_is_that_of_torch(case: dict[str, Any], tested_device: str):
    kind, text = case["error"]
    given = names()
    warnings.simplefilter("ignore")  # pytest undoes this after the test
    with pytest.raises(tri.TrilithError) as caught:
        wait(tested_device, eval(case["case"], given))
    assert kind in [base.__name__ for base in type(caught.value).__mro__]
    assert caught.value.message == text.replace("torch", "trilith")


@pytest.mark.usefixtures("tested_device")
@pytest.mark.parametrize("case", [case for case in CASES if "error" not in case], ids=case_of)
def test_a_result_is_that_of_torch(case: dict[str, Any]):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = eval(case["case"], names())
    assert result.dtype.name == case["dtype"]
    assert list(result.shape) == case["shape"]
    assert list(result.stride()) == case["strides"]
    assert result.storage_offset() == case["offset"]
    wanted = np.array(case["elements"]).reshape(case["shape"])
    np.testing.assert_array_equal(np.asarray(result.tolist()).reshape(case["shape"]), wanted)
    expected = [text for text in case["warnings"] if not text.startswith(NOT_REPEATED)]
    assert [str(item.message) for item in caught] == expected
