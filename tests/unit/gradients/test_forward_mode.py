"""Do values move as their differences say where a gradient is no linear function of its own?"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import trilith as tri

STEP = 1e-6
PLACES = tri.tensor([[[1, 1, 0]]])

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "logcumsumexp": lambda x: tri.logcumsumexp(x, 1),
    "as_strided_scatter": lambda x: tri.as_strided_scatter(x, x[0, 0, :2] * 2, (2,), (2,), 0),
    "scatter": lambda x: tri.zeros(1, 1, 3, dtype=tri.float64).scatter(2, PLACES, x[..., :3]),
    "max_unpool1d": lambda x: tri.nn.functional.max_unpool1d(x[..., :3], PLACES, 2),
}


def numbers(shape: tuple[int, ...]) -> Any:
    return tri.tensor(np.random.default_rng(7).normal(size=shape))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_values_move_as_their_differences_say(name: str, compiled: bool):
    """Of elements that are written twice, the last one is what moves."""
    function = FUNCTIONS[name]
    x = numbers((1, 1, 4)) if name != "logcumsumexp" else numbers((2, 4))
    direction = numbers((*x.shape, 2))[..., 1]

    def moved(x: Any, direction: Any) -> Any:
        return tri.jvp(function, (x,), (direction,))[1]

    found = (tri.compile(moved) if compiled else moved)(x, direction)
    slope = (function(x + STEP * direction) - function(x - STEP * direction)) / (2 * STEP)
    np.testing.assert_allclose(found.numpy(), slope.numpy(), atol=1e-8)


def test_complex_sums_of_exponentials_move():
    x, direction = (numbers((2, 3)) * (1 + 0.5j) for _ in range(2))

    def function(x: Any) -> Any:
        return tri.logcumsumexp(x, 1)

    found = tri.jvp(function, (x,), (direction,))[1]
    slope = (function(x + STEP * direction) - function(x - STEP * direction)) / (2 * STEP)
    np.testing.assert_allclose(found.numpy(), slope.numpy(), atol=1e-8)


def test_complex_outer_products_are_differentiated_twice():
    a, b = (numbers((3,)) * (1 + 2j) for _ in range(2))
    added = numbers((3, 3)) * 1j

    def slopes(a: Any) -> Any:
        first = tri.grad(lambda a: tri.addr(added, a, b, beta=2j, alpha=3j).abs().pow(2).sum())
        return (first(a).conj() * (1 - 1j)).real.sum()

    found = tri.grad(slopes)(a)
    for index in range(3):
        for unit in (1, 1j):
            step = tri.zeros(3, dtype=tri.complex128)
            step[index] = STEP * unit
            slope = (slopes(a + step) - slopes(a - step)).item() / (2 * STEP)
            part = found[index].item()
            assert abs((part.real if unit == 1 else part.imag) - slope) < 1e-5 * (1 + abs(slope))


def test_margins_of_examples_in_a_memory_format():
    x = tri.arange(72.0).reshape(2, 2, 3, 6).to(memory_format=tri.channels_last)
    batch = tri.stack([x, x * 2])
    functional = tri.nn.functional
    functions: list[Callable[[Any], Any]] = [
        lambda x: functional.pad(x, (1, 1)),
        lambda x: functional.max_pool2d(x, (3, 2), stride=2, padding=1),
    ]
    for function in functions:
        found = tri.vmap(function)(batch)
        assert found[0].stride() == function(x).stride()
        assert found.tolist() == [function(each).tolist() for each in batch]


def test_powers_of_matrices_by_zero_are_results():
    a = tri.ones(1, 2, 2, requires_grad=True)
    tri.linalg.matrix_power(a, 0).sum().backward()
    assert a.grad.tolist() == [[[0.0, 0.0], [0.0, 0.0]]]


def test_gradients_of_parts_keep_strides_that_nobody_needs():
    """As PyTorch, which keeps the part of a gradient itself."""
    a, b = tri.ones(1, 2, 3, requires_grad=True), tri.ones(1, 2, 3, requires_grad=True)
    (tri.cat([a, b], 1) * 2).sum().backward()
    assert a.grad.stride() == b.grad.stride() == (12, 3, 1)


def test_directions_of_hermitian_matrices_are_taken_as_they_are():
    """PyTorch's tangents look at all of a direction, whether it is Hermitian or not."""
    direction = tri.tensor([[0.0, 2.0], [4.0, 0.0]])

    def lower(a: Any) -> Any:
        return tri.linalg.cholesky(a)

    assert tri.jvp(lower, (tri.eye(2),), (direction,))[1].tolist() == [[0.0, 0.0], [4.0, 0.0]]
    a = tri.tensor([1.0, 3.0]).diag()
    vectors, moved = tri.jvp(lambda a: tri.linalg.eigh(a)[1], (a,), (direction,))
    np.testing.assert_allclose((vectors.mT @ moved).numpy(), [[0.0, 1.0], [-2.0, 0.0]], atol=1e-6)


def test_sums_of_exponentials_of_large_numbers_keep_their_gradients():
    x = tri.tensor([2.0**82], dtype=tri.float64, requires_grad=True)
    (tri.logcumsumexp(x, 0) * 3.25).sum().backward()
    assert x.grad.tolist() == [3.25]
