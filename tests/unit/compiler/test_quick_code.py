"""Is code that was made in a hurry as right as better code, and does that take its place?"""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.codegen.llvm.target import host_target
from trilith.compiler.kernels import table
from trilith.compiler.schedules.products.blocked_sums import WIDE_BITS
from trilith.dialects.records import replace
from trilith.runtime.calls.entries import enable
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.devices.objects import is_known_host
from trilith.runtime.execution.artifact import Artifact, KernelCode
from trilith.runtime.executor import Executable

pytestmark = pytest.mark.skipif(not is_known_host(), reason="code is not replaced on this host")

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "arithmetic": lambda x: (x * x - 1.5) / (x + 0.25),
    "functions": lambda x: tri.tanh(x * 2 + 1) * tri.exp(x) + tri.sqrt(x),
    "sines": lambda x: tri.sin(x.to(tri.float64)) + tri.cos(x),
    "matmul": lambda x: x @ x,
    "sums": lambda x: x.sum(0) + x.amax(1),
    "mean": lambda x: x.mean() - x,
    "half": lambda x: (x.to(tri.float16) * 3).to(tri.bfloat16),
    "integers": lambda x: tri.where(x > 0, x, -x).to(tri.int32) * 7,
    "transposed": lambda x: x.t() + x,
    "scan": lambda x: x.cumsum(1),
    "remainder": lambda x: x % 0.75,
}


