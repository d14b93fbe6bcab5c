"""Does linear algebra compute with as many threads as help, and leave NumPy with what it had?"""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.runtime.devices import lapack_threads
from trilith.runtime.devices.lapack_threads import WORTH_SHARING, control

if control() is None:
    pytest.skip("nothing is known of NumPy's LAPACK", allow_module_level=True)


def number() -> int:
    """Return how many threads NumPy computes with."""
    found = control()
    assert found is not None
    return found.get()


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The numbers of threads with which inverses were computed; otherwise there are three."""
    found: list[int] = []
    inverse: Any = np.linalg.inv

    def watched(matrices: Any) -> Any:
        found.append(number())
        return inverse(matrices)

    monkeypatch.setattr(np.linalg, "inv", watched)
    monkeypatch.setattr(lapack_threads, "get_num_threads", lambda: 2)
    library, before = control(), number()
    assert library is not None
    library.set(3)
    yield found
    library.set(before)


def test_small_matrices_are_for_one_thread(seen: list[int]):
    tri.linalg.inv(tri.eye(3))
    tri.linalg.inv(tri.eye(WORTH_SHARING - 1))
    assert seen == [1, 1]
    assert number() == 3


def test_large_ones_are_for_as_many_as_the_library_has(seen: list[int]):
    tri.linalg.inv(tri.eye(WORTH_SHARING))
    assert seen == [2]
    assert number() == 3


def test_an_error_leaves_the_number_that_was(seen: list[int]):
    with pytest.raises(tri.linalg.LinAlgError):
        tri.linalg.inv(tri.zeros(3, 3))
    assert seen
    assert number() == 3


@contextmanager
def another_thread_inside() -> Generator[None]:
    """Let another thread compute with a small matrix meanwhile."""
    inside, may_end = threading.Event(), threading.Event()

    def compute() -> None:
        with lapack_threads.lapack_threads(2):
            inside.set()
            assert may_end.wait(60)

    thread = threading.Thread(target=compute)
    thread.start()
    assert inside.wait(60)
    try:
        yield
    finally:
        may_end.set()
        thread.join()


def test_the_last_thread_puts_the_number_back(seen: list[int]):
    with another_thread_inside():
        tri.linalg.inv(tri.eye(WORTH_SHARING))  # as the one that is inside
        assert seen == [1]
        assert number() == 1
    assert number() == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_child_has_the_number_that_was(seen: list[int]):
    with another_thread_inside():
        child = os.fork()
        if not child:
            os._exit(0 if number() == 3 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not seen
