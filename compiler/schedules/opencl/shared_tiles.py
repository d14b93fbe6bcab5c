"""How does a shared-memory tiled matmul run, or what else reads operands several times?

A group computes a tile of results. The operands of each are reduced serially along one index, k; a
piece of the operands, a few k long, is copied into memory of the group, with neighbouring items on
neighbouring elements, and every item accumulates it in the results that it keeps. Each result is
reduced in its order, as without tiles.

Where an operand belongs to rows and another one to columns, an item has 4x4 results, and what is
copied is read 64 times. Else it is one result for each item, and the copy is made for the order in
which memory is read: the serial reduction of rows, as in argmax, or a matrix times a vector.

What lies over the edge is computed from the last row, column or k, and thrown away.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from xdsl.dialects import arith
from xdsl.ir import BlockArgument, SSAValue

from ....dialects.kernel.function import READ, FuncOp
from ....dialects.kernel.memory import LoadOp, StoreOp
from ....dialects.kernel.structured import ParallelOp, ReduceOp
from ....dialects.kernel.types import buffer_type_of
from ....dialects.records import record
from ..lanes import Frame
from ..reductions.accumulators import Accumulators, combine, start_values
from ..reductions.levels import Level, is_level_of_reductions
from ..scheduler import Scheduler, Values
from .work_groups import WorkGroup, build_groups, bytes_of, high_part, low_part, tile_counts

#: Elements of k in a piece; fewer where elements have 16 bytes.
DEPTH = 16
#: Memory of a group for the pieces: two groups of a matrix product in 48 KB.
PIECES_BYTES = 24576


@record
class TileShape:
    """Items along each dimension of a tile, the last ones, and results of an item along each."""

    items: tuple[int, ...]
    results: tuple[int, ...]

    @property
    def sides(self) -> tuple[int, ...]:
        """The results of a group."""
        return tuple(a * b for a, b in zip(self.items, self.results, strict=True))

    @property
    def size(self) -> int:
        """How many items a group has."""
        count = 1
        for number in self.items:
            count *= number
        return count


SQUARE = TileShape((16, 16), (4, 4))
ROWS = TileShape((128,), (1,))


@record
class TilePlan:
    """The shape of a tile, and along which of its dimensions each copied operand lies."""

    shape: TileShape
    staged: dict[LoadOp, int]
    depth: int


def plan_tiles(op: ParallelOp) -> TilePlan | None:
    """Return how a nest is computed in tiles, None if nothing is gained."""
    ops = list(op.block.ops)[:-1]
    reductions = [inner for inner in ops if isinstance(inner, ReduceOp)]
    if len(reductions) != 1 or not is_level_of_reductions(ops):
        return None
    (reduction,) = reductions
    if not reduction.is_serial or len(reduction.indices) > 1:
        return None
    if reduction.extents[0].owner in ops or any(inner.regions for inner in reduction.block.ops):
        return None
    loads = _copyable(op, reduction)
    rows = [load for load in loads if _lies_along(load, -3) and not _lies_along(load, -2)]
    columns = [load for load in loads if _lies_along(load, -2) and not _lies_along(load, -3)]
    if rows and columns and len(op.indices) > 1:
        return _fitting(SQUARE, {**dict.fromkeys(rows, 0), **dict.fromkeys(columns, 1)})
    across = [load for load in loads if buffer_type_of(load.buffer).strides[-2] not in (0, 1)]
    across = [load for load in across if buffer_type_of(load.buffer).strides[-1] == 1]
    return _fitting(ROWS, dict.fromkeys(across, 0)) if across else None


def _copyable(op: ParallelOp, reduction: ReduceOp) -> list[LoadOp]:
    """Return a reduction's loads at its plain indices, of memory that the kernel leaves alone."""
    function = op.parent_op()
    if not isinstance(function, FuncOp):
        return []
    written = [inner.buffer for inner in op.walk() if isinstance(inner, StoreOp)]
    if not all(isinstance(each, BlockArgument) and function.is_noalias(each) for each in written):
        return []
    plain = [*op.indices, *reduction.indices]
    return [
        load
        for load in reduction.block.ops
        if isinstance(load, LoadOp)
        and list(load.indices) == plain
        and isinstance(load.buffer, BlockArgument)
        and function.access_of(load.buffer) == READ
    ]


def _lies_along(load: LoadOp, dimension: int) -> bool:
    strides = buffer_type_of(load.buffer).strides
    return len(strides) >= -dimension and strides[dimension] != 0


