"""`make fuzz N=20000`: draw as many new programs as asked, in several processes; show what fails.

    python -m tests.property.fuzz --count 20000 --seed 7 --jobs 2 --keep-going

There are two families, N programs of each: `values` (what operations compute) and `strided` (views,
casts, pointwise and in-place operations: sizes, strides, offsets, aliasing, values). It stops at
the first failure, which is shrunk and printed as Python to paste; with --keep-going at the end,
with one program for each kind of failure.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from random import SystemRandom

from .drawing import OPAQUE, UNDRAWN, draw_program
from .program import Program
from .properties import Failure, Tally, check
from .runner import Family, Found, run
from .shrinking import resized, shrink
from .strided_fuzz import StridedPrograms


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

    def __init__(self, operation: str | None) -> None:
        self.operation = operation

    def counts(self) -> Tally:
        """Return a new tally."""
        return Tally()

    def programs(self, seed: int, number: int) -> Iterator[Program]:
        """Return a program, and the same with another size, which may reuse its kernels."""
        program = draw_program(seed, number, self.operation)
        yield program
        yield from resized(program, number)

    def check(self, seed: int, number: int, counts: Tally) -> Found | None:
        """Check a program and its variants."""
        for program in self.programs(seed, number):
            try:
                check(program, counts)
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


def _families(name: str, operation: str | None) -> list[Family]:
    families: list[Family] = [ValuePrograms(operation)]
    if operation is None:
        families.append(StridedPrograms())
    return [family for family in families if name in ("all", family.name)]


def main() -> int:
    """Parse the command line, run, print the counts; 1 if a program failed."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="programs to draw of each family")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--keep-going", action="store_true", help="collect different failures")
    parser.add_argument("--family", choices=("all", "values", "strided"), default="all")
    parser.add_argument("--operation", help="programs of this one operation")
    parser.add_argument("--only", type=int, help="check this program of the seed, in this process")
    options = parser.parse_args()
    print(f"seed {options.seed}", file=sys.stderr, flush=True)
    has_failed = False
    for family in _families(options.family, options.operation):
        if options.only is not None:
            print(family.text(options.seed, options.only), flush=True)
            found = family.check(options.seed, options.only, family.counts())
            print(found.text if found else "holds")
            has_failed |= found is not None
            continue
        summary = run(family, options.seed, options.count, options.jobs, options.keep_going)
        print(summary.report())
        has_failed |= bool(summary.found)
        if has_failed and not options.keep_going:
            break
    return int(has_failed)


if __name__ == "__main__":
    sys.exit(main())
