"""Which line do errors and warnings name? That of the user, wherever trilith is called from."""

import copy
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import trilith as tri

IN_A_DELETED_FOLDER = """
import trilith as tri
try:
    tri.ones(2) + tri.ones(3)
except RuntimeError as error:
    print(error.location)
"""


def test_a_program_whose_working_directory_was_deleted(tmp_path: Path):
    command = f"import os; os.rmdir({str(tmp_path / 'gone')!r})\n"
    # A relative name, as a program has that is started from the folder.
    command += f"exec(compile({IN_A_DELETED_FOLDER!r}, 'program.py', 'exec'))"
    folder = tmp_path / "gone"
    folder.mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", command], cwd=folder, capture_output=True, text=True
    )
    assert ran.stdout == "program.py:4\n", ran.stderr


def test_the_standard_library_is_not_the_users_line():
    """`copy.deepcopy` calls trilith; what matters is where it is called."""
    mapped: Callable[[Any], Any] = copy.deepcopy
    function: Any = tri.compile(lambda x: mapped(x).add_(1))
    with pytest.warns(tri.TrilithWarning, match="__deepcopy__") as caught:
        assert function(tri.ones(2)).tolist() == [2, 2]
    assert [Path(warning.filename).name for warning in caught] == ["test_frames.py"]


def test_where_only_the_standard_library_calls_it_is_named():
    with ThreadPoolExecutor(1) as threads:
        error: Any = threads.submit(tri.add, tri.ones(2), tri.ones(3)).exception()
    assert error.location.file.endswith("thread.py")
