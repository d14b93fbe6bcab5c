"""How does a tensor change after it was made? It gets other memory, another size, another view.

All of it happens in place: the object stays, its fields change. Everything is proven to lie in the
storage before a field is set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any, Self, SupportsIndex, cast

from ...dialects.attributes.c_types import c_type
from ...dialects.attributes.extents import MAXIMUM_INT64, check_bounds, storage_extent
from ...dialects.attributes.memory_format import (
    MemoryFormat,
    channels_last,
    channels_last_3d,
    contiguous_format,
    preserve_format,
)
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import (
    Ints,
    is_channels_last_3d_strides_like,
    is_channels_last_strides_like,
    strides_for,
)
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ...dialects.frames import warn_once
from ...dialects.unusual import INFERENCE
from ..execution.storage import UntypedStorage
from .fields import TensorFields
from .recording import unrecorded
from .typed_storage import TypedStorage


class Lifecycle(TensorFields):
    """What changes a tensor's memory, size or strides, and what tells about them."""

    __slots__ = ()

    # The storage

    def untyped_storage(self) -> UntypedStorage:
        """Return the storage, which views share."""
        return self.memory

    def storage(self) -> TypedStorage:
        """Return the storage as elements of the tensor's dtype; deprecated in PyTorch."""
        _warn_of_typed_storage()
        return TypedStorage(self.memory, self.spec.dtype)

    def storage_offset(self) -> int:
        """Return the index of the first element in the storage, in elements."""
        return self.offset

    def data_ptr(self) -> int:
        """Return the address of the first element; 0 if there is none."""
        self.memory.tell_address()
        address = self.memory.data_ptr()
        return address + self.byte_offset if address and self.spec.numel else 0

    def is_set_to(self, tensor: Any) -> bool:
        """Tell whether two tensors are the same view of the same storage."""
        if not isinstance(tensor, TensorFields):
            raise TrilithTypeError(
                "is_set_to(): argument 'tensor' (position 1) must be Tensor, not "
                f"{type(tensor).__name__}"
            )
        same = self.memory is tensor.memory and self.offset == tensor.offset
        return same and self.spec is tensor.spec

    def is_shared(self) -> bool:
        """Tell whether processes that are forked from now on see writes to the memory."""
        return self.memory.is_shared()

    def share_memory_(self) -> Self:
        """Move the storage to memory that forked processes share, and return self."""
        self.memory.share_memory_()
        return self

    def is_pinned(self) -> bool:
        """Tell whether the memory is page-locked: never."""
        return self.memory.is_pinned()

    def check_writable(self) -> None:
        """Raise unless the elements may be written."""
        self.check_mode()
        self.memory.check_writable()

    # Another tensor's memory

    @property
    def data(self) -> Self:
        """Another tensor on the same memory, which counts its versions from 0.

        Assigning a tensor gives this one its memory, shape, strides and dtype.
        """
        made = self.alias()
        if not (self.is_inference() and INFERENCE.is_here()):
            made.count_alone(0)
        return made

    @data.setter
    def data(self, value: Any) -> None:
        unrecorded("a tensor of the enclosing program is changed (data)")
        if not isinstance(value, TensorFields):
            raise TrilithTypeError(
                f"Variable data has to be a tensor, but got {type(value).__name__}"
            )
        if value.spec.device.type != self.spec.device.type:
            raise TrilithRuntimeError(
                "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
                "incompatible tensor type."
            )
        self.check_metadata_change("set_data")
        self.count_alone(self.count_of_versions())
        self.take_over(value.memory, value.spec, value.offset)

    def set_(
        self,
        source: Any = None,
        storage_offset: SupportsIndex | None = None,
        size: Sequence[int] | None = None,
        stride: Sequence[int] | None = None,
    ) -> Self:
        """Look at the memory of a storage or tensor, or at none; return self.

        Of a storage alone it is one dim with all the elements that fit, of a tensor alone the same
        view. With offset and size (contiguous without strides) the storage grows if they reach
        beyond it, unless shape and strides are those that the tensor has: then nothing is resized,
        as in PyTorch. Raises TrilithRuntimeError if the storage is too small, for another device
        or, of a tensor, another dtype.

        >>> import trilith as tri
        >>> tri.empty(0).set_(tri.arange(6.0), 2, (2, 2), (1, 2))
        tensor([[2., 4.],
                [3., 5.]])
        """
        self.check_metadata_change("set_storage")
        if (storage_offset is None) != (size is None):
            raise _wrong_set_arguments(source, storage_offset, size, stride)
        memory = self._source_memory(source)
        if storage_offset is not None and size is not None:
            spec, offset = self._proven_view(storage_offset, size, stride)
            if spec is self.spec and spec.device.has_values:
                check_bounds(spec.shape, spec.strides, offset, spec.dtype.itemsize, memory.length)
            else:
                grow(memory, spec, offset)
        elif isinstance(source, TensorFields):
            spec, offset = source.spec.conjugated(self.spec.is_conj), source.offset
        else:
            count = memory.length // self.spec.dtype.itemsize
            spec, offset = self._of((count,)), 0
        self.check_mode()
        self.count_alone(self.count_of_versions() + 1)
        self.take_over(memory, spec, offset)
        return self

    def _source_memory(self, source: Any) -> UntypedStorage:
        """Return the storage that `set_` was given, or a new one without bytes."""
        dtype, device = self.spec.dtype, self.spec.device
        if source is None:
            return UntypedStorage(0, device=device)
        if isinstance(source, TypedStorage):
            if source.dtype is not dtype:
                raise TrilithRuntimeError(
                    f"Expected a Storage of type {c_type(dtype)} or an UntypedStorage, but got "
                    f"type {source.dtype.c_name} for argument 1 'storage'"
                )
            source = source.untyped()
        if isinstance(source, TensorFields):
            if source.spec.dtype is not dtype:
                raise TrilithRuntimeError(
                    f"Could not set tensor of type {c_type(source.spec.dtype)} to a tensor of type "
                    f"{c_type(dtype)}"
                )
            source = source.memory
        if not isinstance(source, UntypedStorage):
            raise _wrong_set_arguments(source)
        if source.device is not device:
            raise TrilithRuntimeError(
                f'Attempted to set the storage of a tensor on device "{device}" to a storage on '
                f'different device "{source.device}".  This is no longer allowed; the devices '
                "must match."
            )
        return source

    def _proven_view(
        self, storage_offset: SupportsIndex, size: Sequence[int], stride: Sequence[int] | None
    ) -> tuple[TensorSpec, int]:
        """Return what offset, size and strides describe."""
        offset = index(storage_offset)
        if offset < 0:
            raise TrilithRuntimeError(f"Tensor: invalid storage offset {offset}")
        strides = None if stride is None else tuple(stride)
        if strides is not None and len(strides) != len(size):
            raise TrilithRuntimeError(
                f"unequal size length ({len(size)}) and stride length ({len(strides)})"
            )
        shape = tuple(size)
        if strides is None and shape == self.spec.shape:
            return self.spec, offset
        return self._of(shape, strides), offset

    def _of(self, shape: Ints, strides: Ints | None = None) -> TensorSpec:
        """Return what another shape and other strides of the same elements are."""
        spec = self.spec
        return TensorSpec.of(shape, spec.dtype, spec.device, strides, is_conj=spec.is_conj)

    # Another size

    def resize_(self, *size: Any, memory_format: Any = None) -> Self:
        """Change the shape, growing the storage if need be, and return self.

        Elements stay where they are in the storage; new ones are not set. A shape that is the same
        keeps its strides. Raises TrilithRuntimeError where memory that belongs to another object,
        or that another library looks at, would have to grow.

        >>> import trilith as tri
        >>> tri.arange(6.0).resize_(2, 2)
        tensor([[0., 1.],
                [2., 3.]])
        """
        shape = _sizes("resize_", size)
        self.check_metadata_change("resize_")
        if memory_format is not None and not isinstance(memory_format, MemoryFormat):
            raise TrilithTypeError(
                "resize_(): argument 'memory_format' must be torch.memory_format, not "
                f"{type(memory_format).__name__}"
            )
        if memory_format is preserve_format:
            raise TrilithRuntimeError("Unsupported memory formatPreserve")
        self.check_mode()
        if shape != self.spec.shape or memory_format is not None:
            strides = None if memory_format is None else strides_for(shape, memory_format)
            spec = self._of(shape, strides)
            grow(self.memory, spec, self.offset)
            self.take_over(self.memory, spec, self.offset)
        self.bump()
        return self

    def resize_as_(self, other: Any, memory_format: MemoryFormat | None = None) -> Self:
        """Resize to the shape of another tensor; preserve_format also takes its memory format."""
        if not isinstance(other, TensorFields):
            raise TrilithTypeError(
                "resize_as_(): argument 'the_template' (position 1) must be Tensor, not "
                f"{type(other).__name__}"
            )
        if memory_format is preserve_format:
            memory_format = suggested_format(other.spec)
        return self.resize_(other.spec.shape, memory_format=memory_format)

    # Another view, in place

    def _become(self, name: str, see: Callable[[], TensorFields]) -> Self:
        """Take over the fields of the view of this tensor that `see` makes, as method `name`."""
        self.check_metadata_change(name)
        self.check_mode()
        self._look_as(see())
        return self

    def _look_as(self, view: TensorFields) -> None:
        """Take over the fields of a view of this tensor."""
        self.take_over(view.memory, view.spec, view.offset)
        self.bump()


