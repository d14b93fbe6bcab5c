"""What does trilith-opt do where the system gives it no stream, or one that takes nothing?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full and sh")


def run(words: str, folder: Path) -> tuple[int, str, str]:
    """Run the tool by a shell; what is redirected there is empty."""
    (folder / "f.mlir").write_text("builtin.module {\n}\n", encoding="utf-8")
    command = f'"{sys.executable}" -m trilith.compiler.tools.trilith_opt {words}'
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, cwd=folder, env=environment, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("f.mlir >/dev/full", (1, "", "stdout: error: No space left on device\n")),
        ("f.mlir -o /dev/full", (1, "", "/dev/full: error: No space left on device\n")),
        ("f.mlir >&-", (1, "", "stdout: error: it is closed\n")),
        ("<&-", (1, "", "stdin: error: it is closed\n")),
        ("nothing.mlir 2>&-", (1, "", "")),
        ("f.mlir -o out.mlir >&- 2>&-", (0, "", "")),
    ],
)
def test_streams_that_are_closed_or_full(
    words: str, expected: tuple[int, str, str], tmp_path: Path
):
    assert run(words, tmp_path) == expected


def test_what_belongs_to_stderr_stays_away_from_stdout(tmp_path: Path):
    status, output, _ = run("f.mlir -p cse --print-ir-after-all 2>&-", tmp_path)
    assert status == 0
    assert "IR Dump" not in output


def test_output_is_utf_8_whatever_the_terminal_takes(tmp_path: Path):
    path = tmp_path / "g.mlir"
    path.write_text("// \u03c0\nfunc.func @f(%\u03c0: index) {\n}\n", encoding="utf-8")
    status, output, errors = run("g.mlir --parsing-diagnostics", tmp_path)
    assert (status, errors) == (0, "")
    assert "func.func @f(%\u03c0: index)" in output
