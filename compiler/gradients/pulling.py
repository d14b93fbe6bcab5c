"""What do transformations share? Arguments that are values of a level, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ...dialects.attributes.promotion import promote_types
from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.engine import run_backward
from ...runtime.gradients.graph import Edge
from ...runtime.gradients.leaves import edge_of
from ...runtime.tensors.fields import TensorFields
from ...runtime.tensors.sparse import SparseTensor
from ..mapping.trees import taken_apart
from ..trace.pytree import flatten, unflatten
from .arguments import Argument, argument_of, edges_of_arguments, leads_outside, stripped

Argnums = int | tuple[int, ...]


def chosen(argnums: Any, count: int) -> tuple[int, ...]:
    """Return which arguments are meant, from the front."""
    if not isinstance(argnums, (int, tuple)):
        raise TrilithRuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers: tuple[Any, ...]
    numbers = (argnums,) if isinstance(argnums, int) else tuple(cast("Any", argnums))
    if not numbers:
        raise TrilithRuntimeError("argnums must be non-empty")
    for number in numbers:
        if not -count <= number < count:
            raise TrilithRuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    found = tuple(number % count for number in numbers)
    if len(set(found)) != len(found):
        raise TrilithRuntimeError(f"argnums elements must be unique, got {numbers}")
    return found


def wrapped(
    arguments: tuple[Any, ...],
    numbers: Sequence[int],
    depth: int,
    kind: type[Argument] = Argument,
) -> tuple[tuple[Any, ...], list[Any], Any]:
    """Return arguments of which some are values of a level, these, and how they are nested."""
    leaves: list[Any] = []
    structure = flatten(tuple(_whole(arguments[number]) for number in numbers), leaves)
    made = [argument_of(_out_of(leaf), depth, kind) for leaf in leaves]
    replaced = dict(zip(numbers, unflatten(structure, iter(made)), strict=True))
    return (
        tuple(replaced.get(number, each) for number, each in enumerate(arguments)),
        made,
        structure,
    )


class _Whole:
    """A sparse tensor that is an argument: one leaf, though it has parts."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: SparseTensor) -> None:
        self.tensor = tensor


def _whole(argument: Any) -> Any:
    """Return an argument whose sparse tensors are leaves, in lists and dicts too."""
    if isinstance(argument, SparseTensor):
        return _Whole(argument)
    if type(argument) is list:
        return [_whole(each) for each in cast("list[Any]", argument)]
    if type(argument) is tuple:
        return tuple(_whole(each) for each in cast("tuple[Any, ...]", argument))
    if type(argument) is dict:
        return {key: _whole(value) for key, value in cast("dict[Any, Any]", argument).items()}
    return argument


def _out_of(leaf: Any) -> Any:
    return leaf.tensor if isinstance(leaf, _Whole) else leaf


def split_output(
    output: Any, has_aux: bool, what: str = "grad_and_value(f)(*args)"
) -> tuple[Any, Any]:
    """Return what a function gives, and what it returns besides; `what` is called in messages."""
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(cast("Any", output)) == 2):
        raise TrilithRuntimeError(
            f"{what}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    value, aux = cast("tuple[Any, Any]", output)
    for leaf in taken_apart(aux)[0]:
        if not isinstance(leaf, TensorFields):
            raise TrilithRuntimeError(f"Expected tensors, got unsupported type {type(leaf)}")
    return value, aux


def pulled(
    outputs: Sequence[Any],
    cotangents: Sequence[Any],
    edges: Sequence[Edge],
    *,
    is_recorded: bool,
    keeps_graph: bool = False,
    is_pushing: bool = False,
) -> list[Any]:
    """Return the gradients that arrive at edges, None for what outputs do not depend on."""
    roots = [
        (edge, cotangent)
        for output, cotangent in zip(outputs, cotangents, strict=True)
        if (edge := edge_of(output)) is not None and cotangent is not None
    ]
    if not roots:
        return [None] * len(edges)
    return run_backward(
        roots,
        edges,
        keeps_graph=keeps_graph or is_recorded,
        is_recorded=is_recorded,
        is_pushing=is_pushing,
    )


def moved_by(
    gradients: Sequence[Any],
    directions: Sequence[Any],
    weights: Sequence[Any],
    *,
    is_recorded: bool,
) -> list[Any]:
    """Return how results move in directions, given gradients that are linear in `weights`.

    None is that of a weight on which none of the gradients depends.
    """
    pairs = [
        (edge, gradient, direction)
        for gradient, direction in zip(gradients, directions, strict=True)
        if gradient is not None and (edge := edge_of(gradient)) is not None
    ]
    if not pairs:
        return [None] * len(weights)
    found = run_backward(
        [(edge, direction) for edge, _, direction in pairs],
        edges_of_arguments(weights),
        keeps_graph=True,
        is_recorded=is_recorded,
        is_moving=True,
    )
    return [None if each is None else _as_wide(each, pairs) for each in found]


def _as_wide(tangent: Any, pairs: Sequence[tuple[Any, Any, Any]]) -> Any:
    """Return a tangent in as many bits as those directions that are wider than what they move."""
    dtype = tangent.spec.dtype
    for _, gradient, direction in pairs:
        found = direction.spec.dtype.to_real()
        if found is not gradient.spec.dtype.to_real():
            dtype = promote_types(dtype, found)
    return tangent if dtype is tangent.spec.dtype else tangent.to(dtype)


def as_complex_as(direction: Any, value: Any) -> Any:
    """Return a direction, complex where what it moves is."""
    dtype = direction.spec.dtype
    is_narrow = value.spec.dtype.is_complex and not dtype.is_complex
    return direction.to(dtype.to_complex()) if is_narrow else direction


def check_dtypes(value: Any, direction: Any) -> None:
    """Refuse to move whole numbers, and to move by them."""
    for what, each in (("primal", value), ("tangent", direction)):
        if not is_differentiable(each):
            raise TrilithValueError(
                f"Expected {what} to be floating point or complex, but got: {each.spec.dtype!r}"
            )


def ended(tree: Any, depth: int, keeps: bool, outer: bool) -> Any:
    """Return results of a function for those outside of its level."""
    leaves: list[Any] = []
    structure = flatten(tree, leaves)
    results = [
        leaf
        if not hasattr(leaf, "spec") or (outer and leads_outside([leaf], depth))
        else leaf.without_gradient()
        for leaf in leaves
    ]
    return unflatten(structure, iter(results))


def zeros_like(tensor: Any) -> Any:
    """Return zeros like a tensor, at its level no more."""
    return tensor.without_gradient().new_zeros(tensor.shape)


def unless_outside(value: Any, depth: int) -> Any:
    """Return a value without what leads to nothing but arguments of a level."""
    return value if leads_outside([value], depth) else stripped(value)


def tensors_of(what: str, tree: Any) -> list[Any]:
    """Return the tensors in what a function has returned, or refuse anything else."""
    leaves: list[Any] = []
    flatten(tree, leaves)
    if not leaves:
        raise TrilithRuntimeError(
            f"{what}: Expected f to be a function that has non-empty output (got output = [])"
        )
    for leaf in leaves:
        if not isinstance(leaf, TensorFields):
            raise TrilithRuntimeError(
                f"{what}: expected f(*primals) to return only tensors, got unsupported type "
                f"{type(leaf)}"
            )
    return leaves


def is_differentiable(tensor: Any) -> bool:
    """Whether a tensor has a dtype of which there are derivatives."""
    dtype = tensor.spec.dtype
    return dtype.is_floating_point or dtype.is_complex
