"""Does `make bench` run, with sizes so small that no time means anything?"""

import json
import pathlib
import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
SECTIONS = ("start", "calls", "chains", "reductions", "pipeline")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / "run.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    return import_module


def test_tiny_run(tmp_path: pathlib.Path):
    file = tmp_path / "times.json"
    done = run("--tiny", "--peers", "trilith,numpy", "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert "what did not work" not in done.stdout
    assert "numpy/ours" in done.stdout
    assert "compiled 0 kernels" in done.stdout
    assert "... photo: trilith" in done.stderr
    data = json.loads(file.read_text())
    assert [section["title"].partition(":")[0] for section in data["sections"]] == [*SECTIONS]
    for section in data["sections"]:
        for row in section["rows"]:
            assert "trilith" in row["ns"], row["name"]
            assert all(time > 0 for time in row["ns"].values())


def test_one_section_of_one_peer():
    done = run("--tiny", "--only", "calls", "--peers", "numpy")
    assert done.returncode == 0, done.stderr
    assert "calls: us" in done.stdout
    assert "chains" not in done.stdout


def test_unknown_names_are_refused():
    done = run("--peers", "trilith,nunpy")
    assert done.returncode == 2
    assert "no such peer: nunpy" in done.stderr
    assert run("--only", "everything").returncode == 2


def test_help_names_sections_and_peers():
    text = run("--help").stdout
    assert all(name in text for name in (*SECTIONS, "numexpr", "--quick", "--json"))


def test_table(module: Any):
    session, report = module("session"), module("report")
    limits = session.Limits(elements=1000, nbytes=8000, time=2e3, moving=1.6e3, calling=100.0)
    # The second round was slower for all: a ratio is that of most rounds.
    rounds = {"trilith": [2e3, 4e3, 2e3], "numpy": [5e3, 8e3, 5e3], "jax": [3e3, 3e3, 3e3]}
    row = session.Row("x + y", rounds, limits)
    text = report.section_text(session.Section("chains: us", [row], ["a note"]), list(rounds))
    assert text.splitlines() == [
        "chains: us",
        "         trilith  numpy   jax  numpy/ours  best/ours  best peer",
        "  x + y     2.00   5.00  3.00        2.50       1.50        jax",
        "  what limits ours  GB/s  of a plain move  ns/element  call, us  mostly",
        "  x + y              4.0             80 %       2.000      0.10  memory",
        "  a note",
    ]


def test_a_wrong_result_is_noticed(module: Any):
    programs = module("programs")
    right = programs.fingerprint([1.0, -2.0])
    assert right == (-1.0, 3.0)
    assert programs.agree((-1.00001, 3.00001), right)
    assert not programs.agree((-1.1, 3.0), right)
    assert not programs.agree((-1.0, 3.1), right)


@pytest.mark.parametrize(
    ("times", "word"),
    [((100.0, 90.0, 60.0), "the call"), ((100.0, 90.0, 1.0), "memory"), ((9.0, 1.0, 1.0), None)],
)
def test_what_limits(module: Any, times: tuple[float, float, float], word: str | None):
    time, moving, calling = times
    limits = module("session").Limits(10, 80, time, moving, calling)
    assert limits.word == (word or "arithmetic")
