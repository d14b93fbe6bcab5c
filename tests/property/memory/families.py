"""The families of random programs in guarded memory: an access beyond a tensor ends the process.

Inputs, results and everything between them lie in blocks of their own that end at a page nobody may
touch, or begin after one; odd programs have blocks that are not aligned to their elements. The
values are those of the plain families. A program at which the process ends is made small in further
processes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..runner import CHUNK, Found, ends_well
from ..strided import check as strided_check
from ..strided import drawing as strided_drawing
from ..strided import family as strided_family
from ..strided.family import StridedPrograms
from ..values import program, properties, shrinking
from ..values.family import ValuePrograms
from .guarded_memory import install

P = TypeVar("P")

#: What blocks are moved by, for programs in turn: aligned, and to no more than a byte.
SHIFTS = (0, 0, 8, 0, 1, 0, 4, 2)


def _guard(number: int) -> None:
    """Choose the edge and the alignment of the blocks of a program."""
    memory = install()
    memory.at_end = number % 2 == 0
    memory.shift = 0 if memory.at_end else SHIFTS[number // 2 % len(SHIFTS)]


def _smallest(whole: P, number: int, run: Callable[[P], Any], shrink: Any) -> str:
    """Return the text of a small program at which a process ends."""

    def failure_of(candidate: P) -> str | None:
        def check() -> None:
            _guard(number)
            run(candidate)

        return None if ends_well(check) else "ends"

    return str(shrink(whole, failure_of))


class GuardedValues(ValuePrograms):
    """Programs of `program.py`, in guarded memory."""

    name = "guarded values"
    has_interpreters = False

    def prepare(self, seed: int, numbers: Sequence[int]) -> None:
        """Guard memory before anything is computed."""
        install()

    def check(self, seed: int, number: int, counts: properties.Tally) -> Found | None:
        """Check a program and its variants."""
        _guard(number)
        return super().check(seed, number, counts)

    def text_of_dead(self, seed: int, number: int) -> str:
        """Return the smallest program found at which the process ends, too."""

        def run(candidate: program.Program) -> None:
            properties.check(candidate, interpreters=False)

        for candidate in self.programs(seed, number):
            small = _smallest(candidate, number, run, shrinking.shrink)
            if small != str(candidate):
                return small
        return self.text(seed, number)


class GuardedStrided(StridedPrograms):
    """Views, casts, pointwise and in-place operations on strided tensors, in guarded memory."""

    name = "guarded strided"
    chunk = batch = CHUNK

    def prepare(self, seed: object, numbers: Sequence[int]) -> None:
        """Guard memory before anything is computed."""
        install()

    def check(self, seed: object, number: int, counts: strided_check.StridedTally) -> Found | None:
        """Check a program."""
        _guard(number)
        return super().check(seed, number, counts)

    def text_of_dead(self, seed: object, number: int) -> str:
        """Return the smallest program found at which the process ends, too."""
        return _smallest(
            strided_drawing.draw_program(seed, number),
            number,
            strided_family.failure_of,
            strided_check.shrink,
        )
