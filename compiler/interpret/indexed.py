"""What do gathers and scatters give? Their addresses computed point by point, on NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects.attributes.dtype import DType
from ...dialects.ops.frame.indexed import Combine, Placement
from ...dialects.ops.scalars.reference import NumpyLanguage
from .elements import narrow, widen
from .payload import Array


def places(
    placement: Placement, shape: tuple[int, ...], indices: Sequence[Array]
) -> tuple[tuple[Array, ...], bool]:
    """Return the position of each point in each dim, and whether an index was out of range.

    A bad index counts as 0, as it does in a kernel.
    """
    points = placement.points
    found: list[Array] = []
    is_bad = False
    numbers = iter(indices)
    for size, item in zip(shape, placement.dims, strict=True):
        if isinstance(item, int):
            axis = np.arange(points[item], dtype=np.int64)
            position = axis.reshape([-1 if dim == item else 1 for dim in range(len(points))])
        else:
            index = next(numbers).astype(np.int64)
            trailing = len(points) - item.first - index.ndim
            position = index.reshape((*index.shape, *(1,) * trailing))
            if placement.wraps:
                position = np.where(position < 0, position + size, position)
            bad = (position < 0) | (position >= size)
            is_bad = is_bad or bool(bad.any())
            position = np.where(bad, 0, position)
        found.append(np.broadcast_to(position, points))
    return tuple(found), is_bad


def write_places(
    target: Array, where: tuple[Array, ...], values: Array, dtype: DType, combine: Combine | None
) -> None:
    """Write values one after the other, row by row, so that the last one wins."""
    for point in np.ndindex(values.shape):
        place = tuple(int(position[point]) for position in where)
        value = values[point]
        if combine is not None:
            language = NumpyLanguage()
            old, new = (widen(language, np.asarray(item), dtype) for item in (target[place], value))
            value = narrow(combine(old, new), dtype)
        target[place] = value


def spread(values: Array, placement: Placement) -> Array:
    """Return the values over the points of a scatter: broadcast, or those that it has use for."""
    if values.ndim == len(placement.points):
        values = values[tuple(slice(size) for size in placement.points)]
    return np.broadcast_to(values, placement.points)
