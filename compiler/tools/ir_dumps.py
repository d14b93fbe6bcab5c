"""When is the IR shown while passes run, and where? On stderr, or as one file per pass.

// -----// IR Dump After tri-promote-types //----- //
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...dialects.records import field, record


@record(frozen=False)
class IrDumps:
    """What `--print-ir-...` asked for.

    `after` names passes whose result is shown. With a `folder` each dump becomes a file there,
    numbered by pass: `03-cse.mlir`, and `03-before-cse.mlir` for what a pass starts from.
    """

    spell: Callable[[ModuleOp], str]
    before_all: bool = False
    after_all: bool = False
    after: frozenset[str] = frozenset()
    only_changes: bool = False
    folder: Path | None = None
    number: int = 0
    _previous: str = field(default="", init=False)

    def before_pass(self, name: str, module: ModuleOp) -> None:
        """Show what a pass starts from, if asked for."""
        if self.only_changes:
            self._previous = self.spell(module)
        if self.before_all:
            self._show("Before", name, f"{self.number:02}-before-{name}", self.spell(module))

    def after_pass(self, name: str, module: ModuleOp) -> None:
        """Show what a pass made, if asked for."""
        if self.after_all or name in self.after:
            text = self.spell(module)
            if not (self.only_changes and text == self._previous):
                self._show("After", name, f"{self.number:02}-{name}", text)
        self.number += 1

    def _show(self, moment: str, name: str, file: str, text: str) -> None:
        if self.folder is None:
            header = f"// -----// IR Dump {moment} {name} //----- //"
            print(f"{header}\n{text}\n", file=sys.stderr)
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{file}.mlir").write_text(text + "\n", encoding="utf-8")
