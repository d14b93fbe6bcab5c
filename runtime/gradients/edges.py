"""What can be done with a graph beside running back? Its edges, what it saves, several hooks."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Literal, cast

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from .engine import current_run
from .graph import GradientEdge
from .leaves import edge_of
from .modes import no_grad
from .saved import saved_tensors_hooks
from .state import RemovableHandle, is_tensor


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return where the gradient of a tensor is found: a node, and which of its results.

    It may stand for the tensor in `autograd.grad` and `backward`, and does not keep it alive.

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> tri.autograd.graph.get_gradient_edge(x.exp()).node.name()
    'ExpBackward0'
    """
    edge = edge_of(tensor)
    if edge is None:
        raise TrilithRuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require "
            "gradients"
        )
    return GradientEdge(edge.node, edge.number)


def increment_version(tensor: Any) -> None:
    """Count a change in place of a tensor, or of several, of which trilith does not know.

    >>> import trilith as tri
    >>> x = tri.ones(2)
    >>> tri.autograd.graph.increment_version(x)
    >>> x._version
    1
    """
    if not is_tensor(tensor) and not isinstance(tensor, Iterable):
        raise TrilithRuntimeError("increment_version expect a Iterable[Tensor] as input")
    several: list[Any] = [tensor] if is_tensor(tensor) else [*cast("Iterable[Any]", tensor)]
    if not all(map(is_tensor, several)):
        raise TrilithRuntimeError(
            "increment_version expects each element of the iterable to be a tensor"
        )
    for each in several:
        each.bump()


@contextmanager
def save_on_cpu(pin_memory: bool = False, device_type: str = "cuda") -> Generator[None]:
    """Keep what is saved in a block in the memory of the host until a gradient needs it.

    Memory that is pinned is not offered: `pin_memory` changes nothing.

    >>> import trilith as tri
    >>> x = tri.tensor([1.0, 2.0], requires_grad=True)
    >>> with tri.autograd.graph.save_on_cpu():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    tensor([2., 4.])
    """

    def pack(tensor: Any) -> tuple[Any, Any]:
        return tensor.device, tensor.to("cpu", copy=True)

    def unpack(packed: tuple[Any, Any]) -> Any:
        device, tensor = packed
        return tensor.to(device)

    with saved_tensors_hooks(pack, unpack):
        yield


def register_multi_grad_hook(
    tensors: Sequence[Any],
    fn: Callable[..., Any],
    *,
    mode: Literal["all", "any"] = "all",
) -> MultiHandle:
    """Call `fn` once in each run backwards with the gradients of several tensors.

    `mode` all: with the list of all, None for those that got none, when the last has arrived; any:
    with the first that arrives.
    """
    if mode not in ("all", "any"):
        raise TrilithValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    several = _Several(len(tensors), fn, is_first_only=mode == "any")
    handles: list[RemovableHandle] = []
    for index, tensor in enumerate(tensors):
        handles.append(tensor.register_hook(several.hook(index, edge_of(tensor))))
    return MultiHandle(handles)


class MultiHandle:
    """What takes several hooks away again."""

    def __init__(self, handles: Iterable[RemovableHandle]) -> None:
        """Hold the handles of the hooks."""
        self._handles = tuple(handles)

    def remove(self) -> None:
        """Take the hooks away."""
        for handle in self._handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        """Keep the hooks until the block ends."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Take them away."""
        self.remove()


class _Several:
    """Gathers gradients of several tensors in each run."""

    def __init__(self, count: int, fn: Callable[..., Any], *, is_first_only: bool) -> None:
        self._count, self._fn, self._is_first_only = count, fn, is_first_only
        self._run: object = None
        self._found: list[Any] = []
        self._missing = 0
        self._edges: list[Any] = [None] * count

    def hook(self, index: int, edge: Any) -> Callable[[Any], None]:
        """Return the hook of one of the tensors."""
        self._edges[index] = edge

        def take(gradient: Any) -> None:
            self._take(index, gradient)

        return take

    def _take(self, index: int, gradient: Any) -> None:
        run = current_run()
        if run is not self._run:
            self._run = run
            self._found = [None] * self._count
            wanted = [edge is not None and run.reaches(edge.node) for edge in self._edges]
            self._missing = 1 if self._is_first_only else sum(wanted)
        self._found[index] = gradient
        self._missing -= 1
        if self._missing == 0:
            with no_grad():
                self._fn(gradient if self._is_first_only else list(self._found))
