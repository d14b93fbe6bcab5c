"""Does one plan in native code serve every size that it says it takes, and no other?"""

from __future__ import annotations

import ctypes
import gc
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.kernels.table import KERNELS
from trilith.compiler.plan_table import PlanTable
from trilith.dialects.attributes.symint import ShapeEnv
from trilith.runtime.calls import entries, steps
from trilith.runtime.execution.artifact import KernelCode
from trilith.runtime.native import form
from trilith.runtime.native.layout import is_known

from .counting import begin, hits, numbers

pytestmark = pytest.mark.skipif(not is_known(), reason="no native code for this interpreter")

T = tri.Tensor


@pytest.fixture(autouse=True)
def native() -> None:
    """Begin with native code, and methods that it may call."""
    begin()
    entries.forget_all()


#: What is done with an array of two dims at a place, in words of PyTorch and of NumPy alike.
PROGRAMS: dict[str, tuple[str, Callable[[Any, int], Any]]] = {
    "rows": ("__getitem__", lambda x, i: x[i:]),
    "columns": ("__getitem__", lambda x, i: x[:, i:]),
    "a row": ("__getitem__", lambda x, i: x[i]),
    "an element": ("__getitem__", lambda x, i: x[i, i]),
    "a block": ("__getitem__", lambda x, i: x[i : i + 3, : -i - 1]),
    "every other": ("__getitem__", lambda x, i: x[i::2, 1::3]),
    "a number": ("__add__", lambda x, i: x[i:] + 1.5),
    "two": ("__mul__", lambda x, i: x[i:] * x[: -i if i else None]),
    "three dims": ("__sub__", lambda x, i: x[:, None, i:] - x[:, i:, None]),
    "product": ("__matmul__", lambda x, i: x[i:, :5] @ x[:5, i:]),
    "of all": ("sum", lambda x, i: x[i:].sum()),
    "of rows": ("sum", lambda x, i: x[i:, i:].sum(0)),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_sizes_that_were_never_seen(name: str):
    method, program = PROGRAMS[name]
    function = getattr(T, method)
    array = numbers(60, 40)
    x = tri.tensor(array)
    for i in range(6):
        program(x, i)
    before = hits(function)
    for i in range(6, 36):
        assert np.array_equal(program(x, i).numpy(), program(array, i)), i
    assert hits(function) - before >= 28


def test_what_a_plan_does_not_take_is_left_to_python():
    array = numbers(60)
    x = tri.tensor(array)
    places = [*range(2, 30), 59, 60, 61, 200, -1, -60, -61, -200, 0, 1, 5, 10**30, -(10**30)]
    for i in places:
        assert np.array_equal(x[i:].numpy(), array[i:]), i
        assert np.array_equal((x[i:] + 1).numpy(), array[i:] + 1), i
    for i in range(2, 30):
        assert x[i].item() == array[i]
    for i in (60, -61, 1 << 62):
        with pytest.raises(IndexError):
            x.__getitem__(i)
    assert x[-60].item() == array[0]
    for n in range(2, 30):
        assert (x[:n] + x[-n:]).shape == (n,)
    with pytest.raises(RuntimeError, match="size of tensor a"):
        x[:5].add(x[:7])
    assert np.array_equal((x[:5] + x[:1]).numpy(), array[:5] + array[:1])


def test_parts_are_written():
    array = numbers(40, 40)
    x, expected = tri.tensor(array), array.copy()
    before = hits(T.__setitem__)
    for i in range(1, 38):
        x[i:, i] = x[:-i, 0]
        expected[i:, i] = expected[:-i, 0]
        x[i] = 2.5
        expected[i] = 2.5
        x[i, :i] += 1
        expected[i, :i] += 1
        x[i:, i:] -= x[i:, i : i + 1] * x[i, i:]
        expected[i:, i:] -= expected[i:, i : i + 1] * expected[i, i:]
        assert np.array_equal(x.numpy(), expected), i
    assert hits(T.__setitem__) - before > 40


def test_parts_of_one_tensor_that_meet():
    x = tri.arange(100.0)
    for i in range(2, 30):
        expected = x.numpy().copy()
        expected[i : 2 * i] += expected[:i]
        x[i : 2 * i] += x[:i]  # apart
        assert np.array_equal(x.numpy(), expected)
    for i in range(3, 30):
        with pytest.raises(RuntimeError, match="single memory location"):
            x[1:i].add_(x[: i - 1])  # they overlap
    for i in range(2, 30):
        expected = x.numpy() * np.where(np.arange(100) < i, 2, 1)
        part = x[:i]
        part += part
        assert np.array_equal(x.numpy(), expected.astype(np.float32))
    matrix = numbers(30, 30)
    y = tri.tensor(matrix)
    for k in range(2, 28):
        y[k + 1 :, k] /= y[k, k] + 100
        matrix[k + 1 :, k] /= matrix[k, k] + 100
    assert np.array_equal(y.numpy(), matrix)


def test_results_that_are_kept():
    x = tri.ones(3000)
    for i in range(2, 20):
        abs(x[i:] + 1)
    before = hits(T.__add__)
    kept = [x[i:] + 1 for i in range(20, 2000)]
    assert hits(T.__add__) - before > 1970
    assert all(made.tolist() == [2.0] * (3000 - i) for i, made in enumerate(kept, 20))


def test_factories():
    for n in range(2, 200):
        assert np.array_equal((tri.ones(n) + 1).numpy(), np.full(n, 2, np.float32))
        assert tri.zeros(n, n + 1).shape == (n, n + 1)
    with tri.device("opencl:0") if tri.opencl.is_available() else tri.device("cpu") as home:
        for n in range(2, 20):
            assert tri.ones(n).device == home


def test_compiled_functions():
    @tri.compile
    def program(x: Any, y: Any, c: float) -> Any:
        x += y
        return (x * c).sum(0), x[1:], y * x.shape[0]

    for n in range(2, 80):
        array, other = numbers(n, 3), numbers(n, 3)
        x = tri.tensor(array)
        total, view, scaled = program(x, tri.tensor(other), 2.0)
        array += other
        assert np.array_equal(x.numpy(), array)
        assert np.array_equal(total.numpy(), (array * 2).sum(0))
        assert np.array_equal(scaled.numpy(), other * n)
        view[0] = 99.0
        assert x[1, 0].item() == 99.0
    assert hits(program) > 40
    assert program.stats().traces == 2


def test_arrays():
    @tri.compile
    def program(a: Any, b: Any) -> Any:
        return (a * b + 1).sum(0), a[1:] - 1

    for n in range(2, 60):
        for array in (numbers(n, 3), numbers(n, 1), np.asfortranarray(numbers(n, 3))):
            total, less = program(array, array + 1)
            assert np.array_equal(total.numpy(), (array * (array + 1) + 1).sum(0))
            assert np.array_equal(less.numpy(), array[1:] - 1)
    assert hits(program) > 60
    wide = np.zeros((50, 8), np.float32)
    for n in range(2, 50):
        assert program(wide[:n, :3], wide[:n, :3])[0].tolist() == [float(n)] * 3


def test_large_results_and_temporaries(monkeypatch: pytest.MonkeyPatch):
    # Long calls are left to Python until code is better, and other tests may have made quick code.
    monkeypatch.setenv("TRILITH_QUICK", "0")
    monkeypatch.setattr(KERNELS, "codes", PlanTable[str, KernelCode](100))

    def weights(x: Any) -> Any:
        raised = (x @ x.t()).exp()
        return raised / raised.sum(1, True)

    compiled = tri.compile(weights)
    for n in range(100, 140):
        x = tri.tensor(numbers(n, 4) / 9)
        assert np.allclose(compiled(x).numpy(), weights(x).numpy(), rtol=1e-6)
    assert hits(compiled) > 25
    x = tri.tensor(numbers(600, 600))
    for i in range(590):
        assert (x[i:] + 1).numpy()[0, 0] == x[i, 0].item() + 1


def test_often_seen_sizes_get_their_own_plan():
    x = tri.ones(77)
    entry = entries._attached[T.__abs__]  # pyright: ignore[reportPrivateUsage]
    for _ in range(20 * form.OFTEN):
        abs(x)
    before = entry.words[form.OPEN_HITS // 8]
    for _ in range(100):
        abs(x)
    assert entry.words[form.OPEN_HITS // 8] == before


def test_threads_of_changing_sizes():
    array = numbers(3000)
    x = tri.tensor(array)
    wrong: list[Any] = []

    def work(seed: int) -> None:
        chooser = random.Random(seed)
        for _ in range(3000):
            i, j = chooser.randrange(3000), chooser.randrange(1, 50)
            found = (x[i : i + j] * 2 + 1).tolist()
            if found != (array[i : i + j] * 2 + 1).tolist():
                wrong.append((i, j))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_tensors_that_are_not_made_yet():
    x = tri.ones(5)
    for i in range(2, 12):
        abs(x[:i] + x[:i])
    raw: Any = T.__new__(T)
    with pytest.raises((AttributeError, TypeError, RuntimeError)):
        raw.__add__(x)


def test_bounds_keep_steps_from_overflowing():
    env = ShapeEnv()
    n, m = env.symbol(6, least=2), env.symbol(7, least=2)
    made = steps.Steps(2)
    symbols = steps.Symbols(made, env, [0, 8])
    symbols.of(n * m * m * 12)
    symbols.finish()
    bounds = [second for kind, _, second in _triples(made) if kind == form.IS_WITHIN]
    assert bounds
    assert all(bound**3 * 12 <= 1 << 61 for bound in bounds)
    with pytest.raises(steps.TooLarge):
        made.number(1 << 62)


def _triples(made: steps.Steps) -> list[tuple[int, int, int]]:
    words = made.words
    return [(words[at], words[at + 1], words[at + 2]) for at in range(0, len(words), 3)]


class Dropping:
    """Does something when the collector finds it, which is when a call makes its results."""

    def __init__(self, act: Callable[[], None]) -> None:
        self.itself, self.act = self, act

    def __del__(self) -> None:
        self.act()


def during(call: Callable[[], Any], act: Callable[[], None], objects: int) -> Any:
    """Make a call; when so many objects are made the collector runs, and something is done."""
    gc.collect()
    before = gc.get_threshold()
    gc.set_threshold(1 << 20)
    try:
        Dropping(act)
        gc.set_threshold(gc.get_count()[0] + objects)
        with suppress(tri.TrilithError):
            return call()
    finally:
        gc.set_threshold(*before)


def test_operands_in_a_list_are_held():
    for size in range(3, 40):
        tri.cat([tri.ones(size), tri.ones(size + 1)])
    for size in range(100, 160):
        parts = [tri.ones(size), tri.ones(size + 1)]
        junk: list[bytes] = []

        def drop(parts: list[Any] = parts, junk: list[bytes] = junk) -> None:
            parts.clear()
            junk.extend(bytes([65]) * 48 for _ in range(200))

        found = during(lambda parts=parts: tri.cat(parts), drop, size % 10)
        assert found is None or found.tolist() == [1.0] * (2 * size + 1)


def test_a_spec_that_dies_in_a_call_is_no_other_one():
    for size in range(1000, 1040):
        tri.ones(size)[3:].sum()
    for size in range(50_000, 50_060):
        x = tri.ones(size)

        def change(x: Any = x) -> None:
            before = id(x.spec)
            x.set_(tri.zeros(2))
            kept: list[Any] = []
            for other in range(40):
                kept.append(tri.zeros(3 + other))
                if id(kept[-1].spec) == before:
                    x.set_(kept[-1])

        part = during(lambda x=x: x[3:], change, size % 10)
        assert part is None or part.untyped_storage().nbytes() >= part.nbytes


def test_containers_of_arguments():
    programs: list[tuple[Any, Callable[[Any], Any]]] = [
        (tri.compile(lambda x: x[0] + 1), lambda x: ([x],)),
        (tri.compile(lambda x: x["key"] + 1), lambda x: ({"key": x},)),
        (tri.compile(lambda x, y: x + y[0]), lambda x: (x, (x,))),
        (tri.compile(lambda x, y: x[0] + x[1]), lambda x: ([x, x], ())),
    ]
    for program, arguments in programs:
        for size in range(2, 30):
            assert program(*arguments(tri.ones(size))).tolist() == [2.0] * size


def test_a_copy_onto_itself_is_a_write():
    x: Any = tri.ones(60)
    for i in range(2, 40):
        before = x._version
        x[i:] += 1
        assert x._version == before + 2
        x[60:] += 1
        assert x._version == before + 4


def test_tables_are_whole_whatever_comes_in_between():
    entry = entries.Entry(lambda *_: None, lambda *_: None, binds=False)
    table = entry._plans  # pyright: ignore[reportPrivateUsage]

    class Plan:
        address = 1 << 20

        def is_like(self, other: Any) -> bool:
            return False

    def place_of(mask: int) -> int:
        entry.forget()  # as a finalizer may
        return 3 & mask

    for _ in range(100):
        table.put(Plan(), place_of)  # pyright: ignore[reportArgumentType]
    places = table._places  # pyright: ignore[reportPrivateUsage]
    assert entry.words[form.TABLE // 8] == ctypes.addressof(places.addresses)
    told = [place for place, address in enumerate(places.addresses) if address]
    assert sorted(places.plans) == told


def test_no_lesson_has_failed():
    assert not entries.FAILED
