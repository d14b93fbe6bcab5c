"""Which dtype does a direction have? Its own: what it moves may be of another one, as in PyTorch.

Forward mode is the gradient of a gradient. Where the first one is converted to the dtype of what it
belongs to, a seam leads past the conversion, so that a complex direction of real numbers stays one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .graph import Edge, Node, Result, set_history
from .leaves import edge_of
from .modes import no_grad


class Seam(Node):
    """The node of a converted gradient: directions are handed on as they are, or their real part.

    PyTorch's rules of functions of one number give real directions of real results. Where complex
    numbers were converted to real ones, as for eigenvalues, a real direction is complex on the
    other side.
    """

    __slots__ = ("_dtype", "_is_real")

    def __init__(self, edge: Edge, result: Result, dtype: Any, is_real: bool) -> None:
        """Lead to what was converted, which was of some dtype."""
        super().__init__((edge,), (result,))
        self._dtype = dtype
        self._is_real = is_real
        self.level = edge.node.level

    def backward(self, gradients: list[Any]) -> Sequence[Any]:
        """Hand a direction on."""
        (direction,) = gradients
        if self._is_real and direction is not None and direction.spec.dtype.is_complex:
            direction = direction.real
        if direction is not None and self._dtype.is_complex:
            direction = _as_complex(direction, self._dtype)
        return [direction]


def _as_complex(direction: Any, dtype: Any) -> Any:
    return direction if direction.spec.dtype.is_complex else direction.to(dtype)


def converted(gradient: Any, dtype: Any) -> Any:
    """Return a gradient in a dtype, its real part if that is real."""
    if gradient.spec.dtype is dtype:
        return gradient
    if gradient.spec.dtype.is_complex and not dtype.is_complex:
        gradient = gradient.real
    return gradient.to(dtype)


def with_seam(gradient: Any, dtype: Any, has_real_result: bool) -> Any:
    """Return a gradient in a dtype, such that directions do not see that it was converted."""
    is_real = has_real_result and not dtype.is_complex
    if gradient.spec.dtype is dtype and not is_real:
        return gradient
    edge = edge_of(gradient)
    if edge is None:
        return converted(gradient, dtype)
    with no_grad():
        made = converted(gradient, dtype).without_gradient()
    set_history(made, Seam(edge, Result(made.spec, dtype), gradient.spec.dtype, is_real), 0)
    return made
