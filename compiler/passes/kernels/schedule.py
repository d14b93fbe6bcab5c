"""`kernel-schedule`: which loops, vectors and order of memory does a target run a kernel with?

Before:

    kernel.map (%i) to (%n) {
      %v = kernel.load %x[%i] : f32
      %r = arith.addf %v, %v : f32
      kernel.store %r, %y[%i]
    }

After, for a CPU with vectors of 256 bits:

    %whole = arith.andi %n, %c-8 : index
    kernel.for %i = %c0 to %whole step %c8 {
      %v = kernel.load %x[%i] : vector<8xf32>
      %r = arith.addf %v, %v : vector<8xf32>
      kernel.store %r, %y[%i]
    }
    kernel.if %rest {    // the same once more, under a mask
    }

A long body is built once, and only its loads and stores stand there with and without a mask. With
`hurried`, for code that a few short launches wait for, the CPU's maps run on scalars:

    kernel.for %i = %c0 to %n step %c1 {
      %v = kernel.load %x[%i] : f32
      %r = arith.addf %v, %v : f32
      kernel.store %r, %y[%i]
    }

What is chosen depends on the target, these options and the kernel alone, never on sizes, and never
changes a result. The schedules are in `compiler/schedules`; the row of the target names its own.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp
from xdsl.passes import ModulePass

from ....dialects.kernel.function import FuncOp
from ....dialects.kernel.scheduled import VECTOR_BITS
from ....dialects.kernel.types import i64
from ....dialects.making import all_operations
from ...analysis.transposed_loads import lies_across
from ...analysis.wide_vectors import has_much_arithmetic
from ...targets.table import DEFAULT, target_named


@dataclass(frozen=True)
class SchedulePass(ModulePass):
    """Turn every kernel of a module into its scheduled form."""

    name = "kernel-schedule"
    target: str = DEFAULT
    vector_bits: int = 256
    wide_vector_bits: int = 0
    """The width for kernels of much arithmetic, which then say so; 0: no other."""
    hurried: bool = False
    """Whether to make code that takes less time to make and more to run, if the target has such."""

    def __post_init__(self) -> None:
        """Refuse a target that has no schedule."""
        target_named(self.target)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Replace the kernels in place."""
        block = op.body.block
        for function in [kernel for kernel in block.ops if isinstance(kernel, FuncOp)]:
            block.insert_op_before(self._scheduled(function), function)
            function.detach()  # to erase it, too, would walk over what nobody holds any more

    def _scheduled(self, function: FuncOp) -> FuncOp:
        target = target_named(self.target)
        make = (self.hurried and target.hurried_schedule) or target.schedule
        assert make is not None
        operations = all_operations(function)
        is_wide = has_much_arithmetic(operations) or lies_across(operations)
        if not self.wide_vector_bits or not is_wide:
            return make()(function, self.vector_bits)
        result = make()(function, self.wide_vector_bits)
        result.attributes[VECTOR_BITS] = IntegerAttr(self.wide_vector_bits, i64)
        return result
