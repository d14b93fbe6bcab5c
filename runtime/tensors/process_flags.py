"""What may a program set for the whole process that is no dtype, device or seed?"""

from __future__ import annotations

from typing import Any

from ...dialects import frames
from ...dialects.diagnostics import TrilithRuntimeError


def set_warn_always(b: bool, /) -> None:
    """Choose whether warnings that are given once in a process are given each time.

    >>> set_warn_always(True)
    >>> is_warn_always_enabled()
    True
    >>> set_warn_always(False)
    """
    frames.set_warn_always(_flag("setWarnOnlyOnce", b))


def is_warn_always_enabled() -> bool:
    """Tell whether warnings that are given once in a process are given each time.

    >>> is_warn_always_enabled()
    False
    """
    return frames.warns_always()


def set_flush_denormal(mode: bool) -> bool:
    """Return whether numbers close to 0 can be rounded to it, as was asked: they never are.

    >>> set_flush_denormal(True)
    False
    """
    return not _flag("flush_denormal", mode)


def _flag(name: str, value: Any) -> bool:
    if type(value) is not bool:
        raise TrilithRuntimeError(f"{name} expects a bool, but got {type(value).__name__}")
    return value
