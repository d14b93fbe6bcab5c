"""Does our own linker load what our kernels become, and refuse everything else without harm?"""

from __future__ import annotations

import ctypes
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import trilith as tri
from trilith.dialects.diagnostics import InternalError
from trilith.runtime.devices import cpu
from trilith.runtime.devices.objects import UnknownObject, is_known_host, link_object
from trilith.runtime.execution.artifact import KernelCode, Launch

pytestmark = pytest.mark.skipif(not is_known_host(), reason="LLVM links on this host")

PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: x + 1,
    "functions": lambda x: tri.tanh(x * 2 + 1) * tri.exp(x) + tri.sqrt(x),
    "matmul": lambda x: x @ x,
    "sum": lambda x: x.sum(0),
    "double": lambda x: tri.sin(x.to(tri.float64)),
    "half": lambda x: (x.to(tri.float16) * 3).to(tri.bfloat16),
    "lookup": lambda x: x[tri.tensor([1, 2])],
}


def kernels(name: str) -> tuple[KernelCode, ...]:
    compiled = tri.trace(PROGRAMS[name], tri.spec((8, 8))).lower().compile()
    return compiled.artifact.kernels


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_links_every_kernel(name: str):
    for kernel in kernels(name):
        linked = link_object(kernel.code, kernel.name)
        assert linked.address


def test_linked_code_computes():
    (kernel,) = kernels("add")
    address = link_object(kernel.code, kernel.name)
    # The kernel itself, without any of the runtime between: pointers, then integers.
    signature = [ctypes.c_void_p] * kernel.pointers + [ctypes.c_int64] * kernel.integers
    call = ctypes.CFUNCTYPE(None, *signature)(address.address)
    artifact = tri.trace(PROGRAMS["add"], tri.spec((8, 8))).lower().compile().artifact
    (launch,) = artifact.launches
    assert isinstance(launch, Launch)
    source = np.arange(64, dtype=np.float32)
    target = np.zeros(64, np.float32)
    arrays = {"input": source, "output": target}
    pointers = [arrays[artifact.buffers[b].role].ctypes.data for b in launch.buffers]
    call(*pointers, *launch.integers)
    np.testing.assert_array_equal(target, source + 1)


def test_the_memory_can_be_run_and_not_written():
    (kernel,) = kernels("functions")
    linked = link_object(kernel.code, kernel.name)
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last = (int(part, 16) for part in line.split()[0].split("-"))
        if first <= linked.address < last:
            assert line.split()[1] == "r-xp"
            return
    pytest.fail("the code is in no memory")


def test_the_memory_goes_with_the_code():
    (kernel,) = kernels("add")

    # Only what can be run counts, and one look at all of it: other threads go on, and the text of
    # the list may itself lie where code has been.
    def count_of_code(addresses: list[int]) -> int:
        maps = [line.split()[:2] for line in Path("/proc/self/maps").read_text().splitlines()]
        bounds = [[int(part, 16) for part in place.split("-")] for place, way in maps if "x" in way]
        return sum(any(first <= each < last for first, last in bounds) for each in addresses)

    linked = [link_object(kernel.code, kernel.name) for _ in range(64)]
    addresses = [item.address for item in linked]
    assert count_of_code(addresses) == 64
    del linked
    assert count_of_code(addresses) < 8  # others may have got some of it meanwhile


@pytest.mark.parametrize("name", ["functions", "matmul", "lookup"])
def test_damaged_objects_are_linked_or_refused(name: str):
    chance = random.Random(7)
    for kernel in kernels(name):
        whole = kernel.code
        for round in range(600):
            data = bytearray(whole)
            if round % 3 == 0:
                del data[chance.randrange(len(data)) :]
            elif round % 3 == 1:
                for _ in range(chance.randrange(1, 4)):
                    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
            else:  # numbers that are far too large, where headers and tables are
                place = chance.randrange(len(data) - 8)
                struct.pack_into("<Q", data, place, chance.choice([2**64 - 1, 2**63, 2**32, 2**26]))
            try:
                link_object(bytes(data), kernel.name)
            except UnknownObject:
                continue


def test_every_shorter_file_is_refused():
    (kernel,) = kernels("add")
    for length in range(len(kernel.code)):
        with pytest.raises(UnknownObject):
            link_object(kernel.code[:length], kernel.name)


def test_what_it_does_not_know_is_refused():
    (kernel,) = kernels("functions")
    with pytest.raises(UnknownObject, match="the function is not in it"):
        link_object(kernel.code, "another")
    other = bytearray(kernel.code)
    other[18:20] = struct.pack("<H", 183)  # AArch64
    with pytest.raises(UnknownObject, match="no relocatable object for x86-64"):
        link_object(bytes(other), kernel.name)


def test_llvm_links_what_is_refused(monkeypatch: pytest.MonkeyPatch):
    def refuse(data: bytes, symbol: str, **_: bool) -> None:
        raise UnknownObject("of a kind that is not known")

    monkeypatch.setattr(cpu, "link_object", refuse)
    (kernel,) = kernels("add")
    launcher = cpu.link(kernel)
    assert callable(launcher)


def test_a_damaged_kernel_is_an_error():
    (kernel,) = kernels("add")
    damaged = KernelCode(
        kernel.name, kernel.key, kernel.target, b"nothing", kernel.pointers, kernel.integers
    )
    with pytest.raises(InternalError, match="does not link"):
        cpu.link(damaged)


def test_a_process_that_loads_code_needs_no_llvm():
    (kernel,) = kernels("matmul")
    program = (
        "import sys\n"
        "from trilith.runtime.devices.objects import link_object\n"
        f"assert link_object({kernel.code!r}, {kernel.name!r}).address\n"
        "assert 'llvmlite' not in sys.modules and 'xdsl' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
