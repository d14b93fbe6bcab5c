"""What becomes of a sparse tensor that is cut? select, narrow_copy, index_select, `x[...]`.

Entries elsewhere are left out, so that how many are left depends on their coordinates.
"""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import int64
from ....attributes.layout import no_kernel, sparse_coo
from ....attributes.spec import TensorSpec
from ....attributes.views import wrap_dim
from ....diagnostics import (
    TrilithIndexError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
)
from ....records import replace
from ...frame.indexed import HostOp
from ...frame.row import TABLE
from ...frame.sparse_forms import Ints, SparseLanguage, sparse_form
from ...frame.view_rows import tensor_of
from ...gradients.sparse_rearranging import (
    OF_INDEX_SELECT,
    OF_NARROW_COPY,
    OF_PLACED,
    OF_SELECT,
)
from .entries import entries, integers, picked, sparse_dim, taken_apart, values_of, where

# ---- a part of one


@sparse_form("select", gradient=OF_SELECT)
def _select(t: SparseLanguage, input: Any, dim: int, index: int) -> Any:
    parts = taken_apart(t, input)
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    dim = wrap_dim(dim, rank)
    size = parts.shape[dim]
    if not -size <= index < size:
        raise TrilithIndexError(
            f"select(): index {index} out of range for tensor of size {list(parts.shape)} at "
            f"dimension {dim}"
        )
    index %= size
    shape = (*parts.shape[:dim], *parts.shape[dim + 1 :])
    if dim >= sparse:
        values = t.call("select", parts.values, dim - sparse + 1, index)
        return t.sparse(entries(t, parts.indices, values, shape))
    row = t.call("select", parts.indices, 0, dim)
    found = picked(t, parts, where(t, t.call("eq", row, index)))
    if sparse == 1:
        values = values_of(t, parts)
        return t.call("sum", found.values, 0, dtype=values.dtype)
    kept = [other for other in range(sparse) if other != dim]
    rows = integers(t, kept, values_of(t, parts).device)
    return t.sparse(entries(t, t.call("index_select", found.indices, 0, rows), found.values, shape))


@sparse_form("narrow_copy", gradient=OF_NARROW_COPY)
def _narrow_copy(t: SparseLanguage, input: Any, dim: int, start: int, length: int) -> Any:
    parts = taken_apart(t, input)
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    if not 0 <= dim < rank:
        raise TrilithRuntimeError(f"Dimension {dim} out of range. Expecting 0 <= dim < {rank}.")
    size = parts.shape[dim]
    if length < 0:
        raise TrilithRuntimeError("narrow(): length must be non-negative.")
    if not 0 <= start <= size - length:
        raise TrilithRuntimeError(
            "Invalid range to narrow. range(start, start+length) must be a subset of "
            f"range(0, {size})."
        )
    shape = (*parts.shape[:dim], length, *parts.shape[dim + 1 :])
    if dim >= sparse:
        values = t.call("clone", t.call("narrow", parts.values, dim - sparse + 1, start, length))
        return t.sparse(replace(parts, values=values, shape=shape))
    row = t.call("select", parts.indices, 0, dim)
    is_within = t.call("logical_and", t.call("ge", row, start), t.call("lt", row, start + length))
    found = picked(t, parts, where(t, is_within))
    indices = _shifted(t, found.indices, dim, -start)
    return t.sparse(replace(found, indices=indices, shape=shape))


def _shifted(t: SparseLanguage, indices: Any, dim: int, by: int) -> Any:
    """Return indices of which one dim begins elsewhere."""
    if not by:
        return indices
    spec = tensor_of(t, indices)
    shifts = [by if row == dim else 0 for row in range(spec.shape[0])]
    return t.call("add", indices, t.call("unsqueeze", integers(t, shifts, spec.device), 1))


@sparse_form("index_select", gradient=OF_INDEX_SELECT)
def _index_select(t: SparseLanguage, input: Any, dim: int, index: Any) -> Any:
    parts = taken_apart(t, input)
    rank, sparse = len(parts.shape), sparse_dim(t, parts)
    dim = wrap_dim(dim, rank)
    spec = tensor_of(t, index)
    if spec.rank != 1 or spec.dtype is not int64 or t.parts(index) is not None:
        raise TrilithIndexError(
            "index_select() argument index must be 1-D strided (non-sparse) long-tensor."
        )
    size = parts.shape[dim]
    _check_index(t, index, parts.shape, dim)
    wanted = t.call("where", t.call("lt", index, 0), t.call("add", index, size), index)
    shape = (*parts.shape[:dim], spec.shape[0], *parts.shape[dim + 1 :])
    if dim >= sparse:
        values = t.call("index_select", parts.values, dim - sparse + 1, wanted)
        return t.sparse(entries(t, parts.indices, values, shape))
    row, order = t.call("sort", t.call("select", parts.indices, 0, dim))
    first, end = (t.call("searchsorted", row, wanted, right=right) for right in (False, True))
    lengths = t.call("sub", end, first)
    into = t.call("repeat_interleave", _numbers(t, spec.shape[0], spec), lengths)
    total = tensor_of(t, into).shape[0]
    # The place of each entry in its run of equal coordinates.
    begins = t.call("sub", t.call("cumsum", lengths, 0), lengths)
    shift = t.call("index_select", t.call("sub", first, begins), 0, into)
    which = t.call("index_select", order, 0, t.call("add", _numbers(t, total, spec), shift))
    found = picked(t, parts, which)
    before, after = (
        t.call("narrow", found.indices, 0, start, end - start)
        for start, end in ((0, dim), (dim + 1, sparse))
    )
    indices = t.call("cat", (before, t.call("unsqueeze", into, 0), after), 0)
    return t.sparse(entries(t, indices, found.values, shape))


