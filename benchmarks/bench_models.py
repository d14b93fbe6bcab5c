"""How fast are the blocks of networks beside torch.compile, jax, torch and NumPy?"""

from __future__ import annotations

from model_programs import MODELS
from session import TINY, Row, Section, Session

PEERS = ("trilith", "numpy", "torch", "torch.compile", "jax")


def measure(session: Session) -> Section:
    """Return the table; below it, operations on floats of products, beside what the machine can."""
    section = Section("models: us, float32, forward")
    peers = [peer for peer in PEERS if peer in session.peers]
    for name in [*MODELS][:: 4 if session.effort is TINY else 1]:
        ready = session.prepare(name, peers, "prepare_model", program=name)
        row = Row(name, session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1))
        section.rows.append(row)
        session.roofline(row, MODELS[name].steps)
    return section
