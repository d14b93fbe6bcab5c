"""What if the driver is missing, broken or gone, and if what was stored of its programs is damaged?

Each case runs in a process of its own, with a time limit.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from trilith.runtime.devices.opencl import programs
from trilith.runtime.devices.opencl.programs import ProgramTable
from trilith.runtime.execution.cache import DiskCache

from .opencl_support import kernel, run_python, runtime

LOOK = """
import trilith as tri
try:
    print(tri.ones(3, device="opencl").add(1).tolist())
except RuntimeError as error:
    print(type(error).__name__, str(error))
print(tri.opencl.is_available() == tri.accelerator.is_available() == bool(tri.ones(1)) or "no")
"""


@pytest.fixture(autouse=True)
def device() -> Any:
    return runtime()


# Drivers


@pytest.mark.parametrize(
    "content",
    ["/nonexistent/libdriver.so", "", "\n\1\2 no name", "libm.so.6\n"],
    ids=["missing", "empty", "garbage", "other"],
)
def test_a_broken_driver_file_is_an_error_or_skipped(tmp_path: Path, content: str):
    """Loaders that have other places to look find a driver there all the same."""
    path = tmp_path / "broken.icd"
    path.write_text(content)
    for place in (tmp_path, path) if content.startswith("/") else (tmp_path,):
        text = run_python(LOOK, OCL_ICD_VENDORS=str(place), timeout=120)
        assert text.startswith("[2.0, 2.0, 2.0]") or (
            "TrilithRuntimeError OpenCL: there is no OpenCL" in text
            and "pip install trilith[opencl]" in text
            and "--> <string>:" in text
        ), text


def test_a_driver_file_of_zeros_is_refused(tmp_path: Path):
    """The loader would read before its beginning and die."""
    path = tmp_path / "zeros.icd"
    path.write_bytes(bytes(20))
    for place in (tmp_path, path):
        text = run_python(LOOK, OCL_ICD_VENDORS=str(place))
        assert f"the file '{path}', which should name an OpenCL driver, is damaged" in text
        assert "--> <string>:" in text


def test_a_device_that_vanished_is_refused(tmp_path: Path):
    """The process that tries it does not find it, and nothing is remembered of that."""
    program = """
    import os
    import trilith as tri
    assert len(tri.opencl.devices()) == 2
    os.environ["POCL_DEVICES"] = "basic"
    for _ in range(2):
        try:
            tri.ones(3, device="opencl:1")
        except RuntimeError as error:
            print(error.message)
    print(tri.ones(3, device="opencl:0").tolist())
    """
    lines = run_python(
        program,
        POCL_DEVICES="basic basic",
        TRILITH_OPENCL_PROBE="1",
        TRILITH_CACHE_DIR=str(tmp_path),
        TRILITH_CACHE="1",
    ).splitlines()
    assert len(lines) == 3
    assert all("does not work: LookupError: the device is not there" in line for line in lines[:2])
    assert lines[2] == "[1.0, 1.0, 1.0]"


def test_a_verdict_about_a_device_that_is_no_longer_listed(tmp_path: Path):
    program = """
    import trilith as tri
    try:
        print(tri.ones(3, device="opencl:1").tolist())
    except RuntimeError as error:
        print(error.message)
    """
    places: dict[str, Any] = {
        "TRILITH_CACHE_DIR": str(tmp_path),
        "TRILITH_CACHE": "1",
        "TRILITH_OPENCL_PROBE": "1",
    }
    assert run_python(program, POCL_DEVICES="basic basic", **places) == "[1.0, 1.0, 1.0]"
    text = run_python(program, POCL_DEVICES="basic", **places)
    assert text == "invalid device ordinal: 'opencl:1' with 1 OpenCL device"


def test_drivers_do_not_write_about_warnings():
    runtime()
    # A value that is compared with itself is what compilers warn of.
    program = 'import trilith as tri\nx = tri.arange(3, device="opencl")\nprint(x.eq(x).tolist())'
    assert run_python(program, TRILITH_CACHE="0") == "[True, True, True]"


# Binaries that were stored

PROGRAM = """
import trilith as tri
from trilith.runtime.devices.base import runtime_of
f = tri.compile(lambda a: (a * 2 + 1).sum(0).sqrt())
x = tri.arange(12.0, device="opencl:0").reshape(3, 4)
print(f(x).tolist())
tri.opencl.synchronize()
print(runtime_of(x.device).programs.built > 0)
"""


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(len(content) // 2, len(content), 97):
        content[place] ^= 0x10
    path.write_bytes(content)


def become_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "flipped": flip,
    "halved": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "emptied": lambda path: path.write_bytes(b""),
    "replaced": lambda path: path.write_bytes(os.urandom(path.stat().st_size)),
    "folder": become_folder,
}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A cache that a process has filled, and what the process printed."""
    runtime()
    folder = tmp_path_factory.mktemp("cache")
    text = run_python(PROGRAM, TRILITH_CACHE_DIR=str(folder), TRILITH_CACHE="1")
    return folder, text


def test_a_stored_binary_is_used(stored: tuple[Path, str]):
    folder, text = stored
    again = run_python(PROGRAM, TRILITH_CACHE_DIR=str(folder), TRILITH_CACHE="1")
    assert text.endswith("\nTrue")
    assert again == text.replace("True", "False")


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_binary_is_built_again(stored: tuple[Path, str], tmp_path: Path, name: str):
    folder, text = stored
    copy = tmp_path / "cache"
    shutil.copytree(folder, copy)
    entries = list(copy.rglob("*.entry"))
    assert entries
    for path in entries:
        DAMAGES[name](path)
    assert run_python(PROGRAM, TRILITH_CACHE_DIR=str(copy), TRILITH_CACHE="1") == text


def test_a_folder_that_cannot_be_used_is_no_cache(stored: tuple[Path, str], tmp_path: Path):
    path = tmp_path / "file"
    path.write_text("no folder")
    for folder in (path, Path("/proc/nowhere")):
        text = run_python(PROGRAM, TRILITH_CACHE_DIR=str(folder), TRILITH_CACHE="1")
        assert text == stored[1]


def test_binaries_of_other_versions_are_not_used(
    device: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    disk = DiskCache(tmp_path)
    monkeypatch.setattr(programs, "default_cache", lambda: disk)

    def build(options: str = "-cl-std=CL1.2") -> tuple[int, int]:
        table = ProgramTable(device.context, device.entry, options)
        pending = table.load(kernel("twice", "_versions"))
        launched = pending.build()
        assert launched is not None
        pending.has_run()
        table.close()
        return table.built, table.loaded

    assert build() == (1, 0)
    assert build() == (0, 1)
    assert build("-cl-std=CL1.2 -cl-mad-enable") == (1, 0)
    monkeypatch.setattr(programs, "VERSION", programs.VERSION + 1)
    assert build() == (1, 0)


def test_results_do_not_depend_on_the_cache(device: Any, stored: tuple[Path, str]):
    expected = np.sqrt((np.arange(12.0, dtype=np.float32).reshape(3, 4) * 2 + 1).sum(0))
    assert stored[1].splitlines()[0] == str(expected.tolist())
