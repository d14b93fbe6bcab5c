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
from .types import element_of, is_vector, lanes_of, vector_of


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """Vectors as the rows of a rectangle, whose sides are powers of two; the results are columns.

    `%c, %d = kernel.transpose(%a, %b) : vector<2xf64>`. Rows are of one
    type, and there may be more or fewer of them than each has lanes.
    """

    name = "kernel.transpose"
    rows = var_operand_def()
    columns = var_result_def()
    traits = traits_def(Pure())

    @classmethod
    def make(cls, rows: Sequence[SSAValue]) -> Self:
        """Build the columns of rows."""
        type_ = rows[0].type
        if is_vector(type_):
            count, type_ = lanes_of(type_), vector_of(element_of(type_), len(rows))
        else:
            count = len(rows)  # what the verifier refuses
        return make_op(cls, operands=rows, result_types=[type_] * count)

    def verify_(self) -> None:
        """Check that rows are of one type and columns of another one, and how many there are."""
        (first, *others) = {value.type for value in self.operands} or {None}
        if first is None or others or not is_vector(first):
            raise VerifyException("kernel.transpose: expected vectors of one type")
        rows, columns = len(self.operands), lanes_of(first)
        if any(side < 2 or side & (side - 1) for side in (rows, columns)):
            raise VerifyException(
                f"kernel.transpose: expected sides that are powers of two, got {rows} x {columns}"
            )
        column = vector_of(element_of(first), rows)
        if [value.type for value in self.results] != [column] * columns:
            raise VerifyException(f"kernel.transpose: expected {columns} results of {column}")

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
