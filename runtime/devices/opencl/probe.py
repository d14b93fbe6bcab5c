"""Can a device be trusted? Each is tried once, in a child process with a time limit.

A driver may hang, abort or compute wrong numbers; what it does to the child, this process survives.
What was found is stored in the disk cache under what identifies the driver, so that this costs
time once per machine: a device that works until its driver changes, one that does not for a day.
TRILITH_OPENCL_PROBE=0 believes every device, TRILITH_OPENCL_PROBE=again forgets what was found.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ....dialects.diagnostics import TrilithRuntimeError
from ....dialects.records import record, replace
from ...execution.cache import default_cache
from .discovery import DeviceEntry

VARIABLE = "TRILITH_OPENCL_PROBE"
TIME_LIMIT = 60.0
VERSION = 4
OK = "ok"
#: How long it is believed that a device does not work, in seconds: a driver may be repaired.
PATIENCE = 24 * 3600.0
#: What ends the child but says nothing of the device: somebody ended it, or memory was short.
_FOREIGN_ENDS = (-signal.SIGINT, -signal.SIGTERM, -9)


@record
class DeviceFacts:
    """What was found about a device; `verdict` is "ok" or what is wrong with it.

    `found_at` is in seconds since 1970. `is_passing`: the verdict is about the moment, and nobody
    is to remember it.
    """

    verdict: str = OK
    found_at: float = 0.0
    is_passing: bool = False

    @property
    def is_believed(self) -> bool:
        """Whether the verdict still counts."""
        return self.verdict == OK or 0 <= time.time() - self.found_at < PATIENCE


#: By identity, and whether TRILITH_OPENCL_PROBE said to try again.
_known: dict[tuple[object, ...], DeviceFacts] = {}


def facts_of(entry: DeviceEntry) -> DeviceFacts:
    """Return what is known about a device, trying it if nothing is."""
    found = known_facts(entry)
    if found is None:
        found = replace(_probe(entry), found_at=time.time())
        if not found.is_passing:
            _known[_identity(entry)] = found
            disk = default_cache()
            if disk is not None:
                disk.put(_key(entry), json.dumps(asdict(found)).encode())
    return found


def known_facts(entry: DeviceEntry) -> DeviceFacts | None:
    """Return what this or an earlier process found, without trying the device."""
    if os.environ.get("TRILITH_OPENCL_PROBE") == "0":
        return DeviceFacts()
    found = _known.get(_identity(entry))
    if found is None and not _is_again():
        disk = default_cache()
        data = None if disk is None else disk.get(_key(entry))
        found = None if data is None else _parsed(data)
        if found is not None:
            _known[_identity(entry)] = found
    return found if found is not None and found.is_believed else None


def check(entry: DeviceEntry) -> DeviceFacts:
    """Return the facts of a device that works; raises TrilithRuntimeError for one that does not."""
    facts = facts_of(entry)
    if facts.verdict != OK:
        kept = "" if facts.is_passing else ", which is done by itself after a day"
        raise TrilithRuntimeError(
            f"the OpenCL device '{entry.name}' of '{entry.platform}' does not work: "
            f"{facts.verdict}",
            hint=f"update its driver; in the environment {VARIABLE}=again tries it again{kept}, "
            f"and {VARIABLE}=0 uses it all the same",
        )
    return facts


def _is_again() -> bool:
    return os.environ.get("TRILITH_OPENCL_PROBE") == "again"


def _identity(entry: DeviceEntry) -> tuple[object, ...]:
    return _is_again(), *entry.identity


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
        return DeviceFacts()
    child = str(Path(__file__).with_name("probe_child.py"))
    command = [sys.executable, "-P", child, json.dumps(entry.identity), entry.build_options]
    try:
        done = subprocess.run(command, capture_output=True, timeout=TIME_LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return DeviceFacts(verdict=f"a kernel of four items did not end in {TIME_LIMIT:.0f} s")
    except OSError as error:
        verdict = f"no process could be started to try it: {error}"
        return DeviceFacts(verdict, is_passing=True)
    found = _parsed(done.stdout.strip().rpartition(b"\n")[2])
    if found is None:
        tail = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        why = f"the process that tried it ended with code {done.returncode}"
        is_passing = done.returncode in _FOREIGN_ENDS
        return DeviceFacts(": ".join([why, *tail]), is_passing=is_passing)
    return found
