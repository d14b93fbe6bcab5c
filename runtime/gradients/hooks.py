"""What may a hook return? As many gradients as it was given, like those, or None for no change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from .state import Hook, Hooks, is_tensor, names_of


def run_hooks(hooks: Mapping[int, Hooks], arrived: list[Any]) -> None:
    """Let the hooks of tensors change their gradients, in the order in which they were added."""
    for number in hooks:
        for hook in tuple(hooks[number].values()):
            before = arrived[number]
            if before is None:
                continue
            found = hook(before)
            if found is not None:
                _check(hook, before, found)
                arrived[number] = found


def after_prehooks(hooks: Hooks, arrived: list[Any]) -> list[Any]:
    """Return the gradients of a node's results as its hooks leave them."""
    for hook in tuple(hooks.values()):
        arrived = _changed(hook, arrived, hook(tuple(arrived)))
    return arrived


def after_posthooks(hooks: Hooks, given: Sequence[Any], outputs: Sequence[Any]) -> Sequence[Any]:
    """Return what a node gives as its hooks leave it, which also see what was given to it."""
    for hook in tuple(hooks.values()):
        found = cast("Callable[..., Any]", hook)(tuple(given), tuple(outputs))
        given = _changed(hook, given, found)
    return given


def run_after_accumulation(hooks: Hooks, variable: Any) -> None:
    """Call hooks with a leaf whose gradient has grown; they return nothing."""
    for hook in tuple(hooks.values()):
        found: object = hook(variable)
        if found is None:
            continue
        if not is_tensor(found):
            raise _no_tensor(found)
        raise TrilithRuntimeError("Tensor post accumulate grad hooks should return None.")


def _changed(hook: Hook, before: Sequence[Any], found: Any) -> list[Any]:
    """Return what a hook puts in the place of gradients, once it is checked."""
    if found is None:
        return [*before]
    if not isinstance(found, tuple):
        raise TrilithTypeError(f"expected tuple, but hook returned '{type(found).__name__}'")
    given = cast("tuple[Any, ...]", found)
    if len(given) != len(before):
        raise TrilithRuntimeError(
            f"hook '{names_of([hook])[0]}' has returned an incorrect number of values (got "
            f"{len(given)}, but expected {len(before)})"
        )
    for old, new in zip(before, given, strict=True):
        if new is not None:
            _check(hook, old, new)
    return [*given]


def _check(hook: Hook, before: Any, found: Any) -> None:
    """Refuse a gradient that is not like the one it replaces."""
    (name,) = names_of([hook])
    if before is None:
        raise TrilithRuntimeError("can't replace a None gradient with a non-None value")
    if not is_tensor(found):
        raise _no_tensor(found)
    if found.dtype is not before.dtype:
        raise TrilithRuntimeError(
            f"hook '{name}' has changed the type of value (was {before.type()} got {found.type()})"
        )
    if found.shape != before.shape:
        raise TrilithRuntimeError(f"hook '{name}' has changed the size of value")


def _no_tensor(found: object) -> TrilithTypeError:
    return TrilithTypeError(f"expected Variable, but hook returned '{type(found).__name__}'")
