"""The last write to a range of bytes, as looking at every write finds it."""

import random

from trilith.dialects.attributes.spans import LastTouch


def test_random_writes_and_reads() -> None:
    draw = random.Random(0)
    for _ in range(200):
        touched, writes = LastTouch(), list[tuple[int, int]]()
        for number in range(draw.randrange(40)):
            start = draw.randrange(-5, 40)
            writes.append((start, start + draw.randrange(12)))
            touched.touch(*writes[-1], number)
            first = draw.randrange(-6, 45)
            last = first + draw.randrange(15)
            meeting = [
                place
                for place, (start, end) in enumerate(writes)
                if max(start, first) < min(end, last)
            ]
            assert touched.last(first, last) == max(meeting, default=None)


def test_as_many_ranges_as_there_are_edges() -> None:
    touched = LastTouch()
    for number in range(1000):
        touched.touch(0, 4 * number, number)
    assert len(touched._starts) == 1  # pyright: ignore[reportPrivateUsage]
