"""Do the functions around graphs give what formulas say: Jacobians, duals, hooks?"""

import copy
import gc
import pickle
from typing import Any
from weakref import ref

import pytest

import trilith as tri

autograd: Any = tri.autograd
functional: Any = tri.autograd.functional
forward_ad: Any = tri.autograd.forward_ad
graph: Any = tri.autograd.graph


def leaf(*values: float) -> Any:
    return tri.tensor(values or (1.0, 2.0, 3.0), requires_grad=True)


def square(x: Any) -> Any:
    return x * x


def times(x: Any, y: Any) -> Any:
    return x * y


def sine(x: Any) -> Any:
    return x.sin() * x


def half_detached(x: Any) -> Any:
    return x.detach() * x


def same(x: Any) -> Any:
    return x


# Derivatives at a point


def test_jacobians_of_several_inputs():
    x, y = tri.tensor([1.0, 2.0]), tri.tensor([3.0, 4.0])
    first, second = functional.jacobian(times, (x, y))
    assert (first.tolist(), second.tolist()) == ([[3.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]])


def test_second_derivatives():
    x, v = tri.tensor([1.0, 2.0]), tri.tensor([1.0, 10.0])

    def cubes(x: Any) -> Any:
        return (x**3).sum()

    assert functional.hessian(cubes, x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    for product in (functional.hvp, functional.vhp):
        value, found = product(cubes, x, v)
        assert (value.item(), found.tolist()) == (9.0, [6.0, 120.0])


def test_directions_both_ways():
    x, v = tri.tensor([1.0, 2.0]), tri.tensor([1.0, 10.0])
    for move in (functional.jvp, functional.vjp):
        value, found = move(square, x, v)
        assert (value.tolist(), found.tolist()) == ([1.0, 4.0], [2.0, 40.0])


def test_inputs_that_are_no_tensors_are_refused():
    with pytest.raises(TypeError, match="must be either a Tensor or a tuple of Tensors"):
        functional.jacobian(same, 3)


def test_gradients_are_checked_by_differences():
    x = tri.tensor([0.5, 2.0], dtype=tri.float64, requires_grad=True)
    assert tri.autograd.gradcheck(sine, x)
    assert tri.autograd.gradgradcheck(sine, x)
    with pytest.raises(tri.autograd.GradcheckError, match="Jacobian mismatch for output 0"):
        tri.autograd.gradcheck(half_detached, x)
    assert not tri.autograd.gradcheck(half_detached, x, raise_exception=False)


# Duals


def test_tangents_of_duals():
    x = leaf()
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, tri.tensor([1.0, 2.0, 3.0]))
        primal, tangent = forward_ad.unpack_dual(dual * dual)
        assert (primal.tolist(), tangent.tolist()) == ([1.0, 4.0, 9.0], [2.0, 8.0, 18.0])
        (found,) = tri.autograd.grad(tangent.sum(), x)
        assert found.tolist() == [2.0, 4.0, 6.0]
        assert forward_ad.unpack_dual(dual.detach()).tangent is None


def test_duals_need_a_level_and_levels_do_not_nest():
    with pytest.raises(RuntimeError, match="no level exists"):
        forward_ad.make_dual(tri.ones(2), tri.ones(2))
    with (
        forward_ad.dual_level(),
        pytest.raises(RuntimeError, match="Nested forward mode"),
        forward_ad.dual_level(),
    ):
        pass


# Graphs


def test_edges_stand_for_tensors():
    x = leaf()
    (found,) = tri.autograd.grad((x * 2).sum(), graph.get_gradient_edge(x))
    assert found.tolist() == [2.0, 2.0, 2.0]


def test_a_hook_of_several_tensors_waits_for_those_that_are_reached():
    x = leaf()
    a, b, unused = x * 2, x * 3, x * 4
    seen: list[Any] = []
    graph.register_multi_grad_hook((a, b, unused), seen.append)
    (a + b * 5).sum().backward()
    ((first, second, third),) = seen
    assert (first.tolist(), second.tolist(), third) == ([1.0] * 3, [5.0] * 3, None)


def test_what_is_saved_may_be_packed():
    x = leaf()
    with graph.saved_tensors_hooks(tri.Tensor.tolist, tri.tensor):
        y = (x * x).sum()
    y.backward()
    assert x.grad.tolist() == [2.0, 4.0, 6.0]


