"""What runs at once what a layer has taken itself off? The rows of concrete tensors."""

from __future__ import annotations

from typing import Any, cast

from ...dialects.ops.frame.indexed import HostOp
from ...dialects.ops.frame.row import OpSpec
from ..trace.layers import Runner
from .data_dependent import ConcreteLanguage, EagerCall, run_host_row


class EagerRunner(Runner):
    """Runs rows on tensors that have elements."""

    def __init__(self, call: EagerCall, call_in_place: EagerCall, t: ConcreteLanguage) -> None:
        """Run rows by `call` and `call_in_place`, and composites in a language of both."""
        self._call = call
        self._call_in_place = call_in_place
        self._language = t

    @property
    def language(self) -> ConcreteLanguage:
        """The language that composite rows are run in."""
        return self._language

    def run(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row."""
        return self._call(row, arguments, keywords)

    def run_in_place(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row and write its result into its first operand."""
        return self._call_in_place(row, arguments, keywords)

    def expand(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a composite step by step."""
        return run_host_row(cast("HostOp", row), arguments, keywords, self._language)

    def plain(self, value: Any) -> Any:
        """Return a tensor without its gradient."""
        return value.without_gradient()