def _fitting(shape: TileShape, staged: dict[LoadOp, int]) -> TilePlan | None:
    """Return a plan whose copies fit the memory of a group."""
    for depth in (DEPTH, DEPTH // 2):
        nbytes = 0
        for load, dimension in staged.items():
            element = buffer_type_of(load.buffer).element
            nbytes += shape.sides[dimension] * (depth + 1) * bytes_of(element)
        if nbytes <= PIECES_BYTES:
            return TilePlan(shape, staged, depth)
    return None


class GroupTiles:
    """A nest of serial reductions, computed tile by tile."""

    def __init__(
        self, scheduler: Scheduler, op: ParallelOp, plan: TilePlan, extents: Values, frame: Frame
    ) -> None:
        """Prepare to build the groups of a nest."""
        self.scheduler, self.weaver, self.op = scheduler, scheduler.weaver, op
        self.plan, self.shape, self.frame, self.extents = plan, plan.shape, frame, extents
        self.level = Level(list(op.block.ops)[:-1])
        (self.reduction,) = self.level.reductions
        weaver = self.weaver
        self.zero, self.one = weaver.index(0), weaver.index(1)
        self.depth = weaver.index(plan.depth)
        (extent,) = self.reduction.extents
        self.count = weaver.scalar(extent, frame)
        #: Whether an element depends on more than what is copied, and k.
        self.needs_indices = self._uses_level()
        #: The results of an item, by their numbers along each dimension of the tile.
        self.results = list(product(*(range(count) for count in self.shape.results)))

    def _uses_level(self) -> bool:
        """Whether the reduction uses a value of its level elsewhere than in copied loads."""
        used = {
            operand
            for inner in self.reduction.walk()
            if inner not in self.plan.staged
            for operand in inner.operands
        }
        made = {result for other in self.level.others for result in other.results}
        return not used.isdisjoint([*self.op.indices, *made])

    def build(self) -> None:
        """Build everything."""
        sides = [1] * (len(self.extents) - len(self.shape.sides)) + list(self.shape.sides)
        counts = tile_counts(self.weaver, self.extents, sides)
        build_groups(self.weaver, counts, self.shape.size, self._group)

    def _group(self, group: WorkGroup) -> None:
        weaver, shape, depth = self.weaver, self.shape, self.plan.depth
        rank = len(shape.sides)
        self.firsts = [
            weaver.compute(arith.MuliOp, index, weaver.index(side))
            for index, side in zip(group.indices[-rank:], shape.sides, strict=True)
        ]
        self.outer = list(group.indices[:-rank])
        self.tables = {
            load: group.shared(
                buffer_type_of(load.buffer).element, shape.sides[dimension], depth, depth + 1
            )
            for load, dimension in self.plan.staged.items()
        }
        self.totals = Accumulators(self.scheduler, self.reduction, len(self.results), 1)
        group.items(self._clear)

        def piece(first: SSAValue, _: Values) -> Values:
            group.items(lambda item: self._copy(first, item))
            group.barrier()
            left = weaver.compute(arith.SubiOp, self.count, first)
            stop = weaver.compute(arith.MinSIOp, left, self.depth)
            group.items(lambda item: self._accumulate(first, stop, item))
            group.barrier()
            return ()

        weaver.loop((self.zero, self.count, self.depth), (), piece)
        group.items(self._finish)

    def _clear(self, item: SSAValue) -> None:
        """Start every result."""
        frame = self.frame.inner()
        if self.reduction.inits:
            self._enter(frame, [each[0] for each in self._positions(item)])
            self.level.prepare([self.reduction], self.scheduler, frame)
        values = start_values(self.scheduler, self.reduction, frame, 1)
        for number in range(len(self.results)):
            self.totals.store(self.weaver.index(number), self.zero, values)

    # Copies

    def _copy(self, first: SSAValue, item: SSAValue) -> None:
        """Copy a piece of every operand that is shared."""
        for load, table in self.tables.items():
            self._copy_one(load, table, first, item)

    def _copy_one(self, load: LoadOp, table: SSAValue, first: SSAValue, item: SSAValue) -> None:
        weaver, depth = self.weaver, self.plan.depth
        dimension = self.plan.staged[load]
        side = self.shape.sides[dimension]
        is_along = buffer_type_of(load.buffer).strides[-1] == 1
        total = len(self.op.indices) - len(self.shape.sides) + dimension

        def copy(start: SSAValue, _: Values) -> Values:
            number = weaver.compute(arith.AddiOp, start, item)
            # Neighbours copy neighbours in memory.
            parts = (high_part, low_part) if is_along else (low_part, high_part)
            row, step = [part(weaver, number, depth if is_along else side) for part in parts]
            places = self._edge_places()
            places[total] = self._clamped(self.firsts[dimension], row, self.extents[total])
            k = self._clamped(first, step, self.count)
            buffer = weaver.scalar(load.buffer, self.frame)
            value = weaver.add(LoadOp.make(buffer, (*places, k)))
            weaver.block.add_op(StoreOp.make(value, table, (row, step)))
            return ()

        bounds = (self.zero, weaver.index(side * depth), weaver.index(self.shape.size))
        weaver.loop(bounds, (), copy)

    def _edge_places(self) -> list[SSAValue]:
        """Return an index for each outer dimension; those of the tile do not matter."""
        return [*self.outer, *self.firsts]

    def _clamped(self, first: SSAValue, offset: SSAValue, extent: SSAValue) -> SSAValue:
        """Return `first + offset`, or the last index if that lies over the edge."""
        weaver = self.weaver
        place = weaver.compute(arith.AddiOp, first, offset)
        last = weaver.compute(arith.SubiOp, extent, self.one)
        return weaver.compute(arith.MinSIOp, place, last)

    # Results

    def _positions(self, item: SSAValue) -> list[list[SSAValue]]:
        """Return where the results of an item lie in the tile, along each of its dimensions."""
        weaver, shape = self.weaver, self.shape
        positions: list[list[SSAValue]] = []
        for number, (items, count) in reversed(
            list(enumerate(zip(shape.items, shape.results, strict=True)))
        ):
            low = low_part(weaver, item, items) if number else item
            item = high_part(weaver, item, items) if number else item
            steps = [weaver.index(result * items) for result in range(1, count)]
            rest = [weaver.compute(arith.AddiOp, low, step) for step in steps]
            positions.insert(0, [low, *rest])
        return positions

    def _enter(self, frame: Frame, positions: Sequence[SSAValue]) -> None:
        """Set the indices of a result."""
        rank = len(positions)
        places = [
            self._clamped(*each)
            for each in zip(self.firsts, positions, self.extents[-rank:], strict=True)
        ]
        frame.scalars.update(zip(self.op.indices, [*self.outer, *places], strict=True))

    def _accumulate(self, first: SSAValue, stop: SSAValue, item: SSAValue) -> None:
        """Accumulate a piece in the results of an item."""
        weaver, positions = self.weaver, self._positions(item)
        frames: list[Frame] = []
        carried: list[SSAValue] = []
        for number, result in enumerate(self.results):
            frame = self.frame.inner()
            if self.needs_indices:
                self._enter(frame, [each[at] for each, at in zip(positions, result, strict=True)])
                self.level.prepare([self.reduction], self.scheduler, frame)
            frames.append(frame)
            carried += self.totals.load(frame, weaver.index(number), self.zero)
        width = len(self.reduction.results)

        def step(offset: SSAValue, values: Values) -> Values:
            k = weaver.compute(arith.AddiOp, first, offset)
            shared = self._shared(positions, offset)
            combined: list[SSAValue] = []
            for number, result in enumerate(self.results):
                inner = frames[number].inner()
                inner.scalars[self.reduction.indices[0]] = k
                for load, dimension in self.plan.staged.items():
                    inner.scalars[load.results[0]] = shared[load][result[dimension]]
                old = values[number * width : (number + 1) * width]
                combined += combine(
                    self.scheduler, self.reduction, inner, old, self._element(inner)
                )
            return combined

        final = weaver.loop((self.zero, stop, self.one), carried, step)
        for number in range(len(self.results)):
            values = final[number * width : (number + 1) * width]
            self.totals.store(weaver.index(number), self.zero, values)

    def _shared(
        self, positions: Sequence[Sequence[SSAValue]], offset: SSAValue
    ) -> dict[LoadOp, list[SSAValue]]:
        """Read what an item needs of the copies for one k."""
        return {
            load: [
                self.weaver.add(LoadOp.make(self.tables[load], (row, offset)))
                for row in positions[dimension]
            ]
            for load, dimension in self.plan.staged.items()
        }

    def _element(self, frame: Frame) -> Values:
        """Compute what the reduction's body yields, without the loads that are copied."""
        *ops, last = self.reduction.block.ops
        for op in ops:
            if op not in self.plan.staged:
                self.scheduler.translate(op, frame)
        return [self.weaver.scalar(value, frame) for value in last.operands]

    def _finish(self, item: SSAValue) -> None:
        """Do what has effects for each result that lies inside."""
        weaver, positions = self.weaver, self._positions(item)
        extents = self.extents[-len(positions) :]
        for number, result in enumerate(self.results):
            places = [
                weaver.compute(arith.AddiOp, first, each[at])
                for first, each, at in zip(self.firsts, positions, result, strict=True)
            ]
            inside = [weaver.compare("slt", *each) for each in zip(places, extents, strict=True)]
            is_inside = inside[0]
            for other in inside[1:]:
                is_inside = weaver.compute(arith.AndIOp, is_inside, other)
            weaver.branch(is_inside, lambda at=number, places=places: self._effects(at, places))

    def _effects(self, number: int, places: Values) -> Values:
        """Do what has effects for one result."""
        frame = self.frame.inner()
        frame.scalars.update(zip(self.op.indices, [*self.outer, *places], strict=True))
        values = self.totals.load(frame, self.weaver.index(number), self.zero)
        for old, new in zip(self.reduction.results, values, strict=True):
            frame.bind(old, new)
        self.level.prepare(self.level.effects, self.scheduler, frame)
        self.level.finish(self.scheduler, frame)
        return ()
