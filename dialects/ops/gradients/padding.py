"""What are the gradients of margins? What continues a tensor adds to what it continues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...attributes.spec import TensorSpec
from ..frame.gradients import Gradient, chosen, gradient


def _cut(t: Any, grad: Any, pad: Sequence[int]) -> Any:
    return t.call("pad", grad, tuple(-amount for amount in pad))


OF_CONSTANT_PAD = gradient("ConstantPadNdBackward0", input=_cut)


def _reflected(t: Any, grad: Any, input_spec: TensorSpec, pad: Sequence[int]) -> Any:
    return _folded(t, grad, input_spec, pad, _mirror)


def _replicated(t: Any, grad: Any, input_spec: TensorSpec, pad: Sequence[int]) -> Any:
    return _folded(t, grad, input_spec, pad, _edge)


def _mirror(margin: Any, dim: int, size: int, is_before: bool) -> tuple[Any, int]:
    """Return a margin as it lies over the elements, and where it starts."""
    width = margin.shape[dim]
    return margin.flip(dim), 1 if is_before else size - 1 - width


def _edge(margin: Any, dim: int, size: int, is_before: bool) -> tuple[Any, int]:
    return margin.sum(dim, True), 0 if is_before else size - 1


def _folded(t: Any, grad: Any, spec: TensorSpec, pad: Sequence[int], lay: Any) -> Any:
    """Return a gradient whose margins were laid over the elements that they continue."""
    for number in reversed(range(len(pad) // 2)):
        dim = spec.rank - 1 - number
        size = spec.shape[dim]
        # What was cut off beside a margin is zero here.
        cut = [max(-amount, 0) for amount in pad[2 * number : 2 * number + 2]]
        grad = _margins(t, grad, dim, *cut)
        before, after = (max(amount, 0) for amount in pad[2 * number : 2 * number + 2])
        whole = grad.narrow(dim, before, size)
        for start, width, is_before in ((0, before, True), (before + size, after, False)):
            if width:
                part, first = lay(grad.narrow(dim, start, width), dim, size, is_before)
                last = size - first - part.shape[dim]
                whole = whole + _margins(t, part, dim, first, last)
        grad = whole
    return grad


def _margins(t: Any, value: Any, dim: int, before: int, after: int) -> Any:
    """Return a tensor with zeros around a dim."""
    if not before and not after:
        return value
    shape = value.shape
    parts = [
        value.new_zeros((*shape[:dim], width, *shape[dim + 1 :])) if width else None
        for width in (before, after)
    ]
    found = [part for part in (parts[0], value, parts[1]) if part is not None]
    return t.call("cat", found, dim)


_OF_PADS = {"reflect": ("Reflection", _reflected), "replicate": ("Replication", _replicated)}


def _pad(bound: Mapping[str, Any]) -> Gradient | None:
    mode = bound["mode"]
    if mode == "constant":
        return OF_CONSTANT_PAD
    if mode not in _OF_PADS:
        return None
    word, formula = _OF_PADS[mode]
    return gradient(f"{word}Pad{len(bound['pad']) // 2}DBackward0", input=formula)


OF_PAD = chosen(_pad)
