"""What does a call cost when there is next to nothing to compute?"""

from __future__ import annotations

from session import Section, Session


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("calls: us for 8 elements, float32, into a new output")
    peers = [*session.peers]
    if "trilith" in peers:
        peers.insert(1, "trilith eager")
    for program in ("add", "a*b + c"):
        section.rows.append(session.compare(f"{program}, n = 8", program, (8,), peers))
    return section
