"""How long from the end of an import to the first result, and what does a first call cost then?"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from processes import PeerError, run_fresh
from session import TINY, Row, Section, Session

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
    """Add the times from the end of an import to a first result, with an empty and a warm disk."""
    peers = [peer for peer in session.peers if peer in LIBRARIES]
    if "trilith" in peers and "trilith eager" not in peers:
        peers.insert(peers.index("trilith") + 1, "trilith eager")
    loaded: dict[tuple[str, str, str], list[str]] = {}
    for name in [*RESULTS][: 1 if session.effort is TINY else None]:
        rows = {
            "nothing on disk": Row(f"import to result, nothing on disk: {name}", {}),
            "compiled before": Row(f"import to result, compiled before: {name}", {}),
        }
        section.rows += rows.values()
        sums: dict[str, float] = {}
        for peer in peers:
            session.progress(f"fresh processes, {name}: {peer}")
            try:
                count = _processes(session, peer)
                found = _found(peer, name, count, is_repeated=session.effort.starts > 1)
            except PeerError as error:
                session.failures.append(f"{peer}, fresh process, {name}: {error}")
                continue
            for when, results in found.items():
                rows[when].rounds[peer] = [spent for spent, _, _ in results]
                sums[peer] = results[0][2]
                if peer.startswith("trilith"):
                    heavy = " and ".join(results[0][1]) or "neither xdsl nor llvmlite"
                    loaded.setdefault((peer, when, heavy), []).append(name)
        _compare(session, name, sums)
    section.notes += [
        f"{peer}, {when}: {heavy} loaded by the first result of {', '.join(names)}"
        for (peer, when, heavy), names in loaded.items()
    ]


def cold_first_calls(session: Session, section: Section) -> None:
    """Add the times of first calls where the compiler is loaded and has compiled none of it.

    Each round has new processes: what a process has compiled it does not compile again.
    """
    names = FIRST_CALLS[: 1 if session.effort is TINY else None]
    rows = {name: Row(f"first call of {name}, loaded", {}) for name in names}
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


def _found(peer: str, name: str, count: int, is_repeated: bool) -> dict[str, list[Any]]:
    """Return (ns, heavy modules, sum) of new processes with an empty disk and with a warm one."""
    imports, function, array = LIBRARIES[peer]
    code = CODE.format(imports=imports, function=function, array=array, result=RESULTS[name])
    if peer in ("numpy", "torch"):
        return {"compiled before": [run_fresh(code) for _ in range(count)]}
    cold: list[Any] = []
    warm: list[Any] = []
    if is_repeated:  # the first process reads files that the system has not cached yet
        with tempfile.TemporaryDirectory() as folder:
            run_fresh(code, **_kept_in(folder))
    for number in range(count):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(run_fresh(code, **_kept_in(folder)))
            if number == count - 1:
                warm = [run_fresh(code, **_kept_in(folder)) for _ in range(count)]
    return {"nothing on disk": cold, "compiled before": warm}


def _kept_in(folder: str) -> dict[str, str]:
    return {
        "TRILITH_CACHE": "1",
        "TRILITH_CACHE_DIR": str(Path(folder) / "trilith"),
        "TORCHINDUCTOR_CACHE_DIR": str(Path(folder) / "torch"),
    }


def _compare(session: Session, name: str, sums: dict[str, float]) -> None:
    expected = sums.get("numpy")
    for peer, found in sums.items():
        if expected is not None and abs(found - expected) > 1e-4 * max(abs(expected), 64.0):
            session.failures.append(f"{name}: {peer} computes something else than numpy")
