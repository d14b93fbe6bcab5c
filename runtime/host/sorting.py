"""How are elements put in order? By NumPy's fastest sorts, of keys that make every order stable.

NumPy sorts numbers with vector instructions, several times as fast as it sorts stably. A key that
holds an element and its index has no equals, so that its order is stable whatever sorts it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .bodies import Array, Arrays, rows_along, taken

#: A key has so many bits; half of them are there for indices, if there are as many.
_KEY_BITS, _INDEX_BITS = 64, 32
#: So many keys are worth a look at how far apart they lie.
_MANY = 256
#: Rows so long are put in order digit by digit, each of which is counted.
_LONG, _DIGIT_BITS = 2048, 16
#: Rows of so few runs that are in order are merged, not sorted: 2e6 keys in two take 4 ms, not 250.
_RUNS = 16
#: All digits of long keys are counted if more than this part is left to be put in order.
_PART = 8


def sort(operands: Arrays, results: Arrays, *, dim: int, descending: bool) -> None:
    """Fill values and indices with the elements in order along a dim, and where they were."""
    (elements,), (values, indices) = operands, results
    if not elements.ndim:
        values[...], indices[...] = elements, 0
        return
    rows = rows_along(elements, dim)
    order = order_of(rows, descending=descending)
    rows_along(indices, dim)[...] = order
    rows_along(values, dim)[...] = taken(rows, order)


def order_of(rows: Array, *, descending: bool = False) -> Array:
    """Return where the elements of each row are in order, equal ones as they stand.

    >>> order_of(np.array([2.0, np.nan, 1.0, 2.0]))
    array([2, 0, 3, 1])
    >>> order_of(np.array([2.0, np.nan, 1.0, 2.0]), descending=True)
    array([1, 0, 3, 2])
    """
    keys = _narrowed(keys_of(rows))
    if descending:
        keys = ~keys
    if keys.dtype.itemsize <= 2:
        # Counted, not compared: a sixth of the time.
        return np.argsort(keys, axis=-1, kind="stable")
    length = rows.shape[-1]
    if length >= _LONG and _has_few_runs(keys):
        return np.argsort(keys, axis=-1, kind="stable")
    index_bits = max(length - 1, 1).bit_length()
    least, bits = _span(keys)
    if bits + index_bits <= _KEY_BITS:
        return _order_with_indices(keys - least, index_bits)
    return _order_of_digits(keys) if length >= _LONG else _order_of_wide(keys)


def _span(keys: Array) -> tuple[Any, int]:
    """Return what keys may be taken less, and how many bits are left of them."""
    bits = keys.dtype.itemsize * 8
    if bits <= _INDEX_BITS or not keys.size:
        return keys.dtype.type(0), bits
    least = keys.min()
    return least, (int(keys.max()) - int(least)).bit_length()


def _order_with_indices(keys: Array, index_bits: int) -> Array:
    """Return the order of keys that leave room for their indices, which are sorted with them.

    1e6 keys of 27 bits take 16 ms, digit by digit 70.

    >>> _order_with_indices(np.array([7, 5, 7, 6], np.uint32), 2)
    array([1, 3, 0, 2])
    """
    wide = keys.astype(np.uint64)
    wide <<= np.uint64(index_bits)
    wide |= np.arange(keys.shape[-1], dtype=np.uint64)
    wide.sort(axis=-1)
    wide &= np.uint64((1 << index_bits) - 1)
    return wide.view(np.int64)


def _narrowed(keys: Array) -> Array:
    """Return keys that lie close together as smaller ones, which are sorted in less time."""
    if keys.dtype.itemsize <= 2 or keys.size < _MANY:
        return keys
    least = keys.min()
    span = int(keys.max()) - int(least)
    for narrow in (np.uint16, np.uint32)[: keys.dtype.itemsize // 4]:
        if span <= np.iinfo(narrow).max:
            return (keys - least).astype(narrow)
    return keys


def _has_few_runs(keys: Array) -> bool:
    """Whether keys fall so seldom that merging runs, which a stable sort does, takes less time."""
    falls = np.count_nonzero(keys[..., 1:] < keys[..., :-1])
    return bool(falls < _RUNS)


def _order_of_digits(keys: Array) -> Array:
    """Return the order of keys of 64 bits by their digits, the last one first: none are compared.

    The lower half is looked at where the upper half is equal.

    >>> _order_of_digits(np.array([70000, 5, 70000, 65536], np.uint64))
    array([1, 3, 0, 2])
    """
    least, needed = _span(keys)
    if needed <= _KEY_BITS - _DIGIT_BITS:
        # One digit less than there are, and no look at which keys are open.
        return _counted(keys - least, range(0, needed, _DIGIT_BITS))
    order = _counted(keys, range(_INDEX_BITS, _KEY_BITS, _DIGIT_BITS))
    return _with_lower_half(keys, order)


def _counted(keys: Array, shifts: Iterable[int]) -> Array:
    """Return the order of keys by some of their digits."""
    order: Array | None = None
    for shift in shifts:
        digits = (keys >> keys.dtype.type(shift)).astype(np.uint16)
        if order is None:
            order = np.argsort(digits, axis=-1, kind="stable")
        else:
            moved = taken(digits, order)
            found = np.argsort(moved, axis=-1, kind="stable")
            order = taken(order, found)
    assert order is not None
    return order


def _with_lower_half(keys: Array, order: Array) -> Array:
    """Put keys in order that are in that of their upper halves."""
    held = taken(keys, order)
    upper = held >> np.uint64(_INDEX_BITS)
    is_same = np.zeros((*keys.shape[:-1], keys.shape[-1] + 1), bool)
    np.equal(upper[..., 1:], upper[..., :-1], out=is_same[..., 1:-1])
    is_open = is_same[..., 1:] | is_same[..., :-1]
    places = np.flatnonzero(is_open)
    if len(places) * _PART > keys.size:
        return _counted(keys, range(0, keys.dtype.itemsize * 8, _DIGIT_BITS))
    run = np.cumsum(~is_same[..., :-1].reshape(-1)[places])
    # `lexsort` is stable, and the last of its keys decides first.
    chosen = np.lexsort((held.reshape(-1)[places], run))
    flat = order.reshape(-1)
    flat[places] = flat[places[chosen]]
    return order


def _order_of_wide(keys: Array) -> Array:
    """Return the order of keys that leave no room for an index: equal ones are put right after."""
    order = np.argsort(keys, axis=-1)
    held = taken(keys, order)
    is_new = held[..., 1:] != held[..., :-1]
    if is_new.all():
        return order
    if keys.shape[-1] >> _INDEX_BITS:
        return np.argsort(keys, axis=-1, kind="stable")
    run = np.zeros(keys.shape, np.uint64)
    np.cumsum(is_new, axis=-1, out=run[..., 1:])
    run <<= np.uint64(_INDEX_BITS)
    run |= order.view(np.uint64)
    run.sort(axis=-1)
    run &= np.uint64((1 << _INDEX_BITS) - 1)
    return run.view(np.int64)


def plain_numbers(elements: Array) -> Array:
    """Return elements in a type that NumPy computes with at full speed: short floats as float32."""
    is_short = elements.dtype.kind not in "biuf" or elements.dtype == np.float16
    return elements.astype(np.float32) if is_short else elements


def keys_of(elements: Array) -> Array:
    """Return unsigned integers in memory of their own, which are in order as the elements are.

    Equal elements have equal keys: 0.0 and -0.0, and all that are NaN, which come last.

    >>> keys_of(np.array([-1, 0, 1], np.int8))
    array([127, 128, 129], dtype=uint8)
    """
    kind = elements.dtype
    if kind.kind == "b":
        return np.array(elements).view(np.uint8)
    if kind.kind == "u":
        return np.array(elements)
    unsigned = np.dtype(f"u{kind.itemsize}")
    top = unsigned.type(1 << (8 * kind.itemsize - 1))
    if kind.kind == "i":
        return np.array(elements).view(unsigned) ^ top
    return _keys_of_floats(elements, unsigned, top)


def _keys_of_floats(elements: Array, unsigned: np.dtype[Any], top: Any) -> Array:
    """Return the keys of floats: negative ones are counted down, the others from the top up."""
    # -0.0 + 0.0 is 0.0; NumPy has no bits of bfloat16, which counts like the upper half of float32.
    positive = elements + elements.dtype.type(0)
    bits = np.ascontiguousarray(positive).view(unsigned)
    is_negative = (bits & top).astype(bool)
    keys = np.where(is_negative, ~bits, bits | top)
    keys[np.isnan(positive)] = ~unsigned.type(0)
    return keys


def order_of_rows(operands: Arrays, results: Arrays) -> None:
    """Fill the result with where the rows of a matrix are in the order of dictionaries."""
    ((rows,), (order,)) = operands, results
    # The last key of `lexsort` decides first.
    order[...] = np.lexsort(keys_of(rows).T[::-1])
