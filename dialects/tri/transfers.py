"""How do elements get from one device to another? As bytes, between buffers of both."""

from __future__ import annotations

from typing import Self

from xdsl.dialects.builtin import IntegerAttr, LocationAttr
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, operand_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from ..attributes.extents import storage_extent
from ..attributes.spec import TensorSpec
from .sizes import SizeAttr, integer_attribute, integer_of
from .types import TensorType


@irdl_op_definition
class CopyBytesOp(IRDLOperation):
    """Bytes brought into memory of another device: `tri.copy_bytes %x[6] into %0 : t into t`.

    The whole of `target` is filled with as many bytes of `source`; the number in brackets counts
    elements of the target's dtype from the first element of the source.
    """

    name = "tri.copy_bytes"
    source = operand_def(TensorType)
    target = operand_def(TensorType)
    offset = prop_def(base(IntegerAttr) | base(SizeAttr))

    @classmethod
    def make(
        cls, source: SSAValue, offset: int, target: SSAValue, location: LocationAttr | None = None
    ) -> Self:
        """Build the copy; `offset` counts elements of the target's dtype."""
        properties = {"offset": integer_attribute(offset)}
        return cls.create(operands=(source, target), properties=properties, location=location)

    @property
    def first(self) -> int:
        """The first element that is read."""
        return integer_of(self.offset)

    @property
    def nbytes(self) -> int:
        """How many bytes are copied."""
        return _span(self._spec(1))

    def _spec(self, index: int) -> TensorSpec:
        kind = self.operands[index].type
        assert isinstance(kind, TensorType)
        return kind.data

    def verify_(self) -> None:
        """The source is on another device than the target and holds as much."""
        source, target = self._spec(0), self._spec(1)
        if source.device == target.device:
            raise VerifyException(f"tri.copy_bytes: both memories are on {source.device}")
        end = self.first * target.dtype.itemsize + _span(target)
        if self.first < 0 or end > _span(source):
            raise VerifyException(
                f"tri.copy_bytes: bytes up to {end} are read, but the source has {_span(source)}"
            )

    def print(self, printer: Printer) -> None:
        """Print source, offset, target and types."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(f"[{self.first!r}] into ")
        printer.print_ssa_value(self.operands[1])
        printer.print_string(" : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" into ")
        printer.print_attribute(self.operands[1].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse source, offset, target and types."""
        source = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            offset = parser.parse_integer(allow_boolean=False)
        parser.parse_keyword("into")
        target = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_keyword("into")
        target_type = parser.parse_type()
        return cls.make(
            parser.resolve_operand(source, source_type),
            offset,
            parser.resolve_operand(target, target_type),
        )


def _span(spec: TensorSpec) -> int:
    return storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
