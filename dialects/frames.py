"""Which frame is the user's? The innermost outside trilith's own rooms and Python's library."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import local
from types import FrameType
from typing import Any, NamedTuple

#: When trilith was imported: sources that changed later may not be what runs. No module is earlier.
STARTED = time.time_ns()

_ROOT = Path(__file__).resolve().parents[1]
#: What is ours: the rooms and the face, but not tests, examples or a user's file beside them.
_ROOMS = tuple(
    str(_ROOT / room) + "/"
    for room in ("autograd", "backends", "compiler", "dialects", "nn", "runtime", "utils")
)
_FACES = ("__init__", "cuda", "fft", "func", "linalg", "sparse", "special", "testing", "version")
_FACE = frozenset(str(_ROOT / f"{face}.py") for face in _FACES)
_LIBRARY = os.path.dirname(os.path.realpath(os.__file__)) + "/"
#: What may be installed in the folder of the standard library and is not part of it.
_INSTALLED = (_LIBRARY + "site-packages/", _LIBRARY + "dist-packages/")


def _resolved(file: str) -> str:
    try:
        return os.path.realpath(file)
    except OSError:  # a relative name, and the working directory was deleted
        return file


@lru_cache(maxsize=4096)
def is_own_file(file: str) -> bool:
    """Whether a file is part of trilith's rooms or its face."""
    path = _resolved(file)
    return path.startswith(_ROOMS) or path in _FACE


@lru_cache(maxsize=4096)
def _is_passed_over(file: str) -> bool:
    """Whether a frame of this file is not where a user looks: ours, or the standard library's."""
    path = _resolved(file)
    is_library = path.startswith(_LIBRARY) and not path.startswith(_INSTALLED)
    return is_own_file(file) or is_library or file.startswith("<frozen ")


def user_frame() -> FrameType | None:
    """Return the innermost frame outside trilith and the standard library, such as `copy` (1 us).

    Where the standard library alone called trilith, as a thread may, it is the library's.
    """
    innermost = sys._getframe(1)  # pyright: ignore[reportPrivateUsage] - no public way is as cheap
    while innermost is not None and is_own_file(innermost.f_code.co_filename):
        innermost = innermost.f_back
    frame = innermost
    while frame is not None and _is_passed_over(frame.f_code.co_filename):
        frame = frame.f_back
    frame = innermost if frame is None else frame
    # An example in a docstring shows messages as they are; its line would be noise.
    is_example = frame is not None and frame.f_code.co_filename.startswith("<doctest")
    return None if is_example else frame


#: The texts of `warn_once` that have been given.
WARNED: set[str] = set()
#: Holds an item if these are given each time.
_ALWAYS: set[str] = set()


def set_warn_always(is_always: bool) -> None:
    """Choose whether `warn_once` gives a warning each time."""
    _ALWAYS.clear()
    if is_always:
        _ALWAYS.add("always")


def warns_always() -> bool:
    """Whether `warn_once` gives a warning each time."""
    return bool(_ALWAYS)


#: How often each of the functions below was called, in one item.
_given = [0]


def warnings_given() -> int:
    """Return how many warnings the process has wanted to give, those said before among them.

    >>> before = warnings_given()
    >>> warnings_given() == before
    True
    """
    return _given[0]


class Warned(NamedTuple):
    """A warning, whether only the first of its words is given, and where."""

    text: str
    is_once: bool
    file: str
    line: int
    registry: dict[Any, Any] | None
    category: type[Warning] = UserWarning

    def give(self) -> None:
        """Give it, unless it has been said, or keep it for who holds warnings now."""
        if _HELD.found is not None:
            _HELD.found.append(self)
            return
        if self.is_once and self.text in WARNED and not _ALWAYS:
            return
        if self.is_once:
            # Noted first: where warnings are errors, the second call must not raise again.
            WARNED.add(self.text)
        place = (self.file, self.line)
        warnings.warn_explicit(self.text, self.category, *place, registry=self.registry)


class _Held(local):
    """What a thread has wanted to warn of in a block that holds warnings; None outside of one."""

    found: list[Warned] | None = None


_HELD = _Held()


@contextmanager
def held_warnings() -> Generator[list[Warned]]:
    """Keep the warnings of this thread in a list: what is tried twice shall warn once.

    >>> with held_warnings() as held:
    ...     warn_user("old words")
    >>> [warned.text for warned in held]
    ['old words']
    """
    before, _HELD.found = _HELD.found, []
    try:
        yield _HELD.found
    finally:
        _HELD.found = before


def warn_user(text: str, category: type[Warning] = UserWarning) -> None:
    """Give a warning at the user's line, however deep in trilith it is found.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn_user("old words")
    >>> str(caught[0].message)
    'old words'
    """
    _warn(text, is_once=False, category=category)


def warn_once(text: str) -> None:
    """Give a UserWarning at the user's line the first time in the life of the process.

    Each time if `set_warn_always` says so.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn_once("said before")
    ...     warn_once("said before")
    >>> len(caught)
    1
    """
    _warn(text, is_once=True)


def _warn(text: str, *, is_once: bool, category: type[Warning] = UserWarning) -> None:
    _given[0] += 1
    if is_once and text in WARNED and not _ALWAYS:
        return
    frame = user_frame()
    if frame is None:
        # In a thread of trilith's own.
        found = Warned(text, is_once, "trilith", 0, None, category)
    else:
        registry = frame.f_globals.setdefault("__warningregistry__", {})
        place = (frame.f_code.co_filename, frame.f_lineno)
        found = Warned(text, is_once, *place, registry, category)
    found.give()
