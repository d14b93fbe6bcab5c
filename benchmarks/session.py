"""How are peers compared? In one run, in turns, each in its process, by the median of rounds."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from array_programs import PROGRAMS, Shape, agree, count
from processes import PeerError, WorkerProcess
from registry import ON_ONE_THREAD, PEERS

#: Seconds after which threads of all libraries sleep.
UNTIL_ASLEEP = 0.25
#: Elements that a loop needs so that all threads take part.
MANY = 1 << 17


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured, and for how long."""

    rounds: int
    seconds: float  # of each peer in each round
    sizes: tuple[int, ...]
    matrix: Shape
    photo: Shape
    opencl: tuple[int, int]  # elements of a vector, rows and columns of a matrix
    starts: int  # fresh processes
    first_calls: int  # functions whose first call is measured
    new_sizes: int  # sizes never seen, in each round
    calls: int  # with as many sizes
    side: int  # of a matrix that loops over slices work on
    square: int  # side of a matrix that single operations work on
    sides: tuple[int, ...]  # of matrices that are multiplied
    entries: int  # of a sparse matrix


FULL = Effort(
    rounds=7,
    seconds=0.1,
    sizes=(1_000, 100_000, 10_000_000),
    matrix=(4096, 1024),
    photo=(1082, 1922, 3),
    opencl=(2**22, 2048),
    starts=7,
    first_calls=10,
    new_sizes=120,
    calls=10_000,
    side=120,
    square=1024,
    sides=(32, 64, 128, 256, 512, 1024, 2048),
    entries=1_000_000,
)
QUICK = Effort(
    rounds=3,
    seconds=0.03,
    sizes=(1_000, 100_000),
    matrix=(1024, 1024),
    photo=(482, 642, 3),
    opencl=(2**20, 1024),
    starts=2,
    first_calls=5,
    new_sizes=120,
    calls=500,
    side=40,
    square=1024,
    sides=(128, 512),
    entries=1_000_000,
)
TINY = Effort(
    rounds=1,
    seconds=0.0,
    sizes=(100,),
    matrix=(4, 8),
    photo=(6, 7, 3),
    opencl=(300, 20),
    starts=1,
    first_calls=1,
    new_sizes=3,
    calls=20,
    side=8,
    square=64,
    sides=(16, 33),
    entries=200,
)


@dataclass(slots=True)
class Row:
    """The times of one case by peer and round, in ns, and what limits ours."""

    name: str
    rounds: dict[str, list[float]]
    limits: Limits | None = None
    roofline: Roofline | None = None

    def time(self, peer: str) -> float | None:
        """Return the median time of a peer, None if there is none."""
        found = self.rounds.get(peer)
        return statistics.median(found) if found else None

    def ratio(self, peer: str, ours: str) -> float:
        """Return how many times as long a peer takes.

        That is the median of the ratios in each round, where the machine was equally busy; without
        rounds in common the ratio of the medians.
        """
        theirs, own = self.rounds[peer], self.rounds[ours]
        if len(theirs) != len(own):
            return statistics.median(theirs) / statistics.median(own)
        return statistics.median(a / b for a, b in zip(theirs, own, strict=True))

    def least_ratio(self, peer: str, ours: str) -> float:
        """Return how many times as long the best round of a peer takes as our best one."""
        return min(self.rounds[peer]) / min(self.rounds[ours])


@dataclass(frozen=True, slots=True)
class Limits:
    """What a kernel's time consists of."""

    elements: int
    nbytes: int
    time: float  # of our call, ns
    moving: float  # time to move as many bytes, ns
    calling: float  # time of our call with next to no elements, ns

    @property
    def bandwidth(self) -> float:
        """Bytes that must move, per ns (which is GB/s)."""
        return self.nbytes / self.time

    @property
    def fraction(self) -> float:
        """The bandwidth, as a fraction of what a plain copy or read of as many bytes reaches."""
        return self.moving / self.time

    @property
    def word(self) -> str:
        """What the time is mostly spent on."""
        if self.calling > 0.5 * self.time:
            return "the call"
        return "memory" if self.fraction > 0.6 else "arithmetic"


@dataclass(frozen=True, slots=True)
class Roofline:
    """What a program computes and moves, and how long the machine takes at least."""

    steps: int  # multiply-adds
    adding: float  # time of a loop of as many multiply-adds, which waits for nothing, ns
    moving: float  # time to move as many bytes, ns

    @property
    def time(self) -> float:
        """The time that no program falls below, in ns."""
        return max(self.adding, self.moving)

    @property
    def word(self) -> str:
        """What bounds the program."""
        return "memory" if self.moving > self.adding else "arithmetic"


@dataclass(slots=True)
class Section:
    """A table: rows of times, and remarks below.

    `ours` is who is compared with the others. `is_detailed` adds a table of all their ratios. With
    a bound the table says how many times as long ours takes as the best of the others, and marks
    what is above it.
    """

    title: str
    rows: list[Row] = field(default_factory=list[Row])
    notes: list[str] = field(default_factory=list[str])
    ours: str = "trilith"
    is_detailed: bool = False
    bound: float | None = None


