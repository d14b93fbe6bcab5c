"""Are devices listed in order, once, as the environment says, and tried before they are used?"""

import json
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from trilith.runtime.cache import DiskCache
from trilith.runtime.devices.opencl import discovery, library, probe
from trilith.runtime.devices.opencl.discovery import DeviceEntry, describe, entries, select
from trilith.runtime.devices.opencl.face import Devices

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
    with pytest.raises(TrilithRuntimeError, match="there is no OpenCL device"):
        discovery.entry_of(0)


def test_selectors():
    both = [GPU, CPU]
    assert select(both, "portable") == [CPU]
    assert select(both, "slow, gpu ,slow") == [CPU, GPU]
    assert select(both, "1,0,1") == [CPU, GPU]
    assert select(both, "nothing like it") == []
    with pytest.raises(TrilithValueError, match="names device 2, but there are 2"):
        select(both, "2")


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


# Trying a device


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> DiskCache:
    """No device has been tried; what is found goes to an empty cache."""
    disk = DiskCache(tmp_path)
    monkeypatch.delenv(probe.VARIABLE, raising=False)
    monkeypatch.setattr(probe, "_known", {})
    monkeypatch.setattr(probe, "default_cache", lambda: disk)
    return disk


def child(tmp_path: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let another program be what tries the device."""
    (tmp_path / "probe_child.py").write_text(program)
    monkeypatch.setattr(probe, "__file__", str(tmp_path / "probe.py"))


def test_a_device_is_tried_once(fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    device = runtime()
    monkeypatch.delenv(probe.VARIABLE, raising=False)
    assert probe.known_facts(device.entry) is None
    facts = probe.check(device.entry)
    assert facts.verdict == "ok"
    assert facts.is_exact
    monkeypatch.setattr(probe, "_known", {})
    child(tmp_path, "", monkeypatch)
    assert probe.check(device.entry) == facts


@pytest.mark.parametrize(
    ("program", "verdict"),
    [
        ("import time; time.sleep(60)", "did not end in"),
        ("import os; os.abort()", "ended with code -6"),
        ("print('no json')", "ended with code 0"),
        ("print('{\"unknown\": 1}')", "ended with code 0"),
        ('print(\'{"verdict": "LogicError: no"}\')', "LogicError: no"),
        ("raise SystemExit('what it says')", "ended with code 1: what it says"),
    ],
)
def test_a_device_that_does_not_work_is_refused(
    fresh: DiskCache,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    program: str,
    verdict: str,
):
    child(tmp_path, program, monkeypatch)
    monkeypatch.setattr(probe, "TIME_LIMIT", 0.5 if "sleep" in program else 30.0)
    with pytest.raises(TrilithRuntimeError, match="'Fast GPU' of 'Vendor' does not work") as caught:
        probe.check(GPU)
    assert verdict in caught.value.message
    assert fresh.size() == 0  # a driver may be repaired


def test_what_was_found_stays_on_the_disk(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    child(tmp_path, 'print(\'{"verdict": "ok", "has_double": true}\')', monkeypatch)
    facts = probe.check(GPU)
    assert facts.has_double
    monkeypatch.setattr(probe, "_known", {})
    child(tmp_path, "", monkeypatch)
    assert probe.check(GPU) == facts
    newer = replace(GPU, driver="2")
    with pytest.raises(TrilithRuntimeError):
        probe.check(newer)


def test_the_environment_believes_every_device(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    child(tmp_path, "raise SystemExit(1)", monkeypatch)
    monkeypatch.setenv(probe.VARIABLE, "0")
    assert probe.check(GPU).has_double


def test_the_child_says_what_is_wrong():
    runtime()
    script = Path(probe.__file__).with_name("probe_child.py")
    nobody = json.dumps(["No platform", "1", "No device", "1", 0])
    done = subprocess.run(
        [sys.executable, "-P", str(script), nobody], capture_output=True, timeout=60, check=True
    )
    assert json.loads(done.stdout)["verdict"] == "LookupError: the device is not there"


def test_a_description_strips_what_drivers_pad(platforms: list[Any]):
    (handle,) = fake_platform("P \0", ("name\0", 2)).get_devices()
    assert describe(handle).identity == ("P", "OpenCL 3.0", "name", "1", 0)