@pytest.fixture(autouse=True, params=["scalars", "vectors"])
def fresh(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """No kernel is known, on the disk or in the process, and nobody makes better code.

    What is made in a hurry is code for scalars where there can be such, or for vectors alone. Gives
    a list of what is to be done afterwards.
    """
    AFTERWARDS.finish()  # what other tests have left takes the room of these
    monkeypatch.setenv("TRILITH_QUICK", "1")
    monkeypatch.setattr(table, "default_cache", lambda: None)
    monkeypatch.setattr(table.KERNELS, "codes", type(table.KERNELS.codes)(table.LIMIT))
    jobs: list[Any] = []
    monkeypatch.setattr(AFTERWARDS, "add", jobs.append)
    limit = table.LITTLE if request.param == "scalars" else 0
    monkeypatch.setattr(table, "is_little", limit.__ge__)
    monkeypatch.setattr(runtime_of(tri.device("cpu")), "_loaded", OrderedDict[str, Any]())
    return jobs


def plan(name: str, size: int = 9) -> Artifact:
    return tri.trace(PROGRAMS[name], tri.spec((size, size))).lower().compile().artifact


def hurried(artifact: Artifact) -> list[KernelCode]:
    return [kernel for kernel in artifact.kernels if kernel.better is not None]


def limits(artifact: Artifact) -> list[int | None]:
    """Return how much work a launch may be that code made in a hurry does for."""
    return [kernel.better.most_work for kernel in artifact.kernels if kernel.better is not None]


def argument(size: int = 9) -> tri.Tensor:
    values = np.random.default_rng(3).normal(0, 3, (size, size)).astype(np.float32)
    values.flat[:6] = [0.0, -0.0, np.inf, -np.inf, 1e-42, 3e38]
    return tri.tensor(values)


def bits(result: Any) -> bytes:
    data = result.numpy() if result.dtype != tri.bfloat16 else result.to(tri.float32).numpy()
    return np.where(np.isnan(data), 0, data).tobytes() + np.isnan(data).tobytes()


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_codes_compute_the_same(name: str):
    artifact = plan(name)
    assert hurried(artifact)
    run, x = Executable(artifact).run, argument()
    first = [bits(result) for result in run([x])]
    for kernel in hurried(artifact):
        assert kernel.best().code != kernel.code
        assert kernel.at_hand() is kernel.best()
    assert [bits(result) for result in run([x])] == first  # in the same memory, by the other code
    assert [bits(result) for result in Executable(artifact).run([x])] == first


def test_better_code_takes_the_place_where_calls_begin(monkeypatch: pytest.MonkeyPatch):
    """The better code of this test computes something else, so that it is seen to run."""
    artifact = tri.trace(lambda x: x * x, tri.spec((9, 9))).lower().compile().artifact
    other = tri.trace(lambda x: x + x, tri.spec((9, 9))).lower().compile().artifact
    run, x = Executable(artifact).run, tri.full((9, 9), 3.0)
    (kernel,) = hurried(artifact)
    monkeypatch.setattr(kernel.better, "_make", other.kernels[0].best)
    assert run([x])[0].tolist() == [[9.0] * 9] * 9
    assert kernel.best() is other.kernels[0].best()
    assert run([x])[0].tolist() == [[6.0] * 9] * 9


def test_what_is_stored_is_the_better_code():
    artifact = plan("functions")
    (kernel,) = hurried(artifact)
    stored = Artifact.from_bytes(artifact.to_bytes())
    assert stored.kernels[0].code == kernel.best().code != kernel.code
    restored = pickle.loads(pickle.dumps(kernel))
    assert restored == kernel.best()
    assert restored.better is None
    assert copy.copy(kernel) is copy.deepcopy(kernel) is kernel
    assert copy.deepcopy(artifact) == artifact
    assert dataclasses.asdict(kernel)["code"] == kernel.code
    changed = replace(kernel, name="other")
    assert changed.best() is changed


only_scalars = pytest.mark.parametrize("fresh", ["scalars"], indirect=True)


@only_scalars
def test_maps_of_little_work_have_code_for_scalars():
    assert limits(plan("functions")) == [table.LITTLE]
    assert limits(plan("arithmetic", 512)) == [None]
    assert limits(plan("matmul")) == [None]


@only_scalars
@pytest.mark.parametrize("is_native", [False, True])
@pytest.mark.parametrize("is_open", [False, True])
def test_what_is_long_waits_for_better_code(is_open: bool, is_native: bool, fresh: list[Any]):
    """A launch like the first one does with what is there, whoever makes it."""
    compiled = tri.compile(lambda x: x * 2.5 + 1, static_shapes=not is_open)
    if is_native and not enable():
        pytest.skip("no native code here")
    short, long = tri.ones(9), tri.arange(float(table.LITTLE))
    fresh.clear()
    for _ in range(4 if is_native else 1):
        assert compiled(short).tolist() == [3.5] * 9
    (job,) = fresh
    assert job.__self__.made is None
    wanted = np.arange(table.LITTLE, dtype=np.float32) * np.float32(2.5) + 1
    assert compiled(long).numpy().tobytes() == wanted.tobytes()
    assert job.__self__.made is not None
    assert compiled(short).tolist() == [3.5] * 9
    assert compiled(long).numpy().tobytes() == wanted.tobytes()


@only_scalars
def test_who_watches_the_passes_is_shown_the_usual_schedule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRILITH_DUMP_DIR", str(tmp_path))
    assert limits(plan("arithmetic")) == [None]
    (scheduled,) = tmp_path.rglob("*kernel-schedule.mlir")
    assert "vector<" in scheduled.read_text()


def test_a_long_launch_gets_the_better_code_at_once():
    assert not hurried(plan("functions", 2000))
    assert hurried(plan("sines", 1000))
    assert not hurried(plan("sums", 2000))


def test_large_products_follow_afterwards():
    """Where they have tiles of their own, a first launch does not wait for these."""
    artifact = tri.trace(lambda x, y: x @ y, *[tri.spec((300, 300))] * 2).lower().compile().artifact
    (kernel,) = artifact.kernels
    if host_target().vector_bits < WIDE_BITS:
        assert kernel.better is None
        return
    assert limits(artifact) == [None]
    run, given = Executable(artifact).run, [argument(300), argument(300)]
    first = bits(run(given)[0])
    assert len(kernel.best().code) > len(kernel.code)
    assert bits(run(given)[0]) == first


def test_equal_kernels_have_one_code():
    first, second = plan("matmul", 50), plan("matmul", 200)
    assert hurried(first) == hurried(second) != []


def test_the_environment_may_ask_for_the_better_code(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_QUICK", "0")
    assert not hurried(plan("functions"))


def test_the_next_process_finds_the_better_code(tmp_path: Path):
    code = """
import sys, numpy as np, trilith as tri
f = tri.compile(lambda x: tri.tanh(x) * 3)
print(f(tri.ones(5)).tolist(), (tri.ones(6) - 4).tolist(), tri.stats())
from trilith.runtime.execution.cache import default_cache
kernels = sys.modules.get("trilith.compiler.kernels.table")
print("compiled" if kernels and kernels.KERNELS.counters.compiled else "found")
"""
    environment = os.environ | {
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(tmp_path),
        "TRILITH_QUICK": "1",
    }

    def run() -> str:
        command = [sys.executable, "-c", code]
        return subprocess.check_output(command, text=True, timeout=120, env=environment)

    first, second = run(), run()
    assert first.endswith("compiled\n")
    assert second.endswith("found\n")
    assert first.partition("]")[0] == second.partition("]")[0]
