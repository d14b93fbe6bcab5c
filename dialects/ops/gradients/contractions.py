"""What are the gradients of contractions and convolutions? Contractions again.

That of an input is a convolution with the weight mirrored, or transposed; that of a weight is
windows, contracted with the gradient.
"""

from __future__ import annotations

from typing import Any

from ..frame.gradients import gradient
from ..frame.windows import Ints, padded, windows_of
from .arithmetic import conj


def _factor(t: Any, grad: Any, other: Any, own: Ints, others: Ints) -> Any:
    """Contract a gradient with one factor into that of the other one, whose map is `own`."""
    numbers = {index: number for number, index in enumerate(own)}
    for index in (*range(grad.ndim), *others):
        numbers.setdefault(index, len(numbers))
    left = tuple(numbers[index] for index in range(grad.ndim))
    right = tuple(numbers[index] for index in others)
    return t.call("contract", grad, conj(other), left, right, tuple(range(len(own))))


def _left(t: Any, grad: Any, other: Any, left: Any, right: Any) -> Any:
    return _factor(t, grad, other, left, right)


def _right(t: Any, grad: Any, input: Any, left: Any, right: Any) -> Any:
    return _factor(t, grad, input, right, left)


OF_CONTRACT = gradient(input=_left, other=_right)


# ---- convolutions


def _cut(t: Any, value: Any, sizes: Ints) -> Any:
    """Return the first elements of the last dims."""
    for dim, size in enumerate(sizes, value.ndim - len(sizes)):
        if value.shape[dim] != size:
            value = t.call("narrow", value, dim, 0, size)
    return value


def _mirrored(t: Any, weight: Any, groups: int) -> Any:
    """Return the weight that leads back: mirrored, with features in the place of channels."""
    features, inner, *kernel = weight.shape
    apart = weight.reshape(groups, features // groups, inner, *kernel).transpose(1, 2)
    back = apart.reshape(groups * inner, features // groups, *kernel)
    return t.call("flip", back, tuple(range(2, back.ndim)))


def _of_input(
    t: Any,
    grad: Any,
    input_spec: Any,
    weight: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    groups: Any,
) -> Any:
    weight, sizes, kernel = conj(weight), input_spec.shape[2:], weight.shape[2:]
    none = (0,) * len(kernel)
    if transposed:
        made = t.call(
            *("convolution", grad, weight, None, stride, padding, dilation, False, none, groups)
        )
        return _cut(t, made, sizes)
    around = tuple(
        apart * (size - 1) - before
        for apart, size, before in zip(dilation, kernel, padding, strict=True)
    )
    if all(step == 1 for step in stride) and min(around) >= 0:
        back = _mirrored(t, weight, groups)
        return t.call(
            *("convolution", grad, back, None, stride, around, dilation, False, none, groups)
        )
    more = tuple(
        size - ((count - 1) * step - before + reach + 1)
        for size, count, step, before, reach in zip(
            sizes, grad.shape[2:], stride, padding, around, strict=True
        )
    )
    return t.call(
        *("convolution", grad, weight, None, stride, padding, dilation, True, more, groups)
    )


def _of_windows(
    t: Any, whole: Any, parts: Any, shape: Ints, settings: tuple[Ints, Ints, Ints], groups: int
) -> Any:
    """Contract the windows of one tensor with the elements of another one: one of each window."""
    stride, padding, dilation = settings
    kernel, dims = shape[2:], len(shape) - 2
    wide = padded(t, whole, [(amount, amount) for amount in padding], 0)
    seen = windows_of(t, wide, kernel, stride, dilation)
    sizes = parts.shape[2:]
    for dim, size in enumerate(sizes, 2):
        if seen.shape[dim] != size:
            seen = t.call("narrow", seen, dim, 0, size)
    seen = seen.unflatten(1, (groups, seen.shape[1] // groups))
    parts = parts.unflatten(1, (groups, parts.shape[1] // groups))
    taps = tuple(range(3, 3 + dims))
    batch, places = 3 + dims, tuple(range(4 + dims, 4 + 2 * dims))
    made = t.call(
        "contract",
        parts,
        seen,
        (batch, 0, 1, *places),
        (batch, 0, 2, *places, *taps),
        tuple(range(3 + dims)),
    )
    return made.flatten(0, 1)


def _of_weight(
    t: Any,
    grad: Any,
    input: Any,
    weight_spec: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: Any,
    groups: Any,
) -> Any:
    settings = tuple(stride), tuple(padding), tuple(dilation)
    if transposed:
        made = _of_windows(t, grad, conj(input), weight_spec.shape, settings, groups)
    else:
        made = _of_windows(t, conj(input), grad, weight_spec.shape, settings, groups)
    return made.reshape(weight_spec.shape)


OF_CONVOLUTION = gradient(
    "ConvolutionBackward0",
    input=_of_input,
    weight=_of_weight,
    bias=lambda t, grad: grad.sum((0, *range(2, grad.ndim))),
)
