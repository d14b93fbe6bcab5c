"""Which payload operation has no home in xDSL's arith? The floating-point remainder."""

from __future__ import annotations

from typing import Self

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class FmodOp(IRDLOperation):
    """C's fmod, which is exact: `%2 = kernel.fmod %0, %1 : f32` (MLIR's arith.remf)."""

    name = "kernel.fmod"
    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def make(cls, lhs: SSAValue, rhs: SSAValue) -> Self:
        """Build the remainder of two floats, or of two vectors of them."""
        return cls.create(operands=(lhs, rhs), result_types=(lhs.type,))

    def verify_(self) -> None:
        """Operands and result have one type."""
        types: set[Attribute] = {self.lhs.type, self.rhs.type, self.result.type}
        if len(types) != 1:
            raise VerifyException("kernel.fmod: expected operands and result of one type")

    def print(self, printer: Printer) -> None:
        """Write operands and type."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read operands and type."""
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.make(parser.resolve_operand(lhs, kind), parser.resolve_operand(rhs, kind))
