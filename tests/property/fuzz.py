"""`make fuzz N=20000`: draw as many new programs as asked, in several processes; show what fails.

    python -m tests.property.fuzz --count 20000 --seed 7 --jobs 2 --keep-going

Stops at the first failure, which is shrunk and printed as Python to paste; with --keep-going at the
end, with one program for each kind of failure. A worker that dies (a kernel that writes to memory
that is not its own) names the program it died at.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from random import SystemRandom
from typing import Any

from .drawing import OPAQUE, UNDRAWN, draw_program
from .program import Program
from .properties import Failure, Tally, check
from .shrinking import resized, shrink

#: Programs that one process runs before another takes its place: compiled code stays in memory.
CHUNK = 100
_FORK = multiprocessing.get_context("fork")


@dataclass(slots=True)
class Found:
    """A failure: which program, what kind, and the text to show."""

    number: int
    kind: str
    text: str


@dataclass(slots=True)
class Summary:
    """What all workers did."""

    tally: Tally = field(default_factory=Tally)
    found: list[Found] = field(default_factory=list[Found])


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


def programs(seed: int, number: int, operation: str | None) -> Iterator[Program]:
    """Return a program, and the same with another size, which may reuse its kernels."""
    program = draw_program(seed, number, operation)
    yield program
    yield from resized(program, number)


def _work(pipe: Connection, seed: int, numbers: range, operation: str | None) -> None:
    """Check some programs; send the number of each before it runs, and what fails."""
    tally = Tally()
    for number in numbers:
        pipe.send(number)
        for program in programs(seed, number, operation):
            try:
                check(program, tally)
            except Exception:
                small = shrink(program, _kind_of)
                failure = failure_of(small) or failure_of(program)
                if failure is None:
                    found = Found(number, "unsteady", f"fails once\n{program}")
                else:
                    found = Found(number, failure.kind, f"{failure}\n\n{small}")
                pipe.send(found)
                break
    pipe.send(tally)
    pipe.close()


class _Worker:
    """A process with the programs it was given."""

    def __init__(self, seed: int, numbers: range, operation: str | None) -> None:
        self.numbers = numbers
        self.current = numbers.start
        self.pipe, other = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=_work, args=(other, seed, numbers, operation))
        self.process.start()
        other.close()

    def receive(self) -> Any:
        """Return the next message, None when the process has ended."""
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join()
            return None


def run(seed: int, count: int, jobs: int, keep_going: bool, operation: str | None) -> Summary:
    """Check programs 0 to count of a seed in several processes."""
    summary = Summary()
    waiting = [range(n, min(n + CHUNK, count)) for n in range(0, count, CHUNK)][::-1]
    active: list[_Worker] = []
    started = time.monotonic()
    while waiting or active:
        while waiting and len(active) < jobs:
            active.append(_Worker(seed, waiting.pop(), operation))
        ready: list[Any] = wait([worker.pipe for worker in active])
        for worker in [worker for worker in active if worker.pipe in ready]:
            message = worker.receive()
            if isinstance(message, int):
                worker.current = message
            elif isinstance(message, Tally):
                summary.tally.add(message)
            elif isinstance(message, Found):
                _note(summary, message)
            else:
                active.remove(worker)
                _bury(worker, summary, waiting, seed, operation)
                _progress(summary, count, time.monotonic() - started)
        if summary.found and not keep_going:
            for worker in active:
                worker.process.kill()
                worker.process.join()
            break
    return summary


def _note(summary: Summary, found: Found) -> None:
    if found.kind not in {other.kind for other in summary.found}:
        print(f"\nprogram {found.number}: {found.text}\n", file=sys.stderr, flush=True)
    summary.found.append(found)


def _bury(
    worker: _Worker, summary: Summary, waiting: list[range], seed: int, operation: str | None
) -> None:
    """Note how a worker died; the programs after the one it died at stay to be run."""
    code = worker.process.exitcode
    if not code:
        return
    program = draw_program(seed, worker.current, operation)
    text = f"the process ended with {code}\n\n{program}"
    _note(summary, Found(worker.current, f"process ended with {code}", text))
    if worker.current + 1 < worker.numbers.stop:
        waiting.append(range(worker.current + 1, worker.numbers.stop))


def _progress(summary: Summary, count: int, seconds: float) -> None:
    tally = summary.tally
    line = f"{tally.programs} programs of {count} and variants, {tally.compared} values compared"
    print(f"{line}, {len(summary.found)} failures, {seconds:.0f} s", file=sys.stderr, flush=True)


def report(summary: Summary) -> str:
    """Return the counts of a run."""
    tally = summary.tally
    lines = [
        f"{tally.programs} programs, {tally.interpreted} also interpreted, "
        f"{tally.faults} that must raise",
        f"{tally.compared} of {tally.elements} values compared with the oracle",
        "operations: " + ", ".join(f"{name} {n}" for name, n in tally.operations.most_common()),
    ]
    if OPAQUE:
        lines.append(f"taken at their word: {', '.join(OPAQUE)}")
    if UNDRAWN:
        lines.append(f"not drawn: {', '.join(UNDRAWN)}")
    kinds = sorted({found.kind for found in summary.found})
    for kind in kinds:
        numbers = [found.number for found in summary.found if found.kind == kind]
        lines.append(f"FAILED {kind}: {len(numbers)} programs, such as {numbers[:8]}")
    return "\n".join(lines)


def main() -> int:
    """Parse the command line, run, print the counts; 1 if a program failed."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="programs to draw")
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--keep-going", action="store_true", help="collect different failures")
    parser.add_argument("--operation", help="programs of this one operation")
    parser.add_argument("--only", type=int, help="check this program of the seed, in this process")
    options = parser.parse_args()
    print(f"seed {options.seed}", file=sys.stderr, flush=True)
    if options.only is not None:
        for program in programs(options.seed, options.only, options.operation):
            print(program, flush=True)
            check(program)
        return 0
    summary = run(options.seed, options.count, options.jobs, options.keep_going, options.operation)
    print(report(summary))
    return 1 if summary.found else 0


if __name__ == "__main__":
    sys.exit(main())
