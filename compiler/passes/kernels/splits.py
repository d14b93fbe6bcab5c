"""How does a reduction become two kernels, one of lane values and one of what they come to?"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from ....dialects.attributes import dtype as dtypes
from ....dialects.attributes.dtype import DType
from ....dialects.attributes.spec import TensorSpec
from ....dialects.kernel.abi import INDEX, KernelSignature
from ....dialects.kernel.function import READ, WRITE
from ....dialects.kernel.function import FuncOp as KernelOp
from ....dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ....dialects.kernel.reductions import CUSTOM, FMA
from ....dialects.kernel.scheduled import AS_LANES
from ....dialects.kernel.structured import ParallelOp, ReduceOp, YieldOp
from ....dialects.kernel.types import BufferType, f32, f64, i1, i8, i16, i32, i64, type_of_index
from ....dialects.tri.ops import tensor_spec
from ....dialects.tri.structure import EmptyOp, LaunchOp
from ...schedules.lanes import Frame
from ...schedules.reductions.lane_nests import reduction_of_lane
from ...schedules.scalar import ScalarScheduler

#: With this many results there is work for all cores without a split.
FEW_RESULTS = 64

#: Reductions without an order: they may be cut anywhere, here in blocks of this length.
_UNORDERED = frozenset({"maximum", "minimum", "and", "or", "xor"})
BLOCK = 16384

#: A dtype of each type that is reduced; i1 is kept as bytes.
SCRATCH: dict[Attribute, DType] = {
    f32: dtypes.float32,
    f64: dtypes.float64,
    i1: dtypes.bool_,
    i8: dtypes.uint8,
    i16: dtypes.int16,
    i32: dtypes.int32,
    i64: dtypes.int64,
}


def level_of(kernel: KernelOp) -> tuple[Block, ParallelOp | None]:
    """Return the block whose reductions may be split: that of the one outermost nest, or all."""
    nests = [op for op in kernel.block.ops if op.regions]
    if len(nests) == 1 and isinstance(nests[0], ParallelOp):
        return nests[0].block, nests[0]
    return kernel.block, None


def is_size(value: SSAValue, kernel: KernelOp) -> bool:
    """Whether a value is an argument of a kernel."""
    return isinstance(value, BlockArgument) and value.owner is kernel.block


def block_length(op: ReduceOp) -> int:
    """Return the length of the blocks that a reduction may be cut into, 0 if it may not be."""
    if len(op.indices) > 1 or op.lane_count == 1:
        return 0
    kind = op.kind.data
    exact = kind != CUSTOM and isinstance(op.result_types[0], IntegerType)
    return op.elements_per_block or (BLOCK if exact or kind in _UNORDERED else 0)


class Split:
    """A kernel with a reduction in blocks, and the two kernels that are made of it."""

    #: What their names end with.
    words = ("parts", "total")

    def __init__(self, kernel: KernelOp, reduce: ReduceOp) -> None:
        """Remember what is split."""
        self.kernel, self.reduce = kernel, reduce
        self.block = block_length(reduce)
        self.signature = KernelSignature.of(kernel)
        self.level, self.nest = level_of(kernel)
        self.outer = [] if self.nest is None else list(self.nest.operands)
        #: The types of what lies in memory between the two kernels.
        self.between: list[Attribute] = list(reduce.result_types)
        self.kept: list[list[int]] = []
        self.made: list[KernelOp] = []

    def _size(self, extent: SSAValue, launch: LaunchOp) -> int:
        """Return the size that a launch gives to an extent."""
        assert isinstance(extent, BlockArgument)
        for slot, number in zip(self.signature.integers, launch.flat_integers, strict=True):
            if slot.kind == INDEX and slot.argument == extent.index:
                return number
        raise KeyError(extent.index)

    def is_worth_it(self, launch: LaunchOp, blocks: int) -> bool:
        """Whether there are few results of more than so many blocks."""
        count = self._size(self.reduce.extents[0], launch)
        results = prod(self._size(extent, launch) for extent in self.outer)
        return count > self.block * blocks and 0 < results < FEW_RESULTS

    def make(self) -> list[KernelOp]:
        """Build both kernels."""
        parts, total = self._parts(), self._total()
        first, second = self.words
        self.made = [self._finished(parts, first, WRITE), self._finished(total, second, READ)]
        return self.made

    def _scratch_types(self) -> list[BufferType]:
        strides = (*[None] * len(self.outer), 1)
        return [BufferType.get(type_, strides) for type_ in self.between]

    def _parts(self) -> Block:
        """Build the kernel of lane values: a point for each lane of each block of each result."""
        scheduler = ScalarScheduler(self.kernel)
        weaver, frame, block = scheduler.weaver, Frame(), scheduler.block
        frame.scalars.update(zip(self.kernel.block.args, block.args, strict=True))
        blocks, lanes, begin = [block.insert_arg(type_of_index, len(block.args)) for _ in range(3)]
        scratch = [block.insert_arg(type_, len(block.args)) for type_ in self._scratch_types()]
        needed = needed_for(self.reduce)
        if self.nest is not None:
            for op in ops_before(self.kernel.block, self.nest):
                scheduler.translate(op, frame)
        inner = Block(arg_types=[type_of_index] * (2 + len(self.outer)))
        weaver.block = inner
        number, *outer, lane = inner.args
        if self.nest is not None:
            frame.scalars.update(zip(self.nest.indices, outer, strict=True))
        for op in ops_before(self.level, self.reduce):
            if op in needed:
                scheduler.translate(op, frame)
        first = weaver.compute(arith.MuliOp, number, weaver.index(self.block))
        stop = weaver.compute(arith.AddiOp, first, weaver.index(self.block))
        extent = weaver.scalar(self.reduce.extents[0], frame)
        stop = weaver.compute(arith.MinSIOp, stop, extent)
        count = weaver.index(self.reduce.lane_count)
        row = weaver.compute(arith.MuliOp, number, count)
        reduction = reduction_of_lane(scheduler, self.reduce, frame, (first, stop, lane))
        _number_from(reduction, begin)
        place = weaver.compute(arith.AddiOp, row, lane)
        for value, buffer in zip(reduction.results, scratch, strict=True):
            inner.add_op(StoreOp.make(value, buffer, (*outer, place)))
        inner.add_op(YieldOp.make())
        extents = [blocks, *(weaver.scalar(extent, frame) for extent in self.outer), lanes]
        nest = ParallelOp.make(extents, inner)
        nest.attributes[AS_LANES] = IntegerAttr(self.reduce.lane_count, i64)
        block.add_op(nest)
        return scheduler.finished()

    def _total(self) -> Block:
        """Build the kernel that combines lane values: the original one with another reduction."""
        copy = self.kernel.clone()
        block = copy.block
        length = block.insert_arg(type_of_index, len(block.args))
        scratch = [block.insert_arg(type_, len(block.args)) for type_ in self._scratch_types()]
        level, nest = level_of(copy)
        reduce = list(level.ops)[list(self.level.ops).index(self.reduce)]
        assert isinstance(reduce, ReduceOp)
        body = Block(arg_types=[type_of_index])
        places = [*(() if nest is None else nest.indices), *body.args]
        loads = [LoadOp.make(buffer, places) for buffer in scratch]
        body.add_ops([*loads, YieldOp.make([load.results[0] for load in loads])])
        combiner = None
        if reduce.kind.data == CUSTOM:
            combiner = reduce.combiner[0].detach_block(0)
        kind = reduce.kind.data
        new = ReduceOp.make(
            "add" if kind == FMA else kind,
            [length],
            list(reduce.result_types),
            body,
            lanes=reduce.lane_count,
            unsigned=reduce.is_unsigned,
            inits=list(reduce.inits),
            combiner=combiner,
            neutral=combiner is not None and reduce.is_neutral,
        )
        new.location = reduce.location
        level.insert_op_before(new, reduce)
        for old, result in zip(reduce.results, new.results, strict=True):
            old.replace_all_uses_with(result)
        reduce.detach()
        reduce.erase()
        drop_unused(level)
        return taken_out(copy)

    def _finished(self, block: Block, word: str, access: str) -> KernelOp:
        """Make a kernel of a block, without the arguments that it does not use."""
        if block.parent is not None:
            block.parent.detach_block(block)
        known = len(self.kernel.block.args)
        kept = [argument.index for argument in block.args if argument.uses]
        self.kept.append(kept)
        for argument in reversed(list(block.args)):
            if not argument.uses:
                block.erase_arg(argument)
        old = self.kernel.block.args
        is_buffer = [isinstance(argument.type, BufferType) for argument in block.args]
        how = [
            None
            if not buffer
            else access
            if number >= known
            else self.kernel.access_of(old[number])
            for number, buffer in zip(kept, is_buffer, strict=True)
        ]
        alone = [
            buffer and (number >= known or self.kernel.is_noalias(old[number]))
            for number, buffer in zip(kept, is_buffer, strict=True)
        ]
        name = f"{self.kernel.symbol}_{word}"
        return KernelOp.make(name, block, access=how, noalias=alone)

    def launch(self, launch: LaunchOp) -> list[LaunchOp]:
        """Replace a launch by two; return the second, which may be split again."""
        lanes, block = self.reduce.lane_count, self.block
        blocks = -(-self._size(self.reduce.extents[0], launch) // block)
        return self._launches(launch, (blocks * lanes,), ((blocks, lanes, 0), (blocks * lanes,)))[
            1:
        ]

    def _launches(
        self,
        launch: LaunchOp,
        places: tuple[int, ...],
        sizes_of: tuple[Sequence[int], Sequence[int]],
    ) -> list[LaunchOp]:
        """Replace a launch by two, with values in `places` of each result between them."""
        shape = (*(self._size(extent, launch) for extent in self.outer), *places)
        device = tensor_spec(launch.operands[0]).device
        function = launch.parent
        assert function is not None
        scratch: list[SSAValue] = []
        for type_ in self.between:
            empty = EmptyOp.make(TensorSpec.of(shape, SCRATCH[type_], device))
            function.insert_op_before(empty, launch)
            scratch.append(empty.results[0])
        made: list[LaunchOp] = []
        for number, sizes in enumerate(sizes_of):
            new = self._launch(launch, number, sizes, shape, scratch)
            function.insert_op_before(new, launch)
            made.append(new)
        launch.detach()
        launch.erase()
        return made

    def _launch(
        self,
        launch: LaunchOp,
        number: int,
        sizes: Sequence[int],
        shape: Sequence[int],
        scratch: Sequence[SSAValue],
    ) -> LaunchOp:
        """Return the launch of one of the kernels."""
        known, kept = len(self.kernel.block.args), self.kept[number]
        flat: dict[int, list[int]] = {index: [] for index in range(known)}
        for slot, value in zip(self.signature.integers, launch.flat_integers, strict=True):
            flat[slot.argument].append(value)
        flat.update((known + place, [size]) for place, size in enumerate(sizes))
        known += len(sizes)
        known_strides = self._scratch_types()[0].strides
        strides = [
            prod(shape[dim + 1 :])
            for dim, known_one in enumerate(known_strides)
            if known_one is None
        ]
        for place in range(len(scratch)):
            flat[known + place] = [0, *strides]
        # Operands stand for arguments that are no index, in their order.
        arguments = self.kernel.block.args
        others = [item.index for item in arguments if item.type != type_of_index]
        values = dict(zip(others, launch.operands, strict=True))
        values.update((known + place, value) for place, value in enumerate(scratch))
        operands = [values[index] for index in kept if index in values]
        integers = [value for index in kept for value in flat[index]]
        symbol = self.made[number].symbol
        return LaunchOp.make(symbol, operands, integers, launch.lines, launch.location)


def taken_out(kernel: KernelOp) -> Block:
    """Return the block of a kernel that is not needed otherwise."""
    block = kernel.block
    kernel.detach_region(0)
    kernel.erase()
    return block


def ops_before(block: Block, last: Operation) -> list[Operation]:
    """Return the ops of a block in front of one."""
    ops = list(block.ops)
    return ops[: ops.index(last)]


def needed_for(reduce: ReduceOp) -> set[Operation]:
    """Return the ops at the level of a reduction that it is computed from."""
    needed: set[Operation] = set()
    pending: list[Operation] = [reduce]
    while pending:
        for op in pending.pop().walk():
            for operand in op.operands:
                owner = operand.owner
                if isinstance(owner, Operation) and owner.parent is reduce.parent:
                    if owner not in needed:
                        needed.add(owner)
                        pending.append(owner)
    return needed


def _number_from(reduction: ReduceOp, begin: SSAValue) -> None:
    """Let what computes with the number of an element count from an argument on.

    A part of a launch has blocks of its own, whose first element has another number.
    """
    place = list(reduction.block.ops)[1]
    users = [use.operation for use in place.results[0].uses]
    casts = [user for user in users if isinstance(user, arith.IndexCastOp)]
    if casts:
        number = arith.AddiOp(place.results[0], begin, type_of_index)
        reduction.block.insert_op_after(number, place)
        for cast in casts:
            cast.operands[0] = number.results[0]


def drop_unused(block: Block) -> None:
    """Drop what only the reduction used."""
    for op in reversed(list(block.ops)):
        is_dropped = isinstance(op, StoreOp | CheckOp | YieldOp) or not op.results
        if not is_dropped and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
