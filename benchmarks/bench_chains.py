"""How fast are chains of elementwise operations?"""

from __future__ import annotations

from session import Section, Session

CHAINS = (
    *("a*b + c", "x*sigmoid(x) + tanh(y)", "gelu"),
    *("sin(x)*cos(x) + y", "sin(x) + cos(y)*tan(x + y)"),
)


def measure(session: Session) -> Section:
    """Return the table."""
    section = Section("chains: us, float32, into a new output")
    for program in CHAINS:
        for size in session.effort.sizes:
            row = session.compare(f"{program}, n = {size:.0e}", program, (size,))
            row.name = row.name.replace("e+0", "e")
            session.limits(row, program, (size,))
            section.rows.append(row)
    return section
