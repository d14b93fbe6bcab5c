"""Does native code make specs that are those of Python, one object each, and forget them?"""

from __future__ import annotations

import gc
import random
import sys
import threading
import weakref
from typing import Any

import pytest

import trilith as tri
from trilith.compiler.eager.operations import OPEN
from trilith.dialects.attributes import patterns
from trilith.dialects.attributes import spec as spec_module
from trilith.dialects.attributes.spec import TensorSpec
from trilith.runtime.calls import entries
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


def test_specs_of_sizes_that_were_never_seen():
    """They are those that Python knows, whoever makes them first."""
    x = tri.tensor(numbers(3000, 3))
    for i in range(8):
        x[i : i + 10]
    before = hits(T.__getitem__)
    for i in range(100, 2900):
        made = x[: i if i % 2 else -i]
        size = i if i % 2 else 3000 - i
        assert made.spec is TensorSpec.of((size, 3), made.dtype), i
        assert (made.shape, made.stride(), made.spec.nbytes) == ((size, 3), (3, 1), size * 12), i
    assert hits(T.__getitem__) - before > 2700
    specs = x.spec.pattern.specs
    for i in range(2, 2900):
        x[i:]
    assert all((spec := reference()) is None or spec.numbers == n for n, reference in specs.items())


def test_a_spec_that_somebody_knows_becomes_no_other():
    x = tri.tensor(numbers(3000, 3))
    for i in range(8):
        x[i : i + 10]
    held: dict[int, Any] = {}
    references: dict[int, Any] = {}
    called: dict[int, Any] = {}
    keys: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
    died: list[Any] = []
    for i in range(2, 2900):
        spec = x[:i].spec
        if i % 7 == 0:
            held[i] = spec
        elif i % 7 == 1:
            references[i] = weakref.ref(spec)
        elif i % 7 == 2:
            called[i] = weakref.ref(spec, died.append)
        elif i % 7 == 3:
            keys[spec] = i
        elif i % 7 == 4:
            assert spec.shape == (i, 3)
            assert spec.nbytes == 12 * i
        del spec
    for found in (references, called):
        alive = {i: spec for i, reference in found.items() if (spec := reference()) is not None}
        assert all(spec.shape == (i, 3) for i, spec in alive.items())
    assert len(died) == sum(reference() is None for reference in called.values())
    assert all(spec.shape == (i, 3) for spec, i in keys.items())
    assert all(spec.shape == (i, 3) and spec.numel == 3 * i for i, spec in held.items())
    assert all(x[:i].spec is spec for i, spec in held.items())


def test_new_specs_take_no_memory():
    x = tri.tensor(numbers(30000))
    for i in range(3000):
        x[i:]
    gc.collect()
    before = sys.getallocatedblocks()
    for i in range(3000, 29000):
        x[i:]
    gc.collect()
    assert sys.getallocatedblocks() - before < 2000


def test_threads_find_one_spec_where_others_die():
    x = tri.tensor(numbers(300, 70))
    for i in range(8):
        x[i : i + 10, i:]
    barrier = threading.Barrier(8)
    wrong: list[int] = []

    def work(seed: int) -> None:
        chosen = random.Random(seed)
        barrier.wait()
        for _ in range(3000):
            i, j = chosen.randrange(2, 290), chosen.randrange(2, 60)
            first, second = x[i:, j:], x[i:, j:]
            size = 300 - i, 70 - j
            known = TensorSpec.of(size, first.dtype, strides=(70, 1))
            if first.spec is not second.spec or first.spec is not known:
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_more_specs_than_are_remembered():
    x = tri.ones(3 * form.SPEC_PLACES)
    before = hits(T.__getitem__)
    for i in range(2, 2 * form.SPEC_PLACES):
        assert x[i:].shape[0] == len(x) - i
    assert hits(T.__getitem__) - before > 1.9 * form.SPEC_PLACES
    held = [weakref.ref(x[i:].spec) for i in range(2, 2 * form.SPEC_PLACES)]
    assert sum(spec() is not None for spec in held) <= form.SPEC_PLACES


def test_an_error_where_a_spec_is_made_is_raised(monkeypatch: pytest.MonkeyPatch):
    x = tri.ones(7000, 5, dtype=tri.int16)
    held = [x[i:] for i in range(2, 50)]
    pattern = x.spec.pattern
    raised = 0

    def interrupted(*_arguments: int) -> int:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        # What looks which specs of the pattern are dead: there are more than it has room for.
        patch.setattr(spec_module, "max", interrupted, raising=False)
        patch.setattr(pattern, "room", 0)
        for i in range(5000, 5100):
            try:
                held.append(x[i:])
            except KeyboardInterrupt:
                raised += 1
    assert raised > 20  # what an error leaves behind, nobody knows, and becomes the next
    assert [x[i:].spec.shape[0] for i in range(5000, 5100)] == [*range(2000, 1900, -1)]
    assert all(tensor.spec is TensorSpec.of(tensor.shape, tri.int16) for tensor in held)


def test_an_error_where_a_spec_is_looked_at_is_raised(monkeypatch: pytest.MonkeyPatch):
    x = tri.ones(9000, 5)
    for i in range(2, 20):
        len(x[i:])
    known = OPEN.stats().plans

    def interrupted(self: Any, numbers: Any) -> Any:
        raise KeyboardInterrupt

    raised = 0
    with monkeypatch.context() as patch:
        patch.setattr(patterns.Pattern, "with_numbers", interrupted)
        for i in range(5000, 5100):
            try:
                len(x[i:])
            except KeyboardInterrupt:
                raised += 1
    assert raised >= 99  # one call in many is Python's, which may learn from it
    assert [len(x[i:]) for i in range(5000, 5100)] == [9000 - i for i in range(5000, 5100)]
    assert OPEN.stats().plans == known
