"""How does scalar code say that something is seldom wanted?

A `select` computes both of its sides. Where one of them is long, and most elements want the other
one, code for several lanes can pass it by if none of them wants it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from .syntax import close, parse_body, parse_value, parse_values, print_body, print_values
from .terminators import YieldOp, verify_yield
from .types import i1


def is_nest(op: Operation) -> bool:
    """Whether an op has loops, or a choice of what is done: more than scalar code."""
    return bool(op.regions) and not isinstance(op, RarelyOp)


@irdl_op_definition
class RarelyOp(IRDLOperation):
    """What its body yields where a condition holds, else what is usual; it has no effects.

    `%r, %n = kernel.rarely %c { ... kernel.yield %a, %b : f32, i32 } else (%x, %y)`.
    """

    name = "kernel.rarely"
    condition = operand_def(i1)
    usual = var_operand_def()
    outputs = var_result_def()
    body = region_def("single_block")
    traits = traits_def(Pure())

    @classmethod
    def make(cls, condition: SSAValue, body: Block, usual: Sequence[SSAValue]) -> Self:
        """Build a choice whose body yields as many values as are usual."""
        return cls.create(
            operands=[condition, *usual],
            result_types=[value.type for value in usual],
            regions=[Region(close(body, YieldOp.create))],
        )

    @property
    def block(self) -> Block:
        """The block of the body."""
        return self.regions[0].block

    def verify_(self) -> None:
        """Check that body, usual values and results agree."""
        verify_yield(self.name, self.body, [value.type for value in self.usual])
        verify_yield(self.name, self.body, self.result_types)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.condition)
        print_body(printer, self.body)
        printer.print_string(" else ")
        print_values(printer, self.usual)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        condition = parse_value(parser)
        body = parse_body(parser, (), YieldOp.create)
        parser.parse_keyword("else")
        usual = parse_values(parser, Parser.Delimiter.PAREN)
        return cls.create(
            operands=[condition, *usual],
            result_types=[value.type for value in usual],
            regions=[body],
        )
