"""How do the items of a work-group compute a reduction together, in the order that the IR says?

An item accumulates the elements of a lane. The values go to memory of the group, where lane l is
combined with lane l + L/2, then l + L/4 ..., with a barrier after each step. A group has as many
items as a few reductions have lanes. Neighbouring items read neighbouring memory: they are lanes of
one result where it runs along these, and the same lane of several results where it runs across. The
last group may compute the last result several times.

What stands around the reductions is computed again by every phase that needs it; stores and checks
are done at the end, by the first lane.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue

from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import LOCAL
from ..lanes import Frame
from ..reductions.accumulators import Accumulators, body_values, combine, start_values
from ..reductions.levels import Level, is_level_of_reductions
from ..scheduler import Scheduler, Values
from .work_groups import (
    SHARED_BYTES,
    WorkGroup,
    build_groups,
    bytes_of,
    high_part,
    low_part,
    tile_counts,
)

#: Items of a group: four sums of 32 lanes. Sixteen such groups fill a multiprocessor.
ITEMS = 128
#: The same where memory runs across the lanes: eight neighbours in memory are read at once.
ITEMS_ACROSS = 256


def can_reduce_in_groups(ops: Sequence[Operation]) -> bool:
    """Whether ops are reductions of one number of lanes, and what stands between them."""
    reductions = [op for op in ops if isinstance(op, ReduceOp)]
    lanes = {op.lane_count for op in reductions}
    nbytes = ITEMS_ACROSS * sum(bytes_of(type_) for op in reductions for type_ in op.result_types)
    fits = nbytes <= SHARED_BYTES
    return fits and len(lanes) == 1 and 1 < max(lanes) <= ITEMS and is_level_of_reductions(ops)


class GroupReductions:
    """Reductions at one level of a kernel, and all that stands between them."""

    def __init__(
        self, scheduler: Scheduler, ops: Sequence[Operation], frame: Frame, *, across: bool = False
    ) -> None:
        """Prepare for the ops of a level, its terminator left out; `across`: memory is."""
        self.scheduler, self.weaver, self.frame = scheduler, scheduler.weaver, frame
        self.level, self.across = Level(ops), across
        self.lanes = self.level.reductions[0].lane_count
        self.tables: dict[ReduceOp, Accumulators] = {}
        self.zero, self.one = self.weaver.index(0), self.weaver.index(1)

    def build(self, indices: Sequence[SSAValue], extents: Values) -> None:
        """Build groups for the results of a box; without dimensions there is one."""
        self.indices, self.extents = indices, extents
        #: Results of a group, along the last dimension.
        self.side = (ITEMS_ACROSS if self.across else ITEMS) // self.lanes if extents else 1
        sides = [1] * (len(extents) - 1) + [self.side] * bool(extents)
        counts = tile_counts(self.weaver, extents, sides)
        build_groups(self.weaver, counts, self.side * self.lanes, self._group)

    def _number(self, item: SSAValue) -> SSAValue:
        """Return which result of the group an item works on."""
        if self.across:
            return low_part(self.weaver, item, self.side)
        return high_part(self.weaver, item, self.lanes)

    def _lane(self, item: SSAValue) -> SSAValue:
        """Return which lane of its result an item is."""
        if self.across:
            return high_part(self.weaver, item, self.side)
        return low_part(self.weaver, item, self.lanes)

    def _group(self, group: WorkGroup) -> None:
        for op in self.level.reductions:
            rows = self.side * self.lanes
            self.tables[op] = Accumulators(self.scheduler, op, rows, 1, LOCAL)
        for wave in self._waves():
            group.items(lambda item, wave=wave: self._accumulate(wave, group, item))
            group.barrier()
            self._halve(wave, group)
        group.items(lambda item: self._finish(group, item))

    def _waves(self) -> list[list[ReduceOp]]:
        """Return the reductions in their order, those together that do not need one another."""
        waves: list[list[ReduceOp]] = [[]]
        for op in self.level.reductions:
            needed = self.level.needed([op])
            if any(result in needed for other in waves[-1] for result in other.results):
                waves.append([])
            waves[-1].append(op)
        return waves

    def _enter(
        self, targets: Sequence[Operation], group: WorkGroup, item: SSAValue
    ) -> tuple[Frame, SSAValue | None]:
        """Compute what some ops need for an item; return also whether its result is a new one."""
        weaver, frame = self.weaver, self.frame.inner()
        places, is_new = list(group.indices), None
        if self.side > 1:
            first = weaver.compute(arith.MuliOp, places[-1], weaver.index(self.side))
            place = weaver.compute(arith.AddiOp, first, self._number(item))
            last = weaver.compute(arith.SubiOp, self.extents[-1], self.one)
            places[-1] = weaver.compute(arith.MinSIOp, place, last)
            is_new = weaver.compare("sle", place, last)
        frame.scalars.update(zip(self.indices, places, strict=True))
        self._recall(targets, frame, item)
        self.level.prepare(targets, self.scheduler, frame)
        return frame, is_new

    def _recall(self, targets: Sequence[Operation], frame: Frame, item: SSAValue) -> None:
        """Take the results that some ops need from the memory of the group, from lane 0."""
        weaver, needed = self.weaver, self.level.needed(targets)
        for op, table in self.tables.items():
            if any(result in needed for result in op.results):
                mask = self.side - 1 if self.across else -self.lanes
                first = weaver.compute(arith.AndIOp, item, weaver.index(mask))
                values = table.load(frame, first, self.zero)
                for result, value in zip(op.results, values, strict=True):
                    frame.bind(result, value)

    def _accumulate(self, wave: Sequence[ReduceOp], group: WorkGroup, item: SSAValue) -> None:
        frame, _ = self._enter(wave, group, item)
        lane = self._lane(item)
        for op in wave:
            values = LaneReduction(self.scheduler, op, frame, lane).build()
            self.tables[op].store(item, self.zero, values)

    def _halve(self, wave: Sequence[ReduceOp], group: WorkGroup) -> None:
        """Combine lane l with lane l + L/2, then l + L/4 ..., until one is left."""
        weaver, zero, one = self.weaver, self.zero, self.one
        # Lanes are that far apart in the row of items.
        farthest = self.lanes // 2 * (self.side if self.across else 1)

        def step(number: SSAValue, _: Values) -> Values:
            distance = weaver.compute(arith.ShRUIOp, weaver.index(farthest), number)

            def lower(item: SSAValue) -> None:
                lower_half = item if self.across else self._lane(item)
                is_lower = weaver.compare("slt", lower_half, distance)
                weaver.branch(is_lower, lambda: accumulate(item))

            def accumulate(item: SSAValue) -> Values:
                other = weaver.compute(arith.AddiOp, item, distance)
                for op in wave:
                    table = self.tables[op]
                    table.combine(self.frame, item, zero, table.load(self.frame, other, zero))
                return ()

            group.items(lower)
            group.barrier()
            return ()

        steps = weaver.index(self.lanes.bit_length() - 1)
        weaver.loop((zero, steps, one), (), step)

    def _finish(self, group: WorkGroup, item: SSAValue) -> None:
        """Do what has effects, once for each result."""
        weaver = self.weaver
        lane = self._lane(item)

        def first() -> Values:
            frame, is_new = self._enter(self.level.effects, group, item)

            def effects() -> Values:
                self.level.finish(self.scheduler, frame)
                return ()

            return effects() if is_new is None else weaver.branch(is_new, effects)

        weaver.branch(weaver.compare("eq", lane, self.zero), first)


class LaneReduction:
    """One lane of a reduction, computed by one item."""

    def __init__(self, scheduler: Scheduler, op: ReduceOp, frame: Frame, lane: SSAValue) -> None:
        """Prepare to accumulate the elements whose number is `lane` modulo the lanes."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.frame, self.lane = frame, lane
        weaver = self.weaver
        self.extents = [weaver.scalar(extent, frame) for extent in op.extents]
        self.count = self.extents[0]
        for extent in self.extents[1:]:
            self.count = weaver.compute(arith.MuliOp, self.count, extent)

    def build(self) -> Values:
        """Accumulate block after block; return the lane's values."""
        weaver, op, frame = self.weaver, self.op, self.frame
        zero = weaver.index(0)
        start = start_values(self.scheduler, op, frame, 1)
        if not op.elements_per_block:
            return self._run(zero, self.count, start)
        length = weaver.index(op.elements_per_block)

        def block(first: SSAValue, totals: Values) -> Values:
            stop = weaver.compute(arith.AddiOp, first, length)
            stop = weaver.compute(arith.MinSIOp, stop, self.count)
            return combine(self.scheduler, op, frame, totals, self._run(first, stop, start))

        return weaver.loop((zero, self.count, length), start, block)

    def _run(self, first: SSAValue, stop: SSAValue, start: Values) -> Values:
        """Accumulate the lane's elements of a range that begins with lane 0."""
        weaver, op = self.weaver, self.op

        def element(number: SSAValue, carried: Values) -> Values:
            inner = self.frame.inner()
            self._place(number, inner)
            values = body_values(self.scheduler, op, inner)
            return combine(self.scheduler, op, inner, carried, values)

        begin = weaver.compute(arith.AddiOp, first, self.lane)
        return weaver.loop((begin, stop, weaver.index(op.lane_count)), start, element)

    def _place(self, number: SSAValue, frame: Frame) -> None:
        """Find the indices of an element by its row-major number."""
        weaver, indices = self.weaver, list(self.op.indices)
        for index, extent in reversed(list(zip(indices[1:], self.extents[1:], strict=True))):
            outer = weaver.compute(arith.DivUIOp, number, extent)
            whole = weaver.compute(arith.MuliOp, outer, extent)
            frame.scalars[index] = weaver.compute(arith.SubiOp, number, whole)
            number = outer
        frame.scalars[indices[0]] = number
