"""Along how many places in memory does a kernel walk at once?

Sixteen tensors in sixteen memories are as many streams; shifted windows of one tensor, or its
columns, share their cache lines and are one.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import SSAValue

from ...dialects.attributes.extents import storage_extent
from ...dialects.attributes.symint import hint_of
from ...dialects.tri.ops import tensor_spec
from ..analysis.aliases import root_of

#: A memory, and the bytes between which a value lies in it.
Span = tuple[SSAValue, int, int]


class Streams:
    """Values that a kernel reads, as disjoint stretches of memories."""

    def __init__(self, spans: dict[SSAValue, Span]) -> None:
        """Hold nothing; `spans` remembers where values lie."""
        self._spans = spans
        self._stretches: dict[SSAValue, list[tuple[int, int]]] = {}
        self._count = 0

    def add(self, value: SSAValue) -> None:
        """Add what a value spans, joining the stretches that it meets."""
        root, start, end = self._span(value)
        apart: list[tuple[int, int]] = []
        for first, last in self._stretches.get(root, ()):
            if first < end and start < last:
                start, end = min(start, first), max(end, last)
                self._count -= 1
            else:
                apart.append((first, last))
        self._stretches[root] = [*apart, (start, end)]
        self._count += 1

    def count_with(self, values: Iterable[SSAValue]) -> int:
        """Return how many streams there would be with some values, or a few more."""
        return self._count + sum(not self._is_met(value) for value in values)

    def _is_met(self, value: SSAValue) -> bool:
        root, start, end = self._span(value)
        return any(first < end and start < last for first, last in self._stretches.get(root, ()))

    def _span(self, value: SSAValue) -> Span:
        found = self._spans.get(value)
        if found is None:
            root, (shape, strides, start) = root_of(value)
            # How much is read at once is a matter of speed: the sizes of now will do.
            offset = hint_of(start)
            itemsize = tensor_spec(value).dtype.itemsize
            reach = hint_of(storage_extent(shape, strides))
            found = self._spans[value] = (root, offset * itemsize, (offset + reach) * itemsize)
        return found
