"""What does a tile of a product ask for ahead? The next tile of results, and the next panel.

From a thousand rows and columns on, what a tile begins with lies beyond the second-level cache, and
a panel is packed from memory: nothing else would be done meanwhile. So each tile asks for a part of
what the next ones read, results into the nearest cache and a panel, which is read much later, into
the second, a line at a time: some lines at once would fill what loads wait in (2048 x 2048 floats
194 -> 235 GFLOP/s, 512 x 512 as before). What a tile asks for of the panel that it reads itself is
in `panels.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.memory import StoreOp
from ....dialects.kernel.prefetch import NEAREST, SECOND, PrefetchOp
from ....dialects.making import append
from ..lanes import Frame
from ..scheduler import Scheduler
from .panels import Panels, Piece

#: Columns of a panel that lies across, of which a tile asks for lines.
COLUMNS = 2


class Prefetches:
    """What the tiles of a piece ask for."""

    def __init__(
        self, scheduler: Scheduler, panels: Panels, store: StoreOp, pieces: Sequence[Piece]
    ) -> None:
        """Prepare for pieces of a panel that lie side by side."""
        self.weaver, self.panels, self.store = scheduler.weaver, panels, store
        self.piece = pieces[0]
        #: How many columns they have together.
        self.width = sum(piece.frame.lanes for piece in pieces)

    def results(self, frame: Frame) -> None:
        """Ask for a row of results."""
        weaver, lanes = self.weaver, self.panels.lanes
        buffer = weaver.scalar(self.store.buffer, frame)
        for shift in self._lines():
            inner = frame.inner()
            inner.enter(lanes, self._moved(self.piece.column, shift))
            indices, _ = weaver.place(buffer, self.store.indices, inner)
            append(weaver.block, PrefetchOp.make(buffer, indices, NEAREST))

    def panel(self, number: SSAValue, tile: SSAValue, part: SSAValue) -> None:
        """Ask for a part of the next panel, on the way from an element of this one on.

        The number of the tile, and the part of the panel that one tile asks for, say where it is.
        """
        weaver = self.weaver
        if self.panels.near is None:
            line = weaver.compute(arith.DivUIOp, number, weaver.index(self.panels.line))
            line = weaver.compute(arith.AddiOp, weaver.compute(arith.MuliOp, tile, part), line)
            last = weaver.compute(arith.SubiOp, self.piece.depth, weaver.index(1))
            line = weaver.compute(arith.MinSIOp, line, last)
            next_panel = self._not_beyond(self._moved(self.piece.column, self.width), self.width)
            for shift in self._lines():
                self._factor(line, self._moved(next_panel, shift))
            return
        column = weaver.compute(arith.MuliOp, tile, weaver.index(COLUMNS))
        column = weaver.compute(arith.AddiOp, self.piece.column, column)
        for shift in range(COLUMNS):
            self._factor(number, self._not_beyond(self._moved(column, self.width + shift)))

    def _lines(self) -> list[int]:
        """Return columns in each line of a row of a panel, which may begin within a line."""
        return [*range(0, self.width, self.panels.line), self.width - 1]

    def _moved(self, column: SSAValue, shift: int) -> SSAValue:
        weaver = self.weaver
        return weaver.compute(arith.AddiOp, column, weaver.index(shift)) if shift else column

    def _not_beyond(self, column: SSAValue, count: int = 1) -> SSAValue:
        """Return a column from which on there are so many: it, or an earlier one."""
        weaver = self.weaver
        last = weaver.compute(arith.SubiOp, self.piece.across, weaver.index(count))
        return weaver.compute(arith.MinSIOp, column, last)

    def _factor(self, number: SSAValue, column: SSAValue) -> None:
        """Ask for an element of a column of the factor."""
        weaver, (element, *_) = self.weaver, self.panels.elements
        inner = self.piece.outer.inner()
        inner.enter(self.panels.lanes, column)
        inner.scalars[element] = weaver.compute(arith.AddiOp, self.piece.start, number)
        buffer = weaver.scalar(self.panels.packed.buffer, inner)
        indices, _ = weaver.place(buffer, self.panels.packed.indices, inner)
        append(weaver.block, PrefetchOp.make(buffer, indices, SECOND))
