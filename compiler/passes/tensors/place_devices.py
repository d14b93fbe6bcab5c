"""On which device does each operation run? Mixed devices refused, 0-dim CPU operands moved.

Before::

    %0 = tri.add %x, %s : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> ...

After::

    %1 = tri.transfer %s {device = #tri.device<"opencl:0">} : !tri.tensor<f32> -> ...
    %0 = tri.add %x, %1 : !tri.tensor<4xf32, device="opencl:0">, ... -> ...

A transfer moves bytes as they lie: what lies otherwise than the result is cloned into its strides
first, on the device where it is.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from ....dialects.attributes.spec import TensorSpec
from ....dialects.diagnostics import TrilithRuntimeError
from ....dialects.ops.frame.opspec import TransferOp
from ....dialects.tri.ops import TensorOperation, op_class, spec_of, tensor_spec
from ....dialects.tri.structure import ConstantOp
from ...analysis.locations import location_of_op


@dataclass(frozen=True)
class PlaceDevicesPass(ModulePass):
    """Insert the one automatic transfer there is, and refuse every other mixture."""

    name = "tri-place-devices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Place the operations of every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                _Placement().run(list(func.body.block.ops))


class _Placement:
    """One function's placement; what was moved once is used again."""

    def __init__(self) -> None:
        self.moved: dict[tuple[SSAValue, object], SSAValue] = {}

    def run(self, operations: list[object]) -> None:
        """Place each operation."""
        for op in operations:
            if not isinstance(op, TensorOperation):
                continue
            if isinstance(op.ROW, TransferOp):
                _pack(op)
            else:
                self._place(op)

    def _place(self, user: TensorOperation) -> None:
        device = user.spec.device
        for index, operand in enumerate(user.operands):
            spec = spec_of(operand)
            if not isinstance(spec, TensorSpec) or spec.device is device:
                continue
            if isinstance(operand.owner, ConstantOp):
                continue
            if spec.shape or not spec.device.is_host:
                raise TrilithRuntimeError(
                    f"Tensor on device {spec.device} is not on the expected device {device}!",
                    hint="move one of the operands with .to(device) first",
                ).at(location_of_op(user))
            user.operands[index] = self._move(operand, spec, user)

    def _move(self, value: SSAValue, spec: TensorSpec, user: TensorOperation) -> SSAValue:
        device = user.spec.device
        found = self.moved.get((value, device))
        if found is None:
            transfer = op_class("transfer")
            resolved = transfer.ROW.resolve([spec], {"device": device})
            moved = transfer.make([value], resolved, user.location)
            _insert_before(moved, user)
            found = self.moved[value, device] = moved.results[0]
        return found


def _pack(transfer: TensorOperation) -> None:
    """Clone the operand of a transfer into the strides of its result, if it lies otherwise."""
    spec = tensor_spec(transfer.operands[0])
    wanted = transfer.spec.strides
    if spec.numel > 1 and spec.strides != wanted:
        packed = TensorSpec.of(spec.shape, spec.dtype, spec.device, wanted)
        clone = op_class("clone").of_type([transfer.operands[0]], {}, packed, transfer.location)
        _insert_before(clone, transfer)
        transfer.operands[0] = clone.results[0]


def _insert_before(op: TensorOperation, user: TensorOperation) -> None:
    block = user.parent
    assert block is not None
    block.insert_op_before(op, user)
