"""What of a spec is structure, and what are numbers?

The pattern of a spec is all of it but its sizes and strides of 2 and more: dtype, device, layout,
rank, and which sizes and strides are 0, 1 or neither. Strides that pack the sizes are a part of the
pattern, not numbers. A plan is made for patterns, and serves specs of any numbers.
"""

from __future__ import annotations

from typing import Any
from weakref import ReferenceType

from .device import Device
from .dtype import DType
from .layout import Layout, strided
from .strides import Ints, contiguous_strides

#: Integers of a call that are structure wherever they stand, as sizes are.
STRUCTURE = frozenset((-1, 0, 1))
#: A pattern has room for so many specs, and for twice as many as are alive.
FEWEST = 1 << 10


class Pattern:
    """A pattern; equal ones are one object, so that they are compared by identity."""

    __slots__ = ("classes", "device", "dtype", "is_conj", "layout", "rank", "room", "specs")

    def __init__(
        self, dtype: DType, device: Device, layout: Layout, is_conj: bool, rank: int, classes: Ints
    ) -> None:
        """Stand for sizes, and strides if there are more: 0, 1, or 2 for any other number."""
        self.dtype = dtype
        self.device = device
        self.layout = layout
        self.is_conj = is_conj
        self.rank = rank
        self.classes = classes
        #: Its specs by their numbers: `spec.py` says who may change it. Some are dead.
        self.specs: dict[Ints, ReferenceType[Any]] = {}
        #: With more of them the dead are removed.
        self.room = FEWEST

    @property
    def is_packed(self) -> bool:
        """Whether the strides follow from the sizes.

        >>> from trilith.dialects.attributes import dtype, device
        >>> pattern_of((4, 1), (8, 1), dtype.int8, device.cpu, strided, False)[0].is_packed
        False
        """
        return len(self.classes) == self.rank

    def with_numbers(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the sizes and strides of the spec that has these numbers.

        >>> from trilith.dialects.attributes import dtype, device
        >>> found, numbers = pattern_of((4, 1), (8, 1), dtype.int8, device.cpu, strided, False)
        >>> numbers, found.with_numbers((9, 20))
        ((4, 8), ((9, 1), (20, 1)))
        """
        found = numbers
        if len(numbers) < len(self.classes):
            given = iter(numbers)
            found = tuple([next(given) if kind == 2 else kind for kind in self.classes])
        if self.is_packed:
            return found, full_strides(found, self.layout)
        return found[: self.rank], found[self.rank :]

    def __repr__(self) -> str:
        """Return the sizes that are structure, and the dtype."""
        shape = "x".join("n" if size == 2 else str(size) for size in self.classes[: self.rank])
        return f"<Pattern {shape or 'scalar'} {self.dtype.name}>"


#: There are as many as programs have kinds of operands: 0, 1 or more for each of a few dims.
_patterns: dict[tuple[Any, ...], Pattern] = {}


def pattern_of(
    shape: Ints, strides: Ints, dtype: DType, device: Device, layout: Layout, is_conj: bool
) -> tuple[Pattern, Ints]:
    """Return the pattern of a spec's fields, and the numbers that it leaves open.

    >>> from trilith.dialects.attributes import dtype, device
    >>> rest = (dtype.float32, device.cpu, strided, False)
    >>> first, numbers = pattern_of((4, 1, 3), (3, 3, 1), *rest)
    >>> second, _ = pattern_of((9, 1, 2), (2, 2, 1), *rest)
    >>> first, numbers, first is second
    (<Pattern nx1xn float32>, (4, 3), True)
    """
    numbers = shape if is_packed(shape, strides, layout) else (*shape, *strides)
    classes = tuple([number if type(number) is int and number < 2 else 2 for number in numbers])
    key = (dtype, device, layout, is_conj, len(shape), classes)
    pattern = _patterns.get(key)
    if pattern is None:
        pattern = _patterns.setdefault(key, Pattern(*key))
    return pattern, tuple([n for n, kind in zip(numbers, classes, strict=True) if kind == 2])


def full_strides(shape: Ints, layout: Layout) -> Ints:
    """Return the strides that follow from the sizes; those of a sparse tensor are 0."""
    return contiguous_strides(shape) if layout is strided else (0,) * len(shape)


def is_packed(shape: Ints, strides: Ints, layout: Layout) -> bool:
    """Whether the strides follow from the sizes."""
    return layout is not strided or strides == contiguous_strides(shape)
