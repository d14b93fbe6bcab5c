"""`kernel-expand-math`: mathematical functions become arithmetic, the same on every target.

Before:

    kernel.map (%i) to (%n) {
      %0 = kernel.load %x[%i] : f32
      %1 = math.tanh %0 : f32
      kernel.store %1, %y[%i]
    }

After, with the constants of all expansions at the start of the kernel:

    %c = arith.constant 1.000000e+00 : f32
    ...
    kernel.map (%i) to (%n) {
      %0 = kernel.load %x[%i] : f32
      %1 = arith.mulf %0, %0 : f32
      ...                            // straight-line arith, math.fma and math.floor
      kernel.store %9, %y[%i]
    }

The arithmetic is that of `dialects/ops/expansions`. Roundings, sqrt, fma, absf and copysign stay:
machines have them. The pass reads the structured form, where the payload is scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from ....dialects.attributes.dtype import DType, float32, float64
from ....dialects.diagnostics import UnsuitableIr
from ....dialects.kernel.arithmetic import FmodOp
from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.payload_rewriter import PayloadRewriter
from ....dialects.kernel.types import f32, f64
from ....dialects.making import all_operations
from ....dialects.ops.scalars.expansions.registry import EXPANSIONS
from ....dialects.ops.scalars.expansions.remainder import quick_fmod
from ....dialects.ops.scalars.scalar import Scalar

#: Op -> name of its expansion.
FUNCTIONS: dict[type[Operation], str] = {
    math.ExpOp: "exp",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.LogOp: "log",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.SinOp: "sin",
    math.CosOp: "cos",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.ErfOp: "erf",
    math.PowFOp: "pow",
}
#: What is written as arithmetic where code may branch, and by which function.
BRANCHING: dict[type[Operation], Callable[..., Scalar]] = {FmodOp: quick_fmod}
_DTYPES: dict[Attribute, DType] = {f32: float32, f64: float64}


@dataclass(frozen=True)
class ExpandMathPass(ModulePass):
    """Expand the mathematical functions in all kernels of a module."""

    name = "kernel-expand-math"
    branches: bool = False
    """Whether what is seldom wanted is passed by: for schedules that know `kernel.rarely`."""
    ldexp: bool = False
    """Whether the target multiplies with a power of two by `kernel.ldexp`, one instruction."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Rewrite the kernels in place."""
        for function in op.body.block.ops:
            if isinstance(function, FuncOp):
                expand_math(function, branches=self.branches, has_ldexp=self.ldexp)


def expand_math(function: FuncOp, *, branches: bool = False, has_ldexp: bool = False) -> None:
    """Expand the mathematical functions of one kernel in place.

    >>> (kernel,) = tri.trace(tri.exp, tri.spec((2,), tri.float32)).lower().kernels
    >>> expand_math(kernel)
    >>> any(isinstance(op, math.ExpOp) for op in kernel.walk())
    False
    """
    branching = BRANCHING if branches else {}
    found = [
        op for op in all_operations(function) if type(op) in FUNCTIONS or type(op) in branching
    ]
    if not found:
        return
    rewriter = PayloadRewriter(function, branches=branches, has_ldexp=has_ldexp)
    for op in found:
        type_ = op.results[0].type
        dtype = _DTYPES.get(type_)
        if dtype is None:
            message = f"kernel-expand-math: expected {op.name} on f32 or f64, got {type_}"
            raise UnsuitableIr(message, op)
        rewriter.location = op.location
        operands = [rewriter.scalar(operand, dtype) for operand in op.operands]
        write = branching.get(type(op)) or EXPANSIONS[FUNCTIONS[type(op)]]
        result = write(*operands)
        rewriter.replace(op, [result.value])
    rewriter.finish()
