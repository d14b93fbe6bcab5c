"""What does a `TensorImpl` know, and set without touching memory? Sizes, flags, versions."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import index
from typing import Any

from ...dialects.attributes.device import Device
from ...dialects.attributes.dtype import DType
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.layout import Layout
from ...dialects.attributes.memory_format import MemoryFormat, contiguous_format
from ...dialects.attributes.options import check_differentiable
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import Ints
from ...dialects.diagnostics import TrilithIndexError, TrilithRuntimeError
from ..execution.storage import UntypedStorage
from ..gradients.captured import has_changed
from ..gradients.state import GradientState, state_of
from .fields import TensorState
from .size import Size
from .tensor import Tensor


class ImplMetadata:
    """The members of `c10::TensorImpl` that tell or change how a tensor looks at its storage.

    Whatever leaves the storage's bounds is refused, as by `as_strided`. Over a storage without
    bytes any sizes are fine: `mutable_data` allocates what they need.
    """

    __slots__ = ("_state", "_tensor")
    _tensor: Tensor
    _state: TensorState

    # Telling

    def sizes(self) -> Size:
        """Return the shape."""
        return self._tensor.shape

    def strides(self) -> Ints:
        """Return the strides in elements."""
        return self._tensor.stride()

    def size(self, d: int) -> int:
        """Return the size of one dim, which may count from the end."""
        return self._tensor.spec.shape[self._dim(d)]

    def stride(self, d: int) -> int:
        """Return the stride of one dim, which may count from the end."""
        return self._tensor.spec.strides[self._dim(d)]

    def _dim(self, d: int) -> int:
        rank = self._tensor.spec.rank
        limit = max(rank, 1)
        if not -limit <= d < limit or not rank:
            raise TrilithIndexError(
                f"Dimension out of range (expected to be in range of [{-limit}, {limit - 1}], "
                f"but got {d})"
            )
        return d % rank

    def dim(self) -> int:
        """Return the number of dims."""
        return self._tensor.dim()

    def numel(self) -> int:
        """Return the number of elements."""
        return self._tensor.numel()

    def is_empty(self) -> bool:
        """Tell whether there are no elements."""
        return self.numel() == 0

    def storage_offset(self) -> int:
        """Return the index of the first element in the storage, in elements."""
        return self._tensor.offset

    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Tell whether the elements lie in the order of a memory format, without gaps."""
        return self._tensor.is_contiguous(memory_format)

    def dtype(self) -> DType | None:
        """Return the type of the elements, None if nobody has said it yet."""
        return self._tensor.dtype if self._state.has_dtype else None

    def dtype_initialized(self) -> bool:
        """Tell whether the type of the elements is known."""
        return self._state.has_dtype

    def itemsize(self) -> int:
        """Return the bytes of one element, 0 if its type is not known."""
        return self._tensor.itemsize if self._state.has_dtype else 0

    def device(self) -> Device:
        """Return where the elements are."""
        return self._tensor.device

    def device_type(self) -> str:
        """Return the kind of the device."""
        return self._tensor.device.type

    def get_device(self) -> int:
        """Return the index of the device, -1 for the host and meta."""
        return self._tensor.get_device()

    GetDevice = get_device

    def layout(self) -> Layout:
        """Return how the elements are kept."""
        return self._tensor.layout

    def is_sparse(self) -> bool:
        """Tell whether the layout is sparse_coo: never."""
        return self._tensor.is_sparse

    def is_cpu(self) -> bool:
        """Tell whether the elements are in host memory."""
        return self._tensor.is_cpu

    def is_meta(self) -> bool:
        """Tell whether there are no elements, only attributes."""
        return self._tensor.is_meta

    def is_cuda(self) -> bool:
        """Tell whether the elements are on a CUDA device."""
        return self._tensor.device.type == "cuda"

    def is_hip(self) -> bool:
        """Tell whether the elements are on a HIP device."""
        return self._tensor.device.type == "hip"

    # The storage

    def has_storage(self) -> bool:
        """Tell whether there is a storage, with or without bytes."""
        return self._state.has_storage

    def storage(self) -> UntypedStorage:
        """Return the storage."""
        if not self._state.has_storage:
            raise TrilithRuntimeError("Cannot access storage of TensorImpl")
        return self._tensor.memory

    unsafe_storage = storage

    def storage_initialized(self) -> bool:
        """Tell whether the storage has bytes, or none are needed."""
        return self._state.has_storage and (self._has_bytes() or not self.numel())

    def _has_bytes(self) -> bool:
        return self._tensor.memory.length > 0

    def use_count(self) -> int:
        """Return how many tensors and other objects hold the storage."""
        # One reference is the argument of the call.
        return sys.getrefcount(self._tensor.memory) - 1

    # Changing sizes and strides

    def set_size(self, dim: int, new_size: int) -> None:
        """Set the size of one dim; the strides stay."""
        shape = _replaced(self._tensor.spec.shape, self._dim(dim), new_size)
        self._set("set_size", shape, self.strides(), self._tensor.offset)

    def set_stride(self, dim: int, new_stride: int) -> None:
        """Set the stride of one dim."""
        strides = _replaced(self._tensor.spec.strides, self._dim(dim), new_stride)
        self._set("set_stride", self._tensor.spec.shape, strides, self._tensor.offset)

    def set_storage_offset(self, storage_offset: int) -> None:
        """Set the index of the first element in the storage, in elements."""
        spec = self._tensor.spec
        self._set("set_storage_offset", spec.shape, spec.strides, storage_offset)

    def set_sizes_contiguous(self, new_size: Sequence[int]) -> None:
        """Set the shape, with contiguous strides."""
        self._set("set_sizes_contiguous", tuple(new_size), None, self._tensor.offset)

    def set_sizes_and_strides(
        self,
        new_size: Sequence[int],
        new_stride: Sequence[int],
        storage_offset: int | None = None,
    ) -> None:
        """Set the shape and the strides, and the offset if it is given."""
        offset = self._tensor.offset if storage_offset is None else storage_offset
        self._set("set_sizes_and_strides", tuple(new_size), tuple(new_stride), offset)

    def _set(self, what: str, shape: Ints, strides: Ints | None, offset: int) -> None:
        """Look at the storage in another way, if the tensor may and the storage reaches so far."""
        tensor = self._tensor
        self._check_change(what)
        if strides is not None and min(strides, default=0) < 0:
            raise TrilithRuntimeError(
                f"{what}: negative strides are not supported, got strides: {list(strides)}"
            )
        spec = TensorSpec.of(shape, tensor.dtype, tensor.device, strides)
        offset = index(offset)
        length = tensor.memory.length
        if offset < 0 or length:
            check_bounds(spec.shape, spec.strides, offset, tensor.itemsize, length)
        self._look_at(tensor.memory, spec, offset)

    def _check_change(self, what: str) -> None:
        self._tensor.check_metadata_change(what)

    def _look_at(self, memory: UntypedStorage, spec: TensorSpec, offset: int) -> None:
        """Set the fields; a storage that is too small gives no address before it has grown."""
        memory.promise(storage_extent(spec.shape, spec.strides, offset) * spec.dtype.itemsize)
        self._tensor.take_over(memory, spec, offset)

    def refresh_numel(self) -> None:
        """Do nothing: the number of elements is always that of the sizes."""

    def refresh_contiguous(self) -> None:
        """Do nothing: contiguity is always that of sizes and strides."""

    # Flags

    def allow_tensor_metadata_change(self) -> bool:
        """Tell whether sizes, strides, offset and storage may be changed."""
        return self._state.allows_metadata_change

    def set_allow_tensor_metadata_change(self, value: bool) -> None:
        """Allow or forbid to change sizes, strides, offset and storage."""
        self._state.allows_metadata_change = bool(value)

    def is_wrapped_number(self) -> bool:
        """Tell whether the tensor stands for a Python number, which counts least in promotion."""
        return self._state.is_wrapped_number

    def set_wrapped_number(self, value: bool) -> None:
        """Say whether a 0-dim tensor stands for a Python number."""
        if self.dim():
            raise TrilithRuntimeError(
                f"set_wrapped_number: a wrapped number has 0 dims, not {self.dim()}"
            )
        self._state.is_wrapped_number = bool(value)

    # Gradients

    def requires_grad(self) -> bool:
        """Tell whether operations are recorded for gradients."""
        return self._tensor.requires_grad

    def set_requires_grad(self, requires_grad: bool) -> None:
        """Say whether operations are recorded; of a tensor that is no leaf they are anyway."""
        tensor = self._tensor
        if not requires_grad and state_of(tensor) is None:
            return
        found = tensor.gradient_state()
        check_differentiable(tensor.dtype, requires_grad)
        if requires_grad and found.node is None:
            tensor.requires_grad_()
        found.requires_grad = bool(requires_grad)

    def grad(self) -> Any:
        """Return the gradient that is kept, None if there is none."""
        found = state_of(self._tensor)
        return None if found is None else found.grad

    def mutable_grad(self, *value: Any) -> Any:
        """Return the gradient that is kept, or keep the one given, which is not checked."""
        found = self._tensor.gradient_state()
        if value:
            (found.grad,) = value
        return found.grad

    def autograd_meta(self) -> GradientState | None:
        """Return what is known for gradients, None if nothing is."""
        return state_of(self._tensor)

    def set_autograd_meta(self, meta: GradientState | None) -> None:
        """Let other things be known for gradients, or nothing."""
        tensor, state = self._tensor, self._tensor.own_state()
        if meta is not None:
            state.gradient = meta
            tensor.become_recorded()
        elif state.gradient is not None:
            # What others hold stays as it is.
            state.gradient = GradientState()
            tensor.become_plain()
            state.gradient = None
        has_changed(tensor)

    def detach_autograd_meta(self) -> GradientState | None:
        """Return what is known for gradients, and forget it."""
        found = state_of(self._tensor)
        self.set_autograd_meta(None)
        return found

    # Versions

    def version(self) -> int:
        """Return how often the tensor, or one that it shares memory with, was written in place."""
        return self._tensor.count_of_versions()

    def version_counter(self) -> ImplVersions:
        """Return what counts the versions."""
        return ImplVersions(self._tensor)

    def bump_version(self) -> None:
        """Count a change in place."""
        self._tensor.bump()

    def set_version_counter(self, counter: Any) -> None:
        """Count with another tensor or its `TensorImpl`, or alone from a number on."""
        if isinstance(counter, int):
            self._tensor.count_alone(counter)
            return
        other = counter._tensor if isinstance(counter, ImplMetadata) else counter
        if other.memory is not self._tensor.memory and other.own_state().versions is None:
            other.count_alone(other.count_of_versions())
        self._tensor.own_state().versions = None
        self._tensor.count_with(other)


