"""Are Jacobians, Hessians and derivatives in a direction those of closed forms?"""

# Lambdas have no types of their own.
# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

from typing import Any

import numpy as np
import pytest

import trilith as tri

X = tri.tensor([1.0, 2.0, 3.0], dtype=tri.float64)


def test_jacobians_of_both_ways():
    expected = np.diag(3 * X.numpy() ** 2)
    for transform in (tri.jacrev, tri.jacfwd):
        for function in (transform(lambda x: x**3), tri.compile(transform(lambda x: x**3))):
            np.testing.assert_allclose(function(X).numpy(), expected)


def test_the_shape_is_that_of_the_result_and_then_of_the_argument():
    x = tri.arange(6.0).reshape(2, 3)
    for transform in (tri.jacrev, tri.jacfwd):
        found = transform(lambda x: x @ x.t())(x)
        assert found.shape == (2, 2, 2, 3)
        d = x.numpy()
        expected = np.einsum("ik,jl->ijkl", np.eye(2), d) + np.einsum("jk,il->ijkl", np.eye(2), d)
        np.testing.assert_allclose(found.numpy(), expected)


def test_several_arguments_and_results():
    def f(a: Any, b: Any) -> Any:
        return a * b["c"], a.sum()

    for transform in (tri.jacrev, tri.jacfwd):
        (by_a, by_b), (sum_by_a, sum_by_b) = transform(f, argnums=(0, 1))(X, {"c": 2 * X})
        np.testing.assert_allclose(by_a.numpy(), np.diag(2 * X.numpy()))
        np.testing.assert_allclose(by_b["c"].numpy(), np.diag(X.numpy()))
        np.testing.assert_allclose(sum_by_a.numpy(), np.ones(3))
        np.testing.assert_allclose(sum_by_b["c"].numpy(), np.zeros(3))


def test_chunks_of_rows():
    for size in (1, 2, 5):
        found = tri.jacrev(lambda x: (x**2, x.sum()), chunk_size=size)(X)
        np.testing.assert_allclose(found[0].numpy(), np.diag(2 * X.numpy()))
        np.testing.assert_allclose(found[1].numpy(), np.ones(3))
    with pytest.raises(ValueError, match="`chunk_size` should be greater than 0"):
        tri.jacrev(lambda x: x, chunk_size=0)


def test_what_comes_besides():
    for transform in (tri.jacrev, tri.jacfwd):
        found, aux = transform(lambda x: (2 * x, x + 1), has_aux=True)(X)
        np.testing.assert_allclose(found.numpy(), 2 * np.eye(3))
        np.testing.assert_allclose(aux.numpy(), X.numpy() + 1)
    with pytest.raises(RuntimeError, match="Expected tensors, got unsupported type <class 'int'>"):
        tri.jacrev(lambda x: (2 * x, 3), has_aux=True)(X)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_hessians(is_compiled: bool):
    def f(x: Any) -> Any:
        return x.sum() ** 3 + (x**3).sum()

    expected = 6 * X.numpy().sum() * np.ones((3, 3)) + np.diag(6 * X.numpy())
    made = tri.hessian(f)
    found = (tri.compile(made) if is_compiled else made)(X)
    np.testing.assert_allclose(found.numpy(), expected)
    nested = tri.jacrev(tri.jacrev(f))(X)
    np.testing.assert_allclose(nested.numpy(), expected)


def test_hessians_of_examples():
    x = tri.arange(6.0).reshape(2, 3)
    found = tri.vmap(tri.hessian(lambda x: (x**3).sum()))(x)
    np.testing.assert_allclose(found.numpy(), [np.diag(6 * row) for row in x.numpy()])


def test_jacobians_of_mapped_functions():
    x = tri.arange(6.0).reshape(2, 3)
    found = tri.jacrev(tri.vmap(lambda row: (row * row).sum()))(x)
    expected = np.zeros((2, 2, 3))
    expected[0, 0], expected[1, 1] = 2 * x.numpy()
    np.testing.assert_allclose(found.numpy(), expected)


