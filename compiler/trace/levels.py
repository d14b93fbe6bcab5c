"""How deep in transformations is a thread? Gradients and mappings count together.

A value of a transformation has its level. An operation on values of several levels belongs to the
deepest one, which takes itself off and leaves the rest to those around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local


class _Depth(local):
    """How many transformations a thread is in."""

    value = 0


_DEPTH = _Depth()


@contextmanager
def level() -> Iterator[int]:
    """Be one level deeper in a block.

    >>> with level() as outer, level() as inner:
    ...     inner - outer
    1
    """
    _DEPTH.value += 1
    try:
        yield _DEPTH.value
    finally:
        _DEPTH.value -= 1


def is_transforming() -> bool:
    """Whether the thread runs a function that is transformed."""
    return _DEPTH.value > 0
