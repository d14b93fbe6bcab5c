"""How fast are reductions, and what is made of them?"""

from __future__ import annotations

from session import Section, Session

REDUCTIONS = (
    *("sum of all", "sum, last axis", "sum, first axis", "max, last axis", "max, first axis"),
    *("variance, last axis", "variance, first axis"),
    *("softmax", "layer norm", "rms norm", "cross-entropy"),
)


def measure(session: Session) -> Section:
    """Return the table."""
    shape = session.effort.matrix
    section = Section(f"reductions: us, float32, {shape}")
    for program in REDUCTIONS:
        row = session.compare(program, program, shape)
        session.limits(row, program, shape)
        section.rows.append(row)
    return section
