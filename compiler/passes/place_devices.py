"""On which device does each operation run? Mixed devices refused, 0-dim CPU operands moved.

Before::

    %0 = tri.add %x, %s : !tri.tensor<4xf32, device="opencl:0">, !tri.tensor<f32> -> ...

After::

    %1 = tri.transfer %s {device = #tri.device<"opencl:0">} : !tri.tensor<f32> -> ...
    %0 = tri.add %x, %1 : !tri.tensor<4xf32, device="opencl:0">, ... -> ...
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.tri.ops import TensorOperation, op_class, spec_of
from ...dialects.tri.structure import ConstantOp
from .locate import location_of_op


@dataclass(frozen=True)
class PlaceDevicesPass(ModulePass):
    """Insert the one automatic transfer there is, and refuse every other mixture."""

    name = "tri-place-devices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Place the operations of every function."""
        for func in op.ops:
            if isinstance(func, FuncOp) and func.body.blocks:
                for user in list(func.body.block.ops):
                    if isinstance(user, TensorOperation) and user.ROW.name != "transfer":
                        _place(user)


def _place(user: TensorOperation) -> None:
    device = user.spec.device
    for index, operand in enumerate(user.operands):
        spec = spec_of(operand)
        if not isinstance(spec, TensorSpec) or spec.device is device:
            continue
        if isinstance(operand.owner, ConstantOp):
            continue
        if spec.shape or spec.device.type != "cpu":
            raise TrilithRuntimeError(
                f"Tensor on device {spec.device} is not on the expected device {device}!",
                hint="move one of the operands with .to(device) first",
            ).at(location_of_op(user))
        transfer = op_class("transfer")
        resolved = transfer.ROW.resolve([spec], {"device": device})
        moved = transfer.make([operand], resolved, user.location)
        block = user.parent
        assert block is not None
        block.insert_op_before(moved, user)
        user.operands[index] = moved.results[0]
