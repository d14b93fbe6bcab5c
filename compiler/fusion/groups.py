"""How do groups of operations become fusions? One each, or several where one would be too large.

The operations of a group are put into an order in which each follows what it needs closely. Such an
order can be cut anywhere: what is needed behind a cut is stored in front of it. So a kernel has no
more instructions and tensors than it should, however long the program is; and a chain of equal
steps becomes equal kernels, which are compiled once.

A kernel of sums of products computes a little with each sum, at the end of a tile of them (the
*epilogue*), and stores one value: schedules keep unfinished sums in the memory of the result. So
that value has their dtype, or it is narrower and sums are so short that none is interrupted; and
functions such as `tanh`, which hide what memory costs, are kernels behind it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from xdsl.ir import Block, Operation, SSAValue

from ...dialects.attributes.dtype import DType
from ...dialects.making import append, discard, make_op, operands_of
from ...dialects.ops.frame.traits import Reads
from ...dialects.records import field, record
from ...dialects.tri.ops import TensorOperation, ViewOperation, is_product, tensor_spec
from ...dialects.tri.structure import ConstantOp, FusionOp, YieldOp
from ...dialects.tri.types import TensorType
from ...dialects.tri.writing import WriteOp
from ..analysis.product_sizes import DEPTH, sizes_of_product
from .beside import are_few, lies_beside
from .recompute import REDUCTION_WORK, reads_of, work_of
from .streams import Span, Streams

#: How many instructions a kernel of sums of products has at most, those of the sum included.
PRODUCT_WORK = REDUCTION_WORK + 16


@record
class Limits:
    """What a kernel has at most: instructions, about, streams of memory, and operands.

    It may widen a factor of many products, and round sums that are never unfinished in memory.
    """

    work: int
    streams: int
    operands: int
    widens_factors: bool = False
    rounds_sums: bool = False


@record(frozen=False, eq=False)
class Group:
    """Operations that belong together; `parent` is set when the group was merged into another."""

    level: int
    shape: tuple[int, ...]
    members: list[TensorOperation] = field(default_factory=list[TensorOperation])
    parent: Group | None = None

    def root(self) -> Group:
        """Return the group that this one has become."""
        group = self
        while group.parent is not None:
            if group.parent.parent is not None:
                group.parent = group.parent.parent
            group = group.parent
        return group

    def joined(self, other: Group) -> Group:
        """Return one group of the two: the smaller one moves."""
        large, small = (self, other) if len(self.members) >= len(other.members) else (other, self)
        large.members += small.members
        small.members = []
        small.parent = large
        return large


class Emitter:
    """Moves operations of a function into fusions, in an order in which values come before uses."""

    def __init__(
        self,
        block: Block,
        group_of: Mapping[Operation | Block, Group],
        stored: Collection[SSAValue],
        order: dict[Operation, int],
        limits: Limits,
    ) -> None:
        """Emit to the end of a block; `stored` are the values that must lie in memory."""
        self.block = block
        self.group_of = group_of
        self.stored = stored
        self.order = order
        self.limits = limits
        end = self.block.last_op
        assert end is not None
        self.end = end
        #: Values of the old block -> values that the rest of the function uses.
        self.final: dict[SSAValue, SSAValue] = {}
        self.placed: set[Operation] = set()
        #: Where in which memory values lie.
        self.spans: dict[SSAValue, Span] = {}

    def place(self, op: Operation) -> None:
        """Move an operation, and the views it needs, before the end of the block."""
        for index, operand in enumerate(op.operands):
            op.operands[index] = self.available(operand)
        self._move(op)

    def _move(self, op: Operation) -> None:
        if op not in self.placed:
            op.detach()
            self.block.insert_op_before(op, self.end)
            self.placed.add(op)

    def available(self, value: SSAValue) -> SSAValue:
        """Return the value as the rebuilt function knows it, placing views and constants."""
        waiting: list[Operation] = []
        current = value
        while current not in self.final:
            op = current.owner
            if not isinstance(op, ViewOperation | ConstantOp) or op in self.placed:
                break
            waiting.append(op)
            if isinstance(op, ConstantOp):
                break
            current = op.operands[0]
        for op in reversed(waiting):
            for index, operand in enumerate(op.operands):
                op.operands[index] = self.final.get(operand, operand)
            self._move(op)
        return self.final.get(value, value)

    def is_copied(self, value: SSAValue) -> bool:
        """Whether kernels compute a value that they need: a constant, or what is not stored."""
        op = value.owner
        if type(op) is ConstantOp:
            return True
        return op in self.group_of and value not in self.final

    def emit_group(self, group: Group) -> None:
        """Build the fusions of a group, if any of its values is needed in memory."""
        members = sorted(group.members, key=lambda op: self.order[op])
        outputs = [result for op in members for result in op.results if result in self.stored]
        if not outputs:
            return
        for part in self._parts(_in_depth(outputs, set(members)), set(outputs)):
            self._emit(part)

    def _parts(self, needed: Sequence[SSAValue], outputs: set[SSAValue]) -> Iterator[_Part]:
        """Yield what becomes one kernel each; a part must be emitted before the next is asked for.

        A part ends where one more value would make its kernel too large.
        """
        uses = _count_uses(needed)
        part = _Part(self, outputs, uses)
        for value in needed:
            taken = part.takes(value)
            if not part.has_room_for(value, taken):
                yield from part.kernels()
                part = _Part(self, outputs, uses)
                taken = part.takes(value)
            part.add(value, taken)
        yield from part.kernels()

    def _emit(self, part: _Part) -> None:
        """Build the fusion of a part; a sum of products alone stays what it is."""
        if self._is_bare(part):
            (product,) = part.members
            self.place(_producer(product))
            self.final[product] = product
            return
        outputs = sorted(part.kept, key=self._place)
        body = _Body(self)
        results = [body.value(output) for output in outputs]
        body.block.add_op(YieldOp.make(results))
        types = [TensorType.of(tensor_spec(output)) for output in outputs]
        first = min(map(_producer, part.members), key=lambda op: self.order[op])
        op = FusionOp.make(body.inputs, types, body.block, first.location)
        self.block.insert_op_before(op, self.end)
        self.placed.add(op)
        for output, result in zip(outputs, op.results, strict=True):
            result.name_hint = output.name_hint
            self.final[output] = result

    def _is_bare(self, part: _Part) -> bool:
        """Whether a part is a sum of products alone, whose factors lie in memory."""
        if part.members != {part.product}:
            return False
        return not any(map(self.is_copied, operands_of(_producer(*part.members))))

    def _place(self, value: SSAValue) -> tuple[int, int]:
        """Return which operation a value is a result of, and which of its results."""
        op = _producer(value)
        return self.order[op], op.results.index(value)

    def finish(self, operations: list[Operation]) -> None:
        """Point writes and the return at the new values, erase what was copied into fusions."""
        for op in operations:
            if isinstance(op, WriteOp):
                self.place(op)
        for index, operand in enumerate(self.end.operands):
            self.end.operands[index] = self.available(operand)
        for op in reversed(operations):
            if op is not self.end and op not in self.placed:
                discard(op)


def _producer(value: SSAValue) -> Operation:
    return cast("Operation", value.owner)


def _in_depth(outputs: Sequence[SSAValue], members: set[TensorOperation]) -> list[SSAValue]:
    """Return what outputs need of a group: operands first, each close to who needs it."""
    ordered: list[SSAValue] = []
    done: set[SSAValue] = set()
    pending = list(reversed(outputs))
    while pending:
        value = pending[-1]
        if value in done:
            pending.pop()
            continue
        producer = _producer(value)
        missing = [
            operand
            for operand in operands_of(producer)
            if operand not in done and operand.owner in members
        ]
        if missing:
            pending += reversed(missing)
            continue
        # All results of an operation come at once: no cut shall part them.
        ordered += producer.results
        done.update(producer.results)
        pending.pop()
    return ordered


def _count_uses(values: Sequence[SSAValue]) -> dict[SSAValue, int]:
    """Return how many of the operations that compute some values read each of them."""
    uses = dict.fromkeys(values, 0)
    for value in values:
        for operand in {*operands_of(_producer(value))}:
            if operand in uses:
                uses[operand] += 1
    return uses


class _Taken(NamedTuple):
    """What a value takes: its work, what is computed again for it, what tensors are read."""

    work: int
    copied: set[SSAValue]
    read: set[SSAValue]


class _Part:
    """Values of a group that become one kernel, and what that kernel would be."""

    def __init__(self, emitter: Emitter, outputs: set[SSAValue], uses: dict[SSAValue, int]) -> None:
        """Hold nothing; `uses` is shared by all parts and counts what is still to come."""
        self.emitter = emitter
        self.outputs = outputs
        self.uses = uses
        self.members: set[SSAValue] = set()
        #: What is computed besides the members: values of other groups.
        self.copied: set[SSAValue] = set()
        self.read: set[SSAValue] = set()
        self.streams = Streams(emitter.spans)
        self.work = 0
        #: The members that are needed by the caller or by what comes later.
        self.kept: set[SSAValue] = set()
        #: The member that is a sum of products.
        self.product: SSAValue | None = None
        #: What it reads itself.
        self.factors: set[SSAValue] = set()

    def has_room_for(self, value: SSAValue, taken: _Taken) -> bool:
        """Whether the kernel would be within the limits with one more value."""
        if not self.members or self._is_beside(value):
            return True
        limits = self.emitter.limits
        has_product = self.product is not None or is_product(_producer(value))
        most = PRODUCT_WORK if has_product else limits.work
        if has_product and not self._lies_beside(value, taken):
            return False
        released = [
            operand
            for operand in {*operands_of(_producer(value))}
            if operand in self.kept and operand not in self.outputs and self.uses[operand] == 1
        ]
        written = len(self.kept) - len(released) + 1
        read = taken.read - self.read
        return (
            self.work + taken.work <= most
            and len(self.read) + len(read) + written <= limits.operands
            and self.streams.count_with(read) + written <= limits.streams
        )

    def _lies_beside(self, value: SSAValue, taken: _Taken) -> bool:
        """Whether a value, and all that is read for it, lies as the sums of the kernel do."""
        sums = value if self.product is None else self.product
        read = self.read if self.product is None else self.read - self.factors | taken.read
        others = [value, *read]
        return are_few(read, sums) and all(lies_beside(other, sums) for other in others)

    def add(self, value: SSAValue, taken: _Taken) -> None:
        """Add a value, all of whose operands are there or stored."""
        self.work += taken.work
        self.copied |= taken.copied
        for new in taken.read - self.read:
            self.streams.add(new)
        self.read |= taken.read
        self.members.add(value)
        if is_product(_producer(value)):
            self.product = value
            self.factors = taken.read
        for operand in {*operands_of(_producer(value))}:
            if operand in self.uses:
                self.uses[operand] -= 1
                if not self.uses[operand] and operand not in self.outputs:
                    self.kept.discard(operand)
        if value in self.outputs or self.uses[value]:
            self.kept.add(value)

    def kernels(self) -> list[_Part]:
        """Return what becomes one kernel each: all of it, or a sum of products and the rest."""
        product = self.product
        if product is None or len(self.members) == 1:
            return [self]
        kept = [tensor_spec(value).dtype for value in self.kept]
        if product not in self.kept and len(kept) == 1 and self._has_room_for_sums(*kept):
            return [self]
        alone, rest = (_Part(self.emitter, self.outputs, self.uses) for _ in range(2))
        alone.members, alone.kept, alone.product = {product}, {product}, product
        rest.members, rest.kept = self.members - {product}, self.kept - {product}
        return [alone, rest]

    def _has_room_for_sums(self, stored: DType) -> bool:
        """Whether sums have a place until they are finished, where something else is stored.

        Those of one piece of k are in registers; a size that is a symbol is guarded.
        """
        assert self.product is not None
        sums = tensor_spec(self.product).dtype
        if stored is sums:
            return True
        is_rounded = stored.is_floating_point and stored.itemsize < sums.itemsize
        if not is_rounded or not self.emitter.limits.rounds_sums:
            return False
        product = _producer(self.product)
        assert isinstance(product, TensorOperation)
        return sizes_of_product(product).depth <= DEPTH

    def _is_beside(self, value: SSAValue) -> bool:
        """Whether another result of the value's operation is there."""
        results = _producer(value).results
        return len(results) > 1 and any(result in self.members for result in results)

    def takes(self, value: SSAValue) -> _Taken:
        """Return what one more value would take.

        A reduction computes what it reduces in a loop of its own, whatever others do.
        """
        if self._is_beside(value):
            return _Taken(0, set(), set())
        emitter = self.emitter
        op = _producer(value)
        is_alone = reads_of(type(op)) in (Reads.REDUCED, Reads.FACTORS)
        work = work_of(op)
        copied: set[SSAValue] = set()
        read: set[SSAValue] = set()
        pending = [*operands_of(op)]
        while pending:
            current = pending.pop()
            if current in self.members or current in copied:
                continue
            if current in self.copied and not is_alone:
                continue
            if emitter.is_copied(current):
                copied.add(current)
                work += work_of(_producer(current))
                pending += operands_of(_producer(current))
            elif type(current.type) is TensorType:
                read.add(emitter.final.get(current, current))
        return _Taken(work, copied, read)


