"""How is a kernel walked over while its scheduled form is built?

One forward walk builds new blocks. How each op of the structured form is run stands in a table that
the scheduler of a target brings: ways to compute reductions (`reductions/`), ways to run nests.
What is scheduled already is kept. What is chosen never depends on sizes and never changes a result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...dialects.diagnostics import UnsuitableIr
from ...dialects.kernel.function import FuncOp, ReturnOp
from ...dialects.kernel.lanes import AnyOp, MaskOp, SelectOp
from ...dialects.kernel.memory import AllocOp, BarrierOp, LoadOp, StoreOp
from ...dialects.kernel.rare import RarelyOp
from ...dialects.kernel.scheduled import ForOp, IfOp
from ...dialects.kernel.types import BufferType, buffer_type_of, element_of
from ...dialects.making import add_operations, all_operations, operands_of, put_in_front
from .lanes import Frame, Weaver

Values = Sequence[SSAValue]

#: A body with at most this many ops is short of arithmetic: it runs on vectors of several
#: registers, which hides the latency of its reductions and reads longer pieces of strided rows.
LIGHT_BODY = 8
LIGHT_REGISTERS = 4
#: A longer one runs on two registers, which hides the latency of its arithmetic (exp of 1e5
#: elements 33 -> 29 us, tanh 52 -> 44 us; a*b+c is bound by memory), unless code gets too long.
HEAVY_REGISTERS = 2
LONG_BODY = 80
#: Registers of so many bits come with masks for elements of any size: processors that have the one
#: part of AVX-512 have the other.
MASKED_BYTES = 512


class Strategy(Protocol):
    """One way to run ops of a type: it builds one, or returns False if it is not made for it."""

    def __call__(self, scheduler: Any, op: Any, frame: Frame, /) -> bool:
        """Build an op."""
        ...


#: The ways to run each type of op of the structured form; the first that takes an op builds it.
Strategies = Mapping[type[Operation], Sequence[Strategy]]


class Scheduler:
    """The walk over one kernel."""

    #: Whether code may ask for what it reads later, and transpose squares in registers.
    can_prefetch = can_transpose = True
    #: Whether it may do so with all sums of a tile at once.
    can_transpose_tiles = True
    #: Whether it may ask how far apart neighbours lie, and choose between ways to run by that.
    can_ask_strides = True
    #: Whether what is computed from sums of products may be of another dtype, where sums are short.
    can_round_sums = True
    #: Whether the form is made in a hurry, and whether it therefore leaves a way to run out.
    is_hurried = leaves_out = False

    def __init__(self, function: FuncOp, vector_bits: int, strategies: Strategies) -> None:
        """Prepare to rebuild a kernel."""
        self._ways = {**_KEPT, **strategies}
        bits = [_bits(type_) for type_ in _payload_types(function)]
        known = [width for width in bits if width]
        #: Of the registers that the schedule is made for.
        self.vector_bits = vector_bits
        #: Lanes of a register for the type that decides.
        self.width = max(1, vector_bits // _deciding_bits(known))
        #: Whether memory holds elements whose masked access is no single instruction.
        has_masks = min(known, default=32) >= 32 or vector_bits >= MASKED_BYTES
        self.narrow = not has_masks or max(known, default=32) > 64
        #: Whether a masked access to the elements of memory is a single instruction.
        self.can_mask = not self.narrow
        #: Arguments that the schedule reads although the kernel only writes them.
        self.reads: set[SSAValue] = set()
        self.block = Block(arg_types=[argument.type for argument in function.block.args])
        self.weaver = Weaver(self.block)

    def outermost(self, function: FuncOp, frame: Frame) -> None:
        """Translate the outermost level of the kernel."""
        self.body(function.block, frame)

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
        ways = self._ways.get(type(op))
        try:
            if ways is None:
                self.weaver.payload(op, frame)
            else:
                self.first_of(ways, op, frame)
        except UnsuitableIr as error:
            raise error.about(op) from None

    def first_of(self, ways: Sequence[Strategy], op: Operation, frame: Frame) -> None:
        """Build an op in the first way that takes it."""
        for way in ways:
            if way(self, op, frame):
                return
        raise UnsuitableIr(f"kernel-schedule: there is no way to run {op.name} here")

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
            inner.enter(index, first)
            self.body(block, inner)

        self.in_lanes(extent, frame, lanes, at)

    def in_lanes(
        self,
        extent: SSAValue,
        frame: Frame,
        lanes: int,
        body: Callable[[Frame, SSAValue], None],
        *,
        has_masks: bool = True,
    ) -> None:
        """Build `body(frame, first)` in a loop over whole vectors, and once more under a mask.

        Without masks, and where these are no single instruction, what is left goes one by one.
        """
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
        if self.narrow or not has_masks:
            weaver.loop((whole, extent, weaver.index(1)), (), single)
        elif lanes > self.width:
            # One register at a time: the code under masks is long, and runs a few times.
            weaver.loop((whole, extent, weaver.index(self.width)), (), masked)
        else:
            weaver.branch(weaver.compare("slt", whole, extent), lambda: masked(whole, ()))

    def finished(self) -> Block:
        """Return the block that was built, with the constants in front."""
        block, prologue = self.block, self.weaver.prologue
        put_in_front(block, prologue)
        return block

    def is_light(self, block: Block) -> bool:
        """Whether a body is short of arithmetic."""
        return _length(block) <= LIGHT_BODY

    def lanes_of_map(self, block: Block) -> int:
        """Return the lanes that a map's body runs on."""
        return self.width * (HEAVY_REGISTERS if LIGHT_BODY < _length(block) <= LONG_BODY else 1)

    def lanes_for(self, block: Block) -> int:
        """Return the lanes that a reduction's or a nest's body runs on."""
        return self.width * (LIGHT_REGISTERS if self.is_light(block) else HEAVY_REGISTERS)


