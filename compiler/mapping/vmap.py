"""How is a function mapped over a dim of its arguments? It runs once, for all examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, cast

from ...dialects.diagnostics import TrilithRuntimeError, TrilithValueError
from ...runtime.gradients.levels import level
from ...runtime.gradients.recording import load
from ...runtime.tensors.fields import TensorFields
from ..eager.operations import function_of
from ..trace.layers import LAYERS
from .batched import BatchedTensor, Mapping
from .mapper import MAPPER
from .trees import Tree, spread, taken_apart

Function = Callable[..., Any]


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """Return a function that runs `func` for each index of a dim of its arguments, all at once.

    `in_dims` says which dim that is: one for all arguments, or nested like them; None is for what
    is the same for all. `out_dims` says where it is in the results. Random numbers are an error
    unless `randomness` is "same" or "different". With a `chunk_size` as many run at once.

    >>> import trilith as tri
    >>> tri.vmap(tri.dot)(tri.tensor([[1.0, 2.0], [3.0, 4.0]]), tri.ones(2, 2))
    tensor([3., 7.])
    """
    if randomness not in ("error", "different", "same"):
        raise TrilithRuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got "
            f"{randomness}"
        )
    if chunk_size is not None and chunk_size <= 0:
        raise TrilithValueError(
            f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})"
        )
    name = name_of(func)

    def run(*arguments: Any, **keywords: Any) -> Any:
        leaves, tree = taken_apart(arguments)
        dims = _dims_of_inputs(name, in_dims, arguments, leaves, tree)
        size = _size(leaves, dims)
        one = partial(_run, func, name, tree, dims, out_dims, randomness, keywords)
        if chunk_size is None or size <= chunk_size:
            results, nested, _ = one(leaves, size)
            return nested.put_together(iter(results))
        parts: list[tuple[list[Any], Tree, list[Any]]] = []
        for start in range(0, size, chunk_size):
            length = min(chunk_size, size - start)
            chunk = [
                leaf if dim is None else leaf.narrow(dim, start, length)
                for leaf, dim in zip(leaves, dims, strict=True)
            ]
            parts.append(one(chunk, length))
        return _joined(parts)

    return _like(func, run)


def _like(func: Function, run: Function) -> Function:
    try:
        return wraps(func)(run)
    except AttributeError:
        return run


def name_of(func: Any) -> str:
    """Return what a function is called in messages.

    >>> name_of(partial(max)), name_of(lambda: 0)
    ('functools.partial(max)', '<lambda>')
    """
    if isinstance(func, partial):
        return f"functools.partial({name_of(func.func)})"
    found = getattr(func, "__name__", None)
    return repr(func) if found is None else found


def _dims_of_inputs(
    name: str, in_dims: Any, arguments: tuple[Any, ...], leaves: Sequence[Any], tree: Tree
) -> list[int | None]:
    """Return for each leaf of the arguments which dim is mapped, or refuse."""
    called = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise TrilithValueError(
            f"{called}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
            f"structure of inputs, got: {type(in_dims)}."
        )
    if not arguments:
        raise TrilithValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are "
            "trying to vmap over a function with no inputs. The latter is unsupported."
        )
    dims = spread(in_dims, tree)
    if dims is None:
        raise TrilithValueError(
            f"{called}: in_dims is not compatible with the structure of `inputs`. in_dims has "
            f"structure {taken_apart(in_dims)[1].text()} but inputs has structure {tree.text()}."
        )
    return [_dim_of_input(called, leaf, dim) for leaf, dim in zip(leaves, dims, strict=True)]


def _dim_of_input(called: str, leaf: Any, dim: Any) -> int | None:
    if dim is None:
        return None
    if not isinstance(dim, int):
        raise TrilithValueError(
            f"{called}: Got in_dim={dim} for an input but in_dim must be either an integer "
            "dimension or None."
        )
    if not isinstance(leaf, TensorFields):
        raise TrilithValueError(
            f"{called}: Got in_dim={dim} for an input but the input is of type {type(leaf)}. We "
            "cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
        )
    rank = leaf.spec.rank
    if not -rank <= dim < rank:
        raise TrilithValueError(
            f"{called}: Got in_dim={dim} for some input, but that input is a Tensor of "
            f"dimensionality {rank} so expected in_dim to satisfy -{rank} <= in_dim < {rank}."
        )
    return dim % rank


def _size(leaves: Sequence[Any], dims: Sequence[int | None]) -> int:
    """Return how many examples there are."""
    pairs = zip(leaves, dims, strict=True)
    sizes = [leaf.spec.shape[dim] for leaf, dim in pairs if dim is not None]
    if not sizes:
        raise TrilithValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise TrilithValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


def _run(
    func: Function,
    name: str,
    tree: Tree,
    dims: Sequence[int | None],
    out_dims: Any,
    randomness: str,
    keywords: dict[str, Any],
    leaves: Sequence[Any],
    size: int,
) -> tuple[list[Any], Tree, list[Any]]:
    """Return the results for all examples: leaves, how they are nested, and their mapped dims."""
    load()
    with level() as depth:
        mapping = Mapping(depth, size, randomness, MAPPER)
        mapped = [
            leaf
            if dim is None
            else BatchedTensor.of(mapping, leaf.movedim(dim, 0) if dim else leaf)
            for leaf, dim in zip(leaves, dims, strict=True)
        ]
        before, LAYERS.mappings = LAYERS.mappings, (*LAYERS.mappings, mapping)
        try:
            output = func(*tree.put_together(iter(mapped)), **keywords)
        finally:
            LAYERS.mappings = before
        found, nested = taken_apart(output)
        places = _dims_of_outputs(name, out_dims, output, nested)
        results = [
            _result(name, mapping, each, place) for each, place in zip(found, places, strict=True)
        ]
        mapping.is_over = True
    return results, nested, places


def _dims_of_outputs(name: str, out_dims: Any, output: Any, tree: Tree) -> list[Any]:
    """Return for each leaf of the results where the mapped dim is to be."""
    said: Any = out_dims
    for dim in taken_apart(said)[0]:
        if dim is not None and not isinstance(dim, int):
            raise TrilithValueError(
                f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a "
                "python collection of ints representing where in the outputs the vmapped dimension "
                "should appear."
            )
    if tree.kind is None and isinstance(said, tuple) and len(cast("Any", said)) == 1:
        (said,) = cast("Any", said)
    places = spread(said, tree)
    if places is None:
        raise TrilithValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with "
            f"the structure of `outputs`. out_dims has structure "
            f"{taken_apart(out_dims)[1].text()} but outputs has structure {tree.text()}."
        )
    return places


def _result(name: str, mapping: Mapping, value: Any, place: int | None) -> Any:
    """Return a result for all examples, with their dim at a place."""
    is_mapped = isinstance(value, BatchedTensor) and value.mapping is mapping
    if place is None:
        if is_mapped:
            raise TrilithValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return value
    if not isinstance(value, TensorFields):
        raise TrilithValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(value)}. Did "
            "you mean to set out_dims= to None for output?"
        )
    whole: Any = value
    found = whole.value if is_mapped else whole.expand((mapping.size, *value.spec.shape))
    return found.movedim(0, place) if place else found


def _joined(parts: Sequence[tuple[list[Any], Tree, list[Any]]]) -> Any:
    """Return the results of chunks, one after the other."""
    cat = function_of("cat")
    _, tree, places = parts[0]
    columns = zip(*(results for results, _, _ in parts), strict=True)
    joined = [
        column[0] if place is None else cat(list(column), place)
        for column, place in zip(columns, places, strict=True)
    ]
    return tree.put_together(iter(joined))
