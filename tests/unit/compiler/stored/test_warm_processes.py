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


#: What a script does first, in words of trilith: each finds its plan in a warm process.
FIRST_CALLS = {
    "arange": "tri.arange(10)",
    "arange of floats": "tri.arange(0.5, 3, 0.25)",
    "full": "tri.full((3,), 2.5)",
    "linspace": "tri.linspace(0, 1, 5)",
    "eye": "tri.eye(3, 4)",
    "the same dtype": "x.float()",
    "another dtype": "x.to(tri.int64)",
    "contiguous": "x.contiguous().T.contiguous()",
    "where": "tri.where(x > 0, 1.0, x)",
    "clamp": "x.clamp(-0.5, 0.25)",
    "masked_fill": "x.masked_fill(x > 0.5, 7)",
    "sort": "x.flip(0).sort(0)",
    "topk": "x[0].topk(2).values",
    "max": "x.max(1)",
    "max of all": "x.max()",
    "var": "x.var(0, correction=0)",
    "cumsum": "x.cumsum(1)",
    "einsum": "tri.einsum('ij,kj->ik', x, x)",
    "add_": "x.clone().add_(1)",
    "an operator": "(lambda y: [y.__iadd__(2), y.__imul__(x), y][-1])(x.clone())",
    "fill_": "x.clone().fill_(3)",
    "an element": "(lambda y: [y.__setitem__((1, 2), 5.0), y][-1])(x.clone())",
    "rows": "x[tri.tensor([2, 0])]",
    "rand": "tri.rand(3, 2)",
    "randn": "tri.randn(5, dtype=tri.float64)",
    "randint": "tri.randint(0, 9, (7,))",
    "randperm": "tri.randperm(6)",
    "dropout": "tri.nn.functional.dropout(x, 0.25)",
    "uniform_": "x.clone().uniform_(2, 3)",
    "normal": "tri.normal(0.0, 2.0, (3,))",
    "rand_like": "tri.rand_like(x)",
    "bernoulli": "tri.bernoulli(x.abs())",
    "multinomial": "tri.multinomial(tri.tensor([0.5, 0.25, 0.25]), 2)",
    "a row": "(lambda y: [y.__setitem__(slice(1, 3), 5), y][-1])(x.clone())",
}


def _told_of(calls: dict[str, str]) -> str:
    lines = "\n".join(f"found[{name!r}] = told_of({call})" for name, call in calls.items())
    return f"""
x = tri.tensor(np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4))
def told_of(result):
    parts = result if isinstance(result, tuple) else (result,)
    name = type(result).__name__
    return [name, *([str(p.dtype), p.tolist(), p.stride(), p._version] for p in parts)]
found = {{}}
{lines}
told(found=found)
"""


def test_what_scripts_do_first_is_done_without_rows(tmp_path: Path):
    cold = run(tmp_path, _told_of(FIRST_CALLS))
    warm = run(tmp_path, _told_of(FIRST_CALLS))
    assert (warm["loaded"], warm["rows"]) == ([], False)
    assert warm["found"] == cold["found"]
    for name, call in FIRST_CALLS.items():
        assert run(tmp_path, _told_of({name: call}))["rows"] is False, name


def test_draws_take_what_they_took(tmp_path: Path):
    program = """
tri.manual_seed(SEED)
source = tri.Generator().manual_seed(5)
found = [tri.rand(3).tolist(), tri.randn(SIZE).tolist(), tri.rand(2, generator=source).tolist()]
told(found=[*found, tri.initial_seed(), tri.get_rng_state().tolist()])
"""

    def told(seed: int, size: int) -> Any:
        return run(tmp_path, program.replace("SEED", str(seed)).replace("SIZE", str(size)))["found"]

    assert told(3, 4) == told(3, 4)
    assert told(0, 4) == told(0, 4)
    # The steps of another size are not noted: what was taken for the first ones stays taken.
    assert told(3, 5)[0] == told(3, 4)[0]
    assert told(3, 6)[1][:4] == told(3, 4)[1]


def test_a_step_without_a_plan_gives_back_what_was_taken(tmp_path: Path):
    program = "tri.manual_seed(9)\ntold(found=[tri.rand(3).tolist(), tri.get_rng_state().tolist()])"
    cold = run(tmp_path, program)
    for file in [file for file in tmp_path.rglob("*") if file.is_file()]:
        if b"uniform_unit_drawn" in (data := file.read_bytes()) and b'"draw"' not in data:
            file.unlink()
    assert run(tmp_path, program)["found"] == cold["found"]


def test_a_named_tuple_of_a_warm_process_is_that_of_the_table(tmp_path: Path):
    program = """
x = tri.tensor([3.0, 1.0, 2.0])
found = x.sort(0, descending=True)
rows = "trilith.dialects.ops.table" in sys.modules
told(found=[found.values.tolist(), isinstance(found, tri.return_types.sort), repr(found)], had=rows)
"""
    cold, warm = run(tmp_path, program), run(tmp_path, program)
    assert cold["found"] == warm["found"]
    assert warm["found"][:2] == [[3.0, 2.0, 1.0], True]
    assert (cold["had"], warm["had"]) == (True, False)


def test_numbers_that_a_row_refuses_are_refused_in_a_warm_process(tmp_path: Path):
    program = """
x = tri.zeros(3, dtype=tri.uint8)
def said(call):
    try:
        return call().tolist()
    except RuntimeError as error:
        return str(error)
calls = lambda: x.clone().fill_(VALUE), lambda: tri.full((2,), VALUE, dtype=tri.int8)
told(found=[*map(said, calls)])
"""
    for value, loads in ((7, True), (7, False), (300, True), (300, True)):
        found = run(tmp_path, program.replace("VALUE", str(value)))
        assert found["rows"] is loads
        assert ("overflow" in found["found"][1]) is (value == 300)


def test_notes_of_any_content_are_none(tmp_path: Path):
    program = "told(found=tri.full((3,), 2.5).tolist())"
    run(tmp_path, program)
    assert run(tmp_path, program)["rows"] is False
    for file in [file for file in tmp_path.rglob("*") if file.is_file()]:
        if b"[2.5]" in file.read_bytes():
            file.write_bytes(b"{")
    found = run(tmp_path, program)
    assert (found["found"], found["rows"]) == ([2.5] * 3, True)


def test_writes_that_are_refused_are_refused_in_a_warm_process(tmp_path: Path):
    program = """
def said(call):
    try:
        return call().tolist()
    except RuntimeError as error:
        return str(error).splitlines()[0]
x = tri.zeros(3)
x.add_(1)
leaf = tri.ones(3, requires_grad=True)
array = np.zeros(3, np.float32)
array.flags.writeable = False
told(found=[
    x.tolist(),
    said(lambda: tri.zeros(1).expand(3).add_(1)),
    said(lambda: x[1:].add_(x[:-1])),
    said(lambda: leaf.add_(1)),
    said(lambda: tri.from_numpy(array).add_(1)),
    said(lambda: tri.ones(3, dtype=tri.int32).add_(1.5)),
])
"""
    cold, warm = run(tmp_path, program), run(tmp_path, program)
    assert cold["found"] == warm["found"]
    assert cold["found"][0] == [1.0] * 3


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
