"""Is a compiled function that is called with tensors requiring gradients what it is eagerly?"""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

GENERATOR = tri.Generator().manual_seed(5)


def drawn(*shape: int) -> tri.Tensor:
    return tri.randn(shape, dtype=tri.float64, generator=GENERATOR)


def layer(w: tri.Tensor, b: tri.Tensor, x: tri.Tensor) -> tri.Tensor:
    return (x @ w + b).tanh()


def gradients(function: Callable[..., Any], *tensors: tri.Tensor) -> list[Any]:
    """The gradients of the sum of what a function gives, by backward()."""
    leaves = [tensor.detach().requires_grad_() for tensor in tensors]
    function(*leaves).sum().backward()
    return [leaf.grad for leaf in leaves]


def assert_equal(first: list[Any], second: list[Any]) -> None:
    for one, other in zip(first, second, strict=True):
        assert tri.allclose(one, other, rtol=1e-12, atol=1e-14)


def test_it_is_one_node_whose_gradient_is_that_of_the_steps():
    compiled = tri.compile(layer)
    given = drawn(3, 2), drawn(2), drawn(5, 3)
    result = compiled(*(each.requires_grad_() for each in given))
    assert type(result.grad_fn).__name__ == "CompiledFunctionBackward"
    assert result.grad_fn is not None
    assert len(result.grad_fn.next_functions) == 3
    plain = [each.detach() for each in given]
    assert_equal(gradients(compiled, *plain), gradients(layer, *plain))
    assert compiled.stats().eager_calls == 0


def test_other_sizes_have_gradients_of_their_own():
    compiled = tri.compile(layer)
    w, b = drawn(3, 2), drawn(2)
    for rows in (4, 4, 7, 1, 9, 2):
        x = drawn(rows, 3)
        assert_equal(gradients(compiled, w, b, x), gradients(layer, w, b, x))


def test_only_what_requires_a_gradient_gets_one():
    compiled = tri.compile(layer)
    w, b, x = drawn(3, 2).requires_grad_(), drawn(2), drawn(5, 3)
    result = compiled(w, b, x)
    result.sum().backward()
    assert w.grad is not None
    assert b.grad is None
    assert not compiled(w.detach(), b, x).requires_grad
    with tri.no_grad():
        assert not compiled(w, b, x).requires_grad


def test_tensors_of_the_program_around_it_get_gradients():
    w, b = drawn(3, 2).requires_grad_(), drawn(2).requires_grad_()
    x = drawn(5, 3)

    @tri.compile
    def compiled(x: tri.Tensor) -> tri.Tensor:
        return layer(w, b, x)

    for _ in range(3):
        result = compiled(x)
        assert result.requires_grad
        result.sum().backward()
        found, w.grad, b.grad = [w.grad, b.grad], None, None
        assert_equal(found, gradients(lambda w, b: layer(w, b, x), w, b))
    with tri.no_grad():
        assert not compiled(x).requires_grad
        w.mul_(2)
    compiled(x).sum().backward()
    assert_equal([w.grad], gradients(lambda w: layer(w, b, x), w))


@pytest.mark.parametrize(
    "body",
    {
        "transposed": lambda x, w: x @ w.T,
        "seen as": lambda x, w: w.view(2, 6).sum(0) * x.sum(),
        "reshaped": lambda x, w: w.reshape(-1) * x.sum(),
        "a row": lambda x, w: x * w[1],
        "rows": lambda x, w: w[1:] + x[0],
        "chosen": lambda x, w: w[tri.tensor([2, 0])] * x.sum(),
        "steps": lambda x, w: tri.nn.functional.linear(x, w),
        "parts": lambda x, w: tri.chunk(w, 2)[0] * x.sum(),
        "twice": lambda x, w: (x @ w.T) * w.sum() + w.view(-1)[0],
    }.items(),
    ids=lambda item: item[0].replace(" ", "-"),
)
def test_views_of_captured_tensors_have_their_gradients(body: Any):
    _, function = body
    w, x = drawn(3, 4).requires_grad_(), drawn(5, 4)
    compiled = tri.compile(lambda x: function(x, w))
    for _ in range(2):
        with tri.no_grad():
            assert not compiled(x).requires_grad
        w.grad = None
        function(x, w).sum().backward()
        wanted, w.grad = w.grad, None
        compiled(x).sum().backward()
        assert_equal([w.grad], [wanted])


