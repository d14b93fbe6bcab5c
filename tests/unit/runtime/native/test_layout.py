"""Is an interpreter that lays its objects out otherwise found out?"""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from trilith.runtime.native import layout

OFFSETS = [
    *("REFERENCES", "TYPE", "FLOAT_BITS", "LONG_SIZE", "LONG_DIGITS", "DIGIT"),
    *(
        "_MEMBER",
        "_MEMBER_OFFSET",
        "TUPLE_SIZE",
        "TUPLE_ITEMS",
        "LIST_ITEMS",
        "SLICE_START",
        "SLICE_STOP",
        "SLICE_STEP",
        "VECTORCALL_OFFSET",
    ),
]


def is_one_of_those_that_are_known() -> bool:
    return sys.version_info[:2] in layout.VERSIONS and sys.platform == "linux"


def test_this_interpreter():
    assert layout.is_known() == is_one_of_those_that_are_known()


@pytest.mark.skipif(not is_one_of_those_that_are_known(), reason="has no native code")
@pytest.mark.parametrize("name", OFFSETS)
def test_a_number_that_is_wrong_is_found(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layout, name, getattr(layout, name) + 8)
    assert not layout.is_known()


@pytest.mark.parametrize("name", layout.ARRAY)
def test_a_number_of_arrays_that_is_wrong_is_found(name: str, monkeypatch: pytest.MonkeyPatch):
    assert layout.arrays_are_known()
    monkeypatch.setitem(layout.ARRAY, name, layout.ARRAY[name] - 8)
    assert not layout.arrays_are_known()


def test_other_versions_have_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layout, "VERSIONS", ())
    assert not layout.is_known()


PROGRAM = """
import trilith as tri
from trilith.runtime.calls import entries, functions
from trilith.runtime.native import layout
x = tri.ones(3)
f = tri.compile(lambda a: a * 2 + 1)
for _ in range(200):
    assert f(x).tolist() == [3.0] * 3 and (x + 1).tolist() == [2.0] * 3
print(entries.enable(), type(tri.exp).__name__)
"""


@pytest.mark.parametrize(
    "before",
    [
        "import os; os.environ['TRILITH_NATIVE'] = '0'",
        "import platform; platform.python_implementation = lambda: 'PyPy'",
    ],
)
def test_without_native_code_everything_runs(before: str):
    run = subprocess.run(
        [sys.executable, "-c", before + PROGRAM], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["False", "function"]


EARLY = """
import trilith as tri
from trilith.runtime.calls import entries
entries.enable()
x = tri.ones(3)
print((tri.compile(lambda a: a + 1)(x) + x).tolist())
"""


def test_native_code_may_come_before_what_it_calls():
    run = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[3.0, 3.0, 3.0]"


def test_arrays_of_every_rank_are_read():
    for array in (np.zeros(()), np.zeros((2, 0, 3)), np.arange(9)[::3]):
        assert layout._is_known_array(array)  # pyright: ignore[reportPrivateUsage]
