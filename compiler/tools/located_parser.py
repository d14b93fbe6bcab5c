"""Where does each operation of a text stand? A parser that notes file, line and column, as MLIR's.

xDSL's own parser leaves the location unknown. With one, a verifier or a pass can name the line.
"""

from __future__ import annotations

from bisect import bisect_right

from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span
from xdsl.utils.mlir_lexer import MLIRTokenKind


class LocatedParser(Parser):
    """xDSL's parser; ops without a `loc(...)` of their own get the place where they begin."""

    def __init__(self, ctx: Context, text: str, name: str) -> None:
        """Prepare to parse a text that came from the file `name`."""
        super().__init__(ctx, text, name)
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
        return super().parse_module(allow_implicit_module)

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
