"""Where does each operation of a text stand? A parser that notes file, line and column, as MLIR's.

xDSL's own parser leaves the location unknown. With one, a verifier or a pass can name the line.
Its lexer, too, is used with a change: see `BoundedLexer`.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.parser.generic_parser import ParserState
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken, MLIRTokenKind

from ...dialects.tri.sizes import complete_sizes

#: What may follow a quote, as far as it goes: it always matches, so that no other way is tried.
_STRING = re.compile(r'"(?:[^"\\\n\v\f]|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*')


class BoundedLexer(MLIRLexer):
    """xDSL's lexer, in linear time for every text.

    That of xDSL 0.74 looks for strings by `"([^"...]+|...)*"`: where the closing quote is missing,
    it tries all ways to split the rest of the line, 2**n for n letters.
    """

    def _lex_string_literal(self, start_pos: Position) -> MLIRToken:
        content = self.input.content
        found = _STRING.match(content, start_pos)
        end = start_pos if found is None else found.end()
        if content[end : end + 1] == "\\":
            raise ParseError(Span(end, end + 2, self.input), "unknown escape in string literal")
        if content[end : end + 1] != '"':
            raise ParseError(Span(start_pos, end, self.input), "string literal is not closed")
        return super()._lex_string_literal(start_pos)


class LocatedParser(Parser):
    """xDSL's parser; ops without a `loc(...)` of their own get the place where they begin."""

    def __init__(self, ctx: Context, text: str, name: str) -> None:
        """Prepare to parse a text that came from the file `name`."""
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(BoundedLexer(Input(text, name)))
        self._file = StringAttr(name)
        self._line_starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._line_starts.append(at + 1)
            at = text.find("\n", at + 1)

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        """Parse the whole text; an empty one is an empty module, as for MLIR."""
        if allow_implicit_module and self._current_token.kind is MLIRTokenKind.EOF:
            return ModuleOp([])
        module = super().parse_module(allow_implicit_module)
        complete_sizes(module)
        return module

    def parse_operation(self) -> Operation:
        """Parse an operation and note where it begins."""
        start = self.pos
        op = super().parse_operation()
        if isinstance(op.location, UnknownLoc):
            line = bisect_right(self._line_starts, start)
            column = start - self._line_starts[line - 1] + 1
            op.location = FileLineColLoc(self._file, IntAttr(line), IntAttr(column))
        return op

    def failure(self, error: Exception) -> ParseError:
        """Return an error of the parser for an exception that names no place."""
        position = min(self.pos, len(self.lexer.input))
        message = str(error) if str(error) else type(error).__name__
        return ParseError(Span(position, position, self.lexer.input), message)
