"""Does a process that finds its plans on the disk compute the same without the compiler?"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.unit.compiler.stored.processes import finish, run, start

#: What is computed of a matrix x, in words that trilith and NumPy share.
RESULTS = {
    "one": "x + 1",
    "ten": "m.tanh(x * 2 + 1) * m.exp(x * -0.5) + m.sqrt(x * x + 1)",
    "matmul": "x @ x",
    "softmax": "(lambda e: e / e.sum(1)[:, None])(m.exp(x - m.amax(x, 1)[:, None]))",
}
OF_SIZES = """
def values(n): return np.linspace(-1, 1, n * n, dtype=np.float32).reshape(n, n)
found = {}
for n in SIZES:
    for name, f in FUNCTIONS.items():
        found[f"{name} {n}"] = np.asarray(f(tri.tensor(values(n)))).astype(float).tolist()
told(found=found)
"""


def program(sizes: list[int], *, compiled: bool) -> str:
    make = "tri.compile" if compiled else ""
    functions = ", ".join(f"{name!r}: {make}(lambda x: {do})" for name, do in RESULTS.items())
    return f"m = tri\nSIZES = {sizes}\nFUNCTIONS = {{{functions}}}\n{OF_SIZES}"


def check(found: dict[str, list[list[float]]], sizes: list[int]) -> None:
    assert len(found) == len(sizes) * len(RESULTS)
    for n in sizes:
        x = np.linspace(-1, 1, n * n, dtype=np.float32).reshape(n, n)
        for name, do in RESULTS.items():
            expected = eval(do, {"m": np, "x": x})
            np.testing.assert_allclose(found[f"{name} {n}"], expected, rtol=1e-5, atol=1e-5)


@pytest.fixture(scope="module")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the plans of matrices of 16 rows, of operations and of compiled functions."""
    folder = tmp_path_factory.mktemp("plans")
    for compiled in (False, True):
        run(folder, program([16], compiled=compiled))
    return folder


