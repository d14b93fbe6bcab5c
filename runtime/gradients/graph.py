"""What is a graph of gradients? Nodes, one for each recorded operation, and edges back to others.

A node gets the gradients of its operation's results and gives those of its operands. An edge names
another node, and which of its results a gradient belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from ...dialects.diagnostics import TrilithRuntimeError
from ...dialects.records import record
from .captured import WATCHED, has_changed
from .modes import is_grad_enabled
from .state import Hook, Hooks, RemovableHandle

#: Nodes are visited from the newest to the oldest.
_order = count()

#: What PyTorch says when what was saved is gone.
FREED = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class Edge(NamedTuple):
    """Where a gradient goes: a node, and which of its results it is the gradient of."""

    node: Node
    number: int


class GradientEdge(NamedTuple):
    """A place in a graph, as `torch.autograd.graph.get_gradient_edge` names it."""

    node: Node
    output_nr: int


@record
class Result:
    """What the gradient of a result must be like: its spec, and its dtype if that matters."""

    spec: Any
    dtype: Any


class Node:
    """A recorded operation.

    `edges` has one entry for each operand that could have a gradient, None for those that need
    none; `results` says what each of its results was. Subclasses compute in `backward`.
    """

    __slots__ = (
        *("__weakref__", "_metadata", "edges", "hooks", "level", "order", "post_hooks"),
        *("pre_hooks", "results", "retaining"),
    )
    FULL_NAME = ""
    #: Whether it stands for an argument of a transformed function, which is a leaf there.
    is_argument = False
    #: Whether it is that of a value that moves: a dual, or an argument that has a direction.
    is_moving = False
    #: Whether it is that of a function of one number: PyTorch moves what is real of it by real
    #: numbers.
    is_of_one_number = False

    def __init__(self, edges: Sequence[Edge | None], results: Sequence[Result]) -> None:
        """Lead to others; nothing is hooked yet."""
        self.edges: tuple[Edge | None, ...] = tuple(edges)
        self.results: tuple[Result, ...] = tuple(results)
        self.order: float = next(_order)
        self.level = 0
        #: Hooks on the gradients of results, by their number.
        self.hooks: dict[int, Hooks] = {}
        #: Those that keep gradients, which see what the others have left.
        self.retaining: dict[int, Hooks] = {}
        self.pre_hooks: Hooks = {}
        self.post_hooks: Hooks = {}
        self._metadata: dict[Any, Any] | None = None

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Return the gradient for each edge, given those of the results; None is zero."""
        raise NotImplementedError

    def release(self) -> None:
        """Forget what was saved for the gradient."""

    def hooks_of_results(self) -> Mapping[int, Hooks]:
        """Return the hooks on the gradients of results, by their number."""
        return self.hooks

    @property
    def message_name(self) -> str:
        """What errors call the operation: its name without the end that says Backward."""
        name = type(self).__name__
        head, found, _ = name.rpartition("Backward")
        return head if found else name

    # What PyTorch's nodes have

    def name(self) -> str:
        """Return what the node is called, such as MulBackward0."""
        return self.FULL_NAME or type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that gradients go to, each with the number of a result of it."""
        return tuple((None, 0) if edge is None else (edge.node, edge.number) for edge in self.edges)

    @property
    def metadata(self) -> dict[Any, Any]:
        """A dict for whoever wants to note something."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    def _sequence_nr(self) -> int:
        """Return the number of the node: newer ones have greater ones."""
        return int(self.order)

    def register_hook(self, fn: Hook) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after each run; what it returns replaces inputs."""
        return RemovableHandle(self.post_hooks, fn)

    def register_prehook(self, fn: Hook) -> RemovableHandle:
        """Call `fn(grad_outputs)` before each run; what it returns replaces them."""
        return RemovableHandle(self.pre_hooks, fn)

    def __call__(self, *gradients: Any) -> Any:
        """Compute the gradients of the operands for gradients of the results."""
        found = self.backward([*gradients, *([None] * (len(self.results) - len(gradients)))])
        if not is_grad_enabled():
            found = tuple(found)
        return found[0] if len(found) == 1 else tuple(found)

    def __repr__(self) -> str:
        """Return the name and the address, as PyTorch does."""
        return f"<{type(self).__name__} object at {id(self):#x}>"


@cache
def named(kind: type[Node], name: str) -> type[Any]:
    """Return a class of nodes like `kind` that is called by a name, with namespaces before it."""
    short = name.rpartition("::")[2]
    fields = {"__slots__": (), "__module__": "trilith.autograd", "FULL_NAME": name}
    return type(short, (kind,), fields)


class NotDifferentiable(Node):
    """The node of an operation that has no gradient: it says so when one is asked for."""

    __slots__ = ("what",)

    def __init__(self, what: str, edges: Sequence[Edge | None], results: Sequence[Result]) -> None:
        """Stand for an operation, called by its name in PyTorch."""
        super().__init__(edges, results)
        self.what = what

    def name(self) -> str:
        """Return PyTorch's name of it."""
        return "torch::autograd::NotImplemented"

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Say that there is no gradient."""
        raise TrilithRuntimeError(
            f"derivative for aten::{self.what} is not implemented",
            hint="detach() its operand, or write the operation as an autograd.Function",
        )


def newest() -> float:
    """Return a number that is less than those of all nodes to come."""
    return next(_order)


def set_history(tensor: Any, node: Node, number: int) -> None:
    """Let a tensor be a result of a node."""
    found = tensor.gradient_state()
    found.node, found.output_nr = node, number
    found.level = max(found.level, node.level)
    tensor.become_recorded()
    if id(tensor) in WATCHED:
        has_changed(tensor)
