"""How long until the first result? Imports, first calls, the disk, tracing, new sizes."""

from __future__ import annotations

import tempfile
from typing import Any

from first_results import cold_first_calls, results_from_disk
from processes import PeerError, run_fresh
from session import Row, Section, Session

#: (import and decorate, make an array): what a user's file begins with.
STEPS = {
    "trilith": ("import trilith as tri\nf = tri.compile(lambda x: x + 1)", "tri.tensor(values)"),
    "torch": ("import torch\nf = lambda x: x + 1", "torch.from_numpy(values)"),
    "torch.compile": (
        "import torch\nf = torch.compile(lambda x: x + 1)",
        "torch.from_numpy(values)",
    ),
    "jax": (
        "import jax\ng = jax.jit(lambda x: x + 1)\nf = lambda x: g(x).block_until_ready()",
        "jax.device_put(values)",
    ),
    "numba": ("import numba\nf = numba.njit(lambda x: x + 1)", "values"),
    "numexpr": ("import numexpr\nf = lambda x: numexpr.evaluate('x + 1')", "values"),
}

CODE = """
import time
import numpy
values = numpy.ones(64, numpy.float32)
start = time.perf_counter_ns()
{setup}
imported = time.perf_counter_ns()
f({array})
first = time.perf_counter_ns()
import json, sys
heavy = [name for name in ("xdsl", "llvmlite") if name in {loaded}]
print(json.dumps([imported - start, first - imported, heavy]))
"""


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("start: ms until something happened, float32")
    _fresh_processes(session, section)
    results_from_disk(session, section)
    _loaded(session, section)
    cold_first_calls(session, section)
    return section


def _fresh_processes(session: Session, section: Section) -> None:
    imports = Row("import + decorate, above numpy", {})
    cold = Row("first call, nothing on disk", {})
    warm = Row("first call, compiled before", {})
    section.rows += [imports, cold, warm]
    for peer in session.peers:
        if peer not in STEPS:
            continue
        session.progress(f"fresh processes: {peer}")
        slow = peer in {"torch.compile", "torch", "jax", "numba"}
        count = min(session.effort.starts, 1 if peer == "torch.compile" else 3 if slow else 99)
        try:
            # The first process reads files that the system has not cached yet.
            _fresh(peer, disk_cache=None)
            found = [_fresh(peer, disk_cache=None) for _ in range(count)]
            with tempfile.TemporaryDirectory() as folder:
                _fresh(peer, disk_cache=folder)
                again = [_fresh(peer, disk_cache=folder) for _ in range(count)]
        except PeerError as error:
            session.failures.append(f"{peer}, fresh process: {error}")
            continue
        imports.rounds[peer] = [times[0] for times in found + again]
        cold.rounds[peer] = [times[1] for times in found]
        if peer in {"trilith", "torch.compile"}:
            warm.rounds[peer] = [times[1] for times in again]
        if peer == "trilith" and found[0][2]:
            section.notes.append(f"import trilith loads {', '.join(found[0][2])}: it must not")


def _fresh(peer: str, disk_cache: str | None) -> Any:
    """Return (import, first call, heavy modules loaded by the import) of a new process."""
    setup, array = STEPS[peer]
    # A set made between the two clocks would count: ask the modules after the import only.
    code = CODE.format(setup=setup + "\nloaded = set(sys.modules)", array=array, loaded="loaded")
    code = "import sys\n" + code
    if disk_cache is not None:
        return run_fresh(
            code,
            TRILITH_CACHE="1",
            TRILITH_CACHE_DIR=disk_cache,
            TORCHINDUCTOR_CACHE_DIR=disk_cache,
        )
    with tempfile.TemporaryDirectory() as folder:
        return run_fresh(code, TRILITH_CACHE_DIR=folder, TORCHINDUCTOR_CACHE_DIR=folder)


def _loaded(session: Session, section: Section) -> None:
    first = Row("first call of one operation, loaded", {})
    traced = Row("20 operations to LLVM text", {})
    shapes = Row("call with new sizes", {})
    section.rows += [first, traced, shapes]
    effort = session.effort
    for peer in session.peers:
        session.progress(f"first calls and new sizes: {peer}")
        if session.ask(peer, "prepare", program="a*b + c", shape=[64]) is None:
            continue
        limit = 2 if peer == "torch.compile" else effort.first_calls
        found = session.ask(peer, "first_calls", limit=min(limit, effort.first_calls))
        if found:
            first.rounds[peer] = found
            if peer == "trilith":
                slowest = ", ".join(f"{time / 1e6:.1f}" for time in found)
                section.notes.append(f"first calls of ours, ms: {slowest}")
        found = session.ask(peer, "trace", program="20 operations", repeats=5 * effort.rounds)
        if found:
            traced.rounds[peer] = found[1:]
        answer = session.ask(peer, "new_shapes", program="a*b + c", count=2 * effort.rounds)
        if answer:
            shapes.rounds[peer] = answer["times"]
            if answer["compiled"] is not None:
                section.notes.append(
                    f"{peer}: {len(answer['times'])} calls with new sizes compiled "
                    f"{answer['compiled']} kernels (stats())"
                )
    if "jax" in traced.rounds:
        section.notes.append("20 operations: jax stops at StableHLO, which is before XLA")
