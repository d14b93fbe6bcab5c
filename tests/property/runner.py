"""How are many random programs run in several processes? For any family of programs.

A worker that dies (a kernel wrote to memory that is not its own) or hangs (a driver waits for
itself) names the program it was at.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

#: Programs that one process runs before another takes its place: compiled code stays in memory.
CHUNK = 100
#: KiB that a process may have taken when it begins some more programs.
MOST_MEMORY = 1 << 20
#: Seconds that a program, or shrinking it, may take before its process counts as hanging, and
#: seconds between two lines that say how far a run is.
PATIENCE, INTERVAL = 600.0, 60.0
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
    """A kind of random programs: seed and number make one.

    One process runs `chunk` programs at most; it prepares for `batch` of them at a time.
    """

    @property
    def name(self) -> str:
        """What messages call it."""
        ...

    @property
    def chunk(self) -> int:
        """Programs that one process runs at most."""
        ...

    @property
    def batch(self) -> int:
        """Programs that a process prepares for at a time."""
        ...

    def counts(self) -> Any:
        """Return new counts, all 0."""
        ...

    def prepare(self, seed: int, numbers: Sequence[int]) -> None:
        """Do what is cheaper for some programs together, which are then checked one by one."""
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
    """Check some programs; send the number of each before it runs, what fails, what is left."""
    for batch in _parts(numbers, family.batch):
        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if used > MOST_MEMORY and batch.start > numbers.start:
            pipe.send(range(batch.start, numbers.stop))
            break
        pipe.send(batch.start)
        counts = family.counts()
        family.prepare(seed, batch)
        for number in batch:
            pipe.send(number)
            found = family.check(seed, number, counts)
            if found is not None:
                pipe.send(found)
        pipe.send(counts)
    pipe.close()


def _parts(numbers: range, length: int) -> Iterator[range]:
    return (numbers[place : place + length] for place in range(0, len(numbers), length))


class _Worker:
    """A process with the programs it was given."""

    def __init__(self, family: Family, seed: int, numbers: range) -> None:
        self.numbers = numbers
        self.current = numbers.start
        self.heard = time.monotonic()
        self.is_hanging = False
        self.pipe, other = _FORK.Pipe(duplex=False)
        self.process = _FORK.Process(target=_work, args=(other, family, seed, numbers))
        self.process.start()
        other.close()

    def receive(self) -> Any:
        """Return the next message, None when the process has ended."""
        self.heard = time.monotonic()
        try:
            return self.pipe.recv()
        except EOFError:
            self.process.join()
            return None

    def end_if_hanging(self) -> None:
        """End a process that has said nothing for too long; its pipe then is at its end."""
        if not self.is_hanging and time.monotonic() - self.heard > PATIENCE:
            self.is_hanging = True
            self.process.kill()


def run(family: Family, seed: int, numbers: range, jobs: int, keep_going: bool) -> Summary:
    """Check some programs of a seed in several processes."""
    summary = Summary(family, family.counts())
    waiting = list(_parts(numbers, min(family.chunk, -(-len(numbers) // jobs) or 1)))[::-1]
    active: list[_Worker] = []
    started = told = time.monotonic()
    while waiting or active:
        while waiting and len(active) < jobs:
            active.append(_Worker(family, seed, waiting.pop()))
        ready: list[Any] = wait([worker.pipe for worker in active], timeout=min(10.0, PATIENCE))
        for worker in active:
            worker.end_if_hanging()
        for worker in [worker for worker in active if worker.pipe in ready]:
            message = worker.receive()
            if isinstance(message, int):
                worker.current = message
            elif isinstance(message, Found):
                _note(summary, message)
            elif isinstance(message, range):
                waiting.append(message)
            elif message is not None:
                summary.counts.add(message)
            else:
                active.remove(worker)
                _bury(worker, summary, waiting, seed)
        if not active or time.monotonic() - told > INTERVAL:
            told = time.monotonic()
            _progress(summary, len(numbers), told - started)
        if summary.found and not keep_going:
            for worker in active:
                worker.process.kill()
                worker.process.join()
            break
    return summary


#: So many failures of each kind are shown: the next ones may have another cause.
SHOWN = 3


def _note(summary: Summary, found: Found) -> None:
    if sum(other.kind == found.kind for other in summary.found) < SHOWN:
        text = f"\n{summary.family.name} program {found.number}: {found.text}\n"
        print(text, file=sys.stderr, flush=True)
    summary.found.append(found)


def _bury(worker: _Worker, summary: Summary, waiting: list[range], seed: int) -> None:
    """Note how a worker died; the programs after the one it died at stay to be run."""
    code = worker.process.exitcode
    if not code:
        return
    text_of_dead: Any = getattr(summary.family, "text_of_dead", summary.family.text)
    program = text_of_dead(seed, worker.current)
    how = "the process hangs" if worker.is_hanging else f"the process ended with {code}"
    _note(summary, Found(worker.current, how.removeprefix("the "), f"{how}\n\n{program}"))
    if worker.current + 1 < worker.numbers.stop:
        waiting.append(range(worker.current + 1, worker.numbers.stop))


def ends_well(action: Callable[[], object]) -> bool:
    """Whether a process of its own survives an action; what the action raises does not count."""
    process = _FORK.Process(target=_attempt, args=(action,))
    process.start()
    process.join(PATIENCE)
    if process.exitcode is None:
        process.kill()
        process.join()
    return process.exitcode == 0


def _attempt(action: Callable[[], object]) -> None:
    faulthandler.disable()  # what ends this process is expected
    with suppress(Exception):
        action()


def _progress(summary: Summary, count: int, seconds: float) -> None:
    # Some are run with several sizes and values.
    done = f"{summary.family.name}: {summary.counts.programs} programs run, {count} to draw"
    line = f"{done}, {len(summary.found)} failures, {seconds:.0f} s"
    print(line, file=sys.stderr, flush=True)
