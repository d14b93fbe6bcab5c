"""How are elements found by their rank, and the most frequent ones? By parts of a sort."""

from __future__ import annotations

from typing import cast

import numpy as np

from ...dialects.diagnostics import TrilithRuntimeError
from .bodies import Array, Arrays, rows_along, taken
from .sorting import order_of, plain_numbers

#: A row is sorted as a whole where it is shorter, or more than this part of it is wanted.
_SHORT, _PART = 256, 8
#: So many elements of a long row are found one by one.
_FEW = 4
#: A row is long if it has more elements; so many of it tell about where those of a rank lie, and
#: by how many of these that may be wrong.
_LONG, _SAMPLE, _MARGIN = 1 << 16, 1 << 10, 64


def topk(
    operands: Arrays, results: Arrays, *, k: int, dim: int, largest: bool, sorted: bool
) -> None:
    """Fill values and indices with the first of the elements in order; they always are in order."""
    (elements,), (values, indices) = operands, results
    if not elements.ndim:
        values[...], indices[...] = elements, 0
        return
    rows = rows_along(elements, dim)
    order = first_of(rows, k, descending=largest)
    rows_along(indices, dim)[...] = order
    rows_along(values, dim)[...] = taken(rows, order)


def kthvalue(operands: Arrays, results: Arrays, *, k: int, dim: int, keepdim: bool) -> None:
    """Fill values and indices with the k-th smallest element of each row."""
    (elements,), (values, indices) = operands, results
    rows = rows_along(elements, dim) if elements.ndim else elements.reshape(1)
    _fill(rows, _place_of(rows, k), values, indices, dim, keepdim=keepdim)


