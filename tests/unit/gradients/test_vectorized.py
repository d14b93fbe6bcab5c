"""What do Jacobians that are found all at once give? Of complex numbers, too: values of torch."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

functional: Any = tri.autograd.functional
REAL = tri.tensor([1.0, 2.0])
COMPLEX = tri.tensor([1 + 2j, 3 - 1j])
DOUBLE = tri.tensor([1.0, 2.0], dtype=tri.float64)
FORWARDS: dict[str, Any] = {"vectorize": True, "strategy": "forward-mode"}
#: A function, where, and the diagonals of its Jacobians found backwards and forwards.
DIAGONALS: dict[str, tuple[Callable[[Any], Any], Any, list[Any], list[Any]]] = {
    "real": (lambda x: x * x, REAL, [2.0, 4.0], [2.0, 4.0]),
    "made complex": (lambda x: x * (1 + 2j), REAL, [1.0, 1.0], [1 + 2j, 1 + 2j]),
    "made real": (
        lambda z: z.abs(),
        COMPLEX,
        [0.4472136 + 0.8944272j, 0.9486833 - 0.3162278j],
        [0.4472136, 0.9486833],
    ),
    "holomorphic": (lambda z: z * z, COMPLEX, [2 - 4j, 6 + 2j], [2 + 4j, 6 - 2j]),
    "real part": (lambda z: z.real * 2, COMPLEX, [2 + 0j, 2 + 0j], [2.0, 2.0]),
}


def widened(x: Any, d: Any) -> Any:
    return x.double() * d


def weighted(x: Any, z: Any) -> Any:
    return (x * z.abs()).sum()


@pytest.mark.parametrize("name", DIAGONALS)
def test_jacobians_of_elements(name: str):
    function, x, backwards, forwards = DIAGONALS[name]
    at_once: dict[str, Any] = {"vectorize": True}
    for options, diagonal in ((at_once, backwards), (FORWARDS, forwards)):
        found = functional.jacobian(function, x, **options)
        tri.testing.assert_close(found, tri.diag(tri.tensor(diagonal)))
    if name in ("made complex", "holomorphic"):
        with pytest.raises(RuntimeError, match="only for real scalar outputs"):
            functional.jacobian(function, x)


def test_several_results_of_several_arguments():
    """Backwards the dtypes are those of arguments, forwards those of results."""

    def function(x: Any, z: Any) -> Any:
        return x * x, z * x

    backwards = functional.jacobian(function, (REAL, COMPLEX), vectorize=True)
    assert [[each.dtype for each in row] for row in backwards] == [[tri.float32, tri.complex64]] * 2
    assert [each.diag().tolist() for each in backwards[1]] == [[1.0, 3.0], [1 + 0j, 2 + 0j]]
    assert not backwards[0][1].any()
    forwards = functional.jacobian(function, (REAL, COMPLEX), **FORWARDS)
    assert [[each.dtype for each in row] for row in forwards] == [
        [tri.float32, tri.float32],
        [tri.complex64, tri.complex64],
    ]
    assert [each.diag().tolist() for each in forwards[1]] == [[1 + 2j, 3 - 1j], [1 + 0j, 2 + 0j]]
    wide = functional.jacobian(widened, (REAL, DOUBLE), **FORWARDS)
    assert [each.dtype for each in wide] == [tri.float64, tri.float64]


def test_what_depends_on_nothing_is_one_zero():
    for vectorize, strides in ((True, (0, 1)), (False, (2, 1))):
        found = functional.jacobian(lambda x: tri.ones(2), REAL, vectorize=vectorize)
        assert found.tolist() == [[0.0, 0.0], [0.0, 0.0]]
        assert found.stride() == strides
    found = functional.jacobian(lambda x: tri.tensor([1, 2]), REAL, vectorize=True)
    assert (found.dtype, found.tolist()) == (tri.float32, [[0.0, 0.0], [0.0, 0.0]])


def test_a_graph_of_a_vectorized_jacobian():
    x = REAL.clone().requires_grad_()
    found: Any = functional.jacobian(lambda x: x**3, x, create_graph=True, vectorize=True)
    (slope,) = tri.autograd.grad(found.sum(), x)
    assert slope.tolist() == [6.0, 12.0]
    assert not functional.jacobian(lambda x: x**3, x, vectorize=True).requires_grad
    with pytest.raises(NotImplementedError, match='`strategy="forward-mode"` are not supported to'):
        functional.jacobian(lambda x: x, x, create_graph=True, **FORWARDS)


def test_second_derivatives_of_complex_numbers():
    def cubes(z: Any) -> Any:
        return (z.abs() ** 3).sum()

    expected = tri.diag(tri.tensor([8.0498447 + 2.6832816j, 18.0249825 - 2.8460498j]))
    found = functional.hessian(cubes, COMPLEX, vectorize=True)
    tri.testing.assert_close(found, expected)
    found = functional.hessian(
        cubes, COMPLEX, vectorize=True, outer_jacobian_strategy="forward-mode"
    )
    tri.testing.assert_close(found, expected)
    mixed = functional.hessian(weighted, (REAL, COMPLEX), vectorize=True)
    assert not mixed[0][0].any()
    assert mixed[1][0].diag().tolist() == pytest.approx([0.4472136, 0.9486833])


def test_whole_numbers_do_not_move():
    with pytest.raises(ValueError, match="Expected primal to be floating point or complex"):
        functional.jacobian(lambda x: x * 2.0, tri.tensor([1, 2]), **FORWARDS)
