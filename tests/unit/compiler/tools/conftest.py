"""A way to call the tool: in this process, with its own streams."""

import io
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from trilith.compiler.tools.trilith_opt import main

ADD = """\
func.func @add(%x: !tri.tensor<4xf32>, %y: !tri.tensor<4xf32>) -> !tri.tensor<4xf32> {
  %0 = tri.add %x, %y : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
  func.return %0 : !tri.tensor<4xf32>
}
"""


@dataclass
class Result:
    """What a run of the tool left."""

    status: int
    output: str
    errors: str


@pytest.fixture
def tool(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Result]:
    monkeypatch.delenv("TRILITH_TRACEBACK", raising=False)

    def run(*words: object, stdin: str | bytes = ADD) -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "argv", ["trilith-opt", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        try:
            main()
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


@pytest.fixture
def add_file(tmp_path: pathlib.Path) -> pathlib.Path:
    """A file with a small valid function."""
    file = tmp_path / "add.mlir"
    file.write_text(ADD, encoding="utf-8")
    return file
