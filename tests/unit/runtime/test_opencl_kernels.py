"""Do kernels build, run in order and report faults, and does a launch refuse what would crash?"""

import gc
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import InternalError, TrilithRuntimeError
from trilith.runtime.devices.opencl import binaries, programs
from trilith.runtime.devices.opencl.programs import Geometry, ProgramTable, merged
from trilith.runtime.execution.artifact import KernelCode
from trilith.runtime.execution.cache import DiskCache

from .opencl_support import KERNELS, device_array, kernel, runtime

N = 1000
HOST = np.arange(N, dtype=np.float32)


@pytest.fixture
def device() -> Iterator[Any]:
    found = runtime()
    yield found
    found.synchronize()


def test_a_kernel_runs(device: Any):
    x, out = device_array(HOST), tri.empty(N, device="opencl:0")
    add = device.load(kernel("add"))
    add(x.memory.pointer, x.memory.pointer, out.memory.pointer, N)
    np.testing.assert_array_equal(out.cpu().numpy(), HOST * 2)


def test_equal_kernels_are_loaded_once(device: Any):
    assert device.load(kernel("add")) is device.load(kernel("add"))


def test_addresses_count_bytes_inside_a_block(device: Any):
    x, out = device_array(HOST), tri.zeros(N, device="opencl:0")
    add = device.load(kernel("add"))
    add(x.memory.pointer + 40, x.memory.pointer, out.memory.pointer + 4, 10)
    expected = np.zeros(N, np.float32)
    expected[1:11] = HOST[10:20] + HOST[:10]
    np.testing.assert_array_equal(out.cpu().numpy(), expected)


def test_numbers_and_sizes_change_between_launches(device: Any):
    scale = device.load(kernel("scale"))
    x = device_array(HOST.copy())
    for count, factor in ((N, 2), (10, 3), (N, 2), (0, 9)):
        scale(x.memory.pointer, count, factor)
    expected = HOST * 4
    expected[:10] *= 3
    np.testing.assert_array_equal(x.cpu().numpy(), expected)


def test_launches_do_not_wait_and_keep_their_order(device: Any):
    scale = device.load(kernel("scale"))
    x = device_array(np.ones(N, np.float32))
    for _ in range(3000):
        scale(x.memory.pointer, N, -1)
    assert (x.cpu().numpy() == 1).all()


def test_memory_may_be_freed_while_kernels_use_it(device: Any):
    add = device.load(kernel("add"))
    out = tri.zeros(N, device="opencl:0")
    for _ in range(300):
        x = device_array(HOST)
        add(x.memory.pointer, out.memory.pointer, out.memory.pointer, N)
        del x
        gc.collect(0)
    np.testing.assert_array_equal(out.cpu().numpy(), HOST * 300)


