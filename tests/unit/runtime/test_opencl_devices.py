"""Are devices listed in order, once, as the environment says, and is it said why there is none?"""

import subprocess
import sys
import types
from dataclasses import replace
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.runtime.devices.opencl import discovery, library
from trilith.runtime.devices.opencl.discovery import DeviceEntry, describe, entries, select
from trilith.runtime.devices.opencl.runtime import device_count
from trilith.runtime.opencl.face import Devices

from .opencl_support import runtime

GPU = DeviceEntry(
    "gpu", "Fast GPU", "Vendor", "OpenCL 3.0", "1", 0, 8 << 30, 2 << 30, 40, 1 << 16, 1024, False,
    frozenset({"cl_khr_fp64"}),
)  # fmt: skip
CPU = replace(GPU, kind="cpu", name="Slow CPU", platform="Portable", has_unified_memory=True)


class FakeLibrary(types.SimpleNamespace):
    """As much of pyopencl as discovery asks for."""

    class Error(Exception):
        code = -1

    class device_type:
        GPU, ACCELERATOR, CPU = 4, 8, 2


def fake_device(platform: Any, name: str, kind: int) -> Any:
    numbers = dict.fromkeys(
        (
            "global_mem_size",
            "max_mem_alloc_size",
            "max_compute_units",
            "local_mem_size",
            "max_work_group_size",
            "host_unified_memory",
            "single_fp_config",
        ),
        64,
    )
    return types.SimpleNamespace(
        platform=platform, name=name, driver_version="1 ", type=kind, extensions="a b", **numbers
    )


def fake_platform(name: str, *devices: tuple[str, int]) -> Any:
    platform: Any = types.SimpleNamespace(name=name, version="OpenCL 3.0")
    made = [fake_device(platform, *device) for device in devices]

    def get_devices() -> list[Any]:
        if not made:
            raise FakeLibrary.Error("no device")
        return made

    platform.get_devices = get_devices
    return platform


