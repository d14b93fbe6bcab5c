"""Where does a line of a cache begin?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..making import make_op, operands_of
from .syntax import parse_value, parse_values, print_values
from .types import buffer_type_of, type_of_index

#: Bytes of a line of a cache.
LINE = 64


@irdl_op_definition
class InLineOp(IRDLOperation):
    """How many bytes of its line lie in front of an element: `%b = kernel.in_line %x[%i, %j]`.

    So whole lines may be written where they begin. The element need not be there.
    """

    name = "kernel.in_line"
    arguments = var_operand_def()
    result = result_def(type_of_index)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, buffer: SSAValue, indices: Sequence[SSAValue]) -> Self:
        """Build the question."""
        return make_op(cls, operands=[buffer, *indices], result_types=[type_of_index])

    @property
    def buffer(self) -> SSAValue:
        """Where the element lies."""
        return operands_of(self)[0]

    @property
    def indices(self) -> Sequence[SSAValue]:
        """One index per dimension."""
        return operands_of(self)[1:]

    def verify_(self) -> None:
        """Check the indices."""
        rank = buffer_type_of(self.buffer).rank
        if len(self.indices) != rank:
            raise VerifyException(
                f"kernel.in_line: expected {rank} indices, got {len(self.indices)}"
            )
        if any(index.type != type_of_index for index in self.indices):
            raise VerifyException("kernel.in_line: expected indices of type index")

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.buffer)
        print_values(printer, self.indices, "[]")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        buffer = parse_value(parser)
        return cls.make(buffer, parse_values(parser, Parser.Delimiter.SQUARE))
