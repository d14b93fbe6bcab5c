"""Is a slope as far from the true one as its bound says, at smooth points, kinks and jumps?"""

from collections.abc import Callable

import numpy as np
import pytest

from .differences import STEPS, slope_of, slope_with

#: Smooth functions of one number, and their derivatives at 0.
SMOOTH: dict[str, tuple[Callable[[float], float], float]] = {
    "sine": (lambda t: float(np.sin(3 * t + 1)), 3 * float(np.cos(1))),
    "cube": (lambda t: (2 + t) ** 3, 12.0),
    "steep": (lambda t: float(np.exp(40 * t)), 40.0),
    "flat": (lambda t: t**4, 0.0),
    "far": (lambda t: 1e9 + 1e9 * t, 1e9),
    "cancelled": (lambda t: (1e8 + t) - 1e8, 1.0),
}


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_functions_have_their_slope(name: str):
    function, expected = SMOOTH[name]
    for step in STEPS:
        found = slope_with(lambda t: (function(t), abs(function(0))), step)
        assert abs(found.value - expected) <= found.bound
    found = slope_of(lambda t: (function(t), abs(function(0))))
    assert found.is_telling
    assert found.bound <= 1e-3 * max(abs(expected), 1e-3)


@pytest.mark.parametrize("part", [*np.linspace(-1.5, 1.5, 61), 1e-9, -1e-9])
@pytest.mark.parametrize("curvature", [0.0, 3.0, -50.0])
def test_a_kink_is_within_the_bound(part: float, curvature: float):
    """The slope before the kink and after it differ by 1; which one is at 0, its place says."""
    step = STEPS[0]
    place = part * step

    def function(t: float) -> tuple[float, float]:
        return max(t - place, 0.0) + curvature * t * t, 1.0

    found = slope_with(function, step)
    allowed = (0.0, 1.0) if place == 0 else (float(place < 0),)
    assert all(abs(found.value - slope) <= found.bound for slope in allowed)
    if abs(part) < 0.9:
        assert not found.is_telling


@pytest.mark.parametrize("part", [-0.9, -0.3, -1e-6, 1e-6, 0.2, 0.7])
def test_a_jump_is_within_the_bound(part: float):
    step = STEPS[0]
    found = slope_with(lambda t: (2 * t + (t > part * step), 1.0), step)
    assert abs(found.value - 2) <= found.bound
    assert not found.is_telling


def test_a_smaller_step_avoids_a_kink_nearby():
    def function(t: float) -> tuple[float, float]:
        return abs(t + 1e-4), 1.0

    assert not slope_with(function, STEPS[0]).is_telling
    found = slope_of(function)
    assert found.is_telling
    assert abs(found.value - 1) <= found.bound < 1e-5


def test_what_is_not_finite_says_nothing():
    assert not slope_of(lambda t: (float("nan") if t < 0 else t, 1.0)).is_telling


def test_rounding_is_measured():
    """Noise of 1e-9 in values of 1 makes small steps useless, and the bound says so."""
    random = np.random.default_rng(0)
    for step in STEPS:
        for _ in range(50):
            found = slope_with(lambda t: (t + 1e-9 * random.uniform(-1, 1), 1.0), step)
            assert abs(found.value - 1) <= found.bound
