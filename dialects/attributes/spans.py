"""Which was the last of many writes that touched a range of bytes?

Found in the logarithm of the number of writes, not by looking at each of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class LastTouch:
    """Ranges of bytes, each with the number of what touched it last.

    >>> touched = LastTouch()
    >>> touched.touch(0, 10, 1)
    >>> touched.touch(4, 6, 2)
    >>> touched.last(0, 4), touched.last(5, 20), touched.last(10, 20)
    (1, 2, None)
    """

    __slots__ = ("_ends", "_numbers", "_starts")

    def __init__(self) -> None:
        """Start untouched. The ranges are disjoint and ascending."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._numbers: list[int] = []

    def touch(self, start: int, end: int, number: int) -> None:
        """Note that `number` touched the bytes from `start` up to `end`; numbers must grow."""
        if start >= end:
            return
        first, last = self._meeting(start, end)
        pieces = [(start, end, number)]
        if first < last:
            if self._starts[first] < start:
                pieces.insert(0, (self._starts[first], start, self._numbers[first]))
            if self._ends[last - 1] > end:
                pieces.append((end, self._ends[last - 1], self._numbers[last - 1]))
        self._starts[first:last] = [piece[0] for piece in pieces]
        self._ends[first:last] = [piece[1] for piece in pieces]
        self._numbers[first:last] = [piece[2] for piece in pieces]

    def last(self, start: int, end: int) -> int | None:
        """Return the largest number that touched any byte of a range, None if none did."""
        first, last = self._meeting(start, end)
        return max(self._numbers[first:last], default=None) if start < end else None

    def _meeting(self, start: int, end: int) -> tuple[int, int]:
        """Return the first range that meets another one, and the first behind that does not."""
        return bisect_right(self._ends, start), bisect_left(self._starts, end)
