"""Do values that are written in place move, and gradients of what moves? As derivatives say."""

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
from trilith.dialects.diagnostics import TrilithRuntimeError

forward: Any = tri.autograd.forward_ad
STEP = 1e-6


def twice(x: Any) -> Any:
    x.mul_(2)
    return x * x


def by_itself(x: Any) -> Any:
    x.mul_(x)
    return x * x


def of_a_copy(x: Any) -> Any:
    y = x * 1
    y.mul_(y)
    return y.sin()


def what_was_saved(x: Any) -> Any:
    y = x * x
    x.add_(1)
    return y * x


def what_came_out(x: Any) -> Any:
    y = x.exp()
    y.mul_(2)
    return y


def one_element(x: Any) -> Any:
    x[0] = x[1] * x[2]
    return x * x


def through_a_view(x: Any) -> Any:
    x.view(3, 1)[1:].mul_(x[0])
    return x * x


def step_by_step(x: Any) -> Any:
    x.sin_()
    x.sigmoid_()
    return x


def nothing(x: Any) -> Any:
    x.zero_()
    return x


FUNCTIONS: list[Callable[[Any], Any]] = [
    *(twice, by_itself, of_a_copy, what_was_saved, what_came_out, one_element, through_a_view),
    *(step_by_step, nothing),
]


def numbers() -> Any:
    return tri.tensor([1.0, 2.0, 3.0], dtype=tri.float64)


def direction() -> Any:
    return tri.tensor([1.0, -0.5, 2.0], dtype=tri.float64)


def slope(function: Callable[[Any], Any]) -> list[float]:
    """Return how a function moves, by its values alone."""
    ahead, behind = numbers() + STEP * direction(), numbers() - STEP * direction()
    return ((function(ahead) - function(behind)) / (2 * STEP)).tolist()


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_functions_that_write_their_arguments_move(function: Any, compiled: bool):
    def moved(x: Any, v: Any) -> Any:
        return tri.func.jvp(function, (x,), (v,))

    x = numbers()
    value, found = (tri.compile(moved) if compiled else moved)(x, direction())
    wanted = numbers()
    assert value.tolist() == pytest.approx(function(wanted).tolist())
    assert x.tolist() == pytest.approx(wanted.tolist())
    assert found.tolist() == pytest.approx(slope(function), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_jacobians_are_found_forwards_of_functions_that_write(function: Any):
    jacobian = tri.func.jacfwd(function)(numbers())
    found = (jacobian @ direction()).tolist()
    assert found == pytest.approx(slope(function), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda each: each.__name__)
def test_duals_that_are_written_move(function: Any):
    with forward.dual_level():
        dual = forward.make_dual(numbers(), direction())
        found = forward.unpack_dual(function(dual)).tangent
        own = forward.unpack_dual(dual).tangent
    assert found.tolist() == pytest.approx(slope(function), rel=1e-6, abs=1e-6)

    def written(x: Any) -> Any:
        function(x)
        return x

    assert own.tolist() == pytest.approx(slope(written), rel=1e-6, abs=1e-6)


def test_views_of_duals_move_with_them():
    with forward.dual_level():
        dual = forward.make_dual(numbers(), direction())
        view = dual.view(3, 1)
        dual.mul_(3)
        assert forward.unpack_dual(view).tangent.tolist() == [[3.0], [-1.5], [6.0]]
        view[0].mul_(2)
        assert forward.unpack_dual(dual).tangent.tolist() == [6.0, -1.5, 6.0]
    assert (dual.requires_grad, dual.grad_fn, dual.is_leaf) == (False, None, True)


def test_a_dual_that_is_written_with_another_moves_as_that():
    with forward.dual_level():
        dual = forward.make_dual(numbers(), direction())
        dual.copy_(forward.make_dual(tri.zeros(3), tri.full((3,), 7.0)))
        assert forward.unpack_dual(dual).tangent.tolist() == [7.0, 7.0, 7.0]
        dual.copy_(tri.ones(3))
        assert forward.unpack_dual(dual).tangent.tolist() == [0.0, 0.0, 0.0]


def test_arguments_may_not_be_written_where_gradients_run_back():
    with pytest.raises(TrilithRuntimeError, match="a leaf Variable that requires grad"):
        tri.func.jacrev(twice)(numbers())
    with pytest.raises(TrilithRuntimeError, match="modified by an inplace operation"):
        tri.func.vjp(what_came_out, numbers())[1](direction())


def test_what_was_saved_is_checked_again_after_a_level():
    with forward.dual_level():
        forward.make_dual(numbers(), direction())
    x = numbers().requires_grad_()
    with pytest.raises(TrilithRuntimeError, match="modified by an inplace operation"):
        what_came_out(x).sum().backward()


def cubes(x: Any) -> Any:
    return (x**3).sum()


def test_gradients_move_with_what_they_are_of():
    leaf = numbers().requires_grad_()
    wanted = (6 * numbers() * direction()).tolist()
    with forward.dual_level():
        dual = forward.make_dual(leaf, direction())
        for of in (leaf, dual):
            (found,) = tri.autograd.grad(cubes(dual), of)
            assert forward.unpack_dual(found).tangent.tolist() == wanted
        found = tri.func.grad(cubes)(forward.make_dual(numbers(), direction()))
        assert forward.unpack_dual(found).tangent.tolist() == wanted


def test_gradients_move_with_what_a_function_has_captured():
    with forward.dual_level():
        factor = forward.make_dual(numbers(), direction())

        def product(x: Any) -> Any:
            return (x * x * factor).sum()

        found = tri.func.grad(product)(numbers())
        moved = forward.unpack_dual(found).tangent
    assert moved.tolist() == (2 * numbers() * direction()).tolist()


def test_gradients_of_what_does_not_move_are_plain():
    leaf = numbers().requires_grad_()
    with forward.dual_level():
        forward.make_dual(numbers(), direction())
        (found,) = tri.autograd.grad(cubes(leaf), leaf)
        assert (found.requires_grad, forward.unpack_dual(found).tangent) == (False, None)
