"""What does a kernel know of the registers of the machine, and what does it want of them?"""

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


@irdl_op_definition
class ClearRegistersOp(IRDLOperation):
    """Keep no vector in a register from before to after this: `kernel.clear_registers`.

    A hint, which changes no value. It stands in front of a loop that wants all registers, where a
    compiler might keep some for what the rest of the kernel wants again behind it.
    """

    name = "kernel.clear_registers"

    @classmethod
    def make(cls) -> Self:
        """Build the hint."""
        return make_op(cls)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        return cls.make()
