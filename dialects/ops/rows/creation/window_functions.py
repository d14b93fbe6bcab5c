"""Which operations make windows for signals? Hann's and its like, over a count of points.

A window that is periodic is one point longer than asked for, without its last point.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from ....attributes.default_dtype import get_default_dtype
from ....diagnostics import TrilithRuntimeError
from ...frame.row import TensorLanguage
from ...frame.view_rows import tensor_of
from .filled import OPTIONS, factory
from .quotients import quotient

#: Of the cosines of a window by Blackman.
_BLACKMAN = (0.42, 0.5, 0.08)


def _points(
    t: TensorLanguage, name: str, length: int, periodic: bool, options: dict[str, Any]
) -> tuple[Any, int]:
    """Return the numbers of the points, and how many steps there are from end to end."""
    dtype = options["dtype"] or get_default_dtype()
    if not (dtype.is_floating_point or dtype.is_complex):
        raise TrilithRuntimeError(f"{name} expects floating point dtypes, got: {dtype}")
    if length < 0:
        raise TrilithRuntimeError(
            f"{name} requires non-negative window_length, got window_length={length}"
        )
    points = t.call("arange", 0, length, **{**options, "dtype": dtype})
    return points, length - 1 + periodic


def _per_step(t: TensorLanguage, points: Any, whole: float, steps: int) -> Any:
    spec = tensor_of(t, points)
    return quotient(t, whole, steps, spec.dtype, spec.device)


def _cosine(t: TensorLanguage, points: Any, steps: int, turns: float, factor: float) -> Any:
    angle = t.call("mul", points, _per_step(t, points, turns * math.pi, steps))
    return t.call("mul", t.call("cos", angle), factor)


def _hamming(
    t: TensorLanguage,
    window_length: int,
    periodic: bool,
    alpha: float = 0.5,
    beta: float = 0.5,
    *,
    name: str,
    **options: Any,
) -> Any:
    points, steps = _points(t, name, window_length, periodic, options)
    if window_length <= 1:
        return t.call("ones_like", points)
    return t.call("add", _cosine(t, points, steps, 2, -beta), alpha)


def _blackman(t: TensorLanguage, window_length: int, periodic: bool, **options: Any) -> Any:
    points, steps = _points(t, "blackman_window", window_length, periodic, options)
    if window_length <= 1:
        return t.call("ones_like", points)
    offset, first, second = _BLACKMAN
    waves = t.call("sub", _cosine(t, points, steps, 4, second), _cosine(t, points, steps, 2, first))
    return t.call("add", waves, offset)


def _bartlett(t: TensorLanguage, window_length: int, periodic: bool, **options: Any) -> Any:
    points, steps = _points(t, "bartlett_window", window_length, periodic, options)
    if window_length <= 1:
        return t.call("ones_like", points)
    rising = t.call("mul", points, _per_step(t, points, 2.0, steps))
    falling = t.call("add", t.call("neg", rising), 2)
    return t.call("where", t.call("gt", points, steps // 2), falling, rising)


def _kaiser(
    t: TensorLanguage, window_length: int, periodic: bool, beta: float, **options: Any
) -> Any:
    points, steps = _points(t, "kaiser_window", window_length, periodic, options)
    if window_length <= 1:
        return t.call("ones_like", points)
    place = t.call("sub", t.call("mul", points, _per_step(t, points, 2.0, steps)), 1)
    height = t.call("sqrt", t.call("clamp_min", t.call("rsub", t.call("square", place), 1), 0))
    highest = t.call("i0", t.call("full_like", points, beta))
    return t.call("div", t.call("i0", t.call("mul", height, beta)), highest)


_OPTIONS = OPTIONS.replace("pin_memory=None", "pin_memory=False")


def _overloads(*parameters: str) -> tuple[str, ...]:
    """Return PyTorch's signatures: one more for each parameter behind the length."""
    counts = range(len(parameters) + 1)
    return tuple(", ".join(("SymInt window_length", *parameters[:n], _OPTIONS)) for n in counts)


factory(
    f"hann_window(SymInt window_length, bool periodic=True, {OPTIONS})",
    "Hann's window: half a cosine's wave more, from 0 over 1 to 0.",
    "tri.hann_window(4)  # tensor([0.0000, 0.5000, 1.0000, 0.5000])",
    partial(_hamming, name="hann_window"),
    overloads=_overloads("bool periodic"),
)
factory(
    f"hamming_window(SymInt window_length, bool periodic=True, float alpha=0.54, float beta=0.46, "
    f"{OPTIONS})",
    "Hamming's window: alpha less beta times a cosine.",
    "tri.hamming_window(4)  # tensor([0.0800, 0.5400, 1.0000, 0.5400])",
    partial(_hamming, name="hamming_window"),
    overloads=_overloads("bool periodic", "float alpha", "float beta"),
)
factory(
    f"blackman_window(SymInt window_length, bool periodic=True, {OPTIONS})",
    "Blackman's window: two cosines.",
    "tri.blackman_window(5)[2:]  # tensor([0.8492, 0.8492, 0.2008])",
    _blackman,
    overloads=_overloads("bool periodic"),
)
factory(
    f"bartlett_window(SymInt window_length, bool periodic=True, {OPTIONS})",
    "Bartlett's window: a triangle.",
    "tri.bartlett_window(4)  # tensor([0.0000, 0.5000, 1.0000, 0.5000])",
    _bartlett,
    overloads=_overloads("bool periodic"),
)
factory(
    f"kaiser_window(SymInt window_length, bool periodic=True, float beta=12.0, {OPTIONS})",
    "Kaiser's window, which is narrower the larger beta is.",
    "tri.kaiser_window(3, False, 1.0)  # tensor([0.7898, 1.0000, 0.7898])",
    _kaiser,
    overloads=_overloads("bool periodic", "float beta"),
)
