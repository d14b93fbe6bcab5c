"""How fast are elements moved that are to lie otherwise?"""

from __future__ import annotations

from session import TINY, Section, Session

MOVES = ("a copy", "x.T, copied", "cat of columns")
#: Powers of two share few places of a cache.
SIDES, TINY_SIDES = (500, 512, 2000, 2048), (30,)


def measure(session: Session) -> Section:
    """Return the table; below it, times are set beside a plain copy of as many bytes."""
    section = Section("moves: us, float32, n x n")
    for program in MOVES:
        for side in TINY_SIDES if session.effort is TINY else SIDES:
            row = session.compare(f"{program}, n = {side}", program, (side, side))
            session.limits(row, program, (side, side))
            section.rows.append(row)
    return section
