"""Are functions of the user's own mapped by their rules, and moved by them in a direction?"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportIncompatibleMethodOverride=false

from typing import Any

import numpy as np
import pytest

import trilith as tri

X = [[1.0, 2.0], [5.0, 6.0], [1.0, 0.0]]


class Product(tri.autograd.Function):
    """x * y, whose gradient of x is ten times too large and whose tangent of x a hundred times.

    So a test sees which rule was asked.
    """

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Any, y: Any) -> Any:
        """Multiply."""
        return x * y

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Save both, for both ways."""
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)
        ctx.factor = 10

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return the gradients."""
        (grad,) = grad_outputs
        x, y = ctx.saved_tensors
        return grad * y * ctx.factor, (grad * x).sum()

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the tangent."""
        x, y = ctx.saved_tensors
        return grad_inputs[0] * y * 100 + grad_inputs[1] * x


def product(x: Any, y: Any) -> Any:
    """Call the function."""
    return Product.apply(x, y)


def test_a_mapped_function_has_its_own_gradient() -> None:
    """Around the mapping, within it, on both sides of it, and by backward()."""
    x, y = tri.tensor(X), tri.tensor(3.0)
    mapped = tri.vmap(product, in_dims=(0, None))
    found = tri.grad(lambda x, y: mapped(x, y).sum(), argnums=(0, 1))(x, y)
    np.testing.assert_array_equal(found[0].numpy(), np.full((3, 2), 30.0))
    assert found[1].item() == 15.0
    each = tri.vmap(tri.grad(lambda x, y: product(x, y).sum()), in_dims=(0, None))(x, y)
    np.testing.assert_array_equal(each.numpy(), np.full((3, 2), 30.0))

    def of_gradients(y: Any) -> Any:
        inner = tri.func.grad_and_value(lambda x, y: product(x, y).sum())
        gradient, value = tri.vmap(inner, in_dims=(0, None))(x, y)
        return gradient.sum() + value.sum()

    # Six gradients of 10 y each, and the sum of the elements of x.
    assert tri.grad(of_gradients)(y).item() == 75.0
    leaf = x.clone().requires_grad_()
    mapped(leaf, y).sum().backward()
    np.testing.assert_array_equal(leaf.grad.numpy(), np.full((3, 2), 30.0))


def test_mappings_of_functions_nest() -> None:
    """Each mapping is a call of the function at the level around it."""
    x, y = tri.tensor(X), tri.tensor([3.0, 4.0])
    inner = tri.vmap(product, in_dims=(None, 0))
    found = tri.grad(lambda x: tri.vmap(inner, in_dims=(0, None))(x, y).sum())(x)
    np.testing.assert_array_equal(found.numpy(), np.full((3, 2), 70.0))


@pytest.mark.parametrize("compiled", [False, True])
def test_a_function_moves_by_its_jvp(compiled: bool) -> None:
    """In jvp, within a mapping and around it; jacrev asks for the gradient as before."""
    x, y = tri.tensor([1.0, 2.0]), tri.tensor(3.0)

    def moved(x: Any) -> Any:
        return tri.jvp(lambda each: product(each, y), (x,), (tri.ones(2),))[1]

    def jacobians(x: Any) -> Any:
        return tri.func.jacfwd(lambda each: product(each, y))(x)

    def around(x: Any) -> Any:
        return tri.jvp(tri.vmap(product, in_dims=(0, None)), (x, y), (tri.ones(2), y))[1]

    if compiled:
        moved, jacobians, around = tri.compile(moved), tri.compile(jacobians), tri.compile(around)
    assert moved(x).tolist() == [300.0, 300.0]
    assert jacobians(x).tolist() == [[300.0, 0.0], [0.0, 300.0]]
    assert around(x).tolist() == [303.0, 306.0]
    assert tri.func.jacrev(lambda each: product(each, y))(x).tolist() == [[30.0, 0.0], [0.0, 30.0]]


def test_a_tangent_is_differentiated() -> None:
    """What `jvp` computes is recorded."""
    y = tri.tensor(3.0)

    def moved(x: Any) -> Any:
        return tri.jvp(lambda each: product(each * each, y), (x,), (x,))[1].sum()

    # The tangent of x * x in the direction x, times 3 * 100: 600 x**2.
    assert tri.grad(moved)(tri.tensor([1.0, 2.0])).tolist() == [1200.0, 2400.0]


