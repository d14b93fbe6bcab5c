"""Memory of many intermediate results: those that live at the same time lie apart."""

import random
from typing import Any

import pytest

from trilith.compiler.passes.kernels import plan_buffers


@pytest.mark.parametrize("place", ["_place_by_size", "_place_in_order"])
def test_buffers_that_live_together_lie_apart(place: str) -> None:
    draw = random.Random(2)
    module: Any = plan_buffers
    for count in (1, 10, 300):
        intervals = [
            module._Interval(None, 64 * draw.randrange(1, 9), first, first + draw.randrange(20))
            for first in (draw.randrange(100) for _ in range(count))
        ]
        getattr(module, place)(intervals)
        most = 0
        for one in intervals:
            assert one.offset >= 0
            most = max(most, sum(o.nbytes for o in intervals if o.first <= one.first <= o.last))
            for other in intervals:
                if other is not one and one.first <= other.last and other.first <= one.last:
                    ends = one.offset + one.nbytes, other.offset + other.nbytes
                    assert ends[0] <= other.offset or ends[1] <= one.offset
        # No more than half as much again as what lives at one time.
        assert max(one.offset + one.nbytes for one in intervals) <= 1.5 * most
