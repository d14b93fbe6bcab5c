"""Do sizes that come once share their memory, and do those that stay waste little?"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.attributes.device import cpu
from trilith.runtime.devices.base import runtime_of
from trilith.runtime.execution.allocator import HUGE_PAGE, AllocatorStatistics, block_size
from trilith.runtime.native import pools
from trilith.runtime.native.layout import is_known
from trilith.runtime.native.pools import FIRST_BLOCKS, LARGEST_SHARED

from .counting import SOME, begin, hits

pytestmark = pytest.mark.skipif(not is_known(), reason="no native code for this interpreter")


@pytest.fixture(autouse=True)
def native() -> None:
    """Begin with native code, and with no free blocks."""
    begin()
    host().trim()


def host() -> Any:
    """Return the allocator of the host's memory."""
    return runtime_of(cpu).allocator


def stats() -> AllocatorStatistics:
    """Return what that holds."""
    return host().stats()


def test_sizes_that_come_once_share_blocks():
    for size in range(2, 20):
        result = tri.ones(size) + 1
    before = stats().system_allocations
    for size in range(1030, 4090):
        result = tri.ones(size) + 1
        if size % 64 == 0:
            assert result.tolist() == [2.0] * size
    # Two at a time, of two powers of two: blocks of each class of sizes would be 30.
    assert stats().system_allocations - before <= 6


def test_blocks_that_stay_are_no_larger_than_they_must_be():
    start = stats().in_use
    length = 4400
    kept = [tri.empty(length, dtype=tri.uint8) for _ in range(500)]
    least = 500 * block_size(length)
    assert block_size(length) == 4608
    assert least <= stats().in_use - start <= least + FIRST_BLOCKS * (8192 - 4608)
    kept.clear()
    assert stats().in_use == start


def test_a_shared_block_has_one_owner():
    held = [tri.full((size,), size) for _ in range(3) for size in range(10, 9000, 37)]
    for tensor in held:
        assert np.array_equal(tensor.numpy(), np.full(len(tensor), len(tensor)))
    del held[::2]
    more = [tri.full((size,), -size) for size in range(10, 9000, 53)]
    for tensor in held:
        assert (tensor == len(tensor)).all()
    for tensor in more:
        assert (tensor == -len(tensor)).all()


def test_large_blocks_are_not_shared():
    length = LARGEST_SHARED + 100
    start = stats().in_use
    kept = tri.empty(length, dtype=tri.uint8)
    assert stats().in_use - start == block_size(length)
    del kept


@pytest.mark.parametrize("size", [300_000, 600_000, 3_000_000])
def test_native_code_answers_calls_with_large_results(size: int):
    plus = tri.compile(lambda x: x + 1)
    x = tri.ones(size)
    for _ in range(SOME):
        plus(x)
    before, obtained = hits(plus), stats().system_allocations
    places = {plus(x).data_ptr() for _ in range(20)}
    assert hits(plus) - before == 20
    assert len(places) == 1
    assert stats().system_allocations == obtained
    assert (plus(x) == 2).all()


def test_large_free_blocks_are_bounded(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pools, "BYTES_OF_LARGE", 24 << 20)
    for size in range(2, 16):
        kept = [tri.empty(size << 20, dtype=tri.uint8) for _ in range(4)]
        assert all(tensor.data_ptr() % HUGE_PAGE == 0 for tensor in kept)
        del kept
        # What has ended since was looked at when the first of these was made: of each size two.
        assert host().front.cached() <= (24 << 20) + 2 * block_size(size << 20)
    assert len({block_size(size << 20) for size in range(2, 16)}) > 6
    host().trim()
    assert host().front.cached() == 0


def test_pools_are_emptied_although_blocks_come_back_meanwhile(monkeypatch: pytest.MonkeyPatch):
    """A handler may empty them between any two steps, make room, and let go of a block."""
    monkeypatch.setattr(pools, "BYTES_OF_LARGE", 0)
    front, size = host().front, 2 << 20
    kept = [tri.empty(size, dtype=tri.uint8) for _ in range(2)]
    del kept
    take, seen = front._take, list[int]()

    def taking(pool: int) -> Any:
        block = take(pool)
        if block is not None and not seen:
            seen.append(pool)
            front.trim()
        return block  # it goes back into the pool, which has room again

    monkeypatch.setattr(front, "_take", taking)
    front.trim()
    assert seen
    assert front.cached() <= 2 * size


@pytest.mark.parametrize("size", [(2 << 20) + 5, (3 << 20) + 1, 9 << 20, (64 << 20) + 1])
def test_a_class_of_large_blocks_holds_the_request(size: int):
    """Classes of a few megabytes share the blocks of the next multiple of a huge page."""
    copied = tri.compile(lambda x: x.clone())
    x = tri.full((size,), 3, dtype=tri.uint8)
    start = stats().in_use
    result = x
    for _ in range(SOME):
        result = copied(x)
    assert stats().in_use - start == block_size(size)
    np.testing.assert_array_equal(result.numpy(), x.numpy())


def test_a_storage_in_a_larger_block_is_resized():
    tensor = tri.full((1100,), 7, dtype=tri.uint8)
    storage = tensor.untyped_storage()
    for size in (1101, 1152, 1153, 2048, 2049, 9000, 3):
        storage.resize_(size)
        assert storage.nbytes() == size
        assert storage.tolist()[:3] == [7, 7, 7]


LAST = """
import trilith as tri
from trilith.runtime.calls.activation import NATIVE
assert NATIVE.load()
kept = [tri.ones(size) + 1 for size in range(100)]
def uses(event):  # a module holds it, and it holds the tensors: they go with the last cycles
    return kept
tri.uses = uses
"""


def test_tensors_that_end_after_the_modules():
    ended = subprocess.run(
        [sys.executable, "-c", LAST],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