class _Body:
    """The block of one fusion: copies of operations, over arguments for what lies in memory."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.block = Block()
        self.inputs: list[SSAValue] = []
        self.copies: dict[SSAValue, SSAValue] = {}
        self.arguments: dict[SSAValue, SSAValue] = {}

    def value(self, value: SSAValue) -> SSAValue:
        """Return a value inside the body, copying what it is computed from."""
        pending = [value]
        while pending:
            current = pending[-1]
            if current in self.copies:
                pending.pop()
                continue
            if not self.emitter.is_copied(current):
                self.copies[current] = self._argument(current)
                pending.pop()
                continue
            op = _producer(current)
            missing = [operand for operand in operands_of(op) if operand not in self.copies]
            if missing:
                pending += reversed(missing)
                continue
            copy = make_op(
                type(op),
                operands=[self.copies[operand] for operand in operands_of(op)],
                result_types=[result.type for result in op.results],
                attributes=op.attributes,
                properties=op.properties,
                location=op.location,
            )
            append(self.block, copy)
            for old, new in zip(op.results, copy.results, strict=True):
                new.name_hint = old.name_hint
                self.copies[old] = new
            pending.pop()
        return self.copies[value]

    def _argument(self, value: SSAValue) -> SSAValue:
        actual = self.emitter.available(value)
        found = self.arguments.get(actual)
        if found is None:
            found = self.block.insert_arg(actual.type, len(self.block.args))
            found.name_hint = actual.name_hint
            self.arguments[actual] = found
            self.inputs.append(actual)
        return found
