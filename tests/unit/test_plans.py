"""Do tests that begin without plans give back those of others?"""

from __future__ import annotations

import pytest

import trilith as tri
from tests.plans import no_plans


def made(count: int) -> int:
    """Return how many plans were made by adding to so many elements as no other test does."""
    before = tri.stats().plans_for_all_sizes
    table = tri.stats().table.misses
    assert (tri.full((3, count), 2.0, dtype=tri.float64)[:, 1:] + 0.5).sum().tolist()
    return tri.stats().plans_for_all_sizes - before + tri.stats().table.misses - table


def test_plans_are_made_anew_and_those_before_come_back():
    made(7)
    assert made(7) == 0
    with no_plans():
        assert made(7) > 0
        assert made(7) == 0
    assert made(7) == 0


def test_what_was_made_meanwhile_is_forgotten_whatever_happens():
    with no_plans():
        before = tri.stats().table
        with pytest.raises(RuntimeError, match="size of tensor"), no_plans():
            assert made(7) + (tri.ones(2) + tri.ones(3)).numel()
        assert tri.stats().table.plans == before.plans == 0
        assert made(7) > 0
