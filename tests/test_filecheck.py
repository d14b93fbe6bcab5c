"""Do the RUN lines of every file in tests/filecheck pass, all in one process?

lit starts two processes for each line (about 0.4 s each); this runner calls the same tools as
functions (about 0.1 s a file) and so serves while working. It knows what our files need:

    RUN: COMMAND [| COMMAND]...

A COMMAND is `[not] TOOL ARGUMENTS [2>&1]`, a TOOL one of trilith-opt, python and filecheck;
`%s` is the file itself; a line that ends in a backslash goes on in the next RUN line.
"""

import contextlib
import io
import pathlib
import pkgutil
import re
import runpy
import shlex
import sys
import traceback
from collections.abc import Callable

import pytest
from filecheck.main import main as run_filecheck

# This module lies beside the folder: inside it, pytest would name it filecheck.test_filecheck
# and hide the library filecheck behind the folder's name.
FOLDER = pathlib.Path(__file__).parent / "filecheck"
FILES = sorted({*FOLDER.rglob("*.mlir"), *FOLDER.rglob("*.py")} - {FOLDER / "lit.cfg.py"})
RUN = re.compile(r"^\s*(?://|#)\s*RUN:(.*)$", re.MULTILINE)


def run_python() -> None:
    """The `python FILE` of a RUN line."""
    sys.argv.pop(0)
    runpy.run_path(sys.argv[0], run_name="__main__")


def run_trilith_opt() -> None:
    """The `trilith-opt` of a RUN line; xDSL is loaded when the first one runs."""
    pkgutil.resolve_name("trilith.compiler.tools.trilith_opt:main")()


TOOLS: dict[str, Callable[[], None]] = {
    "filecheck": run_filecheck,
    "python": run_python,
    "trilith-opt": run_trilith_opt,
}


def call(arguments: list[str], text: str) -> tuple[int, str, str]:
    """Run one command on the text; exit status, output and error output."""
    output, errors = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", list(arguments))
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8"))
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
            try:
                TOOLS[arguments[0]]()
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
            except Exception:
                traceback.print_exc()
                status = 1
    return status, output.getvalue(), errors.getvalue()


def run_line(line: str, file: pathlib.Path) -> None:
    """Run one RUN line; fail with what its commands wrote to their error output."""
    text, report = "", ""
    for command in line.split(" | "):
        arguments = shlex.split(command.replace("%s", shlex.quote(str(file))))
        merged = arguments[-1] == "2>&1"
        if merged:
            arguments.pop()
        negated = arguments[0] == "not"
        if negated:
            arguments.pop(0)
        status, text, errors = call(arguments, text)
        if merged:
            text += errors
        report += errors
        if (status == 0) == negated:
            pytest.fail(f"`{command.strip()}` ended with {status}\n{report}{text}", pytrace=False)


def run_lines(file: pathlib.Path) -> list[str]:
    """The file's RUN lines, continued ones joined."""
    lines: list[str] = RUN.findall(file.read_text(encoding="utf-8"))
    return "\n".join(line.strip() for line in lines).replace("\\\n", " ").splitlines()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(FOLDER).as_posix())
def test_file(file: pathlib.Path):
    lines = run_lines(file)
    assert lines, "the file has no RUN line"
    for line in lines:
        run_line(line, file)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("# RUN: python %s | filecheck %s\n# CHECK: two\nprint('one')\n", "two"),
        ("# RUN: not python %s\n", "ended with 0"),
        ("# RUN: python %s\nraise ValueError('oh')\n", "ValueError: oh"),
        ("# RUN: python %s \\\n# RUN: | filecheck %s\n# CHECK-NOT: one\nprint('one')\n", "one"),
    ],
    ids=["mismatch", "unexpected success", "exception", "continued line"],
)
def test_a_wrong_file_fails(source: str, message: str, tmp_path: pathlib.Path):
    file = tmp_path / "wrong.py"
    file.write_text(source, encoding="utf-8")
    (line,) = run_lines(file)
    with pytest.raises(pytest.fail.Exception, match=message):
        run_line(line, file)
