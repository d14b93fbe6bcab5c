"""Which weight has an element at some distance? Cubic convolution, and the filters of resampling.

R. Keys, "Cubic convolution interpolation for digital image processing", 1981.
"""

from __future__ import annotations

import math
from typing import Any

from ...frame.row import TensorLanguage


def _near(t: TensorLanguage, x: Any, sharpness: float) -> Any:
    """Return the weight at a distance up to 1: ((A + 2) x - (A + 3)) x^2 + 1."""
    inner = t.call("sub", t.call("mul", x, sharpness + 2), sharpness + 3)
    return t.call("add", t.call("mul", t.call("mul", inner, x), x), 1.0)


def _far(t: TensorLanguage, x: Any, sharpness: float) -> Any:
    """Return the weight at a distance from 1 to 2: ((A x - 5 A) x + 8 A) x - 4 A."""
    inner = t.call("sub", t.call("mul", x, sharpness), 5 * sharpness)
    inner = t.call("add", t.call("mul", inner, x), 8 * sharpness)
    return t.call("sub", t.call("mul", inner, x), 4 * sharpness)


def cubic_weights(t: TensorLanguage, share: Any, sharpness: float) -> list[Any]:
    """Return the weights of four neighbours of what lies a share behind the second one."""
    back = t.call("rsub", share, 1.0)
    return [
        _far(t, t.call("add", share, 1.0), sharpness),
        _near(t, share, sharpness),
        _near(t, back, sharpness),
        _far(t, t.call("add", back, 1.0), sharpness),
    ]


def filtered(t: TensorLanguage, apart: Any, mode: str) -> Any:
    """Return the weights of a filter at some distances, 0 beyond its reach."""
    x = t.call("abs", apart)
    if mode == "bilinear":
        return t.call("clamp_min", t.call("rsub", x, 1.0), 0.0)
    if mode == "bicubic":
        far = t.call("where", t.call("lt", x, 2.0), _far(t, x, -0.5), 0.0)
        return t.call("where", t.call("lt", x, 1.0), _near(t, x, -0.5), far)
    waves = [t.call("sin", t.call("mul", x, math.pi / width)) for width in (1, 3)]
    product = t.call("mul", *waves)
    square = t.call("mul", t.call("mul", x, x), math.pi**2 / 3)
    inside = t.call("where", t.call("lt", x, 3.0), t.call("div", product, square), 0.0)
    return t.call("where", t.call("eq", x, 0.0), 1.0, inside)
