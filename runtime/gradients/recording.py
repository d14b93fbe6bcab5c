"""What records operations? The compiler does, and is loaded when a tensor first requires it."""

from __future__ import annotations

from collections.abc import Callable


class _Loader:
    """What loads it, once."""

    def __init__(self) -> None:
        self.load: Callable[[], None] | None = None


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
