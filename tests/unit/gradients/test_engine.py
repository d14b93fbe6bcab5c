"""Does a run backwards free, check and hand on what PyTorch's does?"""

# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false, reportUnknownMemberType=false

from typing import Any

import pytest

import trilith as tri


def leaf() -> Any:
    return tri.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_nodes_that_keep_no_tensors_are_run_again():
    x = leaf()
    for y in (x + x, tri.sub(x, x, alpha=2), 1 - x, x.sum(0)):
        y.sum().backward()
        total = y.sum()
        total.backward()
        total.backward()
    y = (x * 2).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


def product_of_two() -> tuple[Any, Any, Any]:
    x, y = leaf(), leaf()
    return x, y, x * y


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (5, "expected tuple, but hook returned 'int'"),
        ([None, None], "expected tuple, but hook returned 'list'"),
        ((), "hook 'hook' has returned an incorrect number of values (got 0, but expected 2)"),
        ((1, 2), "expected Variable, but hook returned 'int'"),
        ((tri.ones(2), None), "hook 'hook' has changed the size of value"),
        (
            (tri.ones(3, dtype=tri.float64), None),
            "hook 'hook' has changed the type of value (was trilith.FloatTensor got "
            "trilith.DoubleTensor)",
        ),
    ],
)
def test_what_a_hook_of_a_node_may_not_return(returned: Any, message: str):
    def hook(inputs: Any, outputs: Any) -> Any:
        return returned

    _, _, z = product_of_two()
    z.grad_fn.register_hook(hook)
    with pytest.raises((RuntimeError, TypeError)) as raised:
        z.sum().backward()
    assert getattr(raised.value, "message", "") == message


def test_hooks_of_a_node_replace_some_gradients():
    x, y, z = product_of_two()
    z.grad_fn.register_hook(lambda inputs, outputs: (None, inputs[1] * 2))
    z.grad_fn.register_prehook(lambda outputs: (outputs[0] * 10,))
    z.sum().backward()
    assert x.grad is None
    assert y.grad.tolist() == [20.0, 40.0, 60.0]


def test_hooks_after_accumulation_return_nothing():
    x = leaf()
    handle = x.register_post_accumulate_grad_hook(lambda _: 5)
    with pytest.raises(TypeError, match="expected Variable, but hook returned 'int'"):
        x.sum().backward()
    handle.remove()
    x.register_post_accumulate_grad_hook(lambda each: each)
    with pytest.raises(RuntimeError, match=r"^Tensor post accumulate grad hooks should return"):
        x.sum().backward()


def test_inputs_that_are_no_leaves_have_their_nodes_visited():
    """Hooks of the node are called, without gradients of its operands, and it is freed."""
    x = leaf()
    y = x * 2
    seen: list[Any] = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs, outputs[0].tolist())))
    y.exp().sum().backward(inputs=[y])
    assert seen == [((None, None), y.grad.tolist())]
    assert x.grad is None
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.sum().backward()


def test_what_one_node_has_saved_is_packed_by_hooks():
    x = leaf()
    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(lambda each: each * 3, lambda each: each)
    with pytest.raises(RuntimeError, match="only one pair of hooks is allowed at a time"):
        y.grad_fn._raw_saved_self.register_hooks(lambda each: each, lambda each: each)
    y.sum().backward()
    assert x.grad.tolist() == [4.0, 8.0, 12.0]


def test_hooks_of_saved_tensors_are_checked():
    hooks = tri.autograd.graph.saved_tensors_hooks
    with hooks(lambda each: each.add_(1), lambda each: each):
        with pytest.raises(RuntimeError, match="A saved tensor pack hook is modifying its input"):
            leaf().exp()
    with hooks(lambda each: each, lambda _: 5):
        y = leaf().exp()
    with pytest.raises(TypeError, match="expected to be a Tensor but got result of type int"):
        y.sum().backward()


def test_an_anomaly_names_the_calls_that_recorded_it():
    x = tri.zeros(1, requires_grad=True)
    with tri.autograd.set_detect_anomaly(True):
        y = (x / x).sum()
        with pytest.warns(UserWarning, match=r"(?s)Error detected in DivBackward0.*y = \(x / x\)"):
            with pytest.raises(RuntimeError, match="returned nan values in its 1th output"):
                y.backward()
    y = (x / x).sum()
    with tri.autograd.set_detect_anomaly(True):
        with pytest.warns(UserWarning, match="No forward pass information available"):
            with pytest.raises(RuntimeError, match="returned nan values in its 1th output"):
                y.backward()


def test_versions_of_what_is_no_tensor():
    with pytest.raises(RuntimeError, match=r"expect a Iterable\[Tensor\] as input"):
        tri.autograd.graph.increment_version(5)
    with pytest.raises(RuntimeError, match="each element of the iterable to be a tensor"):
        tri.autograd.graph.increment_version([5])


def test_functions_are_classes_to_be_called_by_apply():
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        made: Any = tri.autograd.Function()
    with pytest.raises(RuntimeError, match="Legacy autograd function with non-static forward"):
        made(leaf())
