"""The family of programs of values, run on trilith: for `make fuzz` and for the suite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..runner import CHUNK, Found
from .drawing import OPAQUE, UNDRAWN, draw_program
from .program import Program
from .properties import Failure, Tally, check
from .shrinking import resized, shrink


def failure_of(program: Program) -> Failure | None:
    """Return how a program fails, None if it does not; what the check itself raises counts."""
    try:
        check(program)
    except Failure as failure:
        return failure
    except Exception as error:
        return Failure(f"check {type(error).__name__}", str(error))
    return None


def _kind_of(program: Program) -> str | None:
    failure = failure_of(program)
    return None if failure is None else failure.kind


class ValuePrograms:
    """Programs of `program.py`, or of one operation."""

    name = "values"
    chunk = batch = CHUNK
    #: Whether programs are also interpreted.
    has_interpreters = True

    def __init__(self, operation: str | None) -> None:
        self.operation = operation

    def counts(self) -> Tally:
        """Return a new tally."""
        return Tally()

    def prepare(self, seed: int, numbers: Sequence[int]) -> None:
        """Do nothing: compiling for the CPU costs the same alone."""

    def programs(self, seed: int, number: int) -> Iterator[Program]:
        """Return a program, and the same with another size, which may reuse its kernels."""
        program = draw_program(seed, number, self.operation)
        yield program
        yield from resized(program, number)

    def check(self, seed: int, number: int, counts: Tally) -> Found | None:
        """Check a program and its variants."""
        for program in self.programs(seed, number):
            try:
                check(program, counts, self.has_interpreters)
            except Exception:
                small = shrink(program, _kind_of)
                failure = failure_of(small) or failure_of(program)
                if failure is None:
                    return Found(number, "unsteady", f"fails once\n{program}")
                return Found(number, failure.kind, f"{failure}\n\n{small}")
        return None

    def text(self, seed: int, number: int) -> str:
        """Return the program as Python."""
        return str(draw_program(seed, number, self.operation))

    def report(self, counts: Tally) -> list[str]:
        """Return the counts of a run."""
        common = counts.operations.most_common()
        lines = [
            f"{counts.programs} programs, {counts.interpreted} also interpreted, "
            f"{counts.faults} that must raise",
            f"{counts.compared} of {counts.elements} values compared with the oracle",
            "operations: " + ", ".join(f"{name} {n}" for name, n in common),
        ]
        if OPAQUE:
            lines.append(f"taken at their word: {', '.join(OPAQUE)}")
        if UNDRAWN:
            lines.append(f"not drawn: {', '.join(UNDRAWN)}")
        return lines
