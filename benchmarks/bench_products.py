"""How fast are products of matrices?"""

from __future__ import annotations

from session import Section, Session


def measure(session: Session) -> Section:
    """Return the table; below it, operations on floats in a second, beside what the machine can."""
    section = Section("products: us, float32, n x n times n x n")
    for side in session.effort.sides:
        row = session.compare(f"n = {side}", "matmul", (side, side))
        section.rows.append(row)
        session.roofline(row, side**3)
    return section
