"""Do directions have dtypes of their own, as in PyTorch? A complex direction of real numbers."""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

forward_ad = tri.autograd.forward_ad
POINT = tri.tensor([1.0, 2.0])
ACROSS = tri.tensor([1j, 1 + 1j])
FUNCTIONS: list[Callable[[Any], Any]] = [lambda x: x.sin(), lambda x: x, lambda x: x * x]
#: A function of real numbers, and what PyTorch's tangent is in a complex direction.
COMPLEX_DIRECTIONS: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "itself": (lambda x: x, [1j, 1 + 1j]),
    "add": (lambda x: x + 1, [1j, 1 + 1j]),
    "mul": (lambda x: x * 3, [3j, 3 + 3j]),
    "product": (lambda x: x * x, [2j, 4 + 4j]),
    "sum": (lambda x: x.sum(), 1 + 2j),
    "view": (lambda x: x.view(2, 1), [[1j], [1 + 1j]]),
    "made complex": (lambda x: x * 1j, [-1 + 0j, -1 + 1j]),
    "abs": (lambda x: x.abs(), [0.0, 1.0]),
    "sin": (lambda x: x.sin(), [0.0, -0.4161468]),
    "exp": (lambda x: x.exp(), [0.0, 7.3890562]),
    "double": (lambda x: x.double(), [0.0, 1.0]),
}


@pytest.mark.parametrize("name", COMPLEX_DIRECTIONS)
def test_complex_directions_of_real_numbers_stay_complex(name: str):
    """But where PyTorch's rule of a function of one number gives its real part."""
    function, numbers = COMPLEX_DIRECTIONS[name]
    expected = tri.tensor(numbers, dtype=tri.float64 if name == "double" else None)

    def moved(x: Any, direction: Any) -> Any:
        return tri.func.jvp(function, (x,), (direction,))[1]

    tri.testing.assert_close(moved(POINT, ACROSS), expected)
    tri.testing.assert_close(tri.compile(moved)(POINT, ACROSS), expected)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(POINT, ACROSS)
        tri.testing.assert_close(forward_ad.unpack_dual(function(dual)).tangent, expected)


def test_real_directions_of_complex_numbers_become_complex():
    x, direction = POINT + 0j, tri.tensor([0.0, 1.0])

    def moved(function: Callable[[Any], Any], direction: Any) -> Any:
        return tri.func.jvp(function, (x,), (direction,))[1].tolist()

    assert moved(lambda x: x, direction) == [0j, 1 + 0j]
    assert moved(lambda x: x * x, direction) == [0j, 4 + 0j]
    assert moved(lambda x: x.abs(), direction) == [0.0, 1.0]
    assert moved(lambda x: x.abs(), ACROSS) == [0.0, 1.0]


def test_directions_of_more_bits_keep_them():
    direction = tri.tensor([0.0, 1.0], dtype=tri.float64)
    for function in FUNCTIONS:
        assert tri.func.jvp(function, (POINT,), (direction,))[1].dtype is tri.float64
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(POINT, direction)
        assert forward_ad.unpack_dual(tri.sin(dual)).tangent.dtype is tri.float64


def test_directions_are_checked_as_in_pytorch():
    with pytest.raises(ValueError, match="Expected tangent to be floating point or complex"):
        tri.func.jvp(tri.sin, (POINT,), (tri.tensor([1, 2]),))
    _, push = tri.func.linearize(tri.sin, POINT)
    for tangents, text in (
        ((ACROSS,), r"tangent:0 with dtype trilith.complex64 in flattened pytree doesn't match"),
        ((tri.ones(3),), r"tangent:0 with shape trilith.Size\(\[3\]\) in flattened pytree"),
        ((tri.ones(2, device="meta"),), "tangent:0 with device meta in flattened pytree"),
        ((), r"Expected the tangents TreeSpec\(tuple, None, \[\]\) to have the same argspec as"),
    ):
        with pytest.raises(RuntimeError, match=text):
            push(*tangents)


def test_a_real_direction_is_complex_where_a_function_computes_with_complex_numbers():
    """Eigenvalues of ((1, 2), (3, 5)), 3 -+ sqrt(10), move by 1 -+ sqrt(2.5) / 2 along ones."""
    matrix = tri.tensor([[1.0, 2.0], [3.0, 5.0]], dtype=tri.float64)
    ones = tri.ones(2, 2, dtype=tri.float64)

    def first(x: Any) -> Any:
        return tri.linalg.eig(x)[0]

    functions: list[Any] = [tri.linalg.eigvals, first]
    for function in functions:
        values, moves = tri.func.jvp(function, (matrix,), (ones,))
        assert moves.dtype is tri.complex128
        order = values.real.argsort()
        expected = [1 - 2.5**0.5 / 2, 1 + 2.5**0.5 / 2]
        assert moves[order].real.tolist() == pytest.approx(expected)


def test_directions_are_followed_where_gradients_are_not_recorded():
    def scaled(x: Any) -> Any:
        with tri.no_grad():
            y = x * 2
            y[0] = 3 * x[1]
        return y * x

    x = tri.tensor([1.0, 2.0])
    value, moved = tri.func.jvp(scaled, (x,), (tri.ones(2),))
    assert (value.tolist(), moved.tolist()) == ([6.0, 8.0], [9.0, 8.0])
    assert tri.func.jacfwd(scaled)(x).tolist() == [[6.0, 3.0], [0.0, 8.0]]
    assert tri.func.jacrev(scaled)(x).tolist() == [[6.0, 0.0], [0.0, 4.0]]
    assert tri.compile(tri.jacfwd(scaled))(x).tolist() == [[6.0, 3.0], [0.0, 8.0]]
    assert not value.requires_grad
