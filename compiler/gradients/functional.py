"""How is a function turned into its gradient? By the names of `torch.func`.

What is computed is recorded and run backwards while the function runs: at once on tensors, and as
part of the program where a function is traced. So `compile(grad(f))` is one program in which the
forward and the backward pass fuse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.calls import first_gradient
from ...runtime.gradients.engine import run_backward
from ...runtime.gradients.leaves import edge_of
from ...runtime.gradients.modes import is_grad_enabled, set_grad
from ...runtime.tensors.fields import TensorFields
from ..trace.pytree import flatten, unflatten
from ..trace.levels import level
from .arguments import argument_of, edges_of_arguments, leads_outside, release

Function = Callable[..., Any]
Argnums = int | tuple[int, ...]


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
    chosen = _chosen(argnums, len(arguments))
    outer = is_grad_enabled()
    with level() as depth, set_grad(True):
        wrapped, leaves, structure = _wrapped(arguments, chosen, depth)
        output = func(*wrapped, **keywords)
        value, aux = _split(output, has_aux)
        _check_scalar(value)
        keeps = outer and leads_outside([value], depth)
        found = _pulled([value], [first_gradient(0, value, None)], leaves, is_recorded=keeps)
        results = _ended((value, aux), depth, keeps, outer)
        if not keeps:
            release(leaves)
    filled = [
        _zeros(leaf) if each is None else each for each, leaf in zip(found, leaves, strict=True)
    ]
    tree = unflatten(structure, iter(filled))
    return (tree[0] if isinstance(argnums, int) else tree), cast("Any", results)


def _chosen(argnums: Any, count: int) -> tuple[int, ...]:
    """Return which arguments are meant, from the front."""
    if not isinstance(argnums, (int, tuple)):
        raise TrilithRuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers: tuple[Any, ...] = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    if not numbers:
        raise TrilithRuntimeError("argnums must be non-empty")
    for number in numbers:
        if not -count <= number < count:
            raise TrilithRuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    found = tuple(number % count for number in numbers)
    if len(set(found)) != len(found):
        raise TrilithRuntimeError(f"argnums elements must be unique, got {numbers}")
    return found


def _wrapped(
    arguments: tuple[Any, ...], chosen: Sequence[int], depth: int
) -> tuple[tuple[Any, ...], list[Any], Any]:
    """Return arguments of which some are values of a level, these, and how they are nested."""
    leaves: list[Any] = []
    structure = flatten(tuple(arguments[number] for number in chosen), leaves)
    made = [argument_of(leaf, depth) for leaf in leaves]
    replaced = dict(zip(chosen, unflatten(structure, iter(made)), strict=True))
    return (
        tuple(replaced.get(number, each) for number, each in enumerate(arguments)),
        made,
        structure,
    )


def _split(output: Any, has_aux: bool) -> tuple[Any, Any]:
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(cast("Any", output)) == 2):
        raise TrilithRuntimeError(
            "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if "
            "has_aux is True"
        )
    return cast("tuple[Any, Any]", output)


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


def _pulled(
    outputs: Sequence[Any],
    cotangents: Sequence[Any],
    leaves: Sequence[Any],
    *,
    is_recorded: bool,
    keeps_graph: bool = False,
) -> list[Any]:
    """Return the gradients of arguments, None for what outputs do not depend on."""
    roots = [
        (edge, cotangent)
        for output, cotangent in zip(outputs, cotangents, strict=True)
        if (edge := edge_of(output)) is not None and cotangent is not None
    ]
    if not roots:
        return [None] * len(leaves)
    edges = edges_of_arguments(leaves)
    return run_backward(
        roots, edges, keeps_graph=keeps_graph or is_recorded, is_recorded=is_recorded
    )


def _ended(tree: Any, depth: int, keeps: bool, outer: bool) -> Any:
    """Return results of a function for those outside of its level."""
    leaves: list[Any] = []
    structure = flatten(tree, leaves)
    ended = [
        leaf
        if not isinstance(leaf, TensorFields) or (outer and leads_outside([leaf], depth))
        else leaf.without_gradient()
        for leaf in leaves
    ]
    return unflatten(structure, iter(ended))


def _zeros(tensor: Any) -> Any:
    return tensor.without_gradient().new_zeros(tensor.shape)


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return what `func` gives, and a function from its gradients to those of the arguments.

    That function may be called again. With `has_aux` what `func` returns besides comes last.

    >>> import trilith as tri
    >>> value, pull = tri.func.vjp(tri.sin, tri.tensor([0.0, 1.0]))
    >>> pull(tri.ones(2))
    (tensor([1.0000, 0.5403]),)
    """
    outer = is_grad_enabled()
    with level() as depth, set_grad(True):
        wrapped, leaves, structure = _wrapped(primals, range(len(primals)), depth)
        output = func(*wrapped)
        output, aux = _split(output, has_aux)
        outputs = _tensors_of("vjp(f, *primals)", output)
        shape = flatten(output, [])
        ended = _ended((output, aux), depth, keeps=True, outer=outer)

    def pull(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given: list[Any] = []
        found = flatten(cotangents, given)
        if found != shape:
            raise TrilithRuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of "
                f"outputs to the function. cotangents: {_drawn(found)}, primal output: "
                f"{_drawn(shape)}"
            )
        checked = [
            first_gradient(index, *pair)
            for index, pair in enumerate(zip(outputs, given, strict=True))
        ]
        is_recorded = is_grad_enabled() if create_graph is None else create_graph
        gradients = _pulled(outputs, checked, leaves, is_recorded=is_recorded, keeps_graph=True)
        filled = [
            _zeros(leaf) if each is None else _unless_outside(each, depth)
            for each, leaf in zip(gradients, leaves, strict=True)
        ]
        return unflatten(structure, iter(filled))

    value, aux = ended
    return (value, pull, aux) if has_aux else (value, pull)


