"""Which public functions compute with shapes alone?"""

from __future__ import annotations

from collections.abc import Sequence

from ...dialects.attributes.broadcast import broadcast_shapes_function
from ...dialects.diagnostics import TrilithRuntimeError
from .size import Size


def broadcast_shapes(*shapes: int | Sequence[int]) -> Size:
    """Return the common shape of tensors of these shapes after broadcasting.

    Raises TrilithRuntimeError if there is none, TrilithValueError for a negative size.

    >>> broadcast_shapes((2,), (3, 1), 1)
    trilith.Size([3, 2])
    """
    for shape in shapes:
        if not isinstance(shape, (int, list, tuple)):
            raise TrilithRuntimeError(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, "
                f"got {shape}"
            )
    return Size(broadcast_shapes_function(*shapes))
