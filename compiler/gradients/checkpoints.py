"""How is less kept for a gradient? What a function saves is forgotten, and the function run again.

Each tensor that would be saved is known by its number alone. When the first is needed the function
runs once more, with the random numbers that it had, and what it saves then is what was forgotten.
In a traced function nothing is kept yet: the compiler itself computes values again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from threading import local
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.modes import enable_grad
from ...runtime.gradients.saved import saved_tensors_hooks
from ...runtime.tensors.randomness import get_rng_state, set_rng_state
from ..trace.tracer import TRACING

Function = Callable[..., Any]

_FEWER = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward "
    "and recomputation.\nNumber of tensors saved during forward: {}\n"
    "Number of tensors saved during recomputation: {}."
)
_MORE = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the "
    "original forward pass."
)
_OTHERS = (
    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata "
    "than during the forward pass.\n"
)
_ANOTHER = "tensor at position {}:\nsaved metadata: {}\nrecomputed metadata: {}\n"


class CheckpointError(TrilithRuntimeError):
    """A function has saved something else for its gradient when it ran again."""


class _EnoughError(Exception):
    """All that is needed of a function has been computed again."""


class _Stopping(local):
    """Whether the functions of a thread run again no further than they have to: None, as asked."""

    early: bool | None = None


_STOPPING = _Stopping()


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Generator[None]:
    """Let functions that run again in a block stop when all that is needed is there, or not.

    >>> import trilith as tri
    >>> x = tri.ones(2, requires_grad=True)
    >>> with tri.utils.checkpoint.set_checkpoint_early_stop(False):
    ...     y = tri.utils.checkpoint.checkpoint(tri.sin, x, use_reentrant=False)
    >>> y.sum().backward()
    """
    before, _STOPPING.early = _STOPPING.early, enable
    try:
        yield
    finally:
        _STOPPING.early = before


def checkpoint(
    function: Function,
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] | None = None,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """Call a function, of which nothing is kept for gradients but its arguments.

    When a gradient is asked for the function runs again. It must do the same as before; random
    numbers are drawn again as they were, unless `preserve_rng_state` is False. `use_reentrant`
    makes no difference: gradients come to all that the function uses, as with False in PyTorch.
    With `early_stop` it runs no further than to the last tensor that is needed. Raises
    CheckpointError if what it saves is not what it saved before; `debug` says no more of that.

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> y = tri.utils.checkpoint.checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-2.4783,  3.3129])
    """
    if use_reentrant and kwargs:
        raise TrilithValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if use_reentrant and (context_fn is not None or debug):
        raise TrilithValueError(
            "Passing `context_fn` or `debug` is only supported when use_reentrant=False."
        )
    if determinism_check not in ("default", "none"):
        raise TrilithValueError(
            f"determinism_check should be one of ['default', 'none'], but got {determinism_check}"
        )
    if TRACING.trace is not None:
        return function(*args, **kwargs)
    blocks = (nullcontext(), nullcontext()) if context_fn is None else context_fn()
    is_checked = determinism_check == "default"
    stops_early = early_stop if _STOPPING.early is None else _STOPPING.early
    again = _Again(
        *(function, args, kwargs, blocks[1], preserve_rng_state, is_checked, stops_early)
    )
    with saved_tensors_hooks(again.forget, again.recall), blocks[0]:
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Sequence[Function],
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    **kwargs: Any,
) -> Any:
    """Call functions one on the result of the other, in segments that are checkpoints.

    Nothing is forgotten of the last segment, which is needed first.
    """
    chain = list(functions)
    length = len(chain) // segments
    for first in range(0, length * (segments - 1), length):
        part = chain[first : first + length]
        input = checkpoint(_one_after_the_other(part), input, use_reentrant=use_reentrant, **kwargs)
    return _one_after_the_other(chain[length * (segments - 1) :])(input)


def _one_after_the_other(functions: Sequence[Function]) -> Function:
    def run(value: Any) -> Any:
        for function in functions:
            value = function(value)
        return value

    return run


class _Again:
    """A call that is made again when what it saved is needed."""

    def __init__(
        self,
        function: Function,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        block: Any,
        preserves: bool,
        is_checked: bool,
        stops_early: bool,
    ) -> None:
        self._call = function, args, kwargs
        self._block = block
        self._random = get_rng_state() if preserves else None
        self._is_checked = is_checked
        self._stops_early = stops_early
        self._seen: list[dict[str, Any]] = []
        self._found: dict[int, Any] = {}

    def forget(self, tensor: Any) -> int:
        """Return the number of a tensor that is saved, which is all that is kept of it."""
        self._seen.append(_metadata(tensor))
        return len(self._seen) - 1

    def recall(self, number: int) -> Any:
        """Return a tensor that was forgotten; a second time the function runs once more."""
        if number not in self._found:
            self._run()
        return self._found.pop(number)

    def _run(self) -> None:
        function, args, kwargs = self._call
        saved: list[Any] = []
        count = len(self._seen)

        def keep(tensor: Any) -> Any:
            if len(saved) == count:
                raise CheckpointError(_MORE)
            saved.append(tensor)
            if self._stops_early and len(saved) == count:
                raise _EnoughError
            return tensor

        with suppress(_EnoughError), enable_grad(), _random_as(self._random), self._block:
            with saved_tensors_hooks(keep, lambda tensor: tensor):
                function(*args, **kwargs)
        self._check(saved)
        self._found = dict(enumerate(saved))

    def _check(self, saved: Sequence[Any]) -> None:
        """Refuse what the function has saved if that is not what it saved before."""
        if len(saved) != len(self._seen):
            raise CheckpointError(_FEWER.format(len(self._seen), len(saved)))
        pairs = zip(self._seen, map(_metadata, saved), strict=True)
        others = [(number, *pair) for number, pair in enumerate(pairs) if pair[0] != pair[1]]
        if others and self._is_checked:
            raise CheckpointError(
                _OTHERS + "".join(_ANOTHER.format(*each) for each in others) + "."
            )


def _metadata(tensor: Any) -> dict[str, Any]:
    """Return what a tensor that is computed again must have in common with the first one."""
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


@contextmanager
def _random_as(state: Any) -> Generator[None]:
    """Draw random numbers from a state on in a block, and then go on as before it."""
    if state is None:
        yield
        return
    before = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(before)
