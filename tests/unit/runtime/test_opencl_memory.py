"""Are the bytes of a device counted, reused and given back, and do they travel as they should?"""

import dataclasses
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import InternalError, TrilithRuntimeError
from trilith.dialects.locks import every_lock
from trilith.runtime.devices.opencl import memory as memory_module
from trilith.runtime.devices.opencl.errors import ERRORS, translated, translating
from trilith.runtime.devices.opencl.memory import HANDLE_SHIFT, BufferTable
from trilith.runtime.execution.allocator import block_size

from ..interruption import holds_none, interruptions, no_lock_is_held
from .opencl_support import device_array, kernel, runtime

MIB = 1 << 20


@pytest.fixture
def device() -> Iterator[Any]:
    found = runtime()
    yield found
    found.synchronize()


@pytest.fixture
def table(device: Any) -> BufferTable:
    """A table on a device of 64 MiB that allocates 32 at once."""
    entry = dataclasses.replace(device.entry, memory=64 * MIB, largest=32 * MIB)
    table = BufferTable(device.context, entry, "opencl:0")
    table.queue = device.queue
    return table


@pytest.mark.parametrize("count", [0, 1, 7, 4096, 3 * MIB])
def test_bytes_go_there_and_back(device: Any, count: int):
    host = np.random.default_rng(0).integers(0, 256, count, np.uint8)
    np.testing.assert_array_equal(device_array(host).cpu().numpy(), host)


@pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex128"])
def test_one_number_travels_without_a_wait(device: Any, dtype: str):
    x = device_array(np.zeros(5, dtype))
    for place in range(5):
        x[place].copy_(tri.from_numpy(np.array(place + 1, dtype)))
    assert x.cpu().tolist() == [1, 2, 3, 4, 5]


def test_strided_arrays_travel(device: Any):
    host = np.arange(24.0).reshape(4, 6)
    for view in (host[:, ::2], host.T, host[1:, 3:]):
        np.testing.assert_array_equal(tri.from_numpy(view).to("opencl:0").cpu().numpy(), view)


def test_addresses_are_handles(table: BufferTable):
    held = table.allocate(64), table.allocate(64)  # who drops a block lets go of it
    first, second = (address for address, _ in held)
    assert first >> HANDLE_SHIFT != second >> HANDLE_SHIFT
    assert not first % (1 << HANDLE_SHIFT)
    assert table.allocate(0)[0] == 0
    assert table.locate(first + 12)[1] == 12


def test_freed_blocks_are_handed_out_again(table: BufferTable):
    for size in (64, 4 * MIB):
        address, give_back = table.allocate(size)
        give_back()
        del give_back  # it holds the block
        assert table.allocate(size)[0] == address
    assert table.stats()["cached"] == 0


def test_more_than_the_device_has_is_refused(table: BufferTable):
    held = [table.allocate(16 * MIB) for _ in range(4)]
    with pytest.raises(tri.OutOfMemoryError, match=r"opencl:0 out of memory\. Tried to allocate"):
        table.allocate(16 * MIB)
    _, give_back = held.pop()
    give_back()
    del give_back
    small = table.allocate(8 * MIB)  # the free block makes room
    assert len(held) == 3
    assert small[0]
    assert table.stats()["in_use"] == 56 * MIB
    assert table.stats()["peak"] <= 64 * MIB


def test_more_than_one_allocation_holds_is_refused(table: BufferTable):
    with pytest.raises(MemoryError, match="allocates no more than"):
        table.allocate(33 * MIB)
    with pytest.raises(RuntimeError, match="out of memory"):
        tri.empty(1 << 60, device="opencl:0")


def test_trim_gives_free_blocks_back(table: BufferTable):
    for _ in range(3):
        _, give_back = table.allocate(2 * MIB)
        give_back()
        del give_back  # it holds the block
    table.trim()
    assert table.stats() == {
        "in_use": 0,
        "cached": 0,
        "peak": 2 * MIB,
        "peak_in_use": 2 * MIB,
        "limit": 64 * MIB,
    }
    table.reset_peaks()
    assert (table.stats()["peak"], table.stats()["peak_in_use"]) == (0, 0)


def test_what_is_dropped_stays_until_the_queue_has_ended(
    table: BufferTable, monkeypatch: pytest.MonkeyPatch
):
    steps: list[str] = []
    forget: Any = table._forget  # pyright: ignore[reportPrivateUsage]

    def forget_and_tell(handle: int) -> None:
        steps.append("released")
        forget(handle)

    monkeypatch.setattr(table, "_wait", lambda: steps.append("waited"))
    monkeypatch.setattr(table, "_forget", forget_and_tell)
    for release in (table.stats, table.trim, table.reset_peaks, lambda: table.allocate(64)):
        address, give_back = table.allocate(4 * MIB)
        del give_back
        assert table.locate(address)[0].size == 4 * MIB
        assert not steps
        held = release()
        assert steps == ["waited", "released"]
        with pytest.raises(InternalError):
            table.locate(address)
        steps.clear()
        del held
        assert table.stats()["in_use"] == 0
        steps.clear()


