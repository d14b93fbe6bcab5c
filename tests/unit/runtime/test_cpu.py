"""Does the host load object code once, keep it while it is used, and refuse what is not its own?"""

import ctypes
import gc
import threading
from dataclasses import replace
from typing import Any

import pytest

from trilith.dialects.attributes.device import Device, cpu
from trilith.dialects.diagnostics import InternalError
from trilith.runtime.devices import base
from trilith.runtime.devices import cpu as host
from trilith.runtime.devices.cpu import CpuRuntime, host_target

VALUE = """
define void @KERNEL(ptr %out) {
  store i64 NUMBER, ptr %out
  ret void
}"""


@pytest.fixture
def runtime() -> CpuRuntime:
    return CpuRuntime(cpu)


def call(runtime: CpuRuntime, launcher: Any) -> int:
    storage = runtime.allocate(8)
    launcher(storage.pointer)
    out = runtime.allocate(8)
    runtime.copy_out(storage, 0, out.pointer, 8)

    return ctypes.c_int64.from_address(out.pointer).value


@pytest.fixture
def code(compile_text: Any) -> Any:
    def make(number: int) -> Any:
        text = VALUE.replace("NUMBER", str(number)).replace("KERNEL", "value")
        return base.KernelCode("value", f"value {number}", host_target(), compile_text(text), 1, 0)

    return make


def test_one_load_per_key(runtime: CpuRuntime, code: Any):
    first = runtime.load(code(1))
    assert runtime.load(replace(code(1))) is first
    second = runtime.load(code(2))
    assert second is not first
    assert (call(runtime, first), call(runtime, second)) == (1, 2)
    assert runtime.loaded_kernels == 2


def test_one_load_for_many_threads(runtime: CpuRuntime, code: Any, monkeypatch: Any):
    loads: list[str] = []
    link: Any = host.link

    def counted(code: Any) -> Any:
        loads.append(code.key)
        return link(code)

    monkeypatch.setattr(host, "link", counted)
    kernels = [code(number) for number in range(3)]
    results: list[Any] = []
    threads = [
        threading.Thread(target=lambda: results.extend(map(runtime.load, kernels)))
        for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(loads) == [kernel.key for kernel in kernels]
    assert len(results) == 18


def test_the_table_is_bounded_and_used_kernels_stay(
    runtime: CpuRuntime, code: Any, monkeypatch: Any
):
    monkeypatch.setattr(host, "LOADED_KERNELS", 2)
    launchers = [runtime.load(code(number)) for number in range(5)]
    assert runtime.loaded_kernels == 2
    gc.collect()
    assert [call(runtime, launcher) for launcher in launchers] == [0, 1, 2, 3, 4]
    assert runtime.load(code(4)) is launchers[4]
    assert runtime.load(code(0)) is not launchers[0]


def test_code_that_is_not_ours(runtime: CpuRuntime, code: Any):
    assert call(runtime, runtime.load(replace(code(7), target=host_target()))) == 7
    triple, name, features = host_target().split("|")
    with pytest.raises(
        RuntimeError, match=f"compiled for sifive .riscv64., but this host is {name}"
    ):
        runtime.load(replace(code(8), target="riscv64|sifive|"))
    with pytest.raises(RuntimeError, match="which lacks avx99, zzz") as caught:
        runtime.load(replace(code(8), target=f"{triple}|future|{features},+zzz,+avx99,-other"))
    assert "trace and compile the function again on this host" in str(caught.value)
    for word in ("cpu", "opencl"):
        with pytest.raises(RuntimeError, match=f"compiled for '{word}', not for a CPU"):
            runtime.load(replace(code(8), target=word))


def test_code_for_an_older_cpu_runs(runtime: CpuRuntime, code: Any):
    triple, _, features = host_target().split("|")
    fewer = ",".join(word for word in features.split(",") if "avx" not in word)
    assert call(runtime, runtime.load(replace(code(9), target=f"{triple}|old|{fewer}"))) == 9


def test_code_that_does_not_link(runtime: CpuRuntime, code: Any, compile_text: Any):
    for broken in (
        replace(code(9), name="other"),
        replace(code(10), code=b"no object file"),
        replace(code(11), code=b""),
        replace(
            code(12),
            code=compile_text(
                "declare void @missing_symbol()\n"
                "define void @value(ptr %x) {\n call void @missing_symbol()\n ret void\n}"
            ),
        ),
    ):
        with pytest.raises(InternalError, match="does not link"):
            runtime.load(broken)
    assert call(runtime, runtime.load(code(13))) == 13


def test_kernels_may_call_the_c_library(runtime: CpuRuntime, compile_text: Any, code: Any):
    text = """
declare double @floor(double)
define void @value(ptr %out) {
  %x = load volatile double, ptr @number
  %y = call double @floor(double %x)
  %z = fptosi double %y to i64
  store i64 %z, ptr %out
  ret void
}
@number = global double 42.5"""
    assert call(runtime, runtime.load(replace(code(14), code=compile_text(text)))) == 42


def test_copies(runtime: CpuRuntime):
    storage = runtime.allocate(16)
    source = b"abcdefgh"

    buffer = ctypes.create_string_buffer(source, 8)
    runtime.copy_in(ctypes.addressof(buffer), storage, 4, 8)
    target = ctypes.create_string_buffer(8)
    runtime.copy_out(storage, 4, ctypes.addressof(target), 8)
    assert target.raw == source
    runtime.synchronize()


def test_devices_have_one_runtime_each():
    assert base.runtime_of(cpu) is base.runtime_of(Device("cpu"))
    assert base.runtime_of(Device("cpu:0")).device.type == "cpu"
    with pytest.raises(AssertionError, match="Torch not compiled with XPU enabled"):
        base.runtime_of(Device("xpu"))
    with pytest.raises(NotImplementedError, match="no runtime for device type 'hip'"):
        base.runtime_of(Device("hip"))


def test_meta_has_lengths_and_no_bytes():
    runtime = base.runtime_of(Device("meta"))
    storage = runtime.allocate(1 << 60)
    assert (storage.nbytes(), storage.data_ptr(), storage.device.type) == (1 << 60, 0, "meta")
    runtime.copy_in(0, storage, 0, 1 << 60)
    with pytest.raises(NotImplementedError, match="Cannot copy out of meta tensor; no data!"):
        runtime.copy_out(storage, 0, 0, 4)


def test_a_status_word_begins_clear(runtime: CpuRuntime):
    status = runtime.new_status()
    assert status.read() == (0, 0)
    assert status.pointer % 4 == 0
