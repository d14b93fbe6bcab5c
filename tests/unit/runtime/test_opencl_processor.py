"""Does PoCL compile where its compiler does not know the processor's name?"""

import ctypes
import json
import subprocess
import sys
import types

import pytest

from trilith.runtime.devices.opencl import probe_child, processor

from .opencl_support import runtime

POCL = "Portable Computing Language"
MACHINE = b"x86_64-unknown-linux-gnu"


class Notes:
    """What a driver has noted of a device: numbers, pointers to texts and pointers to nowhere."""

    def __init__(self, machine: bytes, name: bytes, version: str = "PoCL pthread-generic") -> None:
        self.texts = [ctypes.create_string_buffer(text) for text in (b"noise", machine, name)]
        addresses = [ctypes.addressof(text) for text in self.texts]
        self.words = (ctypes.c_void_p * 256)(7, None, 2**64 - 1, addresses[0], *addresses)
        self.int_ptr = ctypes.addressof(self.words)
        self.version = version
        self.platform = types.SimpleNamespace(name=POCL)

    @property
    def name(self) -> bytes | None:
        return ctypes.c_char_p(self.words[6]).value


@pytest.fixture
def haswell(monkeypatch: pytest.MonkeyPatch) -> None:
    features = processor.PROCESSORS[1][1]
    monkeypatch.setattr(processor, "features", lambda: features)


@pytest.mark.usefixtures("haswell")
def test_a_processor_without_a_name_gets_one():
    notes = Notes(MACHINE, b"generic")
    processor.give_known_name(notes)
    assert notes.name == b"haswell"
    processor.give_known_name(notes)  # devices are looked for again and again
    assert notes.name == b"haswell"


@pytest.mark.usefixtures("haswell")
@pytest.mark.parametrize("name", processor.SLOW)
def test_a_processor_with_slow_code_gets_another_name(name: bytes):
    notes = Notes(MACHINE, name, f"PoCL pthread-{name.decode()}")
    processor.give_known_name(notes)
    assert notes.name == b"haswell"


@pytest.mark.usefixtures("haswell")
@pytest.mark.parametrize(
    ("machine", "name", "version", "platform"),
    [
        (MACHINE, b"znver3", "PoCL pthread-znver3", POCL),
        (MACHINE, b"generic", "PoCL pthread-znver3", POCL),
        (MACHINE, b"generic", "OpenCL 3.0 generic", POCL),
        (MACHINE, b"generic", "PoCL pthread-generic", "Another"),
        (MACHINE, b"generic2", "PoCL pthread-generic", POCL),
        (b"aarch64-unknown-linux-gnu", b"generic", "PoCL pthread-generic", POCL),
    ],
)
def test_nothing_else_is_touched(machine: bytes, name: bytes, version: str, platform: str):
    notes = Notes(machine, name, version)
    notes.platform.name = platform
    before = list(notes.words)
    processor.give_known_name(notes)
    assert list(notes.words) == before


def test_notes_that_cannot_be_read_are_left():
    assert processor.place_of_name(0, b"generic") is None
    assert processor.place_of_name(2**63, b"generic") is None
    assert processor.place_of_name(2**64, b"generic") is None


def test_a_name_says_no_more_than_there_is():
    wide, haswell = (features for _, features in processor.PROCESSORS[:2])
    assert processor.known_processor(wide | {"avx512_bf16"}) == b"skylake-avx512"
    assert processor.known_processor(wide - {"avx512vl"}) == b"haswell"
    assert processor.known_processor(haswell - {"fma"}) == b"x86-64"


def test_the_driver_keeps_its_name_there():
    """What is written to is what the driver calls the processor, on whatever machine this is."""
    handle = runtime().entry.handle
    if handle.platform.name != POCL or MACHINE[:7].decode() not in handle.version:
        pytest.skip("only PoCL's name of an x86-64 processor is known to be no name at times")
    name = handle.version.partition(MACHINE[:7].decode())[2].partition("-gnu-")[2].encode()
    if processor.poor_name(handle.version) is not None:
        name = processor.known_processor(processor.features())
    assert processor.place_of_name(handle.int_ptr, name) is not None


def test_the_child_says_what_the_compiler_says():
    """A driver that builds nothing is refused with the first line of its log."""
    entry = runtime().entry
    words = [json.dumps(entry.identity), f"{entry.build_options} -D__kernel=oops"]
    child = [sys.executable, "-P", probe_child.__file__, *words]
    done = subprocess.run(child, capture_output=True, text=True, timeout=60, check=True)
    verdict: str = json.loads(done.stdout)["verdict"]
    assert verdict.startswith("RuntimeError: ")
    assert "oops" in verdict
