"""How is less kept for a gradient? What a function saves is forgotten, and the function run again.

Each tensor that would be saved is known by its number alone. When the first is needed the function
runs once more, with the random numbers that it had, and what it saves then is what was forgotten.
In a traced function nothing is kept yet: the compiler itself computes values again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.modes import enable_grad
from ...runtime.gradients.saved import saved_tensors_hooks
from ...runtime.tensors.randomness import get_rng_state, set_rng_state
from ..trace.tracer import TRACING

Function = Callable[..., Any]


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

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> y = tri.utils.checkpoint.checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-2.4783,  3.3129])
    """
    if use_reentrant and kwargs:
        raise TrilithValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    if determinism_check not in ("default", "none"):
        raise TrilithValueError(
            f"determinism_check should be one of ('default', 'none') but got {determinism_check}"
        )
    if TRACING.trace is not None:
        return function(*args, **kwargs)
    blocks = (nullcontext(), nullcontext()) if context_fn is None else context_fn()
    again = _Again(
        function, args, kwargs, blocks[1], preserve_rng_state, determinism_check == "default"
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
    ) -> None:
        self._call = function, args, kwargs
        self._block = block
        self._random = get_rng_state() if preserves else None
        self._is_checked = is_checked
        self._specs: list[Any] = []
        self._found: dict[int, Any] = {}

    def forget(self, tensor: Any) -> int:
        """Return the number of a tensor that is saved, which is all that is kept of it."""
        self._specs.append(tensor.spec)
        return len(self._specs) - 1

    def recall(self, number: int) -> Any:
        """Return a tensor that was forgotten; a second time the function runs once more."""
        if number not in self._found:
            self._run()
        return self._found.pop(number)

    def _run(self) -> None:
        function, args, kwargs = self._call
        saved: list[Any] = []

        def keep(tensor: Any) -> Any:
            saved.append(tensor)
            return tensor

        with enable_grad(), _random_as(self._random), self._block:
            with saved_tensors_hooks(keep, lambda tensor: tensor):
                function(*args, **kwargs)
        if self._is_checked:
            self._check(saved)
        self._found = dict(enumerate(saved))

    def _check(self, saved: Sequence[Any]) -> None:
        if len(saved) != len(self._specs):
            raise TrilithRuntimeError(
                "torch.utils.checkpoint: A different number of tensors was saved during the "
                "original forward and recomputation.\nNumber of tensors saved during forward: "
                f"{len(self._specs)}\nNumber of tensors saved during recomputation: {len(saved)}."
            )
        for number, (spec, tensor) in enumerate(zip(self._specs, saved, strict=True)):
            if tensor.spec.shape != spec.shape or tensor.spec.dtype is not spec.dtype:
                raise TrilithRuntimeError(
                    "torch.utils.checkpoint: Recomputed values for the following tensors have "
                    "different metadata than during the forward pass.\ntensor at position "
                    f"{number}:\nsaved metadata: {spec}\nrecomputed metadata: {tensor.spec}"
                )


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
