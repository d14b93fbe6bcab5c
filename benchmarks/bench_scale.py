"""How does the time to compile grow with a program? A dozen shapes of programs, by operation."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from processes import TIME_LIMIT, environment
from scale_programs import MAKERS
from session import FULL, TINY, Section, Session

_PROGRAMS = Path(__file__).with_name("scale_programs.py")
_PHASES = ("trace", "lower", "compile", "first")


def measure(session: Session) -> Section:
    """Return the table, as lines: its columns are phases and no peers."""
    counts = {id(FULL): (100, 1000, 4000), id(TINY): (12,)}.get(id(session.effort), (100, 1000))
    section = Section("scale: us of a processor for each operation of a program of n operations")
    heads = "".join(f"{phase:>9}" for phase in _PHASES)
    section.notes.append(f"{'':21}{'n':>5}{heads}  kernels  launches")
    for name in list(MAKERS)[:2] if session.effort is TINY else MAKERS:
        for count in counts:
            session.progress(f"programs of {count} operations: {name}")
            section.notes.append(_line(session, name, count))
    return section


def _line(session: Session, name: str, count: int) -> str:
    """Return what a program of a shape takes, in a process of its own with nothing cached."""
    try:
        done = subprocess.run(
            [sys.executable, str(_PROGRAMS), name, str(count)],
            capture_output=True,
            text=True,
            check=True,
            env=environment({}),
            timeout=TIME_LIMIT,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        session.failures.append(f"{count} operations, {name}: {error}")
        return f"{name:21}{count:5}  did not end"
    found: dict[str, Any] = json.loads(done.stdout)
    times = "".join(f"{1000 * found[phase] / count:9.0f}" for phase in _PHASES)
    return f"{name:21}{count:5}{times}{found['kernels']:9}{found['launches']:10}"
