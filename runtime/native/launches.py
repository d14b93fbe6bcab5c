"""How does native code call a kernel? With the words that lie in a block."""

from __future__ import annotations

from .form import MOST_WORDS
from .intrinsics import Word, spread
from .subset import inlined


@inlined
def launch(function: Word, block: Word, count: Word) -> Word:
    """Call a kernel: a function ignores the words that it does not take."""
    if count <= 6:
        spread(function, block, 6)
    elif count <= 12:
        spread(function, block, 12)
    elif count <= 24:
        spread(function, block, 24)
    else:
        spread(function, block, MOST_WORDS)
    return 0