@pytest.fixture
def filled(tmp_path: Path, filled_once: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(filled_once, tmp_path, dirs_exist_ok=True)


@pytest.mark.parametrize("compiled", [False, True])
def test_a_warm_process_loads_neither_xdsl_nor_llvmlite_nor_rows(tmp_path: Path, compiled: bool):
    cold = run(tmp_path, program([16], compiled=compiled))
    assert cold["loaded"] == ["xdsl", "llvmlite"]
    check(cold["found"], [16])
    warm = run(tmp_path, program([16], compiled=compiled))
    assert (warm["loaded"], warm["rows"]) == ([], False)
    check(warm["found"], [16])


def test_operations_find_plans_for_sizes_that_nobody_had(tmp_path: Path):
    run(tmp_path, program([16, 9], compiled=False))  # short rows are a kind of their own
    warm = run(tmp_path, program([5, 31, 16], compiled=False))
    assert (warm["loaded"], warm["rows"]) == ([], False)
    check(warm["found"], [5, 31, 16])


def test_functions_find_plans_for_sizes_that_nobody_had(tmp_path: Path):
    run(tmp_path, program([16, 24, 9], compiled=True))
    warm = run(tmp_path, program([5, 31, 16], compiled=True))
    assert (warm["loaded"], warm["rows"]) == ([], False)
    check(warm["found"], [5, 31, 16])


def test_functions_that_cut_tensors_find_their_plans(tmp_path: Path):
    program = """
def gates(x):
    first, second, third = x.chunk(3, 1)
    low, high = tri.split_with_sizes(third, (1, 3), dim=1)
    return first * second + low, high - 1
f = tri.compile(gates)
told(found=[part.tolist() for part in f(tri.tensor(np.arange(24.0).reshape(2, 12)))])
"""
    x = np.arange(24.0).reshape(2, 12)
    expected = [(x[:, :4] * x[:, 4:8] + x[:, 8:9]).tolist(), (x[:, 9:] - 1).tolist()]
    cold = run(tmp_path, program)
    assert cold["loaded"] == ["xdsl", "llvmlite"]
    warm = run(tmp_path, program)
    assert (warm["loaded"], warm["rows"]) == ([], False)
    assert cold["found"] == warm["found"] == expected


#: What asks for sizes, or does something else for others.
OF_ITS_SIZES = {
    "mean": "x.sum() / x.shape[0]",
    "half": "x[: x.shape[0] // 2, 1:] + x.shape[1]",
    "flat": "x.reshape(x.shape[0] * x.shape[1]) * 2",
    "control": "x + 1 if x.shape[0] > 10 else x * 2",
}


def test_functions_that_ask_for_sizes_find_plans_for_others(tmp_path: Path):
    functions = ", ".join(f"{n!r}: tri.compile(lambda x: {do})" for n, do in OF_ITS_SIZES.items())

    def program(sizes: list[int]) -> str:
        return f"SIZES = {sizes}\nFUNCTIONS = {{{functions}}}\n{OF_SIZES}"

    def check(found: dict[str, Any], sizes: list[int]) -> None:
        for n in sizes:
            x = np.linspace(-1, 1, n * n, dtype=np.float32).reshape(n, n)
            for name, do in OF_ITS_SIZES.items():
                np.testing.assert_allclose(
                    found[f"{name} {n}"], eval(do, {"x": x}), rtol=1e-5, atol=1e-5
                )

    check(run(tmp_path, program([16, 24]))["found"], [16, 24])
    warm = run(tmp_path, program([20, 31, 16, 24]))
    assert warm["loaded"] == []
    check(warm["found"], [20, 31, 16, 24])
    # The other way of what branches is traced once more.
    check(run(tmp_path, program([5, 31]))["found"], [5, 31])
    check(run(tmp_path, program([31, 6]))["found"], [31, 6])


def test_the_second_process_with_another_size_makes_plans_for_all(filled: Path):
    second = run(filled, program([24], compiled=True))
    assert second["loaded"] == ["xdsl", "llvmlite"]
    check(second["found"], [24])
    third = run(filled, program([31], compiled=True))
    assert third["loaded"] == []
    check(third["found"], [31])


def test_sizes_that_are_one_or_nothing_are_another_kind(filled: Path):
    run(filled, program([24], compiled=True))
    check(run(filled, program([1, 2], compiled=True))["found"], [1, 2])
    check(run(filled, program([1, 2], compiled=False))["found"], [1, 2])


def test_several_processes_on_the_same_keys(tmp_path: Path):
    text = program([16], compiled=True)
    for told in [finish(process) for process in [start(tmp_path, text) for _ in range(4)]]:
        check(told["found"], [16])
    assert run(tmp_path, text)["loaded"] == []


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_can_only_be_read_gives_plans(filled: Path):
    (filled / "v2").chmod(0o500)
    assert run(filled, program([16], compiled=True))["loaded"] == []


@pytest.mark.parametrize("how", ["cut", "flipped", "emptied", "swapped"])
def test_damaged_entries_are_misses(filled: Path, how: str):
    chance = random.Random(3)
    files = sorted((filled / "v2").glob("*.entry"))
    assert len(files) > 10
    contents = [file.read_bytes() for file in files]
    for number, (file, data) in enumerate(zip(files, contents, strict=True)):
        changed = bytearray(data)
        match how:
            case "cut":
                del changed[chance.randrange(len(data)) :]
            case "flipped":
                changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            case "emptied":
                changed.clear()
            case _:
                changed[:] = contents[number - 1]
        file.write_bytes(bytes(changed))
    for compiled in (True, False):
        told = run(filled, program([16], compiled=compiled))
        check(told["found"], [16])


CHANGES = {
    "the form": "environment._FORM = 'another'",
    "the processor": "environment.processor_digest = lambda: b'another'",
    "the version of llvmlite": "environment.llvm_mark = lambda: 'another'",
    "the version of xdsl": "environment.version_mark = lambda name: 'another'",
    "the sources": "environment._sources = lambda disk: bytes(32)",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_else_decides_a_plan_is_part_of_its_key(filled: Path, change: str):
    changed = f"from trilith.compiler.stored import environment\n{CHANGES[change]}\n"
    told = run(filled, changed + program([16], compiled=True))
    assert told["loaded"] == ["xdsl", "llvmlite"]
    check(told["found"], [16])


@pytest.mark.parametrize("name", ["TRILITH_VERIFY", "TRILITH_DUMP_DIR"])
def test_who_wants_to_see_the_compiler_work_sees_it(filled: Path, name: str):
    dumps = filled / "dumps"
    told = run(filled, program([16], compiled=True), **{name: str(dumps)})
    assert told["loaded"] == ["xdsl", "llvmlite"]


def test_without_a_cache_nothing_is_kept(tmp_path: Path):
    for _ in range(2):
        told = run(tmp_path, program([16], compiled=True), TRILITH_CACHE="0")
        assert told["loaded"] == ["xdsl", "llvmlite"]
    assert not (tmp_path / "v2").exists()
