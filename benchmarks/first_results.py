"""How long from the end of an import to the first result, and what does a first call cost then?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from processes import PeerError, run_fresh
from session import Row, Section, Session

#: (import and set up, make a function, make an array): what a user's file has.
LIBRARIES = {
    "trilith": ("import trilith as m", "m.compile(f)", "m.tensor(values)"),
    "trilith eager": ("import trilith as m", "f", "m.tensor(values)"),
    "numpy": ("import numpy as m", "f", "values"),
    "torch": ("import torch as m", "f", "m.from_numpy(values)"),
    "torch.compile": ("import torch as m", "m.compile(f)", "m.from_numpy(values)"),
    "jax": ("import jax\nimport jax.numpy as m", "jax.jit(f)", "jax.device_put(values)"),
}

#: What is computed from a matrix x, in words that all of these libraries know.
RESULTS = {
    "1 operation": "return x + 1",
    "10 operations": "return m.tanh(x * 2 + 1) * m.exp(x * -0.5) + m.sqrt(x * x + 1)",
    "matmul": "return x @ x",
    "softmax": "e = m.exp(x - m.amax(x, 1)[:, None]); return e / e.sum(1)[:, None]",
}

CODE = """
import json, sys, time
import numpy
values = numpy.linspace(-1, 1, 4096, dtype=numpy.float32).reshape(64, 64)
{imports}
def f(x): {result}
start = time.perf_counter_ns()
found = numpy.asarray({function}({array}))
spent = time.perf_counter_ns() - start
heavy = [name for name in ("xdsl", "llvmlite") if name in sys.modules]
print(json.dumps([spent, heavy, float(found.sum())]))
"""

#: Functions whose first calls are measured after that of another function.
FIRST_CALLS = ("10 operations", "100 operations", "matmul")


def results_from_disk(session: Session, section: Section) -> None:
    """Add the times from the end of an import to a first result, compiled by a process before."""
    peers = [peer for peer in session.peers if peer in LIBRARIES]
    if "trilith" in peers and "trilith eager" not in peers:
        peers.insert(peers.index("trilith") + 1, "trilith eager")
    loaded: dict[tuple[str, str], list[str]] = {}
    for name in RESULTS:
        row = Row(f"import to result, compiled before: {name}", {})
        section.rows.append(row)
        sums: dict[str, float] = {}
        for peer in peers:
            session.progress(f"fresh processes, {name}: {peer}")
            try:
                found = _warm(peer, name, _processes(session, peer))
            except PeerError as error:
                session.failures.append(f"{peer}, fresh process, {name}: {error}")
                continue
            row.rounds[peer] = [spent for spent, _, _ in found]
            sums[peer] = found[0][2]
            if peer.startswith("trilith"):
                heavy = " and ".join(found[0][1]) or "neither xdsl nor llvmlite"
                loaded.setdefault((peer, heavy), []).append(name)
        _compare(session, name, sums)
    section.notes += [
        f"{peer}, compiled before: {heavy} loaded by the first result of {', '.join(names)}"
        for (peer, heavy), names in loaded.items()
    ]


def cold_first_calls(session: Session, section: Section) -> None:
    """Add the times of first calls where the compiler is loaded and has compiled none of it.

    Each round has new processes: what a process has compiled it does not compile again.
    """
    rows = {name: Row(f"first call of {name}, loaded", {}) for name in FIRST_CALLS}
    section.rows += rows.values()
    for peer in session.peers:
        session.progress(f"first calls: {peer}")
        for _ in range(_processes(session, peer)):
            own = Session(session.effort, [peer])
            try:
                if own.ask(peer, "prepare", program="a*b + c", shape=[64]) is None:
                    continue
                for name, row in rows.items():
                    answer = own.ask(peer, "prepare", program=name, shape=[64, 64])
                    if answer is not None:
                        row.rounds.setdefault(peer, []).append(answer["first"])
            finally:
                own.stop()
                session.failures += own.failures


def _processes(session: Session, peer: str) -> int:
    """Return how many fresh processes of a peer are measured: some take 2 s to import, or 10."""
    starts = session.effort.starts
    if peer == "torch.compile":
        return 1
    return max(1, starts // 3) if peer in {"torch", "jax", "numba"} else min(starts, 3)


def _warm(peer: str, name: str, count: int) -> list[Any]:
    """Return (ns, heavy modules, sum) of new processes, after one that compiles and is not told."""
    imports, function, array = LIBRARIES[peer]
    code = CODE.format(imports=imports, function=function, array=array, result=RESULTS[name])
    with tempfile.TemporaryDirectory() as folder:
        changes = {"TRILITH_CACHE": "1", "TRILITH_CACHE_DIR": str(Path(folder) / "trilith")}
        changes["TORCHINDUCTOR_CACHE_DIR"] = str(Path(folder) / "torch")
        if peer not in ("numpy", "torch"):
            run_fresh(code, **changes)
        return [run_fresh(code, **changes) for _ in range(count)]


def _compare(session: Session, name: str, sums: dict[str, float]) -> None:
    expected = sums.get("numpy")
    for peer, found in sums.items():
        if expected is not None and abs(found - expected) > 1e-4 * max(abs(expected), 64.0):
            session.failures.append(f"{name}: {peer} computes something else than numpy")
