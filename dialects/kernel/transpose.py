"""How do rows in registers become columns?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from ..making import make_op
from .syntax import parse_values, print_values
from .types import is_vector, lanes_of


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """As many vectors as one has lanes, as the rows of a square; the results are its columns.

    `%c, %d = kernel.transpose(%a, %b) : vector<2xf64>`.
    """

    name = "kernel.transpose"
    rows = var_operand_def()
    columns = var_result_def()
    traits = traits_def(Pure())

    @classmethod
    def make(cls, rows: Sequence[SSAValue]) -> Self:
        """Build the columns of rows."""
        return make_op(cls, operands=rows, result_types=[row.type for row in rows])

    def verify_(self) -> None:
        """Check that rows and columns are as many as they have lanes, and of one type."""
        types = {value.type for value in (*self.operands, *self.results)}
        (first, *others) = types or {None}
        if first is None or others or not is_vector(first):
            raise VerifyException("kernel.transpose: expected vectors of one type")
        if {len(self.operands), len(self.results)} != {lanes_of(first)}:
            raise VerifyException(
                f"kernel.transpose: expected {lanes_of(first)} rows, got {len(self.operands)}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        print_values(printer, self.operands, "()")
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        rows = parse_values(parser, Parser.Delimiter.PAREN)
        parser.parse_punctuation(":")
        type_ = parser.parse_type()
        if any(row.type != type_ for row in rows):
            parser.raise_error(f"expected rows of type {type_}")
        return cls.make(rows)
