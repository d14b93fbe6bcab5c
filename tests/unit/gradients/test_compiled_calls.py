"""Does a compiled call in a graph notice what an eager one would? Writes, hooks, and steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri
import trilith.nn.functional as F
from trilith.utils.checkpoint import checkpoint

MODIFIED = "has been modified by an inplace operation"


def leaf(*elements: float) -> Any:
    return tri.tensor(list(elements), requires_grad=True)


# ---- writes between a call and its gradient


def test_a_written_argument_is_refused_if_the_gradient_needs_it():
    w = leaf(3.0)
    loss = tri.compile(lambda w: (w**3).sum())(w)
    with tri.no_grad():
        w.fill_(100.0)
    with pytest.raises(RuntimeError, match=MODIFIED):
        loss.backward()


def test_a_written_argument_does_not_matter_if_nothing_needs_it():
    w = leaf(3.0)
    loss = tri.compile(lambda w: (w * 3).sum())(w)
    with tri.no_grad():
        w.fill_(100.0)
    loss.backward()
    assert w.grad.tolist() == [3]


def test_a_written_tensor_of_the_enclosing_program_is_refused():
    w, scale = leaf(3.0), tri.tensor([2.0])
    loss = tri.compile(lambda w: (w * scale).sum())(w)
    scale.fill_(100.0)
    with pytest.raises(RuntimeError, match=MODIFIED):
        loss.backward()


def test_a_written_result_is_refused():
    y = tri.compile(lambda w: w.exp())(leaf(3.0))
    y.add_(1)
    with pytest.raises(RuntimeError, match=MODIFIED):
        y.sum().backward()


@pytest.mark.filterwarnings("ignore:.*runs step by step")
def test_a_write_over_what_the_gradient_needs_is_refused_within_a_function():
    def function(x: Any) -> Any:
        first = x.exp()
        second = first * first
        first.add_(1)
        return (second + first * first).sum()

    with pytest.raises(RuntimeError, match=MODIFIED):
        tri.compile(function)(leaf(1.0, 2.0)).backward()
    with pytest.raises(RuntimeError, match=MODIFIED):
        tri.func.grad(tri.compile(function))(tri.tensor([1.0, 2.0]))


# ---- several plans of one function


def test_each_plan_knows_where_its_own_gradients_go():
    scale = tri.tensor(3.0, requires_grad=True)

    def function(x: Any) -> Any:
        return (x * scale).sum() if x.shape[0] > 2 else ((x * x).sum(), x.sum())

    compiled = tri.compile(function)
    for size in (3, 2, 3, 2, 4, 2, 5):
        x, scale.grad = tri.ones(size, requires_grad=True), None
        y = compiled(x)
        loss = y if size > 2 else y[0] + y[1]
        loss.backward()
        assert x.grad is not None
        assert x.grad.tolist() == [3] * size
        assert (scale.grad is None) == (size == 2)


# ---- results that lie in the memory of arguments or of one another


def grid() -> Any:
    return tri.arange(6.0).reshape(2, 3).requires_grad_()


def test_a_result_is_a_view_of_an_argument():
    x = grid()
    base = x * 1
    tri.compile(lambda base: base[0])(base).mul_(3)
    base.sum().backward()
    assert x.grad.tolist() == [[3, 3, 3], [1, 1, 1]]
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        tri.compile(lambda x: x[:1])(grid()).mul_(2)


def test_an_argument_that_is_written_is_seen_by_the_result():
    x = grid()
    base = x * 1
    view = tri.compile(lambda base: base.t())(base)
    base.mul_(2)
    view.sum().backward()
    assert x.grad.tolist() == [[2, 2, 2], [2, 2, 2]]


def test_a_result_is_a_view_of_another_one():
    def function(x: Any) -> Any:
        y = x * 2
        return y, y[1:]

    x = grid()
    whole, part = tri.compile(function)(x)
    part.mul_(5)
    whole.sum().backward()
    assert x.grad.tolist() == [[2, 2, 2], [10, 10, 10]]


def test_what_is_returned_as_it_was_given_is_itself():
    x = grid()
    compiled = tri.compile(lambda x: (x, (y := x.exp()), y))
    compiled(x)
    same, first, second = compiled(x)
    assert same is x
    assert first is second
    (same.sum() + second.sum()).backward()
    assert tri.allclose(x.grad, 1 + x.detach().exp())


# ---- hooks and checkpoints


def test_hooks_get_what_a_compiled_call_keeps():
    w = leaf(1.0, 2.0)
    compiled = tri.compile(lambda w: (w**3).sum())
    for _ in range(2):
        w.grad = None
        with tri.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: x * 10):
            loss = compiled(w)
        loss.backward()
        assert w.grad is not None
        assert w.grad.tolist() == [300, 1200]


@pytest.mark.parametrize("use_reentrant", [True, False])
def test_a_compiled_function_is_checkpointed(use_reentrant: bool):
    def function(w: Any) -> Any:
        return (w.exp() * w.sin()).sum()

    plain, kept = leaf(1.0, 2.0), leaf(1.0, 2.0)
    function(plain).backward()
    checkpoint(tri.compile(function), kept, use_reentrant=use_reentrant).backward()
    assert tri.allclose(kept.grad, plain.grad)


def test_gradients_of_many_outputs_at_once():
    w = leaf(1.0, 2.0)
    y = tri.compile(lambda w: w**3)(w)
    (found,) = tri.autograd.grad(y, w, tri.eye(2), is_grads_batched=True)
    assert found.tolist() == [[3, 0], [0, 12]]
    assert not found.requires_grad


# ---- functions that are run step by step


class Rounded(tri.autograd.Function):
    """A Function of the old style."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return x.round()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return grad * 2


