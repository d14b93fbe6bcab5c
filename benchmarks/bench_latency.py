"""What does a call cost above that of an empty Python function?"""

from __future__ import annotations

from session import Row, Section, Session

SHAPE = (8,)
#: Operations at once, on one library's tensors.
EAGER = {"a + b": "add", "x[1:]": "x[1:]", "x.sum()": "x.sum()", "x[i] = 1.": "x[i] = 1."}
#: Who takes NumPy arrays as they are.
TAKE_NUMPY = ("trilith", "numpy", "torch.compile", "jax")


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("latency: ns above an empty Python call, 8 elements, float32")
    compiling = [peer for peer in session.peers if peer not in ("trilith eager", "torch")]
    taking = [peer for peer in compiling if peer in TAKE_NUMPY]
    eager = session.eager_peers()
    beside = [peer for peer in eager if peer not in compiling]
    _add(session, section, "a*b + c, tensors", "a*b + c", compiling + beside)
    _add(session, section, "a*b + c, NumPy arrays", "a*b + c", taking, of_numpy=True)
    for name, program in EAGER.items():
        _add(session, section, f"{name}, eager", program, eager)
    return section


def _add(
    session: Session,
    section: Section,
    name: str,
    program: str,
    peers: list[str],
    of_numpy: bool = False,
) -> None:
    details = {"program": program, "shape": list(SHAPE), "of_numpy": of_numpy}
    ready = session.prepare(name, peers, "prepare", **details)
    seconds = session.effort.seconds
    section.rows.append(Row(name, session.in_turns(ready, "measure_above", seconds=seconds)))
