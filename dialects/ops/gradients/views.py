"""What are the gradients of views? The gradient is seen the other way round, or put into zeros."""

from __future__ import annotations

from typing import Any

from ...attributes.dtype import int64
from ...attributes.extents import storage_extent
from ...attributes.overlaps import has_internal_overlap
from ...attributes.spec import TensorSpec
from ...attributes.views import wrap_dim
from ..frame.gradients import Gradient, gradient, view_gradient


def _unpermuted(t: Any, grad: Any, input_spec: Any, dims: Any) -> Any:
    rank = input_spec.rank
    order = [0] * rank
    for place, dim in enumerate(dims):
        order[dim % rank if rank else 0] = place
    return grad.permute(order)


def _unsqueezed(t: Any, grad: Any, input_spec: Any) -> Any:
    return grad.reshape(input_spec.shape)


def _selected(t: Any, grad: Any, input_spec: Any, dim: Any, index: Any) -> Any:
    whole = grad.new_zeros(input_spec.shape)
    return t.call("select_scatter", whole, grad, dim, index)


def _sliced(t: Any, grad: Any, input_spec: Any, dim: Any, start: Any, end: Any, step: Any) -> Any:
    whole = grad.new_zeros(input_spec.shape)
    return t.call("slice_scatter", whole, grad, dim, start, end, step)


def _narrowed(t: Any, grad: Any, input_spec: Any, dim: Any, start: Any, length: Any) -> Any:
    size = input_spec.shape[dim]
    first = start + size if start < 0 else start
    whole = grad.new_zeros(input_spec.shape)
    return t.call("slice_scatter", whole, grad, dim, first, first + length, 1)


def _moved_back(t: Any, grad: Any, source: Any, destination: Any) -> Any:
    return grad.movedim(destination, source)


