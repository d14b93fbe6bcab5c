"""`kernel-schedule{target=opencl-cpu}`: which work item computes what on a CPU?

Before:

    kernel.map (%i) to (%n) {
      %v = kernel.load %x[%i] : f32
      kernel.store %v, %y[%i]
    }

After:

    %0 = arith.addi %n, %c4095 : index
    %1 = arith.divui %0, %c4096 : index
    kernel.parallel items (%k) to (%1) attributes {kernel.local = 1 : i64} {
      ...
      kernel.for %i = %start to %stop step %c1 {
        %v = kernel.load %x[%i] : f32
        kernel.store %v, %y[%i]
      }
    }

The payload stays scalar: compilers of OpenCL C make vectors of it. A work item is a tile of points
of the outermost nest, whose loops are vectorised in place. Folds keep their order, with arrays for
their lanes (`lane_arrays`). A kernel with several nests at its outermost level, or with serial
loops there, runs in one work item. GPUs have a schedule of their own (`schedule_opencl_gpu`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from ....dialects.kernel.function import FuncOp, ReturnOp
from ....dialects.kernel.scheduled import AS_WIDE_LANES, GROUP_SIZE, ForOp
from ....dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, YieldOp
from ....dialects.kernel.types import f64, i64, type_of_index
from ...analysis.wide_vectors import has_much_arithmetic
from ..cpu.schedule import Scheduler, best_parallel_index
from ..lane_arrays import LaneArrayFold
from ..lane_nests import LaneNestFold, is_lane_nest
from ..lanes import Frame
from ..reductions import Values, fold_serially
from ..strips import StripNest, can_strip
from .transposed_tiles import TransposedTile, transposed_dimension
from .work_groups import tile_counts

#: Points of a work item along the innermost dimension, and along the one outside of it.
STRIP, ROWS = 4096, 16
#: The sides of a tile that transposes, and the results that a work item folds side by side.
TILE, COLUMNS = 32, 128
#: Results that a work item folds one after the other.
RESULTS = 4

_NESTS = (MapOp, ParallelOp)


class OpenclScheduler(Scheduler):
    """The walk over one kernel, in scalar code."""

    def __init__(self, function: FuncOp) -> None:
        """Prepare to rebuild a kernel."""
        super().__init__(function, vector_bits=1)

    def translate(self, op: Operation, frame: Frame) -> None:
        """Translate one op."""
        if isinstance(op, ReduceOp):
            if op.lane_count == 1 and not op.elements_per_block:
                values = fold_serially(self, op, frame)
            else:
                values = LaneArrayFold(self, op, frame).build()
            for result, value in zip(op.results, values, strict=True):
                frame.bind(result, value)
        elif isinstance(op, _NESTS):
            extents = [self.weaver.scalar(extent, frame) for extent in op.operands]
            self.nest(op.indices, extents, frame, self._leaf(op.block))
        else:
            super().translate(op, frame)
            if isinstance(op, ForOp) and op.attributes:
                copy = self.weaver.block.last_op
                assert isinstance(copy, ForOp)
                copy.attributes.update(op.attributes)

    def in_lanes(
        self, extent: SSAValue, frame: Frame, lanes: int, body: Callable[[Frame, SSAValue], None]
    ) -> None:
        """Build `body(frame, index)` in a loop: a compiler makes vectors of it."""

        def inside(index: SSAValue, _: Values) -> Values:
            body(frame.inner(), index)
            return ()

        self.weaver.loop((self.weaver.index(0), extent, self.weaver.index(1)), (), inside)

    def _leaf(self, block: Block) -> Callable[[Frame, Values], Values]:
        def leaf(inner: Frame, _: Values) -> Values:
            self.body(block, inner)
            return ()

        return leaf

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of a kernel."""
        grid = grid_op(function)
        for op in list(function.block.ops)[:-1]:
            if grid is not None and op is grid:
                self.grid(grid, frame)
            else:
                self.translate(op, frame)

    def grid(self, op: MapOp | ParallelOp, frame: Frame) -> None:
        """Build the outermost nest as work items."""
        indices = op.indices
        if is_lane_nest(op):
            self.items(op, [1] * (len(indices) - 1), frame, 1, self._lanes)
        elif isinstance(op, ParallelOp):
            self._folding_items(op, frame)
        elif len(indices) > 1 and transposed_dimension(op) is not None:
            sides = [1] * len(indices)
            dimension = transposed_dimension(op)
            assert dimension is not None
            sides[dimension] = sides[-1] = TILE
            self.items(op, sides, frame, 1, self._transposed)
        else:
            sides = [*([1] * (len(indices) - 2)), *([ROWS] if len(indices) > 1 else []), STRIP]
            self.items(op, sides, frame, 1, self.points)

    def _folding_items(self, op: ParallelOp, frame: Frame) -> None:
        """A work item for each result, or for a strip of results where memory runs across them."""
        sides = [1] * len(op.indices)
        chosen = best_parallel_index(op)
        if chosen is None or not can_strip(op, is_serial_allowed=True):
            sides[-1] = RESULTS
            self.items(op, sides, frame, 1, self.points)
            return
        sides[chosen] = COLUMNS

        def strip(_: MapOp | ParallelOp, bounds: Sequence[Bounds], inner: Frame) -> None:
            weaver = self.weaver
            for index, (start, _stop) in zip(op.indices, bounds, strict=True):
                inner.scalars[index] = start
            start, stop = bounds[chosen]
            assert stop is not None
            count = weaver.compute(arith.SubiOp, stop, start)
            nest = StripNest(self, op, op.indices[chosen], 1)
            nest.size = COLUMNS
            nest.strip(start, count, inner)

        self.items(op, sides, frame, 1, strip)

    def items(
        self, op: MapOp | ParallelOp, sides: Sequence[int], frame: Frame, group: int, build: Build
    ) -> None:
        """Build `build(op, bounds, frame)` for work items of `sides` points in each dimension.

        Dimensions behind those that have a side are left to `build`.
        """
        weaver = self.weaver
        extents = [weaver.scalar(extent, frame) for extent in op.operands[: len(sides)]]
        counts = tile_counts(weaver, extents, sides)
        outside, block = weaver.block, Block(arg_types=[type_of_index] * len(extents))
        weaver.block = block
        bounds: list[Bounds] = []
        for index, extent, side in zip(block.args, extents, sides, strict=True):
            bounds.append(self._bounds(index, extent, side))
        build(op, bounds, frame.inner())
        block.add_op(YieldOp.make())
        weaver.block = outside
        items = ParallelOp.make(counts, block, "items")
        items.attributes[GROUP_SIZE] = IntegerAttr(group, i64)
        outside.add_op(items)

    def _bounds(self, index: SSAValue, extent: SSAValue, side: int) -> Bounds:
        """Return the first point of a work item in a dimension and where it ends; None: one."""
        if side == 1:
            return index, None
        weaver = self.weaver
        start = weaver.compute(arith.MuliOp, index, weaver.index(side))
        stop = weaver.compute(arith.AddiOp, start, weaver.index(side))
        return start, weaver.compute(arith.MinSIOp, stop, extent)

    def _lanes(self, op: MapOp | ParallelOp, bounds: Sequence[Bounds], frame: Frame) -> None:
        """Compute the lanes of a block, which are the last dimension."""
        assert isinstance(op, ParallelOp)
        for index, (start, _) in zip(op.indices, bounds, strict=False):
            frame.scalars[index] = start
        LaneNestFold(self, op, frame).build()

    def points(self, op: MapOp | ParallelOp, bounds: Sequence[Bounds], frame: Frame) -> None:
        """Run the body for every point of a work item, the last dimension innermost."""
        self.walk(
            list(op.indices), bounds, frame, lambda inner: _ignore(self.body(op.block, inner))
        )

    def _transposed(self, op: MapOp | ParallelOp, bounds: Sequence[Bounds], frame: Frame) -> None:
        assert isinstance(op, MapOp)
        TransposedTile(self, op, bounds, TILE).build(frame)

    def walk(
        self,
        indices: Sequence[SSAValue],
        bounds: Sequence[Bounds],
        frame: Frame,
        leaf: Callable[[Frame], None],
    ) -> None:
        """Build loops over a box, outermost first, around a leaf."""
        if not indices:
            leaf(frame)
            return
        start, stop = bounds[0]

        def inside(index: SSAValue, _: Values) -> Values:
            inner = frame.inner()
            inner.scalars[indices[0]] = index
            self.walk(indices[1:], bounds[1:], inner, leaf)
            return ()

        if stop is None:
            inside(start, ())
            return
        self.weaver.loop((start, stop, self.weaver.index(1)), (), inside)
        if len(indices) == 1:
            _mark_wide(self.weaver.block.last_op)


