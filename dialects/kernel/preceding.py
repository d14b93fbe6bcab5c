"""How do lanes meet what lies before them?"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IntegerAttr, VectorType
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..making import make_op, operands_of
from .types import i64, lanes_of


@irdl_op_definition
class PrecedingOp(IRDLOperation):
    """What precedes lanes: `%p = kernel.preceding %v by 2 : vector<8xf32>`.

    Of blocks of two lanes every other one holds the last lane of the block before it, in all of its
    lanes; those between are as they were: lanes 0 to 7 become 0, 1, 1, 1, 4, 5, 5, 5. Combined so
    by 1, 2, 4 ..., each lane has met all lanes before it.
    """

    name = "kernel.preceding"
    vector = operand_def(VectorType)
    block = prop_def(IntegerAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, vector: SSAValue, lanes: int) -> Self:
        """Build what precedes blocks of so many lanes."""
        properties = {"block": IntegerAttr(lanes, i64)}
        return make_op(cls, operands=[vector], result_types=[vector.type], properties=properties)

    @property
    def by(self) -> int:
        """How many lanes a block has."""
        return self.block.value.data

    @property
    def sources(self) -> list[int]:
        """The lane of the operand that each lane of the result holds."""
        lanes = range(lanes_of(self.result.type))
        return [(lane & -self.by) - 1 if lane & self.by else lane for lane in lanes]

    def verify_(self) -> None:
        """Check the type and the blocks."""
        type_ = operands_of(self)[0].type
        if self.result.type != type_:
            raise VerifyException(f"kernel.preceding: expected {type_}, got {self.result.type}")
        if self.by < 1 or self.by & (self.by - 1) or lanes_of(type_) % (2 * self.by):
            raise VerifyException(
                f"kernel.preceding: expected pairs of blocks of 1, 2, 4 ... lanes in {type_}, got "
                f"blocks of {self.by}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(operands_of(self)[0])
        printer.print_string(f" by {self.by} : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        vector = parser.parse_unresolved_operand()
        parser.parse_keyword("by")
        lanes = parser.parse_integer(allow_negative=False)
        parser.parse_punctuation(":")
        return cls.make(parser.resolve_operand(vector, parser.parse_type()), lanes)
