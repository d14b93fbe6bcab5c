"""How is a failing pass repeated? A file with the IR before it and the command to run on it."""

from __future__ import annotations

import shlex
from pathlib import Path

from ...dialects.records import record


@record
class Reproducer:
    """Where to write, and the options without which the IR would not be read as it was."""

    file: Path
    options: tuple[str, ...] = ()

    def command(self, step: tuple[str, str]) -> str:
        """Return the command that repeats a step: ("-p", a pass) or ("-t", a target).

        >>> Reproducer(Path("crash.mlir")).command(("-p", "kernel-schedule{target=cpu}"))
        "trilith-opt crash.mlir -p 'kernel-schedule{target=cpu}'"
        """
        return shlex.join(["trilith-opt", str(self.file), *step, *self.options])

    def write(self, step: tuple[str, str], message: str, before: str) -> None:
        """Write the file."""
        heading = f"// Run: {self.command(step)}\n// {message.partition(chr(10))[0]}"
        text = f"{heading}\n{before}\n"
        self.file.write_text(text, encoding="utf-8")
