"""Does `make bench` run, with sizes so small that no time means anything?"""

import json
import os
import pathlib
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import trilith as tri

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
SECTIONS = (
    *("start", "latency", "calls", "sizes", "chains", "reductions", "moves"),
    *("products", "pipeline"),
    *("contractions", "models", "gradients", "sparse", "operations", "functions", "scale"),
    "threads",
    *("opencl", "opencl_start"),
)


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(FOLDER / "run.py"), *arguments]
    return subprocess.run(
        command, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(FOLDER), *sys.path])
    return import_module


def test_tiny_run(tmp_path: pathlib.Path):
    file = tmp_path / "times.json"
    choice = [option for name in SECTIONS[:15] for option in ("--only", name)]
    done = run("--tiny", *choice, "--peers", "trilith,numpy", "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert "what did not work" not in done.stdout
    assert "numpy/ours" in done.stdout
    assert "trilith reaches" in done.stdout
    assert "compiled 0 kernels" in done.stdout
    assert "20 calls with as many sizes made " in done.stdout
    assert "loaded by the first result of " in done.stdout
    assert "... photo: trilith" in done.stderr
    assert "... 20 operations, (n, 16): trilith, 0 of 20 sizes" in done.stderr
    data = json.loads(file.read_text())
    assert [section["title"].partition(":")[0] for section in data["sections"]] == [*SECTIONS[:15]]
    for section in data["sections"]:
        for row in section["rows"]:
            assert {"trilith", "trilith eager"} & {*row["ns"]}, row["name"]
            assert all(time > 0 for time in row["ns"].values())
    latency, sizes = data["sections"][1], data["sections"][3]
    assert latency["title"].startswith("latency: ns ")
    assert [row["name"] for row in latency["rows"]] == [
        *("a*b + c, tensors", "a*b + c, NumPy arrays"),
        *("a + b, eager", "x[1:], eager", "x.sum(), eager", "x[i] = 1., eager"),
    ]
    names = [row["name"] for row in sizes["rows"]]
    assert names[:2] == ["ones(n) + 1, never seen", "ones(n) + 1, seen"]
    assert names[-2:] == ["Durbin-Levinson, n = 8, first run", "Durbin-Levinson, n = 8, again"]
    assert all("numpy" in row["ns"] for row in latency["rows"] + sizes["rows"])


def test_sizes_are_new_until_they_are_seen(module: Any):
    sizes, peer = module("size_programs"), module("peers").Numpy()
    run = sizes.SizeRun(peer, "x[i:] + 1", 10)
    assert run.learn().shape == (sizes.LENGTH - sizes.FIRST - sizes.LEARNING + 1,)
    seen: list[int] = []

    def remember(x: Any, i: int) -> None:
        seen.append(i)

    run.function = remember
    run.time(2)
    run.time(1)
    learnt = [sizes.FIRST + number for number in range(sizes.LEARNING)]
    first, second, third = (learnt[-1] + number for number in (1, 2, 3))
    again = 1 + sizes.SEEN_PASSES
    assert seen == [*learnt, *(again * [first, second]), first, second, *(again * [third])]
    compiled = sizes.SizeRun(peer, sizes.COMPILED, 2)
    shapes = [[x.shape for x in compiled.next_arguments()] for _ in range(2)]
    assert shapes == [3 * [(sizes.FIRST, 16)], 3 * [(sizes.FIRST + 1, 16)]]


@pytest.mark.parametrize("name", ["Cholesky", "LU", "Durbin-Levinson"])
def test_a_loop_with_a_wrong_result_is_refused(module: Any, name: str):
    loops, peer = module("slice_loops"), module("peers").Numpy()
    loop = loops.SLICE_LOOPS[name]
    value = loop.make(30)
    before = value.copy()
    found = peer.eager(loop.body)(value)
    loops.refuse_wrong(name, found, value)
    assert found.dtype == value.dtype == np.float32
    assert np.array_equal(value, before)
    found[2] *= 1.001
    with pytest.raises(ValueError, match="a relative error of "):
        loops.refuse_wrong(name, found, value)
    with pytest.raises(ValueError, match="a relative error of nan"):
        loops.refuse_wrong(name, np.full_like(found, np.nan), value)


OPERATIONS = """
import sys
sys.path.insert(0, sys.argv[1])
import json
import numpy as np
import trilith as tri
from operation_programs import OPERATIONS, numbers_of
from array_programs import agree, fingerprint
wrong = []
for name, operation in OPERATIONS.items():
    values = operation.make(64)
    numbers = numbers_of(operation.function(tri)(*map(tri.tensor, values)))
    function = operation.function(np, is_numpy=True)
    if function is None:
        is_right = numbers.size > 0 and not np.isnan(numbers).any()
    else:
        expected = numbers_of(function(*values))
        is_right = len(expected) == len(numbers) and (
            operation.is_random or agree(fingerprint(numbers), fingerprint(expected))
        )
    if not is_right:
        wrong.append(name)
print(json.dumps(wrong))
"""


def test_operations_compute_what_numpy_does():
    command = [sys.executable, "-c", OPERATIONS, str(FOLDER)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr


@pytest.mark.parametrize("name", ["attention, 128 tokens of 512", "LSTM cell, 1 x 512"])
def test_models_compute_what_numpy_does(module: Any, name: str):
    peers, model = module("peers"), module("model_programs").MODELS[name]
    found, expected = (
        peer.numpy(peer.compiled(model.body)(*map(peer.array, model.make())))
        for peer in (peers.Trilith(), peers.Numpy())
    )
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    assert found.std() > 0.1


def test_one_section_of_one_peer():
    done = run("--tiny", "--only", "calls", "--peers", "numpy")
    assert done.returncode == 0, done.stderr
    assert "calls: us" in done.stdout
    assert "chains" not in done.stdout


NEEDS_OPENCL = pytest.mark.skipif(
    not tri.opencl.is_available(), reason="there is no OpenCL platform on this machine"
)
ON_OPENCL = ("--only", "opencl", "--only", "opencl_start")


@NEEDS_OPENCL
def test_tiny_run_on_opencl(tmp_path: pathlib.Path):
    file = tmp_path / "times.json"
    peers = "trilith opencl:0,trilith,numpy,pyopencl,pytato"
    done = run("--tiny", *ON_OPENCL, "--peers", peers, "--json", str(file))
    assert done.returncode == 0, done.stderr
    if find_spec("pytato") is None:
        assert "what did not work" not in done.stdout
        assert "  pytato: not installed (pip install loopy git+https://github.com" in done.stdout
    assert f"  device: {tri.opencl.devices()[0].name}, " in done.stdout
    assert "  times as long as trilith opencl:0 " in done.stdout
    kernels, start = json.loads(file.read_text())["sections"]
    *cases, behind, idle = kernels["rows"]
    assert [row["name"].partition(",")[0] for row in cases] == [
        "tanh(2x + y)*exp(-y*y) + x",
        "sum of all",
        "x.T + y",
    ]
    assert all({"trilith opencl:0", "trilith", "numpy"} <= {*row["ns"]} for row in cases)
    assert "pyopencl" in cases[0]["ns"]
    assert behind["name"].startswith("enqueueing behind other work, per kernel of ")
    assert idle["name"].startswith("enqueueing on an idle device, per kernel of ")
    names = [row["name"] for row in start["rows"]]
    assert "first result, nothing built before, for each kernel" in names
    assert "first result, built before, for each kernel" in names
    for row in kernels["rows"] + start["rows"]:
        assert row["ns"]["trilith opencl:0"] > 0, row["name"]


@NEEDS_OPENCL
def test_tiny_run_of_products_on_opencl(tmp_path: pathlib.Path):
    file = tmp_path / "times.json"
    peers = "trilith opencl:0,trilith,numpy"
    done = run("--tiny", "--only", "opencl_products", "--peers", peers, "--json", str(file))
    assert done.returncode == 0, done.stderr
    assert "what did not work" not in done.stdout
    product, convolution = json.loads(file.read_text())["sections"][0]["rows"]
    assert product["name"] == "x @ y, n = 20"
    assert {*product["ns"]} == {"trilith opencl:0", "trilith", "numpy"}
    assert {*convolution["ns"]} == {"trilith opencl:0", "trilith"}


def test_without_a_platform_a_line_says_so(tmp_path: pathlib.Path):
    options = ("--tiny", *ON_OPENCL, "--peers", "numpy,trilith opencl:0")
    done = run(*options, OCL_ICD_VENDORS=str(tmp_path / "nowhere"))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    for name in ON_OPENCL[1::2]:
        (place,) = [number for number, line in enumerate(lines) if line.startswith(f"{name}: ")]
        assert lines[place + 1].startswith("  not measured: ")


def test_caches_of_opencl_are_empty_folders(module: Any):
    processes = module("processes")
    with processes.nothing_cached() as changes:
        folder = pathlib.Path(changes["POCL_CACHE_DIR"])
        assert list(folder.iterdir()) == []
        found = processes.environment(changes)
        assert found["TRILITH_CACHE"] == "0"
        assert found["POCL_CACHE_DIR"] == found["TRILITH_CACHE_DIR"] == str(folder)
        assert "OMP_NUM_THREADS" not in found
    assert not folder.exists()
    assert processes.environment({})["OMP_NUM_THREADS"] == "1"


def test_a_peer_that_hangs_or_dies_is_a_failure(module: Any, monkeypatch: pytest.MonkeyPatch):
    processes = module("processes")
    with pytest.raises(processes.PeerError, match="ValueError: 7"):
        processes.run_fresh("raise ValueError(7)")
    monkeypatch.setattr(processes, "TIME_LIMIT", 0.5)
    with pytest.raises(processes.PeerError, match="did not end"):
        processes.run_fresh("import time; time.sleep(60)")
    session = module("session").Session(module("session").TINY, ["numpy"])
    try:
        worker = session.worker("numpy")
        monkeypatch.setattr(processes, "TIME_LIMIT", 60.0)
        assert worker.ask("version")
        monkeypatch.setattr(processes, "TIME_LIMIT", 0.5)
        assert session.ask("numpy", "measure", seconds=60) is None
        assert session.failures == ["numpy, measure: the process ended"]
    finally:
        session.stop()


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


def test_a_row_without_the_compiled_function_is_compared_with_eager(module: Any):
    session, report = module("session"), module("report")
    rows = [
        session.Row("x + y", {"trilith": [400.0], "trilith eager": [100.0], "numpy": [200.0]}),
        session.Row("x[1:]", {"trilith eager": [8e3], "numpy": [20.0]}),
    ]
    section = session.Section("latency: ns", rows)
    assert report.section_text(section, ["trilith", "trilith eager", "numpy"]).splitlines() == [
        "latency: ns",
        "         trilith  trilith eager  numpy  numpy/ours  best/ours  best peer",
        "  x + y      400            100    200        0.50       0.50      numpy",
        "  x[1:]        -           8000   20.0      0.0025     0.0025      numpy",
    ]


def test_a_wrong_result_is_noticed(module: Any):
    programs = module("array_programs")
    right = programs.fingerprint([1.0, -2.0])
    assert right == (-1.0, 3.0, -2 / 97)
    assert programs.agree((-1.00001, 3.00001, -0.0206), right)
    assert not programs.agree((-1.1, 3.0, right[2]), right)
    assert not programs.agree((-1.0, 3.1, right[2]), right)
    # The same elements in other places.
    assert not programs.agree(programs.fingerprint([-2.0, 1.0]), right)


def test_ratios_of_all_to_ours(module: Any):
    session, report = module("session"), module("report")
    rounds = {"trilith opencl:0": [2e3, 4e3, 2e3], "numpy": [5e3, 8e3, 3e3], "tinygrad": [9e3] * 3}
    rows = [session.Row("x + y", rounds), session.Row("launch", {"trilith opencl:0": [1e3]})]
    section = session.Section("opencl: us", rows, ours="trilith opencl:0", is_detailed=True)
    assert report.section_text(section, list(rounds)).splitlines() == [
        "opencl: us",
        "          trilith opencl:0  numpy  tinygrad  numpy/ours  best/ours  best peer",
        "  x + y               2.00   5.00      9.00        2.00       2.00      numpy",
        "  launch              1.00      -         -           -          -          -",
        "  times as long as trilith opencl:0        numpy     tinygrad",
        "  x + y                              2.00 (1.50)  4.50 (4.50)",
    ]


def test_ratios_to_the_best_peer_and_what_is_above_a_bound(module: Any):
    session, report = module("session"), module("report")
    rounds = {"trilith": [8e3, 9e3, 7e3], "trilith eager": [2e3] * 3, "numpy": [2e3] * 3}
    rows = [
        session.Row("sort", {**rounds, "torch": [5e3] * 3}),
        session.Row("mode", {"trilith": [3e3], "torch": [1e3]}),
        session.Row("rand", {"trilith": [3e3]}),
    ]
    section = session.Section("operations: us", rows, ["a note"], bound=3.0)
    assert report.section_text(section, [*rounds, "torch"]).splitlines() == [
        "operations: us",
        "        trilith  trilith eager  numpy  torch  best peer  trilith/best  trilith eager/best",
        "  sort     8.00           2.00   2.00   5.00      numpy   4.00 (3.50)         1.00 (1.00)"
        "  above 3",
        "  mode     3.00              -      -   1.00      torch   3.00 (3.00)                   -",
        "  rand     3.00              -      -      -          -             -                   -",
        "  trilith: 1 of 3 take more than 3 times as long as the best peer",
        "  trilith eager: 0 of 3 take more than 3 times as long as the best peer",
        "  a note",
    ]


def test_a_section_without_times_has_no_table(module: Any):
    session, report = module("session"), module("report")
    section = session.Section("opencl: us", notes=["not measured"], is_detailed=True)
    assert report.section_text(section, ["numpy"]) == "opencl: us\n  not measured"


@pytest.mark.parametrize(
    ("times", "word"),
    [((100.0, 90.0, 60.0), "the call"), ((100.0, 90.0, 1.0), "memory"), ((9.0, 1.0, 1.0), None)],
)
def test_what_limits(module: Any, times: tuple[float, float, float], word: str | None):
    time, moving, calling = times
    limits = module("session").Limits(10, 80, time, moving, calling)
    assert limits.word == (word or "arithmetic")
