"""Raises where a signal handler may: after any bytecode of some files, one at a time."""

import dis
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from operator import methodcaller
from types import CodeType, FrameType, ModuleType
from typing import Any

from trilith.dialects.locks import every_lock


class Interruption(KeyboardInterrupt):
    """What is raised."""


#: After these Python looks for signals. It does so nowhere else: `with` takes and leaves a lock of
#: C's with nothing in between.
_LOOKS = ("RESUME", "CALL", "JUMP_BACKWARD")


@cache
def _instructions(code: CodeType) -> dict[int, tuple[str, int | None]]:
    """Return by offset the name of an instruction, and where its exceptions are handled."""
    content: Any = dis.Bytecode(code)
    regions = content.exception_entries
    found: dict[int, tuple[str, int | None]] = {}
    for each in content:
        handler = [row.target for row in regions if row.start <= each.offset < row.end]
        found[each.offset] = each.opname, handler[-1] if handler else None
    return found


class _Tracer:
    """Counts bytecodes and raises at one of them."""

    def __init__(self, files: set[str], at: int, everywhere: bool) -> None:
        self.files, self.left, self.everywhere = files, at, everywhere
        self.was_raised = False
        self.before: dict[FrameType, int] = {}

    def enter(self, frame: FrameType, event: str, argument: object) -> Any:
        if frame.f_code.co_filename not in self.files or self.was_raised:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self.step

    def step(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "return":
            self.before.pop(frame, None)
        if event == "opcode" and self.counts(frame):
            self.left -= 1
            if self.left < 0:
                self.was_raised = True
                sys.settrace(None)
                raise Interruption
        return self.step

    def counts(self, frame: FrameType) -> bool:
        now = frame.f_lasti
        before, self.before[frame] = self.before.get(frame), now
        if self.everywhere or self.was_raised:
            return not self.was_raised
        if before is None:  # it has just been called
            return True
        table = _instructions(frame.f_code)
        (name, handler), (_, other) = table[before], table[now]
        return name.startswith(_LOOKS) and handler == other


def interruptions(
    operation: Callable[[], object], *modules: ModuleType, everywhere: bool = False
) -> Iterator[int]:
    """Run an operation again and again, raising at the next place each time, until it gets through.

    Places are those of the modules' bytecodes where Python looks for signals, or `everywhere`.
    After each run the caller looks at what was left.
    """
    files = {str(module.__file__) for module in modules}
    hook, sys.unraisablehook = sys.unraisablehook, _ignore
    try:
        for at in range(100_000):
            tracer = _Tracer(files, at, everywhere)
            sys.settrace(tracer.enter)
            try:
                list(_apart(operation))
            except Interruption:
                pass
            finally:
                sys.settrace(None)
            if not tracer.was_raised:
                return
            tracer.before.clear()
            yield at
    finally:
        sys.unraisablehook = hook


def _apart(operation: Callable[[], object]) -> Iterator[object]:
    """Run an operation with a state of handled exceptions of its own, which ends with it.

    Raised at the first bytecode of a handler, an exception leaves the one before it there.
    """
    yield operation()


def _ignore(_: object) -> None:
    """Say nothing of what was raised in a finalizer."""


def holds_none(locks: list[Any]) -> bool:
    """Whether this thread, where interrupts come, holds none of some locks."""
    return not any(map(methodcaller("_is_owned"), locks))  # the suite has tens of thousands


def no_lock_is_held() -> bool:
    """Whether another thread could take every lock of trilith's, which others use meanwhile."""
    found: list[bool] = []

    def look() -> None:
        for lock in every_lock():
            is_free = lock.acquire(timeout=5)
            if is_free:
                lock.release()
            found.append(is_free)

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    return all(found)
