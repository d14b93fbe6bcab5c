"""How does scalar code become code on several lanes?

A `Frame` says what the values of a structured body are in one copy of it: a scalar that is equal in
all lanes, a vector, or an index whose lanes follow one another (`base + lane`). A `Weaver` appends
the translated ops to the block being built. With one lane it copies; so loops around vector code,
vector code and its scalar tail are the same walk.
"""

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from ...dialects.diagnostics import UnsuitableIr
from ...dialects.kernel.lanes import (
    CONVERSION_OF,
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    CompareOp,
    ConvertOp,
    LaneIdsOp,
    SelectOp,
    SplatOp,
)
from ...dialects.kernel.memory import CheckOp, LoadOp, StoreOp
from ...dialects.kernel.scheduled import ForOp, IfOp
from ...dialects.kernel.structured import YieldOp
from ...dialects.kernel.types import (
    buffer_type_of,
    i1,
    i64,
    is_vector,
    same_lanes,
    type_of_index,
    vector_of,
)
from ...dialects.making import append, make_op, operands_of

_PREDICATES = {word: IntegerAttr(number, i64) for number, word in enumerate(INTEGER_PREDICATES)}


class Frame:
    """What the values of the structured form are in the code being built."""

    __slots__ = ("bases", "lanes", "mask", "scalars", "vectors")

    def __init__(self) -> None:
        """Start with one lane and no values."""
        self.lanes = 1
        self.mask: SSAValue | None = None
        #: Values that are equal in all lanes.
        self.scalars: dict[SSAValue, SSAValue] = {}
        #: Indices whose lanes follow one another: the index of lane 0.
        self.bases: dict[SSAValue, SSAValue] = {}
        #: Values that differ by lane.
        self.vectors: dict[SSAValue, SSAValue] = {}

    def inner(self, lanes: int | None = None, mask: SSAValue | None = None) -> "Frame":
        """Return a frame for code inside this one; it may be given lanes where there were none."""
        frame = Frame()
        frame.lanes = self.lanes if lanes is None else lanes
        frame.mask = self.mask if mask is None else mask
        frame.scalars = self.scalars.copy()
        frame.bases = self.bases.copy()
        frame.vectors = self.vectors.copy()
        return frame

    def enter(self, index: SSAValue, first: SSAValue) -> None:
        """Set the index of the lanes to what that of the first one is."""
        where = self.scalars if self.lanes == 1 else self.bases
        where[index] = first

    def bind(self, old: SSAValue, new: SSAValue) -> None:
        """Say what a value is: a vector differs by lane, a scalar does not."""
        if is_vector(new.type):
            self.vectors[old] = new
        else:
            self.scalars[old] = new


