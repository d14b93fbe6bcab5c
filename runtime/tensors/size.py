"""What is the shape of a tensor? A tuple of sizes that prints as a shape and stays one."""

from __future__ import annotations

from math import prod
from typing import Any, SupportsIndex, overload

from ...dialects.diagnostics import TrilithTypeError


class Size(tuple[int, ...]):
    """A shape: a tuple of sizes that prints as one.

    >>> Size((2, 3)), Size((2, 3))[1:], Size((2, 3)) + (4,), Size((2, 3)).numel()
    (trilith.Size([2, 3]), trilith.Size([3]), trilith.Size([2, 3, 4]), 6)
    """

    __slots__ = ()

    def __new__(cls, sizes: Any = ()) -> Size:
        """Take an iterable of integers, as PyTorch does."""
        self = super().__new__(cls, sizes)
        for number, size in enumerate[Any](self):
            if type(size) is not int and not hasattr(size, "__index__"):
                raise TrilithTypeError(
                    f"trilith.Size() takes an iterable of 'int' (item {number} is "
                    f"'{type(size).__name__}')"
                )
        return self

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return prod(self)

    @overload
    def __getitem__(self, key: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, key: slice, /) -> Size: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> int | Size:
        """Return one size, or a shape for a slice."""
        if isinstance(key, slice):
            return Size(super().__getitem__(key))
        return super().__getitem__(key)

    def __add__(self, other: Any, /) -> Size:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Append the sizes of another shape."""
        if not isinstance(other, tuple):
            return NotImplemented
        return Size((*self, *other))

    def __radd__(self, other: Any, /) -> Size:
        """Append to a tuple."""
        if not isinstance(other, tuple):
            return NotImplemented
        return Size((*other, *self))

    def __mul__(self, count: SupportsIndex, /) -> Size:
        """Repeat the sizes."""
        return Size(super().__mul__(count))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        """Return `trilith.Size([...])`."""
        return f"trilith.Size({list(map(int, self))})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the plain tuple."""
        return Size, (tuple(self),)
