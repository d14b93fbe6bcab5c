"""How wide are the registers of the machine? Asked by kernels that become text for any machine."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IntegerAttr
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..making import make_op
from .types import i1, i64


@irdl_op_definition
class HasRegistersOp(IRDLOperation):
    """Whether vectors of so many bits fit registers: `%w = kernel.has_registers 512`.

    Any answer is right: what depends on it may differ in speed alone.
    """

    name = "kernel.has_registers"
    width = prop_def(IntegerAttr)
    result = result_def(i1)
    traits = traits_def(Pure())

    @classmethod
    def make(cls, bits: int) -> Self:
        """Build the question."""
        return make_op(cls, properties={"width": IntegerAttr(bits, i64)}, result_types=[i1])

    @property
    def bits(self) -> int:
        """The width that is asked for."""
        return self.width.value.data

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(f" {self.bits}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        return cls.make(parser.parse_integer(allow_negative=False))
