"""The family of programs whose gradients are compared with slopes: for `make fuzz`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from ..runner import CHUNK, Found
from ..values.program import Program
from ..values.properties import Failure
from ..values.shrinking import shrink
from .check import Tally, check
from .drawing import WITHOUT_DERIVATIVE, draw_program


class GradientPrograms:
    """Programs of smooth float64 values, or of one operation; `library` names what runs them."""

    name = "gradients"
    chunk = batch = CHUNK

    def __init__(self, operation: str | None, library: str = "trilith") -> None:
        self.operation = operation
        self.library = library

    def counts(self) -> Tally:
        """Return a new tally."""
        return Tally()

    def prepare(self, seed: int, numbers: Sequence[int]) -> None:
        """Do nothing: compiling for the CPU costs the same alone."""

    def failure_of(self, program: Program, counts: Tally | None = None) -> Failure | None:
        """Return how a program fails, None if it does not; what the check raises counts."""
        library: Any = importlib.import_module(self.library)
        try:
            check(program, counts, library)
        except Failure as failure:
            return failure
        except Exception as error:
            return Failure(f"check {type(error).__name__}", str(error))
        return None

    def _kind_of(self, program: Program) -> str | None:
        failure = self.failure_of(program)
        return None if failure is None else failure.kind

    def check(self, seed: int, number: int, counts: Tally) -> Found | None:
        """Check a program."""
        program = draw_program(seed, number, self.operation)
        failure = self.failure_of(program, counts)
        if failure is None:
            return None
        small = shrink(program, self._kind_of)
        found = self.failure_of(small) or failure
        return Found(number, failure.kind, f"{found}\n\n{small}")

    def text(self, seed: int, number: int) -> str:
        """Return the program as Python."""
        return str(draw_program(seed, number, self.operation))

    def report(self, counts: Tally) -> list[str]:
        """Return the counts of a run."""
        common = counts.operations.most_common()
        return [
            f"{counts.programs} programs of float64 values, differentiated",
            f"{counts.compared} gradients compared with slopes, {counts.flat} of them zeros; "
            f"{counts.infinite} that are not finite, {counts.silent} slopes near kinks and jumps "
            "or lost in rounding are not compared",
            "operations: " + ", ".join(f"{name} {n}" for name, n in common),
            f"not drawn, without a derivative: {', '.join(sorted(WITHOUT_DERIVATIVE))}",
        ]
