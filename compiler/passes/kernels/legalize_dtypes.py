"""`kernel-legalize-dtypes`: memory holds integers, float32 and float64; narrow floats are computed.

Before:

    kernel.func @f(%n: index, %x: !kernel.buffer<bf16, [1]>, %y: !kernel.buffer<i1, [1]>) {
      kernel.map (%i) to (%n) {
        %0 = kernel.load %x[%i] : bf16
        %1 = arith.extf %0 : bf16 to f32
        %2 = arith.cmpf ogt, %1, %zero : f32
        kernel.store %2, %y[%i]
      }
    }

After:

    kernel.func @f(%n: index, %x: !kernel.buffer<i16, [1]>, %y: !kernel.buffer<i8, [1]>) {
      kernel.map (%i) to (%n) {
        %0 = kernel.load %x[%i] : i16
        %1 = arith.extui %0 : i16 to i32
        %2 = arith.shli %1, %sixteen : i32
        %3 = arith.bitcast %2 : i32 to f32
        %4 = arith.cmpf ogt, %3, %zero : f32
        %5 = arith.extui %4 : i1 to i8
        kernel.store %5, %y[%i]
      }
    }

- i1 stays a scalar type; in memory and among the arguments it is an i8 (not zero: true).
- bf16 and the 8-bit floats become integers everywhere; their casts become the exact arithmetic of
  `dialects/ops/storage`. So a plain copy moves bits.
- f16 is left to the target, or with `half=false` treated like bf16.
- A cast between one of these floats and an integer or f64 goes through f32, as in PyTorch.

Arithmetic on narrow floats is refused: bodies are written on f32, between casts. The pass reads and
writes the structured form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from ....dialects.attributes.dtype import DType, float16, float32, uint8
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.arithmetic import PairOp, PartOp
from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.memory import AllocOp, LoadOp, StoreOp
from ....dialects.kernel.payload import PAYLOAD_TYPES
from ....dialects.kernel.payload_rewriter import PayloadRewriter
from ....dialects.kernel.reductions import CUSTOM
from ....dialects.kernel.scheduled import ForOp, IfOp
from ....dialects.kernel.structured import CombinationOp, YieldOp
from ....dialects.kernel.types import BufferType, f16, f32, i1, i8
from ....dialects.making import all_operations, make_op
from ....dialects.ops.scalars.narrow_floats import STORAGE, decode, encode
from ....dialects.ops.scalars.reference import NumpyLanguage

#: The narrow floats by their type in the payload.
NARROW: dict[Attribute, DType] = {PAYLOAD_TYPES[dtype]: dtype for dtype in STORAGE}

_NARROW_CLASSES = frozenset(map(type, NARROW))
_CASTS = (
    *(arith.SIToFPOp, arith.UIToFPOp, arith.TruncFOp),
    *(arith.FPToSIOp, arith.FPToUIOp, arith.ExtFOp),
)
#: Ops that hand a value on without computing.
_CARRIERS = (
    *(LoadOp, StoreOp, arith.ConstantOp, arith.BitcastOp, arith.SelectOp, PartOp, PairOp),
    *(YieldOp, CombinationOp, ForOp, IfOp),
)


@dataclass(frozen=True)
class LegalizeDtypesPass(ModulePass):
    """Legalise the dtypes of all kernels of a module."""

    name = "kernel-legalize-dtypes"
    half: bool = True
    """Whether the target loads, stores and converts f16 by itself."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels in place."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp):
                legalize_dtypes(function, half=self.half)


def legalize_dtypes(function: FuncOp, half: bool = True) -> None:
    """Legalise the dtypes of one kernel in place.

    >>> (kernel,) = tri.trace(tri.isnan, tri.spec((2,), tri.bfloat16)).lower().kernels
    >>> legalize_dtypes(kernel)
    >>> print(*[argument.type for argument in kernel.block.args])
    index !kernel.buffer<i16, [1]> !kernel.buffer<i8, [1]>
    """
    if _has_narrow_types(function):
        Legalizer(function, half).run()


def _has_narrow_types(function: FuncOp) -> bool:
    """Whether there is anything to do; by classes, as hashing a type takes a microsecond."""
    for argument in function.block.args:
        type_ = argument.type
        element = type_.element if isinstance(type_, BufferType) else type_
        if type(element) in _NARROW_CLASSES or element == i1:
            return True
    return any(
        type(result.type) in _NARROW_CLASSES or type(op) is AllocOp
        for op in all_operations(function)
        for result in op.results
    )


