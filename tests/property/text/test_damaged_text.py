"""Does every damaged text end in bounded time, as a result or as an error that names its place?"""

import contextlib
import io
import re
import signal
import sys
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.compiler.tools.trilith_opt import main

from .damaged_text import cases, damaged

#: The first line of a refusal: of a place, or of the file where no operation is to blame.
PLACED = re.compile(r"^(?:stdin(?::\d+)*|\S+:\d+|trilith-opt): error: ", re.MULTILINE)
SECONDS = 30
CASES = cases()


class TooLong(BaseException):
    """Not an Exception: nothing on the way may take it for an error of the input."""


def _interrupt(*_: object) -> None:
    raise TooLong


@pytest.fixture(scope="module", autouse=True)
def _limited() -> Iterator[None]:
    """End what hangs, as a regular expression can."""
    if sys.platform == "win32":
        yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def run(words: tuple[str, ...], text: str) -> tuple[int, str, str]:
    """Run the tool on a text; status, output and errors."""
    output, errors = io.StringIO(), io.StringIO()
    if sys.platform != "win32":
        signal.alarm(SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        data = io.BytesIO(text.encode("utf-8", "surrogatepass"))
        patch.setattr(sys, "argv", ["trilith-opt", *words])
        patch.setattr(sys, "stdin", io.TextIOWrapper(data, encoding="utf-8"))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                main()
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else 1
    return status, output.getvalue(), errors.getvalue()


@given(seed=st.integers(0, 2**64 - 1))
def test_damaged_texts(seed: int):
    draw = Random(seed)
    case = draw.choice(CASES)
    text = damaged(case.text, draw)
    status, output, errors = run(case.words, text)
    shown = f"{case.words}\n{errors}\n{text}"
    assert status in (0, 1, 2), shown
    assert "internal error" not in output + errors, shown
    assert "Traceback" not in errors, shown
    if status:
        assert PLACED.search(errors), shown
