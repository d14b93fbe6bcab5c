"""What is a buffer while a kernel is interpreted? Flat memory, an offset and strides.

Memory of a work-group also knows who touched it since the last barrier: items may run in any order,
so an element that one of them writes must not be touched by another one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.diagnostics import InternalError
from ...dialects.records import field, record
from .payload import Array

#: In the place of an item: nobody, or more than one.
NOBODY, SEVERAL = -1, -2


class Touches:
    """Which item read, and which wrote, each element of a group's memory since the last barrier."""

    def __init__(self, count: int) -> None:
        """Start untouched."""
        self.writers = np.full(count, NOBODY)
        self.readers = np.full(count, NOBODY)

    def clear(self) -> None:
        """Forget what came before a barrier."""
        self.writers[...] = self.readers[...] = NOBODY

    def read(self, address: Array, item: Array) -> None:
        """Note that items read elements."""
        address, item = np.broadcast_arrays(address, item)
        self._refuse(self.writers[address], item)
        known = self.readers[address]
        alone = (known == NOBODY) | (known == item)
        self.readers[address] = item
        self.readers[address[~alone | (self.readers[address] != item)]] = SEVERAL

    def write(self, address: Array, item: Array) -> None:
        """Note that items write elements."""
        address, item = np.broadcast_arrays(address, item)
        self._refuse(self.writers[address], item)
        self._refuse(self.readers[address], item)
        self.writers[address] = item
        self._refuse(self.writers[address], item)

    def _refuse(self, others: Array, item: Array) -> None:
        if np.any((others != NOBODY) & (others != item)):
            raise InternalError(
                "an item touches memory of its group that another one writes, without a barrier"
            )


@record(eq=False)
class Buffer:
    """A strided view of flat memory; every access is checked against its end."""

    data: Array
    offset: int
    strides: tuple[int, ...]
    #: For memory of a work-group: who touched it.
    touches: Touches | None = field(default=None)

    def addresses(self, indices: Sequence[Array]) -> Array:
        """Return the element numbers of points, as many as the indices broadcast to."""
        address = np.array(self.offset, np.int64)
        for index, stride in zip(indices, self.strides, strict=True):
            if stride:
                address = address + index * np.int64(stride)
        return address

    def lane_addresses(self, indices: Sequence[Array], lanes: int, along: int) -> Array:
        """Return the places of lanes that follow one another along a dimension; 0: of one element.

        Lanes that have indices of their own are where these say.
        """
        address = self.addresses(indices)
        if lanes and not any(np.ndim(index) for index in indices):
            return address + np.arange(lanes) * np.int64(self.strides[along])
        return np.broadcast_to(address, (lanes,)) if lanes else address

    def read(self, address: Array, mask: Array | None, other: int) -> Array:
        """Return elements; where the mask is off, `other` without touching memory."""
        if mask is None:
            self._check(address)
            return np.asarray(self.data[address])
        address, mask = np.broadcast_arrays(address, mask)
        values = np.full(address.shape, other, self.data.dtype)
        self._check(address[mask])
        values[mask] = self.data[address[mask]]
        return values

    def write(self, address: Array, value: Array, mask: Array | None) -> None:
        """Set elements where the mask is on."""
        if mask is None:
            self._check(address)
            self.data[address] = value
            return
        address, value, mask = np.broadcast_arrays(address, value, mask)
        self._check(address[mask])
        self.data[address[mask]] = value[mask]

    def _check(self, address: Array) -> None:
        if not address.size:
            return
        first, last = int(address.min()), int(address.max())
        if first < 0 or last >= len(self.data):
            outside = first if first < 0 else last
            raise InternalError(
                f"a kernel touches element {outside} of memory with {len(self.data)} elements"
            )
