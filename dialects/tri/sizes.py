"""How do integers stand in the IR that may be expressions of sizes?

A number is an IntegerAttr and a row of numbers a DenseArray, as everywhere; where one of them is an
expression, the attribute is `#tri.size<n0 - 1>`, or `#tri.sizes<[n0 - 1, 4]>`. What is known of the
symbols are attributes of the function::

    func.func @f(%x: !tri.tensor<(n0)x3xf32>) -> ... attributes
        {tri.symbols = #tri.symbols<n0 = 5>, tri.guards = #tri.guards<[n0 > 2]>}

`n0 = 5` is a size, so 2 or more, that was 5 when the function was traced, which decides what passes
look at for speed's sake. Guards are what its program and the passes so far asked, and were told.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Data, Operation
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..attributes.facts import Guard
from ..attributes.opened_specs import env_of
from ..attributes.symint import ShapeEnv, SymInt, is_symbolic
from .size_text import parse_size, parse_sizes, skip_attribute


@irdl_attr_definition
class SizeAttr(Data[SymInt]):
    """An integer that is an expression: `#tri.size<n0 - 1>`."""

    name = "tri.size"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> SymInt:
        """Parse an expression of the function's sizes."""
        with parser.in_angle_brackets():
            start = parser.pos
            found = parse_size(parser)
            if type(found) is not SymInt:
                parser.raise_error(f"a number is written as an integer: {found} : i64", start)
            return found

    def print_parameter(self, printer: Printer) -> None:
        """Print the expression."""
        printer.print_string(f"<{self.data!r}>")


@irdl_attr_definition
class SizesAttr(Data[tuple[Any, ...]]):
    """Integers of which some are expressions: `#tri.sizes<[n0 - 1, 4]>`."""

    name = "tri.sizes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Any, ...]:
        """Parse integers, some of them expressions of the function's sizes."""
        with parser.in_angle_brackets():
            start = parser.pos
            found = parse_sizes(parser)
            if not is_symbolic(found):
                words = ", ".join(map(str, found))
                parser.raise_error(f"numbers are written as an array: array<i64: {words}>", start)
            return found

    def print_parameter(self, printer: Printer) -> None:
        """Print the integers."""
        printer.print_string(f"<[{', '.join(map(repr, self.data))}]>")


@irdl_attr_definition
class SymbolsAttr(Data[ShapeEnv]):
    """The symbols of a function's sizes: `#tri.symbols<n0 = 5, any k = -3>`."""

    name = "tri.symbols"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ShapeEnv:
        """Return the symbols of the function, which were read before its first type."""
        return skip_attribute(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print each symbol with its value; one that may be less than 2 is `any` number."""
        env = self.data
        words = (
            f"{'' if name in env.positive else 'any '}{name} = {value}"
            for name, value in env.hints.items()
        )
        printer.print_string(f"<{', '.join(words)}>")


@irdl_attr_definition
class GuardsAttr(Data[ShapeEnv]):
    """What must hold of a function's sizes: `#tri.guards<[n0 > 2, n0 ne n1]>`."""

    name = "tri.guards"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> ShapeEnv:
        """Return the symbols of the function, whose guards were read before its first type."""
        return skip_attribute(parser)

    def print_parameter(self, printer: Printer) -> None:
        """Print the guards that were taken so far, without those that follow from others."""
        printer.print_string(f"<[{', '.join(map(_spelled, self.data.needed_guards()))}]>")


def _spelled(guard: Guard) -> str:
    return str(guard).replace(" != ", " ne ")


#: Attributes of a function, and of an argument that is a size of others.
SYMBOLS, GUARDS, SIZE = "tri.symbols", "tri.guards", "tri.size"


def describe_sizes(func: FuncOp, env: ShapeEnv, sized: Mapping[int, SymInt]) -> None:
    """Write into a function what its symbols are, and which arguments are sizes, by index."""
    if env.hints:
        for name, kind in ((SYMBOLS, SymbolsAttr), (GUARDS, GuardsAttr)):
            func.attributes.pop(name, None)
            func.attributes[name] = kind(env)
    if sized:
        words = [{SIZE: SizeAttr(sized[n])} if n in sized else {} for n in range(len(func.args))]
        func.properties["arg_attrs"] = ArrayAttr(map(DictionaryAttr, words))


def complete_sizes(module: ModuleOp) -> None:
    """Write into functions that were read what their texts leave out: symbols, and room for guards.

    Passes ask of sizes whatever the text says of them; what they are told must be printed.
    """
    for func in module.ops:
        if isinstance(func, FuncOp):
            env = sizes_of_function(func) or _env_of_values(func)
            if env is not None:
                describe_sizes(func, env, {})


def _env_of_values(func: FuncOp) -> ShapeEnv | None:
    values = [result for op in func.walk() for result in op.results]
    values += [argument for block in func.body.blocks for argument in block.args]
    return env_of(_held(value.type) for value in values)


def _held(kind: Attribute) -> object:
    """Return what a type of the dialect holds."""
    return getattr(kind, "data", None)


def sized_arguments(func: FuncOp) -> dict[int, SymInt]:
    """Return the arguments of a function that are sizes, by index."""
    found: dict[int, SymInt] = {}
    for number, words in enumerate(func.arg_attrs or ()):
        size = words.data.get(SIZE)
        if isinstance(size, SizeAttr):
            found[number] = size.data
    return found


def sizes_of_function(func: Operation) -> ShapeEnv | None:
    """Return the symbols of a function, None if its sizes are numbers."""
    found = func.attributes.get(SYMBOLS) or func.attributes.get(GUARDS)
    return found.data if isinstance(found, SymbolsAttr | GuardsAttr) else None


@contextmanager
def verifying(module: ModuleOp) -> Generator[None]:
    """Let a module be verified without guards: for the values of its symbols."""
    with ExitStack() as stack:
        for op in module.ops:
            env = sizes_of_function(op)
            if env is not None:
                stack.enter_context(env.without_guards())
        yield


def integer_attribute(value: Any) -> Attribute:
    """Return the attribute of an integer."""
    return SizeAttr(value) if type(value) is SymInt else IntegerAttr(value, i64)


def integers_attribute(values: Sequence[Any]) -> Attribute:
    """Return the attribute of integers.

    >>> integers_attribute((2, 3)) == DenseArrayBase.from_list(i64, [2, 3])
    True
    """
    found = tuple(values)
    return SizesAttr(found) if is_symbolic(found) else DenseArrayBase.from_list(i64, list(found))


def integer_of(attribute: Attribute | None) -> Any:
    """Return the integer of an attribute that `integer_attribute` made; None of none."""
    if isinstance(attribute, SizeAttr):
        return attribute.data
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def integers_of(attribute: Attribute) -> tuple[Any, ...]:
    """Return the integers of an attribute that `integers_attribute` made."""
    if isinstance(attribute, SizesAttr):
        return attribute.data
    assert isinstance(attribute, DenseArrayBase)
    return tuple(int(value) for value in attribute.get_values())
