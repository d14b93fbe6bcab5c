"""`kernel-split-reductions`: long reductions to few results run on several cores.

Before, for 100000 elements:

    tri.launch @sum_0(%x, %1) [100000, 0, 0] : ...

    kernel.func @sum_0(%n: index, %x: !kernel.buffer<f32, [1]>, %y: !kernel.buffer<f32, []>) {
      %s = kernel.reduce add (%i) to (%n) {lanes = 32, block = 16384} : f32 { ... }
      kernel.store %s, %y[]
    }

After:

    %2 = tri.empty : !tri.tensor<224xf32>
    tri.launch @sum_0_parts(%x, %2) [100000, 0, 7, 0] : ...
    tri.launch @sum_0_total(%1, %2) [0, 224, 0] : ...

    kernel.func @sum_0_parts(...) {
      kernel.parallel (%b) to (%blocks) { the 32 lane values of block %b, into the scratch }
    }
    kernel.func @sum_0_total(...) {
      %s = kernel.reduce add (%i) to (%m) {lanes = 32, block = 0} : f32 { ... of the scratch }
      kernel.store %s, %y[]
    }

The order of the reduction stays what it is: lane totals combine the lane values of the blocks in
their order, which is what the second kernel does. What the reduction reads at its level is computed
in both kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes import dtype as dtypes
from ....dialects.attributes.dtype import DType
from ....dialects.attributes.spec import TensorSpec
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.abi import INDEX, KernelSignature
from ....dialects.kernel.function import READ, WRITE
from ....dialects.kernel.function import FuncOp as KernelOp
from ....dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ....dialects.kernel.reductions import CUSTOM, FMA
from ....dialects.kernel.scheduled import AS_LANES
from ....dialects.kernel.structured import ParallelOp, ReduceOp, YieldOp
from ....dialects.kernel.types import BufferType, f32, f64, i1, i8, i16, i32, i64, type_of_index
from ....dialects.making import all_operations
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
_SCRATCH: dict[Attribute, DType] = {
    f32: dtypes.float32,
    f64: dtypes.float64,
    i1: dtypes.bool_,
    i8: dtypes.uint8,
    i16: dtypes.int16,
    i32: dtypes.int32,
    i64: dtypes.int64,
}


@dataclass(frozen=True)
class SplitReductionsPass(ModulePass):
    """Split launches of long reductions in two."""

    name = "kernel-split-reductions"
    blocks: int = 1
    """What is split has more than so many blocks."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Split every launch that has a long reduction, and drop kernels that nothing launches."""
        kernels = {kernel.symbol: kernel for kernel in op.ops if isinstance(kernel, KernelOp)}
        splits: dict[str, Split | None] = {}
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                for launch in [item for item in func.body.block.ops if isinstance(item, LaunchOp)]:
                    _split_launch(op, launch, kernels, splits, self.blocks)
        used = {item.symbol for item in all_operations(op) if type(item) is LaunchOp}
        for kernel in [item for item in op.ops if isinstance(item, KernelOp)]:
            if kernel.symbol not in used:
                kernel.detach()
                kernel.erase()


def _split_launch(
    module: ModuleOp,
    launch: LaunchOp,
    kernels: dict[str, KernelOp],
    splits: dict[str, Split | None],
    blocks: int,
) -> None:
    """Split a launch as long as there is something to split."""
    pending = [launch]
    while pending:
        launch = pending.pop()
        symbol = launch.symbol
        if symbol not in splits:
            if symbol not in kernels:
                message = f"kernel-split-reductions: the module has no kernel @{symbol}"
                raise UnsuitableIr(message, launch)
            splits[symbol] = Split.of(kernels[symbol])
        split = splits[symbol]
        if split is None or not split.is_worth_it(launch, blocks):
            continue
        if not split.made:
            for kernel in split.make():
                kernels[kernel.symbol] = kernel
                module.body.block.add_op(kernel)
        pending += split.launch(launch)


def _level_of(kernel: KernelOp) -> tuple[Block, ParallelOp | None]:
    """Return the block whose reductions may be split: that of the one outermost nest, or all."""
    nests = [op for op in kernel.block.ops if op.regions]
    if len(nests) == 1 and isinstance(nests[0], ParallelOp):
        return nests[0].block, nests[0]
    return kernel.block, None


def _is_size(value: SSAValue, kernel: KernelOp) -> bool:
    return isinstance(value, BlockArgument) and value.owner is kernel.block


