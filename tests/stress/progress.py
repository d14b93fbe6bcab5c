"""How far is it? A line on the standard error, for whoever waits at a terminal."""

from __future__ import annotations

import sys


def show(done: int, count: int, what: str) -> None:
    """Show how many are done, where somebody looks and it has changed by a hundredth."""
    if sys.stderr.isatty() and (done == count or done % max(count // 100, 1) == 0):
        end = "\n" if done == count else ""
        print(f"\r  {done} of {count} {what}", end=end, file=sys.stderr, flush=True)
