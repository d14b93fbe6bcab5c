"""Which loops, vectors and order of memory does the host's CPU run a kernel with?

One forward walk builds new blocks. What is chosen depends on the width of vectors and the kernel
alone, never on sizes, and never changes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue

from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.function import FuncOp, ReturnOp
from ....dialects.kernel.lanes import MaskOp
from ....dialects.kernel.memory import AllocOp, BarrierOp, LoadOp, StoreOp
from ....dialects.kernel.scheduled import ForOp, IfOp
from ....dialects.kernel.structured import MapOp, ParallelOp, ReduceOp, ScanOp
from ....dialects.kernel.types import BufferType, buffer_type_of, element_of
from ..lanes import Frame, Weaver
from ..reductions import Values, fold_serially
from ..strips import StripNest, can_strip
from .column_reductions import OneColumn, fold_in_memory
from .vector_reductions import fold_in_lanes

#: A body with at most this many ops is short of arithmetic: it runs on vectors of several
#: registers, which hides the latency of its folds and reads longer pieces of strided rows.
LIGHT_BODY = 8
LIGHT_REGISTERS = 4
#: A longer one runs on two registers, which hides the latency of its arithmetic (exp of 1e5
#: elements 33 -> 29 us, tanh 52 -> 44 us; a*b+c is bound by memory), unless code gets too long.
HEAVY_REGISTERS = 2
LONG_BODY = 80


class Scheduler:
    """The walk over one kernel."""

    def __init__(self, function: FuncOp, vector_bits: int) -> None:
        """Prepare to rebuild a kernel."""
        bits = [_bits(type_) for type_ in _payload_types(function)]
        known = [width for width in bits if width]
        #: Lanes of a register for the type that decides.
        self.width = max(1, vector_bits // _deciding_bits(known))
        #: Whether memory holds elements whose masked access is no single instruction.
        self.narrow = min(known, default=32) < 32
        self.block = Block(arg_types=[argument.type for argument in function.block.args])
        self.weaver = Weaver(self.block)

    def body(self, block: Block, frame: Frame) -> Operation:
        """Translate the ops of a block; return its terminator, which the caller understands."""
        op, last = block.first_op, block.last_op
        assert last is not None
        while op is not None and op is not last:
            self.translate(op, frame)
            op = op.next_op
        return last

    def translate(self, op: Operation, frame: Frame) -> None:
        """Translate one op."""
        construct = _CONSTRUCTS.get(type(op))
        try:
            if construct is None:
                self.weaver.payload(op, frame)
            else:
                construct(self, op, frame)
        except UnsuitableIr as error:
            raise error.about(op) from None

    def nest(
        self,
        indices: Sequence[SSAValue],
        extents: Values,
        frame: Frame,
        leaf: Callable[[Frame, Values], Values],
        inits: Values = (),
    ) -> Values:
        """Build scalar loops around a leaf, outermost first, that carry values through."""
        if not indices:
            return leaf(frame, inits)
        weaver = self.weaver

        def inside(index: SSAValue, carried: Values) -> Values:
            inner = frame.inner()
            inner.scalars[indices[0]] = index
            return self.nest(indices[1:], extents[1:], inner, leaf, carried)

        bounds = (weaver.index(0), extents[0], weaver.index(1))
        return weaver.loop(bounds, inits, inside)

    def vectorise(
        self, index: SSAValue, extent: SSAValue, frame: Frame, lanes: int, block: Block
    ) -> None:
        """Build a body for all values of an index, in vectors."""

        def at(inner: Frame, first: SSAValue) -> None:
            if inner.lanes == 1:
                inner.scalars[index] = first
            else:
                inner.bases[index] = first
            self.body(block, inner)

        self.in_lanes(extent, frame, lanes, at)

    def in_lanes(
        self,
        extent: SSAValue,
        frame: Frame,
        lanes: int,
        body: Callable[[Frame, SSAValue], None],
    ) -> None:
        """Build `body(frame, first)` in a loop over whole vectors, and once more under a mask."""
        weaver = self.weaver
        whole = weaver.compute(arith.AndIOp, extent, weaver.index(-lanes))

        def vectors(first: SSAValue, _: Values) -> Values:
            body(frame.inner(lanes), first)
            return ()

        def single(first: SSAValue, _: Values) -> Values:
            body(frame.inner(), first)
            return ()

        def masked(first: SSAValue, _: Values) -> Values:
            rest = weaver.compute(arith.SubiOp, extent, first)
            lanes = self.width
            body(frame.inner(lanes, weaver.add(MaskOp.make(rest, lanes))), first)
            return ()

        weaver.loop((weaver.index(0), whole, weaver.index(lanes)), (), vectors)
        if self.narrow:
            weaver.loop((whole, extent, weaver.index(1)), (), single)
        elif lanes > self.width:
            # One register at a time: the code under masks is long, and runs a few times.
            weaver.loop((whole, extent, weaver.index(self.width)), (), masked)
        else:
            weaver.branch(weaver.compare("slt", whole, extent), lambda: masked(whole, ()))

    def is_light(self, block: Block) -> bool:
        """Whether a body is short of arithmetic."""
        return _length(block) <= LIGHT_BODY

    def lanes_of_map(self, block: Block) -> int:
        """Return the lanes that a map's body runs on."""
        return self.width * (HEAVY_REGISTERS if LIGHT_BODY < _length(block) <= LONG_BODY else 1)

    def lanes_for(self, block: Block) -> int:
        """Return the lanes that a fold's or a nest's body runs on."""
        return self.width * (LIGHT_REGISTERS if self.is_light(block) else HEAVY_REGISTERS)


