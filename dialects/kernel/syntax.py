"""How do the ops of the kernel dialect read and print what they share?"""

from collections.abc import Callable, Container, Sequence

from xdsl.dialects.builtin import IntegerAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator

from .terminators import YieldOp
from .types import i64, type_of_index


def parse_value(parser: Parser) -> SSAValue:
    """Read `%name`, a value defined above, without its type."""
    operand = parser.parse_unresolved_operand()
    values = parser.ssa_values.get(operand.operand_name)
    if values is None or operand.index >= len(values):
        parser.raise_error("value used before its definition", operand.span)
    return values[operand.index]


def parse_values(parser: Parser, delimiter: Parser.Delimiter) -> list[SSAValue]:
    """Read a list of values in round or square brackets."""
    return parser.parse_comma_separated_list(delimiter, lambda: parse_value(parser))


def print_values(printer: Printer, values: Sequence[SSAValue], brackets: str = "()") -> None:
    """Write values in brackets."""
    printer.print_string(brackets[0])
    printer.print_list(values, printer.print_operand)
    printer.print_string(brackets[1])


def parse_iteration(parser: Parser) -> tuple[list[Parser.Argument], list[SSAValue]]:
    """Read `(%i, %j) to (%n, %m)`: names for the indices, and the extents."""
    names = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    parser.parse_keyword("to")
    extents = parse_values(parser, Parser.Delimiter.PAREN)
    if len(names) != len(extents):
        parser.raise_error(f"expected {len(names)} extents, got {len(extents)}")
    return [name.resolve(type_of_index) for name in names], extents


def print_iteration(
    printer: Printer, indices: Sequence[SSAValue], extents: Sequence[SSAValue]
) -> None:
    """Write `(%i, %j) to (%n, %m)`."""
    printer.print_string(" (")
    printer.print_list(indices, printer.print_ssa_value)
    printer.print_string(") to ")
    print_values(printer, extents)


def parse_body(
    parser: Parser,
    arguments: Sequence[Parser.Argument],
    terminator: Callable[[], Operation],
) -> Region:
    """Read a region of one block; a terminator without operands may be left out."""
    region = parser.parse_region(arguments)
    block = region.blocks.first
    if block is None:
        block = Block(arg_types=[argument.type for argument in arguments])
        region.add_block(block)
    close(block, terminator)
    return region


def close(block: Block, terminator: Callable[[], Operation]) -> Block:
    """Append a terminator unless there is one."""
    last = block.last_op
    if last is None or not last.has_trait(IsTerminator, value_if_unregistered=False):
        block.add_op(terminator())
    return block


def print_body(printer: Printer, region: Region) -> None:
    """Write a region of one block, without its arguments and without an empty terminator."""
    last = region.blocks[0].last_op
    printer.print_string(" ")
    printer.print_region(
        region,
        print_entry_block_args=False,
        print_empty_block=False,
        print_block_terminators=last is not None and len(last.operands) > 0,
    )


def parse_types(parser: Parser) -> list[Attribute]:
    """Read `f32, i64`."""
    return list(parser.parse_comma_separated_list(Parser.Delimiter.NONE, parser.parse_type))


def print_types(printer: Printer, values: Sequence[SSAValue]) -> None:
    """Write the types of values, separated by commas."""
    printer.print_list(values, lambda value: printer.print_attribute(value.type))


def print_combiner(printer: Printer, combiner: Sequence[Region]) -> None:
    """Write how two partial results are combined, if a construct says so."""
    for region in combiner:
        printer.print_string(" combine (")
        printer.print_list(region.blocks[0].args, printer.print_ssa_value)
        printer.print_string(")")
        print_body(printer, region)


def parse_arguments(parser: Parser, types: Sequence[Attribute]) -> list[Parser.Argument]:
    """Read `(%a, %b)`: names of arguments whose types are known."""
    names = parser.parse_comma_separated_list(
        Parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
    )
    if len(names) != len(types):
        parser.raise_error(f"expected {len(types)} arguments, got {len(names)}")
    return [name.resolve(type_) for name, type_ in zip(names, types, strict=True)]


def parse_combiner(parser: Parser, types: Sequence[Attribute]) -> list[Region]:
    """Read how two partial results are combined, if it is said."""
    if not parser.parse_optional_keyword("combine"):
        return []
    return [parse_body(parser, parse_arguments(parser, [*types, *types]), YieldOp.create)]


#: What may stand behind the order of a reduction.
_FLAGS = ("unsigned", "neutral")


def print_order(printer: Printer, lanes: int, block: int, flags: Container[str]) -> None:
    """Write the order of a reduction: `{lanes = 16, block = 1024, unsigned}`."""
    shown = "".join(f", {flag}" for flag in _FLAGS if flag in flags)
    printer.print_string(f" {{lanes = {lanes}, block = {block}{shown}}}")


def parse_order(parser: Parser) -> dict[str, Attribute]:
    """Read what `print_order` writes, as properties."""
    properties: dict[str, Attribute] = {}
    parser.parse_punctuation("{")
    parser.parse_keyword("lanes")
    parser.parse_punctuation("=")
    properties["lanes"] = IntegerAttr(parser.parse_integer(), i64)
    parser.parse_punctuation(",")
    parser.parse_keyword("block")
    parser.parse_punctuation("=")
    properties["block"] = IntegerAttr(parser.parse_integer(), i64)
    while parser.parse_optional_punctuation(","):
        properties[parser.parse_keyword_in(_FLAGS)] = UnitAttr()
    parser.parse_punctuation("}")
    return properties
