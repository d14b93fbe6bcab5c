"""Are operations with gradients of one's own recorded, run and refused as PyTorch's are?"""

from typing import Any

import pytest

import trilith as tri


class Cube(tri.autograd.Function):
    """x**3, whose gradient is told tenfold so that it can be told from the derived one."""

    @staticmethod
    def forward(x: Any, factor: float) -> Any:
        return x**3

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        x, ctx.factor = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x**2 * grads[0] * ctx.factor, None


def leaf() -> Any:
    return tri.tensor([1.0, 2.0, 3.0], requires_grad=True)


def twice(ctx: Any, x: Any) -> Any:
    return x * 2


def first(ctx: Any, *grads: Any) -> Any:
    return grads[0]


def scaled(by: float) -> Any:
    """Return a `backward` that multiplies."""

    def back(ctx: Any, grad: Any) -> Any:
        return grad * by

    return back


def as_it_is(ctx: Any, x: Any) -> Any:
    return x


def two_gradients(ctx: Any, grad: Any) -> Any:
    return grad, grad


def too_small(ctx: Any, grad: Any) -> Any:
    return grad[:1]


def a_number(ctx: Any, grad: Any) -> Any:
    return 2.0


def of_forward(run: Any, back: Any = first) -> Any:
    """Return a function with a `forward(ctx, *args)` and a `backward(ctx, *grads)`."""
    members = {"forward": staticmethod(run), "backward": staticmethod(back)}
    return type("Fn", (tri.autograd.Function,), members)


def test_its_gradient_is_what_backward_says():
    x = leaf()
    y = Cube.apply(x, 10.0)
    assert y.grad_fn.name() == "CubeBackward"
    y.sum().backward()
    assert x.grad.tolist() == [30.0, 120.0, 270.0]


def test_gradients_of_gradients_go_through_backward():
    x = leaf()
    (slope,) = tri.autograd.grad(Cube.apply(x, 10.0).sum(), x, create_graph=True)
    (second,) = tri.autograd.grad(slope.sum(), x)
    assert second.tolist() == [60.0, 120.0, 180.0]


def test_it_is_part_of_a_compiled_gradient():
    def loss(x: Any) -> Any:
        return Cube.apply(x, 10.0).sum()

    run = tri.compile(tri.func.grad(loss))
    assert run(tri.tensor([1.0, 2.0])).tolist() == [30.0, 120.0]


def test_transformations_need_a_context_that_is_set_up_apart():
    function = of_forward(twice)

    def loss(x: Any) -> Any:
        return function.apply(x).sum()

    with pytest.raises(RuntimeError, match="it must override the setup_context staticmethod"):
        tri.func.grad(loss)(tri.ones(2))


def test_what_forward_returns_as_it_is_becomes_a_view():
    x = leaf()
    y = of_forward(as_it_is, scaled(5)).apply(x)
    y.sum().backward()
    assert y is not x
    assert (y._is_view(), y._base is x) == (True, True)
    assert x.grad.tolist() == [5.0, 5.0, 5.0]


def test_what_is_marked_dirty_keeps_its_identity():
    def double(ctx: Any, x: Any) -> Any:
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = leaf()
    y = x * 1
    z = of_forward(double, scaled(2)).apply(y)
    z.sum().backward()
    assert z is y
    assert x.grad.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in"):
        of_forward(double).apply(x)


def test_gradients_that_do_not_exist_are_zeros_unless_told():
    seen: list[Any] = []

    def back(ctx: Any, *grads: Any) -> Any:
        seen.append(grads[1])
        return grads[0]

    def two(ctx: Any, x: Any) -> Any:
        return x * 2, x * 3

    def two_without(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    for run in (two, two_without):
        of_forward(run, back).apply(leaf())[0].sum().backward()
    assert seen[0].tolist() == [0.0, 0.0, 0.0]
    assert seen[1] is None


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (two_gradients, r"incorrect number of gradients \(expected 1, got 2\)"),
        (too_small, r"got \[1\] but expected shape compatible with \[3\]"),
        (a_number, r"expected Variable or None \(got float\)"),
    ],
)
def test_wrong_gradients_are_refused(given: Any, text: str):
    with pytest.raises(RuntimeError, match=text):
        of_forward(twice, given).apply(leaf()).sum().backward()


def test_only_tensors_are_saved():
    def run(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(5)
        return x * 2

    with pytest.raises(TypeError, match="can only save variables, but argument 0 is of type int"):
        of_forward(run).apply(leaf())


def test_what_was_saved_is_gone_after_a_run():
    y = Cube.apply(leaf(), 1.0).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()


def test_gradients_that_are_differentiable_once():
    @tri.autograd.function.once_differentiable
    def back(ctx: Any, grad: Any) -> Any:
        return grad * 2

    x, weight = leaf(), tri.ones(3, requires_grad=True)
    y = of_forward(twice, back).apply(x)
    (found,) = tri.autograd.grad(y, x, weight, create_graph=True)
    assert found.tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(RuntimeError, match="trying to differentiate twice"):
        found.sum().backward()
