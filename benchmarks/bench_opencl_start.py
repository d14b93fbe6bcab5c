"""How long until the first result of a graph of kernels on an OpenCL device?"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

from bench_opencl import OURS, opencl_device
from machine import all_cores
from processes import PeerError, nothing_cached, run_fresh
from registry import PEERS
from session import Row, Section, Session

CODE = """
import json, sys, time
sys.path.insert(0, {folder!r})
import pyopencl
from array_programs import make_inputs
from registry import PEERS
peer = PEERS[{peer!r}]()
values = make_inputs("normalisations", (48, 64))
start = time.perf_counter_ns()
peer.load()
loaded = time.perf_counter_ns()
inputs = [peer.array(value) for value in values]
opened = time.perf_counter_ns()
busy = time.process_time_ns()
function = peer.function("normalisations")
peer.numpy(function(*inputs))
first = time.perf_counter_ns()
busy = time.process_time_ns() - busy
for _ in range(peer.first_calls):
    peer.numpy(function(*inputs))
times = [loaded - start, opened - loaded, first - opened]
print(json.dumps([times, peer.compilations(function), busy]))
"""


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section(
        "opencl_start: ms in a fresh process, pyopencl imported, float32, all cores", ours=OURS
    )
    with all_cores():
        with nothing_cached() as changes:
            if opencl_device(section, changes) is None:
                return section
        for peer in session.names:
            if peer in (OURS, "tinygrad") and PEERS[peer].is_installed():
                session.progress(f"fresh processes: {peer}")
                _measure_peer(session, section, peer)
    return section


def _measure_peer(session: Session, section: Section, peer: str) -> None:
    """Add a peer's times to the rows; of ours also what a kernel costs."""
    try:
        count = min(session.effort.starts, 5 if peer == OURS else 2)
        pairs = [_cold_and_warm(peer) for _ in range(count)]
    except PeerError as error:
        session.failures.append(f"{peer}, fresh process: {error}")
        return
    for which, word in enumerate(("nothing built before", "built before")):
        steps = [pair[which][0] for pair in pairs]
        for place, name in enumerate(("loading the compiler", "opening the device")):
            _add(section, f"{name}, {word}", peer, [times[place] for times in steps])
        _add(section, f"first result, {word}", peer, [times[-1] for times in steps])
        busy = statistics.median(pair[which][2] for pair in pairs) / 1e6
        section.notes.append(
            f"{peer}, first result, {word}: {busy:.0f} ms of processor time, all threads together"
        )
        kernels = pairs[0][which][1]
        if kernels:
            note = f"{peer} runs {kernels} kernels"
            section.notes += [] if note in section.notes else [note]
            each = [times[-1] / kernels for times in steps]
            whole = [sum(times) / kernels for times in steps]
            _add(section, f"first result, {word}, for each kernel", peer, each)
            _add(section, f"all three, {word}, for each kernel", peer, whole)


def _add(section: Section, name: str, peer: str, times: list[float]) -> None:
    for row in section.rows:
        if row.name == name:
            row.rounds[peer] = times
            return
    section.rows.append(Row(name, {peer: times}))


def _cold_and_warm(peer: str) -> tuple[Any, Any]:
    """Return ((loading, opening, first result), kernels, busy) of a process and of one after it.

    The second has our cache and tinygrad's from the first, so binaries, and none of the driver's.
    """
    code = CODE.format(folder=str(Path(__file__).resolve().parent), peer=peer)
    with nothing_cached() as first, nothing_cached() as second:
        cold = run_fresh(code, **first, TRILITH_CACHE="1")
        kept = {name: first[name] for name in ("TRILITH_CACHE_DIR", "CACHEDB")}
        return cold, run_fresh(code, **{**second, **kept}, TRILITH_CACHE="1")
