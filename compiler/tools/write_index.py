"""How is a row found without loading all rows? By `dialects/ops/index.py`, which this writes."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path

from ...dialects.ops import index
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import (
    TABLE,
    functions_of,
    members_of,
    module_names,
    nbytes_of_modules,
)

PATH = Path(index.__file__)


def index_text() -> str:
    """Return the text of the index: a name stands alone for a row of that name."""
    parts = [
        f'"""{index.__doc__}"""\n',
        "#: How many bytes the modules of rows had.",
        f"NBYTES = {nbytes_of_modules()}",
        "#: The rows of each module.",
        "ROWS = {",
    ]
    for module, rows in _rows_by_module().items():
        parts += [f'    "{module}": """', _filled(rows), '""",']
    parts.append("}")
    for name, comment, names_of in (
        ("FUNCTIONS", "Functions of the face and of modules below it.", functions_of),
        ("MEMBERS", "Methods, operators and properties of tensors.", members_of),
        ("UFUNCS", "Functions of NumPy.", _ufuncs_of),
    ):
        parts += [f"#: {comment}", f'{name} = """', _filled(_pairs(names_of)), '"""']
    return "\n".join(parts) + "\n"


def _ufuncs_of(row: OpSpec) -> tuple[str, ...]:
    return row.ufuncs


def _rows_by_module() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {module: [] for module in module_names()}
    for name in TABLE:
        found[TABLE.modules[name]].append(name)
    return found


def _pairs(names_of: Callable[[OpSpec], Iterable[str]]) -> list[str]:
    found: dict[str, str] = {}
    for own, row in TABLE.items():
        for name in names_of(row):
            found.setdefault(name, name if name == own else f"{name}:{own}")
    return list(found.values())


def _filled(words: list[str]) -> str:
    return textwrap.fill(" ".join(sorted(words)), 99, break_on_hyphens=False)


def main() -> None:
    """Write the index."""
    PATH.write_text(index_text(), encoding="utf-8")
    print(f"wrote {PATH}", file=sys.stderr)


if __name__ == "__main__":
    main()
