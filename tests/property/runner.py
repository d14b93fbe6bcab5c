"""How are many random programs run in several processes? For any family of programs.

A worker that dies (a kernel wrote to memory that is not its own) names the program it died at.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

#: Programs that one process runs before another takes its place: compiled code stays in memory.
CHUNK = 100
_FORK = multiprocessing.get_context("fork")


@dataclass(slots=True)
class Found:
    """A failure: which program, what kind, and the text to show."""

    number: int
    kind: str
    text: str


class Counts(Protocol):
    """What a family counts."""

    programs: int

    def add(self, other: Any) -> None:
        """Add what another process counted."""
        ...


class Family(Protocol):
    """A kind of random programs: seed and number make one."""

    name: str

    def counts(self) -> Any:
        """Return new counts, all 0."""
        ...

    def check(self, seed: int, number: int, counts: Any) -> Found | None:
        """Draw and check a program; return how it fails, shrunk."""
        ...

    def text(self, seed: int, number: int) -> str:
        """Return the program as Python."""
        ...

    def report(self, counts: Any) -> list[str]:
        """Return what was counted, in lines."""
        ...


@dataclass(slots=True)
class Summary:
    """What all workers did."""

    family: Family
    counts: Any
    found: list[Found] = field(default_factory=list[Found])

    def report(self) -> str:
        """Return the counts and the kinds of failures."""
        lines = self.family.report(self.counts)
        for kind in sorted({found.kind for found in self.found}):
            numbers = [found.number for found in self.found if found.kind == kind]
            lines.append(f"FAILED {kind}: {len(numbers)} programs, such as {numbers[:8]}")
        return "\n".join(lines)


def _work(pipe: Connection, family: Family, seed: int, numbers: range) -> None:
    """Check some programs; send the number of each before it runs, and what fails."""
    counts = family.counts()
    for number in numbers:
        pipe.send(number)
        found = family.check(seed, number, counts)
        if found is not None:
            pipe.send(found)
    pipe.send(counts)
    pipe.close()


class _Worker:
    """A process with the programs it was given."""

    def __init__(self, family: Family, seed: int, numbers: range) -> None:
        self.numbers = numbers
        self.current = numbers.start
        self.pipe, other = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=_work, args=(other, family, seed, numbers))
        self.process.start()
        other.close()

    def receive(self) -> Any:
        """Return the next message, None when the process has ended."""
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join()
            return None


def run(family: Family, seed: int, count: int, jobs: int, keep_going: bool) -> Summary:
    """Check programs 0 to count of a seed in several processes."""
    summary = Summary(family, family.counts())
    waiting = [range(n, min(n + CHUNK, count)) for n in range(0, count, CHUNK)][::-1]
    active: list[_Worker] = []
    started = time.monotonic()
    while waiting or active:
        while waiting and len(active) < jobs:
            active.append(_Worker(family, seed, waiting.pop()))
        ready: list[Any] = wait([worker.pipe for worker in active])
        for worker in [worker for worker in active if worker.pipe in ready]:
            message = worker.receive()
            if isinstance(message, int):
                worker.current = message
            elif isinstance(message, Found):
                _note(summary, message)
            elif message is not None:
                summary.counts.add(message)
            else:
                active.remove(worker)
                _bury(worker, summary, waiting, seed)
                _progress(summary, count, time.monotonic() - started)
        if summary.found and not keep_going:
            for worker in active:
                worker.process.kill()
                worker.process.join()
            break
    return summary


def _note(summary: Summary, found: Found) -> None:
    if found.kind not in {other.kind for other in summary.found}:
        text = f"\n{summary.family.name} program {found.number}: {found.text}\n"
        print(text, file=sys.stderr, flush=True)
    summary.found.append(found)


def _bury(worker: _Worker, summary: Summary, waiting: list[range], seed: int) -> None:
    """Note how a worker died; the programs after the one it died at stay to be run."""
    code = worker.process.exitcode
    if not code:
        return
    program = summary.family.text(seed, worker.current)
    text = f"the process ended with {code}\n\n{program}"
    _note(summary, Found(worker.current, f"process ended with {code}", text))
    if worker.current + 1 < worker.numbers.stop:
        waiting.append(range(worker.current + 1, worker.numbers.stop))


def _progress(summary: Summary, count: int, seconds: float) -> None:
    done = f"{summary.counts.programs} {summary.family.name} programs of {count}"
    line = f"{done}, {len(summary.found)} failures, {seconds:.0f} s"
    print(line, file=sys.stderr, flush=True)
