"""How does the IR remember a line of the user's program? As MLIR's file-line-column location."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr

from ...dialects.frames import user_frame


@lru_cache(maxsize=4096)
def as_attribute(file: str, line: int) -> LocationAttr:
    """Return a line as a location of the IR; equal lines are one object."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(0))


def user_attribute() -> LocationAttr | None:
    """Return the innermost line outside trilith as a location of the IR."""
    frame = user_frame()
    return None if frame is None else as_attribute(frame.f_code.co_filename, frame.f_lineno)
