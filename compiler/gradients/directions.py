"""How are functions and gradients pulled back, or pushed in a direction? vjp, jvp and linearize."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...dialects.diagnostics import TrilithRuntimeError
from ...runtime.gradients.calls import first_gradient
from ...runtime.gradients.levels import level, moving
from ...runtime.gradients.modes import is_grad_enabled, transforming
from ...runtime.gradients.saved import keeping
from ...runtime.tensors.fields import TensorFields
from ..mapping.trees import taken_apart
from ..trace.pytree import flatten, unflatten
from .arguments import MovedArgument, argument_of, edges_of_arguments
from .pulling import (
    as_complex_as,
    check_dtypes,
    ended,
    is_differentiable,
    moved_by,
    pulled,
    split_output,
    tensors_of,
    unless_outside,
    wrapped,
    zeros_like,
)

Function = Callable[..., Any]


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return what `func` gives, and a function from its gradients to those of the arguments.

    That function may be called again. With `has_aux` what `func` returns besides comes last.

    >>> import trilith as tri
    >>> value, pull = tri.func.vjp(tri.sin, tri.tensor([0.0, 1.0]))
    >>> pull(tri.ones(2))
    (tensor([1.0000, 0.5403]),)
    """
    outer = is_grad_enabled()
    with level() as depth, transforming():
        given, leaves, structure = wrapped(primals, range(len(primals)), depth)
        edges = edges_of_arguments(leaves)
        output = func(*given)
        output, aux = split_output(output, has_aux, "vjp(f, *primals)")
        outputs = tensors_of("vjp(f, *primals)", output)
        shape = flatten(output, [])
        results = ended((output, aux), depth, keeps=True, outer=outer)

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given: list[Any] = []
        found = flatten(cotangents, given)
        if found != shape:
            raise TrilithRuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {_drawn(cotangents)}, primal output: "
                f"{_drawn(output)}"
            )
        checked = [
            first_gradient(index, *pair)
            for index, pair in enumerate(zip(outputs, given, strict=True))
        ]
        is_recorded = is_grad_enabled() if create_graph is None else create_graph
        gradients = pulled(outputs, checked, edges, is_recorded=is_recorded, keeps_graph=True)
        filled = [
            zeros_like(leaf) if each is None else unless_outside(each, depth)
            for each, leaf in zip(gradients, leaves, strict=True)
        ]
        return unflatten(structure, iter(filled))

    # What Python says of a call without cotangents names the function as PyTorch calls it.
    pull.__qualname__ = "_vjp_with_argnums.<locals>.wrapper"
    value, aux = results
    return (value, pull, aux) if has_aux else (value, pull)


def _drawn(value: Any) -> str:
    """Return how a value is nested, a star for each leaf."""
    return taken_apart(value)[1].drawn()


def jvp(
    func: Function,
    primals: tuple[Any, ...],
    tangents: tuple[Any, ...],
    *,
    has_aux: bool = False,
) -> tuple[Any, ...]:
    """Return what `func` gives, and how that changes with its arguments in a direction.

    >>> import trilith as tri
    >>> tri.func.jvp(tri.sin, (tri.tensor([0.0, 1.0]),), (tri.ones(2),))
    (tensor([0.0000, 0.8415]), tensor([1.0000, 0.5403]))
    """
    _check_primals(primals, tangents)
    directions: list[Any] = []
    flatten(tangents, directions)
    value, push, aux = linear_part(func, primals, has_aux)
    moved = push(directions)
    return (value, moved, aux) if has_aux else (value, moved)


