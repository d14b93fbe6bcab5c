"""How are expressions of sizes read from a text? In the words of MLIR's affine expressions.

`(n0 + 1) floordiv 2 * 3`, with `+ - * floordiv ceildiv mod`: `//` begins a comment there. The
symbols belong to the function that the text stands in. What is known of them is said by its
attributes, which stand behind the first types, or even behind the body: they are read first.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Any, TypeAlias

from xdsl.parser import AttrParser

from ..attributes.expressions import Expression, constant, floor_divide, symbol
from ..attributes.facts import Guard
from ..attributes.hints import choose_hints, holds, usual_hint
from ..attributes.symint import ShapeEnv, SymInt

Size: TypeAlias = "int | SymInt"

#: What is looked for in a text; comments and strings are passed over.
_MARK = re.compile(
    r'//[^\n]*|"func\.func"\s*\(|"(?:[^"\\\n]|\\.)*"|#tri\.(?:symbols|guards)<|\bfunc\.func\b'
)
#: Words that are no symbols.
WORDS = frozenset({"floordiv", "ceildiv", "mod", "ne", "any"})
#: Products of sums grow fast: a text that asks for more terms is damaged or hostile.
MOST_TERMS, MOST_ATOMS = 256, 64


class TextSizes(ShapeEnv):
    """The symbols of a function that is read from a text."""

    def __init__(self) -> None:
        super().__init__()
        #: Whether the text lists its symbols: then there are no others.
        self.is_closed = False
        #: Where what was read of them begins and ends in the text.
        self.read: dict[int, int] = {}

    def named(self, name: str) -> Expression | None:
        """Return a symbol; one that is not known becomes one unless all are listed."""
        if name not in self.hints:
            if self.is_closed:
                return None
            self.symbol(usual_hint(len(self.hints)), 2, name)
        return symbol(name)


class _Text:
    """The functions of one text, and their symbols."""

    def __init__(self, content: str) -> None:
        #: Where functions begin, the first of them being what stands before all.
        self.starts = [0]
        #: By function where its attributes `symbols` and `guards` begin.
        self.attributes: list[list[int]] = [[]]
        for mark in _MARK.finditer(content):
            if mark[0].startswith("#tri."):
                self.attributes[-1].append(mark.start())
            elif mark[0].lstrip('"').startswith("func.func"):
                self.starts.append(mark.start())
                self.attributes.append([])
        self.sizes: dict[int, TextSizes] = {}


def sizes_of(parser: AttrParser) -> TextSizes:
    """Return the symbols of the function that a parser is in."""
    # A parser has no hash and no place for what dialects remember of a text.
    kept: dict[str, Any] = vars(parser)
    text: _Text | None = kept.get("trilith_sizes")
    if text is None:
        text = kept["trilith_sizes"] = _Text(parser.lexer.input.content)
    number = bisect_right(text.starts, parser.pos) - 1
    found = text.sizes.get(number)
    if found is None:
        found = text.sizes[number] = TextSizes()
        _read_attributes(parser, found, text.attributes[number])
    return found


def _read_attributes(parser: AttrParser, sizes: TextSizes, places: list[int]) -> None:
    """Read what a function says of its symbols, wherever it says it."""
    if not places:
        return
    position = parser.pos
    readers: dict[str, Callable[[AttrParser, TextSizes], None]] = {
        "#tri.symbols": _read_symbols,
        "#tri.guards": _read_guards,
    }
    content = parser.lexer.input.content
    for word, read in readers.items():
        for place in places:
            if content.startswith(word, place):
                start = place + len(word)
                _go(parser, start)
                read(parser, sizes)
                sizes.read[start] = parser.pos
    _go(parser, position)


def _read_symbols(parser: AttrParser, sizes: TextSizes) -> None:
    """Read `<n0 = 5, any k = -3>`."""

    def read_one() -> None:
        is_size = parser.parse_optional_keyword("any") is None
        start = parser.pos
        name = parser.parse_identifier(": a symbol")
        if name in WORDS or not name.isidentifier():
            parser.raise_error(f"'{name}' cannot be a symbol", start)
        if name in sizes.hints:
            parser.raise_error(f"there is a symbol '{name}' already", start)
        parser.parse_punctuation("=")
        place = parser.pos
        value = parser.parse_integer(allow_boolean=False, allow_negative=True)
        if is_size and value < 2:
            parser.raise_error(
                f"a size that is a symbol is at least 2, but {name} is {value}: 0 and 1 are "
                "written as numbers",
                place,
            )
        sizes.symbol(value, 2 if is_size else None, name)

    with parser.in_angle_brackets():
        parser.parse_comma_separated_list(parser.Delimiter.NONE, read_one)
    sizes.is_closed = True


def _read_guards(parser: AttrParser, sizes: TextSizes) -> None:
    """Read `<[n0 > 2, n0 == n1]>`: facts, from now on."""
    found: list[tuple[int, Guard]] = []

    def read_one() -> None:
        start = parser.pos
        found.append((start, _parse_guard(parser, sizes)))

    with parser.in_angle_brackets():
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, read_one)
    if not sizes.is_closed:
        choose_hints(sizes.hints, [guard for _, guard in found])
    for start, guard in found:
        if not holds(guard, sizes.hints):
            parser.raise_error(
                f"{guard} does not hold for {_values(sizes, guard)}: name other sizes in "
                "tri.symbols",
                start,
            )
        sizes.take(guard)


def _values(sizes: TextSizes, guard: Guard) -> str:
    return ", ".join(f"{name} = {sizes.hints[name]}" for name in _names(guard))


def _names(guard: Guard) -> list[str]:
    return sorted(guard.expression.symbols())


def _parse_guard(parser: AttrParser, sizes: TextSizes) -> Guard:
    left = _parse_sum(parser, sizes)
    between = _parse_relation(parser)
    right = _parse_sum(parser, sizes)
    if between.startswith("<"):
        left, right = right, left
    difference = left - right
    match between:
        case "==":
            return Guard("==", difference)
        case "ne":
            return Guard("!=", difference)
        case ">" | "<":
            return Guard(">=", difference - constant(1))
        case _:
            return Guard(">=", difference)


def _parse_relation(parser: AttrParser) -> str:
    # `!=` would begin a type: MLIR's word for it is that of its comparisons.
    if parser.parse_optional_keyword("ne"):
        return "ne"
    for first in ("=", ">", "<"):
        if parser.parse_optional_punctuation(first):
            if first == "=":
                parser.parse_punctuation("=")
                return "=="
            return f"{first}=" if parser.parse_optional_punctuation("=") else first
    parser.raise_error("expected ==, ne, <, <=, > or >=")


def skip_attribute(parser: AttrParser) -> TextSizes:
    """Pass over an attribute that has been read, and return the symbols that it is of."""
    sizes = sizes_of(parser)
    end = sizes.read.get(parser.pos)
    if end is None:
        parser.raise_error("expected '<', and what is known of sizes")
    _go(parser, end)
    return sizes


def _go(parser: AttrParser, position: int) -> None:
    """Go on at another position of the text."""
    parser._resume_from(position)  # pyright: ignore[reportPrivateUsage] - xDSL's has no other


def parse_size(parser: AttrParser) -> Size:
    """Parse an expression; one that depends on no symbol is a number."""
    sizes = sizes_of(parser)
    return _as_size(sizes, _parse_sum(parser, sizes))


def parse_sizes(parser: AttrParser) -> tuple[Size, ...]:
    """Parse expressions in square brackets."""
    return tuple(
        parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parse_size(parser))
    )


def check_size(parser: AttrParser, size: SymInt, start: int) -> None:
    """Refuse an expression that cannot be the size of a dim; that it is at least 2 is a guard."""
    sizes = sizes_of(parser)
    guard = Guard(">=", size.expression - constant(2))
    known = sizes.facts.is_not_negative(guard.expression)
    if known:
        return
    if known is False or not holds(guard, sizes.hints):
        parser.raise_error(
            f"{size!r} is a size or a stride, so at least 2, which it is not for "
            f"{_values(sizes, guard)}",
            start,
        )
    sizes.take(guard)


def _as_size(sizes: TextSizes, expression: Expression) -> Size:
    number = expression.number
    return SymInt(sizes, expression) if number is None else number


def _parse_sum(parser: AttrParser, sizes: TextSizes) -> Expression:
    value = _parse_product(parser, sizes)
    while True:
        if parser.parse_optional_punctuation("+"):
            value = value + _parse_product(parser, sizes)
        elif parser.parse_optional_punctuation("-"):
            value = value - _parse_product(parser, sizes)
        else:
            return value


def _parse_product(parser: AttrParser, sizes: TextSizes) -> Expression:
    value = _parse_factor(parser, sizes)
    while True:
        start = parser.pos
        if parser.parse_optional_punctuation("*"):
            other = _parse_factor(parser, sizes)
            if len(value.terms) * len(other.terms) > MOST_TERMS:
                parser.raise_error(f"an expression of more than {MOST_TERMS} terms", start)
            if _degree(value) + _degree(other) > MOST_ATOMS:
                parser.raise_error(f"a product of more than {MOST_ATOMS} sizes", start)
            value = value * other
        elif parser.parse_optional_keyword("floordiv"):
            value = _quotient(sizes, value, _parse_divisor(parser, sizes, start))
        elif parser.parse_optional_keyword("ceildiv"):
            value = -_quotient(sizes, -value, _parse_divisor(parser, sizes, start))
        elif parser.parse_optional_keyword("mod"):
            divisor = _parse_divisor(parser, sizes, start)
            value = value - divisor * _quotient(sizes, value, divisor)
        else:
            return value


def _degree(expression: Expression) -> int:
    return max((len(monomial) for monomial, _ in expression.terms), default=0)


def _parse_divisor(parser: AttrParser, sizes: TextSizes, start: int) -> Expression:
    divisor = _parse_factor(parser, sizes)
    if not divisor.terms:
        parser.raise_error("division by zero", start)
    return divisor


def _quotient(sizes: TextSizes, dividend: Expression, divisor: Expression) -> Expression:
    quotient = floor_divide(dividend, divisor)
    sizes.learn_quotient(dividend, divisor, quotient)
    return quotient


def _parse_factor(parser: AttrParser, sizes: TextSizes) -> Expression:
    if parser.parse_optional_punctuation("("):
        value = _parse_sum(parser, sizes)
        parser.parse_punctuation(")")
        return value
    if parser.parse_optional_punctuation("-"):
        return -_parse_factor(parser, sizes)
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is not None:
        return constant(number)
    start = parser.pos
    name = parser.parse_identifier(": a size")
    found = None if name in WORDS else sizes.named(name)
    if found is None:
        known = ", ".join(sizes.hints) or "none"
        parser.raise_error(f"there is no size '{name}'; there are {known}", start)
    return found
