"""Does what the thread asks for become part of a traced function? The compiler knows.

What a trace cannot record (reading elements, changing the storage) is said here before it happens.
"""

from __future__ import annotations

from typing import Protocol


class Recording(Protocol):
    """What is known of the thread's trace, if there is one."""

    def unrecorded(self, what: str) -> None:
        """Refuse to do, while a function is traced, what cannot be part of it."""
        ...

    def are_recorded(self) -> bool:
        """Whether what the thread asks for becomes part of a traced function."""
        ...


class _Untraced(Recording):
    """Nothing is recorded."""

    def unrecorded(self, what: str) -> None:
        pass

    def are_recorded(self) -> bool:
        return False


_recording: Recording = _Untraced()


def set_recording(recording: Recording) -> None:
    """Let the compiler say what is recorded."""
    global _recording
    _recording = recording


def unrecorded(what: str) -> None:
    """Say that something is done at once, of which a trace would know nothing; it may refuse."""
    _recording.unrecorded(what)


def are_recorded() -> bool:
    """Return whether operations are recorded now, in place of being run."""
    return _recording.are_recorded()
