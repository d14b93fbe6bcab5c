"""How do integers stand in the IR that may be expressions of sizes?

A number is an IntegerAttr and a row of numbers a DenseArray, as everywhere; where one of them is an
expression, the attribute is `#tri.size<n0 - 1>`, or `#tri.sizes<[n0 - 1, 4]>`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..attributes.symint import SymInt, is_symbolic


@irdl_attr_definition
class SizeAttr(Data[SymInt]):
    """An integer that is an expression: `#tri.size<n0 - 1>`."""

    name = "tri.size"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NoReturn:
        """Refuse: expressions belong to the trace that they were made in."""
        parser.raise_error("sizes that are expressions are printed, and cannot be read back")

    def print_parameter(self, printer: Printer) -> None:
        """Print the expression."""
        printer.print_string(f"<{self.data!r}>")


@irdl_attr_definition
class SizesAttr(Data[tuple[Any, ...]]):
    """Integers of which some are expressions: `#tri.sizes<[n0 - 1, 4]>`."""

    name = "tri.sizes"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> NoReturn:
        """Refuse: expressions belong to the trace that they were made in."""
        parser.raise_error("sizes that are expressions are printed, and cannot be read back")

    def print_parameter(self, printer: Printer) -> None:
        """Print the integers."""
        printer.print_string(f"<[{', '.join(map(repr, self.data))}]>")


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
