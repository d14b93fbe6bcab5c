"""What does trilith answer where PyTorch's answers about sparse tensors are recorded?

Rows that need gradients are left out: they are a matter of their own.
"""

from __future__ import annotations

import functools
import json
import pathlib
from collections import Counter
from typing import Any

from . import rows

DATA = pathlib.Path(__file__).parents[1] / "data" / "torch" / "sparse.json"
#: What PyTorch says where it has no kernel: computing, or refusing as not implemented, is right.
NO_KERNEL = "NotImplementedError: Could not run 'aten::"
#: A word of rows that record gradients.
GRADIENTS = "grad"


@functools.cache
def record() -> dict[str, Any]:
    """Return the recorded rows: area -> its setup programs and its rows."""
    loaded: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return {
        area: content
        for area, content in loaded.items()
        if isinstance(content, dict) and area != "gradients"
    }


def needs_gradients(area: str, row: dict[str, Any]) -> bool:
    """Whether a row asks for gradients, or uses a tensor of the setup that does."""
    shown = f"{row['expr']} {row.get('str', '')} {row.get('raises', '')}"
    # In this area `v` requires gradients.
    uses_leaf = area == "printing_copies" and "(i,v," in row["expr"]
    return uses_leaf or any(word in shown for word in ("requires_grad", "grad_fn", "backward"))


def is_equal(row: dict[str, Any], found: rows.Answer) -> bool:
    """Whether an answer is the recorded one, or where PyTorch has no kernel a refusal as such."""
    if row.get("raises", "").startswith(NO_KERNEL):
        return "NotImplementedError" in found.types
    return rows.is_equal(row, found)


@functools.cache
def outcome(area: str) -> rows.Outcome:
    """Evaluate every row of an area that needs no gradients."""
    content = record()[area]
    differing: dict[int, str] = {}
    missing: Counter[str] = Counter()
    total = equal = 0
    for number, row in enumerate(content["rows"]):
        if needs_gradients(area, row):
            continue
        total += 1
        found = rows.answer(content["setup"], row)
        if is_equal(row, found):
            equal += 1
        elif found.missing:
            missing[found.missing] += 1
        else:
            differing[number] = f"{row['expr']!r}: {found.kind} {found.text[:400]!r}"
    return rows.Outcome(total, equal, differing, missing)
