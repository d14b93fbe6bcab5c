"""What is the node of a composite that is recorded step by step, and yet is one in the graph?

Its steps are recorded on operands of their own, whose nodes lead to those of the operands. The node
has PyTorch's name, and runs the graph of the steps where a gradient comes to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...runtime.gradients.engine import is_pushing, run_backward
from ...runtime.gradients.graph import Edge, Node, Result, set_history
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.modes import is_grad_enabled
from ...runtime.gradients.saved import SavedTensor, freed
from ...runtime.tensors.fields import TensorFields
from ..trace.layers import Runner
from .arguments import Argument
from .row_nodes import RowNode


class Operands:
    """Operands of steps: those of a composite, each with a node that leads to where it is from."""

    def __init__(self, runner: Runner, wanted: Sequence[Any], edges: Sequence[Edge]) -> None:
        """Put others in the place of those that want a gradient; each once, however often given."""
        self._runner = runner
        self._made: dict[int, tuple[Any, Any]] = {}
        for tensor, edge in zip(wanted, edges, strict=True):
            node = Argument((edge,), (Result(tensor.spec, tensor.spec.dtype),))
            node.level = edge.node.level
            made: Any = runner.plain(tensor)
            set_history(made, node, 0)
            self._made[id(tensor)] = made, tensor

    def inside(self, value: Any) -> Any:
        """Return an argument of the composite as the steps get it."""
        if isinstance(value, TensorFields):
            found = self._made.get(id(value))
            return value if found is None else found[0]
        if type(value) is list or type(value) is tuple:
            kind = cast("Any", type(cast("Any", value)))
            return kind([self.inside(item) for item in cast("Sequence[Any]", value)])
        return value

    def outside(self, result: Any) -> Any:
        """Return the operand that a step has handed back, None if the result is a new one."""
        return next((tensor for made, tensor in self._made.values() if made is result), None)

    def targets(self) -> list[Edge]:
        """Return where the gradients of the operands arrive."""
        return [cast("Edge", edge_of(made)) for made, _ in self._made.values()]


class StepsNode(Node):
    """The node of a composite: gradients by those of its steps."""

    __slots__ = ("_indices", "_roots", "_targets")

    def __init__(
        self,
        roots: Sequence[Edge | None],
        targets: Sequence[Edge],
        indices: Sequence[int],
        edges: Sequence[Edge | None],
        results: Sequence[Result],
    ) -> None:
        """Run from the steps that gave results to operands; of which edges, `indices` say."""
        super().__init__(edges, results)
        self._roots: Sequence[Edge | None] | None = roots
        self._targets, self._indices = targets, indices

    def release(self) -> None:
        """Forget the steps."""
        self._roots = None

    def saved_tensors(self) -> list[SavedTensor]:
        """Return what the steps have kept, those of the first steps first."""
        ends = {edge.node for edge in self._targets}
        left = [edge.node for edge in self._roots or () if edge is not None]
        found = dict.fromkeys(left)
        while left:
            for edge in left.pop().edges:
                if edge is not None and edge.node not in found and edge.node not in ends:
                    found[edge.node] = None
                    left.append(edge.node)
        steps = sorted(found, key=lambda node: node.order)
        return [
            saved
            for node in steps
            if isinstance(node, (RowNode, StepsNode))
            for saved in node.saved_tensors()
        ]

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Run the graph of the steps."""
        roots = self._roots
        if roots is None:
            raise freed()
        pairs = zip(roots, gradients, strict=True)
        given = [(edge, gradient) for edge, gradient in pairs if edge and gradient is not None]
        made = run_backward(
            *(given, self._targets),
            keeps_graph=True,
            is_recorded=is_grad_enabled(),
            ends_there=True,
            is_pushing=is_pushing(),
        )
        found: list[Any] = [None] * len(self.edges)
        some: Any = next(gradient for gradient in gradients if gradient is not None)
        for index, gradient, edge in zip(self._indices, made, self._targets, strict=True):
            spec = edge.node.results[0].spec
            found[index] = (
                some.new_zeros(spec.shape, dtype=spec.dtype) if gradient is None else gradient
            )
        return found
