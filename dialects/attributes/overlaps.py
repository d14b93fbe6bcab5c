"""Are several elements of one tensor one place in memory? And PyTorch's words where none may be."""

from ..diagnostics import TrilithRuntimeError
from .strides import Ints, is_non_overlapping_and_dense

#: What is said of a write through a stride of 0.
INTERNAL_OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)


def has_internal_overlap(shape: Ints, strides: Ints) -> bool:
    """Whether a stride of 0 makes several elements one.

    >>> has_internal_overlap((2, 3), (0, 1)), has_internal_overlap((1, 3), (0, 1))
    (True, False)
    """
    if is_non_overlapping_and_dense(shape, strides):
        # Also a tensor without elements, whose strides say nothing.
        return False
    return any(not stride and size > 1 for size, stride in zip(shape, strides, strict=True))


def refuse_internal_overlap(shape: Ints, strides: Ints) -> None:
    """Refuse to write to elements that are one."""
    if has_internal_overlap(shape, strides):
        raise TrilithRuntimeError(INTERNAL_OVERLAP)
