"""Do calls that native code answers do what the same calls do in Python, whatever comes between?"""

from __future__ import annotations

import gc
import pickle
import sys
import threading
import time
import warnings
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import trilith as tri
from tests.plans import no_plans
from trilith.compiler.afterwards import AFTERWARDS
from trilith.dialects.attributes.device import cpu
from trilith.dialects.unusual import PLACES, TRACES
from trilith.runtime.calls import activation, beginning, entries
from trilith.runtime.calls.entries import Entry
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.native import form
from trilith.runtime.native.layout import is_known

from .counting import SOME, begin, hits, learnt, tensor_and_array, version_of

pytestmark = pytest.mark.skipif(not is_known(), reason="there is no native code here")


@pytest.fixture(autouse=True, scope="module")
def with_native_code() -> None:
    begin()


def in_use() -> int:
    """Return the bytes that the host's allocator has handed out."""
    allocator: Any = runtime_of(cpu).allocator
    return allocator.stats().in_use


CALLS: dict[str, tuple[Callable[[], Any], Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
    "add": (lambda: tri.Tensor.__add__, lambda f, x: f(x, x), lambda a, _: a + a),
    "float": (lambda: tri.Tensor.__mul__, lambda f, x: f(x, 2.5), lambda a, _: a * np.float32(2.5)),
    "int": (lambda: tri.Tensor.__sub__, lambda f, x: f(x, 3), lambda a, _: a - 3),
    "reflected": (lambda: tri.Tensor.__rsub__, lambda f, x: f(x, 1), lambda a, _: 1 - a),
    "negative": (lambda: tri.Tensor.__neg__, lambda f, x: f(x), lambda a, _: -a),
    "item": (lambda: tri.Tensor.__getitem__, lambda f, x: f(x, 1), lambda a, _: a[1]),
    "slice": (
        lambda: tri.Tensor.__getitem__,
        lambda f, x: f(x, slice(1, None)),
        lambda a, _: a[1:],
    ),
    "slices": (
        lambda: tri.Tensor.__getitem__,
        lambda f, x: f(x, (slice(None), slice(0, 2))),
        lambda a, _: a[:, :2],
    ),
    "sum": (lambda: tri.sum, lambda f, x: f(x), lambda a, _: np.float32(a.astype(float).sum())),
    "keywords": (
        lambda: tri.sum,
        lambda f, x: f(x, dim=0, keepdim=True),
        lambda a, _: a.astype(float).sum(0, keepdims=True).astype(np.float32),
    ),
    "list": (lambda: tri.cat, lambda f, x: f([x, x]), lambda a, _: np.concatenate([a, a])),
    "values": (lambda: tri.max, lambda f, x: f(x, 0)[0], lambda a, _: a.max(0)),
    "places": (lambda: tri.max, lambda f, x: f(x, 0).indices, lambda a, _: a.argmax(0)),
    "clamp": (lambda: tri.clamp, lambda f, x: f(x, -0.5, 0.5), lambda a, _: a.clip(-0.5, 0.5)),
    "matmul": (
        lambda: tri.matmul,
        lambda f, x: f(x, x.t()),
        lambda a, _: (a.astype(float) @ a.T.astype(float)).astype(np.float32),
    ),
    "transposed": (lambda: tri.Tensor.t, lambda f, x: f(x), lambda a, _: a.T),
}


@pytest.mark.parametrize("name", CALLS)
def test_answers(name: str):
    find, act, expect = CALLS[name]
    function: Any = find()
    x, array = tensor_and_array(5, 7)
    before = hits(function)
    for _ in range(SOME):
        found = act(function, x)
    assert hits(function) > before
    found = act(function, x)
    wanted = expect(array, None)
    assert found.numpy().dtype == wanted.dtype
    np.testing.assert_allclose(found.numpy(), wanted, rtol=3e-7, atol=1e-6)
    assert found.shape == wanted.shape


def test_assignments():
    x, array = tensor_and_array(4, 3)
    y = tri.tensor([1.0, 2.0, 3.0])
    x[0] = 1.0  # makes the operator, if nothing was assigned before
    setitem: Any = tri.Tensor.__setitem__
    array[0] = 1.0
    version = version_of(x)
    for number in range(SOME):
        x[1] = float(number)
        x[2, 1:] = y[1:]
    assert hits(setitem) > 0
    assert version_of(x) == version + 2 * SOME
    array[1], array[2, 1:] = SOME - 1, [2, 3]
    assert x.tolist() == array.tolist()


def test_in_place():
    x = tri.zeros(3)
    y, view = tri.ones(3), x[1:]
    for number in range(SOME):
        assert x.add_(y) is x
        assert version_of(view) == version_of(x) == number + 1
    assert hits(tri.Tensor.add_) > 0
    assert view.tolist() == [SOME, SOME]


def test_arguments_that_share_memory_are_left_to_python():
    x = tri.arange(4.0)
    for _ in range(SOME):
        tri.zeros(3).add_(tri.ones(3))
    first, second = x[:3], x[1:]
    with pytest.raises(RuntimeError, match=r"overlap|memory location"):
        first.add_(second)


@pytest.mark.filterwarnings("ignore:.*runs step by step")
def test_borrowed_memory_may_be_that_of_another_tensor():
    def step(a: Any, b: Any) -> None:
        a[2:].add_(b[:2])
        b[0] = 7  # not before `a` has been added to

    f = tri.compile(step)
    for _ in range(SOME):
        f(tri.zeros(4), tri.ones(4))
    array = np.array([1, 10, 100, 1000], np.float32)
    f(tri.from_numpy(array), tri.from_numpy(array))
    assert array.tolist() == [7, 10, 101, 1010]
    f(tri.from_numpy(array), array)
    assert array.tolist() == [7, 10, 108, 1020]


def test_memory_that_may_not_be_written():
    frozen = tri.from_numpy(np.frombuffer(b"\0" * 12, np.float32))
    usual = tri.zeros(3)
    for _ in range(SOME):
        usual.add_(1)
    with pytest.raises(RuntimeError, match="read-only"):
        frozen.add_(1)
    assert frozen.tolist() == [0, 0, 0]


def test_a_storage_that_became_smaller():
    x = tri.ones(8)
    learnt(tri.Tensor.__add__, x, x)
    x.untyped_storage().resize_(8)
    with pytest.raises(RuntimeError, match=r"out of bounds|storage"):
        _ = x + x
    x.untyped_storage().resize_(32)
    assert (x + x).shape == (8,)


def test_a_fault_of_a_kernel_is_told():
    x, there = tri.arange(4.0), tri.tensor([1, 3])
    assert learnt(tri.gather, x, 0, there).tolist() == [1, 3]
    with pytest.raises(IndexError, match="out of"):
        tri.gather(x, 0, tri.tensor([1, 4]))
    assert tri.gather(x, 0, there).tolist() == [1, 3]


# What comes between


def test_settings():
    x = tri.tensor([1, 2])
    assert learnt(tri.Tensor.__truediv__, x, 2).dtype is tri.float32
    try:
        tri.set_default_dtype(tri.float64)
        assert (x / 2).dtype is tri.float64
    finally:
        tri.set_default_dtype(tri.float32)
    assert (x / 2).dtype is tri.float32


def test_default_devices():
    f = tri.compile(lambda a: (a + 1, tri.ones(2)))
    x = tri.ones(3)
    assert str(learnt(f, x)[1].device) == "cpu"
    assert learnt(tri.ones, 3).device.type == "cpu"
    with tri.device("meta"):
        assert PLACES.count
        assert f(x)[1].device.type == "meta"
        assert tri.ones(3).device.type == "meta"
    assert not PLACES.count
    assert f(x)[1].device.type == "cpu"


def test_a_trace_records_operations_on_tensors_that_it_captures():
    weight = tri.ones(3)
    learnt(tri.Tensor.__add__, weight, weight)
    seen: list[int] = []

    def f(a: Any) -> Any:
        seen.append(TRACES.count)
        return a * (weight + weight)

    compiled = tri.compile(f)
    assert compiled(tri.ones(3)).tolist() == [2, 2, 2]
    assert seen == [1]
    assert not TRACES.count
    weight.mul_(5)
    assert compiled(tri.ones(3)).tolist() == [10, 10, 10]


class Mine(tri.Tensor):
    """A tensor of another class."""


def test_subclasses_numbers_and_others_are_left_to_python():
    x = tri.ones(3)
    learnt(tri.Tensor.__add__, x, x)
    learnt(tri.Tensor.__mul__, x, 2.5)
    mine = Mine(x.untyped_storage(), x.spec, 0)
    assert (x + mine).tolist() == [2, 2, 2]
    assert (x * True).tolist() == [1, 1, 1]
    assert (x * np.float64(2)).tolist() == [2, 2, 2]
    assert tri.ones(3, dtype=tri.int64).__mul__(2**62).tolist() == [2**62] * 3
    with pytest.raises(OverflowError):
        _ = tri.ones(3, dtype=tri.int64) * 2**70
    text: Any = "text"
    assert x.__add__(text) is NotImplemented
    with pytest.raises(TypeError):
        _ = x + text


def test_special_numbers():
    x = tri.tensor([3.0, -2.0])
    for exponent in (2.0, 0.5, -1.0, 3.0, float("nan"), 1e300):
        alone = (x**exponent).tolist()
        for _ in range(SOME // 8):
            assert str((x**exponent).tolist()) == str(alone)
    for number in (0.0, -0.0, float("inf"), float("nan"), 1e300):
        with np.errstate(over="ignore"), warnings.catch_warnings(action="ignore"):
            wanted = (np.array([3, -2], np.float32) * np.float32(number)).tolist()
        for _ in range(SOME // 8):
            assert str((x * number).tolist()) == str(wanted)


def test_references_are_counted():
    x, y = tri.ones(8), tri.ones(8)
    f = tri.compile(lambda a, b: (a + b, a[2:]))
    array = np.ones(8, np.float32)
    g = tri.compile(lambda a: a * 2)
    acts: list[Callable[[], Any]] = [
        *(lambda: x + y, lambda: x[1], lambda: x * 2.5, lambda: tri.cat([x, y])),
        *(lambda: f(x, y), lambda: g(array), lambda: x.add_(0), lambda: tri.max(x, 0)),
        *(lambda: x.__setitem__(0, 1.0), lambda: x.sum(dim=0)),
    ]
    watched: list[Any] = [
        *(x, y, x.spec, x.memory, tri.Tensor, type(x.memory), tri.float32, array, array.dtype),
        *(None, True, x.memory.device, f, g),
    ]
    for act in acts:
        # So often that plans for all sizes have given way to those for these sizes.
        for _ in range(10 * form.OFTEN):
            act()
        AFTERWARDS.finish()
        gc.collect()
        before = [sys.getrefcount(value) for value in watched]
        allocated = in_use()
        for _ in range(20_000):
            act()
        gc.collect()
        after = [sys.getrefcount(value) for value in watched]
        # The runner's own threads come and go with references to None: a few, where a call that
        # kept one in a thousand would leave 20.
        changes = [abs(b - a) for a, b in zip(before, after, strict=True)]
        assert max(changes) < 20, changes
        assert in_use() == allocated


def test_results_are_tensors_like_any_other():
    x = tri.ones(4)
    made = learnt(tri.Tensor.__add__, x, x)
    watched = weakref.ref(made)
    assert pickle.loads(pickle.dumps(made)).tolist() == [2] * 4
    made.resize_(2)
    assert made.tolist() == [2, 2]
    made.untyped_storage().resize_(64)
    assert made.untyped_storage().nbytes() == 64
    cycle: list[Any] = [made]
    cycle.append(cycle)
    del made, cycle
    gc.collect()
    assert watched() is None


def test_the_collector_may_run_in_any_call():
    x, y = tri.ones(8), tri.ones(8)
    learnt(tri.Tensor.__add__, x, y)
    before = gc.get_threshold()
    dropped: list[int] = []

    class Dropping:
        def __del__(self) -> None:
            dropped.append(1)
            entries.forget_all()  # the plan that runs ends when it has run
            _ = x * 2

    try:
        gc.set_threshold(1)
        for _ in range(100):
            cycle: list[Any] = [Dropping()]
            cycle.append(cycle)
            del cycle
            assert (x + y).tolist() == [2] * 8
    finally:
        gc.set_threshold(*before)
    assert len(dropped) > 33


@pytest.mark.parametrize("is_native", [True, False])
def test_a_finalizer_that_gives_an_operand_other_memory(is_native: bool):
    """What the collector runs inside of a call leaves no operand behind that is too small."""
    size, large = 1000, np.zeros(4096, np.float32)
    write = tri.compile(lambda x, y: (x.add_(y), y * 2))
    read = tri.compile(lambda x, y: x + y)
    y = tri.ones(size)
    for _ in range(SOME):
        write(tri.zeros(size), y)
        read(tri.zeros(size), y)

    class Changing:
        def __init__(self, target: Any) -> None:
            self.target, self.itself = target, self

        def __del__(self) -> None:
            self.target.data = tri.from_numpy(large[:2])

    before = gc.get_threshold()
    try:
        if not is_native:
            TRACES.add("no native code")
        for threshold in range(1, 30):
            for function in (write, read):
                x = tri.zeros(size)
                gc.collect()
                gc.set_threshold(threshold, 1000, 1000)
                Changing(x)
                found: Any = None
                with suppress(tri.TrilithError):
                    found = function(x, y)
                gc.set_threshold(*before)
                assert not large[2:].any()
                if function is read and found is not None and found.shape == (size,):
                    assert set(found.tolist()) == {1.0}
    finally:
        gc.set_threshold(*before)
        TRACES.remove("no native code")


def test_native_code_begins_once(monkeypatch: pytest.MonkeyPatch):
    """Threads that want it at the same moment get one class of blocks."""
    native = activation.Native()
    begun: list[int] = []

    def begin(data: bytes) -> None:
        begun.append(1)

    monkeypatch.setattr(beginning, "begin", begin)
    monkeypatch.setattr(beginning, "stored_code", lambda: b"code")
    at_once = threading.Barrier(8)

    def want() -> None:
        at_once.wait()
        native.want(activation.WORTH_COMPILING + 1)

    threads = [threading.Thread(target=want) for _ in range(8)]
    with native._lock:  # pyright: ignore[reportPrivateUsage] - all of them look, and wait
        for thread in threads:
            thread.start()
        while at_once.n_waiting:
            pass
        time.sleep(0.05)
    for thread in threads:
        thread.join()
    assert begun == [1]


def test_many_arguments():
    def ends(*values: Any) -> Any:
        return values[0] + values[-1]

    f: Any = tri.compile(ends)
    assert f(*([tri.ones(2)] * 3000)).tolist() == [2, 2]
    assert f(*([tri.ones(2)] * 5)).tolist() == [2, 2]


def test_threads_with_changing_sizes():
    f = tri.compile(lambda a, b: a * 2 + b)
    problems: list[Any] = []

    def work(number: int) -> None:
        for turn in range(4000):
            size = (turn * 7 + number) % 13 + 1
            x = tri.full((size,), float(number))
            found = f(x, x) + x[:1]
            if found.tolist() != [4.0 * number] * size:
                problems.append((number, turn, found))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_functions_that_are_dropped_are_freed():
    def make(number: int) -> weakref.ref[Any]:
        f = tri.compile(lambda a: a * number)
        x = tri.ones(3)
        learnt(f, x)
        return weakref.ref(f)

    dropped = [make(number) for number in range(20)]
    assert all(reference() is None for reference in dropped)


def test_forgetting_all():
    x = tri.ones(3)
    learnt(tri.Tensor.__add__, x, x)
    with no_plans():
        before = hits(tri.Tensor.__add__)
        assert (x + x).tolist() == [2, 2, 2]
        assert hits(tri.Tensor.__add__) == before


def test_a_table_grows_and_gives_up():
    f = tri.compile(lambda a: a + 1, static_shapes=True)
    sizes = [tri.ones(size) for size in range(1, 100)]
    for _ in range(SOME):
        for x in sizes:
            assert f(x).shape == x.shape
    table: Entry = entries._attached[f]  # pyright: ignore[reportPrivateUsage]
    assert len(table) > 80
    known: Any = table._plans  # pyright: ignore[reportPrivateUsage]
    known._pushed_out = entries.MOST_PUSHED_OUT + 1
    before = len(known)
    for _ in range(SOME):
        f(tri.ones(1000))
    assert len(known) == before
