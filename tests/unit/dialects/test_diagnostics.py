"""Do errors say what went wrong, where, and what to do, in at most twelve lines?"""

import copy
import pathlib
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from trilith.dialects.diagnostics import (
    InternalError,
    Location,
    TrilithError,
    TrilithIndexError,
    TrilithNotImplementedError,
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)

PLACE = Location("model.py", 12, column=9, function="loss", text="    y = x + z\n")


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (TrilithTypeError, TypeError),
        (TrilithValueError, ValueError),
        (TrilithIndexError, IndexError),
        (TrilithRuntimeError, RuntimeError),
        (TrilithNotImplementedError, NotImplementedError),
        (TrilithOverflowError, OverflowError),
    ],
)
def test_each_kind_is_the_builtin_that_pytorch_raises(
    kind: type[TrilithError], builtin: type[Exception]
):
    with pytest.raises(builtin, match=r"^bad\n") as caught:
        raise kind("bad")
    assert isinstance(caught.value, TrilithError)


def test_message_place_and_hint():
    error = TrilithRuntimeError("sizes differ", location=PLACE, hint="broadcast one of them")
    assert str(error) == (
        "sizes differ\n"
        "  --> model.py:12, in loss\n"
        "    y = x + z\n"
        "        ^\n"
        "  hint: broadcast one of them"
    )
    assert error.message == "sizes differ"


def test_a_place_without_text_is_read_from_the_file(tmp_path: pathlib.Path):
    file = tmp_path / "program.py"
    file.write_text("first\n  second = 2\n")
    lines = Location(str(file), 2).describe()
    assert lines == [f"  --> {file}:2", "    second = 2"]
    assert Location(str(tmp_path / "gone.py"), 2).describe() == [f"  --> {tmp_path / 'gone.py'}:2"]


@pytest.mark.parametrize("column", [0, 4, 14, 100])
def test_no_caret_outside_of_the_text(column: int):
    place = Location("m.py", 1, column=column, text="    y = x + z")
    assert place.describe() == ["  --> m.py:1", "    y = x + z"]


def test_the_first_place_stays():
    other = Location("other.py", 1)
    assert TrilithError("bad").at(PLACE).at(other).location is PLACE
    unplaced = TrilithError("bad").at(None).location
    assert unplaced is not None
    assert unplaced.file == __file__, "an error without a place has that of the calling line"


def test_twelve_lines_keep_the_place():
    error = TrilithError("\n".join(map(str, range(40))), location=PLACE, hint="shorten it")
    lines = str(error).splitlines()
    assert len(lines) == 12
    assert lines[7] == "  ..."
    assert lines[8:] == [*PLACE.describe(), "  hint: shorten it"]
    assert len(error.message.splitlines()) == 40


def test_a_long_hint_keeps_the_message():
    lines = str(TrilithError("bad", hint="\n".join(["again"] * 40))).splitlines()
    assert (len(lines), lines[0]) == (12, "bad")


def test_internal_error_keeps_the_whole_ir_and_prints_some():
    ir = "\n".join(f"op{i}" for i in range(100))
    error = InternalError("pass failed", ir=ir, command="trilith-opt f.mlir -p x", location=PLACE)
    assert error.ir == ir
    text = str(error)
    assert text.startswith("internal error: pass failed\n  --> model.py:12")
    assert "trilith-opt f.mlir -p x" in text
    assert len(text.splitlines()) == 12
    assert isinstance(error, RuntimeError)


def through_pickle(error: Any) -> Any:
    return pickle.loads(pickle.dumps(error))


@pytest.mark.parametrize("duplicate", [copy.copy, through_pickle])
def test_errors_travel_between_processes(duplicate: Callable[[Any], Any]):
    error = duplicate(TrilithIndexError("bad", location=PLACE, hint="smaller"))
    assert isinstance(error, TrilithIndexError)
    assert (error.message, error.location, error.hint) == ("bad", PLACE, "smaller")
    internal = duplicate(InternalError("bad", ir="module", command="make"))
    assert (internal.message, internal.ir, internal.command) == ("bad", "module", "make")