def _length(block: Block) -> int:
    """Return how many ops a body repeats: all but those that a `Weaver` hoists.

    To take bits for a number of another type is no instruction.
    """
    inside: set[SSAValue] = set(block.args)
    count = 0
    operations: list[Operation] = []
    add_operations(block, operations)
    for op in operations:
        if op.regions:
            inside.update(argument for region in op.regions for argument in region.block.args)
        operands = operands_of(op)
        is_repeated = not operands or not inside.isdisjoint(operands)
        if type(op) is arith.ConstantOp or not is_repeated:
            continue
        count += type(op) is not arith.BitcastOp
        inside.update(op.results)
    return count


def keep_loop(scheduler: Scheduler, op: ForOp, frame: Frame) -> bool:
    """Keep a loop that is scheduled already."""
    weaver, block = scheduler.weaver, op.block
    start, stop, step, *inits = [weaver.scalar(operand, frame) for operand in op.operands]

    def inside(index: SSAValue, carried: Values) -> Values:
        inner = frame.inner()
        for old, new in zip(block.args, (index, *carried), strict=True):
            inner.scalars[old] = new
        return [weaver.scalar(value, inner) for value in scheduler.body(block, inner).operands]

    results = weaver.loop((start, stop, step), inits, inside)
    frame.scalars.update(zip(op.results, results, strict=True))
    return True


def _keep_branch(scheduler: Scheduler, op: IfOp, frame: Frame) -> bool:
    """Keep a branch that is scheduled already."""
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
    return True


def _rarely(scheduler: Scheduler, op: RarelyOp, frame: Frame) -> bool:
    """Branch around what no lane wants."""
    weaver = scheduler.weaver
    is_one_for_all = frame.lanes == 1 or not weaver.varies(op.condition, frame)
    condition, *usual = [weaver.vector(value, frame) for value in op.operands]

    def rare() -> Values:
        last = scheduler.body(op.block, inner := frame.inner())
        values = [weaver.vector(value, inner) for value in last.operands]
        if is_one_for_all:
            return values
        pairs = zip(values, usual, strict=True)
        return [weaver.add(SelectOp.make(condition, a, b)) for a, b in pairs]

    if is_one_for_all:
        wanted = weaver.scalar(op.condition, frame)
    else:
        wanted = weaver.add(AnyOp.make(condition))
    results = weaver.branch(wanted, rare, lambda: usual)
    for old, new in zip(op.results, results, strict=True):
        frame.bind(old, new)
    return True


def _keep(scheduler: Scheduler, op: Operation, frame: Frame) -> bool:
    """Copy an op of the scheduled form."""
    if frame.lanes > 1:
        raise UnsuitableIr(f"kernel-schedule: {op.name} inside code that becomes vectors")
    scheduler.weaver.payload(op, frame)
    return True


#: What is scheduled already.
_KEPT: Strategies = {
    ForOp: (keep_loop,),
    IfOp: (_keep_branch,),
    AllocOp: (_keep,),
    BarrierOp: (_keep,),
    RarelyOp: (_rarely,),
}


def _payload_types(function: FuncOp) -> list[Attribute]:
    types: list[Attribute] = []
    for op in all_operations(function):
        if type(op) is LoadOp or type(op) is StoreOp:
            types.append(buffer_type_of(op.buffer).element)
        types += [result.type for result in op.results]
    return types


def _bits(type_: Attribute) -> int:
    """Return the width of a type that decides on lanes; 0 for index, i1 and buffers."""
    if type(type_) is BufferType or type(type_) is IndexType:
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


def scheduled_form(scheduler: Scheduler, function: FuncOp) -> FuncOp:
    """Return the scheduled form of the kernel that a scheduler was made for."""
    frame = Frame()
    for old, new in zip(function.block.args, scheduler.block.args, strict=True):
        frame.scalars[old] = new
        new.name_hint = old.name_hint
    scheduler.outermost(function, frame)
    block = scheduler.finished()
    block.add_op(ReturnOp.make())
    properties = {**function.properties, "known": function.known_if_read(scheduler.reads)}
    return FuncOp.create(
        properties=properties,
        attributes=function.attributes,
        location=function.location,
        regions=[Region(block)],
    )
