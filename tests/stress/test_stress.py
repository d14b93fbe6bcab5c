"""Does each program of `make stress` run, and end right for a small number?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: What stands in the one line that a program prints.
SAYS = {
    "damage": (40, "40 of 40 processes computed what NumPy does"),
    "threads": (800, "6400 calls in 8 threads, 0 wrong"),
    "dropped": (40, "40 functions dropped, 0 left"),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.parametrize("name", SAYS)
def test_a_small_number(name: str, tmp_path: Path):
    count, says = SAYS[name]
    done = subprocess.run(
        [sys.executable, "-m", f"tests.stress.{name}", str(count)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert says in done.stdout, done.stderr
    assert done.returncode == 0, done.stdout