def _unless_outside(value: Any, depth: int) -> Any:
    """Return a value without what leads to nothing but arguments of a level."""
    return value if leads_outside([value], depth) else value.without_gradient()


def _drawn(structure: Any) -> str:
    """Return a structure as PyTorch draws it: a star for each leaf."""
    kind, _, *children = (*structure, None)[:3] if structure == ("leaf",) else structure
    if kind == "leaf":
        return "*"
    drawn = ", ".join(map(_drawn, children[0])) if children else ""
    if kind is tuple:
        return f"({drawn},)" if len(children[0]) == 1 else f"({drawn})"
    return f"[{drawn}]" if kind is list else f"{{{drawn}}}"


def _tensors_of(what: str, tree: Any) -> list[Any]:
    """Return the tensors in what a function has returned, or refuse anything else."""
    leaves: list[Any] = []
    flatten(tree, leaves)
    for leaf in leaves:
        if not isinstance(leaf, TensorFields):
            raise TrilithRuntimeError(
                f"{what}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(leaf)}"
            )
    return leaves


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
    with level() as depth, set_grad(True):
        wrapped, leaves, _ = _wrapped(primals, range(len(primals)), depth)
        output, aux = _split(func(*wrapped), has_aux)
        outputs = _tensors_of("jvp(f, primals, tangents)", output)
        shape = flatten(output, [])
        differentiable = [each for each in outputs if _is_differentiable(each)]
        weights = [argument_of(_zeros(each), depth) for each in differentiable]
        gradients = _pulled(differentiable, weights, leaves, is_recorded=True)
        value, aux = _ended((output, aux), depth, keeps=True, outer=outer)

    def push(directions: Sequence[Any]) -> Any:
        pairs = [
            (each, direction)
            for each, direction in zip(gradients, directions, strict=True)
            if each is not None
        ]
        moved = iter(
            _pulled(
                [each for each, _ in pairs],
                [direction for _, direction in pairs],
                weights,
                is_recorded=is_grad_enabled(),
                keeps_graph=True,
            )
        )
        results: list[Any] = []
        for each in outputs:
            found = next(moved) if _is_differentiable(each) else None
            results.append(_zeros(each) if found is None else _unless_outside(found, depth))
        return unflatten(shape, iter(results))

    return value, push, aux


def _is_differentiable(tensor: Any) -> bool:
    dtype = tensor.spec.dtype
    return dtype.is_floating_point or dtype.is_complex


def _check_primals(primals: Any, tangents: Any) -> None:
    """Refuse what `jvp` does not take."""
    what = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise TrilithRuntimeError(
            f"{what}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    values: list[Any] = []
    moved: list[Any] = []
    if flatten(primals, values) != flatten(tangents, moved):
        raise TrilithRuntimeError(
            f"{what}: Expected primals and tangents to have the same python structure. For "
            "example, if primals is a tuple of 3 tensors, tangents also must be."
        )
    if not values:
        raise TrilithRuntimeError(f"{what}: Expected primals to contain at least one Tensor.")
    for value, direction in zip(values, moved, strict=True):
        if not isinstance(value, TensorFields):
            raise TrilithRuntimeError(
                f"{what}: Expected primals to only contain Tensors, got {type(value)}"
            )
        if not _is_differentiable(value):
            raise TrilithValueError(
                f"Expected primal to be floating point or complex, but got: {value.spec.dtype!r}"
            )
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

    def moved(*tangents: Any) -> Any:
        directions: list[Any] = []
        flatten(tangents, directions)
        return push(directions)

    return value, moved
