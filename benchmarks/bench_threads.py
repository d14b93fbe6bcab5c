"""How fast is everything with all threads of the machine, and how much of that do they bring?"""

from __future__ import annotations

from array_programs import Shape
from machine import ONE_THREAD, all_cores
from session import MANY, TINY, UNTIL_ASLEEP, Row, Section, Session

#: Programs, how many dims their inputs have, and what bounds them.
PROGRAMS = (
    ("x*sigmoid(x) + tanh(y)", 1, "arithmetic"),
    ("softmax", 2, "arithmetic"),
    ("matmul", 2, "arithmetic"),
    ("a copy", 1, "memory"),
    ("a*b + c", 1, "memory"),
    ("sum of all", 2, "memory"),
    ("sum, last axis", 2, "memory"),
    ("sum, first axis", 2, "memory"),
    ("x.T + y", 2, "memory"),
)


def measure(session: Session) -> Section:
    """Return the table; below it, how much faster ours is than with one thread."""
    section = Section("threads: us, float32, all threads of the machine")
    side = session.effort.square
    with all_cores():
        # A variable that is empty is removed: each library takes the threads that it finds.
        rest = 0.0 if session.effort is TINY else UNTIL_ASLEEP
        changes = dict.fromkeys(ONE_THREAD, "")
        every = Session(session.effort, session.names, changes=changes, rest=rest)
        alone = Session(session.effort, ["trilith"], rest=rest)
        try:
            # Code for threads is compiled when launches have taken a while.
            _compare(every, alone, "matmul", (side, side))
            for program, rank, bound in PROGRAMS:
                shape = (side * side,) if rank == 1 else (side, side)
                row, gain = _compare(every, alone, program, shape)
                section.rows.append(row)
                section.notes.append(f"{row.name}: {gain}; {bound} bounds it")
                if program == "matmul":
                    every.roofline(row, side**3, elements=MANY)
        finally:
            every.stop()
            alone.stop()
            session.failures += every.failures + alone.failures
    return section


def _compare(every: Session, alone: Session, program: str, shape: Shape) -> tuple[Row, str]:
    """Measure a program with all threads and ours with one, too; return the row and the gain."""
    title = f"{program}, {' x '.join(map(str, shape))}"
    row = every.compare(title, program, shape)
    one = alone.compare(f"{title}, one thread", program, shape).time("trilith")
    ours = row.time("trilith")
    if one is None or ours is None:
        return row, "not measured"
    return row, f"{one / ours:.2f} times as fast as with one thread"
