"""Does `trilith cache` tell, check and delete what lies on disk, and nothing else?"""

import os
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from trilith.compiler.kernels.sources import maker_number, source_digest
from trilith.compiler.tools.front_door import main
from trilith.runtime.execution.cache import DiskCache

from .conftest import Result

Command = Callable[..., Result]
ROOT = pathlib.Path(__file__).parents[4]


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("TRILITH_CACHE", "1")
    monkeypatch.setenv("TRILITH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("TRILITH_CACHE_SIZE", raising=False)
    return tmp_path / "cache"


@pytest.fixture
def command(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.delenv("TRILITH_TRACEBACK", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*words: str) -> Result:
        try:
            main(words)
            status = 0
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


def fill(folder: pathlib.Path) -> list[pathlib.Path]:
    """Store three entries of three makers; return their files, the longest unused first."""
    entries = DiskCache(folder)
    own = maker_number(source_digest(ROOT))
    found: list[pathlib.Path] = []
    for days, maker in ((50, own ^ 2), (20, 0), (0, own)):
        entries.put(str(days), bytes(1000), maker)
        (path,) = set(entries.folder.glob("*.entry")) - set(found)
        used = time.time() - days * 86400
        os.utime(path, (used, used))
        found.append(path)
    return found


def test_info_of_nothing_makes_nothing(command: Command, folder: pathlib.Path):
    said = command("cache", "info")
    assert said.output.splitlines() == [
        f"folder   {folder}",
        "entries  0 files, 0 bytes of at most 1.0 GiB",
    ]
    assert command("cache", "verify").status == 0
    assert command("cache", "clear").output == f"removed 0 files, 0 bytes from {folder}\n"
    assert not folder.exists()


def test_info(command: Command, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    fill(folder)
    (folder / "v0").mkdir()
    (folder / "v0" / "x.entry").write_bytes(bytes(2000))
    (folder / "v2" / "y.entry").write_bytes(b"short")
    (folder / "v2" / "1.partial").write_bytes(bytes(10))
    os.utime(folder / "v2" / "1.partial", (1, 1))
    monkeypatch.setenv("TRILITH_CACHE_SIZE", "20k")
    said = command("cache", "info").output
    lines = said.splitlines()
    assert lines[0] == f"folder   {folder}"
    assert lines[1] == "entries  5 files, 5.1 KiB of at most 20.0 KiB"
    assert sorted(line.strip() for line in lines[2:-1]) == [
        "1 file, 1.1 KiB of any version, such as of drivers",
        "1 file, 1.1 KiB of this version of trilith",
        "1 file, 5 bytes that nothing can be read of",
        "2 files, 3.0 KiB of other versions",
        "and 1 file, 10 bytes of writers that were killed",
    ]
    assert re.fullmatch(r"used     from \d{4}-\d\d-\d\d \d\d:\d\d to \d{4}-.*", lines[-1])


def test_info_says_what_the_environment_does(command: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_CACHE", "0")
    monkeypatch.setenv("TRILITH_CACHE_SIZE", "much")
    said = command("cache", "info")
    assert "(not used: TRILITH_CACHE=0)" in said.output
    assert "at most 1.0 GiB (TRILITH_CACHE_SIZE='much' is no size)" in said.output


def test_clear(command: Command, folder: pathlib.Path):
    oldest, older, newest = fill(folder)
    assert command("cache", "clear", "--older-than", "30").output.startswith("removed 1 file, ")
    assert not oldest.exists()
    assert command("cache", "clear", "--older-than", "0.5").output.startswith("removed 1 file, ")
    assert not older.exists()
    assert command("cache", "clear", "--older-than", "0.5").output.startswith("removed 0 files, ")
    assert newest.exists()
    assert command("cache", "clear").output.startswith("removed 1 file, ")
    assert [path.name for path in (folder / "v2").iterdir()] == ["secret"]


def test_clear_says_what_cannot_be_deleted(command: Command, folder: pathlib.Path):
    fill(folder)
    (folder / "v2" / "x.entry").mkdir()
    said = command("cache", "clear")
    assert said.status == 1
    assert said.output.startswith("removed 3 files, ")
    assert said.errors.startswith(f"{folder}/v2/x.entry: error: ")


def test_verify(command: Command, folder: pathlib.Path):
    first, second, third = fill(folder)
    good = command("cache", "verify")
    assert (good.status, good.errors) == (0, "")
    assert good.output.endswith(f"in {folder}/v2: none are bad\n")
    content = bytearray(first.read_bytes())
    content[-1] ^= 1
    first.write_bytes(content)
    second.chmod(0o666)
    for words in ((), ("--remove",)):
        bad = command("cache", "verify", *words)
        assert bad.status == 1
        assert f"{first}: it is damaged, or made with another secret" in bad.output
        assert f"{second}: others can write this" in bad.output
        assert bad.output.endswith(": 2 are bad\n")
        assert bad.output.count("; removed\n") == 2 * len(words)
    assert [path.exists() for path in (first, second, third)] == [False, False, True]
    assert command("cache", "verify").status == 0


def test_without_the_secret_all_entries_are_bad(command: Command, folder: pathlib.Path):
    fill(folder)
    (folder / "v2" / "secret").unlink()
    bad = command("cache", "verify")
    assert bad.status == 1
    assert bad.output.count("it cannot be checked without the secret: No such file") == 3
    assert not (folder / "v2" / "secret").exists()


@pytest.mark.parametrize("word", ["info", "clear", "verify"])
def test_a_folder_that_is_none_is_an_error(command: Command, folder: pathlib.Path, word: str):
    folder.write_bytes(b"")
    said = command("cache", word)
    assert (said.status, said.output) == (1, "")
    assert said.errors == f"{folder}: error: Not a directory\n"


# The front door


def test_what_there_is(command: Command):
    assert {"opt", "cache"} <= set(command().output.split())
    assert command().output == command("--help").output
    assert {"info", "clear", "verify"} <= set(command("cache").output.split())
    assert command("--version").output.startswith("trilith 0.")
    for word in ("info", "clear", "verify"):
        assert command("cache", word, "--help").status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("chache", "trilith: error: .*; did you mean 'cache'?"),
        ("cache infos", "trilith cache: error: .*; did you mean 'info'?"),
        (
            "cache clear --older-then 3",
            "trilith cache clear: error: .*; did you mean '--older-than'?",
        ),
        ("cache clear --older-than x", "trilith cache clear: error: .*'x' is no number of days"),
        ("cache clear --older-than -1", "trilith cache clear: error: .*"),
        (
            "cache clear --older-than nan",
            "trilith cache clear: error: .*'nan' is no number of days",
        ),
        ("cache clear --older 3", "trilith cache clear: error: unrecognized arguments: .*"),
        ("cache info more", "trilith cache info: error: unrecognized arguments: more"),
    ],
)
def test_a_wrong_command_line(command: Command, words: str, said: str):
    result = command(*words.split())
    first, second = result.errors.splitlines()
    assert (result.status, result.output) == (2, "")
    assert re.fullmatch(said.replace("?", r"\?"), first)
    assert second.endswith("--help says what there is")


def test_opt_is_trilith_opt(command: Command, add_file: pathlib.Path):
    assert "tri.add" in command("opt", str(add_file), "-p", "cse").output
    assert command("opt", "--version").output.startswith("trilith-opt ")
    assert command("opt", "nothing.mlir").status == 1
    assert command("opt", "--help").output.startswith("usage: trilith opt [")
    assert "  trilith opt f.mlir -p " in command("opt", "--help").output
    for words in (["--no"], ["-p", "csee"], ["-p", "cse{x=1}"], ["-t", "mlir}"]):
        refused = command("opt", *words)
        assert refused.status == 2
        assert refused.errors.startswith("trilith opt: error: ")
        assert "trilith-opt" not in refused.errors


def test_python_runs_it_and_loads_no_ir_for_the_cache(folder: pathlib.Path):
    fill(folder)
    words = [sys.executable, "-X", "importtime", "-m", "trilith", "cache", "info"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"folder   {folder}\n")
    assert "argparse" in done.stderr
    assert "xdsl" not in done.stderr


def test_the_import_loads_no_parser():
    code = "import sys, trilith; print({'argparse', 'trilith.__main__'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="needs /dev/full and sh")
@pytest.mark.parametrize(
    ("redirected", "said"),
    [
        (">/dev/full", "stdout: error: No space left on device\n"),
        (">&-", "stdout: error: it is closed\n"),
    ],
)
def test_streams_that_are_closed_or_full(folder: pathlib.Path, redirected: str, said: str):
    words = f'"{sys.executable}" -m trilith cache info {redirected}'
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", said)


SCRIPT = """
import sys
import trilith as tri

assert __name__ == "__main__"
print("script", sys.argv[1:])
tri.compile(lambda x: (x * 2 + 1).sum(0))(tri.ones(3, 4))
"""


def run_python(text: str, folder: pathlib.Path) -> str:
    environment = {**os.environ, "TRILITH_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", text],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_build(command: Command, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "warm up.py"
    script.write_text(SCRIPT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    said = command("cache", "build", script.name, "--out", "made/image", "--", "-a", "--out", "x")
    lines = said.output.splitlines()
    assert said.status == 0, said.errors
    assert re.fullmatch(rf"wrote [2-9] files, .* KiB to {tmp_path}/made/image", lines[0])
    assert lines[2] == (
        f"use it with TRILITH_CACHE_DIR={tmp_path}/made/image, or wherever it is copied to"
    )
    assert not (tmp_path / "x").exists()
    moved = (tmp_path / "made" / "image").rename(tmp_path / "moved")
    for path in (*moved.rglob("*"), moved):
        path.chmod(path.stat().st_mode & ~0o222)
    counts = run_python(
        "import trilith as tri\n"
        "f = tri.compile(lambda x: (x * 2 + 1).sum(0))\n"
        "f(tri.ones(3, 4)); f(tri.ones(5, 4) > 0)\n"
        "print(f.stats().kernels_loaded, f.stats().kernels_compiled)",
        moved,
    )
    assert counts == "1 1\n"
    monkeypatch.setenv("TRILITH_CACHE_DIR", str(moved))
    assert "shipped  nothing is written to it" in command("cache", "info").output
    assert command("cache", "verify").output.endswith("none are bad\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("raise SystemExit(3)", "it ended with status 3, so nothing was written"),
        ("import os; os.kill(os.getpid(), 9)", "it ended by signal 9, so nothing was written"),
        ("x = 1", "it compiled nothing, so there is nothing to write"),
    ],
)
def test_build_of_what_fails(command: Command, tmp_path: pathlib.Path, text: str, message: str):
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    said = command("cache", "build", str(script), "--out", str(tmp_path / "image"))
    assert (said.status, said.output) == (1, "")
    assert f"{script}: error: {message}" in said.errors
    assert sorted(path.name for path in tmp_path.iterdir()) == ["script.py"]


def test_build_writes_over_nothing_else(command: Command, tmp_path: pathlib.Path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "image").mkdir()
    (tmp_path / "image" / "mine").write_text("mine")
    said = command("cache", "build", str(script), "--out", str(tmp_path / "image"))
    assert said.status == 1
    assert "it is there, and was not made by 'trilith cache build'" in said.errors
    assert (tmp_path / "image" / "mine").read_text() == "mine"


def test_build_without_a_script(command: Command, tmp_path: pathlib.Path):
    assert command("cache", "build").status == 2
    said = command("cache", "build", str(tmp_path / "none.py"))
    assert (said.status, said.errors) == (
        1,
        f"{tmp_path}/none.py: error: there is no such file\n",
    )
    assert command("cache", "info", "--", "x").status == 2
