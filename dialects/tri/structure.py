"""What holds the operations together? Constants, fusions, and the host side of a lowered program.

`tri.constant` is a number, weak (`!tri.scalar<int>`) until promotion gives it a dtype. `tri.fusion`
is a group of operations that become one kernel. After lowering a function allocates with
`tri.empty`, runs kernels with `tri.launch` and returns views made by `tri.strided`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Block, BlockArgument, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove, IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

from ..attributes.dtype import DType
from ..attributes.extents import storage_extent
from ..attributes.spec import ScalarSpec, TensorSpec
from ..attributes.views import Strided
from .size_text import Size, parse_size, parse_sizes
from .sizes import (
    SizeAttr,
    SizesAttr,
    integer_attribute,
    integer_of,
    integers_attribute,
    integers_of,
)
from .types import NumberAttr, ScalarType, TensorType, parse_number, spell_number


@irdl_op_definition
class ConstantOp(IRDLOperation):
    """A number: `%0 = tri.constant 2 : !tri.scalar<int>`, or typed, `!tri.tensor<f32>`."""

    name = "tri.constant"
    value = prop_def(NumberAttr)
    result = result_def(TensorType | ScalarType)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        value: complex,
        spec: TensorSpec | ScalarSpec,
        location: LocationAttr | None = None,
    ) -> Self:
        """Build a constant of a 0-dim tensor or of a weak scalar."""
        kind = TensorType.of(spec) if isinstance(spec, TensorSpec) else ScalarType.of(spec)
        return cls.create(
            result_types=(kind,), properties={"value": NumberAttr(value)}, location=location
        )

    @property
    def number(self) -> bool | int | float | complex:
        """The value."""
        return self.value.data

    def verify_(self) -> None:
        """A typed constant is 0-dim; a weak one has the kind of its value."""
        kind = self.results[0].type
        if isinstance(kind, TensorType) and kind.data.shape:
            raise VerifyException(f"tri.constant: a constant is 0-dim, but its type is {kind}")
        if isinstance(kind, ScalarType) and kind.data is not ScalarSpec.of(self.number):
            raise VerifyException(
                f"tri.constant: {spell_number(self.number)} is not of kind {kind.data.kind}"
            )

    def print(self, printer: Printer) -> None:
        """Print the value and the type."""
        printer.print_string(f" {spell_number(self.number)} : ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the value and the type."""
        value = parse_number(parser)
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        if isinstance(kind, ScalarType) and kind.data.kind == "float" and type(value) is int:
            value = float(value)
        return cls.create(result_types=[kind], properties={"value": NumberAttr(value)})


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The results of a fusion."""

    name = "tri.yield"
    arguments = var_operand_def()
    traits = traits_def(IsTerminator())

    @classmethod
    def make(cls, values: Sequence[SSAValue]) -> Self:
        """Build the end of a fusion."""
        return cls.create(operands=values)

    def print(self, printer: Printer) -> None:
        """Print the values."""
        printer.print_string(" ")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([operand.type for operand in self.operands], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the values."""
        unresolved = parser.parse_comma_separated_list(
            Parser.Delimiter.NONE, parser.parse_unresolved_operand
        )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        return cls.create(operands=parser.resolve_operands(unresolved, types, parser.pos))


