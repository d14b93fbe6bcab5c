"""What tests of native calls share: arrays, and how many calls native code has answered."""

from __future__ import annotations

from typing import Any

import numpy as np

from trilith.runtime.calls import entries

Array = np.ndarray[Any, np.dtype[Any]]


def hits(callable_: Any) -> int:
    """Return how many calls native code has answered."""
    return entries._attached[callable_].hits  # pyright: ignore[reportPrivateUsage]


def numbers(*shape: int) -> Array:
    """Return an array of small whole numbers."""
    chosen = np.random.default_rng(sum(shape)).integers(-9, 9, shape)
    return chosen.astype(np.float32)
