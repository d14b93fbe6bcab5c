"""Which programs cannot be recorded? Those that need values, or the memory of their arguments.

There is one rule. What asks for a tensor's memory or elements, by name (`item`, `resize_`, a mask
as an index) or without (`if`, `while`, `int()`), is `NotTraceable`: `compile` runs such a function
step by step, and says so; where there is nothing to run, as in `tri.trace`, it is an error. A
refusal that the function catches is still one: run step by step it would go another way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError

_observers: list[Callable[[TrilithTypeError], None]] = []


def when_refused(observer: Callable[[TrilithTypeError], None]) -> None:
    """Let `observer` know of every refusal, also of those that the program catches."""
    _observers.append(observer)


class _Refusal(TrilithTypeError):
    def __init__(self, message: str, **keywords: Any) -> None:
        super().__init__(message, **keywords)
        for observer in _observers:
            observer(self)


class NotTraceable(_Refusal):
    """What a function does cannot be recorded; `compile` runs such a function step by step."""


class OffsetNeeded(NotTraceable):
    """The function depends on where its arguments lie in their storage."""


class GradientNeeded(NotTraceable):
    """The function uses a tensor of the enclosing program that requires a gradient."""

    def __init__(self, captured: Sequence[Any] = ()) -> None:
        """Say so, to whoever meets it; `captured` are all such tensors, whether they do or not."""
        super().__init__("a tensor that the function uses requires a gradient")
        self.captured = captured


class NumberNeeded(NotTraceable):
    """Somebody looks at a number of the call: the plan is for its value, if it is special."""

    def __init__(self, who: str, index: int, is_looked_at: Callable[[Any], bool]) -> None:
        """Remember which number it is, and which values there is a plan for."""
        super().__init__(f"{who}() looks at the value of a number")
        self.index = index
        self.is_looked_at = is_looked_at


def is_any(number: object) -> bool:
    """Whether a plan is for one number that the program itself looks at: for each there is."""
    return True


class WroteBefore(NotTraceable):
    """The function fails after it has written to an argument; the cause is why it fails."""


class ValueNeeded(NotTraceable):
    """The function needs a value that is not known while it is traced; it has not asked by name."""


class IndexNeeded(ValueNeeded):
    """It needs an integer, perhaps as an argument of an operation, which says so."""


def left_over(what: str, meaning: str, function: str) -> TrilithRuntimeError:
    """Return the error for a stand-in that was stored while its function was traced."""
    return TrilithRuntimeError(
        f"this {what} was stored while {function}() was traced and is used outside of it: it "
        f"stands for {meaning}",
        hint=f"return it from {function}() and use what the call returns",
    )


class DrawsNumbers(NotTraceable):
    """A row of the table draws random numbers: no plan of it alone can hold what is drawn."""
