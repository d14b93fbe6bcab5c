"""What did a call do, and why? The answer as data, as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

from ...dialects.diagnostics import Location
from ...dialects.records import field, record
from ...runtime.execution.artifact import Artifact, Launch
from ...runtime.execution.summaries import counted
from ..plan_log import NO_PLAN, STEP_BY_STEP
from ..plan_records import PHASES, PlanRecord
from .fusion_links import FusionLink
from .rooflines import KernelCost

#: How many lines of a table are shown, and letters of a name.
SHOWN, LONGEST = 40, 44


@record
class KernelUse:
    """A kernel that a call ran: how often, and the bytes of the memory that it was given."""

    name: str
    launches: int
    nbytes: int


@record(frozen=False)
class CallReport:
    """One operation or compiled function that was called.

    `name` is what was called, `location` the line that did. `plan` says what its plan is for: "all
    sizes" (that pass its guards), "these sizes", "no plan", "no plan: step by step", or "" if that
    is not known any more. `made` are the plans that were made for it; without any, its plan was
    found. It took `milliseconds`, theirs among them.
    """

    name: str
    location: Location | None
    is_compiled: bool = False
    plan: str = ""
    made: tuple[PlanRecord, ...] = ()
    milliseconds: float = 0.0
    kernels: tuple[KernelUse, ...] = ()
    #: Whether an error was raised, of which kind.
    error: str = ""

    @property
    def how(self) -> str:
        """How its plan was come by, in words."""
        if self.error:
            return f"raised {self.error}"
        if not self.plan:
            return "plan made" if self.made else "plan not known"
        if self.plan in (NO_PLAN, STEP_BY_STEP):
            return self.plan
        return f"{'made' if self.made else 'found'}, for {self.plan}"


@record(frozen=False)
class Explanation:
    """What `trilith.explain` found out of one call.

    `result` is what it gave, `calls` what was called in it, in order; `milliseconds` is how long
    all took. Of a compiled function `links` say which operations became one kernel and why, `costs`
    what each kernel moves and computes; `result_nbytes` is the memory of what it returns,
    `arena_nbytes` what is in use at once, at most, for values between kernels. Printed, it is a
    report for a person, and a table in a notebook.
    """

    name: str
    result: Any = field(repr=False, default=None)
    calls: list[CallReport] = field(default_factory=list[CallReport])
    milliseconds: float = 0.0
    links: tuple[FusionLink, ...] = ()
    costs: tuple[KernelCost, ...] = ()
    result_nbytes: int = 0
    arena_nbytes: int = 0

    @property
    def plans_made(self) -> list[PlanRecord]:
        """The plans that were made, in order."""
        return [record for call in self.calls for record in call.made]

    @property
    def launches(self) -> int:
        """How many kernels ran, each as often as it did."""
        return sum(kernel.launches for call in self.calls for kernel in call.kernels)

    @property
    def nbytes(self) -> int:
        """The bytes of the memory that kernels were given."""
        return sum(kernel.nbytes for call in self.calls for kernel in call.kernels)

    def __str__(self) -> str:
        """Return the report."""
        return "\n".join([self._head(), *self._sections()])

    def __repr__(self) -> str:
        """Return the report."""
        return str(self)

    def _repr_html_(self) -> str:
        """Return the report for a notebook."""
        parts = [f"<p><b>{html.escape(self._head())}</b></p>"]
        for title, rows in self._tables():
            lines = [_html_row("td" if number else "th", row) for number, row in enumerate(rows)]
            parts.append(f"<p>{html.escape(title)}</p><table>{''.join(lines)}</table>")
        return "".join(parts)

    def _head(self) -> str:
        made = self.plans_made
        spent = sum(record.total for record in made)
        plans = f"{counted(len(made), 'plan')} made in {spent:.1f} ms" if made else "no plan made"
        return (
            f"{self.name} took {self.milliseconds:.3g} ms: {counted(len(self.calls), 'call')}, "
            f"{plans}, {counted(self.launches, 'launch')} on {bytes_shown(self.nbytes)}"
        )

    def _sections(self) -> Iterable[str]:
        for title, rows in self._tables():
            yield f"\n{title}"
            yield from aligned(rows)

    def _tables(self) -> Iterable[tuple[str, list[list[str]]]]:
        """Yield the titles and rows of the tables, each with its head."""
        rows = [_row_of(calls) for calls in _grouped(self.calls)]
        if not rows:
            yield "Nothing of trilith was called", []
            return
        yield (
            "What was called",
            _cut([["line", "call", "times", "plan", "ms", "launches", "bytes"], *rows]),
        )
        if records := self.plans_made:
            head = ["plan of", *PHASES, "other", "ms", "why it was made"]
            yield "Plans that were made, ms of each phase", _cut([head, *map(_phases_of, records)])
        uses = _uses_of(self.calls)
        if uses:
            origins = {k.name: k for record in self.plans_made for k in record.kernels}
            body = [
                [
                    _shortened(name),
                    f"{use.launches:,}",
                    bytes_shown(use.nbytes),
                    _origin(origins.get(name)),
                ]
                for name, use in uses.items()
            ]
            yield "Kernels that ran", _cut([["kernel", "launches", "bytes", "code"], *body])
        if self.costs:
            head = ["kernel", "in the IR", "bytes", "operations", "at least, us", "bound by"]
            rows = [head, *map(_cost_row, self.costs)]
            yield "What kernels should take, on one thread", _cut(rows)
            between, results = bytes_shown(self.arena_nbytes), bytes_shown(self.result_nbytes)
            yield f"Results take {results}, values between kernels at most {between} at once", []
        if self.links:
            head = ["operation", "read by", "one kernel", "why"]
            yield "Which operations became one kernel", _cut([head, *map(_link_row, self.links)])


def launched(artifact: Artifact) -> list[str]:
    """Return the name of the kernel of each launch of a plan."""
    launches = [launch for launch in artifact.launches if isinstance(launch, Launch)]
    return [artifact.kernels[launch.kernel].name for launch in launches]


def kernel_uses(artifact: Artifact | None) -> tuple[KernelUse, ...]:
    """Return what kernels a plan launches; the bytes are those of all buffers of each launch."""
    found: dict[str, KernelUse] = {}
    for launch in () if artifact is None else artifact.launches:
        if not isinstance(launch, Launch):
            continue
        assert artifact is not None
        name = artifact.kernels[launch.kernel].name
        nbytes = sum(artifact.buffers[buffer].nbytes for buffer in set(launch.buffers))
        before = found.get(name, KernelUse(name, 0, 0))
        found[name] = KernelUse(name, before.launches + 1, before.nbytes + nbytes)
    return tuple(found.values())


def bytes_shown(nbytes: int) -> str:
    """Return a number of bytes as people read it.

    >>> bytes_shown(96), bytes_shown(3 << 20)
    ('96 bytes', '3.0 MiB')
    """
    if nbytes < 1024:
        return f"{nbytes} bytes"
    power = min((nbytes.bit_length() - 1) // 10, 4)
    return f"{nbytes / 1024**power:.1f} {'KMGT'[power - 1]}iB"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with columns below one another; numbers end where their column does.

    >>> aligned([["call", "ms", "why"], ["add()", "1.25", "first"], ["mul()", "0.5", ""]])
    ['  call     ms  why', '  add()  1.25  first', '  mul()   0.5']
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    is_number = [all(not cell or cell[0].isdigit() for cell in column[1:]) for column in columns]
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ]
        lines.append(f"  {'  '.join(cells)}".rstrip())
    return lines


def _cut(rows: list[list[str]]) -> list[list[str]]:
    left = len(rows) - SHOWN - 1
    if left <= 0:
        return rows
    return [*rows[: SHOWN + 1], [f"{left} more", *[""] * (len(rows[0]) - 1)]]


def _grouped(calls: Iterable[CallReport]) -> list[list[CallReport]]:
    """Return calls of one kind together that follow one another on one line, as in a loop."""
    found: dict[tuple[Any, ...], list[CallReport]] = {}
    for call in calls:
        names = tuple(kernel.name for kernel in call.kernels)
        key = (call.name, str(call.location), call.how, names, tuple(map(id, call.made)))
        found.setdefault(key, []).append(call)
    return list(found.values())


def _row_of(calls: list[CallReport]) -> list[str]:
    first = calls[0]
    kernels = [kernel for call in calls for kernel in call.kernels]
    return [
        "" if first.location is None else _shortened(_short_place(first.location)),
        _shortened(first.name),
        str(len(calls)),
        first.how,
        f"{sum(call.milliseconds for call in calls):.3f}",
        str(sum(kernel.launches for kernel in kernels)),
        bytes_shown(sum(kernel.nbytes for kernel in kernels)),
    ]


def _cost_row(cost: KernelCost) -> list[str]:
    operations = "not known" if cost.operations is None else f"{cost.operations:,}"
    least = f"{cost.microseconds:.2f}"
    names = _shortened(cost.name), _shortened(f"@{cost.symbol}")
    return [*names, bytes_shown(cost.nbytes), operations, least, cost.bound]


def _link_row(link: FusionLink) -> list[str]:
    is_fused = "yes" if link.is_fused else "no"
    return [_shortened(link.producer), _shortened(link.consumer), is_fused, link.why]


def _short_place(location: Location) -> str:
    return f"{location.file.replace(chr(92), '/').rsplit('/', 1)[-1]}:{location.line}"


def _phases_of(record: PlanRecord) -> list[str]:
    spent = [f"{record.milliseconds.get(name, 0.0):.1f}" for name in (*PHASES, "other")]
    why = record.reason + (f" (raised {record.error})" if record.error else "")
    return [_shortened(record.name), *spent, f"{record.total:.1f}", why]


def _uses_of(calls: Iterable[CallReport]) -> dict[str, KernelUse]:
    found: dict[str, KernelUse] = {}
    for call in calls:
        for use in call.kernels:
            before = found.get(use.name, KernelUse(use.name, 0, 0))
            launches, nbytes = before.launches + use.launches, before.nbytes + use.nbytes
            found[use.name] = KernelUse(use.name, launches, nbytes)
    return found


def _origin(record: Any) -> str:
    if record is None:
        return "there before"
    return f"{record.origin} in {record.milliseconds:.1f} ms"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST else f"...{text[3 - LONGEST :]}"


def _html_row(tag: str, cells: Iterable[str]) -> str:
    inner = "".join(
        f'<{tag} style="text-align: left">{html.escape(cell)}</{tag}>' for cell in cells
    )
    return f"<tr>{inner}</tr>"
