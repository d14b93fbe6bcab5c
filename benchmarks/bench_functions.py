"""What does an element of each function cost? torch.compile calls SLEEF's functions."""

from __future__ import annotations

from session import TINY, Row, Section, Session

FUNCTIONS = (
    *("exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "sin", "cos", "tan"),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh", "erf", "erfc", "sigmoid"),
)
#: Short enough for a cache, and long enough that the call does not count.
SIZE = 1 << 17


def measure(session: Session) -> Section:
    """Return the table: times in ns, of all elements; below, operations and times of one."""
    tiny = session.effort is TINY
    size = 64 if tiny else SIZE
    section = Section(f"functions: us, float32 from 0.05 to 0.95, n = {size}")
    for name in FUNCTIONS[:: 11 if tiny else 1]:
        ready = session.prepare(name, None, "prepare_function", program=name, size=size)
        row = Row(name, session.in_turns(ready, "measure", seconds=session.effort.seconds))
        section.rows.append(row)
        if "trilith" in ready:
            told = session.ask("trilith", "count_operations", program=name, size=size)
            section.notes.append(f"{name}: {told} operations; an element takes {_each(row, size)}")
    return section


def _each(row: Row, size: int) -> str:
    found = [f"{peer} {min(times) / size:.3f} ns" for peer, times in row.rounds.items()]
    return ", ".join(found)
