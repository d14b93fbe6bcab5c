"""Which payload operations have no home in xDSL's arith? Two on floats, and parts of a complex.

A complex number is one integer in memory and among the values that are only moved; arithmetic takes
its two parts out and puts two parts together.
"""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute, SSAValue
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

from ..making import make_op
from .types import element_of, lanes_of


class _OfTwoFloats(IRDLOperation):
    """An operation on two floats, or on two vectors of them: `%2 = kernel.word %0, %1 : f32`."""

    lhs = operand_def()
    rhs = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def make(cls, lhs: SSAValue, rhs: SSAValue) -> Self:
        """Build the operation; the result has the type of both."""
        return make_op(cls, operands=(lhs, rhs), result_types=(lhs.type,))

    def verify_(self) -> None:
        """Operands and result have one type."""
        types: set[Attribute] = {self.lhs.type, self.rhs.type, self.result.type}
        if len(types) != 1:
            raise VerifyException(f"{self.name}: expected operands and result of one type")

    def print(self, printer: Printer) -> None:
        """Write operands and type."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read operands and type."""
        lhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        rhs = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        return cls.make(parser.resolve_operand(lhs, kind), parser.resolve_operand(rhs, kind))


@irdl_op_definition
class FmodOp(_OfTwoFloats):
    """C's fmod, which is exact: `%2 = kernel.fmod %0, %1 : f32` (MLIR's arith.remf)."""

    name = "kernel.fmod"


@irdl_op_definition
class LdexpOp(_OfTwoFloats):
    """x 2^n, rounded once, for a whole number n that is a float: `%2 = kernel.ldexp %x, %n : f32`.

    Targets that have it say so to `kernel-expand-math`, which alone makes it.
    """

    name = "kernel.ldexp"


def _verify_halves(name: str, whole: Attribute, part: Attribute) -> None:
    bits: int = getattr(element_of(whole), "bitwidth", 0)
    half: int = getattr(element_of(part), "bitwidth", 0)
    if bits != 2 * half or lanes_of(whole) != lanes_of(part):
        raise VerifyException(f"{name}: expected {part} to be half of {whole}")


@irdl_op_definition
class PartOp(IRDLOperation):
    """The real (0) or imaginary (1) part of a complex: `%2 = kernel.part %0, 1 : i64 -> f32`."""

    name = "kernel.part"
    whole = operand_def()
    position = prop_def(IntegerAttr.constr(i64))
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$whole `,` $position attr-dict `:` type($whole) `->` type($result)"

    @classmethod
    def make(cls, whole: SSAValue, position: int, type_: Attribute) -> Self:
        """Build a part of the integer that holds a complex."""
        properties = {"position": IntegerAttr(position, i64)}
        return make_op(cls, operands=(whole,), result_types=(type_,), properties=properties)

    @property
    def at(self) -> int:
        """The number of the part."""
        return self.position.value.data

    def verify_(self) -> None:
        """The part is half as wide."""
        if self.at not in (0, 1):
            raise VerifyException(f"kernel.part: expected part 0 or 1, got {self.at}")
        _verify_halves(self.name, self.whole.type, self.result.type)


@irdl_op_definition
class PairOp(IRDLOperation):
    """A complex from its real and imaginary part: `%2 = kernel.pair %0, %1 : f32 -> i64`."""

    name = "kernel.pair"
    real = operand_def()
    imag = operand_def()
    result = result_def()
    traits = traits_def(Pure())

    @classmethod
    def make(cls, real: SSAValue, imag: SSAValue, type_: Attribute) -> Self:
        """Build the integer that holds two parts."""
        return make_op(cls, operands=(real, imag), result_types=(type_,))

    def verify_(self) -> None:
        """The parts have one type, half as wide."""
        if self.real.type != self.imag.type:
            raise VerifyException("kernel.pair: expected parts of one type")
        _verify_halves(self.name, self.result.type, self.real.type)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_attribute(self.real.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        real = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        imag = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        parser.parse_punctuation("->")
        parts = [parser.resolve_operand(part, kind) for part in (real, imag)]
        return cls.make(parts[0], parts[1], parser.parse_type())
