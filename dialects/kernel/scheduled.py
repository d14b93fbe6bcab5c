"""How does a kernel iterate once the machine is decided: loops with carried values, conditions."""

from collections.abc import Sequence
from typing import Self

from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    region_def,
    traits_def,
    var_operand_def,
    var_region_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from .structured import YieldOp, verify_yield
from .syntax import (
    close,
    parse_body,
    parse_types,
    parse_value,
    print_body,
    print_types,
)
from .types import i1, type_of_index

#: An attribute of `kernel.parallel items` and `groups`: how many items make a work-group.
GROUP_SIZE = "kernel.local"
#: An attribute of a loop: its iterations are independent, and this many may run as one vector.
AS_LANES = "kernel.lanes"
#: The same for CPUs with vectors of 512 bits; others choose for themselves.
AS_WIDE_LANES = "kernel.wide_lanes"
#: A loop that runs a few times or rarely: vectors would cost more to compile than they save.
AS_SCALARS = "kernel.scalars"
#: An attribute of a kernel: its vectors are of so many bits, which is not the usual width.
VECTOR_BITS = "kernel.vector_bits"
#: On a function that was scheduled in a hurry: it runs some launches slower than it might.
HURRIED = "kernel.hurried"


@irdl_op_definition
class ForOp(IRDLOperation):
    """Count: `%r = kernel.for %i = %lo to %hi step %s iter_args(%a = %x) -> (f32) { ... }`.

    `hi` is excluded, the step is positive, and the body yields the next values of `iter_args`.
    """

    name = "kernel.for"
    arguments = var_operand_def()
    outputs = var_result_def()
    body = region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(
        cls,
        start: SSAValue,
        stop: SSAValue,
        step: SSAValue,
        body: Block,
        inits: Sequence[SSAValue] = (),
    ) -> Self:
        """Build a loop; `body` takes the index and one argument per init, and yields as many."""
        return cls.create(
            operands=[start, stop, step, *inits],
            result_types=[value.type for value in inits],
            regions=[Region(close(body, YieldOp.create))],
        )

    @property
    def block(self) -> Block:
        """The block of the body."""
        return self.regions[0].block

    @property
    def inits(self) -> Sequence[SSAValue]:
        """The first values of the loop-carried arguments."""
        return self.operands[3:]

    def verify_(self) -> None:
        """Check bounds, arguments and what is yielded."""
        operands, arguments = self.operands, self.block.args
        if len(operands) < 3 or len(operands) != len(arguments) + 2:
            raise VerifyException(
                f"kernel.for: expected start, stop, step and {len(arguments) - 1} init values, "
                f"got {len(operands)} operands"
            )
        for value in (*operands[:3], arguments[0]):
            if value.type != type_of_index:
                raise VerifyException(
                    f"kernel.for: expected bounds of type index, got {value.type}"
                )
        types = [value.type for value in operands[3:]]
        if [argument.type for argument in arguments[1:]] != types or list(
            self.result_types
        ) != types:
            raise VerifyException("kernel.for: expected init, argument and result types to agree")
        verify_yield(self.name, self.body, types)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        index, *carried = self.block.args
        operands = self.operands
        printer.print_string(" ")
        printer.print_ssa_value(index)
        for word, operand in zip((" = ", " to ", " step "), operands, strict=False):
            printer.print_string(word)
            printer.print_operand(operand)
        if carried:
            printer.print_string(" iter_args(")
            printer.print_list(
                zip(carried, operands[3:], strict=True), lambda pair: _print_pair(printer, *pair)
            )
            printer.print_string(") -> (")
            print_types(printer, carried)
            printer.print_string(")")
        printer.print_op_attributes(self.attributes, print_keyword=True)
        print_body(printer, self.body)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        arguments = [parser.parse_argument(expect_type=False).resolve(type_of_index)]
        operands: list[SSAValue] = []
        parser.parse_punctuation("=")
        operands.append(parse_value(parser))
        for word in ("to", "step"):
            parser.parse_keyword(word)
            operands.append(parse_value(parser))
        types: list[Attribute] = []
        if parser.parse_optional_keyword("iter_args"):
            pairs = parser.parse_comma_separated_list(
                Parser.Delimiter.PAREN, lambda: _parse_pair(parser)
            )
            parser.parse_punctuation("->")
            types = list(
                parser.parse_comma_separated_list(Parser.Delimiter.PAREN, parser.parse_type)
            )
            if len(types) != len(pairs):
                parser.raise_error(f"expected {len(pairs)} types, got {len(types)}")
            for (name, value), type_ in zip(pairs, types, strict=True):
                arguments.append(name.resolve(type_))
                operands.append(value)
        attributes = parser.parse_optional_attr_dict_with_keyword()
        body = parse_body(parser, arguments, YieldOp.create)
        return cls.create(
            operands=operands,
            result_types=types,
            attributes={} if attributes is None else attributes.data,
            regions=[body],
        )


def _print_pair(printer: Printer, argument: SSAValue, value: SSAValue) -> None:
    printer.print_ssa_value(argument)
    printer.print_string(" = ")
    printer.print_operand(value)


def _parse_pair(parser: Parser) -> tuple[Parser.UnresolvedArgument, SSAValue]:
    name = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return name, parse_value(parser)


@irdl_op_definition
class IfOp(IRDLOperation):
    """Choose a body: `%r = kernel.if %c -> (f32) { ... } else { ... }`."""

    name = "kernel.if"
    condition = operand_def(i1)
    outputs = var_result_def()
    then = region_def("single_block")
    otherwise = var_region_def("single_block")
    traits = traits_def(RecursiveMemoryEffect())

    @classmethod
    def make(
        cls,
        condition: SSAValue,
        then: Block,
        otherwise: Block | None = None,
        types: Sequence[Attribute] = (),
    ) -> Self:
        """Build a choice; with results both blocks yield them."""
        blocks = [then] if otherwise is None else [then, otherwise]
        return cls.create(
            operands=[condition],
            result_types=types,
            regions=[Region(close(block, YieldOp.create)) for block in blocks],
        )

    def verify_(self) -> None:
        """Check what the bodies yield."""
        if self.results and len(self.regions) != 2:
            raise VerifyException("kernel.if: expected an else body where there are results")
        for region in self.regions:
            verify_yield(self.name, region, self.result_types)

    def print(self, printer: Printer) -> None:
        """Write the form shown above."""
        printer.print_string(" ")
        printer.print_operand(self.condition)
        if self.results:
            printer.print_string(" -> (")
            print_types(printer, self.results)
            printer.print_string(")")
        print_body(printer, self.regions[0])
        for region in self.regions[1:]:
            printer.print_string(" else")
            print_body(printer, region)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Read the form shown above."""
        condition = parse_value(parser)
        types: list[Attribute] = []
        if parser.parse_optional_punctuation("->"):
            parser.parse_punctuation("(")
            types = parse_types(parser)
            parser.parse_punctuation(")")
        regions = [parse_body(parser, (), YieldOp.create)]
        if parser.parse_optional_keyword("else"):
            regions.append(parse_body(parser, (), YieldOp.create))
        return cls.create(operands=[condition], result_types=types, regions=regions)
