"""Is an operand more than a tensor? Then what it is besides decides how the operation runs.

A tensor that requires a gradient has its operations recorded, one that stands for many at once has
them mapped. Each such kind is a layer, which takes itself off its operands and runs the operation
on what is below. Operands of several layers go to the one that was made last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import local
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.tensor import Tensor

if TYPE_CHECKING:
    # Compiled functions ask for layers, and the import of trilith loads no rows for them.
    from ...dialects.ops.frame.row import OpSpec


class Runner(Protocol):
    """What runs rows on operands without the layer that asks for it."""

    def run(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a row."""
        ...

    def run_in_place(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Run a row and write its result into its first operand."""
        ...

    def expand(self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Run a composite row, or one that looks at elements, step by step."""
        ...

    def plain(self, value: Any) -> Any:
        """Return a tensor without its gradient, as what runs rows knows it."""
        ...

    @property
    def language(self) -> Any:
        """The language that composite rows are run in."""
        ...


class Layer(Protocol):
    """What is done to the operations of tensors that are more than tensors."""

    def call(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Do what a row means."""
        ...

    def call_in_place(
        self, runner: Runner, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Do what a row means that writes into its first operand, and return that."""
        ...

    def call_function(
        self, function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """Call a compiled function."""
        ...

    def check_out(
        self, row: OpSpec, arguments: tuple[Any, ...], keywords: dict[str, Any], out: Any
    ) -> None:
        """Refuse to write the result of a row into `out` where that cannot be."""
        ...


class _Layers(local):
    """What the thread's operations may meet."""

    #: The layer of gradients, once it is loaded: the same for all threads.
    gradients: ClassVar[Layer | None] = None
    #: The mappings that the thread is in, the innermost last.
    mappings: tuple[Any, ...] = ()
    #: What draws random numbers within them: (runner, row, bound arguments) -> result.
    draw: ClassVar[Callable[..., Any] | None] = None


LAYERS = _Layers()


class DynamicShape(TrilithRuntimeError):
    """What is raised where the shape of a result depends on which example it is."""


def refuse_positions(value: Any) -> None:
    """Refuse to look for the elements of a tensor that stands for many."""
    if value.batch_level is not None:
        raise DynamicShape(
            "vmap: We do not support batching operators that can support dynamic shape. Attempting "
            "to batch over indexing with a boolean mask."
        )


def level_of(value: TensorFields) -> tuple[int, Layer] | None:
    """Return the outermost layer of a tensor with its level, None for a plain one."""
    state = value.state
    if state is not None and state.gradient is not None and LAYERS.gradients is not None:
        mapped, depth = value.batch_level, state.gradient.level
        # What is known of gradients around a mapping is known of what the tensor holds.
        return (depth, LAYERS.gradients) if mapped is None or mapped[0] < depth else mapped
    return value.batch_level


def layer_of(values: Iterable[Any]) -> Layer | None:
    """Return what decides how an operation on values runs, None if nothing does."""
    found = _last(values, None)
    return None if found is None else found[1]


def _last(values: Iterable[Any], found: tuple[int, Layer] | None) -> tuple[int, Layer] | None:
    """Return the layer made last among values, and what was found before."""
    for value in values:
        kind = cast("Any", type(value))
        if kind is Tensor:
            continue
        if kind is list or kind is tuple:
            found = _last(value, found)
        elif isinstance(value, TensorFields):
            level = level_of(value)
            if level is not None and (found is None or level[0] > found[0]):
                found = level
    return found
