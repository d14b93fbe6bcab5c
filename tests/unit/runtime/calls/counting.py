"""What tests of native calls share: arrays, and how many calls native code has answered."""

from __future__ import annotations

from typing import Any

import numpy as np

from trilith.dialects.ops.table import members
from trilith.runtime.calls import entries
from trilith.runtime.tensors import dispatch

Array = np.ndarray[Any, np.dtype[Any]]


def begin() -> None:
    """Begin with native code, and with the methods that it may call: none is a stand-in."""
    assert entries.enable()
    # After calls that taught nothing, fewer are learnt from: other tests have made such calls.
    entries.forget_all()
    for name in (*members(), "__setitem__"):
        dispatch.installed(name)


def hits(callable_: Any) -> int:
    """Return how many calls native code has answered."""
    return entries._attached[callable_].hits  # pyright: ignore[reportPrivateUsage]


def numbers(*shape: int) -> Array:
    """Return an array of small whole numbers."""
    chosen = np.random.default_rng(sum(shape)).integers(-9, 9, shape)
    return chosen.astype(np.float32)
