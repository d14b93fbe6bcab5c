"""How does a body end, and what does it hand out?"""

from collections.abc import Sequence
from typing import Self

from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, traits_def, var_operand_def
from xdsl.traits import IsTerminator
from xdsl.utils.exceptions import VerifyException

from ..making import make_op


@irdl_op_definition
class YieldOp(IRDLOperation):
    """End a body and hand out its values: `kernel.yield %v : f32`; without values not printed."""

    name = "kernel.yield"
    arguments = var_operand_def()
    traits = traits_def(IsTerminator())
    assembly_format = "attr-dict ($arguments^ `:` type($arguments))?"

    @classmethod
    def make(cls, values: Sequence[SSAValue] = ()) -> Self:
        """Build the end of a body."""
        return make_op(cls, operands=values)


def verify_yield(name: str, region: Region, types: Sequence[Attribute], what: str = "body") -> None:
    """Check that a region ends with a `kernel.yield` of values of these types."""
    last = region.blocks[0].last_op
    if not isinstance(last, YieldOp):
        raise VerifyException(f"{name}: expected the {what} to end with kernel.yield")
    got = [operand.type for operand in last.operands]
    if got != list(types):
        raise VerifyException(
            f"{name}: expected the {what} to yield ({listed(types)}), got ({listed(got)})"
        )


def listed(types: Sequence[Attribute]) -> str:
    """Return types as a message shows them."""
    return ", ".join(map(str, types))
