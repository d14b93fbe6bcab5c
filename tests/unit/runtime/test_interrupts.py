"""What does an interrupt leave behind, wherever it comes? Nothing but what was there."""

import ctypes
import gc
import weakref
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from trilith.dialects.attributes import fixed
from trilith.dialects.locks import every_lock
from trilith.runtime.execution import allocator as allocator_module
from trilith.runtime.execution import cache as cache_module
from trilith.runtime.execution import cache_envelope, own_files, storage_fields
from trilith.runtime.execution import storage as storage_module
from trilith.runtime.execution.allocator import HUGE_PAGE, CachingAllocator
from trilith.runtime.execution.cache import DiskCache
from trilith.runtime.execution.storage import UntypedStorage
from trilith.runtime.tensors import generators as generators_module
from trilith.runtime.tensors.generators import Generator

from ..interruption import holds_none, interruptions, no_lock_is_held

MEMORY = (allocator_module, storage_module, storage_fields, fixed)
SMALL, LARGE = 1000, 3 * HUGE_PAGE
PATTERN = bytes(range(1, 201))


def filled(allocator: CachingAllocator, nbytes: int) -> UntypedStorage:
    storage = UntypedStorage.allocate(allocator, nbytes)
    ctypes.memmove(storage.data_ptr(), PATTERN, min(nbytes, len(PATTERN)))
    return storage


def check(allocator: CachingAllocator, storages: list[UntypedStorage]) -> None:
    """What is alive holds its bytes and shares them with nobody; the rest is free, all of it."""
    spans: list[tuple[int, int]] = []
    more = [UntypedStorage.allocate(allocator, size) for size in (64, SMALL, SMALL, LARGE)]
    for storage in more:  # at both ends; where it lies says whether what is between is anybody's
        count = min(storage.length, SMALL)
        ctypes.memset(storage.pointer, 0xFF, count)
        ctypes.memset(storage.pointer + storage.length - count, 0xFF, count)
    for storage in storages:
        count = min(storage.length, len(PATTERN))
        assert ctypes.string_at(storage.data_ptr(), count) == PATTERN[:count]
        assert storage.address(0, storage.length) == storage.data_ptr()
    for storage in (*storages, *more):
        spans.append((storage.data_ptr(), storage.data_ptr() + storage.length))
    spans.sort()
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    storage = None
    storages.clear()
    more.clear()
    assert allocator.stats().in_use == 0
    allocator.trim()
    stats = allocator.stats()
    assert (stats.in_use, stats.cached) == (0, 0)
    assert stats.system_allocations == stats.system_frees


@pytest.mark.parametrize("nbytes", [0, SMALL, LARGE])
def test_interrupted_allocations(nbytes: int):
    allocator = CachingAllocator(large_cache=2 * LARGE)
    storages: list[UntypedStorage] = []

    def run() -> None:
        for _ in range(3):  # from the system, from what is kept, and one that stays
            storage = UntypedStorage.allocate(allocator, nbytes)
            del storage
        storages.append(filled(allocator, nbytes))

    for _ in interruptions(run, *MEMORY, everywhere=True):
        check(allocator, storages)
    check(allocator, storages)


@pytest.mark.parametrize("nbytes", [SMALL, LARGE, 5 * LARGE])
def test_no_interrupt_is_lost_when_a_storage_dies(nbytes: int):
    """Python drops what is raised in a finalizer: there is no bytecode it could come after."""
    allocator = CachingAllocator(large_cache=4 * LARGE)
    storages = [filled(allocator, nbytes)]
    assert not list(interruptions(storages.clear, *MEMORY, everywhere=True))
    assert allocator.stats().in_use == 0
    assert (allocator.stats().cached > 0) is (nbytes < 5 * LARGE)


