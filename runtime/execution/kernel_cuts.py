"""How can one launch of a kernel be made as several that may run at the same time?

A kernel takes sizes and offsets as integers. Where the values of an index have nothing to do with
one another, a launch over some of them is the same kernel with a smaller size, and with offsets
that begin further on: no code knows of threads. No result depends on where a launch is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..native.form import PARTS_FOR_EACH
from .kernel_memory import KernelBuffer


class Cut(NamedTuple):
    """An index that a launch may be cut along: integer number `extent` says how many values it has.

    Parts are multiples of `grain`: whole lines of the cache, or whole tiles. If each value stands
    for a block of `length` elements, of which there are integer number `elements`, a part has those
    of its blocks and of all that follow; integer number `first` says how many elements are in front
    of the first block. Without blocks it is the index at which a window begins. It is -1 if there
    is none. There are `parts` for each thread at most.
    """

    extent: int
    grain: int
    elements: int = -1
    length: int = 0
    first: int = -1
    parts: int = PARTS_FOR_EACH


class Shift(NamedTuple):
    """What changes for each value of an index that is left out: where a buffer begins, mostly.

    `factor` times integer number `stride`, or `factor` where `stride` is None, is added to integer
    number `integer`.
    """

    integer: int
    stride: int | None
    factor: int


def shifts_of(buffers: Sequence[KernelBuffer], cut: Cut) -> list[Shift]:
    """Return how the buffers of a kernel move along a cut.

    >>> from trilith.runtime.execution.kernel_memory import WalkedDim
    >>> walk = (WalkedDim(extent=0, stride=None, factor=1),)
    >>> shifts_of([KernelBuffer(4, 1, True, True, (walk,))], Cut(extent=0, grain=64))
    [Shift(integer=1, stride=None, factor=1)]
    """
    steps = {cut.extent: 1, cut.elements: cut.length}
    shifts = [
        Shift(buffer.offset, dim.stride, dim.factor * steps[dim.extent])
        for buffer in buffers
        for dim in (buffer.walks[0] if buffer.walks else ())
        if dim.factor and steps.get(dim.extent)
    ]
    if cut.length:
        shifts.append(Shift(cut.elements, None, -cut.length))
    if cut.first >= 0:
        shifts.append(Shift(cut.first, None, cut.length or -1))
    return shifts


def point_sizes(buffers: Sequence[KernelBuffer], cuts: Sequence[Cut]) -> list[int]:
    """Return the numbers of the integers whose product is how many points a kernel's loops have."""
    of_blocks = [cut.elements for cut in cuts if cut.length]
    if of_blocks:
        return of_blocks
    walks = [walk for buffer in buffers for walk in buffer.walks]
    deepest = max(walks, key=len, default=())
    return list(dict.fromkeys(dim.extent for dim in deepest if not dim.is_looked_up))