class Weaver:
    """Appends ops to a block, in as many lanes as a frame has."""

    def __init__(self, entry: Block) -> None:
        """Build into a function's block."""
        self.block = self.entry = entry
        #: Constants and their splats, which go in front of everything else.
        self.prologue: list[Operation] = []
        self._indices: dict[int, SSAValue] = {}
        self._numbers: dict[tuple[str, Attribute], SSAValue] = {}
        self._lane_ids: dict[int, SSAValue] = {}
        self._constants: dict[SSAValue, SSAValue] = {}
        self._hoisted: dict[tuple[SSAValue | None, ...], SSAValue] = {}
        self._splats: dict[tuple[SSAValue, int], SSAValue] = {}
        self._invariant: set[SSAValue] = set(entry.args)

    # Building blocks

    def add(self, op: Operation) -> SSAValue:
        """Append an op; return its result."""
        append(self.block, op)
        (result,) = op.results
        return result

    def front(self, op: Operation) -> SSAValue:
        """Put a constant op in front; return its result."""
        self.prologue.append(op)
        (result,) = op.results
        self._invariant.add(result)
        return result

    def index(self, number: int) -> SSAValue:
        """Return a constant of type index."""
        found = self._indices.get(number)
        if found is None:
            value = IntegerAttr(number, type_of_index)
            op = make_op(
                arith.ConstantOp, result_types=[type_of_index], properties={"value": value}
            )
            found = self._indices[number] = self.front(op)
        return found

    def constant(self, number: float, type_: Attribute) -> SSAValue:
        """Return a constant of a scalar type."""
        key = (repr(number), type_)
        found = self._numbers.get(key)
        if found is None:
            value: Attribute
            if isinstance(type_, IntegerType):
                value = IntegerAttr(int(number), cast("IntegerType[Any]", type_))
            else:
                value = FloatAttr(float(number), cast(Any, type_))
            types = cast("list[Attribute]", [type_])
            op = make_op(arith.ConstantOp, result_types=types, properties={"value": value})
            found = self._numbers[key] = self.front(op)
        return found

    def lane_ids(self, lanes: int) -> SSAValue:
        """Return the numbers of the lanes."""
        found = self._lane_ids.get(lanes)
        if found is None:
            found = self._lane_ids[lanes] = self.front(LaneIdsOp.make(lanes))
        return found

    def compute(self, op: type[Operation], *operands: SSAValue) -> SSAValue:
        """Append an op whose result has the type of its operands."""
        return self.add(make_op(op, operands=operands, result_types=[operands[0].type]))

    def compare(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Append a comparison of integers, scalar."""
        properties = {"predicate": _PREDICATES[predicate]}
        return self.add(
            make_op(arith.CmpiOp, operands=[lhs, rhs], result_types=[i1], properties=properties)
        )

    def compare_floats(self, predicate: str, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Append a comparison of floats, scalar."""
        number = IntegerAttr(FLOAT_PREDICATES.index(predicate), i64)
        return self.add(
            make_op(
                arith.CmpfOp,
                operands=[lhs, rhs],
                result_types=[i1],
                properties={"predicate": number, "fastmath": arith.FastMathFlagsAttr("none")},
            )
        )

    def choose(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        """Append a choice between two values of one type, by one condition."""
        operands = [condition, lhs, rhs]
        return self.add(make_op(arith.SelectOp, operands=operands, result_types=[lhs.type]))

    def splat(self, value: SSAValue, lanes: int) -> SSAValue:
        """Put a scalar in all lanes; constants and arguments once for the whole function."""
        if value not in self._invariant:
            return self.add(SplatOp.make(value, lanes))
        found = self._splats.get((value, lanes))
        if found is None:
            found = self._splats[value, lanes] = self.front(SplatOp.make(value, lanes))
        return found

    def loop(
        self,
        bounds: tuple[SSAValue, SSAValue, SSAValue],
        inits: Sequence[SSAValue],
        body: Callable[[SSAValue, Sequence[SSAValue]], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """Append a loop; `body` builds the inside and returns the next carried values."""
        block = Block(arg_types=[type_of_index, *(value.type for value in inits)])
        outside, self.block = self.block, block
        index, *carried = block.args
        append(block, YieldOp.make(body(index, carried)))
        self.block = outside
        op = ForOp.make(*bounds, block, inits)
        append(outside, op)
        return op.results

    def branch(
        self,
        condition: SSAValue,
        then: Callable[[], Sequence[SSAValue]],
        otherwise: Callable[[], Sequence[SSAValue]] | None = None,
    ) -> Sequence[SSAValue]:
        """Append a branch; both arms return the results."""
        outside = self.block
        blocks: list[Block] = []
        types: Sequence[Attribute] = ()
        for arm in (then, otherwise):
            if arm is not None:
                self.block = Block()
                blocks.append(self.block)
                values = arm()
                types = [value.type for value in values]
                append(self.block, YieldOp.make(values))
        self.block = outside
        op = IfOp.make(condition, blocks[0], blocks[1] if len(blocks) > 1 else None, types)
        append(outside, op)
        return op.results

    # Values

    def scalar(self, value: SSAValue, frame: Frame) -> SSAValue:
        """Return a value that must be equal in all lanes."""
        found = frame.scalars.get(value)
        if found is None:
            found = self._constants.get(value)
        if found is None:
            raise UnsuitableIr(
                f"kernel-schedule: {_spelled(value)} differs by lane where it must not"
            )
        return found

    def vector(self, value: SSAValue, frame: Frame) -> SSAValue:
        """Return a value as a vector; with one lane, as a scalar."""
        if frame.lanes == 1:
            return self.scalar(value, frame)
        found = frame.vectors.get(value)
        if found is None:
            base = frame.bases.get(value)
            if base is None:
                return self.splat(self.scalar(value, frame), frame.lanes)
            first = self.splat(base, frame.lanes)
            found = self.compute(arith.AddiOp, first, self.lane_ids(frame.lanes))
            frame.vectors[value] = found
        return found

    def varies(self, value: SSAValue, frame: Frame) -> bool:
        """Whether a value differs by lane."""
        return value in frame.vectors or value in frame.bases

    # Translation

    def payload(self, op: Operation, frame: Frame) -> None:
        """Translate an op without regions."""
        kind = type(op)
        if kind is arith.ConstantOp:
            self._constant(op)
            return
        if self.block is not self.entry and self._hoist(op, frame):
            return
        if frame.lanes == 1:
            self._copy(op, frame)
            return
        translate = _ACCESSES.get(kind)
        if translate is not None:
            translate(self, op, frame)
            return
        operands = operands_of(op)
        if not any([self.varies(operand, frame) for operand in operands]):
            self._copy(op, frame)
        elif operands[0].type == type_of_index and self._follow(op, frame):
            return
        else:
            translate = _LANES.get(kind)
            if translate is not None:
                frame.vectors[op.results[0]] = translate(self, op, frame)
            else:
                self._widen(op, frame)

    def _constant(self, op: Operation) -> None:
        (result,) = op.results
        if result not in self._constants:
            copy = make_op(
                arith.ConstantOp,
                result_types=[result.type],
                properties=op.properties,
                attributes=op.attributes,
            )
            self._constants[result] = self.front(copy)

    def _hoist(self, op: Operation, frame: Frame) -> bool:
        """Compute in front of all loops, once, what comes of constants and arguments alone.

        A number that is an argument then costs a loop no more than a constant. What is hoisted is
        known by its operands, too: a combiner is translated several times, and what it is given may
        be constants each time, but others.
        """
        if type(op) in _ACCESSES or len(op.results) != 1 or op.results[0].type == type_of_index:
            return False
        (result,) = op.results
        operands = [
            frame.scalars.get(operand) or self._constants.get(operand)
            for operand in operands_of(op)
        ]
        if not all(operand in self._invariant for operand in operands):
            return False
        key = (result, *operands)
        if key not in self._hoisted:
            copy = make_op(
                type(op),
                operands=[operand for operand in operands if operand is not None],
                result_types=[result.type],
                properties=op.properties,
                attributes=op.attributes,
                location=op.location,
            )
            self._hoisted[key] = self.front(copy)
        frame.scalars[result] = self._hoisted[key]
        return True

    def _copy(self, op: Operation, frame: Frame) -> None:
        copy = make_op(
            type(op),
            operands=[self.scalar(operand, frame) for operand in operands_of(op)],
            result_types=[result.type for result in op.results],
            properties=op.properties,
            attributes=op.attributes,
            location=op.location,
        )
        append(self.block, copy)
        for old, new in zip(op.results, copy.results, strict=True):
            frame.scalars[old] = new

    def _widen(self, op: Operation, frame: Frame) -> None:
        (result,) = op.results
        copy = make_op(
            type(op),
            operands=[self.vector(operand, frame) for operand in operands_of(op)],
            result_types=[vector_of(result.type, frame.lanes)],
            properties=op.properties,
            attributes=op.attributes,
            location=op.location,
        )
        append(self.block, copy)
        (frame.vectors[result],) = copy.results

    def _follow(self, op: Operation, frame: Frame) -> bool:
        """Keep `index + uniform` and `index - uniform` as a base, so that accesses stay whole."""
        kind = type(op)
        if kind is not arith.AddiOp and kind is not arith.SubiOp:
            return False
        lhs, rhs = operands_of(op)
        bases, scalars, result = frame.bases, frame.scalars, op.results[0]
        if lhs in bases and not self.varies(rhs, frame):
            bases[result] = self.compute(kind, bases[lhs], self.scalar(rhs, frame))
        elif kind is arith.AddiOp and rhs in bases and not self.varies(lhs, frame):
            bases[result] = self.compute(kind, self.scalar(lhs, frame), bases[rhs])
        else:
            return False
        assert result not in scalars
        return True

    def place(
        self, buffer: SSAValue, indices: Sequence[SSAValue], frame: Frame
    ) -> tuple[list[SSAValue], int | None]:
        """Return the indices of an access, and the dimension of the lanes (None: one element).

        Lanes along one dimension keep scalar indices; otherwise each lane gets its own.
        """
        varying = [number for number, index in enumerate(indices) if self.varies(index, frame)]
        strides = buffer_type_of(buffer).strides
        varying = [number for number in varying if strides[number] != 0]
        is_row = len(varying) == 1 and indices[varying[0]] in frame.bases
        chosen: list[SSAValue] = []
        for number, index in enumerate(indices):
            if number in varying:
                chosen.append(frame.bases[index] if is_row else self.vector(index, frame))
            elif self.varies(index, frame):
                # Where a stride is 0 any index leads to the same element.
                chosen.append(self.index(0))
            else:
                chosen.append(self.scalar(index, frame))
        if is_row:
            return chosen, varying[0]
        return chosen, len(indices) - 1 if varying else None


#: Builds an access to the lanes of a frame for a mask, or none.
Access = Callable[[SSAValue | None], Operation]


def lane_access(weaver: Weaver, op: LoadOp | StoreOp, frame: Frame) -> Access:
    """Return what builds a load or a store; all that it needs is appended now."""
    buffer = weaver.scalar(op.buffer, frame)
    indices, along = weaver.place(buffer, op.indices, frame)
    one_element = along is None
    if along == len(indices) - 1:
        along = None
    if isinstance(op, LoadOp):
        (result,) = op.results
        if one_element:
            return lambda mask: LoadOp.make(buffer, indices, result.type)
        type_ = vector_of(result.type, frame.lanes)
        return lambda mask: LoadOp.make(buffer, indices, type_, mask, along=along)
    if one_element:
        value = weaver.scalar(op.value, frame)
        return lambda mask: StoreOp.make(value, buffer, indices)
    value = weaver.vector(op.value, frame)
    return lambda mask: StoreOp.make(value, buffer, indices, mask, along=along)


def _access(weaver: Weaver, op: Operation, frame: Frame) -> None:
    assert isinstance(op, LoadOp | StoreOp)
    access = lane_access(weaver, op, frame)(frame.mask)
    append(weaver.block, access)
    for old, new in zip(op.results, access.results, strict=True):
        frame.bind(old, new)


def _check(weaver: Weaver, op: Operation, frame: Frame) -> None:
    assert isinstance(op, CheckOp)
    bad, position = op.bad, op.position.value.data
    if weaver.varies(bad, frame):
        bad, mask, value = weaver.vector(bad, frame), frame.mask, weaver.vector
    else:
        bad, mask, value = weaver.scalar(bad, frame), None, weaver.scalar
    details = [value(detail, frame) for detail in op.details]
    check = CheckOp.make(bad, op.code.data, position, mask, details=details)
    check.location = op.location
    append(weaver.block, check)


def _compare(weaver: Weaver, op: Operation, frame: Frame) -> SSAValue:
    number = op.properties["predicate"]
    assert isinstance(number, IntegerAttr)
    words = INTEGER_PREDICATES if isinstance(op, arith.CmpiOp) else FLOAT_PREDICATES
    lhs, rhs = [weaver.vector(operand, frame) for operand in operands_of(op)]
    return weaver.add(CompareOp.make(words[number.value.data], lhs, rhs))


def _select(weaver: Weaver, op: Operation, frame: Frame) -> SSAValue:
    condition, lhs, rhs = operands_of(op)
    a, b = weaver.vector(lhs, frame), weaver.vector(rhs, frame)
    if weaver.varies(condition, frame):
        return weaver.add(SelectOp.make(weaver.vector(condition, frame), a, b))
    return weaver.choose(weaver.scalar(condition, frame), a, b)


def _cast(weaver: Weaver, op: Operation, frame: Frame) -> SSAValue:
    value = weaver.vector(operands_of(op)[0], frame)
    return weaver.add(ConvertOp.make(CONVERSION_OF[type(op)], value, op.results[0].type))


def _bitcast(weaver: Weaver, op: Operation, frame: Frame) -> SSAValue:
    value = weaver.vector(operands_of(op)[0], frame)
    type_ = same_lanes(value.type, op.results[0].type)
    return weaver.add(make_op(arith.BitcastOp, operands=[value], result_types=[type_]))


_ACCESSES: dict[type[Operation], Callable[[Weaver, Operation, Frame], None]] = {
    LoadOp: _access,
    StoreOp: _access,
    CheckOp: _check,
}
_LANES: dict[type[Operation], Callable[[Weaver, Operation, Frame], SSAValue]] = {
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare,
    arith.SelectOp: _select,
    arith.BitcastOp: _bitcast,
    **dict.fromkeys(CONVERSION_OF, _cast),
}


def _spelled(value: SSAValue) -> str:
    return f"%{value.name_hint}" if value.name_hint else f"a value of type {value.type}"
