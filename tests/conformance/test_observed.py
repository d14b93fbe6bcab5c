"""Does trilith answer what PyTorch 2.13 was seen to answer, row by row, but for the listed rows?"""

from dataclasses import replace

import pytest

from . import device_names, differences, observed, on_devices, rows

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


def on_cpu(found: rows.Answer) -> rows.Answer:
    """Return an answer for the CPU: without the name of a device."""
    warned = tuple(device_names.on_cpu(text) for text in found.warned)
    return replace(found, text=device_names.on_cpu(found.text), warned=warned)


@pytest.mark.beside_cpu
@pytest.mark.parametrize(("area", "number"), EVERY_ROW, ids=[f"{a}-{n}" for a, n in EVERY_ROW])
def test_row_on_a_device(area: str, number: int, tested_device: str):
    """Text, type of an error, warnings and missing names are those of the CPU, but for its name."""
    content = rows.record()[area]
    row = content["rows"][number]
    found = on_cpu(rows.answer(content["setup"], row, tested_device))
    expected = on_cpu(rows.answer(content["setup"], row))
    if wrong := on_devices.differs(
        "observed", row["expr"], is_equal=found == expected, device=tested_device
    ):
        assert found == expected, wrong
        raise AssertionError(wrong)


def test_every_row_is_counted_once():
    for area in rows.record():
        found = observed.outcome(area)
        missing = sum(found.missing.values())
        assert found.rows == found.equal + len(found.differing) + missing


@pytest.mark.parametrize(
    ("row", "text", "expected"),
    [
        ({"str": "torch.Size([2])"}, "trilith.Size([2])", True),
        ({"str": "torch.float32"}, "trilith.float64", False),
        ({"str": "1", "warns": "UserWarning: a"}, "1", False),
    ],
)
def test_values_are_compared(row: dict[str, str], text: str, expected: bool):
    assert rows.is_equal(row, rows.Answer("str", text)) is expected


def test_errors_are_compared_by_type_and_beginning():
    error = rows.failure(NotImplementedError("bad dtype in torch.add of 3 tensors"))
    assert rows.is_equal({"raises": "RuntimeError: bad dtype in torch.add"}, error)
    assert not rows.is_equal({"raises": "TypeError: bad dtype"}, error)
    assert not rows.is_equal({"raises": "RuntimeError: bad device"}, error)
    assert not rows.is_equal({"str": "bad"}, error)


def test_a_name_that_is_missing_is_known_by_its_name():
    found = rows.answer(["a=torch.no_such_function(1)"], {"expr": "a+1"})
    assert found.missing == "torch.no_such_function"
    found = rows.answer([], {"expr": "torch.ones(2).no_such_method()"})
    assert found.missing == "Tensor.no_such_method"


def test_the_list_of_differences_is_as_it_would_be_written():
    assert differences.PATH.read_text(encoding="utf-8") == differences.text(differences.read())


def test_every_area_of_the_list_has_a_test():
    assert set(differences.read()) <= {*observed.areas(), "op_dtypes", "tensorimpl_cpp"}


def test_mistakes_in_the_list_are_found():
    wrong = differences.mistakes({1: "open", 2: "bug"}, {2: "shown", 3: "shown"})
    assert [line.partition(" ")[2].partition(" ")[0] for line in wrong] == ["3", "1"]
