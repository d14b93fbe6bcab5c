"""How does a user's function move in a direction? By its rule `jvp`, where gradients are pushed.

Forward mode is the gradient of a gradient, in which it is linear. So in the run that only makes a
linear function, the node of such a function computes nothing: it gives zeros, whose node runs `jvp`
when directions come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError
from .graph import Node, Result, named, set_history
from .leaves import edge_of


class PushedNode(Node):
    """The node of what pulls the gradients of a function's results: its gradient is `jvp`."""

    __slots__ = ("_ctx", "_jvp", "_positions")

    def __init__(
        self,
        jvp: Callable[..., Any],
        ctx: Any,
        inputs: Mapping[int, Any],
        gradients: Sequence[Any],
    ) -> None:
        """Lead to the gradients of results that a function's node was given."""
        edges = [None if each is None else edge_of(each) for each in gradients]
        super().__init__(edges, [Result(spec, spec.dtype) for spec in inputs.values()])
        self._jvp, self._ctx, self._positions = jvp, ctx, tuple(inputs)
        self.level = max((edge.node.level for edge in edges if edge is not None), default=0)

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run `jvp` on directions of the inputs, and return those of the results."""
        directions: list[Any] = [None] * len(self._ctx.needs_input_grad)
        some = next(each for each in gradients if each is not None)
        for number, (position, direction) in enumerate(
            zip(self._positions, gradients, strict=True)
        ):
            if direction is None and self._ctx.materialize_grads:
                direction = _zeros(some, self.results[number].spec)
            directions[position] = direction
        with self._ctx.saved_for_directions():
            found: Any = self._jvp(self._ctx, *directions)
        given = cast("tuple[Any, ...]", found if isinstance(found, tuple) else (found,))
        if len(given) != len(self.edges):
            raise TrilithRuntimeError(
                "Function's jvp returned an invalid number of forward gradients (expected "
                f"{len(self.edges)} but got {len(given)})"
            )
        return given


def _zeros(some: Any, spec: Any) -> Any:
    return some.new_zeros(spec.shape, dtype=spec.dtype, device=spec.device)


def pushed(
    kind: str,
    jvp: Callable[..., Any],
    ctx: Any,
    inputs: Mapping[int, Any],
    gradients: Sequence[Any],
) -> list[Any]:
    """Return zeros for the gradients of a function's inputs, which move with those of its results.

    `inputs` are the specs of those that are tensors, by their positions; `kind` is the name of the
    function's node.
    """
    some = next(each for each in gradients if each is not None)
    node = named(PushedNode, kind)(jvp, ctx, inputs, gradients)
    zeros = [_zeros(some, spec) for spec in inputs.values()]
    for number, each in enumerate(zeros):
        set_history(each, node, number)
    return zeros
