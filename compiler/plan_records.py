"""What happens while a plan is made, and how long does each part take?

Whoever makes a plan opens a record; what is done on the way notes itself in the one that this
thread has open: `phase("trace")` around what takes time, and each kernel. Who wants to know looks
at the records: the log of plans, `explain`, the line that shows progress.
"""

from __future__ import annotations

import threading
import time

from ..dialects.records import field, record

#: What is done for a plan: the function is run on symbols or stand-ins; its IR becomes kernels;
#: their code is made, or read from the disk; the code is made ready to be called.
PHASES = ("trace", "lower", "compile", "load")
#: What a record counts that is none of these, such as looking for the plan.
OTHER = "other"


@record
class KernelRecord:
    """A kernel that a plan needs.

    `origin` says how it was come by: "compiled", "compiled quickly" (better code comes later),
    "reused" (this process had it) or "loaded from disk". That took `milliseconds`.
    """

    name: str
    origin: str
    milliseconds: float


@record(frozen=False)
class PlanRecord:
    """What was done for one plan.

    `name` says whose plan it is, `reason` why it was made. `milliseconds` has the time of each
    phase, which are "trace", "lower", "compile", "load" and "other". `error` is the kind of what
    was raised, "" if nothing was.
    """

    name: str
    reason: str = ""
    milliseconds: dict[str, float] = field(default_factory=dict[str, float])
    kernels: list[KernelRecord] = field(default_factory=list[KernelRecord])
    #: How many kernels it has, once that is known.
    wanted: int | None = None
    error: str = ""
    #: When it was begun, by `time.perf_counter`.
    started: float = field(default_factory=time.perf_counter)
    _mark: float = field(default_factory=time.perf_counter, repr=False)
    _phases: list[str] = field(default_factory=list[str], repr=False)

    @property
    def phase(self) -> str:
        """What is done now."""
        return self._phases[-1] if self._phases else OTHER

    @property
    def total(self) -> float:
        """How many milliseconds all took so far."""
        return sum(self.milliseconds.values())

    def enter(self, name: str) -> None:
        """Count what follows to a phase, until `leave`."""
        self.count()
        self._phases.append(name)

    def leave(self) -> None:
        """Count what follows to what was done before."""
        self.count()
        self._phases.pop()

    def count(self) -> None:
        """Count the time since the last look to what is done now."""
        now = time.perf_counter()
        spent = self.milliseconds
        spent[self.phase] = spent.get(self.phase, 0.0) + 1000 * (now - self._mark)
        self._mark = now


class _Open(threading.local):
    """What a thread is busy with."""

    #: The innermost record that is open.
    record: PlanRecord | None = None
    #: Where finished records go; None if nobody in this thread wants them.
    finished: list[PlanRecord] | None = None


OPEN = _Open()


class phase:
    """Counts the time that is spent inside to a phase of the plan that this thread makes, if any.

    >>> OPEN.record = record = PlanRecord("f")
    >>> with phase("trace"):
    ...     pass
    >>> OPEN.record = None
    >>> list(record.milliseconds)
    ['other', 'trace']
    """

    __slots__ = ("_name", "_record")

    def __init__(self, name: str) -> None:
        """Remember the phase."""
        self._name = name
        self._record: PlanRecord | None = None

    def __enter__(self) -> None:
        """Begin."""
        self._record = OPEN.record
        if self._record is not None:
            self._record.enter(self._name)

    def __exit__(self, *_: object) -> None:
        """End."""
        if self._record is not None:
            self._record.leave()


def note_kernel(name: str, origin: str, seconds: float) -> None:
    """Note how a kernel of the plan that this thread makes was come by."""
    if OPEN.record is not None:
        OPEN.record.kernels.append(KernelRecord(name, origin, 1000 * seconds))


def note_wanted(count: int) -> None:
    """Note how many kernels the plan has that this thread makes."""
    if OPEN.record is not None:
        OPEN.record.wanted = count
