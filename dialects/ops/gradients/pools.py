"""What are the gradients of pools of largest elements? Each goes to the element that was found."""

from __future__ import annotations

from typing import Any

from ..frame.gradients import Gradient, gradient


def _to_numbers(t: Any, grad: Any, results: Any, input_spec: Any, dim: Any, keepdim: Any) -> Any:
    """Give each gradient to the element of the window whose number was found."""
    numbers, dims = results[1], sorted(each % input_spec.rank for each in dim)
    if not keepdim:
        for each in dims:
            grad, numbers = grad.unsqueeze(each), numbers.unsqueeze(each)
    sizes = [size if each in dims else 1 for each, size in enumerate(input_spec.shape)]
    count = 1
    for size in sizes:
        count = count * size
    own = t.call("arange", count, device=grad.device).reshape(sizes)
    return t.call("where", own == numbers, grad, 0)


OF_LARGEST = gradient(input=_to_numbers)


def _scattered(grad: Any, places: Any, shape: Any, dims: int) -> Any:
    """Add each element of a gradient to its place in the last dims."""
    first = len(shape) - dims
    lead, whole, count = tuple(shape[:first]), 1, 1
    for size, windows in zip(shape[first:], grad.shape[first:], strict=True):
        whole, count = whole * size, count * windows
    flat = (*lead, count)
    zeros = grad.new_zeros((*lead, whole))
    return zeros.scatter_add(-1, places.reshape(flat), grad.reshape(flat)).reshape(shape)


def of_max_pool(dims: int) -> Gradient:
    """Return the rule of a pool of the largest elements over so many dims.

    >>> of_max_pool(2).name
    'MaxPool2DWithIndicesBackward0'
    """

    def formula(
        t: Any,
        grad: Any,
        input: Any,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        ceil_mode: Any,
    ) -> Any:
        steps = stride or kernel_size
        found = t.call(
            *(f"max_pool{dims}d_with_indices", input.detach(), kernel_size, steps),
            *(padding, dilation, ceil_mode),
        )
        return _scattered(grad, found[1], input.shape, dims)

    name = "SqueezeBackward1" if dims == 1 else f"MaxPool{dims}DWithIndicesBackward0"
    return gradient(name, input=formula)


def of_adaptive_max_pool(dims: int) -> Gradient:
    """Return the rule of an adaptive pool of the largest elements."""

    def formula(t: Any, grad: Any, input: Any, output_size: Any) -> Any:
        row = "adaptive_max_pool1d" if dims == 1 else f"adaptive_max_pool{dims}d_with_indices"
        return _scattered(grad, t.call(row, input.detach(), output_size)[1], input.shape, dims)

    name = "SqueezeBackward1" if dims == 1 else f"AdaptiveMaxPool{dims}DBackward0"
    return gradient(name, input=formula)
