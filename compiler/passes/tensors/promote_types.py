"""How do operands come to agree in dtype? Casts made explicit, weak numbers made typed.

Before::

    %c = tri.constant 2 : !tri.scalar<int>
    %0 = tri.add %i, %x : !tri.tensor<4xsi32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    %1 = tri.mul %0, %c : !tri.tensor<4xf32>, !tri.scalar<int> -> !tri.tensor<4xf32>

After::

    %2 = tri.cast %i {dtype = f32} : !tri.tensor<4xsi32> -> !tri.tensor<4xf32>
    %0 = tri.add %2, %x : !tri.tensor<4xf32>, !tri.tensor<4xf32> -> !tri.tensor<4xf32>
    %3 = tri.constant 2.0 : !tri.tensor<f32>
    %1 = tri.mul %0, %3 : !tri.tensor<4xf32>, !tri.tensor<f32> -> !tri.tensor<4xf32>

Below this pass the operands of an operation have the dtypes that its row computes on.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.device import Device
from ....dialects.attributes.dtype import DType
from ....dialects.attributes.spec import ScalarSpec, TensorSpec
from ....dialects.ops.frame.opspec import ElementwiseOp
from ....dialects.ops.scalars.numbers import convert_number
from ....dialects.tri.ops import TensorOperation, op_class, spec_of
from ....dialects.tri.structure import ConstantOp


@dataclass(frozen=True)
class PromoteTypesPass(ModulePass):
    """Insert the casts that type promotion implies."""

    name = "tri-promote-types"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Promote in every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _Promotion(func.body.block).run()


class _Promotion:
    """One function's promotion; a cast that was made once is used again."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.made: dict[tuple[SSAValue, DType, Device], SSAValue] = {}
        self.weak: list[Operation] = []

    def run(self) -> None:
        """Walk the function once, then drop the weak constants nobody uses any more."""
        for op in list(self.block.ops):
            if isinstance(op, TensorOperation):
                self._promote(op)
            elif isinstance(op, ConstantOp) and isinstance(spec_of(op.results[0]), ScalarSpec):
                self.weak.append(op)
        for op in self.weak:
            if not op.results[0].uses:
                op.detach()
                op.erase()

    def _promote(self, op: TensorOperation) -> None:
        specs = [spec_of(operand) for operand in op.operands]
        row = op.ROW
        if isinstance(row, ElementwiseOp):
            dtypes, _ = row.promotion(specs, op.values())
        else:
            dtypes = row.resolve(specs, op.values()).operand_dtypes
        if row.converts_numbers:
            # Their numbers are converted where they are used.
            return
        for index, (spec, dtype) in enumerate(zip(specs, dtypes, strict=True)):
            if isinstance(spec, ScalarSpec) or spec.dtype is not dtype:
                op.operands[index] = self._convert(op, op.operands[index], dtype)

    def _convert(self, user: TensorOperation, value: SSAValue, dtype: DType) -> SSAValue:
        key = (value, dtype, user.spec.device)
        found = self.made.get(key)
        if found is not None:
            return found
        made = self._make(user, value, dtype)
        self.block.insert_op_before(made, user)
        result = made.results[0]
        result.name_hint = value.name_hint
        self.made[key] = result
        return result

    def _make(self, user: TensorOperation, value: SSAValue, dtype: DType) -> Operation:
        owner = value.owner
        spec = spec_of(value)
        if isinstance(owner, ConstantOp) and isinstance(spec, ScalarSpec):
            typed = TensorSpec.of((), dtype, user.spec.device)
            return ConstantOp.make(convert_number(owner.number, dtype), typed, owner.location)
        cast = op_class("cast")
        if isinstance(spec, ScalarSpec):
            # A number has no device: it goes into the kernel where it is used.
            typed = TensorSpec.of((), dtype, user.spec.device)
            return cast.of_type([value], {"dtype": dtype}, typed, user.location)
        resolved = cast.ROW.resolve([spec], {"dtype": dtype})
        return cast.make([value], resolved, user.location)