def _length(block: Block) -> int:
    """Return how many ops a body repeats: all but those that a `Weaver` hoists."""
    inside: set[SSAValue] = set(block.args)
    count = 0
    for op in block.walk():
        if op.regions:
            inside.update(argument for region in op.regions for argument in region.block.args)
        is_repeated = not op.operands or any(operand in inside for operand in op.operands)
        if isinstance(op, arith.ConstantOp) or not is_repeated:
            continue
        count += 1
        inside.update(op.results)
    return count


def _map(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    assert isinstance(op, MapOp)
    weaver, block = scheduler.weaver, op.block
    indices = op.indices
    extents = [weaver.scalar(extent, frame) for extent in op.operands]
    lanes = scheduler.lanes_of_map(block)

    def leaf(inner: Frame, _: Values) -> Values:
        if frame.lanes == 1:
            scheduler.vectorise(indices[-1], extents[-1], inner, lanes, block)
        else:
            scheduler.body(block, inner)
        return ()

    if frame.lanes == 1:
        scheduler.nest(indices[:-1], extents[:-1], frame, leaf)
    else:
        scheduler.nest(indices, extents, frame, leaf)


def _parallel(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    assert isinstance(op, ParallelOp)
    weaver, block = scheduler.weaver, op.block
    indices = list(op.indices)
    extents = [weaver.scalar(extent, frame) for extent in op.operands]
    chosen = best_parallel_index(op) if frame.lanes == 1 else None
    if chosen is None:

        def leaf(inner: Frame, _: Values) -> Values:
            scheduler.body(block, inner)
            return ()

        scheduler.nest(indices, extents, frame, leaf)
        return
    index, extent = indices.pop(chosen), extents.pop(chosen)
    lanes = scheduler.width * HEAVY_REGISTERS

    def vectors(inner: Frame, _: Values) -> Values:
        if can_strip(op):
            StripNest(scheduler, op, index, lanes).build(extent, inner)
        else:
            scheduler.vectorise(index, extent, inner, scheduler.lanes_for(block), block)
        return ()

    scheduler.nest(indices, extents, frame, vectors)


def _reduce(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    assert isinstance(op, ReduceOp)
    if op.lane_count == 1 and not op.elements_per_block:
        values = fold_serially(scheduler, op, frame)
    elif frame.lanes > 1 or op.lane_count == 1:
        zero = scheduler.weaver.index(0)
        table = fold_in_memory(scheduler, op, frame, OneColumn(scheduler, frame))
        values = table.load(frame, zero, zero)
    else:
        values = fold_in_lanes(scheduler, op, frame, scheduler.lanes_for(op.block))
    for result, value in zip(op.results, values, strict=True):
        frame.bind(result, value)


def _scan(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    assert isinstance(op, ScanOp)
    fold_serially(scheduler, op, frame)


def _for(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    """Keep a loop that is scheduled already."""
    assert isinstance(op, ForOp)
    weaver, block = scheduler.weaver, op.block
    start, stop, step, *inits = [weaver.scalar(operand, frame) for operand in op.operands]

    def inside(index: SSAValue, carried: Values) -> Values:
        inner = frame.inner()
        for old, new in zip(block.args, (index, *carried), strict=True):
            inner.scalars[old] = new
        return [weaver.scalar(value, inner) for value in scheduler.body(block, inner).operands]

    results = weaver.loop((start, stop, step), inits, inside)
    frame.scalars.update(zip(op.results, results, strict=True))


def _if(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    """Keep a branch that is scheduled already."""
    assert isinstance(op, IfOp)
    weaver = scheduler.weaver

    def arm(block: Block) -> Callable[[], Values]:
        def build() -> Values:
            inner = frame.inner()
            last = scheduler.body(block, inner)
            return [weaver.scalar(value, inner) for value in last.operands]

        return build

    arms = [arm(region.blocks[0]) for region in op.regions]
    results = weaver.branch(weaver.scalar(op.condition, frame), *arms)
    frame.scalars.update(zip(op.results, results, strict=True))


def _keep(scheduler: Scheduler, op: Operation, frame: Frame) -> None:
    """Copy an op of the scheduled form."""
    if frame.lanes > 1:
        raise UnsuitableIr(f"kernel-schedule: {op.name} inside code that becomes vectors")
    scheduler.weaver.payload(op, frame)


_CONSTRUCTS: dict[type[Operation], Callable[[Scheduler, Operation, Frame], None]] = {
    MapOp: _map,
    ParallelOp: _parallel,
    ReduceOp: _reduce,
    ScanOp: _scan,
    ForOp: _for,
    IfOp: _if,
    AllocOp: _keep,
    BarrierOp: _keep,
}


def best_parallel_index(op: ParallelOp) -> int | None:
    """Return the parallel index to vectorise, None to vectorise inside.

    Each access that would be a gather or scatter counts; fewer is better, and inside wins a tie.
    Without a fold inside there is nothing to gain.
    """
    leaves = [leaf for leaf in op.block.walk() if isinstance(leaf, ReduceOp | ScanOp)]
    if not leaves:
        return None
    accesses = [access for access in op.block.walk() if isinstance(access, LoadOp | StoreOp)]
    best, choice = 0, None
    for access in accesses:
        leaf = access.parent_op()
        if isinstance(leaf, ScanOp) or (isinstance(leaf, ReduceOp) and leaf.lane_count == 1):
            best += 1
        elif isinstance(leaf, ReduceOp | MapOp):
            best += is_gather(access, leaf.indices[-1])
    for number, index in enumerate(op.indices):
        cost = sum([is_gather(access, index) for access in accesses])
        if cost < best:
            best, choice = cost, number
    return choice


def is_gather(access: LoadOp | StoreOp, index: SSAValue) -> bool:
    """Whether neighbouring values of `index` are no neighbours in memory."""
    strides = buffer_type_of(access.buffer).strides
    for position, stride in zip(access.indices, strides, strict=True):
        if stride == 0 or not depends_on(position, index):
            continue
        if stride != 1 or not _follows(position, index):
            return True
    return False


def depends_on(value: SSAValue, index: SSAValue) -> bool:
    """Whether a value is computed from `index`."""
    if value is index:
        return True
    if isinstance(value, BlockArgument):
        return False
    owner = cast(Operation, value.owner)
    return any(depends_on(operand, index) for operand in owner.operands)


def _follows(value: SSAValue, index: SSAValue) -> bool:
    """Whether a value that depends on `index` is `index` plus something that does not."""
    if value is index:
        return True
    owner = value.owner
    if not isinstance(owner, arith.AddiOp | arith.SubiOp):
        return False
    lhs, rhs = owner.operands
    if not depends_on(rhs, index):
        return _follows(lhs, index)
    return isinstance(owner, arith.AddiOp) and not depends_on(lhs, index) and _follows(rhs, index)


def _payload_types(function: FuncOp) -> list[Attribute]:
    types: list[Attribute] = []
    for op in function.walk():
        if isinstance(op, LoadOp | StoreOp):
            types.append(buffer_type_of(op.buffer).element)
        types += [result.type for result in op.results]
    return types


def _bits(type_: Attribute) -> int:
    """Return the width of a type that decides on lanes; 0 for index, i1 and buffers."""
    if isinstance(type_, BufferType | IndexType):
        return 0
    bits: int = getattr(element_of(type_), "bitwidth", 0)
    return bits if bits > 1 else 0


def _deciding_bits(known: Sequence[int]) -> int:
    """Return the width of the type whose registers are to be full.

    It is the widest, unless most values are narrower: float32 arithmetic with an excursion to
    float64 (pow) keeps full registers, and the excursion takes two of them (exp of a pow of 0.9 M
    elements 4.2 -> 1.8 ms, 512-bit registers).
    """
    widest = max(known, default=32)
    wide = sum(bits == 64 for bits in known)
    half = sum(bits == 32 for bits in known)
    return 32 if widest == 64 and half >= wide else widest


def schedule_for_cpu(function: FuncOp, vector_bits: int = 256) -> FuncOp:
    """Return the scheduled form of a kernel; the structured one is left alone."""
    scheduler = Scheduler(function, vector_bits)
    frame = Frame()
    for old, new in zip(function.block.args, scheduler.block.args, strict=True):
        frame.scalars[old] = new
        new.name_hint = old.name_hint
    scheduler.body(function.block, frame)
    block = scheduler.block
    first = block.first_op
    if first is None:
        block.add_ops(scheduler.weaver.prologue)
    else:
        block.insert_ops_before(scheduler.weaver.prologue, first)
    block.add_op(ReturnOp.make())
    return FuncOp.create(
        properties=function.properties,
        attributes=function.attributes,
        location=function.location,
        regions=[Region(block)],
    )
