"""What is the slope of a function at a point, by finite differences, and how wrong may that be?

With f at 0, ±h/2 and ±h there are two central differences D(h) and D(h/2), and two second
differences over the step, T(h) = (f(h) - 2 f(0) + f(-h)) / h. The slope is D(h/2).

- For a smooth function D(h) - D(h/2) is three times the error of D(h/2), up to higher orders.
- A kink between -h and h, a jump J of the slope at a distance a, adds to D(h/2) an error of
  J (1 - 2a/h) / 2, and nothing beyond h/2. It adds J a / 2h to D(h) - D(h/2) and J (3a/h - 1) to
  T(h) - 2 T(h/2), where curvature cancels: together never less than the error, also for a = 0,
  where both central differences agree and are wrong.
- A jump of the function itself adds more to both than to the error.
- Rounding is measured: the second differences of f at neighbours hardly apart, where f is straight.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

#: The steps that are tried, from large to small, until one says something.
STEPS = (2.0**-10, 2.0**-16, 2.0**-22)
#: How far neighbours are apart where rounding is measured, in steps, and how many there are.
CLOSE, NEIGHBOURS = 2.0**-12, 5
#: The bound says something if it is at most this part of the slope, or of what is added up in f.
PART, PART_OF_SUM = 1e-3, 1e-6

#: A value, and the sum of the magnitudes that were added up to it.
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Slope:
    """A slope, how far it may be from the true one, and whether that is worth a comparison."""

    value: float
    bound: float
    is_telling: bool


def slope_with(function: Callable[[float], Point], step: float) -> Slope:
    """Return the slope at 0 by one step.

    >>> found = slope_with(lambda t: ((1 + t) ** 3, 1.0), 2.0**-10)
    >>> abs(found.value - 3) <= found.bound, found.is_telling
    (True, True)
    >>> found = slope_with(lambda t: (max(t, 0.0), 1.0), 2.0**-10)
    >>> found.value, found.bound >= 0.5, found.is_telling
    (0.5, True, False)
    """
    middle, magnitude = function(0.0)
    wide, half = step, step / 2
    values = [function(at)[0] for at in (wide, -wide, half, -half)]
    close = [middle, *(function(step * CLOSE * number)[0] for number in range(1, NEIGHBOURS))]
    if not np.isfinite([*values, *close]).all():
        return Slope(np.nan, np.inf, False)
    wider = (values[0] - values[1]) / (2 * wide)
    value = (values[2] - values[3]) / (2 * half)
    bend = (values[0] - 2 * middle + values[1]) / wide
    half_bend = (values[2] - 2 * middle + values[3]) / half
    rounding = np.abs(np.diff(close, 2)).max() + 4 * np.finfo(np.float64).eps * magnitude
    bound = 2 * (abs(wider - value) + abs(bend - 2 * half_bend)) + 16 * rounding / step
    is_telling = bound <= max(PART * abs(value), PART_OF_SUM * max(1.0, magnitude))
    return Slope(float(value), float(bound), bool(is_telling))


def slope_of(function: Callable[[float], Point]) -> Slope:
    """Return the slope at 0, by the first step that tells, else by the last one."""
    found = slope_with(function, STEPS[0])
    for step in STEPS[1:]:
        if found.is_telling:
            break
        found = slope_with(function, step)
    return found
