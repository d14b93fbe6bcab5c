"""Can a device be trusted? Each is tried once, in a child process with a time limit.

A driver may hang, abort or compute wrong numbers; what it does to the child, this process survives.
The facts found are stored in the disk cache under what identifies the driver, so that this costs
time once per machine. TRILITH_OPENCL_PROBE=0 believes every device.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....dialects.diagnostics import TrilithRuntimeError
from ...cache import default_cache
from .discovery import DeviceEntry

VARIABLE = "TRILITH_OPENCL_PROBE"
TIME_LIMIT = 60.0
VERSION = 2
OK = "ok"


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What was found about a device; `verdict` is "ok" or what is wrong with it.

    `has_builtins`: the compiler knows clang's `__builtin_*` functions. `contracts`: it fuses
    multiplication and addition although it was told not to. `has_fma`, `has_denormals`,
    `divides_exactly`, `roots_exactly`: float32 arithmetic is IEEE 754's.
    """

    verdict: str = OK
    has_builtins: bool = False
    options: str = "-w -cl-std=CL1.2"
    contracts: bool = False
    has_fma: bool = True
    has_denormals: bool = True
    divides_exactly: bool = True
    roots_exactly: bool = True
    has_double: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether float32 arithmetic gives the same bits as the host's."""
        parts = (self.has_fma, self.has_denormals, self.divides_exactly, self.roots_exactly)
        return all(parts) and not self.contracts


_known: dict[tuple[str, str, str, str, int], DeviceFacts] = {}


def facts_of(entry: DeviceEntry) -> DeviceFacts:
    """Return what is known about a device, trying it if nothing is."""
    found = known_facts(entry)
    if found is None:
        found = _known[entry.identity] = _probe(entry)
        disk = default_cache()
        if disk is not None and found.verdict == OK:
            content = {name: getattr(found, name) for name in DeviceFacts.__slots__}
            disk.put(_key(entry), json.dumps(content).encode())
    return found


def known_facts(entry: DeviceEntry) -> DeviceFacts | None:
    """Return what this or an earlier process found, without trying the device."""
    if os.environ.get("TRILITH_OPENCL_PROBE") == "0":
        return DeviceFacts(has_double="cl_khr_fp64" in entry.extensions)
    found = _known.get(entry.identity)
    if found is None:
        disk = default_cache()
        data = None if disk is None else disk.get(_key(entry))
        found = None if data is None else _parsed(data)
        if found is not None:
            _known[entry.identity] = found
    return found


def check(entry: DeviceEntry) -> DeviceFacts:
    """Return the facts of a device that works; raises TrilithRuntimeError for one that does not."""
    facts = facts_of(entry)
    if facts.verdict != OK:
        raise TrilithRuntimeError(
            f"the OpenCL device '{entry.name}' of '{entry.platform}' does not work: "
            f"{facts.verdict}",
            hint=f"update its driver; {VARIABLE}=0 in the environment uses it all the same",
        )
    return facts


def _key(entry: DeviceEntry) -> str:
    return f"opencl probe {VERSION} {json.dumps(entry.identity)}"


def _parsed(data: bytes) -> DeviceFacts | None:
    try:
        content: Any = json.loads(data)
        return DeviceFacts(**content)
    except (ValueError, TypeError):
        return None


def _probe(entry: DeviceEntry) -> DeviceFacts:
    """Try the device in a child; a child that hangs or dies is a verdict too."""
    if not sys.executable:
        return DeviceFacts(has_double="cl_khr_fp64" in entry.extensions)
    child = str(Path(__file__).with_name("probe_child.py"))
    command = [sys.executable, "-P", child, json.dumps(entry.identity)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return DeviceFacts(verdict=f"a kernel of four items did not end in {TIME_LIMIT:.0f} s")
    except OSError as error:
        return DeviceFacts(verdict=f"no process could be started to try it: {error}")
    found = _parsed(done.stdout.strip().rpartition(b"\n")[2])
    if found is None:
        tail = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        why = f"the process that tried it ended with code {done.returncode}"
        return DeviceFacts(verdict=": ".join([why, *tail]))
    return found
