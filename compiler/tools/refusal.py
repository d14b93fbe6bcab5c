"""What does a tool say that refuses? A message of at most twelve lines, and an exit status."""

from __future__ import annotations

from enum import Enum

MAXIMUM_LINES = 12
WIDTH = 100


class Kind(Enum):
    """What went wrong; xDSL's options print two of these instead of failing."""

    USAGE = "the command line"
    SYNTAX = "the text of the input: --parsing-diagnostics prints it"
    INVALID = "the verifier or a pass refused: --verify-diagnostics prints it"
    CRASH = "a bug of ours"
    SYSTEM = "files"


class Refusal(Exception):
    """A message that is ready to be read, and the exit status that goes with it.

    >>> print(Refusal(Kind.SYSTEM, "x.mlir: error: no such file"))
    x.mlir: error: no such file
    """

    def __init__(self, kind: Kind, *lines: str) -> None:
        """Keep the first twelve lines."""
        parts = [part for line in lines for part in line.splitlines()]
        if len(parts) > MAXIMUM_LINES:
            parts = [*parts[: MAXIMUM_LINES - 1], "  ..."]
        super().__init__("\n".join(map(_fitted, parts)))
        self.kind = kind

    @property
    def status(self) -> int:
        """The exit status: 2 for a wrong command line, 1 for everything else."""
        return 2 if self.kind is Kind.USAGE else 1


def shorten(line: str, start: int = 0) -> str:
    """Return what fits on a line of a terminal, printable, from column `start` on.

    >>> shorten("x" * 300)[-4:], shorten("a\\x00b"), len(shorten("x" * 300))
    ('x...', 'a\\ufffdb', 200)
    """
    shown = line[start:]
    if len(shown) > 2 * WIDTH:
        shown = shown[: 2 * WIDTH - 3] + "..."
    return _printable(shown)


def _fitted(line: str) -> str:
    """Return a line of a message; how long a file's name is takes nothing from what follows it."""
    place, mark, message = line.partition(": error: ")
    return f"{_printable(place)}{mark}{shorten(message)}" if mark else shorten(line)


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def system_refusal(error: OSError, file: str = "") -> Refusal:
    """Return what the system said of a file, `file` if the error names none.

    >>> print(system_refusal(FileNotFoundError(2, "No such file or directory", "x.mlir")))
    x.mlir: error: No such file or directory
    """
    return Refusal(Kind.SYSTEM, f"{error.filename or file}: error: {error.strerror or error}")
