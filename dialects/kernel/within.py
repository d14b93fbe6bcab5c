"""Where in a window of an index does it stand, if it stands there at all?"""

from __future__ import annotations

from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..making import make_op
from .syntax import parse_value
from .types import i1, type_of_index


@irdl_op_definition
class WithinOp(IRDLOperation):
    """Its place, and whether it has one: `%p, %in = kernel.within %i from %first size %n`.

    The window has `n` places, and place 0 is at index `first`, which may be negative. The place is
    0 outside, so that it is always one of those that a window with elements has.
    """

    name = "kernel.within"
    index = operand_def(type_of_index)
    first = operand_def(type_of_index)
    size = operand_def(type_of_index)
    place = result_def(type_of_index)
    is_inside = result_def(i1)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, index: SSAValue, first: SSAValue, size: SSAValue) -> Self:
        """Build the question."""
        return make_op(cls, operands=[index, first, size], result_types=[type_of_index, i1])

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        for word, value in zip(
            (" ", " from ", " size "), (self.index, self.first, self.size), strict=True
        ):
            printer.print_string(word)
            printer.print_operand(value)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        index = parse_value(parser)
        parser.parse_keyword("from")
        first = parse_value(parser)
        parser.parse_keyword("size")
        return cls.make(index, first, parse_value(parser))
