"""What does trilith answer where PyTorch's "Tensor Attributes" page gives an example?

The cases need no torch. The accelerator is `meta`, which every machine has.
"""

import functools
import warnings
from collections import Counter

import trilith as tri

from .rows import Outcome
from .torch import doc_examples

AREA = "doc_examples"
ACCELERATOR = "meta"


def failure(row: int, accelerator: str = ACCELERATOR) -> str | None:
    """Return how a case fails, or None."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return doc_examples.failure_of(doc_examples.CASES[row], tri, accelerator)


@functools.cache
def outcome() -> Outcome:
    """Run every case that speaks of a machine without a real accelerator."""
    cases = [
        row
        for row, case in enumerate(doc_examples.CASES)
        if doc_examples.applies(case, has_accelerator=False)
    ]
    found = {row: failure(row) for row in cases}
    differing = {row: text for row, text in found.items() if text is not None}
    return Outcome(len(cases), len(cases) - len(differing), differing, Counter())


def show(row: int) -> list[str]:
    """Return a case, what is expected, and how it fails."""
    case = doc_examples.CASES[row]
    shown = doc_examples.shown(case)
    return [f"{AREA} {row}: {shown}", f"  expected {case.expected}", f"  {failure(row) or 'equal'}"]
