"""Which shape do operands of different shapes have together?"""

from collections.abc import Sequence

from ..diagnostics import TrilithRuntimeError, TrilithValueError
from .extents import are_equal


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of a pointwise result: sizes agree from the right, or one of them is 1.

    >>> broadcast_shapes((2, 3), (4, 1, 3), ())
    (4, 2, 3)
    """
    result = shapes[0] if shapes else ()
    for shape in shapes[1:]:
        if shape and not are_equal(shape, result):
            result = _broadcast_two(result, shape)
    return result


def _broadcast_two(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    rank = max(len(first), len(second))
    a = (1,) * (rank - len(first)) + first
    b = (1,) * (rank - len(second)) + second
    result = list(a)
    # From the right, so that the error names the same dimension as PyTorch's.
    for dim in range(rank - 1, -1, -1):
        size_a, size_b = a[dim], b[dim]
        if size_a == 1:
            result[dim] = size_b
        elif size_b != size_a and size_b != 1:
            raise TrilithRuntimeError(
                f"The size of tensor a ({size_a}) must match the size of tensor b ({size_b}) "
                f"at non-singleton dimension {dim}"
            )
    return tuple(result)


def broadcast_shapes_function(*shapes: int | Sequence[int]) -> tuple[int, ...]:
    """Return the same as `broadcast_shapes`, as the public function of that name words it.

    >>> broadcast_shapes_function((2, 3), (3, 1, 1)), broadcast_shapes_function(3, (1,))
    ((3, 2, 3), (3,))
    """
    sizes = [(shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes]
    rank = max(map(len, sizes), default=0)
    result = [1] * rank
    for position, shape in enumerate(sizes):
        for back in range(-1, -len(shape) - 1, -1):
            size = shape[back]
            if size == 1 or size == result[back]:
                continue
            if result[back] != 1:
                raise TrilithRuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {back}! "
                    f"Mismatching argument at index {position} had {shape}; "
                    f"but expected shape should be broadcastable to {result}"
                )
            if size < 0:
                raise TrilithValueError("Attempting to broadcast a dimension with negative length!")
            result[back] = size
    return tuple(result)