def test_what_a_captured_tensor_was_computed_from_gets_a_gradient():
    w, x = drawn(3, 2).requires_grad_(), drawn(5, 3)
    doubled = w * 2
    compiled = tri.compile(lambda x: (x @ doubled).exp().sum())
    compiled(x).backward()
    assert_equal([w.grad], gradients(lambda w: (x @ (w * 2)).exp(), w))


def test_a_gradient_of_the_gradient_is_taken_step_by_step():
    compiled = tri.compile(lambda w: (w**3).sum())
    w = drawn(4).requires_grad_()
    (first,) = tri.autograd.grad(compiled(w), w, create_graph=True)
    (second,) = tri.autograd.grad(first.sum(), w)
    assert_equal([first.detach(), second], [3 * w.detach() ** 2, 6 * w.detach()])


def test_a_graph_is_used_up_and_what_was_kept_is_freed():
    compiled = tri.compile(lambda w: w.exp().sum())
    w = drawn(4).requires_grad_()
    result = compiled(w)
    result.backward(retain_graph=True)
    result.backward()
    assert_equal([w.grad], [2 * w.detach().exp()])
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        result.backward()


def test_several_results_and_nested_arguments():
    @tri.compile
    def compiled(p: dict[str, tri.Tensor], scale: float) -> dict[str, Any]:
        return {"a": p["x"] * scale, "b": [p["y"].sin(), p["x"].argmax()], "n": 3}

    x, y = drawn(4).requires_grad_(), drawn(3).requires_grad_()
    found = compiled({"x": x, "y": y}, 2.0)
    assert found["n"] == 3
    assert not found["b"][1].requires_grad
    found["b"][0].sum().backward()
    assert x.grad is None
    assert_equal([y.grad], [y.detach().cos()])


def test_a_function_that_writes_to_its_arguments_runs_step_by_step_and_says_so():
    def count(w: tri.Tensor, calls: tri.Tensor) -> tri.Tensor:
        calls.add_(1)
        return (w * calls).sum()

    compiled = tri.compile(count)
    w, calls = drawn(3).requires_grad_(), tri.zeros(1, dtype=tri.float64)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for expected in (1.0, 2.0, 3.0):
            w.grad = None
            compiled(w, calls).backward()
            assert calls.item() == expected
            assert_equal([w.grad], [tri.full((3,), expected, dtype=tri.float64)])
    assert sum("runs step by step" in str(each.message) for each in caught) >= 1


def test_random_numbers_of_the_gradient_are_those_of_the_result():
    @tri.compile
    def compiled(x: tri.Tensor) -> tri.Tensor:
        return tri.nn.functional.dropout(x * x, 0.5)

    x = tri.ones(1000, dtype=tri.float64).requires_grad_()
    result = compiled(x)
    result.sum().backward()
    # Each is dropped, with its gradient, or both are doubled.
    assert tri.equal(x.grad, 2 * result.detach())
    assert 300 < int((result == 0).sum()) < 700


def test_backward_inside_of_a_compiled_function():
    @tri.compile
    def slope(w: tri.Tensor, x: tri.Tensor) -> Any:
        own = w.detach().requires_grad_()
        (x @ own).tanh().sum().backward()
        return own.grad

    w, x = drawn(3, 2), drawn(5, 3)
    assert_equal([slope(w, x)], gradients(lambda w: (x @ w).tanh(), w))
    assert slope.stats().eager_calls == 0


def test_a_step_of_training_is_one_program():
    @tri.compile
    def step(w: tri.Tensor, x: tri.Tensor, y: tri.Tensor) -> Any:
        loss, slope = tri.value_and_grad(lambda w: ((x @ w - y) ** 2).mean())(w)
        return w - 0.1 * slope, loss

    true = drawn(3, 1)
    x = drawn(50, 3)
    w, losses = tri.zeros(3, 1, dtype=tri.float64), []
    for _ in range(100):
        w, loss = step(w, x, x @ true)
        losses.append(loss.item())
    assert losses[-1] < 1e-6 * losses[0]
    assert step.stats().traces == 1
    assert step.stats().eager_calls == 0
