"""Is each device tried before it is used, is that kept, and does the trial find what is wrong?"""

import json
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import trilith as tri
from trilith.compiler.codegen.opencl.preamble import preamble
from trilith.dialects.diagnostics import TrilithRuntimeError
from trilith.runtime.devices.opencl import probe, probe_child
from trilith.runtime.devices.opencl.discovery import DeviceEntry
from trilith.runtime.execution.cache import DiskCache

from .opencl_support import runtime

GPU = DeviceEntry(
    "gpu", "Fast GPU", "Vendor", "OpenCL 3.0", "1", 0, 8 << 30, 2 << 30, 40, 1 << 16, 1024, False,
    frozenset({"cl_khr_fp64"}),
)  # fmt: skip


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
    assert "TRILITH_OPENCL_PROBE=again tries it again" in str(caught.value.hint)
    # A driver that hangs costs its minute once, not once in each process.
    monkeypatch.setattr(probe, "_known", {})
    child(tmp_path, WORKS, monkeypatch)
    with pytest.raises(TrilithRuntimeError, match="does not work") as again:
        probe.check(GPU)
    assert again.value.message == caught.value.message


BROKEN = 'print(\'{"verdict": "it is broken"}\')'
WORKS = 'print(\'{"verdict": "ok"}\')'


@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_refused_device_is_tried_again_on_request(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_same_process: bool
):
    child(tmp_path, BROKEN, monkeypatch)
    assert probe.facts_of(GPU).verdict == "it is broken"
    if not is_same_process:
        monkeypatch.setattr(probe, "_known", {})
    child(tmp_path, WORKS, monkeypatch)
    monkeypatch.setenv(probe.VARIABLE, "again")
    assert probe.known_facts(GPU) is None
    assert probe.check(GPU).verdict == "ok"
    child(tmp_path, BROKEN, monkeypatch)
    assert probe.check(GPU).verdict == "ok"  # once in a process
    monkeypatch.delenv(probe.VARIABLE)
    monkeypatch.setattr(probe, "_known", {})
    assert probe.check(GPU).verdict == "ok"


@pytest.mark.parametrize("is_same_process", [True, False])
def test_a_refused_device_is_tried_again_after_a_day(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_same_process: bool
):
    child(tmp_path, BROKEN, monkeypatch)
    found_at = probe.facts_of(GPU).found_at
    if not is_same_process:
        monkeypatch.setattr(probe, "_known", {})
    child(tmp_path, WORKS, monkeypatch)
    clock = types.SimpleNamespace(time=lambda: found_at + 23 * 3600)
    monkeypatch.setattr(probe, "time", clock)
    assert probe.facts_of(GPU).verdict == "it is broken"
    clock.time = lambda: found_at + 25 * 3600
    assert probe.facts_of(GPU).verdict == "ok"
    clock.time = lambda: found_at + 1000 * 24 * 3600
    child(tmp_path, BROKEN, monkeypatch)
    assert probe.facts_of(GPU).verdict == "ok"  # what works is believed until its driver changes


@pytest.mark.parametrize(
    "program",
    [
        'print(\'{"verdict": "the device is not there", "is_passing": true}\')',
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "import os; os.kill(os.getpid(), 9)",
    ],
)
def test_what_says_nothing_of_the_device_is_not_kept(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str
):
    child(tmp_path, program, monkeypatch)
    assert probe.facts_of(GPU).verdict != "ok"
    assert fresh.size() == 0
    child(tmp_path, WORKS, monkeypatch)
    assert probe.facts_of(GPU).verdict == "ok"


def test_what_was_found_stays_on_the_disk(
    fresh: DiskCache, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    child(tmp_path, WORKS, monkeypatch)
    facts = probe.check(GPU)
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
    assert probe.check(GPU).verdict == "ok"


# What the child asks of a device


def tried(entry: DeviceEntry, options: str = "", text: str | None = None) -> str:
    """Return the verdict of the child, or of another text of it, with more options."""
    script = Path(probe_child.__file__)
    named = "" if text is None else text.replace("__file__", repr(str(script)))
    command = ["-c", named] if named else [str(script)]
    words = [json.dumps(entry.identity), f"{entry.build_options} {options}"]
    done = subprocess.run(
        [sys.executable, "-P", *command, *words], capture_output=True, timeout=60, check=True
    )
    return json.loads(done.stdout)["verdict"]


def pocl() -> DeviceEntry:
    """Return a device of the driver whose faults can be asked for."""
    entry = runtime().entry
    if entry.platform != "Portable Computing Language":
        pytest.skip("what options make of a device is known of PoCL alone")
    return entry


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ("", "ok"),
        (
            "-cl-denorms-are-zero",
            "it flushes denormal results to zero, flushes denormal operands to zero",
        ),
        ("-cl-fast-relaxed-math", "takes NaN for a number"),
    ],
)
def test_a_device_that_computes_otherwise_is_found_out(options: str, verdict: str):
    """Options make a driver do what others do by themselves."""
    assert verdict in tried(pocl(), options)


