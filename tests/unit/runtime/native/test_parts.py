"""Which thread takes which parts of a launch? Its own at first, then what others have left."""

from __future__ import annotations

import ctypes
import random
from typing import Any

import pytest

from trilith.runtime.devices.cpu import compiled_by_llvm
from trilith.runtime.devices.native_code import PASSES
from trilith.runtime.devices.objects import link_object
from trilith.runtime.native import form
from trilith.runtime.native.form import PARTS
from trilith.runtime.native.intrinsics import Word, store
from trilith.runtime.native.subset import LOCATE, native, translate
from trilith.runtime.native.threads import offer_parts, take_part


@native
def offered(shared: Word, threads: Word, parts: Word) -> Word:
    store(shared, PARTS, parts)
    offer_parts(shared, threads, parts)
    return 0


class Launches:
    """Memory that threads share, and what they do with it, called from Python."""

    def __init__(self) -> None:
        self.memory = (ctypes.c_int64 * form.SHARED_WORDS)()
        self.address = ctypes.addressof(self.memory)
        self.linked: list[Any] = []
        self._offer, self._take = self._made(offered, 3), self._made(take_part, 2)

    def _made(self, function: Any, arguments: int) -> Any:
        linked = link_object(compiled_by_llvm(translate([function]).text, PASSES), LOCATE)
        self.linked.append(linked)
        address = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(linked.address)(0)
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(address)

    def offer(self, threads: int, parts: int) -> None:
        self._offer(self.address, threads, parts)

    def take(self, thread: int) -> int:
        """Return the number of a part, from 0; -1 if there is none."""
        return self._take(self.address, thread) - 1


@pytest.fixture(scope="module")
def launches() -> Launches:
    return Launches()


def test_each_thread_begins_with_its_own(launches: Launches):
    for _ in range(2):
        launches.offer(3, 10)
        assert [launches.take(0) for _ in range(3)] == [0, 1, 2]
        assert [launches.take(2) for _ in range(2)] == [6, 7]
        assert [launches.take(1) for _ in range(3)] == [3, 4, 5]
        # What is left is taken by who has nothing to do.
        assert [launches.take(0) for _ in range(3)] == [8, 9, -1]
        assert launches.take(1) == launches.take(2) == -1


@pytest.mark.parametrize("threads", [2, 3, 7, form.MOST_ROWS, 40])
def test_each_part_is_taken_once(launches: Launches, threads: int):
    rng = random.Random(threads)
    for parts in (2, threads, threads * 4, 5):
        launches.offer(threads, parts)
        taken: list[int] = []
        while (part := launches.take(rng.randrange(threads))) >= 0:
            taken.append(part)
        assert sorted(taken) == list(range(parts))
        assert all(launches.take(thread) == -1 for thread in range(threads))