@irdl_op_definition
class FusionOp(IRDLOperation):
    """Operations that become one kernel::

    %2 = tri.fusion (%a = %0, %b = %1) -> (!tri.tensor<4xf32>) {
      %3 = tri.mul %a, %b : ...
      tri.yield %3 : !tri.tensor<4xf32>
    }
    """

    name = "tri.fusion"
    inputs = var_operand_def()
    outputs = var_result_def(TensorType)
    body = region_def("single_block")
    traits = traits_def(Pure(), IsolatedFromAbove())

    @classmethod
    def make(
        cls,
        inputs: Sequence[SSAValue],
        types: Sequence[TensorType],
        body: Block,
        location: LocationAttr | None = None,
    ) -> Self:
        """Build a fusion around a block whose arguments stand for `inputs`."""
        return cls.create(
            operands=inputs, result_types=types, regions=[Region(body)], location=location
        )

    @property
    def block(self) -> Block:
        """The operations, ending in a yield."""
        return self.regions[0].block

    def verify_(self) -> None:
        """Arguments have the inputs' types; the yield has the outputs'."""
        block = self.block
        if [argument.type for argument in block.args] != [value.type for value in self.operands]:
            raise VerifyException("tri.fusion: the body's arguments must have the inputs' types")
        end = block.last_op
        if not isinstance(end, YieldOp):
            raise VerifyException("tri.fusion: the body must end with tri.yield")
        if [value.type for value in end.operands] != [result.type for result in self.results]:
            raise VerifyException("tri.fusion: tri.yield must give values of the results' types")

    def print(self, printer: Printer) -> None:
        """Print inputs, types and body."""
        printer.print_string(" (")
        first = True
        for argument, value in zip(self.block.args, self.operands, strict=True):
            if not first:
                printer.print_string(", ")
            first = False
            printer.print_ssa_value(argument)
            printer.print_string(" = ")
            printer.print_ssa_value(value)
            printer.print_string(" : ")
            printer.print_attribute(value.type)
        printer.print_string(") -> (")
        printer.print_list([result.type for result in self.results], printer.print_attribute)
        printer.print_string(") ")
        printer.print_region(self.regions[0], print_entry_block_args=False)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse inputs, types and body."""
        inputs: list[SSAValue] = []

        def parse_input() -> Parser.Argument:
            argument = parser.parse_argument(expect_type=False)
            parser.parse_punctuation("=")
            unresolved = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            kind = parser.parse_type()
            inputs.append(parser.resolve_operand(unresolved, kind))
            return argument.resolve(kind)

        arguments = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parse_input)
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
        region = parser.parse_region(arguments)
        return cls.create(operands=inputs, result_types=types, regions=[region])


@irdl_op_definition
class EmptyOp(IRDLOperation):
    """Memory for a tensor: `%0 = tri.empty : !tri.tensor<4xf32>`, later at an arena offset."""

    name = "tri.empty"
    arena_offset = opt_prop_def(base(IntegerAttr) | base(SizeAttr))
    result = result_def(TensorType)

    @classmethod
    def make(cls, spec: TensorSpec) -> Self:
        """Build an allocation; every one is its own."""
        return cls.create(result_types=(TensorType.of(spec),))

    def place(self, offset: Size) -> None:
        """Put the memory into the function's arena, `offset` bytes from its start."""
        self.properties["arena_offset"] = integer_attribute(offset)

    @property
    def placed(self) -> int | None:
        """The offset in the arena, in bytes; None for memory of its own."""
        return integer_of(self.properties.get("arena_offset"))

    def print(self, printer: Printer) -> None:
        """Print the offset and the type."""
        if self.placed is not None:
            printer.print_string(f" in arena[{self.placed!r}]")
        printer.print_string(" : ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse the offset and the type."""
        offset: Size | None = None
        if parser.parse_optional_keyword("in"):
            parser.parse_keyword("arena")
            with parser.in_square_brackets():
                start = parser.pos
                offset = parse_size(parser)
                if type(offset) is int and offset < 0:
                    parser.raise_error("expected an offset that is not negative", start)
        parser.parse_punctuation(":")
        op = cls.create(result_types=[parser.parse_type()])
        if offset is not None:
            op.place(offset)
        return op


@irdl_op_definition
class StridedOp(IRDLOperation):
    """A view at an offset: `%1 = tri.strided %0[6] : !tri.tensor<..> -> !tri.tensor<..>`.

    The offset counts elements of the result's dtype from the first element of `source`, whatever
    its strides; on an argument of the function it may be negative, since that is a part of a larger
    storage. The result may be another dtype: the same bytes.
    """

    name = "tri.strided"
    source = operand_def(TensorType)
    offset = prop_def(base(IntegerAttr) | base(SizeAttr))
    result = result_def(TensorType)
    traits = traits_def(Pure())

    @classmethod
    def make(
        cls,
        source: SSAValue,
        view: Strided,
        dtype: DType | None = None,
        *,
        is_conj: bool = False,
    ) -> Self:
        """Build the view of a root; without a dtype it is the root's."""
        kind = source.type
        assert isinstance(kind, TensorType)
        dtype = kind.data.dtype if dtype is None else dtype
        device = kind.data.device
        spec = TensorSpec.of(view.shape, dtype, device, view.strides, is_conj=is_conj)
        return cls.create(
            operands=(source,),
            result_types=(TensorType.of(spec),),
            properties={"offset": integer_attribute(view.offset)},
        )

    @property
    def view(self) -> Strided:
        """The view's sizes, strides and offset in the root, in elements of its own dtype."""
        kind = self.results[0].type
        assert isinstance(kind, TensorType)
        offset = integer_of(self.offset)
        return Strided(kind.data.shape, kind.data.strides, offset)

    def verify_(self) -> None:
        """The view lies inside what its source spans, unless that is given by the caller."""
        source = self.operands[0].type
        assert isinstance(source, TensorType)
        found = self.results[0].type
        assert isinstance(found, TensorType)
        if found.data.device != source.data.device:
            raise VerifyException(
                f"tri.strided: the device must be {source.data.device}, "
                f"but the type says {found.data.device}"
            )
        if not isinstance(self.operands[0], BlockArgument):
            self._verify_bounds(source.data, found.data)

    def _verify_bounds(self, source: TensorSpec, found: TensorSpec) -> None:
        span = storage_extent(source.shape, source.strides) * source.dtype.itemsize
        view, limit = self.view, span // found.dtype.itemsize
        reach = storage_extent(view.shape, view.strides, view.offset)
        if view.offset < 0:
            raise VerifyException(
                f"tri.strided: the view begins {-view.offset} elements before its source"
            )
        if reach > limit:
            raise VerifyException(
                f"tri.strided: the view reaches element {reach}, but its source spans {limit}"
            )

    def print(self, printer: Printer) -> None:
        """Print source, offset and types."""
        printer.print_string(" ")
        printer.print_ssa_value(self.operands[0])
        printer.print_string(f"[{self.view.offset!r}] : ")
        printer.print_attribute(self.operands[0].type)
        printer.print_string(" -> ")
        printer.print_attribute(self.results[0].type)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse source, offset and types."""
        unresolved = parser.parse_unresolved_operand()
        with parser.in_square_brackets():
            offset = parse_size(parser)
        parser.parse_punctuation(":")
        source = parser.resolve_operand(unresolved, parser.parse_type())
        parser.parse_punctuation("->")
        return cls.create(
            operands=[source],
            result_types=[parser.parse_type()],
            properties={"offset": integer_attribute(offset)},
        )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """A run of a kernel: `tri.launch @add_0(%x, %y, %0) [12, 0, 0, 0] : ...`.

    Operands are the kernel's buffers and scalars in the order of its arguments; the integers are
    its flat 64-bit arguments (sizes, offsets, strides), 0 where a scalar's bits go. `origins` are
    the user's lines by the number that a failing check reports.
    """

    name = "tri.launch"
    arguments = var_operand_def()
    kernel = prop_def(SymbolRefAttr)
    integers = prop_def(base(DenseArrayBase) | base(SizesAttr))
    origins = opt_prop_def(ArrayAttr[StringAttr])

    @classmethod
    def make(
        cls,
        kernel: str,
        arguments: Sequence[SSAValue],
        integers: Sequence[Size],
        origins: Sequence[str] = (),
        location: LocationAttr | None = None,
    ) -> Self:
        """Build a launch of the kernel called `kernel`."""
        properties: dict[str, Attribute] = {
            "kernel": SymbolRefAttr(kernel),
            "integers": integers_attribute(integers),
        }
        if origins:
            properties["origins"] = ArrayAttr([StringAttr(origin) for origin in origins])
        return cls.create(operands=arguments, properties=properties, location=location)

    @property
    def symbol(self) -> str:
        """The name of the kernel."""
        return self.kernel.root_reference.data

    @property
    def flat_integers(self) -> tuple[int, ...]:
        """The kernel's 64-bit arguments."""
        return integers_of(self.integers)

    @property
    def lines(self) -> tuple[str, ...]:
        """The user's lines, as file:line, by check."""
        return () if self.origins is None else tuple(item.data for item in self.origins.data)

    def print(self, printer: Printer) -> None:
        """Print kernel, operands, integers and types."""
        printer.print_string(f" @{self.symbol}(")
        printer.print_list(self.operands, printer.print_ssa_value)
        printer.print_string(f") [{', '.join(map(repr, self.flat_integers))}]")
        if self.lines:
            printer.print_string(" origins ")
            printer.print_attribute(self.properties["origins"])
        printer.print_string(" : ")
        printer.print_list([operand.type for operand in self.operands], printer.print_attribute)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse kernel, operands, integers and types."""
        kernel = parser.parse_symbol_name().data
        unresolved = parser.parse_comma_separated_list(
            Parser.Delimiter.PAREN, parser.parse_unresolved_operand
        )
        integers = parse_sizes(parser)
        origins: list[str] = []
        if parser.parse_optional_keyword("origins"):
            origins = parser.parse_comma_separated_list(
                Parser.Delimiter.SQUARE, parser.parse_str_literal
            )
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type)
        operands = parser.resolve_operands(unresolved, types, parser.pos)
        return cls.make(kernel, operands, integers, origins)