def test_a_device_that_contracts_is_found_out():
    """Without the pragma the driver fuses, as others do in spite of it."""
    text = Path(probe_child.__file__).read_text()
    text = text.replace("#pragma OPENCL FP_CONTRACT OFF", "")
    words = "a multiplication and an addition"
    verdict = tried(pocl(), text=text)
    assert verdict.startswith(f"it fuses {words} that are written apart")


@pytest.mark.parametrize("has_double", [True, False])
def test_each_number_that_is_wrong_is_named(has_double: bool):
    checks = probe_child.checks(has_double)
    right = [bits for _, bits, _ in checks]
    assert len(right) == (12 if has_double else 8)
    assert probe_child.verdict_on(right, has_double) == "ok"
    for place, (_, bits, words) in enumerate(checks):
        wrong = [*right[:place], bits ^ 1, *right[place + 1 :]]
        assert probe_child.verdict_on(wrong, has_double) == f"it {words}"
    assert ("double" in probe_child.source(has_double)) == has_double


def test_the_bits_are_those_of_the_host():
    """NumPy computes the same numbers, in float32 and float64 themselves."""
    x = np.array(probe_child.INPUTS, np.float32)
    d = np.float64(1.0) + np.float64(x[7])
    exact = {np.float32: 2.0**-24, np.float64: 2.0**-60}  # no rounding but the last
    first = {
        np.float32: [x[0] * x[1] + x[2], exact[np.float32], x[3] * np.float32(0.5), x[3]],
        np.float64: [d * d - (1.0 + 2.0 * np.float64(x[7])), exact[np.float64]],
    }
    i = np.arange(256)
    for kind, word, table in (
        (np.float32, np.uint32, probe_child.SINGLES),
        (np.float64, np.uint64, probe_child.DOUBLES),
    ):
        a, b = (i * 7919 + 1).astype(kind), (i * 104729 % 65521 + 1).astype(kind)
        found = [int(np.asarray(value, kind).view(word)) for value in first[kind]]
        for values in (a / b, np.sqrt(a)):
            digest = 0
            for bits in values.view(word).tolist():
                digest = (digest * 31 + bits) % 2**64
            found.append(digest)
        assert found == [bits for _, bits, _ in table]


def test_a_division_that_is_not_quite_exact_is_found_out():
    """A quotient by the reciprocal is right for 1 / 3 and most others."""
    text = Path(probe_child.__file__).read_text()
    text = text.replace('"a / b"', '"a * (1 / b)"').replace(
        '"{root}(a)"', '"{root}(a) * 1.0000001f"'
    )
    assert tried(pocl(), text=text) == (
        "it rounds divisions wrongly, rounds square roots wrongly, "
        "rounds divisions of float64 wrongly, rounds square roots of float64 wrongly"
    )


def test_kernels_call_what_the_child_tried():
    text = "\n".join(preamble(["TRI_FMA32", "TRI_SQRT64"], has_doubles=True, has_hints=False))
    condition = "#if defined(__clang__) && !defined(__NV_CL_C_VERSION)"
    for line in ("#pragma OPENCL FP_CONTRACT OFF", condition):
        assert line in text.splitlines()
        assert line in probe_child.source(True).splitlines()
    for function in ("__builtin_fmaf(", "__builtin_sqrt("):
        assert function in text
    for macro in ("FMA __builtin_fmaf", "DSQRT __builtin_sqrt"):
        assert f"#define {macro}\n" in probe_child.source(True)


def test_a_kernel_that_needs_doubles_is_refused_where_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
):
    programs = runtime().programs
    entry = replace(programs._entry, name="Small GPU", extensions=frozenset({"cl_khr_icd"}))
    monkeypatch.setattr(programs, "_entry", entry)
    host = tri.arange(7.0)
    x, wide = host.to("opencl:0"), host.double().to("opencl:0")
    built = programs.built
    for compute in (
        lambda: (wide * 2.25 - 0.125).sum().item(),
        lambda: (x.double() * 2.25 - 0.125).sum().item(),
    ):
        with pytest.raises(TrilithRuntimeError) as caught:
            compute()
        assert "computes with float64, which the OpenCL device 'Small GPU' does not have" in (
            caught.value.message
        )
        assert caught.value.location is not None
        assert caught.value.location.file == __file__
    assert programs.built == built
    assert wide.cpu().tolist() == list(range(7))
    assert (x * x - x).cpu().tolist() == [i * i - i for i in range(7)]
    assert tri.compile(lambda a: a * 2.25)(x).cpu().tolist() == [2.25 * i for i in range(7)]


def test_the_child_says_what_is_wrong():
    runtime()
    script = Path(probe.__file__).with_name("probe_child.py")
    nobody = json.dumps(["No platform", "1", "No device", "1", 0])
    done = subprocess.run(
        [sys.executable, "-P", str(script), nobody, ""], capture_output=True, timeout=60, check=True
    )
    assert json.loads(done.stdout)["verdict"] == "LookupError: the device is not there"
