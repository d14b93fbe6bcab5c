"""`kernel-order-floats`: the largest and smallest floats are found as integers of the same order.

Before:

    %m = kernel.reduce maximum (%i) to (%n) {lanes = 32, block = 16384} : f32 {
      %x = kernel.load %0[%i] : f32
      kernel.yield %x : f32
    }

After, with the constants at the start of the kernel:

    %k = kernel.reduce maximum (%i) to (%n) {lanes = 32, block = 16384} : i32 {
      %x = kernel.load %0[%i] : f32
      %b = arith.bitcast %x : f32 to i32
      ...                            // the other bits turned where the sign is set
      %o = arith.subi %t, %below : i32   // what is below -inf is NaN, and becomes the largest
      kernel.yield %o : i32
    }
    %s = arith.addi %k, %below : i32
    ...
    %m = arith.bitcast %r : i32 to f32

CPUs have no instruction for a maximum that knows NaN and signs of zeros: it is six, each of which
waits for the one before, and the next element waits for them all. Integers are compared by one,
and what is done to an element waits for nothing (1e6 floats in 104 us before, 47 after, on Zen 5).
A NaN whose sign is not set is above all as it is. Others are below -inf, so that the integers are
moved on by as many as there are of these: NaN needs no comparison, and the least integer stands for
-inf, which is the largest of no elements. The result is the same, but for the bits of a NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.passes import ModulePass

from ....dialects.attributes.dtype import DType, float32, float64, int32, int64
from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.payload import PAYLOAD_TYPES
from ....dialects.kernel.payload_rewriter import PayloadRewriter
from ....dialects.kernel.structured import ReduceOp
from ....dialects.kernel.types import f32, f64
from ....dialects.making import all_operations
from ....dialects.ops.scalars import scalar
from ....dialects.ops.scalars.scalar import Scalar

_DTYPES: dict[Attribute, tuple[DType, DType]] = {f32: (float32, int32), f64: (float64, int64)}
#: Bits of a fraction: of each sign there is one NaN less than these can say.
_FRACTION = {float32: 23, float64: 52}
_EXTREMES = ("maximum", "minimum")


@dataclass(frozen=True)
class OrderFloatsPass(ModulePass):
    """Find the extremes of floats as those of integers, in all kernels of a module."""

    name = "kernel-order-floats"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels in place."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp):
                order_floats(function)


def order_floats(function: FuncOp) -> None:
    """Find the extremes of floats as those of integers, in one kernel.

    >>> (kernel,) = tri.trace(tri.amax, tri.spec((9,), tri.float32)).lower().kernels
    >>> order_floats(kernel)
    >>> [str(op.results[0].type) for op in kernel.walk() if isinstance(op, ReduceOp)]
    ['i32']
    """
    found = [op for op in all_operations(function) if isinstance(op, ReduceOp) and _is_extreme(op)]
    if not found:
        return
    rewriter = PayloadRewriter(function)
    for op in found:
        _rewrite(op, rewriter)
    rewriter.finish()


def _is_extreme(op: ReduceOp) -> bool:
    return op.kind.data in _EXTREMES and op.results[0].type in _DTYPES


def _rewrite(op: ReduceOp, rewriter: PayloadRewriter) -> None:
    """Let a reduction of floats reduce integers."""
    dtype, stored = _DTYPES[op.results[0].type]
    rewriter.location = op.location
    last = op.block.last_op
    assert last is not None
    # How far NaN beyond the other end is, which comes to this one: integers wrap around.
    count = (1 << _FRACTION[dtype]) - 1
    shift = count if op.kind.data == "minimum" else -count
    element = rewriter.scalar(last.operands[0], dtype)
    last.operands[0] = (_turned(scalar.bitcast(element, stored)) + shift).value
    rewriter.place_before(last)
    total = Scalar(rewriter, rewriter.add(_reduction_of(op, PAYLOAD_TYPES[stored])), stored)
    rewriter.replace(op, [scalar.bitcast(_turned(total - shift), dtype).value])


def _reduction_of(op: ReduceOp, type_: Attribute) -> ReduceOp:
    """Return the same reduction of another type, which takes the body over."""
    extents, block = op.extents, op.block
    op.regions[0].detach_block(block)
    lanes, length = op.lane_count, op.elements_per_block
    return ReduceOp.make(op.kind.data, extents, [type_], block, lanes=lanes, block=length)


def _turned(bits: Scalar) -> Scalar:
    """Return what has the other order where the sign is set; twice is nothing."""
    highest = (1 << (bits.dtype.bits - 1)) - 1
    return bits ^ ((bits >> (bits.dtype.bits - 1)) & highest)