class Legalizer:
    """One forward walk over a kernel, after a look at what its values are."""

    def __init__(self, function: FuncOp, half: bool) -> None:
        """Choose which floats become integers; refuse arithmetic on any narrow float."""
        self.function = function
        self.rewriter = PayloadRewriter(function)
        #: The type of an integer for each type of a narrow float that is not left to the target.
        self.emulated: dict[Attribute, Attribute] = {
            type_: PAYLOAD_TYPES[STORAGE[dtype]]
            for type_, dtype in NARROW.items()
            if not half or dtype is not float16
        }
        #: What memory holds in the place of a type.
        self.memory: dict[Attribute, Attribute] = {i1: i8, **self.emulated}
        self.ops = all_operations(function)[1:]
        #: Which narrow float a cast reads, as types do not say it any more while walking.
        self.sources: dict[Operation, DType | None] = {}
        for op in self.ops:
            if isinstance(op, _CASTS):
                self.sources[op] = NARROW.get(op.operands[0].type)
            elif isinstance(op, CombinationOp) and op.kind.data != CUSTOM:
                _refuse_narrow(op.value_types, op)
            elif not isinstance(op, _CARRIERS):
                _refuse_narrow([value.type for value in (*op.operands, *op.results)], op)

    def run(self) -> None:
        """Legalise arguments, then the ops in order."""
        function, rewriter = self.function, self.rewriter
        first = function.block.first_op
        assert first is not None
        for argument in function.block.args:
            if argument.type == i1:
                self._flag_argument(argument)
        rewriter.place_before(first)
        self._retype_all(function.block.args)
        for op in self.ops:
            for region in op.regions:
                for block in region.blocks:
                    self._retype_all(block.args)
            rewriter.location = op.location
            rewrite = _REWRITES.get(type(op))
            if rewrite is None or not rewrite(self, op):
                self._retype_all(op.results)
        rewriter.finish()

    def _flag_argument(self, argument: SSAValue) -> None:
        stored = Rewriter.replace_value_with_new_type(argument, i8)
        uses = list(stored.uses)
        flag = _is_set(self.rewriter, stored)
        for use in uses:
            use.operation.operands[use.index] = flag

    def _retype_all(self, values: Sequence[SSAValue]) -> None:
        """Give values the types of what is stored."""
        for value in list(values):
            type_ = value.type
            if isinstance(type_, BufferType):
                stored = self.memory.get(type_.element)
                if stored is not None:
                    stored = BufferType.get(stored, type_.strides, type_.space)
            else:
                stored = self.emulated.get(type_)
            if stored is not None:
                Rewriter.replace_value_with_new_type(value, stored)

    # Rewrites return whether they replaced the op.

    def load(self, op: Operation) -> bool:
        """Turn a load of i1 into a load of i8 and a comparison."""
        assert isinstance(op, LoadOp)
        if op.results[0].type != i1:
            return False
        rewriter = self.rewriter
        stored = rewriter.add(LoadOp.make(op.buffer, op.indices, i8))
        rewriter.replace(op, [_is_set(rewriter, stored)])
        return True

    def store(self, op: Operation) -> bool:
        """Widen an i1 before it is stored."""
        assert isinstance(op, StoreOp)
        if op.value.type != i1:
            return False
        byte = make_op(arith.ExtUIOp, operands=[op.value], result_types=[i8])
        op.operands[0] = self.rewriter.add(byte)
        self.rewriter.place_before(op)
        return True

    def constant(self, op: Operation) -> bool:
        """Encode a constant."""
        type_, value = op.results[0].type, op.properties["value"]
        stored = self.emulated.get(type_)
        if stored is None or not isinstance(value, FloatAttr):
            return False
        dtype = NARROW[type_]
        with np.errstate(all="ignore"):
            number = np.array(value.value.data, np.float32)
        bits = encode(NumpyLanguage().array(number, float32), dtype).value
        self.rewriter.replace(op, [self.rewriter.constant(int(bits), STORAGE[dtype]).value])
        return True

    def bitcast(self, op: Operation) -> bool:
        """Drop a bitcast between a narrow float and the integer that it is by now."""
        value, type_ = op.operands[0], op.results[0].type
        if value.type != self.emulated.get(type_, type_):
            return False
        self.rewriter.replace(op, [value])
        return True

    def cast(self, op: Operation) -> bool:
        """Write a cast from or to a narrow float in terms of f32."""
        value, type_ = op.operands[0], op.results[0].type
        source, target = self.sources[op], NARROW.get(type_)
        if source is None and target is None:
            return False
        if {value.type, type_} == {f16, f32} and f16 not in self.emulated:
            return False
        if source is not None:
            wide = self._widen(value, source)
        else:
            wide = value if value.type == f32 else self._convert(type(op), value, f32)
        if target is not None:
            final = self._round(wide, target)
        else:
            final = wide if type_ == f32 else self._convert(type(op), wide, type_)
        self.rewriter.replace(op, [final])
        return True

    def _widen(self, value: SSAValue, source: DType) -> SSAValue:
        if value.type == f16:
            return self._convert(arith.ExtFOp, value, f32)
        return decode(self.rewriter.scalar(value, STORAGE[source]), source).value

    def _round(self, wide: SSAValue, target: DType) -> SSAValue:
        type_ = PAYLOAD_TYPES[target]
        if type_ not in self.emulated:
            return self._convert(arith.TruncFOp, wide, type_)
        return encode(self.rewriter.scalar(wide, float32), target).value

    def _convert(self, kind: type[Operation], value: SSAValue, type_: Attribute) -> SSAValue:
        return self.rewriter.add(make_op(kind, operands=[value], result_types=[type_]))


def _is_set(rewriter: PayloadRewriter, stored: SSAValue) -> SSAValue:
    """Return whether a byte is not zero."""
    return rewriter.scalar(stored, uint8).ne(0).value


def _refuse_narrow(types: Sequence[Attribute], op: Operation) -> None:
    for type_ in types:
        if type_ in NARROW:
            raise UnsuitableIr(
                f"kernel-legalize-dtypes: {op.name} on {type_}; narrow floats are computed on as "
                "f32, between arith.extf and arith.truncf",
                op,
            )


_REWRITES: dict[type[Operation], Callable[[Legalizer, Operation], bool]] = {
    LoadOp: Legalizer.load,
    StoreOp: Legalizer.store,
    arith.ConstantOp: Legalizer.constant,
    arith.BitcastOp: Legalizer.bitcast,
    **dict.fromkeys(_CASTS, Legalizer.cast),
}
