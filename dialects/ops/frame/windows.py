"""How are windows of a tensor looked at, and added up where they overlap? Several rows ask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...diagnostics import TrilithRuntimeError
from .row import TensorLanguage
from .view_rows import tensor_of

Ints = tuple[int, ...]


def as_tuple(numbers: int | Ints) -> Ints:
    """Return what was given as one number or as several."""
    return numbers if isinstance(numbers, tuple) else (numbers,)


def for_each_dim(name: str, numbers: Any, dims: int) -> Ints:
    """Return a number for each spatial dim; one stands for all.

    >>> for_each_dim("stride", 2, 3), for_each_dim("stride", (2, 1), 2)
    ((2, 2, 2), (2, 1))
    """
    given = as_tuple(numbers)
    if len(given) not in (1, dims):
        raise TrilithRuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the "
            f"convolution dimensions, but got {name}={list(given)}"
        )
    return given * dims if len(given) == 1 else given


def span(kernel: int, dilation: int) -> int:
    """Return how many elements a window reaches over."""
    return dilation * (kernel - 1) + 1


def windows_of(t: TensorLanguage, value: Any, kernel: Ints, stride: Ints, dilation: Ints) -> Any:
    """Return a view of the last dims as (..., windows of each, elements of each)."""
    first = tensor_of(t, value).rank - len(kernel)
    for dim, (size, step, apart) in enumerate(zip(kernel, stride, dilation, strict=True), first):
        value = t.call("unfold", value, dim, span(size, apart), step)
        if apart > 1:
            value = t.call("slice", value, -1, None, None, apart)
    return value


def padded(t: TensorLanguage, value: Any, margins: Sequence[tuple[int, int]], number: Any) -> Any:
    """Return the last dims inside margins of a number; the format stays."""
    flat = tuple(amount for pair in reversed(margins) for amount in pair)
    return t.call("pad", value, flat, "constant", number) if any(flat) else value


def overlap_add(t: TensorLanguage, value: Any, dim: int, stride: int, dilation: int) -> Any:
    """Add up windows: of dims (elements, windows) that stand at `dim`, return the one below them.

    Element k of window l belongs to index l * stride + k * dilation. Windows that hold their
    elements side by side are cut into pieces as long as the stride: windows of pieces, one piece
    apart. So each place costs no more additions than windows reach over it. A last piece that is
    filled up is worth it where there are others.
    """
    shape = tensor_of(t, value).shape
    size, count = shape[dim], shape[dim + 1]
    pieces = -(-size // stride)
    is_cut = dilation == 1 < stride and (pieces > 2 or size == pieces * stride)
    if not is_cut:
        return _added(t, value, dim, stride, dilation)
    margins = [(0, pieces * stride - size), *((0, 0),) * (len(shape) - dim - 1)]
    cut = t.call("unflatten", padded(t, value, margins, 0), dim, (pieces, stride))
    added = _added(t, t.call("transpose", cut, dim + 1, dim + 2), dim, 1, 1)
    whole = (count - 1) * stride + size
    return t.call("narrow", t.call("flatten", added, dim, dim + 1), dim, 0, whole)


def _added(t: TensorLanguage, value: Any, dim: int, stride: int, dilation: int) -> Any:
    """Add up windows as `overlap_add` does, one addition for each element of a window.

    The windows are put as far apart as they stand, with zeros between. A row, which holds the
    elements k, is longer than what is in it by as much as windows reach over. So windows of the
    flattened rows that are one row less the dilation apart show the rows with row k moved by
    k * dilation; their sum is a reduction.
    """
    shape = tensor_of(t, value).shape
    lead, (size, count), tail = shape[:dim], shape[dim : dim + 2], shape[dim + 2 :]
    reach = dilation * (size - 1)
    more = -(-reach // stride)
    inner = 1
    for length in tail:
        inner = inner * length
    spread = t.call("unsqueeze", value, dim + 2)
    margins = [(0, more), (0, stride - 1), *((0, 0),) * len(tail)]
    spread = padded(t, spread, margins, 0)
    row = (count + more) * stride
    flat = t.call("reshape", spread, (*lead, size * row * inner))
    whole = (count - 1) * stride + reach + 1
    # One window alone is moved nowhere.
    step = (row - dilation) * inner if size > 1 else 1
    moved = t.call("unfold", flat, dim, whole * inner, step)
    moved = t.call("narrow", moved, dim, 0, size)
    total = t.call("sum", moved, (dim,), dtype=tensor_of(t, value).dtype)
    return t.call("reshape", total, (*lead, whole, *tail))
