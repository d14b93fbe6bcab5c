"""What does a user of a tool read when something went wrong? At most twelve lines, no traceback.

photo.mlir:3:8: error: tri.add: The size of tensor a (3) must match the size of tensor b (2)
    %0 = tri.add %x, %y : ...
    ^
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from io import StringIO

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, UnknownLoc
from xdsl.ir import Operation
from xdsl.printer import Printer
from xdsl.utils.exceptions import (
    DiagnosticException,
    MultipleSpansParseError,
    ParseError,
    VerifyException,
)
from xdsl.utils.lexer import Span

from ...dialects.diagnostics import (
    InternalError,
    TrilithError,
    UnsuitableIr,
    nearest,
    user_location,
)
from ...dialects.records import record
from ..analysis.dominance import Undominated
from .refusal import WIDTH, Kind, Refusal, shorten, system_refusal


def syntax_refusal(error: ParseError, kind: Kind = Kind.SYNTAX) -> Refusal:
    """Return what the parser found, with the place that it points to."""
    lines = [f"{error.span.get_location()}: error: {error.msg}", *excerpt(error.span)]
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            lines.append(f"{span.get_location()}: note: {message or error.ref_text or 'see here'}")
            lines += excerpt(span)
    return Refusal(kind, *lines)


@record
class Source:
    """The input: what it is called, and its text."""

    name: str
    text: str

    def place_of(self, op: Operation | None) -> tuple[str, list[str]]:
        """Return where an op came from, and its line with a caret, or else its generic form."""
        location = UnknownLoc() if op is None else op.location
        place = self.name
        if isinstance(location, FileLineColLoc):
            line, column = location.line.data, location.column.data
            place = f"{location.filename.data}:{line}:{column}"
            lines = self.text.split("\n") if location.filename.data == self.name else []
            if line <= len(lines) and (shown := pointed(lines[line - 1], column - 1)):
                return place, shown
        return place, [] if op is None else [f"  {_generic(op)}"]


def invalid_module(error: Exception, module: ModuleOp, source: Source, after: str) -> Refusal:
    """Return what the verifier found in a module: as it was read, or left by the pass `after`."""
    kind = Kind.INVALID if isinstance(error, VerifyException) else Kind.CRASH
    message = str(error) if kind is Kind.INVALID else f"the verifier failed: {_described(error)}"
    culprit = error.operation if isinstance(error, Undominated) else _culprit(module)
    place, shown = source.place_of(culprit)
    cause = f"pass '{after}' left invalid IR: " if after else ""
    return Refusal(kind, f"{place}: error: {cause}{message}", *shown)


def _culprit(op: Operation) -> Operation:
    """Return the innermost operation that does not verify, of one that does not."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.ops:
                if not _is_valid(inner):
                    return _culprit(inner)
    return op


def _is_valid(op: Operation) -> bool:
    try:
        op.verify()
    except Exception:
        return False
    return True


def _generic(op: Operation) -> str:
    """Return the first line of an operation's generic form, which needs no valid operation."""
    stream = StringIO()
    Printer(stream, print_generic_format=True).print_op(op)
    return stream.getvalue().partition("\n")[0]


def step_refusal(error: Exception, step: str, source: Source, command: str) -> Refusal:
    """Return why a pass or target refused a module, or that it failed."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, OSError):
        return system_refusal(error, source.name)
    if isinstance(error, UnsuitableIr):
        place, shown = source.place_of(error.operation)
        return Refusal(Kind.INVALID, f"{place}: error: {error.message}", *shown)
    if isinstance(error, TrilithError) and not isinstance(error, InternalError):
        # Without a place of its own, an error names the line that called trilith: this tool's.
        is_placed = error.location is not None and error.location != user_location()
        place = str(error.location) if is_placed else source.name
        hint = [f"  hint: {error.hint}"] if error.hint else []
        return Refusal(Kind.INVALID, f"{place}: error: {error.message}", *hint)
    if isinstance(error, DiagnosticException):
        return Refusal(Kind.INVALID, f"{source.name}: error: {error}")
    message = f"{step}: {_described(error)}" if step else _described(error)
    return Refusal(Kind.CRASH, str(InternalError(message, command=command)))


def _described(error: Exception) -> str:
    if isinstance(error, InternalError):
        return error.message
    return f"{type(error).__name__}: {error}"


def excerpt(span: Span[str] | Span[bytes]) -> list[str]:
    """Return the line of a place in a text, and a caret below it."""
    content = span.input.content
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    begin = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    return pointed(text[begin : len(text) if end < 0 else end], span.start - begin, len(span))


def pointed(line: str, column: int, length: int = 1) -> list[str]:
    """Return a line and a caret below its column (from 0); a long line is cut around it.

    >>> print("\\n".join(pointed("  %0 = tri.ad %x", 7, 6)))
      %0 = tri.ad %x
           ^^^^^^
    """
    indent = len(line) - len(line.lstrip())
    start = max(min(indent, column), column - WIDTH // 2)
    if start < len(line.rstrip()):
        shown = shorten(line.rstrip(), start)
        carets = "^" * max(1, min(length, len(shown) - (column - start)))
        return [f"  {shown}", " " * (2 + column - start) + carets]
    return []


def unknown(what: str, name: str, names: Iterable[str]) -> Refusal:
    """Refuse a name that does not exist, and say which do.

    >>> print(unknown("pass", "tri-fuze", ["cse", "tri-fuse"]))
    trilith-opt: error: there is no pass 'tri-fuze'; did you mean 'tri-fuse'?
      there are: cse, tri-fuse
    """
    known = list(names)
    there_are = f"there are: {', '.join(known)}" if known else "there are none"
    return Refusal(
        Kind.USAGE,
        f"trilith-opt: error: there is no {what} '{name}'{nearest(name, known)}",
        *textwrap.wrap(
            there_are,
            WIDTH,
            initial_indent="  ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        ),
    )
