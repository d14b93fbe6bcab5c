"""What will be read soon? A hint, which changes no value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..making import make_op, operands_of
from .syntax import parse_value, parse_values, print_values
from .types import buffer_type_of, i64, type_of_index

#: The caches, the nearest first.
CACHES = NEAREST, SECOND = 1, 2


@irdl_op_definition
class PrefetchOp(IRDLOperation):
    """Ask for what lies at and beside an element: `kernel.prefetch %x[%i, %j] into 2`.

    The number is that of the cache. The element must be one that the kernel may touch.
    """

    name = "kernel.prefetch"
    arguments = var_operand_def()
    cache = prop_def(IntegerAttr)

    @classmethod
    def make(cls, buffer: SSAValue, indices: Sequence[SSAValue], cache: int) -> Self:
        """Build the hint."""
        properties = {"cache": IntegerAttr(cache, i64)}
        return make_op(cls, operands=[buffer, *indices], properties=properties)

    @property
    def buffer(self) -> SSAValue:
        """Where it lies."""
        return operands_of(self)[0]

    @property
    def indices(self) -> Sequence[SSAValue]:
        """One index per dimension."""
        return operands_of(self)[1:]

    def verify_(self) -> None:
        """Check the indices and the cache."""
        rank = buffer_type_of(self.buffer).rank
        if len(self.indices) != rank:
            raise VerifyException(
                f"kernel.prefetch: expected {rank} indices, got {len(self.indices)}"
            )
        if any(index.type != type_of_index for index in self.indices):
            raise VerifyException("kernel.prefetch: expected indices of type index")
        if self.cache.value.data not in CACHES:
            raise VerifyException(
                f"kernel.prefetch: expected one of the caches {CACHES}, got {self.cache.value.data}"
            )

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.buffer)
        print_values(printer, self.indices, "[]")
        printer.print_string(f" into {self.cache.value.data}")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        buffer = parse_value(parser)
        indices = parse_values(parser, Parser.Delimiter.SQUARE)
        parser.parse_keyword("into")
        return cls.make(buffer, indices, parser.parse_integer(allow_negative=False))