def test_interrupted_evictions():
    allocator = CachingAllocator(large_cache=2 * HUGE_PAGE)

    def run() -> None:
        held = [UntypedStorage.allocate(allocator, HUGE_PAGE) for _ in range(4)]
        held.clear()
        allocator.trim()

    for _ in interruptions(run, *MEMORY, everywhere=True):
        assert allocator.stats().cached <= 4 * HUGE_PAGE
        for _ in range(2):  # the bound holds again
            held = [UntypedStorage.allocate(allocator, HUGE_PAGE) for _ in range(4)]
            held.clear()
        assert allocator.stats().cached <= 2 * HUGE_PAGE
        check(allocator, [])


@pytest.mark.parametrize("before", [SMALL, LARGE])
@pytest.mark.parametrize("after", [0, 10, SMALL - 8, SMALL + 8, 10 * SMALL, LARGE, 2 * LARGE])
@pytest.mark.parametrize("everywhere", [True, False])
def test_interrupted_moves(before: int, after: int, everywhere: bool):
    allocator = CachingAllocator()
    storages, locks = [filled(allocator, before)], every_lock()

    def run() -> None:
        move = storages[0]._move if everywhere else storages[0].resize_  # pyright: ignore[reportPrivateUsage] - that takes a lock
        move(after)

    for _ in interruptions(run, *MEMORY, everywhere=everywhere):
        assert holds_none(locks)
        kept = min(storages[0].length, len(PATTERN))
        assert storages[0].length in (before, after, min(before, after))
        storages[0].resize_(max(before, after))  # it goes on as if nothing had been
        assert ctypes.string_at(storages[0].pointer, kept) == PATTERN[:kept]
        ctypes.memmove(storages[0].pointer, PATTERN, len(PATTERN))
        check(allocator, storages)
        storages.append(filled(allocator, before))
    assert no_lock_is_held()
    assert storages[0].length == after
    check(allocator, storages)


def test_an_interrupted_move_to_shared_memory():
    allocator = CachingAllocator()
    storages = [filled(allocator, SMALL)]
    for _ in interruptions(lambda: storages[0].share_memory_(), *MEMORY):
        assert no_lock_is_held()
        assert storages[0].is_shared() is not storages[0].resizable()
        check(allocator, storages)
        storages.append(filled(allocator, SMALL))
    assert storages[0].is_shared()
    check(allocator, storages)


def test_an_interrupted_promise():
    allocator = CachingAllocator()
    storages = [filled(allocator, SMALL)]
    for _ in interruptions(lambda: storages[0].promise(2 * SMALL), *MEMORY):
        assert no_lock_is_held()
        storages[0].resize_(2 * SMALL)
        assert storages[0].pointer
        check(allocator, storages)
        storages.append(filled(allocator, SMALL))


def test_the_collector_ends_no_block_that_is_given_back():
    """A cycle dies: its storage gives the block back while the collector takes all of it apart."""
    allocator = CachingAllocator()
    for nbytes in (SMALL, LARGE):
        cycle: list[Any] = [filled(allocator, nbytes)]
        ending = weakref.ref(cycle[0])
        cycle.append(cycle)
        del cycle
        gc.collect()
        assert ending() is None
        assert allocator.stats().in_use == 0
        assert allocator.stats().cached >= nbytes
        check(allocator, [])


def test_interrupted_entries_of_the_disk_cache(tmp_path: Path):
    cache = DiskCache(tmp_path, limit=10_000)
    content = [b"0" * 100]

    def run() -> None:
        cache.put("key", content[0])
        assert cache.get("key") == content[0]

    for at in interruptions(run, cache_module, cache_envelope, own_files):
        assert cache.get("key") in (None, content[0], b"%d" % (at - 1) * 100)
        assert no_lock_is_held()
        assert not list(cache.folder.glob("*.partial"))
        content[0] = b"%d" % at * 100
    run()


def test_interrupted_draws():
    source = Generator()
    for _ in interruptions(lambda: source.take(5), generators_module):
        assert no_lock_is_held()
        other = Generator().set_state(source.get_state())
        assert source.take(4) == other.take(4)
