"""Do random programs give the CPU's bits on an OpenCL device, with either schedule? A fixed sample.

`make fuzz N=2000 DEVICE=opencl:0` draws new ones. Each sample is a process of its own, as a driver
may hang or die, and as kernels of a schedule that is not the device's own must not stay behind.
"""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import trilith as tri

from .on_device import TARGETS
from .patterns import DTYPES, all_cases, different

ROOT = pathlib.Path(__file__).parents[3]
DEVICE = "opencl:0"
SEED, TIME_LIMIT = 20260, 240.0
#: Programs of a family, how many values must be equal at least, and the schedules: what starts a
#: process and builds kernels for one takes longer than to run them.
SAMPLES = {
    "values": (1, 500, TARGETS),
    "strided": (3, 200, TARGETS[:1]),
    "patterns": (3, 12_000, TARGETS[1:]),
}

#: Multiplies floats where the compiler of kernels says to add them.
FLAW = """
import re, sys
from trilith.compiler.codegen.opencl import kernel as kernels
emit = kernels.emit_kernel
addition = re.compile(r"(const (?:float|double) v.*) \\+ v")
kernels.emit_kernel = lambda func: addition.sub(r"\\1 * v", emit(func))
from tests.property.fuzz import main
sys.exit(main())
"""


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python on the checkout; skips the test where there is no OpenCL device."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "TRILITH_CACHE": "0"},
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    missing = re.search(r"^make fuzz DEVICE=.*", done.stderr, re.MULTILINE)
    if missing:
        pytest.skip(missing[0])
    return done


@pytest.mark.parametrize(
    ("family", "target"),
    [(family, target) for family, (_, _, targets) in SAMPLES.items() for target in targets],
)
def test_a_sample_gives_the_bits_of_the_cpu(family: str, target: str):
    count, least, _ = SAMPLES[family]
    options = f"--family {family} --target {target} --count {count} --seed {SEED} --jobs 1"
    done = run("-m", "tests.property.fuzz", "--device", DEVICE, *options.split())
    assert done.returncode == 0, done.stdout + done.stderr
    equal = re.search(rf"^{DEVICE}: ([\d,]+) values of .* programs", done.stdout, re.MULTILINE)
    assert equal is not None, done.stdout
    assert int(equal[1].replace(",", "")) > least


def test_a_flaw_of_the_device_is_found_and_made_small():
    options = f"--family values --operation add --target opencl-cpu --only 2 --seed {SEED}"
    done = run("-c", FLAW, "--device", DEVICE, "--jobs", "1", *options.split())
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED device compiled bits" in done.stdout
    program = done.stderr[done.stderr.index("from math") :].partition("\n\nseed")[0]
    assert f'device = "{DEVICE}"' in program
    assert "tri.add(" in program


@pytest.mark.parametrize("dtype", DTYPES)
def test_two_values_that_differ_in_a_bit_are_different(dtype: str):
    kind = getattr(tri, dtype).numpy
    ours, theirs = (np.zeros(5, kind) for _ in range(2))
    assert not different(ours, theirs).any()
    theirs.view(np.uint8)[3 * ours.itemsize] ^= 1
    assert different(ours, theirs).tolist() == [False, False, False, True, False]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_any_nan_equals_any_nan(dtype: str):
    kind = getattr(tri, dtype).numpy
    ours, theirs = np.full(3, np.nan, kind), np.full(3, np.nan, kind)
    theirs.view(np.uint8)[0] ^= 1
    assert not different(ours, theirs).any()
    assert different(ours, np.ones(3, kind)).all()
    assert different(np.array([0.0], kind), np.array([-0.0], kind)).all()


def test_the_cases_reach_every_dtype():
    cases = all_cases()
    assert {case.dtype for case in cases} == {case.target for case in cases} - {""} == set(DTYPES)
    assert {"exp", "floor_divide", "where", "maximum"} <= {case.operation for case in cases}
