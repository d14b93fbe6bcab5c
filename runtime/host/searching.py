"""How are elements looked up in others? By bisection, and by sorting both."""

from __future__ import annotations

import numpy as np

from ...dialects.diagnostics import TrilithRuntimeError
from .bodies import Array, Arrays
from .sorting import plain_numbers


def search_rows(operands: Arrays, results: Arrays, *, out_int32: bool, right: bool) -> None:
    """Fill the result with where values would be put into sorted rows."""
    boundaries, values = (plain_numbers(array) for array in operands[:2])
    if len(operands) > 2:
        boundaries = _in_order(boundaries, operands[2])
    if boundaries.ndim == 1:
        results[0][...] = _places(boundaries, values, right=right)
        return
    for index in np.ndindex(boundaries.shape[:-1]):
        results[0][index] = _places(boundaries[index], values[index], right=right)


def _in_order(boundaries: Array, sorter: Array) -> Array:
    if sorter.size and not (sorter.min() >= 0 and sorter.max() < sorter.shape[-1]):
        raise TrilithRuntimeError("torch.searchsorted(): sorter index out of range")
    return np.take_along_axis(boundaries, sorter, -1)


def _places(row: Array, values: Array, *, right: bool) -> Array:
    """Return where values would be put into one row; of one that is not sorted, as bisection does.

    >>> _places(np.array([1.0, 3.0]), np.array([3.0, 9.0]), right=False)
    array([1, 2])
    """
    if bool(np.all(row[:-1] <= row[1:])) and not (len(row) and bool(row[-1] != row[-1])):
        return np.searchsorted(row, values, "right" if right else "left")
    return _bisected(row, values, right=right)


def _bisected(row: Array, values: Array, *, right: bool) -> Array:
    """Halve what is left of the row for all values at once."""
    start = np.zeros(values.shape, np.int64)
    end = np.full(values.shape, len(row), np.int64)
    for _ in range(len(row).bit_length()):
        middle = start + ((end - start) >> 1)
        there = row[np.minimum(middle, len(row) - 1)]
        is_before = ~(there > values) if right else ~(there >= values)
        is_open = start < end
        start = np.where(is_open & is_before, middle + 1, start)
        end = np.where(is_open & ~is_before, middle, end)
    return start


def is_among(operands: Arrays, results: Arrays, *, invert: bool) -> None:
    """Fill the result with whether elements are among others."""
    elements, others = (plain_numbers(array) for array in operands)
    results[0][...] = np.isin(elements, others, invert=invert)


def nonzero_static(operands: Arrays, results: Arrays, *, size: int, fill_value: int) -> None:
    """Fill the result with the first positions of elements that are not zero, and a number."""
    (elements,), (result,) = operands, results
    if elements.dtype.names:  # complex32
        elements = (elements["real"] != 0) | (elements["imag"] != 0)
    found = np.argwhere(elements)[:size]
    result[: len(found)] = found
    result[len(found) :] = fill_value


def histc(operands: Arrays, results: Arrays, *, bins: int, min: float, max: float) -> None:
    """Fill the result with how many elements lie in each of so many equal parts of a range."""
    (elements,), (result,) = operands, results
    low, high = _edges(elements, min, max)
    number = elements.dtype.type
    left, right = number(low), number(high)
    inside = elements[(elements >= left) & (elements <= right)]
    # Each step is rounded to the dtype of the elements.
    places = ((inside - left) * number(bins) / (right - left)).astype(np.int64)
    result[...] = np.bincount(np.minimum(places, bins - 1), minlength=bins)


def _edges(elements: Array, low: float, high: float) -> tuple[float, float]:
    """Return the range; that of the elements, if it is empty."""
    if low == high and elements.size:
        low, high = float(elements.min()), float(elements.max())
    if low == high:
        low, high = low - 1, high + 1
    if not (np.isfinite(low) and np.isfinite(high)):
        raise TrilithRuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise TrilithRuntimeError("torch.histc: max must be larger than min")
    return low, high
