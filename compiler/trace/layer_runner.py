"""With what does a layer record, once it has taken itself off its operands?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dialects.ops.frame.row import OpSpec

if TYPE_CHECKING:
    from .tracer import Trace


class TraceRunner:
    """Records what a layer has taken itself off."""

    def __init__(self, trace: Trace) -> None:
        """Record in a trace."""
        self._trace = trace

    @property
    def language(self) -> Trace:
        """The language that composite rows are run in."""
        return self._trace

    def run(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Record a row."""
        return self._trace.apply(row, arguments, keywords)

    def run_in_place(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Record a row and write its result into its first operand."""
        return self._trace.WRITING(self._trace).run(row, arguments, keywords)

    def expand(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Record the steps of a composite, each with its layers."""
        trace = self._trace
        bound = row.schema.bind(arguments, keywords)
        trace.check_numbers(row, bound)
        return trace.apply_bound(row, bound)

    def plain(self, value: Any) -> Any:
        """Return what stands for a tensor without its gradient: one from outside is captured."""
        return self._trace.capture(value) if value.is_concrete else value.without_gradient()