def grow(memory: UntypedStorage, spec: TensorSpec, offset: int) -> None:
    """Make a storage large enough for a view, or raise; it never becomes smaller."""
    itemsize = spec.dtype.itemsize
    needed = storage_extent(spec.shape, spec.strides, offset) * itemsize
    if needed > MAXIMUM_INT64:
        raise TrilithRuntimeError(
            f"Storage size calculation overflowed with sizes={list(spec.shape)} "
            f"and strides={list(spec.strides)}"
        )
    if needed > memory.length:
        memory.resize_(needed)
    check_bounds(spec.shape, spec.strides, offset, itemsize, memory.length)


def suggested_format(spec: TensorSpec) -> MemoryFormat:
    """Return the memory format of a tensor, contiguous_format where it is ambiguous."""
    if is_channels_last_strides_like(spec.shape, spec.strides):
        return channels_last
    if is_channels_last_3d_strides_like(spec.shape, spec.strides):
        return channels_last_3d
    return contiguous_format


def _sizes(name: str, size: tuple[Any, ...]) -> Ints:
    """Return the sizes of a call that takes them one by one or as one sequence."""
    if not size:
        raise TrilithTypeError(f'{name}() missing 1 required positional arguments: "size"')
    sizes = flat_sizes(size)
    for item in sizes:
        if not isinstance(item, SupportsIndex):
            raise TrilithTypeError(
                f"{name}(): argument 'size' (position 1) must be tuple of ints, not "
                f"{type(item).__name__}"
            )
    return tuple(index(item) for item in sizes)


def flat_sizes(size: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return sizes that were given one by one or as one sequence.

    >>> flat_sizes((2, 3)), flat_sizes(([2, 3],))
    ((2, 3), (2, 3))
    """
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        return tuple(cast("Sequence[Any]", size[0]))
    return size


def _wrong_set_arguments(*arguments: Any) -> TrilithTypeError:
    got = ", ".join(type(argument).__name__ for argument in arguments if argument is not None)
    return TrilithTypeError(
        f"set_() received an invalid combination of arguments - got ({got}), but expected one of: "
        "(), (Storage source), (Storage source, int storage_offset, tuple of ints size, tuple of "
        "ints stride = None), (Tensor source), (Tensor source, int storage_offset, tuple of ints "
        "size, tuple of ints stride = None)"
    )


def _warn_of_typed_storage() -> None:
    """Warn as PyTorch does, the first time."""
    warn_once(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will "
        "be the only storage class. This should only matter to you if you are using storages "
        "directly.  To access UntypedStorage directly, use tensor.untyped_storage() instead of "
        "tensor.storage()"
    )
