"""Do several threads compute what one does, whatever else the process does meanwhile?"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import trilith as tri
from trilith.runtime.calls import entries
from trilith.runtime.devices import threads
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.devices.threads import THREADS
from trilith.runtime.native import form

#: What is tested here is native code.
HAS_NATIVE = entries.enable()
needs_native = pytest.mark.skipif(not HAS_NATIVE, reason="threads are native code")


@pytest.fixture
def three_threads() -> Iterator[None]:
    """Let three threads make each launch that can be cut, between any of its elements."""
    before = tri.get_num_threads()
    tri.set_num_threads(3)
    THREADS.share_all()
    yield
    THREADS.share_all(is_on=False)
    tri.set_num_threads(before)


def shared_launches() -> int:
    """Return how many launches were shared so far."""
    return word(form.LAUNCH)


def word(offset: int) -> int:
    return threads.ctypes.c_int64.from_address(THREADS.address + offset).value


PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "a chain": lambda x, y: (x * y + 1).exp() / (y.abs() + 2),
    "across": lambda x, y: x.T + y.T.contiguous(),
    "in margins": lambda x, y: tri.nn.functional.pad(x, (2, 1, 1, 3)) + y[0, 0],
    "a row": lambda x, y: x + y[0],
    "a column": lambda x, y: x * y[:, :1],
    "steps": lambda x, y: x[::2, 1::3] - y[::2, 1::3],
    "backwards": lambda x, y: x.flip(0) + y.flip(1),
    "sums of rows": lambda x, y: (x * y).sum(1),
    "sums of columns": lambda x, y: (x + y).sum(0),
    "several results": lambda x, y: (x + y, (x + y).sum(1), x.max(1)),
    "softmax": lambda x, y: (x + y).softmax(1),
    "along columns": lambda x, y: (x + y).softmax(0),
    "scans": lambda x, y: (x.cumsum(0), y.cumsum(1)),
    "a product": lambda x, y: x @ y.T,
    "with a vector": lambda x, y: (x @ y[0], x[0] @ y.T),
    "batches": lambda x, y: x.view(3, -1, 50) @ y.view(3, -1, 50).mT,
    "a convolution": lambda x, y: tri.nn.functional.conv2d(
        x[None, None], y[:3, :3][None, None], padding=1
    ),
    "a join": lambda x, y: tri.cat([x, y], 1),
    "places": lambda x, y: x + tri.arange(50) * y,
    "gathered": lambda x, y: x[tri.tensor([5, -1, 0, 2])] + y[:4],
    "integers": lambda x, y: (x * 100).to(tri.int16) // 7 + (y > 0),
    "complex": lambda x, y: tri.complex(x, y).conj() * 2j,
    "bfloat16": lambda x, y: x.bfloat16() @ y.bfloat16().T,
    "doubles": lambda x, y: x.double() / y.double().sum(0),
}


@needs_native
@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("name", PROGRAMS)
def test_bits_do_not_depend_on_threads(name: str):
    tri.manual_seed(3)
    x, y = tri.randn(96, 50), tri.randn(96, 50)
    program = PROGRAMS[name]
    compiled = tri.compile(program)
    before = shared_launches()
    found = [results(compiled(x, y)) for _ in range(6)][-1]
    eager = [results(program(x, y)) for _ in range(6)][-1]
    assert shared_launches() > before
    tri.set_num_threads(1)
    assert found == results(compiled(x, y)) == results(tri.compile(program)(x, y))
    assert eager == results(program(x, y))


@needs_native
@pytest.mark.usefixtures("three_threads")
@pytest.mark.parametrize("special", [None, 2.0, float("nan")])
def test_searches_are_shared(special: float | None):
    """A part counts places from the first element of all on; of equal ones the first is found."""
    x = tri.arange(1_200_000, dtype=tri.float32).sin()
    rows = x.view(2, -1)
    expected = [int(x.numpy().argmax()), int(x.numpy().argmin())]
    if special is not None:
        for place in (700_001, 990_000):
            x[place] = special
        expected[0] = 700_001
        expected[1] = 700_001 if special != special else expected[1]
    search = tri.compile(lambda x: (x.argmax(), x.argmin(), x.max(0)[1]))
    of_rows = tri.compile(lambda x: (x.argmax(1), x.min(1)[1]))
    before = shared_launches()
    for _ in range(6):
        found = [int(place) for place in search(x)]
        assert found == [*expected, expected[0]]
        places = [each.tolist() for each in of_rows(rows)]
        assert places == [rows.numpy().argmax(1).tolist(), rows.numpy().argmin(1).tolist()]
    assert shared_launches() >= before + 12


def results(value: Any) -> list[Any]:
    """Return the bytes and specs of what a program gives."""
    if isinstance(value, tri.Tensor):
        return [value.spec, bytes(value.contiguous().view(-1).view(tri.uint8).tolist())]
    return [part for item in value for part in results(item)]


@needs_native
@pytest.mark.usefixtures("three_threads")
def test_what_is_written_in_place():
    x = tri.arange(6000.0).view(60, 100)
    wanted = [[value * 2 + 1 for value in row] for row in x.tolist()]

    @tri.compile
    def step(x: tri.Tensor) -> None:
        x.mul_(2).add_(1)

    for _ in range(6):
        y = x.clone()
        step(y)
        assert y.tolist() == wanted


@needs_native
@pytest.mark.usefixtures("three_threads")
def test_a_fault_in_one_part_is_the_fault_of_one_thread():
    table = tri.randn(40, 8)
    index = tri.zeros(300, dtype=tri.int64)
    index[200] = 41
    index[250] = -99
    look = tri.compile(lambda t, i: t[i])
    for _ in range(4):
        look(table, index.clamp(0, 3))
    errors: list[str] = []
    for count in (3, 1):
        tri.set_num_threads(count)
        with pytest.raises(IndexError) as caught:
            look(table, index)
        errors.append(str(caught.value).splitlines()[0])
    assert errors[0] == errors[1]
    assert "41" in errors[0]


def test_python_has_what_can_fail_made_by_one_thread():
    index = tri.zeros(1_000_000, dtype=tri.int64)
    (kernel,) = tri.trace(lambda t, i: t[i], tri.randn(40, 8), index).lower().artifact().kernels
    assert kernel.can_fail
    assert kernel.cuts
    launcher = runtime_of(tri.device("cpu")).load(kernel)
    assert threads.shared_launcher(kernel, launcher) is launcher
    (kernel,) = tri.trace(lambda t: t + 1, tri.randn(40, 8)).lower().artifact().kernels
    launcher = runtime_of(tri.device("cpu")).load(kernel)
    assert threads.shared_launcher(kernel, launcher) is not launcher


@needs_native
@pytest.mark.usefixtures("three_threads")
def test_threads_of_python_share_the_threads():
    """One launch is shared at a time; the others are made by who calls, and all end."""
    compiled = tri.compile(lambda x, y: (x @ y).relu() + 1)
    x, y = tri.randn(40, 40), tri.randn(40, 40)
    wanted = compiled(x, y).tolist()
    wrong: list[Any] = []

    def call() -> None:
        for _ in range(500):
            if compiled(x, y).tolist() != wanted:
                wrong.append(1)

    callers = [threading.Thread(target=call) for _ in range(8)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
    assert not any(caller.is_alive() for caller in callers)
    assert not wrong
    assert word(form.BUSY) == 0


@needs_native
@pytest.mark.usefixtures("three_threads")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_forked_child_starts_threads_of_its_own():
    compiled = tri.compile(lambda x: (x * 3).exp())
    x = tri.randn(64, 64)
    for _ in range(5):
        compiled(x)
    wanted = compiled(x).tolist()
    assert THREADS.started == 2
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        before = THREADS.started
        is_same = all(compiled(x).tolist() == wanted for _ in range(5))
        os.write(writer, bytes([before, THREADS.started, is_same]))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 3) == bytes([0, 2, True])
    os.close(reader)
    os.close(writer)
    assert compiled(x).tolist() == wanted


@needs_native
@pytest.mark.usefixtures("three_threads")
def test_threads_block_signals_and_sleep():
    compiled = tri.compile(lambda x: x * 3 + 1)
    x = tri.randn(64, 64)
    for _ in range(5):
        compiled(x)
    others = [task for task in Path("/proc/self/task").iterdir() if is_ours(task)]
    assert len(others) >= 2
    deadline = time.monotonic() + 10
    while word(form.SLEEPERS) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert word(form.SLEEPERS) == 2


def is_ours(task: Path) -> bool:
    """Whether a thread of this process blocks every signal that can be blocked."""
    lines = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
    blocked = int(lines["SigBlk"], 16)
    return all(blocked >> (number - 1) & 1 for number in (1, 2, 3, 10, 12, 14, 15))


@needs_native
@pytest.mark.usefixtures("three_threads")
def test_threads_compute_as_the_one_that_calls_does():
    """A caller that flushes denormals gets zeros from all threads, and one that does not none."""
    tiny = tri.full((3000,), 1e-39)
    scale = tri.compile(lambda x: x * 0.5)
    for _ in range(5):
        scale(tiny)
    with flushed_denormals():
        flushed = scale(tiny)
    kept = scale(tiny)
    assert int((flushed == 0).sum()) == 3000
    assert int((kept == 0).sum()) == 0


class flushed_denormals:
    """Let this thread flush denormals, as some libraries do when they are loaded."""

    TEXT = """
    declare void @llvm.x86.sse.ldmxcsr(ptr)
    declare void @llvm.x86.sse.stmxcsr(ptr)
    define void @change(i64 %set) #0 {
      %place = alloca i32
      call void @llvm.x86.sse.stmxcsr(ptr %place)
      %old = load i32, ptr %place
      %cleared = and i32 %old, -32833
      %bits = trunc i64 %set to i32
      %new = or i32 %cleared, %bits
      store i32 %new, ptr %place
      call void @llvm.x86.sse.ldmxcsr(ptr %place)
      ret void
    }
    attributes #0 = { nounwind "no-trapping-math"="true" }
    """

    def __init__(self) -> None:
        from trilith.runtime.devices.cpu import compiled_by_llvm
        from trilith.runtime.devices.objects import link_object

        self.code = link_object(compiled_by_llvm(self.TEXT, ()), "change")
        kind = threads.ctypes.CFUNCTYPE(None, threads.ctypes.c_int64)
        self.change = kind(self.code.address)

    def __enter__(self) -> None:
        self.change(0x8040)

    def __exit__(self, *_: object) -> None:
        self.change(0)


def test_how_many_threads_there_are():
    before = tri.get_num_threads()
    tri.set_num_threads(5)
    assert tri.get_num_threads() == 5
    tri.set_num_threads(before)
    for wrong, words in (
        (0, "set_num_threads expects a positive integer"),
        (-3, "set_num_threads expects a positive integer"),
        (2.0, "set_num_threads expects an int, but got float"),
        (True, "set_num_threads expects an int, but got bool"),
    ):
        with pytest.raises(RuntimeError, match=words):
            tri.set_num_threads(wrong)  # pyright: ignore[reportArgumentType]
    assert tri.get_num_threads() == before


def test_what_says_how_many(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in ("TRILITH_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    assert 1 <= threads.usual_count() <= len(os.sched_getaffinity(0))
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    assert threads.usual_count() == 3
    monkeypatch.setenv("TRILITH_NUM_THREADS", "7")
    assert threads.usual_count() == 7


@pytest.mark.parametrize(
    ("text", "processors"),
    [("150000 100000", 2), ("50000 100000", 1), ("max 100000", None), ("", None)],
)
def test_the_quota_of_a_cgroup(tmp_path: Path, text: str, processors: int | None):
    (tmp_path / "cpu.max").write_text(text)
    assert threads.quota(tmp_path) == processors


def test_the_quota_of_an_old_cgroup(tmp_path: Path):
    assert threads.quota(tmp_path) is None
    (tmp_path / "cpu").mkdir()
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "cpu" / "cpu.cfs_period_us").write_text("100000\n")
    assert threads.quota(tmp_path) is None
    (tmp_path / "cpu" / "cpu.cfs_quota_us").write_text("250000\n")
    assert threads.quota(tmp_path) == 3


SHORT_THEN_LONG = """
import os, trilith as tri
from trilith.runtime.calls import entries
from trilith.runtime.devices.threads import THREADS
entries.enable()
count = lambda: len(os.listdir("/proc/self/task"))
x = tri.randn(64, 64)
before = count()
for _ in range(20):
    x @ x + 1
print(count() - before, THREADS.started)
y = tri.randn(2048, 2048)
for _ in range(3):
    (y * 2).exp()
print(count() - before, THREADS.started)
"""


@needs_native
def test_there_is_no_thread_before_a_launch_takes_long():
    # What makes better code of quick code is a thread, too.
    environment = {**os.environ, "TRILITH_NUM_THREADS": "2", "TRILITH_QUICK": "0"}
    done = subprocess.run(
        [sys.executable, "-c", SHORT_THEN_LONG], capture_output=True, text=True, env=environment
    )
    assert done.stdout.split() == ["0", "0", "1", "1"], done.stderr


@pytest.mark.parametrize("said", ["-3", "many", "0", "2.5"])
def test_what_is_no_number_of_threads_is_told(said: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRILITH_NUM_THREADS", said)
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    with pytest.warns(UserWarning, match=re.escape(f"TRILITH_NUM_THREADS={said!r} is no number")):
        assert threads.usual_count() == 5
