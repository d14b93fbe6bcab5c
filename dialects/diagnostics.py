"""How does trilith say that something went wrong, and where?

A mistake of the user is a `TrilithError` that is also the built-in exception PyTorch would raise,
in PyTorch's words. A mistake of ours is an `InternalError`. Both print at most twelve lines.
"""

import linecache
import os
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Any, Self, TypeAlias

from .frames import is_own_file, user_frame
from .records import record

MAXIMUM_LINES = 12


@record
class Location:
    """A place in the user's program.

    `line` counts from 1, `column` too (0: not known). `text` is the source line; an empty one is
    read from the file when it is printed, so that recording a place costs no file access.

    >>> str(Location("model.py", 7))
    'model.py:7'
    """

    file: str
    line: int
    column: int = 0
    function: str = ""
    text: str = ""

    def __str__(self) -> str:
        """Return `file:line`."""
        return f"{self.file}:{self.line}"

    def describe(self) -> list[str]:
        """Return the arrow, the source line if there is one, and a caret if the column is known.

        >>> print("\\n".join(Location("m.py", 7, column=9, text="    y = x + z").describe()))
          --> m.py:7
            y = x + z
                ^
        """
        where = f", in {self.function}" if self.function else ""
        lines = [f"  --> {self}{where}"]
        text = (self.text or linecache.getline(self.file, self.line)).rstrip()
        stripped = text.lstrip()
        if not stripped:
            return lines
        lines.append(f"    {stripped}")
        caret = self.column - 1 - (len(text) - len(stripped))
        if 0 <= caret < len(stripped):
            lines.append(" " * (4 + caret) + "^")
        return lines


def user_location() -> Location | None:
    """Return the innermost place outside trilith; None if there is none."""
    frame = user_frame()
    if frame is None:
        return None
    code = frame.f_code
    return Location(code.co_filename, frame.f_lineno, function=code.co_name)


#: What to do next, or how to find that out when the error is printed.
Hint: TypeAlias = str | Callable[[], str | None] | None


class TrilithError(Exception):
    """A mistake in the user's program.

    `message` is PyTorch's text alone; `str()` adds the user's line and what to do next. Without a
    location it is the line that called trilith.

    >>> print(TrilithError("bad shape", location=Location("m.py", 7), hint="use reshape"))
    bad shape
      --> m.py:7
      hint: use reshape
    """

    def __init__(
        self, message: str, *, location: Location | None = None, hint: Hint = None
    ) -> None:
        """Keep the parts; they are put together when the error is printed.

        A hint that has to be looked up is a function.
        """
        super().__init__(message)
        self._is_located = location is not None
        self.location = user_location() if location is None else location
        self._hint = hint

    @property
    def hint(self) -> str | None:
        """What to do next, if that is known."""
        return self._hint() if callable(self._hint) else self._hint

    @hint.setter
    def hint(self, value: Hint) -> None:
        self._hint = value

    @property
    def message(self) -> str:
        """The text without place and hint.

        >>> TrilithError("bad shape", hint="use reshape").message
        'bad shape'
        """
        return self.args[0]

    def at(self, location: Location | None) -> Self:
        """Return this error with a better place than the calling line, unless it was given one.

        >>> TrilithError("bad").at(Location("m.py", 7)).location.line
        7
        """
        if location is not None and not self._is_located:
            self.location = location
            self._is_located = True
        return self

    def __str__(self) -> str:
        """Return message, place and hint in at most twelve lines."""
        place = [] if self.location is None else self.location.describe()
        advice = [] if not self.hint else f"  hint: {self.hint}".splitlines()
        return _fit(self.message.splitlines(), place + advice)


def _fit(lines: list[str], tail: list[str]) -> str:
    """Join both, cutting the first where they would not fit into twelve lines."""
    tail = tail[: MAXIMUM_LINES - 1]
    room = MAXIMUM_LINES - len(tail)
    if len(lines) > room:
        lines = [*lines[: room - 1], "  ..."] if room > 1 else lines[:1]
    return "\n".join([*lines, *tail])