#: The first index of a work item in a dimension, and the one where it ends (None: it has one).
Bounds = tuple[SSAValue, SSAValue | None]
Build = Callable[[MapOp | ParallelOp, Sequence[Bounds], Frame], None]


def _ignore(_: Operation) -> None:
    """Take a terminator that yields nothing."""


def _mark_wide(loop: Operation | None) -> None:
    """Let a loop of much arithmetic and no inner loops use the widest vectors there are."""
    assert isinstance(loop, ForOp)
    ops = list(loop.block.ops)
    if not has_much_arithmetic(ops) or any(op.regions for op in ops):
        return
    is_double = any(value.type == f64 for op in ops for value in op.results)
    loop.attributes[AS_WIDE_LANES] = IntegerAttr(8 if is_double else 16, i64)


def grid_op(function: FuncOp) -> MapOp | ParallelOp | None:
    """Return the one nest at the outermost level of a kernel, if its extents are arguments."""
    nests = [op for op in function.block.ops if op.regions]
    if len(nests) != 1 or not isinstance(nests[0], _NESTS) or not nests[0].operands:
        return None
    extents = nests[0].operands
    is_known = all(isinstance(extent, BlockArgument) for extent in extents)
    return nests[0] if is_known else None


def with_prologue(scheduler: Scheduler) -> Block:
    """Return the block that was built, with the constants in front."""
    block, prologue = scheduler.block, scheduler.weaver.prologue
    first = block.first_op
    if first is None:
        block.add_ops(prologue)
    else:
        block.insert_ops_before(prologue, first)
    return block


def schedule_for_opencl(
    function: FuncOp, vector_bits: int = 0, kind: type[OpenclScheduler] = OpenclScheduler
) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone.

    Vectors are made by the device's own compiler, so their width is not asked for.
    """
    scheduler = kind(function)
    frame = Frame()
    for old, new in zip(function.block.args, scheduler.block.args, strict=True):
        frame.scalars[old] = new
        new.name_hint = old.name_hint
    scheduler.outermost(function, frame)
    block = with_prologue(scheduler)
    block.add_op(ReturnOp.make())
    return FuncOp.create(
        properties=function.properties,
        attributes=function.attributes,
        location=function.location,
        regions=[Region(block)],
    )