def _block_length(op: ReduceOp) -> int:
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
        self.block = _block_length(reduce)
        self.signature = KernelSignature.of(kernel)
        self.level, self.nest = _level_of(kernel)
        self.outer = [] if self.nest is None else list(self.nest.operands)
        self.kept: list[list[int]] = []
        self.made: list[KernelOp] = []

    @staticmethod
    def of(kernel: KernelOp) -> Split | None:
        """Return how a kernel is split, None if it cannot be.

        What another reduction is computed from, as a variance is from a mean, is a kernel first.
        """
        level, nest = _level_of(kernel)
        extents = [] if nest is None else list(nest.operands)
        for op in level.ops:
            if not isinstance(op, ReduceOp):
                continue
            if _block_length(op) and not isinstance(op.extents[0].owner, Operation):
                extents.append(op.extents[0])
                is_pure = not any(
                    isinstance(inner, StoreOp | CheckOp)
                    for before in _before(level, op)
                    for inner in before.walk()
                )
                is_stored = all(type_ in _SCRATCH for type_ in op.result_types)
                sized = all(_is_size(extent, kernel) for extent in extents)
                if not (is_pure and is_stored and sized):
                    return None
                return Staged(kernel, op) if _is_read_by_another(level, op) else Split(kernel, op)
        return None

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
        return [BufferType.get(type_, strides) for type_ in self.reduce.result_types]

    def _parts(self) -> Block:
        """Build the kernel of lane values: a point for each lane of each block of each result."""
        scheduler = ScalarScheduler(self.kernel)
        weaver, frame, block = scheduler.weaver, Frame(), scheduler.block
        frame.scalars.update(zip(self.kernel.block.args, block.args, strict=True))
        blocks, lanes, begin = [block.insert_arg(type_of_index, len(block.args)) for _ in range(3)]
        scratch = [block.insert_arg(type_, len(block.args)) for type_ in self._scratch_types()]
        needed = _needed(self.reduce)
        if self.nest is not None:
            for op in _before(self.kernel.block, self.nest):
                scheduler.translate(op, frame)
        inner = Block(arg_types=[type_of_index] * (2 + len(self.outer)))
        weaver.block = inner
        number, *outer, lane = inner.args
        if self.nest is not None:
            frame.scalars.update(zip(self.nest.indices, outer, strict=True))
        for op in _before(self.level, self.reduce):
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
        level, nest = _level_of(copy)
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
        _drop_unused(level)
        return _taken_out(copy)

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
        for type_ in self.reduce.result_types:
            empty = EmptyOp.make(TensorSpec.of(shape, _SCRATCH[type_], device))
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


class Staged(Split):
    """A kernel with a reduction that another is computed from: one for each, which is split then.

    Between them the results lie in memory: so the second is split without the first.
    """

    words = ("first", "rest")

    def _scratch_types(self) -> list[BufferType]:
        strides = (None,) * len(self.outer)
        return [BufferType.get(type_, strides) for type_ in self.reduce.result_types]

    def _copy(self) -> tuple[KernelOp, Block, ReduceOp, list[BlockArgument], list[SSAValue]]:
        """Return a copy with the level, the reduction, the scratch, and where in that."""
        copy = self.kernel.clone()
        block = copy.block
        scratch = [block.insert_arg(type_, len(block.args)) for type_ in self._scratch_types()]
        level, nest = _level_of(copy)
        reduce = list(level.ops)[list(self.level.ops).index(self.reduce)]
        assert isinstance(reduce, ReduceOp)
        places = [] if nest is None else list(nest.indices)
        return copy, level, reduce, scratch, places

    def _parts(self) -> Block:
        """Build the kernel of the first reduction."""
        copy, level, reduce, scratch, places = self._copy()
        ops = list(level.ops)
        after = ops[ops.index(reduce) + 1 :]
        end = after.pop() if isinstance(after[-1], YieldOp) else None
        for op in reversed(after):
            op.detach()
            op.erase()
        for value, buffer in zip(reduce.results, scratch, strict=True):
            store = StoreOp.make(value, buffer, places)
            level.add_op(store) if end is None else level.insert_op_before(store, end)
        _drop_unused(level)
        return _taken_out(copy)

    def _total(self) -> Block:
        """Build the kernel of the rest, which reads what the first one has stored."""
        copy, level, reduce, scratch, places = self._copy()
        for result, buffer in zip(reduce.results, scratch, strict=True):
            load = LoadOp.make(buffer, places)
            level.insert_op_before(load, reduce)
            result.replace_all_uses_with(load.results[0])
        reduce.detach()
        reduce.erase()
        _drop_unused(level)
        return _taken_out(copy)

    def launch(self, launch: LaunchOp) -> list[LaunchOp]:
        """Replace a launch by two, both of which may be split."""
        return self._launches(launch, (), ((), ()))


def _taken_out(kernel: KernelOp) -> Block:
    """Return the block of a kernel that is not needed otherwise."""
    block = kernel.block
    kernel.detach_region(0)
    kernel.erase()
    return block


def _is_read_by_another(level: Block, first: ReduceOp) -> bool:
    """Whether another reduction of a level is computed from one."""
    others = [op for op in level.ops if isinstance(op, ReduceOp) and op is not first]
    return any(first in _needed(other) for other in others)


def _before(block: Block, last: Operation) -> list[Operation]:
    """Return the ops of a block in front of one."""
    ops = list(block.ops)
    return ops[: ops.index(last)]


def _needed(reduce: ReduceOp) -> set[Operation]:
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


def _drop_unused(block: Block) -> None:
    """Drop what only the reduction used."""
    for op in reversed(list(block.ops)):
        is_dropped = isinstance(op, StoreOp | CheckOp | YieldOp) or not op.results
        if not is_dropped and not any(result.uses for result in op.results):
            op.detach()
            op.erase()
