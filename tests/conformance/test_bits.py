"""Is every difference between a device and the CPU found, and nothing else?"""

import pathlib
from typing import Any

import numpy as np
import pytest

import trilith as tri

from . import bits, device_names, on_devices


@pytest.mark.parametrize(
    ("host", "found", "count"),
    [
        ([1.0, -0.0], [1.0, 0.0], 1),
        ([np.nan, np.inf], [-np.nan, np.inf], 0),
        ([np.nan, 1.0], [1.0, np.nan], 2),
        ([1 + 2j, 3j], [1 + 2j, 3.5j], 1),
        ([complex(np.nan, 1)], [complex(np.nan, 2)], 1),
        ([1, 2], [1, 3], 1),
        ([True, False], [True, True], 1),
    ],
)
def test_elements_that_differ_are_counted(host: list[Any], found: list[Any], count: int):
    assert bits.differing(np.array(host), np.array(found)) == count


def test_results_are_compared_leaf_by_leaf():
    host = tri.tensor([1.0, 2.0]), [tri.tensor([1.5], dtype=tri.bfloat16)], {"number": 3}
    other = tri.tensor([1.0, 2.5]), [tri.tensor([1.5], dtype=tri.bfloat16)], {"number": 4}
    assert bits.compare(host, host) == (bits.Tally(3, 0), "")
    tally, words = bits.compare(host, other)
    assert tally == bits.Tally(3, 1)
    assert "1 of 2 elements: element 1 is" in words


@pytest.mark.parametrize(
    "other", [tri.ones(2, 2).t(), tri.ones(4), tri.ones(2, 2, dtype=tri.float64), 1.0]
)
def test_what_a_tensor_says_of_itself_is_compared(other: Any):
    assert bits.compare(tri.ones(2, 2), other)[1]


def test_parts_of_sparse_tensors_are_compared():
    host, other = tri.eye(2).to_sparse(), (2 * tri.eye(2)).to_sparse()
    assert bits.compare(host, host) == (bits.Tally(6, 0), "")
    assert bits.compare(host, other)[0] == bits.Tally(6, 2)


def test_errors_have_one_type_and_one_text_but_for_the_device():
    host, found = (RuntimeError(f"no kernel on {name}") for name in ("cpu", "opencl:0"))
    assert not bits.compare_errors(host, found)
    assert bits.compare_errors(host, ValueError("no kernel on cpu"))
    assert bits.compare_errors(host, RuntimeError("a kernel on cpu"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tensor([1.], device='opencl:0')", "tensor([1.])"),
        ("device(type='opencl', index=0)", "device(type='cpu')"),
        ("trilith.opencl.FloatTensor", "trilith.FloatTensor"),
        ("from opencl:1 to opencl", "from cpu to cpu"),
        ("device='meta'", "device='meta'"),
    ],
)
def test_texts_for_a_device_become_those_for_the_cpu(text: str, expected: str):
    assert device_names.on_cpu(text) == expected


def test_differences_are_listed_exactly():
    case, reason = next(iter(on_devices.DIFFERENCES["conj"].items()))
    assert on_devices.differs("conj", case, is_equal=True, device="opencl:0").endswith(reason)
    assert not on_devices.differs("conj", case, is_equal=False, device="opencl:0")
    assert on_devices.differs("conj", case, is_equal=False, device="cpu")
    assert on_devices.differs("conj", "z", is_equal=False, device="opencl:0")


def test_every_conformance_test_runs_on_a_device_or_says_why_not():
    here = pathlib.Path(__file__)
    tests = [path for path in here.parent.glob("test_*.py") if path != here]
    without = {path.stem for path in tests if "tested_device" not in path.read_text("utf-8")}
    assert without | {here.stem} == set(on_devices.WITHOUT_A_DEVICE)