def test_what_vjp_returns_is_mapped():
    _, pull = tri.vjp(lambda x: x**2, X)
    (found,) = tri.vmap(pull)(tri.eye(3, dtype=tri.float64))
    np.testing.assert_allclose(found.numpy(), np.diag(2 * X.numpy()))


def test_what_linearize_returns_is_mapped():
    _, push = tri.func.linearize(lambda x: x**2, X)
    found = tri.vmap(push)(tri.eye(3, dtype=tri.float64))
    np.testing.assert_allclose(found.numpy(), np.diag(2 * X.numpy()))


def test_a_jacobian_is_differentiated():
    x = tri.tensor([1.0, 2.0]).requires_grad_()
    tri.jacrev(lambda x: x**3)(x).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * x.detach().numpy())


def test_a_wider_direction():
    value, moved = tri.jvp(lambda x: 3 * x, (tri.ones(2),), (tri.ones(2, dtype=tri.float64),))
    assert (value.dtype, moved.dtype) == (tri.float32, tri.float64)
    assert moved.tolist() == [3, 3]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: x.requires_grad_().sum(), "inside of a function being transformed"),
        (lambda x: x.mul_(2).sum(), "a leaf Variable that requires grad is being used in an in"),
        (lambda x: x[0].zero_(), "a view of a leaf Variable that requires grad is being used"),
        (lambda x: x.sum().backward(), "backward() called inside a functorch transform"),
    ],
)
def test_what_a_transformed_function_may_not_do(function: Any, words: str):
    with pytest.raises(RuntimeError) as caught:
        tri.grad(function)(tri.ones(2))
    assert words in str(caught.value)


def test_complex_numbers_are_refused():
    """In arguments and results, as in PyTorch."""
    x = tri.ones(2, dtype=tri.complex64)
    for name in ("jacrev", "jacfwd"):
        transform = getattr(tri.func, name)
        text = "{}: Expected all {} to be real but received complex tensor at flattened input idx"
        with pytest.raises(RuntimeError, match=text.format(name, "inputs")):
            transform(lambda x: x * 2)(x)
        with pytest.raises(RuntimeError, match=text.format(name, "outputs")):
            transform(lambda x: x * 1j)(tri.ones(2))


def test_functional_jacobians_refuse_in_pytorchs_words():
    jacobian = tri.autograd.functional.jacobian
    x = tri.ones(2)
    with pytest.raises(RuntimeError, match="`strict=True` and `vectorized=True` are not supported"):
        jacobian(lambda x: x, x, strict=True, vectorize=True)
    with pytest.raises(NotImplementedError, match="Computing Jacobian using forward-AD"):
        jacobian(lambda x: x, x, strategy="forward-mode")
    with pytest.raises(RuntimeError, match="Output 0 of the user-provided function is independent"):
        jacobian(lambda x, y: x, (x, x), strict=True)


def test_jacobians_found_forwards_lie_by_inputs_in_lists():
    x = tri.ones(2)
    found = tri.autograd.functional.jacobian(
        lambda a, b: (a * b, a.sum()), (x, x * 3), vectorize=True, strategy="forward-mode"
    )
    assert [[each.tolist() for each in row] for row in found] == [
        [[[3.0, 0.0], [0.0, 3.0]], [[1.0, 0.0], [0.0, 1.0]]],
        [[1.0, 1.0], [0.0, 0.0]],
    ]
    assert type(found) is list
    assert found[0][0].stride() == (1, 2)


def test_a_function_without_gradients_must_be_constant():
    x = tri.ones(2, dtype=tri.float64, requires_grad=True)
    assert tri.autograd.gradcheck(lambda x: x.detach() * 0, x)
    with pytest.raises(RuntimeError, match=r"^Numerical gradient for function expected to be zero"):
        tri.autograd.gradcheck(lambda x: x.detach(), x)