@pytest.fixture
def platforms(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The platforms of a fake library; the test fills them in."""
    found: list[Any] = []
    fake = FakeLibrary(get_platforms=lambda: found)
    monkeypatch.setattr(library.STATE, "library", fake)
    monkeypatch.delenv(discovery.VARIABLE, raising=False)
    return found


def names() -> list[str]:
    return [f"{entry.platform}/{entry.name}/{entry.ordinal}" for entry in entries()]


def test_gpus_come_first_and_platforms_keep_their_order(platforms: list[Any]):
    platforms += [
        fake_platform("A", ("cpu", 2), ("gpu", 4)),
        fake_platform("empty"),
        fake_platform("B", ("acc", 8), ("gpu", 4), ("odd", 16)),
    ]
    assert names() == ["A/gpu/0", "B/gpu/0", "B/acc/0", "A/cpu/0", "B/odd/0"]


def test_a_driver_installed_twice_counts_once(platforms: list[Any]):
    platforms += [fake_platform("A", ("cpu", 2), ("cpu", 2))] * 2
    platforms += [fake_platform("A ", ("cpu ", 2), ("cpu", 2), ("cpu", 2))]
    assert names() == ["A/cpu/0", "A/cpu/1", "A/cpu/2"]


def test_the_environment_chooses(platforms: list[Any], monkeypatch: pytest.MonkeyPatch):
    platforms += [fake_platform("A", ("cpu", 2)), fake_platform("B", ("gpu", 4))]
    monkeypatch.setenv(discovery.VARIABLE, "cpu,0")
    assert names() == ["A/cpu/0", "B/gpu/0"]
    monkeypatch.setenv(discovery.VARIABLE, "none")
    assert names() == []
    with pytest.raises(TrilithRuntimeError) as caught:
        discovery.entry_of(0)
    assert caught.value.message == (
        "there is no OpenCL device that TRILITH_OPENCL_DEVICES='none' selects"
    )
    assert caught.value.hint == "there are 0, the gpu 'gpu' of 'B'; 1, the cpu 'cpu' of 'A'"


def test_platforms_without_devices_are_named(platforms: list[Any]):
    """Their drivers are installed, so that pip has nothing to mend."""
    silent = fake_platform("silent \0")
    silent.get_devices = tuple
    platforms += [fake_platform("loud"), silent]
    with pytest.raises(TrilithRuntimeError) as caught:
        discovery.entry_of(0)
    assert caught.value.message == (
        "there is no OpenCL device: the platform 'loud' offers none: no device; "
        "the platform 'silent' offers none"
    )
    assert "pip" not in str(caught.value.hint)
    platforms.clear()
    with pytest.raises(TrilithRuntimeError, match="there is no OpenCL platform") as caught:
        discovery.entry_of(0)
    assert caught.value.hint == library.INSTALL


@pytest.mark.parametrize("selectors", ["99", "-1", "garbage"])
def test_a_variable_that_names_nothing_hides_all(
    platforms: list[Any], monkeypatch: pytest.MonkeyPatch, selectors: str
):
    """What asks whether there is a device is told no; who wants one is told why."""
    platforms += [fake_platform("A", ("cpu", 2))]
    monkeypatch.setenv(discovery.VARIABLE, selectors)
    assert device_count() == 0
    assert not tri.opencl.is_available()
    with pytest.raises(TrilithRuntimeError, match=f"{discovery.VARIABLE}.*{selectors}") as caught:
        discovery.entry_of(0)
    assert caught.value.hint == "there is 0, the cpu 'cpu' of 'A'"


def test_selectors():
    both = [GPU, CPU]
    assert select(both, "portable") == [CPU]
    assert select(both, "slow, gpu ,slow") == [CPU, GPU]
    assert select(both, "1,0,1") == [CPU, GPU]
    assert select(both, "nothing like it") == []
    with pytest.raises(TrilithRuntimeError, match="names device 2, but there are 2 OpenCL devices"):
        select(both, "2")
    with pytest.raises(
        TrilithRuntimeError, match="names device 0, but there are no OpenCL devices"
    ):
        select([], "0")


def test_an_index_that_does_not_exist(platforms: list[Any]):
    platforms += [fake_platform("A", ("cpu", 2))]
    with pytest.raises(TrilithRuntimeError, match=r"invalid device ordinal: 'opencl:7' with 1 "):
        discovery.entry_of(7)


def test_no_platform(monkeypatch: pytest.MonkeyPatch):
    def get_platforms() -> None:
        error = FakeLibrary.Error("clGetPlatformIDs failed: PLATFORM_NOT_FOUND_KHR")
        error.code = -1001
        raise error

    fake = FakeLibrary(get_platforms=get_platforms, Error=FakeLibrary.Error)
    monkeypatch.setattr(library.STATE, "library", fake)
    with pytest.raises(TrilithRuntimeError, match="there is no OpenCL platform") as caught:
        entries()
    assert caught.value.hint == library.INSTALL


def test_no_pyopencl(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(library.STATE, "library", None)
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    with pytest.raises(TrilithRuntimeError, match="need the package pyopencl") as caught:
        entries()
    assert caught.value.hint == "pip install trilith[opencl]"
    assert not tri.opencl.is_available()


def test_importing_trilith_does_not_import_pyopencl():
    program = "import sys, trilith; trilith.opencl; sys.exit('pyopencl' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_devices_print_as_a_table():
    lines = str(Devices([GPU, CPU])).splitlines()
    assert lines[0].split() == [
        *("device", "type", "name", "platform", "memory", "units", "verdict"),
    ]
    assert lines[1].startswith("opencl:0  gpu   Fast GPU  Vendor 1    8.0 GiB     40")
    assert lines[2].startswith("opencl:1  cpu   Slow CPU  Portable 1  8.0 GiB     40")


def test_the_type_alone_is_the_first_device_or_the_default():
    runtime()
    assert tri.empty(1, device="opencl").device == tri.device("opencl:0")
    with tri.device("opencl:1"):
        assert tri.device("opencl:1") == tri.get_default_device()


def test_a_description_strips_what_drivers_pad(platforms: list[Any]):
    (handle,) = fake_platform("P \0", ("name\0", 2)).get_devices()
    assert describe(handle).identity == ("P", "OpenCL 3.0", "name", "1", 0)
