"""Is memory aligned, reused, bounded, given back, and safe with threads, the collector and fork?"""

import ctypes
import gc
import os
import random
import threading
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.runtime.execution import allocator as allocator_module
from trilith.runtime.execution.allocator import HUGE_PAGE, CachingAllocator, GiveBack, block_size
from trilith.runtime.execution.storage import Storage


def give_back_all(held: list[tuple[int, GiveBack]]) -> None:
    while held:
        _, give_back = held.pop(0)
        give_back()


@given(st.integers(1, 2**45))
def test_block_sizes_hold_the_request_and_waste_little(nbytes: int):
    size = block_size(nbytes)
    assert nbytes <= size
    unit = HUGE_PAGE if size >= HUGE_PAGE else 64
    assert size % unit == 0
    assert size - nbytes <= max(nbytes / 8, unit)
    assert block_size(size) == size


def test_size_zero_takes_nothing():
    allocator = CachingAllocator()
    assert block_size(0) == 0
    address, give_back = allocator.allocate(0)
    give_back()
    assert address == 0
    assert allocator.stats().system_allocations == 0


@pytest.mark.parametrize("nbytes", [1, 64, 100, 5000, 1 << 20, HUGE_PAGE - 1])
def test_small_blocks(nbytes: int):
    allocator = CachingAllocator()
    size = block_size(nbytes)
    held = [allocator.allocate(size) for _ in range(3)]
    blocks = [block for block, _ in held]
    assert all(block % 64 == 0 for block in blocks)
    assert len(set(blocks)) == 3
    for block in blocks:
        ctypes.memset(block, 1, size)
    assert allocator.stats().in_use == 3 * size
    give_back_all(held)
    assert allocator.stats().in_use == 0
    assert allocator.stats().cached == 3 * size
    assert allocator.allocate(size)[0] in blocks
    assert allocator.stats().system_allocations == 3


@pytest.mark.parametrize("nbytes", [HUGE_PAGE, 5 << 20, 40_000_000])
def test_large_blocks(nbytes: int):
    allocator = CachingAllocator()
    size = block_size(nbytes)
    block, give_back = allocator.allocate(size)
    assert block % HUGE_PAGE == 0
    ctypes.memset(block, 1, size)
    give_back()
    del give_back  # it holds the block
    again, give_back = allocator.allocate(size)
    assert again == block
    give_back()
    del give_back
    assert allocator.stats().cached == size
    allocator.trim()
    stats = allocator.stats()
    assert (stats.in_use, stats.cached) == (0, 0)
    assert stats.system_allocations == stats.system_frees == 1


def test_the_large_cache_is_bounded_and_drops_the_oldest():
    allocator = CachingAllocator(large_cache=3 * HUGE_PAGE)
    held = [allocator.allocate(HUGE_PAGE) for _ in range(5)]
    newest = {block for block, _ in held[2:]}
    give_back_all(held)
    assert allocator.stats().cached == 3 * HUGE_PAGE
    held = [allocator.allocate(HUGE_PAGE) for _ in range(3)]
    assert {block for block, _ in held} == newest
    give_back_all([allocator.allocate(block_size(4 * HUGE_PAGE))])
    assert allocator.stats().cached == 0


def test_the_small_cache_is_bounded():
    allocator = CachingAllocator()
    for size in (64, 1024, 1 << 20):
        give_back_all([allocator.allocate(size) for _ in range(1500)])
    assert allocator.stats().cached <= 64 * 1000 + (1 << 20) + 4 * (1 << 20)
    allocator.trim()
    stats = allocator.stats()
    assert stats.cached == 0
    assert stats.system_allocations == stats.system_frees


def test_the_cache_goes_before_memory_runs_out(monkeypatch: Any):
    allocator = CachingAllocator()
    give_back_all([allocator.allocate(HUGE_PAGE)])
    map_huge: Any = allocator_module.map_huge
    attempts: list[int] = []

    def scarce(size: int) -> Any:
        attempts.append(allocator.stats().cached)
        if len(attempts) == 1:
            raise MemoryError
        return map_huge(size)

    monkeypatch.setattr(allocator_module, "map_huge", scarce)
    allocator.allocate(2 * HUGE_PAGE)
    assert attempts == [HUGE_PAGE, 0]


def test_too_much_is_a_memory_error():
    allocator = CachingAllocator()
    for nbytes in (1 << 60, 1 << 62):
        with pytest.raises(MemoryError, match="can't allocate memory"):
            allocator.allocate(block_size(nbytes))
        with pytest.raises(MemoryError):
            Storage.allocate(allocator, nbytes)
    assert allocator.stats().in_use == 0


def test_threads_never_share_a_block():
    allocator = CachingAllocator(large_cache=8 * HUGE_PAGE)
    problems: list[int] = []

    def work(number: int) -> None:
        chooser = random.Random(number)
        held: list[tuple[int, GiveBack]] = []
        for _ in range(2000):
            if held and chooser.random() < 0.5:
                block, give_back = held.pop(chooser.randrange(len(held)))
                if ctypes.c_int32.from_address(block).value != number:
                    problems.append(number)
                give_back()
            else:
                size = block_size(chooser.choice([1, 100, 5000, HUGE_PAGE]))
                held.append(allocator.allocate(size))
                ctypes.c_int32.from_address(held[-1][0]).value = number
        give_back_all(held)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert allocator.stats().in_use == 0


def test_the_collector_may_free_at_any_moment():
    """Storages in reference cycles die inside whatever allocation triggers the collector."""
    allocator = CachingAllocator()
    before = gc.get_threshold()
    gc.set_threshold(1)
    cycle: list[Any] = []
    try:
        for _ in range(300):
            cycle = [Storage.allocate(allocator, HUGE_PAGE), None]
            cycle[1] = cycle
            Storage.allocate(allocator, 100)
    finally:
        gc.set_threshold(*before)
    del cycle
    gc.collect()
    assert allocator.stats().in_use == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork_while_threads_allocate():
    allocator = CachingAllocator()
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            give_back_all([allocator.allocate(HUGE_PAGE)])

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if not child:
                held = [allocator.allocate(HUGE_PAGE)]
                ctypes.memset(held[0][0], 1, 8)
                give_back_all(held)
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        stop.set()
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_does_not_write_into_its_parents_memory():
    allocator = CachingAllocator()
    held = [allocator.allocate(size) for size in (64, HUGE_PAGE)]
    blocks = [block for block, _ in held]
    for block in blocks:
        ctypes.memset(block, 1, 64)
    child = os.fork()
    if not child:
        for block in blocks:
            ctypes.memset(block, 2, 64)
        os._exit(0)
    os.waitpid(child, 0)
    assert [ctypes.string_at(block, 64) for block in blocks] == [b"\1" * 64] * 2