def linear_part(
    func: Function, primals: tuple[Any, ...], has_aux: bool = False
) -> tuple[Any, Callable[[Sequence[Any]], Any], Any]:
    """Return a function's value, what moves it in a direction, and what it returns besides.

    A gradient is linear in that of the result: its own gradient is the derivative in a direction.
    """
    outer = is_grad_enabled()
    with level() as depth, transforming(), keeping():
        given, leaves, _ = wrapped(primals, range(len(primals)), depth, MovedArgument)
        edges = edges_of_arguments(leaves)  # of what is written later, too
        with moving(depth):
            result = func(*given)
        output, aux = split_output(result, has_aux, "jvp(f, primals, tangents)")
        outputs = tensors_of("jvp(f, primals, tangents)", output)
        shape = flatten(output, [])
        differentiable = [each for each in outputs if is_differentiable(each)]
        weights = [argument_of(zeros_like(each), depth) for each in differentiable]
        gradients = pulled(differentiable, weights, edges, is_recorded=True, is_pushing=True)
        value, aux = ended((output, aux), depth, keeps=True, outer=outer)

    def push(directions: Sequence[Any]) -> Any:
        wide = [as_complex_as(*pair) for pair in zip(directions, leaves, strict=True)]
        moved = iter(moved_by(gradients, wide, weights, is_recorded=is_grad_enabled()))
        results: list[Any] = []
        for each in outputs:
            found = next(moved) if is_differentiable(each) else None
            results.append(zeros_like(each) if found is None else unless_outside(found, depth))
        return unflatten(shape, iter(results))

    return value, push, aux


def _check_primals(primals: Any, tangents: Any) -> None:
    """Refuse what `jvp` does not take."""
    what = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise TrilithRuntimeError(
            f"{what}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    values, nested = taken_apart(primals)
    moved, directions = taken_apart(tangents)
    if nested != directions:
        raise TrilithRuntimeError(
            f"{what}: Expected primals and tangents to have the same python structure. For "
            "example, if primals is a tuple of 3 tensors, tangents also must be. Got primals with "
            f"structure {nested.text()} and tangents with structure {directions.text()}"
        )
    if not values:
        raise TrilithRuntimeError(f"{what}: Expected primals to contain at least one Tensor.")
    for value, direction in zip(values, moved, strict=True):
        if not isinstance(value, TensorFields):
            raise TrilithRuntimeError(
                f"{what}: Expected primals to only contain Tensors, got {type(value)}"
            )
        if not isinstance(direction, TensorFields):
            raise TrilithRuntimeError(
                f"{what}: Expected tangents to only contain Tensors, got {type(direction)}"
            )
        check_dtypes(value, direction)
        if value.spec.shape != direction.spec.shape:
            raise TrilithRuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                "original Tensor, this is not supported. Tensor is of size "
                f"{list(value.spec.shape)} while the given forward gradient is of size "
                f"{list(direction.spec.shape)}."
            )


def linearize(func: Function, *primals: Any) -> tuple[Any, Function]:
    """Return what `func` gives, and what moves it in a direction, which may be called often.

    >>> import trilith as tri
    >>> value, push = tri.func.linearize(tri.sin, tri.tensor([0.0, 1.0]))
    >>> push(tri.ones(2))
    tensor([1.0000, 0.5403])
    """
    value, push, _ = linear_part(func, primals)
    values, nested = taken_apart(primals)

    def moved(*tangents: Any) -> Any:
        directions, found = taken_apart(tangents)
        if found != nested:
            raise TrilithRuntimeError(
                f"Expected the tangents {found.text()} to have the same argspec as the primals "
                f"{nested.text()}"
            )
        for index, pair in enumerate(zip(directions, values, strict=True)):
            _check_like(index, *pair)
        return push(directions)

    return value, moved


def _check_like(index: int, tangent: Any, primal: Any) -> None:
    """Refuse a tangent that is not like what it moves."""
    for what in ("shape", "device", "dtype"):
        found, expected = getattr(tangent, what), getattr(primal, what)
        if found != expected:
            raise TrilithRuntimeError(
                f"tangent:{index} with {what} {found} in flattened pytree doesn't match the {what} "
                f"{expected} of the corresponding primal."
            )
