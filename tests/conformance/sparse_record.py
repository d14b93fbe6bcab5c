"""What does trilith answer where PyTorch's answers about sparse tensors are recorded?

What differs stands in sparse_differences.txt, with a reason of `differences`:

    .venv/bin/python -m tests.conformance.sparse_record --update
    .venv/bin/python -m tests.conformance.sparse_record --show matmul
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import pathlib
from typing import Any

from trilith.dialects.attributes.device import set_accelerator

from . import differences, rows

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "sparse.json"
MODULE = "sparse_record"
LIST = pathlib.Path(__file__).parent / "sparse_differences.txt"
#: What PyTorch says where it has no kernel: computing, or refusing as not implemented, is right.
NO_KERNEL = "NotImplementedError: Could not run 'aten::"


@functools.cache
def record() -> dict[str, Any]:
    """Return the recorded rows: area -> its setup programs and its rows."""
    loaded: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    areas: dict[str, dict[str, Any]] = {
        area: content for area, content in loaded.items() if isinstance(content, dict)
    }
    return {
        area: {"setup": content["setup"], "rows": _without_facts(content["rows"])}
        for area, content in areas.items()
    }


def _without_facts(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that are compared by their text, which shows indices, values and counts."""
    return [{name: value for name, value in row.items() if name != "tensors"} for row in found]


def is_equal(row: dict[str, Any], found: rows.Answer) -> bool:
    """Whether an answer is the recorded one, or where PyTorch has no kernel a refusal as such."""
    if row.get("raises", "").startswith(NO_KERNEL):
        return "NotImplementedError" in found.types
    return rows.is_equal(row, found)


@functools.cache
def outcome(area: str) -> tuple[int, dict[int, str]]:
    """Evaluate every row of an area: how many there are, and what differs."""
    content = record()[area]
    differing: dict[int, str] = {}
    total = 0
    for number, row in enumerate(content["rows"]):
        total += 1
        found = rows.answer(content["setup"], row)
        if not is_equal(row, found):
            shown = f"no {found.missing}" if found.missing else f"{found.kind} {found.text[:400]!r}"
            differing[number] = f"{row['expr']!r}: {shown}"
    return total, differing


def main() -> None:
    """Rewrite the list of rows that differ, or print how many there are."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--update", action="store_true", help="rewrite sparse_differences.txt")
    parser.add_argument("--show", metavar="AREA", help="print the rows of an area that differ")
    options = parser.parse_args()
    os.environ.setdefault("TRILITH_CACHE", "0")
    set_accelerator(None)
    known = differences.read(LIST)
    for area in record():
        total, differing = outcome(area)
        print(f"{area}: {total} rows, {total - len(differing)} equal")
        known[area] = differences.updated(known.get(area, {}), set(differing))
        for number, shown in differing.items() if options.show == area else ():
            row = record()[area]["rows"][number]
            print(f"  {number} {shown}\n    recorded: {row.get('str', row.get('raises'))!r}")
    if options.update:
        LIST.write_text(differences.text(known, MODULE), encoding="utf-8")


if __name__ == "__main__":
    main()
