"""What are the gradients of elements at indices? They are added up where the elements were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...attributes.dtype import bool_
from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.argument_values import is_number
from ..frame.gradients import UNKNOWN, Gradient, chosen, gradient
from ..frame.sparse_forms import Parts
from .arithmetic import conj


def _zeros(grad: Any, spec: TensorSpec) -> Any:
    return grad.new_zeros(spec.shape)


def _zero(grad: Any) -> Any:
    return grad.new_zeros(())


# ---- what getitem and setitem are made of


def _read(t: Any, grad: Any, input_spec: TensorSpec, indices: Any, dims: Any, wrap: bool) -> Any:
    whole = _zeros(grad, input_spec)
    return t.call("put_at", whole, grad, indices, dims, wrap=wrap, reduce="add")


def _kept(t: Any, grad: Any, indices: Any, dims: Any, wrap: bool, reduce: str) -> Any:
    """Return the gradient of what was there: none of it is left where it was overwritten."""
    if reduce:
        return grad
    return t.call("put_at", grad, _zero(grad), indices, dims, wrap=wrap)


def _put(t: Any, grad: Any, indices: Any, dims: Any, wrap: bool) -> Any:
    return t.call("take_at", grad, indices, dims, wrap=wrap)


OF_TAKE_AT = gradient("IndexBackward0", input=_read)
OF_PUT_AT = gradient("IndexPutBackward0", input=_kept, values=_put)
OF_GATHER_ALONG = gradient(
    "GatherBackward0",
    input=lambda t, grad, input_spec, index, dim: t.call(
        "scatter_along", _zeros(grad, input_spec), grad, index, dim, "add"
    ),
)
OF_SCATTER_ALONG = gradient(
    "ScatterBackward0",
    input=lambda t, grad, index, dim, reduce: (
        grad if reduce else t.call("scatter_along", grad, _zero(grad), index, dim)
    ),
    values=lambda t, grad, index, dim: t.call("gather_along", grad, index, dim),
)

# ---- reading


def _of_gather(t: Any, grad: Any, input_spec: Any, dim: int, index: Any, sparse_grad: bool) -> Any:
    if not sparse_grad or not input_spec.rank:
        return t.call("scatter_add", _zeros(grad, input_spec), dim, index, grad)
    places = [t.call("arange", size, device=index.device) for size in index.shape]
    rows = list(t.call("meshgrid", places, indexing="ij"))
    rows[wrap_dim(dim, index.ndim)] = index
    indices = t.call("stack", [row.reshape(-1) for row in rows])
    return t.sparse(Parts(indices, grad.reshape(-1), tuple(input_spec.shape), False))


OF_GATHER = gradient("GatherBackward0", input=_of_gather)
OF_INDEX_SELECT = gradient(
    "IndexSelectBackward0",
    input=lambda t, grad, input_spec, dim, index: t.call(
        "index_add", _zeros(grad, input_spec), dim, index, grad
    ),
)
OF_TAKE = gradient(
    "TakeBackward0",
    input=lambda t, grad, input_spec, index: t.call(
        "put", _zeros(grad, input_spec), index, grad, True
    ),
)
OF_MASKED_SELECT = gradient(
    "MaskedSelectBackward0",
    # The input may be expanded to the shape of the mask.
    input=lambda t, grad, input_spec, mask: t.call(
        "masked_scatter", _zeros(grad, input_spec), mask, grad
    ),
)

# ---- writing


def _slices(t: Any, grad: Any, dim: int, index: Any, source_spec: TensorSpec) -> Any:
    if not source_spec.rank:
        return t.call("index_select", grad, dim, index.reshape(-1)).reshape(())
    return t.call("index_select", grad, dim, index)


def _added(t: Any, grad: Any, dim: int, index: Any, source_spec: TensorSpec, alpha: Any) -> Any:
    found = _slices(t, grad, dim, index, source_spec)
    return found if is_number(alpha) and alpha == 1 else found * conj(alpha)


def _name_of_number(name: str, operand: str) -> Any:
    """Return what names a node by whether an operand is a number."""

    def choose(bound: Mapping[str, Any]) -> str:
        return f"{name}Backward{0 if is_number(bound[operand]) else 1}"

    return choose


def _scatter(bound: Mapping[str, Any]) -> Gradient:
    if bound["reduce"] is not None:
        return UNKNOWN
    return _OF_SCATTER_NUMBER if _is_scattered_number(bound) else _OF_SCATTER


def _is_scattered_number(bound: Mapping[str, Any]) -> bool:
    return is_number(bound["value"] if bound["src"] is None else bound["src"])


def _unscattered(t: Any, grad: Any, dim: int, index: Any) -> Any:
    return t.call("scatter", grad, dim, index, 0)


def _gathered(t: Any, grad: Any, dim: int, index: Any) -> Any:
    return t.call("gather", grad, dim, index)


def _of_source(t: Any, grad: Any, dim: int, index: Any) -> Any:
    """Return the gradient of what is scattered; PyTorch's has that of overwritten elements, too.

    A tangent moves what is there at last, so there they have none.
    """
    found = _gathered(t, grad, dim, index)
    if not t.is_pushing or not index.numel():
        return found
    numbers = t.call("arange", index.numel(), device=index.device).view(index.shape)
    last = grad.new_zeros(grad.shape, dtype=numbers.dtype)
    last = t.call("scatter", last, dim, index, numbers)
    return t.call("where", t.call("eq", t.call("gather", last, dim, index), numbers), found, 0)


_OF_SCATTER = gradient("ScatterBackward0", input=_unscattered, src=_of_source, value=_of_source)
_OF_SCATTER_NUMBER = gradient("ScatterBackward1", input=_unscattered)
OF_SCATTER = chosen(_scatter)
OF_SCATTER_ADD = gradient("ScatterAddBackward0", input=lambda t, grad: grad, src=_gathered)
OF_INDEX_ADD = gradient("IndexAddBackward0", input=lambda t, grad: grad, source=_added)
OF_INDEX_COPY = gradient(
    "IndexCopyBackward0",
    input=lambda t, grad, dim, index: t.call("index_fill", grad, dim, index, 0),
    source=_slices,
)


def _filled(t: Any, grad: Any, dim: int, index: Any) -> Any:
    """Return the sum of the slices that an index names, each once."""
    is_kept = t.call("index_fill", t.call("ones_like", grad), dim, index, 0)
    return t.call("where", t.call("eq", is_kept, 0), grad, 0).sum()


OF_INDEX_FILL = gradient(
    _name_of_number("IndexFill", "value"),
    input=lambda t, grad, dim, index: t.call("index_fill", grad, dim, index, 0),
    value=_filled,
)
OF_PUT = gradient(
    "PutBackward0",
    input=lambda t, grad, index, source_spec, accumulate: (
        grad if accumulate else t.call("put", grad, index, _zeros(grad, source_spec))
    ),
    source=lambda t, grad, index, source_spec: t.call("take", grad, index).reshape(
        source_spec.shape
    ),
)
OF_MASKED_FILL = gradient(
    _name_of_number("MaskedFill", "value"),
    input=lambda t, grad, mask: t.call("masked_fill", grad, mask, 0),
    value=lambda t, grad, mask: t.call("where", mask, grad, 0).sum(),
)


def _source_of_mask(t: Any, grad: Any, mask: Any, source_spec: TensorSpec) -> Any:
    """Return what was taken by a mask, and zeros for what was not needed."""
    found = t.call("masked_select", grad, mask)
    rest = source_spec.numel - found.numel()
    return t.call("cat", [found, grad.new_zeros((rest,))]).reshape(source_spec.shape)


OF_MASKED_SCATTER = gradient(
    "MaskedScatterBackward0",
    input=lambda t, grad, mask: t.call("masked_fill", grad, mask, 0),
    source=_source_of_mask,
)


def _put_values(t: Any, grad: Any, indices: Any, values_spec: TensorSpec) -> Any:
    masks = [index for index in indices if index is not None]
    if len(masks) == 1 and masks[0].dtype is bool_ and values_spec.numel == 1:
        # How many there are need not be known.
        (mask,) = masks
        missing = grad.ndim - mask.ndim - sum(index is None for index in indices)
        wide = mask.reshape((*mask.shape, *(1,) * missing)) if missing > 0 else mask
        return t.call("where", wide, grad, 0).sum().reshape(values_spec.shape)
    return grad[tuple(slice(None) if index is None else index for index in indices)]


OF_INDEX_PUT = gradient(
    "IndexPutBackward0",
    input=lambda t, grad, indices, accumulate: (
        grad if accumulate else t.call("index_put", grad, indices, _zero(grad))
    ),
    values=_put_values,
)
