"""Which loops, vectors and order of memory does the host's CPU run a kernel with?

Maps run on vectors along their last index. A nest of reductions runs on vectors along one of its
own indices where memory lies so, else each reduction runs on vectors by itself. What is chosen
depends on the width of vectors and the kernel alone.
"""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import UnitAttr

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.scheduled import HURRIED
from ....dialects.kernel.structured import SHORT_ROWS, MapOp, ParallelOp, ReduceOp, ScanOp
from ....dialects.kernel.within import WithinOp
from ...analysis.access_patterns import best_parallel_index
from ..lanes import Frame
from ..products.blocked_sums import BlockedSums
from ..products.panel_plans import is_vector_across, panel_plan
from ..products.wide_tiles import wide_tiles
from ..reductions.column_kinds import column_reduction
from ..reductions.first_extremes import LaneNestExtreme, finds_first, first_extreme
from ..reductions.lane_nests import LaneNestVectors, is_lane_nest
from ..reductions.searches import SearchNest, is_nest_of_searches
from ..reductions.serial import serial_reduction, serial_scan
from ..reductions.strips import StripNest, can_strip
from ..reductions.vectors import vector_reduction
from ..scalar import as_loops
from ..scheduler import HEAVY_REGISTERS, Scheduler, Strategies, Values, scheduled_form
from ..shared_bodies import build_shared, is_shared
from ..windowed_maps import keep_within, windowed_map
from .copied_rows import copied_rows
from .grouped_rows import GroupedRows, can_group
from .jammed_rows import JammedRows, jammed_index
from .jammed_scans import JammedScans
from .picking_scans import is_picking, picking_scan
from .scan_accesses import has_only_a_scan, scan_of
from .streamed_sums import StreamedSums, streamed_by_rows, streamed_load
from .transposed_maps import transposed_map
from .transposed_scans import TransposedScans, can_transpose


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


