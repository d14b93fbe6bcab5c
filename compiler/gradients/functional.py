"""How is a function turned into its gradient? By the names of `torch.func`.

What is computed is recorded and run backwards while the function runs: at once on tensors, and as
part of the program where a function is traced. So `compile(grad(f))` is one program in which the
forward and the backward pass fuse.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.gradients.calls import first_gradient
from ...runtime.gradients.levels import level
from ...runtime.gradients.modes import is_grad_enabled, transforming
from ...runtime.tensors.fields import TensorFields
from ..trace.pytree import unflatten
from .arguments import edges_of_arguments, leads_outside, release
from .pulling import Argnums, chosen, ended, pulled, split_output, wrapped, zeros_like

Function = Callable[..., Any]


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the gradient of `func` with respect to some arguments.

    `func` returns a 0-dim tensor, and with `has_aux` something else besides, which is returned
    behind the gradient. Arguments may be nested tuples, lists and dicts of tensors.

    >>> import trilith as tri
    >>> tri.func.grad(lambda x: (x**3).sum())(tri.tensor([1.0, 2.0]))
    tensor([ 3., 12.])
    """

    @wraps(func)
    def run(*arguments: Any, **keywords: Any) -> Any:
        found, (_, aux) = _gradient(func, argnums, has_aux, arguments, keywords)
        return (found, aux) if has_aux else found

    return run


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the gradient of `func` and its value.

    >>> import trilith as tri
    >>> tri.func.grad_and_value(lambda x: (x * x).sum())(tri.tensor([1.0, 2.0]))
    (tensor([2., 4.]), tensor(5.))
    """

    @wraps(func)
    def run(*arguments: Any, **keywords: Any) -> Any:
        found, (value, aux) = _gradient(func, argnums, has_aux, arguments, keywords)
        return found, ((value, aux) if has_aux else value)

    return run


def value_and_grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """Return a function that gives the value of `func` and its gradient, in JAX's order.

    >>> import trilith as tri
    >>> tri.value_and_grad(lambda x: (x * x).sum())(tri.tensor([1.0, 2.0]))
    (tensor(5.), tensor([2., 4.]))
    """
    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def run(*arguments: Any, **keywords: Any) -> Any:
        found, value = both(*arguments, **keywords)
        return value, found

    return run


def _gradient(
    func: Function,
    argnums: Argnums,
    has_aux: bool,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> tuple[Any, tuple[Any, Any]]:
    """Return gradients of a function's scalar, and what it has returned."""
    numbers = chosen(argnums, len(arguments))
    outer = is_grad_enabled()
    with level() as depth, transforming():
        given, leaves, structure = wrapped(arguments, numbers, depth)
        edges = edges_of_arguments(leaves)
        output = func(*given, **keywords)
        value, aux = split_output(output, has_aux)
        _check_scalar(value)
        keeps = outer and leads_outside([value], depth)
        found = pulled([value], [first_gradient(0, value, None)], edges, is_recorded=keeps)
        results = ended((value, aux), depth, keeps, outer)
        if not keeps:
            release(leaves)
    filled = [
        zeros_like(leaf) if each is None else each for each, leaf in zip(found, leaves, strict=True)
    ]
    tree = unflatten(structure, iter(filled))
    return (tree[0] if isinstance(argnums, int) else tree), results


def _check_scalar(value: Any) -> None:
    if not isinstance(value, TensorFields):
        raise TrilithRuntimeError(
            f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(value)}"
        )
    if value.spec.rank:
        raise TrilithRuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor "
            f"with {value.spec.rank} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )
