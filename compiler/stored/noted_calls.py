"""What is noted of calls by their numbers? That a row lets them through, or what it does.

A row may refuse a call by its numbers (`OpSpec.check_numbers`), which only a loaded row can do. The
same numbers in the same call are let through again, so a process that runs the program of an
earlier one loads no row for that. Of rows that draw the steps are noted (`eager/recipes.py`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from ..afterwards import AFTERWARDS
from .plans import StoredPlans

#: So many calls of one kind are noted.
MOST = 16

#: Nothing is noted of a call.
UNKNOWN: Any = object()


class NotedCalls:
    """What is noted of calls of one kind, by the texts of their numbers."""

    __slots__ = ("_is_waiting", "_notes", "_stored")

    def __init__(self, stored: StoredPlans) -> None:
        """Read what is on the disk."""
        self._stored = stored
        self._notes = _read(stored.notes())
        self._is_waiting = False

    def find(self, scalars: Sequence[Any], sizes: Sequence[int]) -> Any:
        """Return what is noted of a call; UNKNOWN if nothing is."""
        return self._notes.get(_text(scalars, sizes), UNKNOWN)

    def add(self, scalars: Sequence[Any], sizes: Sequence[int], note: Any = None) -> None:
        """Note something of a call, and write it to the disk when there is time."""
        if len(self._notes) >= MOST or self.find(scalars, sizes) is not UNKNOWN:
            return
        self._notes = {**self._notes, _text(scalars, sizes): note}
        if not self._is_waiting:
            self._is_waiting = True
            AFTERWARDS.add(self._write)

    def _write(self) -> None:
        self._is_waiting = False
        notes = {**_read(self._stored.notes()), **self._notes}
        kept = dict(list(notes.items())[:MOST])
        self._stored.put_notes(json.dumps(kept, separators=(",", ":")).encode())


def _text(scalars: Sequence[Any], sizes: Sequence[int]) -> str:
    return f"{[*scalars]} {[*sizes]}"


def _read(data: bytes | None) -> dict[str, Any]:
    """Return the notes of a file of any content."""
    try:
        found: Any = json.loads(data) if data else {}
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
