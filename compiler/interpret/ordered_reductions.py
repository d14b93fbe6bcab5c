"""How are values reduced in the order that `kernel.reduce` prescribes, many at a time?

Element e belongs to lane e % lanes of block e // block. Lanes, blocks and the points around the
reduction are computed side by side in NumPy; the order inside each stays, so the bits do too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...dialects.records import field, record
from .payload import Array

Values = Sequence[Array]
#: Combines two tuples of values, elementwise.
Combine = Callable[[Values, Values], Values]


@record(frozen=False)
class OrderedReduction:
    """A reduction in progress; `feed` takes the next elements, along axis 0.

    `starts` is what each accumulator starts from, `points` the shape of what is reduced side by
    side. `ufunc` is set where NumPy's own accumulation, which goes strictly in order, may be used.
    """

    starts: Values
    combine: Combine
    points: tuple[int, ...]
    lanes: int = 1
    block: int = 0
    ufunc: Any = None
    current: list[Array] = field(init=False)
    totals: list[Array] = field(init=False)
    count: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        """Start all lanes."""
        self.current = self._neutral(())
        self.totals = self._neutral(())

    def _neutral(self, lead: tuple[int, ...]) -> list[Array]:
        shape = (*lead, self.lanes, *self.points)
        return [np.broadcast_to(start, shape) for start in self.starts]

    @property
    def quantum(self) -> int:
        """Elements are fed in multiples of this number, but for the last time."""
        return self.block or self.lanes

    def feed(self, values: Values) -> None:
        """Take in elements; each value has one axis of elements before those of the points."""
        count = len(values[0])
        self.count += count
        whole = count // self.quantum if self.block else 0
        split = whole * self.block
        if whole:
            self._feed_blocks([value[:split] for value in values], whole)
        self._feed_rows([value[split:] for value in values])

    def _feed_blocks(self, values: Values, whole: int) -> None:
        shape = (whole, self.block // self.lanes, self.lanes, *self.points)
        steps = [np.swapaxes(value.reshape(shape), 0, 1) for value in values]
        blocks = self._steps(self._neutral((whole,)), steps)
        self.totals = self._steps(self.totals, blocks)

    def _feed_rows(self, values: Values) -> None:
        """Take in rows of one element per lane; the last may be short."""
        count = len(values[0])
        rows = count // self.lanes
        split = rows * self.lanes
        if rows:
            shape = (rows, self.lanes, *self.points)
            steps = [value[:split].reshape(shape) for value in values]
            self.current = self._steps(self.current, steps)
        rest = count - split
        if rest:
            left = [value[:rest] for value in self.current]
            combined = self.combine(left, [value[split:] for value in values])
            self.current = [
                np.concatenate([new, old[rest:]])
                for new, old in zip(combined, self.current, strict=True)
            ]

    def _steps(self, start: Values, steps: Values) -> list[Array]:
        """Combine along axis 0, one step after the other."""
        if self.ufunc is not None:
            ((first,), (rest,)) = (start, steps)
            chain = np.concatenate([np.broadcast_to(first, (1, *rest.shape[1:])), rest])
            with np.errstate(all="ignore"):
                return [self.ufunc.accumulate(chain, axis=0, dtype=chain.dtype)[-1]]
        total = start
        for number in range(len(steps[0])):
            total = self.combine(total, [step[number] for step in steps])
        return list(total)

    def prefixes(self, values: Values) -> list[Array]:
        """Take in elements with one lane; return the accumulators after each of them."""
        history: list[list[Array]] = [[] for _ in values]
        for number in range(len(values[0])):
            row = [value[number : number + 1] for value in values]
            self.current = list(self.combine(self.current, row))
            for kept, value in zip(history, self.current, strict=True):
                kept.append(value)
        return [np.concatenate(kept) for kept in history]

    def result(self) -> list[Array]:
        """End the last block, then combine lane l with lane l + lanes / 2 until one is left."""
        total: Values = self.current
        if self.block:
            unfinished = self.count % self.block != 0
            total = self.combine(self.totals, self.current) if unfinished else self.totals
        half = self.lanes // 2
        while half:
            total = self.combine([v[:half] for v in total], [v[half:] for v in total])
            half //= 2
        return [value[0] for value in total]