def with_penalty(w: Any) -> Any:
    x = tri.tensor([3.0, 4.0]).requires_grad_()
    y = (w * x * x).sum()
    (slope,) = tri.autograd.grad(y, x, create_graph=True)
    return (slope * slope).sum()


STEPWISE: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "a Function of the old style": (lambda w: Rounded.apply(w).sum(), [2, 2]),
    "a penalty": (with_penalty, [72, 256]),
}


@pytest.mark.filterwarnings("ignore:.*runs step by step")
@pytest.mark.parametrize("name", STEPWISE)
def test_what_is_no_part_of_a_program_runs_step_by_step(name: str):
    function, expected = STEPWISE[name]
    w = leaf(1.0, 2.0)
    tri.compile(function)(w).backward()
    assert w.grad.tolist() == expected


@pytest.mark.filterwarnings("ignore:.*runs step by step")
def test_a_step_with_its_own_backward():
    w = leaf(1.0, 2.0)

    def step(x: Any) -> Any:
        loss = (w * x).sum()
        loss.backward()
        return loss.detach()

    compiled = tri.compile(step)
    assert [compiled(tri.tensor([3.0, 4.0])).item() for _ in range(2)] == [11, 11]
    assert w.grad.tolist() == [6, 8]


# ---- states


def test_running_statistics_are_no_part_of_a_graph():
    weight = tri.ones(3, 4, requires_grad=True)
    mean, variance = tri.zeros(4), tri.ones(4)
    x = tri.arange(24.0).reshape(8, 3)
    F.batch_norm(x @ weight, mean, variance, training=True).sum().backward()
    assert (mean.requires_grad, variance.grad_fn) == (False, None)
    assert mean.numpy().tolist() == pytest.approx([3.45] * 4)


def test_a_table_of_limited_norm_gets_a_gradient():
    table = tri.tensor([[3.0, 4.0], [0.5, 0.0]], requires_grad=True)
    F.embedding(tri.tensor([0, 1]), table, max_norm=1.0).sum().backward()
    assert table.detach()[0].tolist() == pytest.approx([0.6, 0.8], abs=1e-5)
    assert table.grad is not None
    assert table.grad.tolist() == [[1, 1], [1, 1]]
