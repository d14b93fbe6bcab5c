"""How does a long product of matrices run? In tiles of registers, on packed pieces of one factor.

For pieces of k, blocks of rows and pieces of columns, from the outside to the inside::

    for p in (0, k) step DEPTH                 the sums so far lie in the result
      for i in (0, rows) step BLOCK            a block of rows of the left factor stays in L2
        for j in (0, columns) step 16
          panel = right[p : p + DEPTH, j : j + 16]        packed, it stays in L1
          for r in (i, i + BLOCK) step 6       a tile of 6 x 16 sums in registers
            for q in (0, DEPTH)                6 x 2 fused multiply-adds for 2 + 6 loads

Every sum takes in its products one after the other: what it was when a piece of k began is read
from the result, where the piece before has left it. So neither tiles nor pieces change a bit. Rows
and columns over the edge are computed again from the last row, or under a mask.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.kernel.types import PRIVATE, BufferType, buffer_type_of, vector_of
from ....dialects.records import record
from ..lanes import Frame
from ..scheduler import HEAVY_REGISTERS, Scheduler, Values
from .sums_in_results import SumsInResult

#: Rows of a tile: with two registers each, their sums leave four of 16 registers to factors.
ROWS = 6
#: Elements of k in a piece: a panel of 16 columns of float32 takes 24 KB of a first-level cache.
DEPTH = 384
#: Bytes of a block of rows, which stays in a second-level cache of 512 KB beside what passes by.
BLOCK_BYTES = 288 * 1024
#: A panel pays if so many rows read it.
LEAST_ROWS = 16


@record
class _Panel:
    """Columns of a piece of the packed factor."""

    #: The first element of k, and how many there are.
    start: SSAValue
    depth: SSAValue
    #: Whether no column lies over the edge.
    is_whole: SSAValue
    #: Where the lanes are these columns.
    frame: Frame


class BlockedSums(SumsInResult):
    """A nest of serial sums of products: which index is that of the lanes, which that of rows."""

    def __init__(
        self, scheduler: Scheduler, op: ParallelOp, packed: LoadOp, lanes: SSAValue, row: SSAValue
    ) -> None:
        """Prepare to build it; `packed` is the load that panels are made for."""
        super().__init__(scheduler, op, lanes)
        self.packed, self.row = packed, row
        self.width = scheduler.width * HEAVY_REGISTERS
        element = buffer_type_of(packed.buffer).element
        self.type = vector_of(element, self.width)
        bits: int = getattr(element, "bitwidth", 64)
        self.block = BLOCK_BYTES * 8 // (DEPTH * bits) // ROWS * ROWS

    def build(self, across: SSAValue, rows: SSAValue, frame: Frame) -> None:
        """Build the loops over pieces of k, blocks of rows and panels."""
        weaver = self.weaver
        self.across, self.count = across, rows
        memory = BufferType.get(
            buffer_type_of(self.packed.buffer).element, (self.width, 1), PRIVATE
        )
        self.panel = weaver.add(AllocOp.make([DEPTH, self.width], memory))
        (extent,) = self.reduction.extents
        extent = weaver.scalar(extent, frame)
        # A sum of nothing is stored, too.
        stop = weaver.compute(arith.MaxSIOp, extent, weaver.index(1))
        depth = self._equal_part(stop, DEPTH)

        def piece(start: SSAValue) -> None:
            left = weaver.compute(arith.SubiOp, extent, start)
            own = weaver.compute(arith.MinSIOp, left, depth)
            self._loop(rows, self.block, lambda row: self._block(row, start, own, frame))

        self._loop(stop, depth, piece)

    def _loop(
        self,
        stop: SSAValue,
        step: SSAValue | int,
        body: Callable[[SSAValue], None],
        start: SSAValue | None = None,
    ) -> None:
        """Build a loop that carries nothing."""

        def inside(index: SSAValue, _: Values) -> Values:
            body(index)
            return ()

        index = self.weaver.index
        step = index(step) if isinstance(step, int) else step
        self.weaver.loop((index(0) if start is None else start, stop, step), (), inside)

    def _equal_part(self, extent: SSAValue, most: int) -> SSAValue:
        """Return the size of equal parts, of at most so many: a short last part costs too much."""
        weaver, one = self.weaver, self.weaver.index(1)

        def divided(value: SSAValue, by: SSAValue) -> SSAValue:
            last = weaver.compute(arith.SubiOp, value, one)
            return weaver.compute(arith.AddiOp, weaver.compute(arith.DivUIOp, last, by), one)

        return divided(extent, divided(extent, weaver.index(most)))

    def _block(self, first: SSAValue, start: SSAValue, depth: SSAValue, frame: Frame) -> None:
        """Build the panels of a piece for a block of rows."""
        weaver = self.weaver
        end = weaver.compute(arith.AddiOp, first, weaver.index(self.block))
        end = weaver.compute(arith.MinSIOp, end, self.count)

        def of_columns(column: SSAValue) -> None:
            inner = frame.inner(self.width)
            inner.enter(self.lanes, column)
            last = weaver.compute(arith.AddiOp, column, weaver.index(self.width))
            is_whole = weaver.compare("sle", last, self.across)
            panel = _Panel(start, depth, is_whole, inner)
            self._pack(panel)
            self._loop(end, ROWS, lambda row: self._tile(row, panel), first)

        self._loop(self.across, self.width, of_columns)

    def _either(self, panel: _Panel, build: Callable[[Frame], Values]) -> Values:
        """Build code for a whole panel, and the same for one at the edge, under a mask."""
        weaver = self.weaver

        def at_the_edge() -> Values:
            left = weaver.compute(arith.SubiOp, self.across, panel.frame.bases[self.lanes])
            return build(panel.frame.inner(mask=weaver.add(MaskOp.make(left, self.width))))

        return weaver.branch(panel.is_whole, lambda: build(panel.frame), at_the_edge)

    def _pack(self, panel: _Panel) -> None:
        """Copy the columns of a piece, so that neighbouring k are neighbours."""
        weaver, zero = self.weaver, self.weaver.index(0)

        def rows(frame: Frame) -> Values:
            def row(number: SSAValue) -> None:
                inner = self._at(weaver.compute(arith.AddiOp, panel.start, number), frame)
                inner.scalars[self.row] = zero  # all rows read the same
                self.scheduler.translate(self.packed, inner)
                value = weaver.vector(self.packed.results[0], inner)
                weaver.block.add_op(StoreOp.make(value, self.panel, (number, zero)))

            self._loop(panel.depth, 1, row)
            return ()

        self._either(panel, rows)

    def _at(self, number: SSAValue, frame: Frame) -> Frame:
        """Return a frame for an element of the sums."""
        inner = frame.inner()
        inner.scalars[self.element] = number
        return inner

    def _tile(self, first: SSAValue, panel: _Panel) -> None:
        """Take a piece into the sums of some rows, from the first one on."""
        weaver, zero = self.weaver, self.weaver.index(0)
        rows = self._rows(first, panel.frame)

        def of_nothing() -> Values:
            return [self.start(row) for row in rows]

        def so_far() -> Values:
            return self._either(panel, lambda at: [self.load(row, at.mask) for row in rows])

        def step(number: SSAValue, carried: Values) -> Values:
            right = weaver.add(LoadOp.make(self.panel, (number, zero), self.type))
            k = weaver.compute(arith.AddiOp, panel.start, number)
            totals: list[SSAValue] = []
            for row, old in zip(rows, carried, strict=True):
                inner = self._at(k, row)
                inner.bind(self.packed.results[0], right)
                totals.append(self.add(inner, old, (self.packed,)))
            return totals

        def keep(at: Frame) -> Values:
            for row, total in zip(rows, sums, strict=True):
                self.keep(row, total, at.mask)
            return ()

        sums = weaver.branch(weaver.compare("eq", panel.start, zero), of_nothing, so_far)
        sums = weaver.loop((zero, panel.depth, weaver.index(1)), sums, step)
        self._either(panel, keep)

    def _rows(self, first: SSAValue, frame: Frame) -> list[Frame]:
        """Return a frame for each row of a tile; those over the edge are the last one again."""
        weaver = self.weaver
        last = weaver.compute(arith.SubiOp, self.count, weaver.index(1))
        rows: list[Frame] = []
        for number in range(ROWS):
            row = weaver.compute(arith.AddiOp, first, weaver.index(number)) if number else first
            inner = frame.inner()
            inner.scalars[self.row] = weaver.compute(arith.MinSIOp, row, last) if number else row
            rows.append(inner)
        return rows
