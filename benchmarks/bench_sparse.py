"""How fast are operations on sparse tensors beside torch?"""

from __future__ import annotations

from session import TINY, Row, Section, Session
from sparse_programs import SPARSE_CASES


def measure(session: Session) -> Section:
    """Return the table."""
    entries = session.effort.entries
    section = Section(f"sparse: us, float32, {entries} entries, ten in each row of a matrix")
    peers = [peer for peer in ("trilith", "torch") if peer in session.peers]
    for name in [*SPARSE_CASES][:: 4 if session.effort is TINY else 1]:
        ready = session.prepare(name, peers, "prepare_sparse", program=name, entries=entries)
        times = session.in_turns(ready, "measure", seconds=session.effort.seconds, least=1)
        section.rows.append(Row(name, times))
    return section
