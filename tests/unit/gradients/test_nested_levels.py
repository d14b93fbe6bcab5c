"""Are gradients within mappings differentiated again? Against numbers that PyTorch gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import trilith as tri

Function = Callable[[Any], Any]
Transformation = Callable[[Function], Function]
vmap: Transformation = tri.func.vmap
grad: Transformation = tri.func.grad
jacrev: Transformation = tri.func.jacrev
jacfwd: Transformation = tri.func.jacfwd
hessian: Transformation = tri.func.hessian
X = tri.tensor([1.0, 2.0])


def cubed(x: Any) -> Function:
    return lambda q: q * q * q * x


#: What maps a transformation of an argument that is not mapped, and its derivative at 3.
NESTED: dict[str, tuple[Function, float]] = {
    "grad": (lambda p: vmap(lambda x: grad(cubed(x))(p))(X).sum(), 54.0),
    "twice": (lambda p: vmap(lambda x: grad(grad(cubed(x)))(p))(X).sum(), 18.0),
    "vjp": (lambda p: vmap(lambda x: tri.func.vjp(cubed(x), p)[1](x)[0])(X).sum(), 90.0),
    "jvp": (lambda p: vmap(lambda x: tri.func.jvp(cubed(x), (p,), (x,))[1])(X).sum(), 90.0),
    "jacrev": (lambda p: vmap(lambda x: jacrev(cubed(x))(p))(X).sum(), 54.0),
    "jacfwd": (lambda p: vmap(lambda x: jacfwd(cubed(x))(p))(X).sum(), 54.0),
    "mapped twice": (
        lambda p: vmap(
            lambda y: vmap(lambda x: grad(cubed(x * y))(p))(X).sum(),
        )(X).sum(),
        162.0,
    ),
    "a step of learning": (
        lambda p: vmap(lambda x: (p - 0.1 * grad(cubed(x))(p)) ** 2 * x)(X).sum(),
        24.48,
    ),
}


@pytest.mark.parametrize("name", NESTED)
def test_a_transformation_within_a_mapping_keeps_the_gradient_around_it(name: str):
    function, expected = NESTED[name]
    p = tri.tensor(3.0)
    assert grad(function)(p).item() == pytest.approx(expected)
    assert tri.compile(grad(function))(p).item() == pytest.approx(expected)
    leaf = tri.tensor(3.0, requires_grad=True)
    function(leaf).backward()
    assert leaf.grad is not None
    assert leaf.grad.item() == pytest.approx(expected)


def test_the_second_derivative_of_a_compiled_function():
    compiled = tri.compile(lambda x: (x * x * x).sum())
    x = tri.tensor([1.0, 2.0])
    assert hessian(compiled)(x).tolist() == [[6, 0], [0, 12]]
    assert jacrev(jacrev(compiled))(x).tolist() == [[6, 0], [0, 12]]


def test_dropout_that_drops_nothing_draws_nothing():
    x = tri.ones(3, 2)
    dropout: Any = tri.nn.functional.dropout
    mapped = vmap(lambda x: dropout(x, 0.5, training=False))
    assert mapped(x).tolist() == x.tolist()
    with pytest.raises(RuntimeError, match="random operation while in randomness error mode"):
        vmap(lambda x: dropout(x, 0.5))(x)
