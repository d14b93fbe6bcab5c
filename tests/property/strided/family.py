"""The family of strided programs, run on trilith: for `make fuzz` and for the suite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import trilith as tri

from ..runner import CHUNK, Found
from .check import Library, StridedFailure, StridedTally, check, kind_of, shrink
from .drawing import draw_program
from .program import Program

TRILITH = Library(tri, tri.compile)


def failure_of(program: Program) -> StridedFailure | None:
    """Return how a program fails; what the check itself raises counts."""
    try:
        check(program, TRILITH)
    except StridedFailure as failure:
        return failure
    except Exception as error:
        return StridedFailure(f"check {type(error).__name__}", str(error))
    return None


class StridedPrograms:
    """Views, casts, pointwise and in-place operations on strided tensors."""

    name = "strided"
    chunk = batch = CHUNK

    def prepare(self, seed: object, numbers: Sequence[int]) -> None:
        """Do nothing: compiling for the CPU costs the same alone."""

    def counts(self) -> StridedTally:
        """Return a new tally."""
        return StridedTally()

    def check(self, seed: object, number: int, counts: StridedTally) -> Found | None:
        """Draw and check a program."""
        program = draw_program(seed, number)
        try:
            check(program, TRILITH, counts)
        except Exception as error:
            small = shrink(program, partial(kind_of, library=TRILITH))
            failure = failure_of(small)
            if failure is None:
                return Found(number, "unsteady", f"fails once: {error}\n{program}")
            return Found(number, failure.kind, f"{failure}\n\n{small}")
        return None

    def text(self, seed: object, number: int) -> str:
        """Return the program as Python."""
        return str(draw_program(seed, number))

    def report(self, counts: StridedTally) -> list[str]:
        """Return the counts of a run."""
        steps = ", ".join(f"{name} {count}" for name, count in counts.steps.most_common())
        return [
            f"{counts.programs} strided programs, {counts.compiled} also compiled "
            f"({counts.traced} of them as a whole), {counts.refused} that must raise",
            f"{counts.tensors} tensors compared, after {counts.writes} writes",
            f"steps: {steps}",
        ]
