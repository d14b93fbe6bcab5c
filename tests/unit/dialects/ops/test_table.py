"""Are rows loaded when they are needed, and found whatever is written down of them?"""

from __future__ import annotations

import subprocess
import sys

import pytest

from trilith.dialects.ops.frame.row import OpSpec
from trilith.dialects.ops.table import TABLE, functions_of, members, members_of, public_functions


def printed(program: str) -> str:
    """Return what a program prints in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


LOADED = """
import sys
def loaded():
    prefix = "trilith.dialects.ops.rows."
    names = (name.removeprefix(prefix) for name in sys.modules if name.startswith(prefix))
    return sorted(name for name in names if "." in name)
"""


def test_a_row_is_loaded_when_it_is_needed():
    program = """
from trilith.dialects.ops.table import TABLE, public_functions
assert not loaded()
assert "multiply" in public_functions() and "no_row" not in public_functions()
assert not loaded()
row = public_functions()["absolute"]
print(row.name, "elementwise.arithmetic" in loaded())
print("rearranging.joining" in loaded(), TABLE.get("no_row"))
print("cat" in TABLE, "rearranging.joining" in loaded())
print(len(TABLE) == len(list(TABLE)) == len(TABLE.keys()))
"""
    assert printed(LOADED + program) == "abs True\nFalse None\nTrue True\nTrue\n"


def test_members_of_tensors_are_loaded_when_they_are_needed():
    program = """
import trilith as tri
x = tri.tensor([1.0, 2.0])
assert (x + 1).tolist() == [2, 3]
before = set(loaded())
assert "indexing.scattering" not in before and "views.splitting" not in before
assert hasattr(x, "scatter") and "indexing.scattering" in loaded()
assert tri.Tensor.chunk.__qualname__ == "Tensor.chunk" and "views.splitting" in loaded()
assert [part.tolist() for part in x.chunk(2)] == [[1], [2]]
assert tri.compile(lambda v: v.cumsum(0))(x).tolist() == [1, 3]
assert x.T.shape == (2,) and x.real is x and x.ne(1).tolist() == [False, True]
x -= 1
print(x.tolist(), sorted(set(dir(x)) & {"add_", "chunk", "T", "__radd__"}))
"""
    expected = "[0.0, 1.0] ['T', '__radd__', 'add_', 'chunk']\n"
    assert (
        printed("import warnings; warnings.simplefilter('ignore')\n" + LOADED + program) == expected
    )


STALE = """
from trilith.dialects.ops import index
index.NBYTES += 1  # as after an edit
index.ROWS = {module: "" for module in index.ROWS if module != "rearranging.joining"}
index.FUNCTIONS = index.MEMBERS = index.UFUNCS = ""
"""


def test_what_is_not_written_down_is_found():
    program = """
import numpy as np
import trilith as tri
x = tri.tensor([1.0, 2.0])
assert tri.cat([x, x]).tolist() == [1, 2, 1, 2] and x.scatter is not None
assert tri.compile(lambda a: np.float32(2) * a + a.exp2())(x).tolist() == [4, 8]
print(hasattr(tri, "no_row"), hasattr(x, "no_row"), "cat" in dir(tri), tri.special.expit.__name__)
"""
    assert printed(STALE + program) == "False False True sigmoid\n"


@pytest.mark.parametrize("row", list(TABLE.values()), ids=lambda row: row.name)
def test_what_is_written_down_is_true(row: OpSpec):
    assert all(public_functions()[name] is row for name in functions_of(row))
    assert all(members()[name] is row for name in members_of(row))


def test_rows_of_others_are_told_apart():
    row = TABLE["cat"]
    assert not TABLE.changed
    del TABLE["cat"]
    assert TABLE.changed == {"cat"}
    assert "cat" not in public_functions()
    TABLE.add(row)
    assert not TABLE.changed
    assert public_functions()["cat"] is row


@pytest.mark.parametrize(
    "module", ["compiler.eager.operations", "dialects.ops.rows.indexing.subscripts"]
)
def test_rows_are_our_own_whoever_loads_their_modules_first(module: str):
    program = f"""
import importlib
importlib.import_module("trilith.{module}")
from trilith.dialects.ops.table import TABLE
print(len(list(TABLE)) > 500, TABLE.changed)
"""
    assert printed(program) == "True set()\n"
