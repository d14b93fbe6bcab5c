"""When are two static values the same? If nothing that is traced could tell them apart."""

from __future__ import annotations

from typing import Any, cast


def identity_of(value: Any) -> Any:
    """Return what stands for a value in a key: 1, 1.0 and True differ, and so do 0.0 and -0.0.

    >>> identity_of(1) == identity_of(1.0), identity_of((0.0,)) == identity_of((-0.0,))
    (False, False)
    """
    kind = cast("Any", type(value))
    if kind is tuple:
        return (kind, *map(identity_of, value))
    if kind is float or kind is complex:
        return (kind, repr(value))
    return (kind, value)
