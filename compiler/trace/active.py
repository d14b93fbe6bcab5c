"""Is a function being traced in this thread, and does the running code belong to it?

A trace records what the frames of its function ask for. What interrupts them computes on its own:
what the garbage collector runs, `__del__`, callbacks of weak references,
handlers of signals and callbacks of the collector, wherever they were triggered.
"""

from __future__ import annotations

import inspect
import sys
import threading
import weakref
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Generic, Protocol, TypeVar, cast

from ...dialects.attributes.settings import HELD
from ...dialects.collection import collection
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.frames import is_own_file
from ...dialects.unusual import TRACES
from ...runtime.tensors.recording import Recording, set_recording
from ...runtime.tensors.tensor import Tensor
from .not_traceable import NotTraceable, when_refused


class ActiveTrace(Protocol):
    """A function that is being traced, for those who need not know how it is recorded."""

    name: str
    #: The code of the function, if it is one.
    code: CodeType | None
    #: The run of the garbage collector that it is recorded in, if any.
    collection: object
    #: Whether a finalizer or a handler of signals wanted to compute with its tensors.
    is_disturbed: bool
    #: The first thing that could not be recorded, though the program may have caught it.
    refusal: TrilithTypeError | None

    @property
    def END(self) -> CodeType:
        """The code below whose frame nothing belongs to the trace."""
        ...

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Apply the row called `name`."""
        ...

    def constant(self, tensor: Tensor) -> Any:
        """Return a copy, made at every call, of a tensor that nobody else knows."""
        ...

    def need_number(self, number: Any) -> None:
        """Raise what asks for the value of a number of the call, if calls can tell it."""
        ...

    def borrow(self, tensor: Tensor) -> Any:
        """Return the argument for memory that the traced function itself may have made."""
        ...


#: What is active: a trace in one of its forms.
T = TypeVar("T", bound=ActiveTrace)


class Active(threading.local, Generic[T]):
    """The trace that is being recorded in this thread, if any."""

    trace: T | None = None


ACTIVE: Active[ActiveTrace] = Active()


@contextmanager
def recording(trace: Any) -> Generator[None]:
    """Let a trace be active in the calling thread until the block ends."""
    before = ACTIVE.trace
    trace.collection = collection()
    try:
        TRACES.add(id(trace))
        ACTIVE.trace = trace
        yield
    finally:
        ACTIVE.trace = before
        if before is not trace:
            TRACES.remove(id(trace))


def active_trace() -> ActiveTrace | None:
    """Return the trace that the running code belongs to."""
    trace = ACTIVE.trace
    return None if trace is None or is_interrupting(trace) else trace


def is_recording(trace: ActiveTrace) -> bool:
    """Whether a trace is being recorded in this thread, and not by what the collector runs."""
    return ACTIVE.trace is trace and trace.collection is collection()


class Watching:
    """Stands in the place of a trace: nothing is recorded, and who watches runs what is called.

    Everything runs apart from it, as what interrupts a trace does, and comes through `run_apart`.
    """

    name = ""
    code: CodeType | None = None
    #: No run of the garbage collector.
    collection: object = object()
    is_disturbed = False
    refusal: TrilithTypeError | None = None

    def __init__(
        self, run: Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]
    ) -> None:
        """Let `run` run each operation and each compiled function that is called."""
        self._run = run

    def run(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Let who watches run a function; what that calls is not shown."""
        before = _WATCH.watching
        _WATCH.watching = self
        try:
            with _suspended():
                return self._run(function, arguments, keywords)
        finally:
            _WATCH.watching = before

    @contextmanager
    def is_active(self) -> Generator[None]:
        """Show what this thread calls until the block ends."""
        before: Any = ACTIVE.trace
        try:
            # Native code leaves the calls of all threads to Python meanwhile.
            TRACES.add(id(self))
            ACTIVE.trace = cast("Any", self)
            yield
        finally:
            ACTIVE.trace = before
            if before is not self:
                TRACES.remove(id(self))


class _Watch(threading.local):
    """Who watches what runs now, though it is not to be shown itself."""

    watching: Watching | None = None


_WATCH = _Watch()


