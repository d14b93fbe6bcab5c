"""Which operations drop repeated elements? unique and unique_consecutive: their sizes are values.

How many there are is known when the elements are, so these rows run on concrete tensors, operation
by operation. Elements are sorted on the host; which of them begin a run is a kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....attributes.dtype import int64
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import TrilithIndexError, TrilithRuntimeError
from ...frame.indexed import HostOp, ValueLanguage
from ...frame.row import TABLE, Attributes, OperandSpec, Resolved
from ...frame.rules import ARITHMETIC, WIDE_UNSIGNED, check_dtype
from ...frame.view_rows import tensor_of
from ...gradients.sorting import OF_UNIQUE, OF_UNIQUE_CONSECUTIVE
from .sorting import ORDERED, host_body

_HINT = "use sort, which keeps the shape, or leave this outside of the compiled function"
_UNIQUE = "unique(Tensor input, bool sorted=True, bool return_inverse=False, "


def _answer(found: Any, inverse: Any, counts: Any) -> Any:
    """Return the elements alone, or with what was asked for."""
    asked = [each for each in (inverse, counts) if each is not None]
    return (found, *asked) if asked else found


def _runs(t: ValueLanguage, values: Any, dims: tuple[int, ...] = ()) -> tuple[Any, Any]:
    """Return whether each item of the first dim differs from the one before, and the places of all.

    An item is equal to another one if all of it along `dims` is.
    """
    size = tensor_of(t, values).shape[0]
    later, earlier = (t.call("narrow", values, 0, first, size - 1) for first in (1, 0))
    differs = t.call("ne", later, earlier)
    if dims:
        differs = t.call("any", differs, dims)
    first = t.call("full", (1,), True, device=tensor_of(t, values).device)
    is_new = t.call("cat", (first, differs))
    return is_new, t.call("select", t.positions(is_new, _HINT), 1, 0)


def _numbers(t: ValueLanguage, is_new: Any) -> Any:
    """Return for each item how many runs began before its own."""
    return t.call("sub", t.call("cumsum", is_new, 0), 1)


def _counts(t: ValueLanguage, starts: Any, size: int) -> Any:
    """Return the lengths of runs, given where they begin."""
    end = t.call("full", (1,), size, dtype=int64, device=tensor_of(t, starts).device)
    ends = t.call("cat", (t.call("slice", starts, 0, 1), end))
    return t.call("sub", ends, starts)


def _none_of(t: ValueLanguage, input: Any, return_inverse: bool, return_counts: bool) -> Any:
    """Return what there is of an input without elements."""
    spec = tensor_of(t, input)
    empty = {"dtype": int64, "device": spec.device}
    return _answer(
        t.call("empty", (0,), dtype=spec.dtype, device=spec.device),
        t.call("empty", spec.shape, **empty) if return_inverse else None,
        t.call("empty", (0,), **empty) if return_counts else None,
    )


# ---- of all elements


def _unique(
    t: ValueLanguage,
    input: Any,
    sorted: bool,
    return_inverse: bool,
    return_counts: bool,
    dim: int | None,
) -> Any:
    spec = tensor_of(t, input)
    if dim is not None:
        return _unique_items(t, input, dim, return_inverse, return_counts, is_sorted=False)
    check_dtype("unique", spec.dtype, ORDERED)
    if not spec.numel:
        return _none_of(t, input, return_inverse, return_counts)
    values, order = t.call("sort", t.call("reshape", input, (-1,)))
    return _of_runs(t, spec, values, order, return_inverse, return_counts)


def _unique_consecutive(
    t: ValueLanguage, input: Any, return_inverse: bool, return_counts: bool, dim: int | None
) -> Any:
    spec = tensor_of(t, input)
    if dim is not None:
        return _unique_items(t, input, dim, return_inverse, return_counts, is_sorted=True)
    check_dtype("unique", spec.dtype, ARITHMETIC | WIDE_UNSIGNED)
    if not spec.numel:
        return _none_of(t, input, return_inverse, return_counts)
    values = t.call("reshape", input, (-1,))
    return _of_runs(t, spec, values, None, return_inverse, return_counts)


def _of_runs(
    t: ValueLanguage,
    spec: TensorSpec,
    values: Any,
    order: Any,
    return_inverse: bool,
    return_counts: bool,
) -> Any:
    """Return the first of each run of equal values; `order` is where they were in the input."""
    is_new, starts = _runs(t, values)
    inverse = _inverse(t, is_new, order) if return_inverse else None
    return _answer(
        t.call("index_select", values, 0, starts),
        None if inverse is None else t.call("reshape", inverse, spec.shape),
        _counts(t, starts, spec.numel) if return_counts else None,
    )


def _inverse(t: ValueLanguage, is_new: Any, order: Any) -> Any:
    """Return the run of each item, where it was in the input."""
    numbers = _numbers(t, is_new)
    if order is None:
        return numbers
    return t.call("index_put", t.call("empty_like", numbers), (order,), numbers)


# ---- of all slices along a dim


def _resolve_order(operands: Sequence[OperandSpec], attributes: Attributes) -> Resolved:
    (operand,) = operands
    assert isinstance(operand, TensorSpec)
    result = TensorSpec.of(operand.shape[:1], int64, operand.device)
    return Resolved(dict(attributes), (operand.dtype,), result)


host_body(
    "order_of_rows(Tensor input)",
    "Where each row of a matrix is in the order of dictionaries.",
    "tri.unique(tri.tensor([[2, 1], [1, 2]]), dim=0)  # tensor([[1, 2],\n#         [2, 1]])",
    resolver=_resolve_order,
    body="sorting:order_of_rows",
    is_public=False,
    methods=(),
    torch_name="unique_dim",
)


def _check_items(spec: TensorSpec, dim: int) -> int:
    """Return the dim, counted from 0; refuse what has no slices to compare."""
    if not spec.rank:
        raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    dim = wrap_dim(dim, spec.rank)
    zeros = sum(size == 0 for size in spec.shape)
    if not spec.shape[dim] and zeros > 1:
        raise TrilithRuntimeError(
            "Number of zero sized dimensions is more than one, so unique cannot be applied "
        )
    if zeros and spec.shape[dim]:
        raise TrilithRuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    check_dtype("unique_dim" if spec.dtype.is_complex else "unique", spec.dtype, ORDERED)
    return dim


def _unique_items(
    t: ValueLanguage,
    input: Any,
    dim: int,
    return_inverse: bool,
    return_counts: bool,
    *,
    is_sorted: bool,
) -> Any:
    spec = tensor_of(t, input)
    dim = _check_items(spec, dim)
    if not spec.numel:
        empty = {"dtype": int64, "device": spec.device}
        return _answer(
            t.call("empty", spec.shape, dtype=spec.dtype, device=spec.device),
            t.call("empty", (0,), **empty) if return_inverse else None,
            t.call("empty", (0,), **empty) if return_counts else None,
        )
    size = spec.shape[dim]
    moved = t.call("movedim", input, dim, 0)
    items = t.call("reshape", moved, (size, -1))
    order = None if is_sorted else t.call("order_of_rows", items)
    if order is not None:
        items = t.call("index_select", items, 0, order)
    is_new, starts = _runs(t, items, (1,))
    found = t.call("index_select", items, 0, starts)
    shape = (tensor_of(t, starts).shape[0], *tensor_of(t, moved).shape[1:])
    return _answer(
        t.call("movedim", t.call("reshape", found, shape), 0, dim),
        _inverse(t, is_new, order) if return_inverse else None,
        _counts(t, starts, size) if return_counts else None,
    )


TABLE.add(
    HostOp(
        f"{_UNIQUE}bool return_counts=False, int? dim=None)",
        "The different elements in order, or slices along dim, with where each went, and how often "
        "each is there.",
        "tri.unique(tri.tensor([3, 1, 3]), return_counts=True)  # (tensor([1, 3]), tensor([1, 2]))",
        _unique,
        returns="Any",
        gradient=OF_UNIQUE,
    )
)
TABLE.add(
    HostOp(
        "unique_consecutive(Tensor input, bool return_inverse=False, bool return_counts=False, "
        "int? dim=None)",
        "The elements, or slices along dim, that differ from the one before.",
        "tri.unique_consecutive(tri.tensor([1, 1, 3, 1]))  # tensor([1, 3, 1])",
        _unique_consecutive,
        returns="Any",
        gradient=OF_UNIQUE_CONSECUTIVE,
    )
)
