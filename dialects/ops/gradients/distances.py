"""What are the gradients of the distances of all pairs of rows? Those of their differences."""

from __future__ import annotations

from math import inf
from typing import Any

from ..frame.gradients import gradient


def _slopes(grad: Any, result: Any, differences: Any, p: float) -> Any:
    """Return the gradients of differences; of points that are one they are 0."""
    grad, result = grad.unsqueeze(-1), result.unsqueeze(-1)
    signs = differences.sgn()
    if p == 1:
        return grad * signs
    if p == inf:
        return (grad * signs).masked_fill(differences.abs() != result, 0)
    if p == 2:
        return (grad * differences / result).masked_fill(result == 0, 0)
    powers = differences.abs() ** (p - 1)
    found = grad * signs * powers / result ** (p - 1)
    is_flat = (result == 0) | (differences == 0) if p < 1 else result == 0
    return found.masked_fill(is_flat, 0)


def _first(t: Any, grad: Any, result: Any, x1: Any, x2: Any, p: Any) -> Any:
    if p == 0:
        return x1.new_zeros(x1.shape)
    return _slopes(grad, result, x1.unsqueeze(-2) - x2.unsqueeze(-3), p).sum(-2)


def _second(t: Any, grad: Any, result: Any, x1: Any, x2: Any, p: Any) -> Any:
    if p == 0:
        return x2.new_zeros(x2.shape)
    return -_slopes(grad, result, x1.unsqueeze(-2) - x2.unsqueeze(-3), p).sum(-3)


OF_CDIST = gradient("CdistBackward0", x1=_first, x2=_second)