def run_shown(
    function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> Any:
    """Call a function of the user's from one of ours: what it calls is shown to who watches."""
    watching = _WATCH.watching
    if watching is None:
        return function(*arguments, **keywords)
    with watching.is_active():
        return function(*arguments, **keywords)


def run_apart(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
    """Call a function for code that has interrupted the trace, as if there was none."""
    trace = ACTIVE.trace
    if isinstance(trace, Watching):
        return trace.run(function, arguments, keywords)
    if trace is not None and _has_stand_in((*arguments, *keywords.values())):
        trace.is_disturbed = True
        raise TrilithRuntimeError(
            "a finalizer or a handler of signals that interrupts a traced function meets one of "
            "its tensors, which has no elements",
        )
    with _suspended():
        return function(*arguments, **keywords)


@contextmanager
def _suspended() -> Generator[None]:
    before = ACTIVE.trace, HELD.settings
    ACTIVE.trace = HELD.settings = None
    try:
        yield
    finally:
        ACTIVE.trace, HELD.settings = before


def is_interrupting(
    trace: ActiveTrace, arguments: tuple[Any, ...] = (), keywords: dict[str, Any] | None = None
) -> bool:
    """Whether code that computes with `arguments` has interrupted the function that is traced.

    The frames between the call and the trace are those of the function unless the interpreter
    started one of them on its own. The arguments of frames, which tell more than their names, are
    looked at only where the call has no tensor of the trace: before Python 3.13 that renews the
    dictionary which `locals()` has returned there.
    """
    if trace.collection is not collection():
        return True
    is_apart: bool | None = None
    frame: FrameType | None = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        code = frame.f_code
        if code is trace.END:
            return False
        if not is_own_file(code.co_filename):
            if code.co_name == "__del__":
                return True
            if code is not trace.code:
                if is_apart is None:
                    is_apart = not _has_stand_in((*arguments, *(keywords or {}).values()))
                if is_apart and _was_started_by_python(frame):
                    return True
        frame = frame.f_back
    # The trace is not below: another stack runs in this thread, as that of a greenlet.
    return True


def _has_stand_in(values: Iterable[Any]) -> bool:
    """Whether tensors or numbers of a trace are among the arguments of a call."""
    for value in values:
        kind = cast("Any", type(value))
        if kind is list or kind is tuple:
            if _has_stand_in(value):
                return True
        elif hasattr(kind, "traced_by"):
            return True
    return False


def _was_started_by_python(frame: FrameType) -> bool:
    """Whether the arguments of a frame are those of a finalizer, a callback or a handler."""
    code = frame.f_code
    count = code.co_argcount
    has_rest = bool(code.co_flags & inspect.CO_VARARGS)
    if not count and not has_rest:
        return False
    found = frame.f_locals
    # Keyword-only parameters lie between the positional ones and the rest.
    rest = code.co_varnames[count + code.co_kwonlyargcount] if has_rest else None
    values: list[Any] = [found.get(name) for name in code.co_varnames[:count]]
    values += found.get(rest, ()) if rest is not None else ()
    first = cast("object", values[0]) if values else None
    finalizer = getattr(type(first), "__del__", None)
    if getattr(finalizer, "__code__", None) is code:
        return True
    return any(
        value is frame.f_back
        or (isinstance(value, weakref.ReferenceType) and cast("Any", value)() is None)
        or (isinstance(value, dict) and cast("dict[Any, Any]", value).keys() == _OF_COLLECTOR)
        for value in values
    )


#: What the garbage collector tells its callbacks.
_OF_COLLECTOR = {"generation", "collected", "uncollectable"}


class _OfTraces(Recording):
    """Says what the thread's trace records."""

    def unrecorded(self, what: str) -> None:
        if active_trace() is not None:
            raise NotTraceable(
                f"{what}, of which a traced function knows nothing",
                hint="do it outside of the function and pass the result in",
            )

    def are_recorded(self) -> bool:
        return active_trace() is not None


def _note_refusal(error: TrilithTypeError) -> None:
    trace = ACTIVE.trace
    if trace is not None and is_recording(trace) and trace.refusal is None:
        trace.refusal = error


when_refused(_note_refusal)
set_recording(_OfTraces())
