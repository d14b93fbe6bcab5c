"""Which numbers has a row let through? Those that an earlier process has had checked.

A row may refuse a call by its numbers (`OpSpec.check_numbers`), which only a loaded row can do. The
same numbers in the same call are let through again, so a process that runs the program of an
earlier one loads no row for that.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from ..afterwards import AFTERWARDS
from .plans import StoredPlans

#: Numbers of so many calls of one kind are remembered.
MOST = 16


class AcceptedNumbers:
    """The numbers that were let through in one kind of call, as texts."""

    __slots__ = ("_is_waiting", "_stored", "_texts")

    def __init__(self, stored: StoredPlans) -> None:
        """Read what is on the disk."""
        self._stored = stored
        self._texts = _read(stored.notes())
        self._is_waiting = False

    def hold(self, scalars: Sequence[Any], sizes: Sequence[int]) -> bool:
        """Whether these were let through before."""
        return _text(scalars, sizes) in self._texts

    def add(self, scalars: Sequence[Any], sizes: Sequence[int]) -> None:
        """Note that these were let through, and write it to the disk when there is time."""
        if len(self._texts) >= MOST or self.hold(scalars, sizes):
            return
        self._texts = [*self._texts, _text(scalars, sizes)]
        if not self._is_waiting:
            self._is_waiting = True
            AFTERWARDS.add(self._write)

    def _write(self) -> None:
        self._is_waiting = False
        others = [text for text in _read(self._stored.notes()) if text not in self._texts]
        texts = [*self._texts, *others][:MOST]
        self._stored.put_notes(json.dumps(texts).encode())


def _text(scalars: Sequence[Any], sizes: Sequence[int]) -> str:
    return f"{[*scalars]} {[*sizes]}"


def _read(data: bytes | None) -> list[str]:
    """Return the texts of a file of any content."""
    try:
        found: Any = json.loads(data) if data else []
    except ValueError:
        return []
    texts = cast("list[Any]", found) if isinstance(found, list) else []
    return [text for text in texts if type(text) is str]
