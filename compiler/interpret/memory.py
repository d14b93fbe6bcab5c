"""What is a buffer while a kernel is interpreted? Flat memory, an offset and strides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...dialects.diagnostics import InternalError
from .payload import Array


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """A strided view of flat memory; every access is checked against its end."""

    data: Array
    offset: int
    strides: tuple[int, ...]

    def addresses(self, indices: Sequence[Array]) -> Array:
        """Return the element numbers of points, as many as the indices broadcast to."""
        address = np.array(self.offset, np.int64)
        for index, stride in zip(indices, self.strides, strict=True):
            if stride:
                address = address + index * np.int64(stride)
        return address

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
