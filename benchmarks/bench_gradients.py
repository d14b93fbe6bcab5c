"""How fast are a value and its gradient beside torch.compile, jax and torch?"""

from __future__ import annotations

from gradient_programs import LOSSES
from session import TINY, Row, Section, Session

PEERS = ("trilith", "torch", "torch.compile", "jax")


def measure(session: Session) -> Section:
    """Return the table; below it, how many kernels ours are."""
    section = Section("gradients: us, float32, the value and the gradient of all weights")
    peers = [peer for peer in PEERS if peer in session.peers]
    for name in [*LOSSES][:: 2 if session.effort is TINY else 1]:
        ready = session.prepare(name, peers, "prepare_gradient", program=name)
        row = Row(name, session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1))
        section.rows.append(row)
        if "trilith" in ready:
            section.notes.append(f"{name}: {session.ask('trilith', 'count_kernels')} kernels")
    return section
