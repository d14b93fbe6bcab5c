"""Does trilith answer what PyTorch 2.13 was seen to answer, row by row, but for the listed rows?"""

import pathlib
import re
from dataclasses import replace
from typing import Any

import pytest

import trilith as tri
from tests.plans import no_plans

from . import answers, device_names, differences, observed, on_devices, rows
from .facts import facts_of, tensors_in

EVERY_ROW = [
    (area, number)
    for area, content in rows.record().items()
    for number in range(len(content["rows"]))
]


@pytest.mark.parametrize("area", rows.record())
def test_area(area: str):
    found = observed.outcome(area)
    print("\n".join(observed.counts([area])))
    assert not differences.mistakes(differences.reasons_of(area), found.differing)
    assert observed.recorded_missing_lines(area) == observed.missing_lines(area)
    assert found.rows == found.equal + len(found.differing) + sum(found.missing.values())


def on_cpu(found: answers.Answer) -> answers.Answer:
    """Return an answer for the CPU: without the name of a device, and without addresses."""
    warned = tuple(device_names.on_cpu(text) for text in found.warned)
    text = re.sub(r"0x[0-9a-f]+", "0x...", device_names.on_cpu(found.text))
    return replace(found, text=text, warned=warned)


@pytest.mark.beside_cpu
@pytest.mark.parametrize(("area", "number"), EVERY_ROW, ids=[f"{a}-{n}" for a, n in EVERY_ROW])
def test_row_on_a_device(area: str, number: int, tested_device: str):
    """Text, type of an error, warnings and missing names are those of the CPU, but for its name."""
    content = rows.record()[area]
    row = content["rows"][number]
    with no_plans():  # what warns does so while its plan is made
        found = on_cpu(rows.answer(content["setup"], row, tested_device))
        expected = on_cpu(rows.answer(content["setup"], row))
    if wrong := on_devices.differs(
        "observed", row["expr"], is_equal=found == expected, device=tested_device
    ):
        assert found == expected, wrong
        raise AssertionError(wrong)


@pytest.mark.parametrize(
    ("row", "text", "expected"),
    [
        ({"str": "torch.Size([2])"}, "trilith.Size([2])", True),
        ({"str": "torch.float32"}, "trilith.float64", False),
        ({"str": "1", "warns": "UserWarning: a"}, "1", False),
    ],
)
def test_values_are_compared(row: dict[str, str], text: str, expected: bool):
    assert answers.is_equal(row, answers.Answer("str", text)) is expected


GRADIENT = {"dtype": "float32", "shape": [2], "strides": [1], "values": [0.5, "nan"]}
RESULT = {**GRADIENT, "requires_grad": True, "grad_fn": "MulBackward0"}


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({}, True),
        ({"values": [0.5000002, "nan"]}, True),
        ({"values": [0.5001, "nan"]}, False),
        ({"values": [0.5, 1.0]}, False),
        ({"values": None}, False),
        ({"strides": [0]}, False),
        ({"dtype": "float64"}, False),
        ({"shape": [2, 1]}, False),
        ({"grad_fn": "AddBackward0"}, False),
        ({"requires_grad": None, "grad_fn": None}, False),
    ],
)
def test_facts_of_tensors_are_compared(changed: dict[str, Any], expected: bool):
    text = "tensor([0.5, nan])"
    row = {"str": text, "tensors": [RESULT]}
    found = answers.Answer("str", text, facts=({**RESULT, **changed},))
    assert answers.is_equal(row, found) is expected
    assert not answers.is_equal(row, replace(found, facts=()))


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("tensor([1.2346, nan])", 1.23455, True),
        ("tensor([1.2347, nan])", 1.23455, False),
        ("tensor([1.2346, nan], dtype=torch.float64)", 1.23455, False),
        ("tensor([1.2346, nan])", 1.2347, False),
    ],
)
def test_a_last_digit_may_differ_where_the_values_are_near(text: str, value: float, expected: bool):
    recorded = {**GRADIENT, "values": [1.234549, "nan"]}
    row = {"str": "tensor([1.2345, nan])", "tensors": [recorded]}
    facts = {**GRADIENT, "values": [value, "nan"]}
    assert answers.is_equal(row, answers.Answer("str", text, facts=(facts,))) is expected
    assert not answers.is_equal({"str": "1.2345"}, answers.Answer("str", "1.2346"))


def test_facts_are_taken_from_a_result():
    facts = [facts_of(each) for each in tensors_in([tri.ones(2, 1).t(), {"a": tri.tensor(2j)}, 3])]
    assert facts == [
        {"dtype": "float32", "shape": [1, 2], "strides": [1, 1], "values": [[1.0, 1.0]]},
        {"dtype": "complex64", "shape": [], "strides": [], "values": [0.0, 2.0]},
    ]


def test_a_warning_that_is_not_recorded_is_a_difference_where_all_are():
    found = answers.Answer("str", "1", warned=("UserWarning: a",))
    assert answers.is_equal({"str": "1"}, found)
    assert not answers.is_equal({"str": "1", "warns": ""}, found)
    assert answers.is_equal({"str": "1", "warns": ""}, replace(found, warned=()))


def test_errors_are_compared_by_type_and_beginning():
    error = rows.failure(NotImplementedError("bad dtype in torch.add of 3 tensors"))
    assert answers.is_equal({"raises": "RuntimeError: bad dtype in torch.add"}, error)
    assert not answers.is_equal({"raises": "TypeError: bad dtype"}, error)
    assert not answers.is_equal({"raises": "RuntimeError: bad device"}, error)
    assert not answers.is_equal({"str": "bad"}, error)


def test_a_name_that_is_missing_is_known_by_its_name():
    found = rows.answer(["a=torch.no_such_function(1)"], {"expr": "a+1"})
    assert found.missing == "torch.no_such_function"
    found = rows.answer([], {"expr": "torch.ones(2).no_such_method()"})
    assert found.missing == "Tensor.no_such_method"


def test_the_list_of_differences_is_as_it_would_be_written():
    assert differences.PATH.read_text(encoding="utf-8") == differences.text(differences.read())


def test_every_area_of_the_list_has_a_test():
    assert set(differences.read()) <= {*observed.areas(), "op_dtypes"}


def test_open_neighbours_share_a_line_and_a_reason_counts_more(tmp_path: pathlib.Path):
    path = tmp_path / "differences.txt"
    path.write_text("a\t3-5\topen\na\t4\tbug\nb\t1\tbug\nb\t2\tbug\n", encoding="utf-8")
    found = differences.read(path)
    assert found == {"a": {3: "open", 4: "bug", 5: "open"}, "b": {1: "bug", 2: "bug"}}
    rows_written = [line for line in differences.text(found).splitlines() if line[0] != "#"]
    assert rows_written == ["a\t3\topen", "a\t4\tbug", "a\t5\topen", "b\t1\tbug", "b\t2\tbug"]
    path.write_text("a\t3\topen\na\t3\tbug\n", encoding="utf-8")
    with pytest.raises(ValueError, match="a 3 stands there twice"):
        differences.read(path)


def test_mistakes_in_the_list_are_found():
    wrong = differences.mistakes({1: "open", 2: "bug"}, {2: "shown", 3: "shown"})
    assert [line.partition(" ")[2].partition(" ")[0] for line in wrong] == ["3", "1"]
