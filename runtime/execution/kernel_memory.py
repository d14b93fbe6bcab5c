"""Which bytes does one launch of a kernel touch? Known from the kernel and the launch's integers.

A kernel walks each of its buffers: an index for each dim, from 0 up to an extent, times a stride,
counted from an offset. Extents and offsets, and the strides that are not part of the kernel, are
integers of the launch. An index that comes from memory is checked by the kernel against an extent,
so that it is bounded like any other; where it is bad, 0 stands in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

#: Loops count in 64 bits, and round up to whole vectors.
MOST_POINTS = 1 << 62


class WalkedDim(NamedTuple):
    """One dim of a walk: its index runs to integer number `extent`.

    The step is `factor` times integer number `stride`, or `factor` where `stride` is None. An index
    that is looked up is 0 at the least: something is touched even if the extent is 0.
    """

    extent: int
    stride: int | None
    factor: int = 0
    is_looked_up: bool = False


#: The dims that a load or store runs over.
Walk: TypeAlias = tuple[WalkedDim, ...]


class KernelBuffer(NamedTuple):
    """What a kernel does with one of its buffers, whose elements have `itemsize` bytes.

    `offset` is the number of the integer that says at which element the walks begin. A buffer
    `is_alone` if the kernel relies on no other of its buffers overlapping it.
    """

    itemsize: int
    offset: int
    is_written: bool
    is_alone: bool
    walks: tuple[Walk, ...]

    def used_integers(self) -> set[int]:
        """Return the numbers of the integers that decide where the buffer is touched."""
        dims = [dim for walk in self.walks for dim in walk]
        strides = {dim.stride for dim in dims if dim.stride is not None}
        return {self.offset, *(dim.extent for dim in dims), *strides}

    def reach(self, integers: Sequence[int]) -> tuple[int, int]:
        """Return the first byte that a launch touches and the one after the last, from the start.

        (0, 0) if it touches none. Raises ValueError for integers that no loop could count with.

        >>> rows = WalkedDim(extent=0, stride=2, factor=1)
        >>> KernelBuffer(4, 1, False, False, ((rows,),)).reach([3, 5, 10])
        (20, 104)
        """
        reaches = [reach for walk in self.walks if (reach := _reach(walk, integers)) is not None]
        if not reaches:
            return 0, 0
        first = integers[self.offset] + min(low for low, _ in reaches)
        last = integers[self.offset] + max(high for _, high in reaches)
        return first * self.itemsize, (last + 1) * self.itemsize


def _reach(walk: Walk, integers: Sequence[int]) -> tuple[int, int] | None:
    """Return the lowest and the highest element of a walk; None if it has no points."""
    low = high = 0
    points = 1
    for dim in walk:
        extent = integers[dim.extent]
        if extent < 0:
            raise ValueError(f"the size {extent} is negative")
        if dim.is_looked_up:
            extent = extent or 1
        else:
            points *= extent
        step = dim.factor if dim.stride is None else dim.factor * integers[dim.stride]
        furthest = (extent - 1) * step
        low += min(furthest, 0)
        high += max(furthest, 0)
    if points > MOST_POINTS:
        raise ValueError(f"{points} points are more than can be counted")
    return (low, high) if points else None
