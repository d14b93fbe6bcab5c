"""How do gradients lie in memory? As PyTorch's do: strides recorded of torch 2.13."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

Strides = tuple[int, ...]
DOUBLED: Any = ((0, 1), (2, 0))
SWAPPED: Any = ((0, 1), (1, 0))
INNER: Any = ((1, 2), (2, 0))
#: A function, the shapes of its operands, the strides of what `grad` returns and those of `.grad`.
CASES: dict[
    str, tuple[Callable[..., Any], tuple[tuple[int, ...], ...], list[Strides], list[Strides]]
] = {
    "blocks": (
        lambda *each: tri.block_diag(*each),
        ((1, 5), (2, 5), (3, 5)),
        [(15, 1), (15, 1), (15, 1)],
        [(15, 1), (5, 1), (5, 1)],
    ),
    "vectors as blocks": (
        lambda *each: tri.block_diag(*each),
        ((1,), (2,), (3,)),
        [(6,), (1,), (1,)],
        [(6,), (1,), (1,)],
    ),
    "one sum": (
        lambda a, b: tri.tensordot(a, b, dims=DOUBLED),
        ((2, 2, 1), (2, 1, 2)),
        [(1, 2, 2), (1, 1, 2)],
        [(2, 1, 1), (2, 2, 1)],
    ),
    "one sum of matrices": (
        lambda a, b: tri.tensordot(a, b, dims=SWAPPED),
        ((2, 3), (3, 2)),
        [(1, 2), (1, 3)],
        [(3, 1), (2, 1)],
    ),
    "one sum of kept dims": (
        lambda a, b: tri.tensordot(a, b, dims=INNER),
        ((1, 2, 3, 1), (3, 1, 2)),
        [(2, 1, 2, 2), (1, 1, 3)],
        [(6, 3, 1, 1), (2, 2, 1)],
    ),
    "one sum of matrices in order": (
        lambda a, b: tri.tensordot(a, b, dims=2),
        ((2, 3), (2, 3)),
        [(3, 1), (3, 1)],
        [(3, 1), (3, 1)],
    ),
    "one point": (lambda a: tri.fft.rfft(a), ((1,),), [(2,)], [(2,)]),
    "columns of one point": (lambda a: tri.fft.rfft(a), ((2, 1),), [(2, 2)], [(1, 1)]),
}


@pytest.mark.parametrize("name", CASES)
def test_gradients_lie_as_in_pytorch(name: str):
    function, shapes, given, kept = CASES[name]
    leaves = [tri.ones(shape, dtype=tri.float64).requires_grad_() for shape in shapes]
    result = function(*leaves)
    weight = tri.ones(tuple(result.shape), dtype=result.dtype)
    found = tri.autograd.grad(result, leaves, weight, retain_graph=True)
    assert [each.stride() for each in found] == given
    result.backward(weight)
    assert [each.grad.stride() for each in leaves] == kept


def test_blocks_of_vectors_and_numbers_have_their_gradients():
    leaves = [tri.ones(shape).requires_grad_() for shape in ((), (1,), (2,), (0,), (2, 1))]
    result = tri.block_diag(*leaves)
    weight = tri.arange(30.0).view(6, 5)
    result.backward(weight)
    found = [each.grad.tolist() for each in leaves]
    assert found == [0.0, [6.0], [12.0, 13.0], [], [[24.0], [29.0]]]
