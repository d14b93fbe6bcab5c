"""May a signal handler or a finalizer compile, wherever it comes in between?"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SETUP = """
import faulthandler, gc, itertools, random, signal, sys
import trilith as tri
from trilith.compiler.trace.active import ACTIVE, active_trace
faulthandler.dump_traceback_later(280, exit=True)
numbers = itertools.count()
STEPS = [lambda x: x * 3, lambda x: x + 2, lambda x: x - x * x, lambda x: tri.maximum(x, -x),
         lambda x: tri.where(x > 1, x, x + x), lambda x: x / 2]

def compute():
    chosen = random.Random(next(numbers)).choices(STEPS, k=5)
    def run(x):
        for step in chosen:
            x = step(x)
        return x
    x = tri.tensor([1.0, -2.0, 5.0])
    assert tri.compile(run)(x).tolist() == run(x).tolist()
    tri.manual_seed(1), tri.rand(3)
compute()
"""

HANDLER = """
inside = count = 0
def handler(*_):
    global inside, count
    if not inside and ACTIVE.trace is None:  # in a trace it would be another question
        inside, count = 1, count + 1
        compute()
        inside = 0
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.003, 0.003)
for _ in range(12):
    compute()
signal.setitimer(signal.ITIMER_REAL, 0)
assert count > 10, count
"""

FINALIZER = """
inside = count = 0
class Ending:
    def __init__(self):
        self.cycle = self
    def __del__(self):
        global inside, count
        if not inside and active_trace() is None:
            inside, count = 1, count + 1
            compute()
            inside = 0
def more(*_):
    Ending()
gc.set_threshold(200, 1, 1)
for _ in range(12):
    for _ in range(5):
        Ending()
    compute()
gc.set_threshold(700, 10, 10)
assert count > 10, count
"""

#: A handler at each place where a lock is taken: `with lock` has just been entered.
LOCKS = """
from trilith.dialects import locks
from tests.unit.interruption import interruptions, no_lock_is_held
held = locks.every_lock()
for lock in held:
    with lock:  # as a handler finds it
        compute()
assert len(held) > 5 and no_lock_is_held()
"""


@pytest.mark.parametrize("body", [HANDLER, FINALIZER, LOCKS], ids=["handler", "finalizer", "locks"])
def test_compiling_in_between(body: str, tmp_path: Path):
    root = Path(__file__).parents[3]
    environment = {
        **os.environ,
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(root),
    }
    ended = subprocess.run(
        [sys.executable, "-c", SETUP + body],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


LOADING = """
import sys
import trilith as tri
inside, refused = False, []
def handler(event, arguments):  # comes at each import
    global inside
    if event == "import" and not inside:
        inside = True
        try:
            assert (tri.ones(3) + 1).tolist() == [2, 2, 2]
        except tri.TrilithError as error:
            assert type(error).__name__ == "TrilithRuntimeError", repr(error)
            assert str(error).startswith("trilith is being loaded in this thread, and "), str(error)
            refused.append(error)
        inside = False
x = tri.tensor([1.0, 1.0, 1.0])
sys.addaudithook(handler)
assert (x * 2).tolist() == [2, 2, 2]
assert refused
refused.clear()
import json.tool
assert not refused
assert (x * 2).tolist() == [2, 2, 2]
"""


def test_what_interrupts_the_first_import_says_so():
    ended = subprocess.run(
        [sys.executable, "-c", LOADING],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.returncode, ended.stderr) == (0, "")


BEGINNING = """
import sys
import trilith as tri
from trilith.runtime.calls.activation import NATIVE
from trilith.runtime.calls import beginning
link, place, found, kept = beginning.load, sys.argv[1], [], []
def interrupted(*arguments):
    linked = link(*arguments)
    if not found:  # what comes in between wants native code, too, and gets some
        found.append(linked)
        NATIVE.load()
        kept.append(tri.ones(3) + 1)
    return linked
def ended_half_way(*arguments):
    begun = begin(*arguments)
    kept.append(tri.ones(3) + 1)  # of a block of the first begin
    beginning.begin = begin
    raise KeyboardInterrupt
x, begin = tri.tensor([1.0, 1.0, 1.0]), beginning.begin
if place == "between":
    beginning.load = interrupted
else:
    beginning.begin = ended_half_way
try:
    NATIVE.load()
except KeyboardInterrupt:
    assert place == "half-way" and not NATIVE.is_active
    NATIVE.load()
assert NATIVE.is_active
assert [tensor.tolist() for tensor in (*kept, kept[0] * x)] == [[2, 2, 2], [2, 2, 2]]
assert type(kept[0].untyped_storage()) is type(x.untyped_storage())
"""


@pytest.mark.parametrize("place", ["between", "half-way"])
def test_what_interrupts_the_beginning_of_native_code(place: str):
    """There is one class of blocks, which every tensor's memory is found in."""
    ended = subprocess.run(
        [sys.executable, "-c", BEGINNING, place],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
