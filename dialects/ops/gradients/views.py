"""What are the gradients of views? The gradient is seen the other way round, or put into zeros."""

from __future__ import annotations

from typing import Any

from ..frame.gradients import Gradient, view_gradient


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