def test_threads_share_a_kernel(device: Any):
    scale = device.load(kernel("scale"))
    arrays = [device_array(np.ones(N, np.float32)) for _ in range(6)]

    def work(array: Any, factor: int) -> None:
        for _ in range(300):
            scale(array.memory.pointer, N, factor)

    threads = [
        threading.Thread(target=work, args=(array, 1 if number % 2 else -1))
        for number, array in enumerate(arrays)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for array in arrays:
        assert (array.cpu().numpy() == 1).all()


# Building


def test_kernels_that_wait_become_one_program(device: Any):
    table = ProgramTable(device.context, device.entry, "-cl-std=CL1.2")
    pending = [table.load(kernel(name, "_batch")) for name in ("add", "scale", "twice")]
    for each in pending:
        each.build()
    assert table.built == 1
    assert len({each.program.key for each in pending if each.program}) == 1


def test_a_kernel_that_does_not_build_says_so(device: Any):
    table = ProgramTable(device.context, device.entry, "")
    good, bad = table.load(kernel("twice", "_good")), table.load(kernel("broken"))
    with pytest.raises(InternalError, match="does not build kernel 'broken'") as caught:
        bad.build()
    assert "oops;" in caught.value.ir
    assert "undeclared" in caught.value.ir
    good.build()


def test_definitions_that_kernels_share_stand_once():
    text = merged([KERNELS["scale"][3], KERNELS["twice"][3]])
    assert text.count("static inline float tri_twice") == 1
    assert text.count("__kernel") == 2


def test_a_kernel_without_geometry_is_refused():
    for text in ("__kernel", "// trilith: {}", '// trilith: {"local": [0], "global": []}'):
        with pytest.raises(InternalError, match="does not say how to launch it"):
            Geometry.of(text, "k")


def test_items_are_the_product_rounded_up():
    geometry = Geometry.of('// trilith: {"local": [16], "global": [[0, 1], [2, 8]]}', "k")
    assert geometry.size((3, 99, 17)) == 16
    assert geometry.size((5, 99, 25)) == 32
    assert geometry.size((0, 99, 25)) == 0
    assert Geometry.of('// trilith: {"local": [1], "global": []}', "k").size(()) == 1


def test_groups_are_the_product_and_never_surplus():
    geometry = Geometry.of('// trilith: {"local": [16], "groups": [[0, 1], [2, 8]]}', "k")
    assert geometry.size((3, 99, 17)) == 16 * 9
    assert geometry.size((0, 99, 25)) == 0
    assert Geometry.of('// trilith: {"local": [32], "groups": []}', "k").size(()) == 32


def test_a_kernel_of_another_target_is_refused(device: Any):
    with pytest.raises(TrilithRuntimeError, match="was compiled for 'cpu'"):
        device.load(KernelCode("k", "k", "cpu", b"", 0, 0))


# Binaries on disk


def tables(device: Any, count: int) -> list[ProgramTable]:
    return [ProgramTable(device.context, device.entry, "-cl-std=CL1.2") for _ in range(count)]


def launch_once(table: ProgramTable, pending: Any, device: Any) -> None:
    """Build, note that the kernel ran, and store."""
    pending.build()
    pending.has_run()
    device.synchronize()
    table.close()


def test_binaries_are_stored_and_loaded(
    device: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    disk = DiskCache(tmp_path)
    monkeypatch.setattr(programs, "default_cache", lambda: disk)
    first, second = tables(device, 2)
    launch_once(first, first.load(kernel("twice", "_stored")), device)
    second.load(kernel("twice", "_stored")).build()
    assert (first.built, first.loaded) == (1, 0)
    assert (second.built, second.loaded) == (0, 1)


def test_binaries_are_stored_while_the_program_goes_on(
    device: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    disk = DiskCache(tmp_path)
    monkeypatch.setattr(programs, "default_cache", lambda: disk)
    monkeypatch.setattr(binaries, "QUIET", 0.01)
    (table,) = tables(device, 1)
    pending = [table.load(kernel("twice", "_one")), table.load(kernel("add", "_two"))]
    pending[0].build()
    pending[0].has_run()
    table.store()
    assert not [thread for thread in threading.enumerate() if "binaries" in thread.name]
    pending[1].build()
    pending[1].has_run()
    table.store()
    for thread in threading.enumerate():
        if "binaries" in thread.name:
            thread.join(30)
    assert disk.size() > 1000
    assert not table.binaries.waiting
    assert pending[0].program is not None
    handle = pending[0].program.handle
    monkeypatch.setattr(binaries, "_program_info", lambda: None)
    assert len(binaries.binary_of(handle)) > 1000


@pytest.mark.parametrize("damage", ["cut", "foreign", "gone"])
def test_a_damaged_binary_is_built_again(
    device: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, damage: str
):
    disk = DiskCache(tmp_path)
    monkeypatch.setattr(programs, "default_cache", lambda: disk)
    first, second = tables(device, 2)
    launch_once(first, first.load(kernel("twice", "_damaged")), device)
    for path in disk.folder.glob("*.entry"):
        if damage == "cut":
            path.write_bytes(path.read_bytes()[:-5])
        elif damage == "gone" and path.stat().st_size > 1000:
            path.unlink()
    if damage == "foreign":
        (key,) = {program.key for program in first._programs.values()}  # pyright: ignore[reportPrivateUsage]
        disk.put(key, b"no binary of any driver")
    second.load(kernel("twice", "_damaged")).build()
    assert (second.built, second.loaded) == (1, 0)


# Faults


def fail(device: Any, code: int, position: int) -> Any:
    """Launch the kernel that reports a fault, as the executor does; return the status word."""
    status = device.new_status()
    device.load(kernel("fail"))(status.pointer, 1, code, position)

    def error(fault: int, place: int, details: tuple[int, int, int]) -> TrilithRuntimeError:
        return TrilithRuntimeError(f"fault {fault} at {place}, {details[0]}")

    device.watch(status, error)
    return status


def test_a_fault_is_raised_at_the_next_wait_and_once(device: Any):
    x = device_array(HOST)
    fail(device, 0, 0)
    fail(device, 2, 5)
    fail(device, 3, 6)
    with pytest.raises(TrilithRuntimeError, match="fault 2 at 5, 7"):
        x.cpu()
    device.synchronize()
    fail(device, 1, 0)
    with pytest.raises(TrilithRuntimeError, match="fault 1"):
        device.synchronize()
    np.testing.assert_array_equal(x.cpu().numpy(), HOST)


def test_a_status_word_can_be_read_at_once(device: Any):
    status = device.new_status()
    device.load(kernel("fail"))(status.pointer, 1, 4, 2)
    assert status.read() == (4, 2)
    assert status.details()[0] == 7

    def error(fault: int, place: int, details: tuple[int, int, int]) -> TrilithRuntimeError:
        return TrilithRuntimeError("read")

    device.watch(status, error)
    with pytest.raises(TrilithRuntimeError, match="read"):
        device.synchronize()


def test_more_faults_than_slots(device: Any):
    for _ in range(5000):
        fail(device, 0, 0)
    fail(device, 5, 1)
    with pytest.raises(TrilithRuntimeError, match="fault 5"):
        device.synchronize()


def test_a_fault_belongs_to_its_thread(device: Any):
    caught: list[str] = []
    launched, checked = threading.Event(), threading.Event()

    def work() -> None:
        fail(device, 2, 1)
        launched.set()
        checked.wait(30)
        try:
            device.synchronize()
        except TrilithRuntimeError as error:
            caught.append(error.message)

    thread = threading.Thread(target=work)
    thread.start()
    launched.wait(30)
    device.synchronize()
    checked.set()
    thread.join()
    assert caught == ["fault 2 at 1, 7"]


def test_a_fault_of_a_thread_that_ended_is_raised(device: Any):
    thread = threading.Thread(target=fail, args=(device, 2, 1))
    thread.start()
    thread.join()
    with pytest.raises(TrilithRuntimeError, match="fault 2"):
        device.synchronize()


# What a launch refuses


def test_memory_of_nobody_is_refused(device: Any):
    twice = device.load(kernel("twice"))
    for address in (99 << 60, id(device)):
        with pytest.raises(InternalError, match="which is not its"):
            twice(address, N)


def test_a_missing_number_is_refused(device: Any):
    x = device_array(HOST)
    with pytest.raises(InternalError, match="takes 2 integers"):
        device.load(kernel("scale"))(x.memory.pointer, N)


def test_too_much_local_memory_is_refused(device: Any):
    x = device_array(HOST)
    with pytest.raises(InternalError, match=r"needs \d+ bytes of local memory"):
        device.load(kernel("local"))(x.memory.pointer, N)


def test_a_group_too_large_becomes_smaller(device: Any):
    x = device_array(HOST * 0)
    device.load(kernel("wide"))(x.memory.pointer, N)
    np.testing.assert_array_equal(x.cpu().numpy(), HOST)


def test_a_group_that_works_together_is_never_made_smaller(device: Any):
    x = device_array(HOST * 0)
    with pytest.raises(InternalError, match=r"'grouped' needs groups of 65536, and opencl:0 makes"):
        device.load(kernel("grouped"))(x.memory.pointer, N)
    assert not x.cpu().any()
