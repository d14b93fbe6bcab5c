"""Does anything touch memory beyond a tensor's? A fixed sample; `make fuzz N=20000` draws new ones.

Each test is a process of its own: memory must be guarded before anything is computed, and what goes
wrong ends the process.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

from ..runner import ends_well
from .guarded_memory import PAGE, GuardedAllocator


def run(*command: str) -> str:
    """Run a module in a process of its own, which must end well."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_programs_in_guarded_memory():
    sample = "--family guarded --count 8 --seed 1 --jobs 1"
    printed = run("tests.property.fuzz", *sample.split())
    assert "FAILED" not in printed
    assert "8 strided programs" in printed


def test_operands_at_any_byte():
    printed = run("tests.property.memory.misaligned", "1", "8", "--one-in", "6")
    assert printed.count(" 0 differ") == 2


def test_altered_plans_are_refused_or_stay_in_their_memory():
    printed = run("tests.property.memory.altered_plans", "600", "suite")
    assert printed.strip().startswith("600 altered plans")


@pytest.mark.parametrize("at_end", [True, False])
@pytest.mark.parametrize("size", [1, 16, PAGE - 1, PAGE, 3 * PAGE + 5])
def test_the_guard_sees_every_byte_beyond_the_edge(at_end: bool, size: int):
    allocator = GuardedAllocator()
    allocator.at_end = at_end
    address, give_back = allocator.allocate(size)
    ctypes.memset(address, 7, size)
    beyond = address + size if at_end else address - 1
    assert not ends_well(lambda: ctypes.string_at(beyond, 1))
    assert not ends_well(lambda: ctypes.memset(beyond, 0, 1))
    assert ends_well(lambda: ctypes.string_at(address, size))
    give_back()
    assert not ends_well(lambda: ctypes.string_at(address, 1))
