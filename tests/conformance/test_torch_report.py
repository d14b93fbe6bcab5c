"""Does the report of `make conformance` count what it should? It needs no torch."""

from .bits import Tally
from .torch.report import (
    Failure,
    Result,
    failed,
    first_of_each,
    missing,
    reason,
    summary,
    total_of,
)


def result() -> Result:
    """Return an operation with one case of each sort."""
    made = Result("add", "elementwise-binary")
    made.add("pass", "int8")
    made.add("ok-error", "int8")
    made.add("value", "float32", Failure("value", "eager", "float32", "x", "1 is not 2"))
    made.add("unsupported", "float32", Failure("unsupported", "eager", "float32", "x", "no 3"))
    made.add("beyond-torch", "float32")
    return made


def test_cases_are_what_was_compared():
    row = result().row(["int8", "float32"])
    assert (row["cases"], row["pass"], row["ok-error"], row["fail"]) == (3, 1, 1, 1)
    assert (row["unsupported"], row["beyond-torch"]) == (1, 1)


def test_dtypes_are_counted_apart():
    assert result().row(["int8"])["fail"] == 0
    assert result().row(["float32"])["pass"] == 0


def test_a_crash_counts_whatever_the_dtypes():
    assert failed("add", "", "crash", "status -11").row(["int8"])["fail"] == 1


def test_a_summary_gives_the_share_of_what_is_unsupported_and_its_reasons():
    lines = summary([result()], "core", ["int8", "float32"])
    assert "  unsupported: 25.0 % of all cases" in lines
    assert "         1  no N" in lines
    assert "  failures by kind: value 1" in lines


def test_reasons_are_the_same_but_for_numbers():
    assert reason("size 3 of 4\nmore") == reason("size 5 of 6") == "size N of N"


def test_one_failure_of_each_sort_is_shown_different_kinds_first():
    first = Failure("value", "", "", "a", "x")
    second = Failure("value", "", "", "b", "y")
    third = Failure("dtype", "", "", "c", "z")
    again = Failure("value", "", "", "d", "x")
    assert first_of_each([first, second, third, again]) == [first, third, second]


def test_missing_operations_are_named():
    assert missing([Result("add", ""), Result("svd", "", is_missing=True)]) == ["svd"]


def test_bits_are_summed_over_operations():
    first, second = Result("add", ""), Result("mul", "")
    first.tally.add(Tally(1000, 0))
    second.tally.add(Tally(234, 1))
    total = str(total_of([first, second]))
    assert total == "1,234 values compared bit for bit with the CPU, 1 differ"


def test_other_bits_than_the_cpu_are_a_failure():
    made = Result("add", "")
    made.add("cpu", "int8", Failure("cpu", "eager", "int8", "x", "other bits"))
    assert made.row(["int8"])["fail"] == 1