def test_what_others_got_stays_until_the_queue_has_ended(
    table: BufferTable, monkeypatch: pytest.MonkeyPatch
):
    waits: list[bool] = []
    address, give_back = table.allocate(4 * MIB)
    table.export(address)
    give_back()
    del give_back
    monkeypatch.setattr(table, "_wait", lambda: waits.append(bool(table.locate(address))))
    assert table.stats()["in_use"] == 0
    assert waits == [True]


def test_what_others_own_stays_until_the_queue_has_ended(
    table: BufferTable, monkeypatch: pytest.MonkeyPatch
):
    buffer = foreign_buffer(table)
    address, lease = table.adopt(buffer)
    ending = weakref.ref(buffer)
    waits: list[bool] = []
    del buffer, lease
    gc.collect()
    assert ending() is not None
    monkeypatch.setattr(table, "_wait", lambda: waits.append(bool(table.locate(address))))
    assert table.stats()["in_use"] == 0
    assert (waits, ending()) == ([True], None)
    with pytest.raises(InternalError):
        table.locate(address)


def test_interrupts_leave_nothing_of_others_behind(table: BufferTable):
    buffer = foreign_buffer(table)
    known = set(table.buffers)
    held: list[Any] = []

    def run() -> None:
        held.append(table.adopt(buffer))
        table.export(held[0][0])
        held.clear()  # no bytecode of ours runs here, after which an interrupt would be lost
        table.stats()

    for _ in interruptions(run, memory_module, everywhere=True):
        assert all(table.locate(address)[0] == buffer for address, _ in held)
        held.clear()
        table.stats()
        assert set(table.buffers) == known


def foreign_buffer(table: BufferTable) -> Any:
    import pyopencl as cl

    class Weakly(cl.Buffer):
        """Can be referred to weakly."""

    return Weakly(table.queue.context, cl.mem_flags.READ_WRITE, 4096)


@pytest.mark.parametrize("size", [64, 4 * MIB])
def test_interrupts_leave_no_block_behind(table: BufferTable, size: int):
    held: list[Any] = []
    locks = every_lock()

    def run() -> None:
        for _ in range(2):
            first, second = table.allocate(size), table.allocate(2 * size)
            held.append(first)
            second[1]()
            first = second = None
        held.pop()
        table.stats()
        table.trim()

    for _ in interruptions(run, memory_module):
        assert holds_none(locks)
        assert all(table.locate(block[0])[0].size == size for block in held)
        assert table.stats()["in_use"] == len(held) * size
        held.clear()
        stats = table.stats()
        assert stats["in_use"] == 0
        table.trim()
        assert table.stats()["cached"] == 0
        assert len(table.buffers) == 1
    assert no_lock_is_held()


def test_a_size_class_does_not_refuse_what_fits(device: Any, monkeypatch: pytest.MonkeyPatch):
    """33 MiB become a block of 34 elsewhere; here one of all that fits."""
    entry = dataclasses.replace(device.entry, largest=33 * MIB)
    monkeypatch.setattr(device, "entry", entry)
    assert block_size(33 * MIB - 4) > 33 * MIB
    x = device.allocate(33 * MIB - 4)
    assert x.nbytes() == 33 * MIB - 4
    assert device.allocator.locate(x.pointer)[0].size == 33 * MIB


def test_tensors_give_their_memory_back(device: Any):
    before = device.allocator.stats()["in_use"]
    x = tri.empty(1000, device="opencl:0")
    assert device.allocator.stats()["in_use"] == before + block_size(4000)
    del x
    assert device.allocator.stats()["in_use"] == before


def test_blocks_are_copied_and_resized(device: Any):
    x = device_array(np.arange(10, dtype=np.int32))
    x.untyped_storage().resize_(4000)
    assert x.cpu().tolist() == list(range(10))
    assert x.clone().cpu().tolist() == list(range(10))


def test_memory_of_another_table_is_refused(device: Any, table: BufferTable):
    with pytest.raises(InternalError, match="which is not its"):
        device.load(kernel("twice"))(table.allocate(64)[0], 1)
    with pytest.raises(InternalError, match="which is not its"):
        table.copy(device.allocate(64).pointer, table.allocate(64)[0], 64)


# Errors


def test_every_code_has_words(device: Any):
    class Error(Exception):
        code = 0

    for code, (name, kind, meaning) in ERRORS.items():
        error = Error("clCall")
        error.code = code
        found = translated(error, "doing it")
        assert type(found) is kind
        assert name in found.message
        assert meaning in found.message
    assert type(translated(Error("what"), "doing it")) is TrilithRuntimeError


def test_errors_of_pyopencl_are_translated(device: Any):
    import pyopencl as cl

    with pytest.raises(tri.OutOfMemoryError, match=r"INVALID_BUFFER_SIZE, asking for nothing"):
        with translating("asking for nothing"):
            cl.Buffer(device.context, cl.mem_flags.READ_WRITE, 0)


def test_a_vanished_device_says_so():
    class Vanished(Exception):
        code = -2

    assert "does not answer" in translated(Vanished(), "launching").message
