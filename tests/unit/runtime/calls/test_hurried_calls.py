"""Does native code leave long calls to Python while the code of kernels is for short ones?"""

from __future__ import annotations

import gc
import weakref
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.afterwards import AFTERWARDS
from trilith.compiler.kernels import table
from trilith.runtime.calls.entries import enable
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.devices.objects import is_known_host

from .counting import hits, learnt

pytestmark = pytest.mark.skipif(not is_known_host() or not enable(), reason="no such code here")


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """No kernel is known, and what is to be done afterwards is left to the test."""
    jobs: list[Any] = []
    monkeypatch.setenv("TRILITH_QUICK", "1")
    monkeypatch.setattr(table, "default_cache", lambda: None)
    monkeypatch.setattr(table, "is_little", table.LITTLE.__ge__)
    monkeypatch.setattr(table.KERNELS, "codes", type(table.KERNELS.codes)(table.LIMIT))
    monkeypatch.setattr(AFTERWARDS, "add", jobs.append)
    monkeypatch.setattr(runtime_of(tri.device("cpu")), "_loaded", OrderedDict[str, Any]())
    return jobs


def ones(size: int) -> tri.Tensor:
    """Return ones that no kernel has filled in."""
    return tri.tensor(np.ones(size, np.float32))


def test_long_calls_are_answered_when_there_is_better_code(jobs: list[Any]):
    compiled = tri.compile(lambda x: x * 1.5)
    # The second one takes long enough to ask, and is so little work that Python does without.
    short, long = ones(9), ones(1 << 15)
    for _ in range(8):
        compiled(short)
        compiled(long)
    (job,) = jobs
    assert job.__self__.made is None
    before = hits(compiled)
    compiled(long)
    assert hits(compiled) == before
    assert compiled(short).tolist() == [1.5] * 9
    assert hits(compiled) == before + 1
    job()
    compiled(long)
    assert hits(compiled) == before + 2


def test_plans_of_one_size_wait_too(jobs: list[Any]):
    compiled = tri.compile(lambda x: x * 1.5 - 4, static_shapes=True)
    compiled(ones(9))
    long = ones(1 << 15)
    for _ in range(8):
        compiled(long)
    (job,) = jobs
    before = hits(compiled)
    compiled(long)
    assert hits(compiled) == before
    job()
    compiled(long)
    assert hits(compiled) == before + 1


def test_a_dropped_function_waits_for_no_better_code(jobs: list[Any]):
    def make() -> tuple[weakref.ref[Any], weakref.ref[Any]]:
        held = ones(9)
        compiled: Any = tri.compile(lambda x: x * held)
        learnt(compiled, ones(9))
        return weakref.ref(compiled), weakref.ref(held)

    function, held = make()
    (job,) = jobs
    runtime: Any = runtime_of(tri.device("cpu"))
    (loaded,) = runtime._loaded.values()
    code = weakref.ref(loaded.owner)
    runtime._loaded.clear()
    del loaded
    gc.collect()
    assert function() is held() is code() is None
    job()