class Session:
    """The processes of one run, and how to compare them."""

    def __init__(
        self,
        effort: Effort,
        names: Sequence[str],
        kinds: Sequence[str] = ON_ONE_THREAD,
        changes: Mapping[str, str] | None = None,
        rest: float = 0.0,
    ) -> None:
        """Start nothing yet; of the names, those of the right kind and installed take part.

        Between two turns there are so many seconds: threads of a library look for more work for a
        while after a call, on the cores that the next one is measured on.
        """
        self.effort = effort
        self.names = names
        self.changes = changes or {}
        self.rest = rest
        self.peers = [name for name in names if name in kinds and PEERS[name].is_installed()]
        self.workers: dict[str, WorkerProcess] = {}
        self.failures: list[str] = []

    def progress(self, what: str) -> None:
        """Say on the standard error what is being measured."""
        print(f"... {what}", file=sys.stderr, flush=True)

    def worker(self, peer: str) -> WorkerProcess:
        """Return the process of a peer, started when it is first asked for."""
        if peer not in self.workers:
            self.workers[peer] = WorkerProcess(peer, self.changes)
        return self.workers[peer]

    def ask(self, peer: str, what: str, **details: Any) -> Any:
        """Ask a peer; a failure is remembered and answered with None."""
        try:
            return self.worker(peer).ask(what, **details)
        except PeerError as error:
            self.failures.append(f"{peer}, {details.get('program', what)}: {error}")
            return None

    def stop(self) -> None:
        """End all processes."""
        for worker in self.workers.values():
            worker.stop()
        self.workers.clear()

    def versions(self) -> dict[str, str]:
        """Return the peers' versions; who has none does not run, and takes no part any more."""
        found = {peer: self.ask(peer, "version") for peer in self.peers}
        self.peers = [peer for peer in self.peers if found[peer] is not None]
        return {peer: text or "does not run" for peer, text in found.items()}

    def compare(
        self, name: str, program: str, shape: Shape, peers: Sequence[str] | None = None
    ) -> Row:
        """Measure a program for all peers, in turns; results that differ from NumPy's are told."""
        ready = self.prepare(name, peers, "prepare", program=program, shape=list(shape))
        return Row(name, self._rounds(ready))

    def prepare(
        self, name: str, peers: Sequence[str] | None, what: str, **details: Any
    ) -> list[str]:
        """Ask peers to prepare for what is measured, and return those that can.

        Each answers with what it computed; results that differ from NumPy's, or from torch's
        where NumPy has none, are told.
        """
        results: dict[str, tuple[float, ...]] = {}
        for peer in self.peers if peers is None else peers:
            self.progress(f"{name}: {peer}")
            answer = self.ask(peer, what, **details)
            if answer is not None:
                results[peer] = tuple(answer["result"])
        self._compare_results(name, results)
        return list(results)

    def eager_peers(self) -> list[str]:
        """Return who computes one operation at a time; our own other self is among them."""
        ours = ["trilith eager"] if {"trilith", "trilith eager"} & {*self.peers} else []
        return ours + [peer for peer in self.peers if peer in ("numpy", "torch")]

    def limits(self, row: Row, program: str, shape: Shape, ours: str = "trilith") -> None:
        """Add what limits our time: it is set beside a plain move of as many bytes."""
        time = row.time(ours)
        if time is None or "numpy" not in self.peers:
            return
        read, written = PROGRAMS[program].nbytes(shape)
        self.ask("numpy", "prepare_memory", read=read, written=written)
        small = [4] * len(shape)
        self.ask(ours, "prepare", program=program, shape=small)
        found = Row(row.name, self._rounds(["numpy", ours]))
        row.limits = Limits(
            elements=count(shape),
            nbytes=read + written,
            time=time,
            moving=found.time("numpy") or 0.0,
            calling=found.time(ours) or 0.0,
        )

    def roofline(self, row: Row, steps: int, dtype: str = "float32", elements: int = 0) -> None:
        """Add how long the machine takes at least for what was measured last.

        That is a loop of as many multiply-adds by us, which waits for nothing, and a plain move of
        as many bytes by NumPy. A loop over so many elements uses all threads, and then nothing is
        moved, as NumPy moves with one.
        """
        if "trilith" not in row.rounds:
            return
        peers, moved = ["trilith"], self.ask("trilith", "bytes_moved")
        adds = self.ask("trilith", "prepare_multiply_adds", dtype=dtype, elements=elements)
        if "numpy" in self.peers and not elements:
            self.ask("numpy", "prepare_memory", read=moved[0], written=moved[1])
            peers.append("numpy")
        found = Row(row.name, self.in_turns(peers, "measure", seconds=self.effort.seconds / 4))
        row.roofline = Roofline(
            steps=steps,
            adding=(found.time("trilith") or 0.0) * steps / adds,
            moving=found.time("numpy") or 0.0,
        )

    def in_turns(self, peers: Sequence[str], what: str, **details: Any) -> dict[str, list[Any]]:
        """Return the answers of peers to a question that each is asked in every round."""
        peers = [*peers]
        samples: dict[str, list[Any]] = {peer: [] for peer in peers}
        for number in range(self.effort.rounds if peers else 0):
            # Not always the same one after the same one.
            for peer in peers[number % len(peers) :] + peers[: number % len(peers)]:
                time.sleep(self.rest)
                answer = self.ask(peer, what, **details)
                if answer is not None:
                    samples[peer].append(answer)
        return {peer: found for peer, found in samples.items() if found}

    def _rounds(self, peers: Sequence[str]) -> dict[str, list[float]]:
        return self.in_turns(peers, "measure", seconds=self.effort.seconds)

    def _compare_results(self, name: str, results: dict[str, tuple[float, ...]]) -> None:
        oracle = next((peer for peer in ("numpy", "torch") if peer in results), None)
        if oracle is None:
            return
        for peer, found in results.items():
            if not agree(found, results[oracle]):
                self.failures.append(f"{name}: {peer} computes something else than {oracle}")
