"""What is the product of two sparse matrices? An entry meets a row of the other."""

from __future__ import annotations

from typing import Any

from ....attributes.dtype import bfloat16, float16, int64
from ....diagnostics import TrilithRuntimeError
from ....records import replace
from ...frame.row import TensorLanguage
from ...frame.rules import FIELDS, check_dtype
from ...frame.sparse_forms import Parts, SparseLanguage
from ...frame.view_rows import tensor_of
from .entries import coalesced, count, entries, no_entries, sparse_dim, values_of

#: Of these no product of two sparse matrices is made, and sums of products are of float32.
NARROW = frozenset({float16, bfloat16})


def check_matrix(t: TensorLanguage, parts: Parts) -> None:
    """Refuse what is no matrix of two sparse dims."""
    if sparse_dim(t, parts) != 2 or len(parts.shape) != 2:
        raise TrilithRuntimeError(f"addmm: matrices expected, got {sparse_dim(t, parts)}D tensor")


def _check_shapes(first: Parts, second: Parts) -> None:
    if first.shape[1] != second.shape[0]:
        (rows, inner), (other, columns) = first.shape, second.shape
        raise TrilithRuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{inner} and {other}x{columns})"
        )


def times_sparse(t: SparseLanguage, first: Parts, second: Parts) -> Parts:
    """Return the product of two sparse matrices, in order."""
    for parts in (first, second):
        check_matrix(t, parts)
    _check_shapes(first, second)
    own, other = values_of(t, first), values_of(t, second)
    if own.dtype is not other.dtype:
        raise TrilithRuntimeError(
            f"mat1 dtype {own.dtype.c_name} does not match mat2 dtype {other.dtype.c_name}"
        )
    check_dtype("sparse_matmul", own.dtype, FIELDS - NARROW)
    shape = (first.shape[0], second.shape[1])
    first, second = coalesced(t, first), coalesced(t, second)
    rows, inner = (t.call("select", first.indices, 0, dim) for dim in (0, 1))
    outer, columns = (t.call("select", second.indices, 0, dim) for dim in (0, 1))
    # The entries of the second factor's row that each entry of the first one meets.
    begin, end = _rows_met(t, outer, inner, second.shape[0])
    lengths = t.call("sub", end, begin)
    numbers = t.call("arange", count(t, first), dtype=int64, device=own.device)
    left = t.call("repeat_interleave", numbers, lengths)
    total = tensor_of(t, left).shape[0]
    if not total:
        return no_entries(t, shape, 2, own.dtype, own.device)
    shift = t.call("sub", begin, t.call("sub", t.call("cumsum", lengths, 0), lengths))
    ordinal = t.call("arange", total, dtype=int64, device=own.device)
    right = t.call("add", ordinal, t.call("index_select", shift, 0, left))
    values = t.call(
        "mul",
        t.call("index_select", first.values, 0, left),
        t.call("index_select", second.values, 0, right),
    )
    places = t.call(
        "stack",
        (t.call("index_select", rows, 0, left), t.call("index_select", columns, 0, right)),
    )
    return replace(coalesced(t, entries(t, places, values, shape)), is_coalesced=True)


def _rows_met(t: SparseLanguage, outer: Any, inner: Any, rows: int) -> tuple[Any, Any]:
    """Return where the row begins and ends, in entries in order, that each entry meets.

    The beginnings of all rows are found once where these are not more than entries ask for.
    """
    if rows > tensor_of(t, inner).shape[0]:
        begin, end = (t.call("searchsorted", outer, inner, right=right) for right in (False, True))
        return begin, end
    numbers = t.call("arange", rows + 1, dtype=int64, device=tensor_of(t, outer).device)
    starts = t.call("searchsorted", outer, numbers)
    following = t.call("narrow", starts, 0, 1, rows)
    return t.call("index_select", starts, 0, inner), t.call("index_select", following, 0, inner)
