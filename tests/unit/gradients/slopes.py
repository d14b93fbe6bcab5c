"""Is a gradient what small differences say, at once, compiled and differentiated again?"""

from collections.abc import Callable
from typing import Any

import numpy as np

import trilith as tri
import trilith.autograd
import trilith.func

Array = np.ndarray[Any, Any]
#: Of one tensor, or of two.
Function = Callable[[Any], Any] | Callable[[Any, Any], Any]
#: A step for which central differences in float64 have errors of 1e-9.
STEP = 1e-5


def drawn(seed: int, *shape: int) -> Array:
    """Return numbers of magnitudes in [0.5, 2), no two of which are as close as a few steps."""
    generator = np.random.default_rng(seed)
    count = int(np.prod(shape))
    sizes = 0.5 + 1.5 * (generator.permutation(count) + 0.1 * seed) / max(count, 1)
    signs = generator.choice([-1.0, 1.0], count)
    return (sizes * signs).reshape(shape)


def _weights(shape: tuple[int, ...]) -> Any:
    return tri.from_numpy(np.cos(np.arange(np.prod(shape), dtype=np.float64)).reshape(shape))


def _loss(function: Any, tensors: tuple[Any, ...]) -> Any:
    """Return a number that depends on results in no linear way."""
    result = function(*tensors)
    return ((result * result + result) * _weights(tuple(result.shape))).sum()


def _gradients(function: Any, tensors: tuple[Any, ...]) -> list[Any]:
    leaves = [tensor.detach().clone().requires_grad_() for tensor in tensors]
    return list(trilith.autograd.grad(_loss(function, tuple(leaves)), leaves))


def _differences(value: Callable[..., float], arrays: tuple[Array, ...], index: int) -> Array:
    """Return by how much a value changes with each element of one array."""
    found = np.zeros_like(arrays[index])
    for place in np.ndindex(found.shape):
        ends: list[float] = []
        for step in (STEP, -STEP):
            moved = [array.copy() for array in arrays]
            moved[index][place] += step
            ends.append(value(*(tri.from_numpy(array) for array in moved)))
        found[place] = (ends[0] - ends[1]) / (2 * STEP)
    return found


def _dot(gradients: list[Any]) -> Any:
    parts = [(part * _weights(tuple(part.shape))).sum() for part in gradients]
    return sum(parts[1:], parts[0])


def check(function: Function, *arrays: Array, is_compiled: bool = False) -> None:
    """Compare the gradients of a weighted sum of a function's results with differences."""
    tensors = tuple(tri.from_numpy(array.copy()) for array in arrays)
    found = _gradients(function, tensors)
    for index, gradient in enumerate(found):
        wanted = _differences(lambda *each: _loss(function, each).item(), arrays, index)
        np.testing.assert_allclose(gradient.numpy(), wanted, rtol=1e-6, atol=1e-6)
    _check_twice(function, tensors, arrays)
    if is_compiled:
        compiled = tri.compile(trilith.func.grad(lambda *given: _loss(function, given)))
        first = compiled(*tensors).numpy()
        np.testing.assert_allclose(first, found[0].numpy(), rtol=1e-12, atol=1e-12)


def _check_twice(function: Any, tensors: tuple[Any, ...], arrays: tuple[Array, ...]) -> None:
    leaves = [tensor.detach().clone().requires_grad_() for tensor in tensors]
    loss = _loss(function, tuple(leaves))
    first = trilith.autograd.grad(loss, leaves, create_graph=True)
    second = trilith.autograd.grad(_dot(list(first)), leaves, allow_unused=True)
    for index, gradient in enumerate(second):
        wanted = _differences(lambda *each: _dot(_gradients(function, each)).item(), arrays, index)
        shown = np.zeros_like(wanted) if gradient is None else gradient.numpy()
        np.testing.assert_allclose(shown, wanted, rtol=1e-5, atol=1e-5)
