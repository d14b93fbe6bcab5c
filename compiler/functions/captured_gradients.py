"""Does a function use tensors of the enclosing program that require a gradient?

Then its calls are recorded, whatever their arguments are: they are no calls of a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from ...runtime.gradients.captured import Watcher, watch
from ...runtime.tensors.tensor import Tensor
from ..trace.not_traceable import GradientNeeded

#: What a function is marked with whose plans give gradients, or are not to be recorded.
MARK = "takes_gradients"


def refuse_gradients(function: Callable[..., Any], captured: Sequence[Tensor]) -> None:
    """Raise GradientNeeded if a captured tensor requires a gradient, and the function is plain."""
    if any(tensor.requires_grad for tensor in captured) and not hasattr(function, MARK):
        raise GradientNeeded(captured)


class Capturing(Watcher, Protocol):
    """A compiled function, as the tensors that it has captured see it."""

    @property
    def function(self) -> Callable[..., Any]:
        """What was compiled."""
        ...


def watch_captured(compiled: Capturing, captured: Iterable[Tensor]) -> None:
    """Let a compiled function be told when what it uses begins or ends to require a gradient."""
    if not hasattr(compiled.function, MARK):
        watch(captured, compiled)


def taking_gradients(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a function: what it captures may require gradients."""
    setattr(function, MARK, True)
    return function
