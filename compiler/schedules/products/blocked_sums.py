"""How does a long product of matrices run? In tiles of registers, on packed pieces of one factor.

For pieces of k, blocks of rows and pieces of columns, from the outside to the inside::

    for p in (0, k) step DEPTH                 the sums so far lie in the result
      for i in (0, rows) step BLOCK            a block of rows of the left factor stays in L2
        for j in (0, columns) step PANELS
          panels = right[p : p + DEPTH, j : j + PANELS]   packed, they stay in L1
          for r in (i, i + BLOCK) step 6
            for c in (j, j + PANELS) step 16   a tile of 6 x 16 sums in registers
              for q in (0, DEPTH)              6 x 2 fused multiply-adds for 2 + 6 loads

Of sums of few products there are several panels at once, for then it is the results that take
time, and a tile of rows writes them line by line: rows of 4096 bytes share few places of a cache,
where 1024 x 1024 x 8 takes 84 us so and 290 with one panel at a time.

Every sum takes in its products one after the other: what it was when a piece of k began is read
from the result, where the piece before has left it. So neither tiles nor pieces change a bit. What
is computed from the sums is computed in registers, at the end of a tile of the last piece. Rows
over the edge are the last row again; columns that fill no panel have panels of one register, under
a mask. With vectors of 512 bits tiles are 6 x 64 (`wide_tiles.py`), and 8 x 32 of what these leave.
Each tile asks ahead for a part of what the next ones read (`prefetches.py`); a left factor whose
neighbours are rows is copied (`packed_rows.py`). Where a tile is long enough to hide it, the first
one of a panel reads the factor itself and fills the panel on its way.

A convolution is such a product, too. Its k is several indices (channels, and the places of a
window), of which pieces are taken along the first; its rows may be several (the places of an image,
where the lanes are channels), which are counted as one. Windows overlap, so that all rows together
are a block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.registers import ClearRegistersOp
from ....dialects.kernel.structured import ParallelOp
from ....dialects.making import append
from ...analysis.product_sizes import DEPTH
from ..lanes import Frame
from ..scheduler import Scheduler, Values
from .blocks import Block, Panel, Stand
from .other_factors import other_factor
from .packed_rows import PackedRows
from .panel_plans import MANY_ROWS, PanelPlan, is_read_often
from .panels import AHEAD, Ahead, Panels, Piece, element_across, loop, packed_factor
from .places import RowPlaces, RowsOfTile
from .prefetches import Prefetches
from .sum_tiles import SumTile
from .sums_in_results import SumsInResult, bits_of
from .tile_results import TileResults
from .window_places import WindowPlaces

#: Rows of a tile: with two registers each, their sums leave four of 16 registers to factors.
ROWS = 6
#: The same where there are 32 registers, as there are with 512 bits; more would have no addresses.
WIDE_BITS, WIDE_ROWS = 512, 8
#: Bytes of a block of rows, which stays in a second-level cache of 512 KB beside what passes by.
BLOCK_BYTES = 288 * 1024
#: The same with 512 bits, where there are two such blocks (`wide_tiles.py`) and smaller ones are as
#: fast, and wherever rows are copied: to the stack of the thread that calls, which may have 256 KB.
#: With 512 bits 1024 rows are five of them (float64: nine).
SMALL_BLOCK_BYTES = 132 * 1024
#: Panels that are there at once have so many elements of k together: a quarter of what one has.
SHARED_DEPTH = DEPTH // 4


class BlockedSums(SumsInResult):
    """A nest of serial sums of products that are formed in tiles."""

    def __init__(
        self,
        scheduler: Scheduler,
        op: ParallelOp,
        plan: PanelPlan,
        tile: SumTile | None = None,
    ) -> None:
        """Prepare to build it; None: the tile that suits the width of vectors."""
        super().__init__(scheduler, op, plan.lanes)
        self.packed, self.rows, self.is_across = plan.packed, plan.rows, plan.is_across
        self.is_wide = scheduler.vector_bits >= WIDE_BITS
        tile = SumTile(WIDE_ROWS if self.is_wide else ROWS) if tile is None else tile
        self.width = scheduler.width * tile.registers
        self.height, self.vectors = tile.rows, tile.vectors
        self.finishes = tile.finishes and bool(self.epilogue)
        if not self.rows:
            self.height = 1
        self.factor, self.depth = packed_factor(plan.packed), tile.depth
        self.tile = tile

    def is_worth_it(
        self, across: SSAValue, extents: Values, frame: Frame, *, is_streamed: bool = False
    ) -> SSAValue | None:
        """Return whether rows of these extents are enough, and what is inside of k fits a panel.

        All of it has to if sums must not be interrupted. `is_streamed` says that too few rows read
        the factor as it lies in memory.

        None if it is at any size: what lies across is transposed, however few rows there are.
        """
        weaver, conditions = self.weaver, list[SSAValue]()
        if self.is_across:
            conditions.append(weaver.compare("sge", across, weaver.index(MANY_ROWS)))
        is_transposed = element_across(self.packed, self.lanes, self.elements) is not None
        if not is_transposed or not self.scheduler.can_transpose:
            elements = self._product([*self._extents(frame), across])
            rows = self._product(extents)
            conditions.append(is_read_often(weaver, rows, elements, is_streamed=is_streamed))
        first, *inner = self._extents(frame)
        if not self.has_room:
            inner.append(first)
        if inner:
            conditions.append(weaver.compare("sle", self._product(inner), weaver.index(self.depth)))
        return reduce(partial(weaver.compute, arith.AndIOp), conditions) if conditions else None

    def build(
        self,
        across: SSAValue,
        extents: Values,
        frame: Frame,
        first_column: SSAValue | None = None,
        first_rows: Values = (),
    ) -> None:
        """Build the loops over pieces of k, blocks of rows and panels.

        Columns end at `across`; of rows there are as many as their extents say, in each dimension
        from a first one on.
        """
        weaver, one = self.weaver, self.weaver.index(1)
        self.across, self.count = across, self._product(extents)
        self.places = RowPlaces(weaver, self.rows, extents, first_rows, self.count)
        self.first_column = first_column
        self.results = TileResults(
            self, self.rows, extents, self.places.enter_last, finishes=self.finishes
        )
        extent, *inner = self._extents(frame)
        self.extent = extent
        self.panels = Panels(self.scheduler, self.factor, self.lanes, self.elements, inner)
        behind = AHEAD if self.tile.asks_ahead else 0
        self.panels.reserve(self.depth + behind, self.width * self.vectors)
        self.results.reserve(self.height, self.width)
        self.has_half_tiles = (
            self.tile.has_halves and bool(self.rows) and self.results.memory is None
        )
        is_one_sum = len(self.elements) == 1
        self.has_several = is_one_sum and self.tile.has_edges and not self.is_across
        can_fill = is_one_sum and not self.panels.is_transposed
        self.fills_panels = self.tile.fills_panels and can_fill
        self.left = other_factor(
            self.scheduler,
            self.reduction,
            self.packed,
            self.lanes,
            self.rows,
            inner,
            copies_rows=self.tile.copies_rows,
        )
        if self.left is not None:
            self.left.reserve(self.depth, self._most_rows())
        self.is_flat = isinstance(self.left, WindowPlaces)
        # A sum of nothing is stored, too.
        stop = weaver.compute(arith.MaxSIOp, extent, one)
        most = weaver.index(self.depth)
        if inner:
            inside = weaver.compute(arith.MaxSIOp, self._product(inner), one)
            most = weaver.compute(arith.DivUIOp, most, inside)
            block = weaver.compute(arith.MaxSIOp, self.count, one)
        else:
            block = self._rows_of_a_block()
        depth = self._equal_part(stop, most)

        def piece(start: SSAValue) -> None:
            left = weaver.compute(arith.SubiOp, extent, start)
            own = weaver.compute(arith.MinSIOp, left, depth)
            self._loop(self.count, block, lambda row: self._block((row, block), start, own, frame))

        self._loop(stop, depth, piece)

    def _most_rows(self) -> int:
        """Return how many rows a block has at most, in whole tiles."""
        is_small = self.is_wide or isinstance(self.left, PackedRows)
        bytes_of_a_row = self.depth * bits_of(self.factor.type) // 8
        rows = (SMALL_BLOCK_BYTES if is_small else BLOCK_BYTES) // bytes_of_a_row
        return rows // self.height * self.height

    def _rows_of_a_block(self) -> SSAValue:
        """Return how many rows the blocks have: equal parts, in whole tiles."""
        weaver, height = self.weaver, self.weaver.index(self.height)
        count = weaver.compute(arith.MaxSIOp, self.count, weaver.index(1))
        part = self._equal_part(count, weaver.index(self._most_rows()))
        return weaver.compute(arith.MuliOp, self._parts(part, height), height)

    def products_of_a_sum(self, frame: Frame) -> SSAValue:
        """Return how many products a sum has."""
        return self._product(self._extents(frame))

    def _extents(self, frame: Frame) -> list[SSAValue]:
        return [self.weaver.scalar(extent, frame) for extent in self.reduction.extents]

    def _product(self, values: Values) -> SSAValue:
        if not values:
            return self.weaver.index(1)
        return reduce(partial(self.weaver.compute, arith.MuliOp), values)

    def _loop(
        self,
        stop: SSAValue,
        step: SSAValue | int,
        body: Callable[[SSAValue], None],
        start: SSAValue | None = None,
    ) -> None:
        """Build a loop from the start, or 0, that carries nothing."""
        index = self.weaver.index
        step = index(step) if isinstance(step, int) else step
        loop(self.weaver, (index(0) if start is None else start, stop, step), body)

    def _equal_part(self, extent: SSAValue, most: SSAValue) -> SSAValue:
        """Return the size of equal parts, of at most so many: a short last part costs too much."""
        return self._parts(extent, self._parts(extent, most))

    def _parts(self, extent: SSAValue, size: SSAValue) -> SSAValue:
        """Return how many parts of a size there are, a short last one included."""
        weaver, one = self.weaver, self.weaver.index(1)
        last = weaver.compute(arith.SubiOp, extent, one)
        return weaver.compute(arith.AddiOp, weaver.compute(arith.DivUIOp, last, size), one)

    def _block(
        self, rows: tuple[SSAValue, SSAValue], start: SSAValue, depth: SSAValue, frame: Frame
    ) -> None:
        """Build the panels of a piece for a block of rows: its first one, and how many."""
        weaver, first = self.weaver, rows[0]
        end = weaver.compute(arith.AddiOp, *rows)
        end = weaver.compute(arith.MinSIOp, end, self.count)
        if self.left is not None:
            moved = self.places.moved(first), self.places.moved(end)
            self.left.fill(moved, (start, depth), self._any_column(frame))

        outer, width = frame.inner(), weaver.index(self.width * self.vectors)
        for index in self.rows:
            outer.scalars[index] = weaver.index(0)  # all rows read the same of the packed factor
        whole_end = end
        if self.has_half_tiles:
            whole_end = self.places.end_of_tiles(first, end, self.height)
        part = self._part(first, end, depth)
        block = Block(first, whole_end, end, start, depth, part, outer, width)
        step = width
        if self.has_several:
            step = weaver.compute(arith.MuliOp, width, self._panels_together(depth))
        self._loop(
            self.across, step, lambda column: self._columns(block, column, step), self.first_column
        )

    def _columns(self, block: Block, column: SSAValue, step: SSAValue) -> None:
        """Build the panels that there are at once, and the tiles that read them."""
        weaver = self.weaver
        left = weaver.compute(arith.SubiOp, self.across, column)
        count = weaver.compute(arith.MinSIOp, left, step)
        full = weaver.compute(arith.DivUIOp, count, block.width)

        def panel(number: SSAValue) -> Panel:
            own = weaver.compute(arith.MuliOp, number, block.width)
            base = weaver.compute(arith.MuliOp, number, block.depth) if self.has_several else None
            return weaver.compute(arith.AddiOp, column, own), base

        def each(build: Callable[[Panel], None]) -> None:
            if self.has_several:
                self._loop(full, 1, lambda number: build(panel(number)))
            else:
                build(panel(weaver.index(0)))

        def tiles() -> Values:
            if not self.panels.is_transposed and not self.fills_panels:
                each(lambda at: self.panels.copy(self._pieces(block, at)))
            self._tiles(block, each)
            return ()

        if self.panels.is_transposed:
            panels = self._parts(count, block.width)
            self._loop(panels, 1, lambda number: self._transpose(block, panel(number)))
        weaver.branch(weaver.compare("sgt", full, weaver.index(0)), tiles)
        if not self.tile.has_edges:
            return
        at = panel(full)
        rest = weaver.compute(arith.SubiOp, at[0], column)
        self._edge(block, at, weaver.compute(arith.SubiOp, count, rest))

    def _transpose(self, block: Block, panel: Panel) -> None:
        """Fill a panel, or what there is of it, with what lies across."""
        weaver, (column, base) = self.weaver, panel
        left = weaver.compute(arith.SubiOp, self.across, column)
        left = weaver.compute(arith.MinSIOp, left, block.width)
        last = weaver.compute(arith.SubiOp, self.across, weaver.index(1))
        self.panels.transpose((block.start, block.depth, base), (column, left), last, block.outer)

    def _tiles(self, block: Block, each: Callable[[Callable[[Panel], None]], None]) -> None:
        """Build the tiles of a block, which read whole panels; the last may be half as high."""

        def row_of_tiles(row: SSAValue, *, fills: bool = False) -> None:
            # Here, as compilers do not move divisions out of a loop that may not run.
            rows = self.places.of_tile(row, self.height)
            stand = self._stand(block, row)

            def tile(panel: Panel) -> None:
                pieces = self._pieces(block, panel)
                self._tile(rows, pieces, self._ahead(pieces, stand), fills=fills)

            each(tile)

        def row_of_halves(row: SSAValue) -> None:
            rows = self.places.of_tile(row, self.height // 2)
            each(lambda panel: self._tile(rows, self._pieces(block, panel)))

        first = block.first
        if self.fills_panels:
            row_of_tiles(first, fills=True)
            first = self.weaver.compute(arith.AddiOp, first, self.weaver.index(self.height))
        self._loop(block.whole_end, self.height, row_of_tiles, first)
        if self.has_half_tiles:
            self._loop(block.end, self.height, row_of_halves, block.whole_end)

    def _edge(self, block: Block, panel: Panel, left: SSAValue) -> None:
        """Build what is left of columns, which fill no panel: panels of one register."""
        weaver, lanes, (column, base) = self.weaver, self.scheduler.width, panel

        def register(at: SSAValue) -> None:
            mask = weaver.add(MaskOp.make(weaver.compute(arith.SubiOp, left, at), lanes))
            own = weaver.compute(arith.AddiOp, column, at)
            piece = self._piece(block, own, block.outer.inner(lanes, mask), at, base)
            if not self.panels.is_transposed:
                self.panels.copy([piece])

            def tile(row: SSAValue) -> None:
                self._tile(self.places.of_tile(row, self.height), [piece])

            self._loop(block.end, self.height, tile, block.first)

        self._loop(left, lanes, register)

    def _pieces(self, block: Block, panel: Panel) -> list[Piece]:
        """Return the whole vectors of a panel, side by side."""
        weaver, (column, base) = self.weaver, panel
        pieces: list[Piece] = []
        for number in range(self.vectors):
            at = weaver.index(number * self.width)
            own = weaver.compute(arith.AddiOp, column, at) if number else column
            pieces.append(self._piece(block, own, block.outer.inner(self.width), at, base))
        return pieces

    def _piece(
        self, block: Block, column: SSAValue, inner: Frame, at: SSAValue, base: SSAValue | None
    ) -> Piece:
        """Return a piece of some columns, which are the lanes of a frame."""
        inner.enter(self.lanes, column)
        start, depth = block.start, block.depth
        return Piece(start, depth, column, self.across, block.outer, inner, at, base)

    def _panels_together(self, depth: SSAValue) -> SSAValue:
        """Return how many panels of so many elements of k there are at once, where k is one index.

        Sums over windows have one: an address more for each element, they take 3 % longer.
        """
        weaver, one = self.weaver, self.weaver.index(1)
        depth = weaver.compute(arith.MaxSIOp, depth, one)
        fitting = weaver.compute(arith.DivUIOp, weaver.index(SHARED_DEPTH), depth)
        return weaver.compute(arith.MaxSIOp, fitting, one)

    def _any_column(self, frame: Frame) -> Frame:
        """Return a frame for what is the same in all columns."""
        inner = frame.inner()
        inner.scalars[self.lanes] = self.weaver.index(0)
        return inner

    def _part(self, first: SSAValue, end: SSAValue, depth: SSAValue) -> SSAValue | None:
        """Return which part of the next panel each tile of a block asks for: so many elements of k.

        None where tiles ask for none: where k is several indices.
        """
        if len(self.elements) > 1 or not self.scheduler.can_prefetch:
            return None
        rows = self.weaver.compute(arith.SubiOp, end, first)
        return self._parts(depth, self._parts(rows, self.weaver.index(self.height)))

    def _stand(self, block: Block, row: SSAValue) -> Stand | None:
        """Return where a tile stands in its block, from its first row."""
        if block.part is None:
            return None
        weaver, height = self.weaver, self.weaver.index(self.height)
        tile = weaver.compute(arith.SubiOp, row, block.first)
        tile, below = (
            weaver.compute(arith.DivUIOp, tile, height),
            weaver.compute(arith.AddiOp, row, height),
        )
        return Stand(tile, block.part, below, self.places.last())

    def _ahead(self, pieces: Sequence[Piece], stand: Stand | None) -> Ahead | None:
        """Return what a tile asks for: of the one below, and of the next panel."""
        if stand is None:
            return None
        weaver = self.weaver
        asking = Prefetches(self.scheduler, self.panels, self.store, pieces)

        def ahead(number: SSAValue) -> None:
            frame = pieces[0].frame.inner()
            line = weaver.compute(arith.DivUIOp, number, weaver.index(self.panels.line))
            line = weaver.compute(arith.AddiOp, stand.below, line)
            self.places.enter(frame, weaver.compute(arith.MinSIOp, line, stand.last))
            asking.results(frame)
            asking.panel(number, stand.tile, stand.part)

        return ahead

    def _tile(
        self,
        rows_of_tile: RowsOfTile,
        pieces: Sequence[Piece],
        ahead: Ahead | None = None,
        *,
        fills: bool = False,
    ) -> None:
        """Take pieces that lie side by side into the sums of some rows.

        Elements are read from their panel, or from the factor if this tile fills the panel.
        """
        weaver, panels, piece, first = self.weaver, self.panels, pieces[0], rows_of_tile.first
        tiles = [rows_of_tile.frames(each.frame) for each in pieces]
        # The element of a row is multiplied with all its vectors while it is at hand.
        rows = [row for same in zip(*tiles, strict=True) for row in same]
        lefts = self._lefts(first, tiles)

        def of_nothing() -> Values:
            return [self.start(row) for row in rows]

        def so_far() -> Values:
            loaded = [
                self.results.load(tile, first, each)
                for tile, each in zip(tiles, pieces, strict=True)
            ]
            return [value for same in zip(*loaded, strict=True) for value in same]

        def step(walked: Frame, place: SSAValue, carried: Values) -> Values:
            factors = [
                panels.fill(each, walked, place) if fills else panels.load(each, place)
                for each in pieces
            ]
            if self.tile.asks_ahead:
                for each in pieces:
                    panels.ask_ahead(each, place)
            rights = [right for _ in tiles[0] for right in factors]
            totals: list[SSAValue] = []
            own = place if self.left is None else self.left.place_of(place)
            for row, left, old, right in zip(rows, lefts, carried, rights, strict=True):
                inner = row.inner()
                if not self.is_flat:
                    for index in self.elements:
                        inner.scalars[index] = walked.scalars[index]
                inner.bind(self.factor.value, right)
                loaded: list[Operation] = [*self.factor.ops]
                if self.left is not None:
                    self.left.bind(inner, own, left)
                    loaded.append(self.left.load)
                totals.append(self.add(inner, old, loaded))
            return totals

        if self.tile.fills_registers:
            append(weaver.block, ClearRegistersOp.make())
        if self.has_room:
            is_first = weaver.compare("eq", piece.start, weaver.index(0))
            sums = weaver.branch(is_first, of_nothing, so_far)
        else:
            sums = of_nothing()
        if self.is_flat:
            totals = self.panels.walk_flat(piece, step, sums)
        else:
            totals = self.panels.walk(piece, step, sums, ahead)
        is_last = self._is_last(piece) if self.finishes else None
        for number, (tile, each) in enumerate(zip(tiles, pieces, strict=True)):
            self.results.keep(tile, totals[number :: len(pieces)], first, each, is_last)

    def _lefts(self, first: SSAValue, tiles: Sequence[Sequence[Frame]]) -> list[SSAValue]:
        """Return where the elements of each row of a tile lie, for each of its pieces."""
        if self.left is None:
            return [first for tile in tiles for _ in tile]
        return [left for left in self.left.of_rows(tiles[0]) for _ in tiles]

    def _is_last(self, piece: Piece) -> SSAValue | None:
        """Return whether sums are finished with a piece; None if it is the only one."""
        if not self.has_room:
            return None
        end = self.weaver.compute(arith.AddiOp, piece.start, piece.depth)
        return self.weaver.compare("sge", end, self.extent)
