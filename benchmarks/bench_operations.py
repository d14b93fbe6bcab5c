"""How fast is each family of operations at about 1e6 elements, beside NumPy and torch?"""

from __future__ import annotations

from operation_programs import OPERATIONS
from session import TINY, Row, Section, Session

#: What no operation shall take: so many times as long as the best of NumPy and torch.
BOUND = 3.0


def measure(session: Session) -> Section:
    """Return the table."""
    side = session.effort.square
    section = Section(f"operations: us, at {side} x {side} elements", bound=BOUND)
    ours = [peer for peer in ("trilith",) if peer in session.peers]
    for name in [*OPERATIONS][:: 20 if session.effort is TINY else 1]:
        peers = ours + session.eager_peers()
        details = {"program": name, "side": side}
        ready = session.prepare(name, peers, "prepare_operation", **details)
        # Some take 0.1 s and more: one sample in each round will do.
        times = session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1)
        section.rows.append(Row(name, times))
    return section
