"""How far apart do neighbours lie?"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IntegerAttr
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
from .syntax import parse_value
from .types import buffer_type_of, i64, type_of_index


@irdl_op_definition
class StrideOp(IRDLOperation):
    """How many elements there are between neighbours: `%s = kernel.stride %x along 0`.

    So code may be there for memory that lies in one way, beside code for any.
    """

    name = "kernel.stride"
    buffer = operand_def()
    along = prop_def(IntegerAttr)
    result = result_def(type_of_index)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, buffer: SSAValue, along: int) -> Self:
        """Build the question."""
        properties = {"along": IntegerAttr(along, i64)}
        return make_op(cls, operands=[buffer], result_types=[type_of_index], properties=properties)

    @property
    def dimension(self) -> int:
        """The dimension in which they are neighbours."""
        return self.along.value.data

    def verify_(self) -> None:
        """Check the dimension."""
        rank = buffer_type_of(operands_of(self)[0]).rank
        if not 0 <= self.dimension < rank:
            raise VerifyException(f"kernel.stride: expected along < {rank}, got {self.dimension}")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(operands_of(self)[0])
        printer.print_string(f" along {self.dimension}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        buffer = parse_value(parser)
        parser.parse_keyword("along")
        return cls.make(buffer, parser.parse_integer(allow_negative=False))