def _diagonal(t: Any, grad: Any, input_spec: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    whole = grad.new_zeros(input_spec.shape)
    return t.call("diagonal_scatter", whole, grad, offset, dim1, dim2)


def _name_of_squeeze(bound: Any) -> str:
    dim = bound["dim"]
    if dim is None:
        return "SqueezeBackward0"
    return "SqueezeBackward1" if isinstance(dim, int) or len(dim) == 1 else "SqueezeBackward2"


def _joined(t: Any, grads: Any, result_specs: Any, dim: Any) -> Any:
    return t.call("cat", _without_gaps(grads, result_specs), dim)


def _stacked(t: Any, grads: Any, result_specs: Any, dim: Any) -> Any:
    return t.call("stack", _without_gaps(grads, result_specs), dim)


def _without_gaps(grads: Any, specs: Any) -> Any:
    """Return the gradients of parts, zeros where there is none."""
    some = next(grad for grad in grads if grad is not None)
    return [
        some.new_zeros(spec.shape) if grad is None else grad
        for grad, spec in zip(grads, specs, strict=True)
    ]


def _name_of_split(bound: Any) -> str:
    sizes = bound["split_size_or_sections"]
    return "SplitBackward0" if isinstance(sizes, int) else "SplitWithSizesBackward0"


OF_SPLIT = Gradient({"tensor": _joined}, _name_of_split, is_view=True, is_several=True)
OF_SPLIT_WITH_SIZES = view_gradient("SplitWithSizesBackward0", _joined, is_several=True)
OF_CHUNK = view_gradient("SplitBackward0", _joined, is_several=True)
OF_UNBIND = view_gradient("UnbindBackward0", _stacked, is_several=True)
OF_PERMUTE = view_gradient("PermuteBackward0", _unpermuted)
OF_TRANSPOSE = view_gradient(
    "TransposeBackward0", lambda t, grad, dim0, dim1: grad.transpose(dim0, dim1)
)
OF_T = view_gradient("TBackward0", lambda t, grad: grad.t())
OF_EXPAND = view_gradient(
    "ExpandBackward0", lambda t, grad, input_spec: grad.sum_to_size(input_spec.shape)
)
OF_SQUEEZE = view_gradient(_name_of_squeeze, _unsqueezed)
OF_UNSQUEEZE = view_gradient("UnsqueezeBackward0", lambda t, grad, dim: grad.squeeze(dim))
OF_SELECT = view_gradient("SelectBackward0", _selected)
OF_NARROW = view_gradient("SliceBackward0", _narrowed)
OF_SLICE = view_gradient("SliceBackward0", _sliced)
OF_MOVEDIM = view_gradient("PermuteBackward0", _moved_back)
OF_DIAGONAL = view_gradient("DiagonalBackward0", _diagonal)
OF_ALIAS = view_gradient("AliasBackward0", lambda t, grad: grad)
OF_VIEW = view_gradient("ViewBackward0", _unsqueezed)

# ---- windows, and places in a storage


def _windows(
    t: Any, grad: Any, input_spec: TensorSpec, dimension: int, size: int, step: int
) -> Any:
    """Return the sum of windows over each other."""
    if not input_spec.rank:
        return grad.reshape(()) if size else grad.new_zeros(())
    dim = wrap_dim(dimension, input_spec.rank)
    places = t.call("arange", input_spec.shape[dim], device=grad.device)
    places = t.call("unfold", places, 0, size, step).reshape(-1)
    elements = grad.movedim(-1, dim + 1).flatten(dim, dim + 1)
    return t.call("index_add", grad.new_zeros(input_spec.shape), dim, places, elements)


def _places(t: Any, grad: Any, shape: Any, strides: Any, offset: int) -> Any:
    """Return where the elements of a tensor lie in its storage, in one row."""
    found = t.call("full", (1,), offset, dtype=int64, device=grad.device)
    for size, stride in zip(shape, strides, strict=True):
        along = t.call("arange", size, device=grad.device) * stride
        found = (found.unsqueeze(-1) + along).reshape(-1)
    return found


def _strided(t: Any, grad: Any, input_spec: TensorSpec, size: Any, stride: Any, offset: int) -> Any:
    """Return what each element of the input got through all places that show it.

    Elements of the input that are one in memory share what that has got.
    """
    shape, strides = input_spec.shape, input_spec.strides
    first = min(0, offset)
    end = max(storage_extent(shape, strides), storage_extent(size, stride, offset))
    storage = grad.new_zeros((end - first,))
    seen = _places(t, grad, size, stride, offset - first)
    storage = t.call("index_add", storage, 0, seen, grad.reshape(-1))
    own = _places(t, grad, shape, strides, -first)
    if has_internal_overlap(shape, strides):
        count = t.call("zeros_like", storage)
        count = t.call("index_add", count, 0, own, grad.new_ones((input_spec.numel,)))
        storage = storage / t.call("where", t.call("eq", count, 0), 1, count)
    return t.call("index_select", storage, 0, own).reshape(shape)


OF_UNFOLD = view_gradient("UnfoldBackward0", _windows)
OF_STRIDED_VIEW = view_gradient("AsStridedBackward0", _strided)

# ---- parts of complex numbers

OF_VIEW_AS_REAL = view_gradient(
    "ViewAsRealBackward0", lambda t, grad: t.call("view_as_complex", grad.contiguous())
)
OF_VIEW_AS_COMPLEX = view_gradient(
    "ViewAsComplexBackward0", lambda t, grad: t.call("view_as_real", grad.resolve_conj())
)
OF_CONJ_VIEW = view_gradient("ConjBackward0", lambda t, grad: grad.conj())

# ---- copies of views


def _copy_of(rule: Gradient) -> Gradient:
    """Return the rule of what copies a view; PyTorch puts a word behind the view's name."""
    name = rule.name
    if callable(name):
        return Gradient(rule.formulas, lambda bound: f"{name(bound)}_copy")
    return Gradient(rule.formulas, f"{name}_copy")


def _copied_places(
    t: Any, grad: Any, input_spec: TensorSpec, size: Any, stride: Any, storage_offset: Any
) -> Any:
    return _strided(t, grad, input_spec, size, stride, storage_offset or 0)


#: The name of a view -> the rule of its copies.
OF_COPIES = {
    "diagonal": _copy_of(OF_DIAGONAL),
    "expand": _copy_of(OF_EXPAND),
    "permute": _copy_of(OF_PERMUTE),
    "select": _copy_of(OF_SELECT),
    "slice": _copy_of(OF_SLICE),
    "squeeze": _copy_of(OF_SQUEEZE),
    "t": _copy_of(OF_T),
    "transpose": _copy_of(OF_TRANSPOSE),
    "unfold": _copy_of(OF_UNFOLD),
    "unsqueeze": _copy_of(OF_UNSQUEEZE),
    "narrow": Gradient(OF_NARROW.formulas, "NarrowCopyBackward0"),
    "view_as_real": _copy_of(OF_VIEW_AS_REAL),
    "as_strided": gradient("AsStridedBackward0_copy", input=_copied_places),
    "view_as_complex": _copy_of(OF_VIEW_AS_COMPLEX),
    "split": gradient("SplitBackward0_copy", input=_joined),
    "split_with_sizes": gradient("SplitWithSizesBackward0_copy", input=_joined),
    "unbind": gradient("UnbindBackward0_copy", input=_stacked),
    "alias": _copy_of(OF_ALIAS),
    "view": _copy_of(OF_VIEW),
}
