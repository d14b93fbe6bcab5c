"""Are windows NumPy's?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

NUMPY: dict[str, Callable[[int], Any]] = {
    "hann_window": np.hanning,
    "hamming_window": np.hamming,
    "blackman_window": np.blackman,
    "bartlett_window": np.bartlett,
    "kaiser_window": lambda n: np.kaiser(n, 12.0),
}


@pytest.mark.parametrize("name", NUMPY)
def test_windows_are_those_of_numpy(name: str):
    window: Any = getattr(tri, name)
    for length in (0, 1, 2, 3, 8, 33):
        found = window(length, False, dtype=tri.float64)
        np.testing.assert_allclose(found.numpy(), NUMPY[name](length), atol=1e-12)
        # A periodic one is longer by a point, which is left out.
        longer = window(length, dtype=tri.float64).numpy()
        expected = NUMPY[name](length + 1)[:length] if length > 1 else np.ones(length)
        np.testing.assert_allclose(longer, expected, atol=1e-12)
    with pytest.raises(RuntimeError, match=f"{name} requires non-negative window_length"):
        window(-1)
    with pytest.raises(RuntimeError, match=f"{name} expects floating point dtypes"):
        window(3, dtype=tri.int64)