def test_duals_move_by_jvp() -> None:
    """An input without a tangent has one of zeros."""

    class Cut(tri.autograd.Function):
        """x * y, with nothing to go backwards."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            """Multiply."""
            ctx.save_for_forward(y)
            return x * y

        @staticmethod
        def jvp(ctx: Any, *grad_inputs: Any) -> Any:
            """Return the tangent."""
            assert grad_inputs[1].tolist() == [0.0, 0.0]
            return grad_inputs[0] * ctx.saved_tensors[0] * 100

    x, y = tri.tensor([1.0, 2.0]), tri.tensor([3.0, 4.0])
    forward_ad = tri.autograd.forward_ad
    with forward_ad.dual_level():
        found = forward_ad.unpack_dual(Cut.apply(forward_ad.make_dual(x, tri.ones(2)), y) * 2)
        assert found.tangent.tolist() == [600.0, 800.0]


class Twice(tri.autograd.Function):
    """2 x by way of NumPy, which only a rule of its own can map."""

    @staticmethod
    def forward(x: Any) -> Any:
        """Double each element."""
        return tri.tensor(x.detach().numpy() * 2)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Save nothing."""

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Double the gradient."""
        return grad_outputs[0] * 2

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Double all examples at once."""
        assert info == (3, "error")
        assert in_dims == (0,)
        return Twice.apply(args[0]), 0


def test_a_rule_for_many_examples_is_asked() -> None:
    """Forwards and where gradients are around it."""
    x = tri.tensor(X)
    assert tri.vmap(Twice.apply)(x).tolist() == (x * 2).tolist()
    found = tri.grad(lambda x: (tri.vmap(Twice.apply)(x) * x).sum())(x)
    assert found.tolist() == (x * 4).tolist()
    found = tri.vmap(tri.grad(lambda x: (Twice.apply(x) * x).sum()))(x)
    assert found.tolist() == (x * 4).tolist()


def _function(**fields: Any) -> Any:
    """Return a function of one tensor with some fields."""
    fields = {name: staticmethod(each) if callable(each) else each for name, each in fields.items()}
    common = {"forward": staticmethod(lambda x: (x * 2, x)), "setup_context": Twice.setup_context}
    return type("F", (tri.autograd.Function,), {**common, **fields})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {},
            "You tried to vmap over F, but it does not have vmap support. Please override and "
            "implement the vmap staticmethod or set generate_vmap_rule=True. For more details, "
            "please see https://pytorch.org/docs/main/notes/extending.func.html",
        ),
        (
            {"generate_vmap_rule": True, "vmap": lambda info, in_dims, x: (x, 0)},
            "You tried to vmap over F, but it has both generate_vmap_rule=True and an overridden "
            "vmap staticmethod. Please set generate_vmap_rule=False or delete the overridden vmap "
            "staticmethod to avoid ambiguity. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
        ),
        (
            {"vmap": lambda info, in_dims, x: x},
            "Expected the vmap staticmethod to have two returns, an output and out_dims with "
            "pytree structure compatible with the output. Got a <class "
            "'trilith.runtime.tensors.tensor.Tensor'> instead",
        ),
        (
            {"vmap": lambda info, in_dims, x: ((x, x), (0, None, 0))},
            "The autograd.Function's vmap staticmethod returned an incompatible (output, out_dims) "
            "tuple. Expected out_dims=(0, None, 0) to be compatible with the structure of "
            "`output`. out_dims has structure TreeSpec(tuple, None, [*,\n  *,\n  *]) but output "
            "has structure TreeSpec(tuple, None, [*,\n  *]). For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
        ),
    ],
)
def test_what_cannot_be_mapped(fields: dict[str, Any], message: str) -> None:
    """In PyTorch's words."""
    with pytest.raises(RuntimeError) as raised:
        tri.vmap(_function(**fields).apply)(tri.tensor(X))
    assert getattr(raised.value, "message", "") == message


def test_a_jvp_of_too_many() -> None:
    """It gives one tangent for each result."""
    function = _function(jvp=lambda ctx, x: (x, x, x))
    with pytest.raises(RuntimeError, match=r"forward gradients \(expected 2 but got 3\)"):
        tri.jvp(lambda x: function.apply(x)[0], (tri.ones(2),), (tri.ones(2),))


def test_once_differentiable_functions_stay_so_when_mapped() -> None:
    """A gradient that is recorded no further is refused, not taken for a constant."""

    class Square(tri.autograd.Function):
        """x * x."""

        generate_vmap_rule = True

        @staticmethod
        def forward(x: Any) -> Any:
            """Square."""
            return x * x

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            """Save x."""
            ctx.save_for_backward(*inputs)

        @staticmethod
        @tri.autograd.function.once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            """Return 2 x."""
            return 2 * grad * ctx.saved_tensors[0]

    def gradient(x: Any) -> Any:
        return tri.grad(lambda x: (tri.vmap(Square.apply)(x) ** 2).sum())(x).sum()

    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        tri.grad(gradient)(tri.tensor(X))


def test_a_function_without_a_jvp_does_not_move() -> None:
    """Its gradient says nothing of it, as it may be anything."""
    with pytest.raises(NotImplementedError, match="You must implement the jvp function for custom"):
        tri.jvp(Twice.apply, (tri.ones(2),), (tri.ones(2),))
