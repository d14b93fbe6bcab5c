"""How long does each kernel take on the device? Measured by its own clock, shown as a table."""

from __future__ import annotations

from html import escape
from typing import Any

from ....dialects.diagnostics import TrilithRuntimeError
from ....dialects.records import record
from .library import library
from .runtime import OpenClRuntime

_HEAD = ("kernel", "runs", "total us", "mean us", "min us", "max us")


@record
class KernelTime:
    """What a kernel took: how often it ran, and its times in microseconds."""

    name: str
    count: int
    total: float
    shortest: float
    longest: float


class Profile:
    """Times the kernels that are launched on a device while the block runs.

    `rows` and `str()` tell afterwards, the longest total first. `last_event` is the last launch's.
    """

    def __init__(self, runtime: OpenClRuntime) -> None:
        """Measure nothing yet."""
        self._runtime = runtime
        self._queue: Any = None
        self._events: list[tuple[str, Any]] = []
        self.rows: tuple[KernelTime, ...] = ()

    @property
    def last_event(self) -> Any:
        """The pyopencl event of the last launch, None before the first."""
        return self._events[-1][1] if self._events else None

    def __enter__(self) -> Profile:
        """Use a queue that measures."""
        cl, runtime = library(), self._runtime
        if runtime.observer is not None:
            raise TrilithRuntimeError(f"{runtime.device} is measured already")
        measuring = cl.command_queue_properties.PROFILING_ENABLE
        queue = cl.CommandQueue(runtime.context, runtime.entry.handle, properties=measuring)
        self._queue = runtime.use_queue(queue)
        runtime.observer = lambda name, event: self._events.append((name, event))
        return self

    def __exit__(self, *_: object) -> None:
        """Wait, return to the queue from before, and add up."""
        self._runtime.observer = None
        self._runtime.use_queue(self._queue)
        times: dict[str, list[float]] = {}
        for name, event in self._events:
            duration = (event.profile.end - event.profile.start) / 1e3
            times.setdefault(name, []).append(duration)
        rows = [
            KernelTime(name, len(each), sum(each), min(each), max(each))
            for name, each in times.items()
        ]
        self.rows = tuple(sorted(rows, key=lambda row: -row.total))

    def __str__(self) -> str:
        """Return the table."""
        return table(_HEAD, self._content())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the table as notebooks show it."""
        return html_table(_HEAD, self._content())

    def _content(self) -> list[tuple[str, ...]]:
        return [
            (row.name, str(row.count), *(f"{time:.1f}" for time in _times(row)))
            for row in self.rows
        ]


def _times(row: KernelTime) -> tuple[float, ...]:
    return row.total, row.total / row.count, row.shortest, row.longest


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return text in columns; those of numbers are flush right.

    >>> print(table(("name", "n"), [("a", "10")]))
    name   n
    a     10
    """
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    is_number = [
        all(row[column].replace(".", "").isdecimal() for row in rows) for column in range(len(head))
    ]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, is_number, strict=True)
        ).rstrip()
        for row in [head, *rows]
    ]
    return "\n".join(lines)


def html_table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table for a notebook.

    >>> html_table(("name",), [("a<b",)])
    '<table><tr><th>name</th></tr><tr><td>a&lt;b</td></tr></table>'
    """
    lines = [("th", head), *(("td", row) for row in rows)]
    content = "".join(
        f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in row)}</tr>"
        for tag, row in lines
    )
    return f"<table>{content}</table>"
