"""What is a function differentiated with respect to? Its arguments, as values of a new level.

While a transformation such as `grad` runs a function, tensors in its arguments are others on the
same memory, whose nodes lead to what the arguments themselves were computed from: so that
transformations nest, and what is found can be differentiated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.graph import Edge, Node, Result, set_history
from ...runtime.gradients.leaves import AccumulateGrad, edge_of
from ...runtime.gradients.recording import load
from ...runtime.gradients.state import state_of
from ...runtime.tensors.fields import TensorFields
from ..mapping.batched import BatchedTensor
from ..trace.layers import LAYERS


class Argument(Node):
    """The node of an argument: gradients go on to what it was computed from, if to anything."""

    __slots__ = ()
    is_argument = True

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Hand the gradient on."""
        return gradients


class MovedArgument(Argument):
    """The node of an argument that moves, which may be written: what it was is known."""

    __slots__ = ()
    is_argument = False
    is_moving = True


def argument_of(tensor: Any, depth: int, kind: type[Argument] = Argument) -> Any:
    """Return a tensor on the memory of another one, as a value of a level.

    Raises TrilithRuntimeError for a tensor that cannot have a gradient.
    """
    if not isinstance(tensor, TensorFields):
        raise TrilithValueError(f"Thing passed to transform API must be Tensor, got {type(tensor)}")
    argument: Any = tensor
    dtype = tensor.spec.dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise TrilithRuntimeError("only Tensors of floating point dtype can require gradients")
    load()
    argument = tensor = _of_examples(argument)
    node = kind((edge_of(tensor),), (Result(tensor.spec, dtype),))
    node.level = depth
    made: Any = argument.without_gradient()
    set_history(made, node, 0)
    return made


def _of_examples(tensor: Any) -> Any:
    """Return a tensor as the mapped function sees it that runs, if it has a gradient around that.

    Gradients of both would be one graph otherwise, which ends where the mapping does.
    """
    found = state_of(tensor)
    if found is None or edge_of(tensor) is None:
        return tensor
    for mapping in LAYERS.mappings:
        if found.level < mapping.level:
            shape = (mapping.size, *tensor.spec.shape)
            tensor = BatchedTensor.of(mapping, tensor.unsqueeze(0).expand(shape))
    return tensor


def release(tensors: Sequence[Any]) -> None:
    """Let arguments that were kept be plain tensors again, after their function has ended."""
    for tensor in tensors:
        found = tensor.gradient_state()
        found.node = None
        tensor.become_plain()


def leads_outside(values: Sequence[Any], depth: int) -> bool:
    """Whether values depend on what is no argument of a level: a leaf, a dual, another's."""
    left: list[Node] = []
    for value in values:
        each = value
        while isinstance(each, TensorFields):
            edge = edge_of(each)
            if edge is not None:
                left.append(edge.node)
            # What a mapping around knows of gradients is known of all examples.
            each = each.value if isinstance(each, BatchedTensor) else None
    seen = set(left)
    while left:
        node = left.pop()
        is_origin = isinstance(node, (AccumulateGrad, Argument)) or node.is_moving
        if is_origin and node.level < depth:
            return True
        for edge in node.edges:
            if edge is not None and edge.node not in seen:
                seen.add(edge.node)
                left.append(edge.node)
    return False


def stripped(value: Any) -> Any:
    """Return the elements of a tensor, of which gradients know nothing."""
    if isinstance(value, BatchedTensor):
        return BatchedTensor.of(value.mapping, stripped(value.value))
    return value.without_gradient()


def edges_of_arguments(tensors: Sequence[Any]) -> list[Edge]:
    """Return where the gradients of arguments arrive."""
    found = [edge_of(tensor) for tensor in tensors]
    return [edge for edge in found if edge is not None]
