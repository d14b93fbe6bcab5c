"""How does a function change its arguments? At its end, by `tri.write`.

Inside, everything is a value: what the program writes becomes a new value, and reads of the memory
become reads of that. What is left at the end of the function is to bring the last values back.
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import LocationAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, opt_prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .types import TensorType


@irdl_op_definition
class WriteOp(IRDLOperation):
    """Elements brought into an argument's memory: `tri.write %0 into %x : <type> into <type>`.

    `target` is an argument of the function or a view of one. Writes stand at the end of a function,
    and happen in their order. One that is `direct` has been given to the operation that computes
    the value: that operation writes into the target itself.
    """

    name = "tri.write"
    value = operand_def(TensorType)
    target = operand_def(TensorType)
    direct = opt_prop_def(UnitAttr)

    @classmethod
    def make(cls, value: SSAValue, target: SSAValue, location: LocationAttr | None = None) -> Self:
        """Build the write of a value of the target's shape and dtype."""
        return cls.create(operands=(value, target), location=location)

    @property
    def is_direct(self) -> bool:
        """Whether the operation that computes the value writes it into the target."""
        return self.properties.get("direct") is not None

    def make_direct(self) -> None:
        """Leave the write to the operation that computes the value."""
        self.properties["direct"] = UnitAttr()

    def verify_(self) -> None:
        """Value and target agree in shape, dtype and device."""
        value, target = self.operands[0].type, self.operands[1].type
        assert isinstance(value, TensorType)
        assert isinstance(target, TensorType)
        for what in ("shape", "dtype", "device"):
            expected, found = getattr(target.data, what), getattr(value.data, what)
            if expected != found:
                raise VerifyException(
                    f"tri.write: the value's {what} must be the target's, {expected}, but is "
                    f"{found}"
                )

    def print(self, printer: Printer) -> None:
        """Print value, target and their types."""
        printer.print_string(" ")
        if self.is_direct:
            printer.print_string("direct ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(" into ")
        printer.print_ssa_value(self.operands[1])
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" into ")
        printer.print_attribute(self.operands[1].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse value, target and their types."""
        is_direct = parser.parse_optional_keyword("direct") is not None
        value = parser.parse_unresolved_operand()
        parser.parse_keyword("into")
        target = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        value_type = parser.parse_type()
        parser.parse_keyword("into")
        target_type = parser.parse_type()
        op = cls.make(
            parser.resolve_operand(value, value_type), parser.resolve_operand(target, target_type)
        )
        if is_direct:
            op.make_direct()
        return op