def median(operands: Arrays, results: Arrays, *, dim: int, ignores_nan: bool) -> None:
    """Fill values and indices with the lower of the middle elements of each row.

    If there is NaN, the first of those is it, unless it is left out.
    """
    (elements,), (values, indices) = operands, results
    rows = rows_along(elements, dim)
    plain, middle = plain_numbers(rows), (rows.shape[-1] - 1) // 2
    is_nan = plain != plain
    has_nan = is_nan.any(-1, keepdims=True)
    if not has_nan.any():
        place = _place_of(plain, middle + 1)
    elif ignores_nan:
        count = np.sum(~is_nan, -1, keepdims=True)
        place = taken(order_of(rows), np.maximum(count - 1, 0) // 2)
    else:
        place = np.where(has_nan, is_nan.argmax(-1)[..., None], _place_of(plain, middle + 1))
    _fill(rows, place, values, indices, dim, keepdim=True)


def of_ranks(operands: Arrays, results: Arrays) -> None:
    """Fill the elements of rows that have ranks; several sets of them, if they have more dims."""
    (rows, ranks), (found,) = operands, results
    wanted = np.unique(ranks)
    if wanted.size and not (wanted[0] >= 0 and wanted[-1] < rows.shape[-1]):
        raise TrilithRuntimeError("quantile() q values must be in the range [0, 1]")
    if rows.ndim == 1 and len(wanted) <= _FEW:
        by_rank = np.array([_element_of(rows, int(rank)) for rank in wanted], rows.dtype)
        found[...] = by_rank[np.searchsorted(wanted, ranks)]
        return
    ordered = np.partition(rows, wanted, -1)
    wide = np.broadcast_to(ordered, (*ranks.shape[:-1], rows.shape[-1]))
    found[...] = taken(wide, ranks)


def mode(operands: Arrays, results: Arrays, *, dim: int, keepdim: bool) -> None:
    """Fill values and indices with the most frequent element of each row, where it is last."""
    (elements,), (values, indices) = operands, results
    rows = rows_along(elements, dim) if elements.ndim else elements.reshape(1)
    length = rows.shape[-1]
    order = order_of(rows).reshape(-1, length)
    held = taken(rows.reshape(-1, length), order)
    last = _last_of_longest_run(held)
    chosen = taken(order, last[:, None]).reshape(*rows.shape[:-1], 1)
    _fill(rows, chosen, values, indices, dim, keepdim=keepdim)


def _fill(
    rows: Array, order: Array, values: Array, indices: Array, dim: int, *, keepdim: bool
) -> None:
    """Store one element of each row."""
    found = taken(rows, order)
    if keepdim and values.ndim:
        values, indices = rows_along(values, dim), rows_along(indices, dim)
    values[...], indices[...] = found.reshape(values.shape), order.reshape(indices.shape)


def _last_of_longest_run(held: Array) -> Array:
    """Return where the first of the longest runs of equal elements ends in each sorted row.

    >>> _last_of_longest_run(np.array([[1, 2, 2, 3, 3], [1, 2, 3, 4, 5]]))
    array([2, 0])
    """
    count, length = held.shape
    is_new = np.ones(held.shape, bool)
    is_new[:, 1:] = held[:, 1:] != held[:, :-1]  # NaN is none of a run
    starts = np.flatnonzero(is_new)
    ends = np.append(starts[1:], count * length)
    row = starts // length
    # By rows, in them the longest first; `lexsort` is stable, so of those the first.
    first = np.lexsort((starts - ends, row))
    best = first[_starts_of(row[first], count)]
    return cast("Array", ends[best] - 1 - np.arange(count) * length)


def _starts_of(rows: Array, count: int) -> Array:
    """Return where each of the numbers below `count` is for the first time in a sorted row."""
    return cast("Array", np.searchsorted(rows, np.arange(count)))


def first_of(rows: Array, count: int, *, descending: bool = False) -> Array:
    """Return where the first `count` elements in order are, of equal ones the first.

    >>> first_of(np.array([3, 1, 4, 1, 5]), 3)
    array([1, 3, 0])
    """
    length = rows.shape[-1]
    if length < _SHORT or count * _PART > length or not count:
        return order_of(rows, descending=descending)[..., :count]
    plain = plain_numbers(rows).reshape(-1, length)
    found = _first_by_bound(plain, count, descending=descending)
    if found is None:
        found = order_of(plain, descending=descending)[..., :count]
    return found.reshape(*rows.shape[:-1], count)


def _first_by_bound(rows: Array, count: int, *, descending: bool) -> Array | None:
    """Return the same, looking closely only at what can be among the first of its row.

    Of parts of a row each has its own first element. What is behind the `count`-th of these is
    behind `count` elements. None if NaN is there, or if too many elements are left.
    """
    number, length = rows.shape
    parts = min(length, int((length * count) ** 0.5) + count)
    firsts = rows[:, : length // parts * parts].reshape(number, -1, parts)
    best = firsts.max(1) if descending else firsts.min(1)
    place = parts - count if descending else count - 1
    bound = np.partition(best, place, -1)[:, place : place + 1]
    is_near = rows >= bound if descending else rows <= bound
    row, column = np.nonzero(is_near)
    if len(row) * 2 > rows.size or bool(np.any(rows != rows)):
        return None
    order = order_of(rows[row, column], descending=descending)
    order = order[order_of(row[order])]
    starts = _starts_of(row, number)
    return column[order[starts[:, None] + np.arange(count)]]


def _place_of(rows: Array, rank: int) -> Array:
    """Return where the element is that has a rank from 1, of equal ones as a stable sort has it.

    >>> _place_of(np.array([[3, 1, 4, 1, 5]]), 2)
    array([[3]])
    """
    plain = plain_numbers(rows)
    if plain.size == plain.shape[-1]:
        row = plain.reshape(-1)
        return _place_in_row(row, rank).reshape(*rows.shape[:-1], 1)
    wanted = np.partition(plain, rank - 1, -1)[..., rank - 1 : rank]
    is_less, is_equal = _less_and_equal(plain, wanted)
    left = rank - np.count_nonzero(is_less, -1)
    is_it = np.cumsum(is_equal, -1) == left[..., None]
    return is_it.argmax(-1)[..., None]


def _place_in_row(row: Array, rank: int) -> Array:
    """Return the same of one row."""
    is_less, is_equal = _less_and_equal(row, _element_of(row, rank - 1))
    return np.flatnonzero(is_equal)[rank - 1 - np.count_nonzero(is_less)]


def _less_and_equal(plain: Array, wanted: Array) -> tuple[Array, Array]:
    """Return which elements are less than one, or equal to it; NaN is equal to NaN."""
    if not np.any(wanted != wanted):
        return plain < wanted, plain == wanted
    is_nan = wanted != wanted
    is_less = (plain < wanted) | (is_nan & (plain == plain))
    return is_less, (plain == wanted) | (is_nan & (plain != plain))


def _element_of(row: Array, rank: int) -> Array:
    """Return the element of a row that has a rank from 0.

    A few elements in order tell between which two it lies; if it does, only what is there is
    looked at closely: in 2 ms instead of 14 for 1e6 elements.
    """
    if len(row) > _LONG:
        sample = np.sort(row[:: len(row) // _SAMPLE])
        place = rank * len(sample) // len(row)
        low = sample[max(place - _MARGIN, 0)] if place > _MARGIN else row.min()
        high = sample[place + _MARGIN] if place + _MARGIN < len(sample) else row.max()
        below = np.count_nonzero(row < low)
        near = row[(row >= low) & (row <= high)]
        if below <= rank < below + len(near):
            return np.partition(near, rank - below)[rank - below]
    return np.partition(row, rank)[rank]
