"""Which loops, vectors and order of memory does the host's CPU run a kernel with?

Maps run on vectors along their last index. A nest of reductions runs on vectors along one of its
own indices where memory lies so, else each reduction runs on vectors by itself. What is chosen
depends on the width of vectors and the kernel alone.
"""

from __future__ import annotations

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp
from ...analysis.access_patterns import best_parallel_index
from ..lanes import Frame
from ..reductions.columns import column_reduction
from ..reductions.lane_nests import LaneNestVectors, is_lane_nest
from ..reductions.serial import serial_reduction, serial_scan
from ..reductions.strips import StripNest, can_strip
from ..reductions.vectors import vector_reduction
from ..scheduler import HEAVY_REGISTERS, Scheduler, Strategies, Values, scheduled_form
from ..shared_bodies import build_shared, is_shared
from .blocked_sums import LEAST_ROWS, BlockedSums
from .jammed_rows import JammedRows, jammed_index
from .streamed_sums import StreamedSums, streamed_load
from .sums_in_results import factor_along
from .transposed_maps import transposed_map


def _map(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    weaver, block = scheduler.weaver, op.block
    indices = op.indices
    extents = [weaver.scalar(extent, frame) for extent in op.operands]
    lanes = scheduler.lanes_of_map(block)
    # At the end of each row a second register would be computed for nothing, in half of the cases.
    has_whole_end = len(indices) == 1 or lanes == scheduler.width

    def leaf(inner: Frame, _: Values) -> Values:
        if frame.lanes == 1 and has_whole_end and is_shared(scheduler, block):
            build_shared(scheduler, indices[-1], extents[-1], inner, lanes, block)
        elif frame.lanes == 1:
            scheduler.vectorise(indices[-1], extents[-1], inner, lanes, block)
        else:
            scheduler.body(block, inner)
        return ()

    if frame.lanes == 1:
        scheduler.nest(indices[:-1], extents[:-1], frame, leaf)
    else:
        scheduler.nest(indices, extents, frame, leaf)
    return True


def _parallel(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> bool:
    weaver, block = scheduler.weaver, op.block
    indices = list(op.indices)
    extents = [weaver.scalar(extent, frame) for extent in op.operands]
    chosen = best_parallel_index(op) if frame.lanes == 1 else None
    if chosen is None:

        def leaf(inner: Frame, _: Values) -> Values:
            scheduler.body(block, inner)
            return ()

        scheduler.nest(indices, extents, frame, leaf)
        return True
    row = jammed_index(op, chosen) if not can_strip(op) else None
    index, extent = indices.pop(chosen), extents.pop(chosen)
    streamed = streamed_load(scheduler, op, index) if row is None else None
    if streamed is not None:

        def rows_of_factor(inner: Frame, _: Values) -> Values:
            StreamedSums(scheduler, op, streamed, index).build(extent, inner)
            return ()

        scheduler.nest(indices, extents, frame, rows_of_factor)
        return True
    if row is not None:
        place = row - (row > chosen)
        jammed, rows = indices.pop(place), extents.pop(place)

        packed = factor_along(scheduler, op, index, jammed)

        def tiles(inner: Frame, _: Values) -> Values:
            def plain() -> Values:
                JammedRows(scheduler, op, index, jammed).build(extent, rows, inner)
                return ()

            if packed is None:
                return plain()
            blocked = BlockedSums(scheduler, op, packed, index, jammed)

            def in_blocks() -> Values:
                blocked.build(extent, rows, inner)
                return ()

            weaver.branch(weaver.compare("sge", rows, weaver.index(LEAST_ROWS)), in_blocks, plain)
            return ()

        scheduler.nest(indices, extents, frame, tiles)
        return True
    lanes = scheduler.width * HEAVY_REGISTERS

    def vectors(inner: Frame, _: Values) -> Values:
        if can_strip(op):
            StripNest(scheduler, op, index, lanes).build(extent, inner)
        else:
            scheduler.vectorise(index, extent, inner, scheduler.lanes_for(block), block)
        return ()

    scheduler.nest(indices, extents, frame, vectors)
    return True


def _blocks_of_lanes(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> bool:
    """Run the blocks of a reduction that was split one after the other, each on vectors."""
    if not is_lane_nest(op):
        return False
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def block(inner: Frame, _: Values) -> Values:
        LaneNestVectors(scheduler, op, inner).build()
        return ()

    scheduler.nest(op.indices[:-1], extents[:-1], frame, block)
    return True


STRATEGIES: Strategies = {
    MapOp: (transposed_map, _map),
    ParallelOp: (_blocks_of_lanes, _parallel),
    ReduceOp: (serial_reduction, column_reduction, vector_reduction),
    ScanOp: (serial_scan,),
}


def schedule_for_cpu(function: FuncOp, vector_bits: int = 256) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone."""
    return scheduled_form(Scheduler(function, vector_bits, STRATEGIES), function)
