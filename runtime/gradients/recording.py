"""What records operations? The compiler does, and is loaded when a tensor first requires it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class _Loader:
    """What loads it, once."""

    def __init__(self) -> None:
        self.load: Callable[[], None] | None = None
        self.mapping: Callable[[], Callable[..., Any]] | None = None


_LOADER = _Loader()


def set_loader(load: Callable[[], None]) -> None:
    """Set what to call when a tensor first requires a gradient."""
    _LOADER.load = load


def load() -> None:
    """Load what records operations, unless it is there."""
    loader = _LOADER.load
    if loader is not None:
        loader()
        _LOADER.load = None


def set_mapping(mapping: Callable[[], Callable[..., Any]]) -> None:
    """Set what returns the function that maps others over a dim, which the compiler has."""
    _LOADER.mapping = mapping


def mapped(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that runs another one for each index of dim 0 of its arguments at once."""
    mapping = _LOADER.mapping
    assert mapping is not None
    return mapping()(function)