def without_own_frames(error: TrilithError) -> TrilithError:
    """Return the error with a traceback of the user's frames alone.

    TRILITH_TRACEBACK=1 in the environment keeps every frame.
    """
    if os.environ.get("TRILITH_TRACEBACK", "0") not in ("", "0"):
        return error
    kept: TracebackType | None = None
    frames: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace)
        trace = trace.tb_next
    for frame in reversed(frames):
        if not is_own_file(frame.tb_frame.f_code.co_filename):
            kept = TracebackType(kept, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return error.with_traceback(kept)


class TrilithTypeError(TrilithError, TypeError):
    """An argument of the wrong type."""


class TrilithValueError(TrilithError, ValueError):
    """An argument of the right type with an impossible value."""


class TrilithIndexError(TrilithError, IndexError):
    """A dimension or index out of range."""


class TrilithRuntimeError(TrilithError, RuntimeError):
    """What PyTorch reports as RuntimeError: shapes, dtypes or devices that do not go together."""


class TrilithLinAlgError(TrilithRuntimeError):
    """A matrix that cannot be inverted, factored or diagonalised: `tri.linalg.LinAlgError`."""


class CapturedChanged(TrilithRuntimeError):
    """A tensor that a traced function uses without being given it has other sizes or strides now.

    Nothing has run yet: the function can be traced again.
    """


class OutsideOfTensor(TrilithRuntimeError):
    """A view leaves the tensor that a function was given, though perhaps not its storage."""


class TrilithOutOfRangeError(TrilithIndexError, TrilithRuntimeError):
    """An element of an index tensor out of range: PyTorch raises either error, by operation."""


class TrilithAttributeError(TrilithError, AttributeError):
    """A name that does not exist."""

    def __init__(self, message: str, *, name: str = "", hint: Hint = None) -> None:
        """Keep the parts: most such errors are never printed, since `hasattr` asked."""
        super().__init__(message, hint=hint)
        self.name = name
        # Python would add a suggestion of its own, made from the names of this object.
        self.obj = None


class TrilithNotImplementedError(TrilithError, NotImplementedError):
    """An operation that does not exist for a dtype, layout or device.

    `result` is the dtype that an elementwise one would give. PyTorch looks at what is to be written
    into first: who writes refuses another dtype by this.
    """

    result: Any = None


class TrilithOverflowError(TrilithError, OverflowError):
    """A number that the target type cannot hold."""


class TrilithAssertionError(TrilithError, AssertionError):
    """A device type that PyTorch refuses so: its builds have no support for it."""


class TrilithWarning(UserWarning):
    """Something works, but not as it was asked for: a compiled function that runs step by step."""


class InternalError(TrilithError, RuntimeError):
    """A mistake of trilith: carries the IR before the failing step and a command that repeats it.

    >>> print(InternalError("pass 'x' failed", ir="module {}", command="trilith-opt f.mlir -p x"))
    internal error: pass 'x' failed
    This is a bug in trilith, not in your program. To repeat it:
      trilith-opt f.mlir -p x
    IR before the failure:
      module {}
    """

    def __init__(
        self,
        message: str,
        *,
        ir: str = "",
        command: str = "",
        location: Location | None = None,
        hint: str | None = None,
    ) -> None:
        """Keep the parts; `ir` stays whole in the attribute of that name."""
        super().__init__(message, location=location, hint=hint)
        self.location = location
        self.ir = ir
        self.command = command

    def __str__(self) -> str:
        """Return the message, the command and as much of the IR as fits."""
        lines = [f"internal error: {self.message.splitlines()[0] if self.message else ''}"]
        lines += [] if self.location is None else self.location.describe()
        lines.append("This is a bug in trilith, not in your program.")
        if self.command:
            lines[-1] += " To repeat it:"
            lines.append(f"  {self.command}")
        lines += [] if not self.hint else [f"  hint: {self.hint}"]
        if self.ir:
            lines.append("IR before the failure:")
            lines += [f"  {line}" for line in self.ir.splitlines()]
        return _fit(lines, [])


class UnsuitableIr(InternalError):
    """Valid IR that a pass or an emitter does not take; `operation` is the op that it is about.

    In a program this is a mistake of trilith, which made the IR. `trilith-opt` refuses its input.
    """

    def __init__(self, message: str, operation: Any = None) -> None:
        """Keep both."""
        super().__init__(message)
        self.operation = operation

    def about(self, operation: Any) -> Self:
        """Return this error, which is about an operation unless it is about another already.

        >>> UnsuitableIr("what is this?").about("an op").about("the op around it").operation
        'an op'
        """
        if self.operation is None:
            self.operation = operation
        return self


def nearest(name: str, names: Iterable[str]) -> str:
    """Return `; did you mean '...'?` if a name begins so or is close, else nothing.

    >>> nearest("tri-fuze", ["tri-fuse", "cse"]), nearest("opencl", ["cpu", "opencl-gpu"])
    ("; did you mean 'tri-fuse'?", "; did you mean 'opencl-gpu'?")
    >>> nearest("nope", ["opencl"]), nearest("x", ["tri-fuse"])
    ('', '')
    """
    import difflib  # only for who has misspelled something

    known = list(names)
    begun = [found for found in known if name and found.startswith(name)]
    # Two letters of three may be right: 'gpu' is close to 'cpu', and 'nope' (0.6) not to 'opencl'.
    found = begun or difflib.get_close_matches(name, known, 1, 0.65)
    return f"; did you mean '{found[0]}'?" if found else ""
