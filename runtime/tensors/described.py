"""What does a tensor's description say? The attributes that need no memory.

A `Tensor` has them, and so has what stands for a tensor while a function is traced.
"""

from __future__ import annotations

from itertools import pairwise
from numbers import Number
from typing import Any, NoReturn, Self, cast, overload

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.layout import Layout, strided
from ...dialects.attributes.memory_format import (
    MemoryFormat,
    contiguous_format,
    preserve_format,
)
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import is_contiguous, sorted_dims
from ...dialects.diagnostics import TrilithIndexError, TrilithRuntimeError, TrilithTypeError
from .size import Size


class Described:
    """Whatever has a `spec`: shape, dtype, device, layout, strides."""

    __slots__ = ()
    spec: TensorSpec

    @property
    def shape(self) -> Size:
        """The sizes of the dims."""
        return Size(self.spec.shape)

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.spec.dtype

    @property
    def device(self) -> Device:
        """Where the elements are."""
        return self.spec.device

    @property
    def layout(self) -> Layout:
        """How the elements are kept: strided, or of a sparse tensor sparse_coo."""
        return self.spec.layout

    @property
    def ndim(self) -> int:
        """The number of dims."""
        return self.spec.rank

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return self.spec.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The bytes of all elements, not of the storage."""
        return self.spec.nbytes

    @property
    def is_cpu(self) -> bool:
        """Whether the elements are in host memory."""
        return self.spec.device.is_host

    @property
    def is_meta(self) -> bool:
        """Whether there are no elements, only attributes."""
        return not self.spec.device.has_values

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a CUDA device."""
        return self.spec.device.type == "cuda"

    @property
    def is_sparse(self) -> bool:
        """Whether the layout is sparse_coo."""
        return self.spec.layout is not strided

    @property
    def is_sparse_csr(self) -> bool:
        """Whether the layout is sparse_csr: False, as no tensor has it."""
        return False

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    def size(self, dim: int | None = None) -> Size | int:
        """Return the shape, or the size of one dim, which may count from the end."""
        if dim is None:
            return Size(self.spec.shape)
        return self.spec.shape[self._wrap(dim)]

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """Return the strides in elements, or that of one dim."""
        if dim is None:
            return self.spec.strides
        return self.spec.strides[self._wrap(dim)]

    def _wrap(self, dim: int) -> int:
        rank = self.spec.rank
        if not rank:
            raise TrilithIndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        if not -rank <= dim < rank:
            raise TrilithIndexError(
                f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], "
                f"but got {dim})"
            )
        return dim % rank

    def dim(self) -> int:
        """Return the number of dims."""
        return self.spec.rank

    ndimension = dim

    def dim_order(self, *, ambiguity_check: bool | list[MemoryFormat] = False) -> tuple[int, ...]:
        """Return the dims from the outermost to the innermost in memory.

        Where several orders are right, as with dims of size 1, one of them is returned.
        `ambiguity_check=True` raises there; a list of formats does unless exactly one fits.

        >>> import trilith as tri
        >>> tri.empty(2, 3, 4).transpose(0, 2).dim_order()
        (2, 1, 0)
        """
        check: Any = ambiguity_check
        formats = cast("list[Any]", check) if isinstance(check, list) else []
        is_known = isinstance(check, (bool, list))
        if not is_known or not all(isinstance(each, MemoryFormat) for each in formats):
            raise TrilithTypeError(
                "The ambiguity_check argument must be a bool or a list of memory formats."
            )
        shape, strides = self.spec.shape, self.spec.strides
        is_ambiguous = 1 in shape or any(first == second for first, second in pairwise(strides))
        fitting = [each for each in formats if is_contiguous(shape, strides, each)]
        if check is not False and is_ambiguous and len(fitting) != 1:
            raise TrilithRuntimeError(
                "The tensor does not have unique dim order, or cannot map to exact one of the "
                "given memory formats."
            )
        return tuple(reversed(sorted_dims(shape, [strides])))

    def sparse_dim(self) -> int:
        """Return how many dims a sparse tensor has indices for: 0."""
        return 0

    def dense_dim(self) -> int:
        """Return how many dims have all their elements: all."""
        return self.spec.rank

    def is_same_size(self, other: Described) -> bool:
        """Tell whether another tensor has the same shape."""
        return self.spec.shape == other.spec.shape

    def numel(self) -> int:
        """Return the number of elements."""
        return self.spec.numel

    nelement = numel

    def element_size(self) -> int:
        """Return the bytes of one element."""
        return self.spec.dtype.itemsize

    def get_device(self) -> int:
        """Return the index of the device, -1 for the host and meta."""
        device = self.spec.device
        return device.index or 0 if device.has_indices else -1

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Tell whether the elements lie in the order of a memory format, without gaps."""
        if memory_format is contiguous_format or memory_format is preserve_format:
            return self.spec.is_contiguous
        return is_contiguous(self.spec.shape, self.spec.strides, memory_format)

    def is_floating_point(self) -> bool:
        """Tell whether the elements are real floating-point numbers."""
        return self.spec.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Tell whether the elements are complex."""
        return self.spec.dtype.is_complex

    def is_conj(self) -> bool:
        """Tell whether the memory holds the conjugates of the elements."""
        return self.spec.is_conj

    def is_neg(self) -> bool:
        """Tell whether the elements are negated only when they are read: never."""
        return False

    def is_signed(self) -> bool:
        """Tell whether the elements can be negative."""
        return self.spec.dtype.is_signed

    def is_distributed(self) -> bool:
        """Tell whether the tensor is one of several machines: none is."""
        return False

    def __len__(self) -> int:
        """Return the size of dim 0."""
        if not self.spec.rank:
            raise TrilithTypeError("len() of a 0-d tensor")
        return self.spec.shape[0]

    def __contains__(self, element: object) -> bool:
        """Tell whether any element is equal to a number, or to a tensor that is broadcast.

        >>> import trilith as tri
        >>> 2 in tri.tensor([1, 2]), 3 in tri.tensor([1, 2])
        (True, False)
        """
        if not isinstance(element, Number) and not hasattr(element, "spec"):
            raise TrilithRuntimeError(
                "Tensor.__contains__ only supports Tensor or scalar, but you passed in a "
                f"{type(element)}."
            )
        tensor: Any = self
        return bool((tensor == element).any().item())

    def __reversed__(self) -> Self:
        """Return the tensor with dim 0 flipped, itself if it has no dims.

        >>> import trilith as tri
        >>> reversed(tri.tensor([1, 2, 3]))
        tensor([3, 2, 1])
        """
        tensor: Any = self
        return tensor.flip(0) if self.spec.rank else tensor

    def __delitem__(self, index: object) -> NoReturn:
        """Refuse, as in PyTorch."""
        raise TrilithTypeError("Tensor does not support deleting items")