def _numbers(t: SparseLanguage, size: int, like: TensorSpec) -> Any:
    return t.call("arange", size, dtype=int64, device=like.device)


def _check_index(t: SparseLanguage, index: Any, shape: Ints, dim: int) -> None:
    size = shape[dim]
    is_outside = t.call("logical_or", t.call("lt", index, -size), t.call("ge", index, size))
    wrong = where(t, is_outside)
    if not tensor_of(t, wrong).shape[0]:
        return
    first = t.number(t.call("select", t.call("index_select", index, 0, wrong), 0, 0))
    raise TrilithIndexError(
        f"index_select(): index contains {first} that is out of range for tensor of size "
        f"{list(shape)} at dimension {dim}"
    )


@sparse_form("unbind", is_stepwise=True)
def _unbind(t: SparseLanguage, input: Any, dim: int) -> Any:
    shape = tensor_of(t, input).shape
    dim = wrap_dim(dim, len(shape))
    return tuple(t.call("select", input, dim, index) for index in range(shape[dim]))


# ---- the way back: a part, and where it was


def _no_places(t: Any, input: Any, **_: Any) -> Any:
    raise TrilithNotImplementedError("coo_placed takes a sparse tensor")


TABLE.add(
    HostOp(
        "coo_placed(Tensor input, int dim, Tensor index, int size)",
        "The sparse tensor whose slices along a dim are those with some numbers of a larger one.",
        "tri.eye(2).to_sparse().index_select(0, tri.tensor([1])).to_dense()  # tensor([[0., 1.]])",
        _no_places,
        methods=(),
        is_public=False,
        torch_name="index_select",
    )
)


@sparse_form("coo_placed", gradient=OF_PLACED)
def _coo_placed(t: SparseLanguage, input: Any, dim: int, index: Any, size: int) -> Any:
    parts = taken_apart(t, input)
    sparse = sparse_dim(t, parts)
    shape = (*parts.shape[:dim], size, *parts.shape[dim + 1 :])
    if dim >= sparse:
        spec = values_of(t, parts)
        sizes = (spec.shape[0], *shape[sparse:])
        zeros = t.call("zeros", sizes, dtype=spec.dtype, device=spec.device)
        values = t.call("index_add", zeros, dim - sparse + 1, index, parts.values)
        return t.sparse(replace(parts, values=values, shape=shape))
    rows = [t.call("select", parts.indices, 0, row) for row in range(sparse)]
    rows[dim] = t.call("index_select", index, 0, rows[dim])
    return t.sparse(entries(t, t.call("stack", rows), parts.values, shape))


# ---- in brackets


@sparse_form("getitem", is_stepwise=True)
def _getitem(t: SparseLanguage, input: Any, index: tuple[Any, ...]) -> Any:
    items: list[Any] = list(index)
    rank = tensor_of(t, input).rank
    consumed = sum(item is not None and item != "..." for item in items)
    if consumed > rank:
        raise TrilithIndexError(f"too many indices for tensor of dimension {rank}")
    if not any(item is None or isinstance(item, int) for item in items):
        raise _no_slice(tensor_of(t, input))
    found, dim = input, 0
    for number, item in enumerate(items):
        if item is None:
            found, dim = t.call("unsqueeze", found, dim), dim + 1
        elif item == "...":
            dim += rank - consumed
        elif isinstance(item, int):
            found = t.call("select", found, dim, _checked(t, found, dim, item, number))
        else:
            if item[1:] != (None, None, None):
                raise _no_slice(tensor_of(t, input))
            dim += 1
    return found


def _checked(t: SparseLanguage, value: Any, dim: int, index: int, number: int) -> int:
    size = tensor_of(t, value).shape[dim]
    if not -size <= index < size:
        raise TrilithIndexError(
            f"index {index} is out of bounds for dimension {number} with size {size}"
        )
    return index


def _no_slice(spec: TensorSpec) -> TrilithNotImplementedError:
    hint = "narrow_copy takes a part of one"
    return no_kernel("as_strided", sparse_coo, spec.device.type, hint)


def _no_index(spec: TensorSpec) -> TrilithNotImplementedError:
    hint = "index_select takes slices of one"
    return no_kernel("index.Tensor", sparse_coo, spec.device.type, hint)


@sparse_form("take_at")
def _take_at(t: SparseLanguage, input: Any, **options: Any) -> Any:
    raise _no_index(tensor_of(t, input))