def test_who_packs_is_given_operands_themselves():
    w, x = tri.nn.Parameter(tri.ones(3)), leaf()
    seen: list[Any] = []

    def pack(tensor: Any) -> Any:
        seen.append(tensor)
        return tensor

    with graph.saved_tensors_hooks(pack, same):
        y = w * x
        z = y.tanh()
    assert sum(each is w for each in seen) == sum(each is x for each in seen) == 1
    z.sum().backward()
    slopes = 1 - z.detach() ** 2
    tri.testing.assert_close(w.grad, slopes * x.detach())
    tri.testing.assert_close(x.grad, slopes)


def test_a_leaf_that_requires_no_gradient_any_more_gets_none():
    w, x = leaf(), leaf()
    y = (w * x).sum()
    w.requires_grad_(False)
    y.backward()
    assert w.grad is None
    assert x.grad.tolist() == [1.0, 2.0, 3.0]


def _written_through_views(x: tri.Tensor, kind: str) -> tri.Tensor:
    y = x.clone()
    if kind == "an element":
        y[0] = 1.0
    elif kind == "a recorded element":
        y[0] = x[1]
    elif kind == "twice":
        y[1:].mul_(3)
        y.mul_(2)
    else:
        y.view(3, 1)[:2].add_(1)
    return y


@pytest.mark.parametrize("kind", ["an element", "a recorded element", "twice", "a view of a view"])
def test_what_is_written_through_a_view_ends_without_the_collector(kind: str):
    gc.collect()
    gc.disable()
    try:
        y = _written_through_views(leaf(), kind)
        y.sum().backward()
        memory = ref(y.untyped_storage())
        del y
        assert memory() is None
    finally:
        gc.enable()


def test_gradients_of_gradients_through_what_was_packed():
    x = leaf()
    with graph.saved_tensors_hooks(same, same):
        y = (x * x * x).sum()
    (first,) = tri.autograd.grad(y, x, create_graph=True)
    (second,) = tri.autograd.grad(first.sum(), x)
    assert second.tolist() == [6.0, 12.0, 18.0]


# Parameters


def test_a_parameter_shares_memory_and_requires_a_gradient():
    data = tri.tensor([1.0, 2.0])
    weight = tri.nn.Parameter(data)
    assert isinstance(weight, tri.Tensor)
    assert (weight.requires_grad, weight.is_leaf) == (True, True)
    assert type(weight * 2).__name__ == "Tensor"
    data.mul_(2)
    assert repr(weight) == "Parameter containing:\ntensor([2., 4.], requires_grad=True)"
    (weight * weight).sum().backward()
    assert weight.grad.tolist() == [4.0, 8.0]


def test_copies_of_a_parameter_are_parameters():
    weight = tri.nn.Parameter(tri.tensor([1.0, 2.0]))
    weight.sum().backward()
    for other in (copy.deepcopy(weight), copy.copy(weight), pickle.loads(pickle.dumps(weight))):
        assert type(other) is tri.nn.Parameter
        assert other.requires_grad
        assert other.tolist() == [1.0, 2.0]
    assert copy.deepcopy(weight).grad is None


def test_a_parameter_may_be_frozen():
    weight = tri.nn.Parameter(tri.tensor([1.0, 2.0]), requires_grad=False)
    assert not (weight * 2).requires_grad
    assert (weight + tri.ones(2)).tolist() == [2.0, 3.0]
    assert type(weight) is tri.nn.Parameter


# Anomalies


def test_profilers_are_refused_clearly():
    with pytest.raises(AttributeError, match="there is no profiler"):
        getattr(tri.autograd, "profiler")  # noqa: B009 - no checker knows the name


def test_an_anomaly_names_the_line_of_its_operation():
    x = leaf(-1.0)
    with pytest.warns(UserWarning, match="Anomaly"):
        mode = autograd.detect_anomaly()
    with mode:
        y = x.sqrt()  # this line
        with pytest.warns(UserWarning, match="Error detected in SqrtBackward0"):
            with pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned") as caught:
                y.backward()
    assert "this line" in str(caught.value)


# What a leaf keeps


@pytest.mark.parametrize("is_held", [False, True])
def test_a_gradient_is_kept_without_a_copy_if_nobody_else_holds_it(is_held: bool):
    places: list[int] = []
    held: list[Any] = []

    class Double(autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            found = grad * 2
            places.append(found.data_ptr())
            if is_held:
                held.append(found)
            return found

    x = leaf()
    Double.apply(x).sum().backward()
    assert (x.grad.data_ptr() == places[0]) is not is_held


def test_a_gradient_that_is_kept_lies_as_it_was_computed():
    # As in PyTorch, where strides of dims of size 1 do not count.
    x = tri.ones(3, 1, requires_grad=True)
    tri.linalg.solve(tri.eye(3), x).sum().backward()
    assert x.grad is not None
    assert x.grad.stride() == (1, 3)