class ImplVersions:
    """What counts the versions of a tensor, as `c10::VariableVersion` does."""

    __slots__ = ("_tensor",)

    def __init__(self, tensor: Tensor) -> None:
        """Tell of the versions of a tensor."""
        self._tensor = tensor

    def enabled(self) -> bool:
        """Tell whether versions are counted: not those of a tensor made in inference mode."""
        return not self._tensor.is_inference()

    def current_version(self) -> int:
        """Return the version.

        Raises TrilithRuntimeError for a tensor that was made in inference mode.
        """
        return self._tensor.told_version()

    def set_version(self, i: int) -> None:
        """Count on from a number, together with those that count with the tensor."""
        tensor = self._tensor
        versions = None if tensor.state is None else tensor.state.versions
        if versions is None:
            tensor.memory.count_from(i)
        else:
            versions.value = i

    def unique(self) -> bool:
        """Tell whether nobody else counts with the tensor."""
        tensor = self._tensor
        versions = None if tensor.state is None else tensor.state.versions
        # The tensor, the name here and the argument hold it.
        if versions is not None:
            return sys.getrefcount(versions) <= 3
        memory = tensor.memory
        return sys.getrefcount(memory) <= 3


def _replaced(values: Ints, dim: int, value: int) -> Ints:
    return (*values[:dim], index(value), *values[dim + 1 :])
