"""What is a tensor, said as plainly as can be? Bytes, seen through sizes, strides and an offset."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from .layout import (
    Sizes,
    is_dense,
    numel,
    preserved_strides,
)
from .values import NUMPY, Array, cast, itemsize

_numbers = itertools.count()


class Memory:
    """Bytes that tensors share; they may grow."""

    def __init__(self, data: bytearray) -> None:
        self.data = data
        self.number = next(_numbers)

    def grow(self, nbytes: int) -> None:
        if nbytes > len(self.data):
            # Views of the old bytes forbid to grow them.
            self.data = self.data + bytearray(nbytes - len(self.data))


@dataclass(eq=False, slots=True)
class Model:
    """A tensor of the oracle; two names of one tensor are one object."""

    memory: Memory
    dtype: str
    sizes: Sizes
    strides: Sizes
    offset: int

    @property
    def rank(self) -> int:
        return len(self.sizes)

    @property
    def numel(self) -> int:
        return numel(self.sizes)

    @property
    def layout(self) -> tuple[Sizes, Sizes]:
        return self.sizes, self.strides

    @property
    def is_dense(self) -> bool:
        return is_dense(self.sizes, self.strides)

    def array(self) -> Array:
        """Return the elements where they lie: writing to the array writes to the memory."""
        size = itemsize(self.dtype)
        if not self.numel:
            return np.empty(self.sizes, NUMPY[self.dtype])
        steps = tuple(stride * size for stride in self.strides)
        return np.ndarray(
            self.sizes, NUMPY[self.dtype], self.memory.data, self.offset * size, steps
        )

    def places(self) -> Array:
        """Return the number of the first byte of each element."""
        places = np.zeros(self.sizes, np.int64) + self.offset
        for dim, stride in enumerate(self.strides):
            shape = [1] * self.rank
            shape[dim] = self.sizes[dim]
            places = places + np.arange(self.sizes[dim]).reshape(shape) * stride
        return places * itemsize(self.dtype)

    def bytes_touched(self) -> set[int]:
        """Return the numbers of all bytes of the elements."""
        starts: list[int] = self.places().ravel().tolist()
        return {start + byte for start in starts for byte in range(itemsize(self.dtype))}

    def seen(
        self, sizes: Sizes, strides: Sizes, offset: int | None = None, dtype: str | None = None
    ) -> Model:
        """Return another look at the same memory."""
        return Model(
            self.memory,
            self.dtype if dtype is None else dtype,
            sizes,
            strides,
            self.offset if offset is None else offset,
        )


def new(values: Array, dtype: str, sizes: Sizes, strides: Sizes) -> Model:
    """Return a tensor with a memory of its own."""
    reach = 0
    if 0 not in sizes:
        reach = 1 + sum((s - 1) * t for s, t in zip(sizes, strides, strict=True))
    made = Model(Memory(bytearray(reach * itemsize(dtype))), dtype, sizes, strides, 0)
    made.array()[...] = values
    return made


def cast_model(tensor: Model, dtype: str) -> Model:
    """Return the tensor itself or its conversion, which preserves the format."""
    if tensor.dtype == dtype:
        return tensor
    strides = preserved_strides(tensor.sizes, tensor.strides)
    return new(cast(tensor.array(), tensor.dtype, dtype), dtype, tensor.sizes, strides)


def copied(tensor: Model, strides: Sizes) -> Model:
    return new(tensor.array(), tensor.dtype, tensor.sizes, strides)
