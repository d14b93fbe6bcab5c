"""Are operations recorded for gradients? The modes say so, thread by thread, as PyTorch's do."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial, wraps
from inspect import isgeneratorfunction
from threading import local
from typing import Any, ParamSpec, TypeVar, cast

from ...dialects.diagnostics import TrilithTypeError
from ...dialects.unusual import INFERENCE

__all__ = [
    "enable_grad",
    "inference_mode",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "no_grad",
    "set_grad_enabled",
]

P = ParamSpec("P")
T = TypeVar("T")


class _State(local):
    """What holds in a thread, which begins as every other."""

    grad = True

    @property
    def inference(self) -> bool:
        """Whether the thread is in inference mode: memory and native code ask, too."""
        return INFERENCE.is_here()

    @inference.setter
    def inference(self, holds: bool) -> None:
        INFERENCE.let_hold_here(holds)


_STATE = _State()


def is_grad_enabled() -> bool:
    """Return whether operations are to be recorded for gradients in this thread.

    >>> with no_grad():
    ...     is_grad_enabled()
    False
    >>> is_grad_enabled()
    True
    """
    return _STATE.grad


def is_recording() -> bool:
    """Return whether operations are recorded: never in inference mode."""
    return _STATE.grad and not _STATE.inference


def is_inference_mode_enabled() -> bool:
    """Return whether this thread is in a block of `inference_mode`.

    >>> with inference_mode():
    ...     is_inference_mode_enabled(), is_grad_enabled()
    (True, False)
    """
    return _STATE.inference


@contextmanager
def set_grad(is_enabled: bool) -> Generator[None]:
    """Let operations be recorded or not in a block, whatever mode it is in."""
    before = _STATE.grad
    _STATE.grad = is_enabled
    try:
        yield
    finally:
        _STATE.grad = before


@contextmanager
def transforming() -> Generator[None]:
    """Let operations be recorded in a block that transforms a function: it leaves inference mode.

    >>> with inference_mode(), transforming():
    ...     is_inference_mode_enabled(), is_grad_enabled()
    (False, True)
    """
    before = _STATE.grad, _STATE.inference
    _STATE.grad, _STATE.inference = True, False
    try:
        yield
    finally:
        _STATE.grad, _STATE.inference = before


class _Mode:
    """A mode for a block, or for each call of a function: of a generator, for each of its steps."""

    def __init__(self) -> None:
        self._before: list[tuple[bool, bool]] = []

    def _enter(self) -> None:
        """Let the mode hold."""
        raise NotImplementedError

    def clone(self) -> _Mode:
        """Return the same mode for another block."""
        return type(self)()

    def __enter__(self) -> None:
        """Let the mode hold until the block is left."""
        self._before.append((_STATE.grad, _STATE.inference))
        self._enter()

    def __exit__(self, *raised: object) -> None:
        """Let hold what held before."""
        _STATE.grad, _STATE.inference = self._before.pop()

    def __call__(self, func: Callable[P, T]) -> Callable[P, T]:
        """Return a function that runs in this mode."""
        if isgeneratorfunction(func):
            return cast("Callable[P, T]", self._in_steps(func))

        @wraps(func)
        def run(*arguments: P.args, **keywords: P.kwargs) -> T:
            with self.clone():
                return func(*arguments, **keywords)

        return run

    def _in_steps(self, func: Callable[..., Generator[Any, Any, Any]]) -> Callable[..., Any]:
        """Return a generator function whose caller has a mode of its own between two steps."""

        @wraps(func)
        def run(*arguments: Any, **keywords: Any) -> Generator[Any, Any, Any]:
            steps = func(*arguments, **keywords)
            advance: Callable[[], Any] = partial(next, steps)
            try:
                while True:
                    with self.clone():
                        found = advance()
                    try:
                        advance = partial(steps.send, (yield found))
                    except GeneratorExit:
                        raise
                    except BaseException as error:  # what the caller throws is the generator's
                        advance = partial(steps.throw, error)
            except StopIteration as end:
                return end.value
            finally:
                with self.clone():
                    steps.close()

        return run


class _Plain(_Mode):
    """A mode without a choice: `@no_grad` does what `@no_grad()` does."""

    def __new__(cls, orig_func: Callable[..., Any] | None = None) -> Any:
        """Return the mode, or a function that runs in it."""
        mode = super().__new__(cls)
        if orig_func is None:
            return mode
        mode.__init__()
        return mode(orig_func)

    def __init__(self, orig_func: Callable[..., Any] | None = None) -> None:
        super().__init__()


class no_grad(_Plain):
    """A block, or a decorator of functions, in which nothing is recorded for gradients.

    >>> @no_grad()
    ... def measure():
    ...     return is_grad_enabled()
    >>> measure(), is_grad_enabled()
    (False, True)
    """

    def _enter(self) -> None:
        _STATE.grad = False


class enable_grad(_Plain):
    """A block, or a decorator of functions, in which operations are recorded for gradients.

    >>> with no_grad(), enable_grad():
    ...     is_grad_enabled()
    True
    """

    def _enter(self) -> None:
        _STATE.grad = True


class set_grad_enabled(_Mode):
    """Let operations be recorded or not: from now on, or in a block, or in a function's calls.

    Raises TrilithTypeError unless the mode is a bool.

    >>> _ = set_grad_enabled(False)
    >>> is_grad_enabled()
    False
    >>> with set_grad_enabled(True):
    ...     is_grad_enabled()
    True
    >>> _ = set_grad_enabled(True)
    """

    def __init__(self, mode: bool) -> None:
        """Let the mode hold at once."""
        if not isinstance(mode, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithTypeError(
                "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not "
                f"{type(mode).__name__}"
            )
        super().__init__()
        self._former = _STATE.grad
        self.mode = _STATE.grad = mode

    def clone(self) -> _Mode:
        """Return the same mode for another block."""
        return set_grad_enabled(self.mode)

    def __enter__(self) -> None:
        """Let the mode hold until the block is left, and then what held before it was made."""
        self._before.append((self._former, _STATE.inference))
        self._enter()

    def __call__(self, func: Callable[P, T]) -> Callable[P, T]:
        """Return a function that runs in this mode; outside of it holds what held before."""
        _STATE.grad = self._former
        return super().__call__(func)

    def _enter(self) -> None:
        _STATE.grad = self.mode

    def __repr__(self) -> str:
        """Return the mode as PyTorch prints it."""
        return f"trilith.autograd.grad_mode.set_grad_enabled(mode={self.mode})"


class inference_mode(_Mode):
    """A block, or a decorator of functions, in which nothing is recorded; False leaves it.

    New memory that tensors get in it is marked: outside it is not written in place, nor saved for
    gradients, and its versions are not counted. `clone()` gives a tensor that is as all others.

    >>> import trilith as tri
    >>> with inference_mode():
    ...     made = tri.ones(2)
    >>> made.is_inference(), made.clone().is_inference()
    (True, False)
    >>> with inference_mode(), inference_mode(False):
    ...     is_inference_mode_enabled(), is_grad_enabled()
    (False, True)
    """

    def __new__(cls, mode: bool | Callable[..., Any] = True) -> Any:
        """Return the mode, or a function that runs in it: `@inference_mode` needs no brackets."""
        made = super().__new__(cls)
        if not callable(mode):
            return made
        made.__init__()
        return made(mode)

    def __init__(self, mode: bool | Callable[..., Any] = True) -> None:
        super().__init__()
        self.mode = bool(mode)

    def clone(self) -> _Mode:
        """Return the same mode for another block."""
        return cast("_Mode", inference_mode(self.mode))

    def _enter(self) -> None:
        _STATE.grad, _STATE.inference = not self.mode, self.mode
