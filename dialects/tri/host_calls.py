"""How does a lowered function compute on the host? By a call that reads memory and fills memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

from xdsl.dialects.builtin import IntegerAttr, LocationAttr, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..ops.frame.argument_values import AttributeValue
from ..ops.frame.host_bodies import HostBodyOp
from ..ops.frame.row import TABLE
from .attributes import from_attributes, to_attributes
from .types import TensorType


@irdl_op_definition
class HostCallOp(IRDLOperation):
    """A call of a row's host body::

    tri.host_call "sort"(%x) into (%0, %1) {dim = 0 : i64} : !tri.tensor<3xf32>, ...

    It reads the first operands and fills the memory of the others. `origin` is the user's line, of
    a body that may raise an error.
    """

    name = "tri.host_call"
    arguments = var_operand_def(TensorType)
    row = prop_def(StringAttr)
    reads = prop_def(IntegerAttr)
    origin = opt_prop_def(StringAttr)

    @classmethod
    def make(
        cls,
        row: HostBodyOp,
        operands: Sequence[SSAValue],
        results: Sequence[SSAValue],
        values: Mapping[str, AttributeValue],
        origin: str = "",
        location: LocationAttr | None = None,
    ) -> Self:
        """Build the call of the body of a row, with its canonical static values."""
        attributes = to_attributes(row, values)
        return cls._of(row.name, operands, results, attributes, origin, location)

    @classmethod
    def _of(
        cls,
        row: str,
        operands: Sequence[SSAValue],
        results: Sequence[SSAValue],
        attributes: Mapping[str, Attribute],
        origin: str = "",
        location: LocationAttr | None = None,
    ) -> Self:
        properties: dict[str, Attribute] = {
            "row": StringAttr(row),
            "reads": IntegerAttr(len(operands), i64),
        }
        if origin:
            properties["origin"] = StringAttr(origin)
        return cls.create(
            operands=[*operands, *results],
            properties=properties,
            attributes=dict(attributes),
            location=location,
        )

    @property
    def called(self) -> HostBodyOp:
        """The row whose body is called."""
        row = TABLE[self.row.data]
        assert isinstance(row, HostBodyOp)
        return row

    @property
    def read(self) -> Sequence[SSAValue]:
        """What is read."""
        return self.operands[: self.reads.value.data]

    @property
    def filled(self) -> Sequence[SSAValue]:
        """The memory that is filled."""
        return self.operands[self.reads.value.data :]

    @property
    def line(self) -> str:
        """The user's line as file:line, if an error is to be said of it."""
        return "" if self.origin is None else self.origin.data

    def values(self) -> dict[str, AttributeValue]:
        """Return the static values, defaults filled in."""
        return from_attributes(self.called, self.attributes)

    def verify_(self) -> None:
        """There is such a row, and something is filled that is not read."""
        name = self.row.data
        if not isinstance(TABLE.get(name), HostBodyOp):
            raise VerifyException(f"tri.host_call: '{name}' is no operation with a host body")
        if not 0 <= self.reads.value.data < len(self.operands):
            raise VerifyException("tri.host_call: there is no memory to fill")
        if len({*self.filled, *self.read}) < len(self.filled) + len(set(self.read)):
            raise VerifyException("tri.host_call: memory that is filled must be apart")

    def print(self, printer: Printer) -> None:
        """Print the row, operands, memory, static values and types."""
        printer.print_string(" ")
        printer.print_string_literal(self.row.data)
        with printer.in_parens():
            printer.print_list(self.read, printer.print_ssa_value)
        printer.print_string(" into ")
        with printer.in_parens():
            printer.print_list(self.filled, printer.print_ssa_value)
        if self.attributes:
            printer.print_op_attributes(self.attributes)
        if self.line:
            printer.print_string(" origin ")
            printer.print_string_literal(self.line)
        printer.print_string(" : ")
        printer.print_list([operand.type for operand in self.operands], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the row, operands, memory, static values and types."""
        row = parser.parse_str_literal()
        delimiter, parse = Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        read = parser.parse_comma_separated_list(delimiter, parse)
        parser.parse_keyword("into")
        filled = parser.parse_comma_separated_list(delimiter, parse)
        attributes = parser.parse_optional_attr_dict()
        origin = parser.parse_str_literal() if parser.parse_optional_keyword("origin") else ""
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        values = parser.resolve_operands([*read, *filled], types, parser.pos)
        return cls._of(row, values[: len(read)], values[len(read) :], attributes, origin)
