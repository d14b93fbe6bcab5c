"""How fast are products of matrices?"""

from __future__ import annotations

from session import Section, Session


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("products: us, float32, n x n times n x n")
    for side in session.effort.sides:
        section.rows.append(session.compare(f"n = {side}", "matmul", (side, side)))
    return section
