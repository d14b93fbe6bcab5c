"""Which of the transformations that run was made last? Gradients and mappings count together.

A value of a transformation has its level. An operation on values of several levels belongs to the
one made last, which takes itself off and leaves the rest to those around it. No level is used
twice: what one has left behind, such as the function that `vjp` returns, is always older.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import local

from ...dialects.diagnostics import TrilithRuntimeError


class _Levels(local):
    """How many transformations a thread has run, and how many it is in."""

    made = 0
    depth = 0
    #: Those whose arguments move in a direction.
    moving: tuple[int, ...] = ()


_LEVELS = _Levels()


class TransformingError(TrilithRuntimeError):
    """Something that PyTorch refuses within a function that is transformed."""


@contextmanager
def level() -> Generator[int]:
    """Be within one transformation more in a block.

    >>> with level() as outer, level() as inner:
    ...     inner > outer
    True
    """
    _LEVELS.made += 1
    _LEVELS.depth += 1
    try:
        yield _LEVELS.made
    finally:
        _LEVELS.depth -= 1


@contextmanager
def moving(own: int) -> Generator[None]:
    """Let a level be one whose arguments move in a direction: `no_grad` does not stop them.

    >>> with level() as own, moving(own):
    ...     is_moving(), is_moving(own), is_moving(own - 1)
    (True, True, False)
    """
    before = _LEVELS.moving
    _LEVELS.moving = (*before, own)
    try:
        yield
    finally:
        _LEVELS.moving = before


def is_moving(own: int | None = None) -> bool:
    """Whether arguments of a level, or of any one, move in a direction."""
    return bool(_LEVELS.moving) if own is None else own in _LEVELS.moving


def depth() -> int:
    """Return in how many transformations the thread is."""
    return _LEVELS.depth


def is_transforming() -> bool:
    """Whether the thread runs a function that is transformed."""
    return _LEVELS.depth > 0