def _copy(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    return copied_rows(scheduler, op, frame, _map)


def _parallel(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> bool:
    weaver, block = scheduler.weaver, op.block
    indices = list(op.indices)
    extents = [weaver.scalar(extent, frame) for extent in op.operands]
    chosen = best_parallel_index(op) if frame.lanes == 1 else None
    if chosen is None and frame.lanes == 1 and _has_short_rows(op):
        _rows_side_by_side(scheduler, op, frame)
        return True
    if chosen is None and frame.lanes == 1 and has_only_a_scan(op) and not is_picking(scan_of(op)):
        _scans(scheduler, op, frame)
        return True
    if chosen is None and frame.lanes == 1 and is_nest_of_searches(scheduler, op):
        _searches(scheduler, op, frame)
        return True
    if chosen is None and frame.lanes == 1 and can_group(op):
        GroupedRows(scheduler, op).build(extents[0], frame)
        return True
    if chosen is None:
        return as_loops(scheduler, op, frame)
    row = jammed_index(op, chosen) if not can_strip(op) else None
    index, extent = indices.pop(chosen), extents.pop(chosen)
    streamed = streamed_load(scheduler, op, index) if row is None else None
    if streamed is not None:

        def rows_of_factor(inner: Frame, _: Values) -> Values:
            StreamedSums(scheduler, op, streamed, index).build(extent, inner)
            return ()

        scheduler.nest(indices, extents, frame, rows_of_factor)
        return True
    if row is not None or is_vector_across(scheduler, op, index):
        _products(scheduler, op, frame, chosen, row)
        return True
    lanes = scheduler.width * HEAVY_REGISTERS

    def vectors(inner: Frame, _: Values) -> Values:
        if can_strip(op):
            StripNest(scheduler, op, index, lanes, has_registers=True).build(extent, inner)
        else:
            scheduler.vectorise(index, extent, inner, scheduler.lanes_for(block), block)
        return ()

    scheduler.nest(indices, extents, frame, vectors)
    return True


def _scans(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> None:
    """Run scans along memory over several rows at once."""
    *extents, rows = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def leaf(inner: Frame, _: Values) -> Values:
        if can_transpose(op):
            TransposedScans(scheduler, op).build(rows, inner)
        else:
            JammedScans(scheduler, op).build(scheduler.weaver.index(0), rows, inner)
        return ()

    scheduler.nest(op.indices[:-1], extents, frame, leaf)


def _searches(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> None:
    """Search several rows at once."""
    *extents, rows = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def leaf(inner: Frame, _: Values) -> Values:
        SearchNest(scheduler, op).build(rows, inner)
        return ()

    scheduler.nest(op.indices[:-1], extents, frame, leaf)


def _has_short_rows(op: ParallelOp) -> bool:
    """Whether each row is a few elements, for which a vector would mostly be empty."""
    return SHORT_ROWS in op.attributes and can_strip(op)


def _rows_side_by_side(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> None:
    """Run short rows on vectors of neighbouring rows, although memory lies along them."""
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def rows(inner: Frame, _: Values) -> Values:
        nest = StripNest(scheduler, op, op.indices[-1], scheduler.width, SHORT_TABLE_BYTES)
        nest.build(extents[-1], inner)
        return ()

    scheduler.nest(op.indices[:-1], extents[:-1], frame, rows)


def _products(
    scheduler: Scheduler, op: ParallelOp, frame: Frame, chosen: int, row: int | None
) -> None:
    """Run serial sums of products on vectors along one index: by panels, or few rows at once."""
    weaver, lanes = scheduler.weaver, op.indices[chosen]
    extents = {
        index: weaver.scalar(extent, frame)
        for index, extent in zip(op.indices, op.operands, strict=True)
    }
    plan = panel_plan(scheduler, op, lanes)
    inside = list(extents) if plan is None else [plan.lanes, *plan.rows]
    outer = [index for index in extents if index not in inside]

    streamed = None if row is None else streamed_by_rows(scheduler, op, lanes, op.indices[row])

    def few_rows(inner: Frame) -> Values:
        assert row is not None
        several = op.indices[row]
        others = [index for index in inside if index not in (lanes, several)]
        across, rows = extents[lanes], extents[several]

        def leaf(at: Frame, _: Values) -> Values:
            start = None
            if streamed is not None:
                sums = StreamedSums(scheduler, op, streamed, lanes, several)
                start = sums.build_if_large(across, rows, at)
            JammedRows(scheduler, op, lanes, several).build(across, rows, at, start)
            return ()

        return scheduler.nest(others, [extents[index] for index in others], inner, leaf)

    def tiles(inner: Frame, _: Values) -> Values:
        if plan is None:
            return few_rows(inner)
        blocked, wide = BlockedSums(scheduler, op, plan), partial(wide_tiles, scheduler, op, plan)
        sizes, across = [extents[index] for index in plan.rows], extents[plan.lanes]

        def in_blocks() -> Values:
            blocked.build(across, sizes, inner, wide(across, sizes, inner))
            return ()

        is_worth_it = blocked.is_worth_it(across, sizes, inner, is_streamed=streamed is not None)
        if is_worth_it is None:
            return in_blocks()
        return weaver.branch(is_worth_it, in_blocks, lambda: few_rows(inner))

    scheduler.nest(outer, [extents[index] for index in outer], frame, tiles)


def _blocks_of_lanes(scheduler: Scheduler, op: ParallelOp, frame: Frame) -> bool:
    """Run the blocks of a reduction that was split one after the other, each on vectors."""
    if not is_lane_nest(op):
        return False
    extents = [scheduler.weaver.scalar(extent, frame) for extent in op.operands]

    def block(inner: Frame, _: Values) -> Values:
        if any(
            isinstance(item, ReduceOp) and finds_first(scheduler, item) for item in op.block.ops
        ):
            search = LaneNestExtreme(scheduler, op, inner)
            search.prepare()
            search.build()
        else:
            LaneNestVectors(scheduler, op, inner).build()
        return ()

    scheduler.nest(op.indices[:-1], extents[:-1], frame, block)
    return True


def _scalar_map(scheduler: Scheduler, op: MapOp, frame: Frame) -> bool:
    scheduler.leaves_out = True
    return as_loops(scheduler, op, frame)


#: A table of accumulators for each reduction of short rows: they share the nearest cache.
SHORT_TABLE_BYTES = 8192

STRATEGIES: Strategies = {
    MapOp: (windowed_map, transposed_map, _copy, _map),
    ParallelOp: (_blocks_of_lanes, _parallel),
    ReduceOp: (serial_reduction, column_reduction, first_extreme, vector_reduction),
    ScanOp: (picking_scan, serial_scan),
    WithinOp: (keep_within,),
}

#: One body for one element at a time, and no more, is what LLVM is done with soon.
FOR_SCALARS: Strategies = {**STRATEGIES, MapOp: (_scalar_map,)}


def schedule_for_cpu(function: FuncOp, vector_bits: int = 256) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone."""
    return scheduled_form(Scheduler(function, vector_bits, STRATEGIES), function)


def hurried_schedule(function: FuncOp, vector_bits: int = 256) -> FuncOp:
    """Return a scheduled form that takes less time to make and more to run; results are the same.

    Maps differ, and large products; then it says so (`HURRIED`). Other reductions are short where
    they stand in a plan for the first time.
    """
    scheduler = Scheduler(function, vector_bits, FOR_SCALARS)
    scheduler.is_hurried = True
    form = scheduled_form(scheduler, function)
    if scheduler.leaves_out:
        form.attributes[HURRIED] = UnitAttr()
    return form
