"""What are the gradients of reductions? Every element that was reduced gets its share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.gradients import gradient


def reduced_dims(dim: Any, rank: int) -> tuple[int, ...]:
    """Return the dims that are reduced: those named, or all.

    >>> reduced_dims(None, 2), reduced_dims(-1, 2), reduced_dims((0,), 2)
    ((0, 1), (1,), (0,))
    """
    if dim is None or dim == ():
        return tuple(range(rank))
    dims = (dim,) if isinstance(dim, int) else dim
    return tuple(sorted(wrap_dim(each, rank) for each in dims)) if rank else ()


def count_of(spec: TensorSpec, dims: tuple[int, ...]) -> int:
    """Return how many elements are reduced to one."""
    count = 1
    for dim in dims:
        count *= spec.shape[dim]
    return count


def with_dims(value: Any, dims: tuple[int, ...], keepdim: bool) -> Any:
    """Return a result with the dims that were reduced, of size 1."""
    if not keepdim:
        for dim in dims:
            value = value.unsqueeze(dim)
    return value


def expanded(grad: Any, spec: TensorSpec, dim: Any, keepdim: bool) -> Any:
    """Return the gradient of a result at each element that was reduced."""
    return with_dims(grad, reduced_dims(dim, spec.rank), keepdim).expand(spec.shape)


def by_dim(whole: str, along: str) -> Callable[[Mapping[str, Any]], str]:
    """Return what names a node by whether dims are given."""
    return lambda bound: whole if bound["dim"] is None else along


def _mean(t: Any, grad: Any, input_spec: TensorSpec, dim: Any, keepdim: bool) -> Any:
    dims = reduced_dims(dim, input_spec.rank)
    return expanded(grad, input_spec, dim, keepdim) / count_of(input_spec, dims)


OF_SUM = gradient(
    by_dim("SumBackward0", "SumBackward1"),
    input=lambda t, grad, input_spec, dim, keepdim: expanded(grad, input_spec, dim, keepdim),
)
OF_MEAN = gradient(by_dim("MeanBackward0", "MeanBackward1"), input=_mean)
