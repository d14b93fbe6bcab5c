"""What does a tensor know of gradients? Its place in a graph, its own gradient, its hooks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Self, cast
from weakref import ReferenceType, ref

#: What a hook is called with, and may return in its place.
Hook = Callable[[Any], Any]
Hooks = dict[int, Hook]

_numbers = count()


class RemovableHandle:
    """What `register_hook` returns: it takes the hook away again, at the end of a block too."""

    def __init__(self, hooks: Hooks, hook: Callable[..., Any]) -> None:
        """Add a hook behind those that are there."""
        self.id = next(_numbers)
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; again does nothing."""
        self._hooks.pop(self.id, None)

    def move(self, hooks: Hooks) -> None:
        """Keep the hook with others from now on."""
        hook = self._hooks.pop(self.id, None)
        self._hooks = hooks
        if hook is not None:
            hooks[self.id] = hook

    def __enter__(self) -> Self:
        """Keep the hook until the block ends."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Take it away."""
        self.remove()


class ViewState:
    """How a tensor is a view of another one that gradients know.

    `base` is the tensor that is no view itself, `steps` see the view in a tensor like it, one after
    the other. `refusal` says why the view may not be written in place, with the name of what made
    it. `version` is that of the memory when the view's node was last found.
    """

    __slots__ = ("base", "refusal", "steps", "version")

    def __init__(
        self, base: Any, steps: tuple[Callable[[Any], Any], ...], version: int, refusal: str = ""
    ) -> None:
        """Keep what is known of the view."""
        self.base = base
        self.steps = steps
        self.version = version
        self.refusal = refusal

    def seen_in(self, whole: Any) -> Any:
        """Return this view of a tensor that is like the base."""
        return seen_in(whole, self.steps)


def seen_in(whole: Any, steps: Sequence[Callable[[Any], Any]]) -> Any:
    """Return what steps see in a tensor, one after the other."""
    for step in steps:
        whole = step(whole)
    return whole


class GradientState:
    """What is kept for a tensor that has to do with gradients.

    A leaf that `requires_grad` has no `node`: what leads to it ends in its accumulator, of which
    it knows as long as a graph holds it. `level` is the depth of the transformation, such as
    `func.grad`, that the tensor is a value of; 0 outside of all.
    """

    __slots__ = (
        *("accumulator", "grad", "grad_dtype", "has_grad_dtype", "hooks"),
        *("level", "node", "output_nr", "post_hooks", "requires_grad", "retained", "view"),
    )

    def __init__(self) -> None:
        """Begin with nothing."""
        self.requires_grad = False
        #: The recorded operation that made the tensor: a `Node`.
        self.node: Any = None
        self.output_nr = 0
        self.grad: Any = None
        self.grad_dtype: Any = None
        self.has_grad_dtype = False
        self.accumulator: ReferenceType[Any] | None = None
        #: Hooks of a leaf, before its gradient is added; those of others are with their node.
        self.hooks: Hooks = {}
        self.post_hooks: Hooks = {}
        #: The hook that keeps the gradient of a tensor that is no leaf.
        self.retained: RemovableHandle | None = None
        self.view: ViewState | None = None
        self.level = 0

    @property
    def is_required(self) -> bool:
        """Whether a gradient is wanted of the tensor itself, whatever it is a view of."""
        return self.requires_grad or self.node is not None


def state_of(tensor: Any) -> GradientState | None:
    """Return what a tensor knows of gradients, None if it has nothing to do with them."""
    state = tensor.state
    return None if state is None else state.gradient


def is_tensor(value: Any) -> bool:
    """Whether a value is a tensor, or stands for one in a traced function."""
    kind = cast("Any", type(value))
    return hasattr(kind, "gradient_state")


def requires_gradient(tensor: Any) -> bool:
    """Whether operations on a tensor are to be recorded; a view asks its base, too."""
    found = state_of(tensor)
    if found is None:
        return False
    if found.is_required:
        return True
    dtype = tensor.spec.dtype
    if found.view is None or not (dtype.is_floating_point or dtype.is_complex):
        return False
    base = state_of(found.view.base)
    return base is not None and base.is_required


def hook_reference(tensor: Any, change: Callable[[Any, Any], None]) -> Hook:
    """Return a hook that changes a tensor, without keeping it alive."""
    held = ref(tensor)

    def hook(gradient: Any) -> None:
        alive = held()
        if alive is not None:
            change(alive, gradient)

    return hook


def names_of(hooks: Sequence[Hook]) -> list[str]:
    """Return what hooks are called, for messages."""
    return [getattr(hook, "__name__", type(hook).__name__) for hook in hooks]
