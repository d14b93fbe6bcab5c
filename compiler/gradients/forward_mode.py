"""How do values move with their operands? `autograd.forward_ad`, over graphs of gradients.

A dual is a tensor whose node knows its tangent. What is computed from duals leads back to them: its
gradient is linear in that of the result, so the gradient of the gradient is the tangent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self, cast

from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.gradients.engine import run_backward
from ...runtime.gradients.graph import Edge, Node, Result, set_history
from ...runtime.gradients.leaves import AccumulateGrad, edge_of, nodes_behind
from ...runtime.gradients.modes import enable_grad
from ...runtime.gradients.recording import load
from ...runtime.gradients.saved import begin_keeping, end_keeping
from .pulling import as_complex_as, check_dtypes, moved_by, zeros_like

_NO_LEVEL = (
    "Trying to create a dual Tensor for forward AD but no level exists, make sure to "
    "enter_dual_level() first."
)


class UnpackedDualTensor(NamedTuple):
    """The value of a dual and its tangent, None if it has none."""

    primal: Any
    tangent: Any


class _Dual(Node):
    """The node of a dual: gradients go on to what its value was computed from."""

    __slots__ = ()
    is_moving = True

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Hand the gradient on."""
        return gradients


class _Levels:
    """The duals of the level that is entered, their nodes and tangents; None if none is."""

    duals: list[tuple[Any, _Dual, Any]] | None = None


def enter_dual_level() -> int:
    """Begin to make duals; levels do not nest."""
    if _Levels.duals is not None:
        raise TrilithRuntimeError("Nested forward mode AD is not supported at the moment")
    _Levels.duals = []
    begin_keeping()
    return 0


def exit_dual_level(*, level: int | None = None) -> None:
    """End the level: its duals have no tangent any more."""
    if _Levels.duals is None or level not in (None, 0):
        raise TrilithRuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is "
            "not supported."
        )
    duals, _Levels.duals = _Levels.duals, None
    end_keeping()
    for dual, _, _ in duals:
        if not _leads_to_leaves(dual):
            dual.gradient_state().node = None
            dual.become_plain()


class dual_level:
    """A block in which there are duals.

    >>> import trilith as tri
    >>> forward_ad = tri.autograd.forward_ad
    >>> with forward_ad.dual_level():
    ...     x = forward_ad.make_dual(tri.tensor([1.0, 2.0]), tri.ones(2))
    ...     print(forward_ad.unpack_dual(x * x).tangent)
    tensor([2., 4.])
    """

    def __enter__(self) -> Self:
        """Enter the level."""
        enter_dual_level()
        return self

    def __exit__(self, *raised: object) -> None:
        """Leave it."""
        exit_dual_level()


def make_dual(tensor: Any, tangent: Any, *, level: int | None = None) -> Any:
    """Return a tensor on the same memory that moves in a direction."""
    if _Levels.duals is None:
        raise TrilithRuntimeError(_NO_LEVEL)
    check_dtypes(tensor, tangent)
    if tensor.spec.shape != tangent.spec.shape:
        raise TrilithRuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original "
            f"Tensor, this is not supported. Tensor is of size {list(tensor.spec.shape)} while the "
            f"given forward gradient is of size {list(tangent.spec.shape)}."
        )
    made, node = _marked(tensor, edge_of(tensor))
    _Levels.duals.append((made, node, as_complex_as(tangent, tensor)))
    return made


def unpack_dual(tensor: Any, *, level: int | None = None) -> UnpackedDualTensor:
    """Return the value of a tensor and its tangent, None outside of a level or where it has none.

    What leads to leaves that require gradients leads there from both.
    """
    duals = _Levels.duals
    if duals is None:
        return UnpackedDualTensor(tensor, None)
    nodes = nodes_behind(tensor)
    # A dual that was written since has the node of the write, which leads to its own.
    reached = [(node, tangent) for _, node, tangent in duals if node in nodes]
    if not reached:
        return UnpackedDualTensor(tensor, None)
    with enable_grad():
        weight, _ = _marked(tensor.without_gradient().new_zeros(tensor.shape), None)
        pulled = run_backward(
            [(cast("Edge", edge_of(tensor)), weight)],
            [Edge(node, 0) for node, _ in reached],
            keeps_graph=True,
            is_recorded=True,
            is_pushing=True,
        )
        pairs = [
            (gradient, tangent)
            for gradient, (_, tangent) in zip(pulled, reached, strict=True)
            if gradient is not None and gradient.requires_grad
        ]
        if not pairs:
            # What it is computed from moves, and it does not, as the result of `zero_()`.
            return UnpackedDualTensor(_unless_leafless(tensor), zeros_like(tensor))
        starts, directions = zip(*pairs, strict=True)
        (tangent,) = moved_by(starts, directions, [weight], is_recorded=True)
    return UnpackedDualTensor(
        _unless_leafless(tensor), None if tangent is None else _unless_leafless(tangent)
    )


def _marked(tensor: Any, edge: Edge | None) -> tuple[Any, _Dual]:
    """Return another tensor on the same memory and its own node, which leads to an edge."""
    load()
    node = _Dual((edge,), (Result(tensor.spec, tensor.spec.dtype),))
    made = tensor.without_gradient()
    set_history(made, node, 0)
    return made, node


def _leads_to_leaves(tensor: Any) -> bool:
    """Whether gradients of a tensor arrive at leaves."""
    return any(isinstance(node, AccumulateGrad) for node in nodes_behind(tensor))


def _unless_leafless(tensor: Any) -> Any:
    """Return a tensor without its graph if that leads to no leaf."""
    return tensor if _leads_to_leaves(tensor) else tensor.without_gradient()
