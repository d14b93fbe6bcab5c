"""How do gradients pass what moves, cuts or joins sparse tensors? Back to where each entry was.

A dense gradient stays dense, a sparse one sparse: what was cut off gets zeros of the one, and no
entries of the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.dtype import int64
from ...attributes.views import wrap_dim
from ..frame.gradients import Gradient, chosen, gradient
from ..frame.sparse_forms import Parts
from .sparse_functions import is_sparse

# ---- dims in another order


def _moved_back(t: Any, grad: Any, dims: Any) -> Any:
    order = [wrap_dim(dim, len(dims)) for dim in dims]
    return t.call("permute", grad, tuple(order.index(dim) for dim in range(len(order))))


OF_TRANSPOSE = gradient(
    "TransposeBackward0",
    input=lambda t, grad, dim0, dim1: t.call("transpose", grad, dim0, dim1),
)
OF_T = gradient("TBackward0", input=lambda t, grad: t.call("t", grad))
OF_PERMUTE = gradient("PermuteBackward0", input=_moved_back)

# ---- a dim more


def _without_dim(t: Any, grad: Any, dim: int) -> Any:
    """Return the only slice along a dim: a sparse tensor has no `squeeze`."""
    return t.call("select", grad, dim, 0) if is_sparse(grad) else t.call("squeeze", grad, dim)


OF_UNSQUEEZE = gradient(
    "UnsqueezeBackward0",
    input=lambda t, grad, dim, input_spec: _without_dim(
        t, grad, wrap_dim(dim, input_spec.rank + 1)
    ),
)

# ---- a part


def _placed(t: Any, grad: Any, dim: int, index: Any, shape: tuple[int, ...]) -> Any:
    """Return a gradient whose slices along a dim are those with some numbers of a larger one."""
    if is_sparse(grad):
        return t.call("coo_placed", grad, dim, index, shape[dim])
    zeros = t.call("zeros", shape, dtype=grad.dtype, device=grad.device)
    return t.call("index_add", zeros, dim, index, grad)


def _numbers(t: Any, start: int, end: int, like: Any) -> Any:
    return t.call("arange", start, end, dtype=int64, device=like.device)


def _of_slice(t: Any, grad: Any, dim: int, index: int, input_spec: Any) -> Any:
    shape = tuple(input_spec.shape)
    dim = wrap_dim(dim, len(shape))
    return _placed_slice(t, grad, dim, index % shape[dim], shape)


def _placed_slice(t: Any, grad: Any, dim: int, index: int, shape: tuple[int, ...]) -> Any:
    slices = t.call("unsqueeze", grad, dim)
    return _placed(t, slices, dim, _numbers(t, index, index + 1, grad), shape)


def _of_dense_slice(t: Any, grad: Any, dim: int, index: int, input_spec: Any) -> Any:
    """Return what `_of_slice` does: in front of dense dims `unsqueeze` would add a sparse one."""
    if not is_sparse(grad):
        return _of_slice(t, grad, dim, index, input_spec)
    places = t.call("coalesce", grad)
    dims, sizes = places.sparse_dim(), tuple(input_spec.shape)
    dim = wrap_dim(dim, len(sizes))
    inside, index = dim - dims + 1, index % sizes[dim]
    shape = (places._nnz(), *sizes[dims:])
    values = _placed_slice(t, places.values(), inside, index, shape)
    return t.sparse(Parts(places._indices(), values, sizes, True))


def _rule_of_slice(bound: Mapping[str, Any]) -> Gradient:
    input = bound["input"]
    is_dense = wrap_dim(bound["dim"], input.ndim) >= input.sparse_dim()
    return OF_DENSE_SELECT if is_dense else OF_SPARSE_SELECT


def _of_part(t: Any, grad: Any, dim: int, start: int, length: int, input_spec: Any) -> Any:
    shape = tuple(input_spec.shape)
    dim = wrap_dim(dim, len(shape))
    start += shape[dim] if start < 0 else 0
    return _placed(t, grad, dim, _numbers(t, start, start + length, grad), shape)


def _of_slices(t: Any, grad: Any, dim: int, index: Any, input_spec: Any) -> Any:
    shape = tuple(input_spec.shape)
    dim = wrap_dim(dim, len(shape))
    # Of sparse tensors negative numbers count from the end.
    place = t.call("where", t.call("lt", index, 0), index + shape[dim], index)
    return _placed(t, grad, dim, place, shape)


OF_SPARSE_SELECT = gradient("SelectBackward0", input=_of_slice)
OF_DENSE_SELECT = gradient("SelectBackward0", input=_of_dense_slice)
OF_SELECT = chosen(_rule_of_slice)
OF_NARROW_COPY = gradient("NarrowCopyBackward0", input=_of_part)
OF_INDEX_SELECT = gradient("IndexSelectBackward0", input=_of_slices)
OF_PLACED = gradient(
    "IndexAddBackward0",
    input=lambda t, grad, dim, index: t.call("index_select", grad, dim, index),
)

# ---- several


def _part(t: Any, grad: Any, dim: int, start: int, length: int) -> Any:
    return t.call("narrow_copy" if is_sparse(grad) else "narrow", grad, dim, start, length)


def _of_joined(t: Any, grad: Any, dim: int, tensors_spec: Any) -> list[Any]:
    dim = wrap_dim(dim, grad.ndim)
    found: list[Any] = []
    start = 0
    for spec in tensors_spec:
        found.append(_part(t, grad, dim, start, spec.shape[dim]))
        start += spec.shape[dim]
    return found


def _of_stacked(t: Any, grad: Any, dim: int, tensors_spec: Any) -> list[Any]:
    dim = wrap_dim(dim, grad.ndim)
    return [t.call("select", grad, dim, number) for number in range(len(tensors_spec))]


OF_CAT = gradient("CatBackward0", tensors=_of_joined)
OF_STACK = gradient("StackBackward0", tensors=_of_stacked)
