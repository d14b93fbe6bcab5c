"""How fast is a whole pipeline of operations: the photo of the demo?"""

from __future__ import annotations

from session import Section, Session


def measure(session: Session) -> Section:
    """Return the table."""
    shape = session.effort.photo
    height, width = shape[0] - 2, shape[1] - 2
    section = Section(
        f"pipeline: ms for the photo of `make demo`, {width} x {height} pixels, uint8"
    )
    row = session.compare("photo", "photo", shape)
    session.limits(row, "photo", shape)
    section.rows.append(row)
    return section
