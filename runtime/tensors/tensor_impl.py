"""What is a tensor before it has memory, or when it gives its memory up? A `TensorImpl`.

The members of `c10::TensorImpl`, which Caffe2 used to make tensors step by step: say the sizes,
then the dtype, and allocate when the data is first asked for. A handle changes the very tensor it
was made of. Where the reference and PyTorch of today disagree, docs/torch-differences.md says what
holds here.
"""

from __future__ import annotations

import warnings
from math import ceil
from typing import Any

import numpy as np

from ...dialects.attributes.c_types import c_type
from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.dtype import DType, uint8
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.layout import Layout, strided
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.strides import Ints
from ...dialects.diagnostics import TrilithRuntimeError, TrilithTypeError
from ..devices.base import runtime_of
from ..execution.storage import UntypedStorage
from . import dispatch, recording
from .impl_metadata import ImplMetadata
from .lifecycle import flat_sizes
from .size import Size
from .tensor import Tensor

NO_DTYPE = (
    "Cannot access data pointer of Tensor that doesn't have initialized dtype (e.g., "
    "caffe2::Tensor x(CPU), prior to calling mutable_data<T>() on x)"
)
SHOULD_RESIZE = (
    "New size and old size are not equal. You cannot use Reshape, but should use Resize. The old "
    "caffe2 mixes Reshape and Resize but this behavior has been changed. If you find this error, "
    "most likely you will need to change corresponding code from Reshape to Resize."
)


class TensorImpl(ImplMetadata):
    """A tensor that is made step by step, or the inside of one that exists.

    Without dtype it begins like Caffe2's `Tensor x(CPU)`: no elements, an empty storage, a dtype
    that is not known. With a dtype it begins without a storage, with a storage on that.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> x = TensorImpl()
    >>> x.Resize(2, 3)
    >>> x.storage_initialized(), x.dtype_initialized()
    (False, False)
    >>> address = x.mutable_data(float32)
    >>> x.storage_initialized(), x.storage().nbytes(), x.tensor().shape
    (True, 24, trilith.Size([2, 3]))
    """

    __slots__ = ()

    def __init__(
        self,
        dtype: DType | None = None,
        device: Device | str = cpu,
        *,
        storage: UntypedStorage | None = None,
    ) -> None:
        """Begin with sizes [0]."""
        recording.unrecorded("a TensorImpl is made")
        home = Device(device) if storage is None else storage.device
        memory = UntypedStorage(0, device=home) if storage is None else storage
        self._bind(Tensor(memory, TensorSpec.of((0,), dtype or uint8, home)))
        self._state.has_dtype = dtype is not None
        self._state.has_storage = dtype is None or storage is not None

    def _bind(self, tensor: Tensor) -> None:
        self._tensor = tensor
        self._state = tensor.own_state()

    @staticmethod
    def of(tensor: Tensor) -> TensorImpl:
        """Return a handle on a tensor: what changes through it changes the tensor."""
        if not isinstance(tensor, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithTypeError(f"expected a Tensor, not {type(tensor).__name__}")
        made = object.__new__(TensorImpl)
        made._bind(tensor)
        return made

    @staticmethod
    def undefined() -> TensorImpl:
        """Return what stands for no tensor."""
        return UndefinedTensorImpl()

    def tensor(self) -> Tensor:
        """Return the tensor itself; its dtype must be known."""
        self._check_dtype()
        return self._tensor

    def __repr__(self) -> str:
        """Return what is known."""
        about = f"{list(self.sizes())}, dtype={self.dtype()}, device={self.device()}"
        return f"TensorImpl({about}, storage_initialized={self.storage_initialized()})"

    # Sizes, with memory that follows

    def resize(self, *dims: Any) -> None:
        """Set contiguous sizes. Memory that is too small is freed, not kept as by `resize_`.

        Raises TrilithRuntimeError if other tensors share that memory.
        """
        self._check_change("Resize")
        self._resize(flat_sizes(dims))

    Resize = resize

    def _resize(self, shape: Ints) -> None:
        tensor = self._tensor
        spec = TensorSpec.of(shape, tensor.dtype, tensor.device)
        if self._has_bytes() and _reach(spec, tensor.offset) > tensor.memory.length:
            self._free("Resize")
        self._look_at(tensor.memory, spec, tensor.offset)

    def reshape(self, *dims: Any) -> None:
        """Set sizes of as many elements; -1 is not allowed."""
        shape = flat_sizes(dims)
        self._check_change("Reshape")
        for size in shape:
            if size < 0:
                raise TrilithRuntimeError(
                    "Expected d >= 0 to be true, but got false.  (Could this error message be "
                    "improved?  If so, please report an enhancement request to PyTorch.)",
                    hint="say each size: Reshape does not infer one from -1",
                )
        spec = TensorSpec.of(shape, self._tensor.dtype, self._tensor.device)
        if spec.numel != self.numel():
            raise TrilithRuntimeError(SHOULD_RESIZE)
        self._check_contiguous("Reshape")
        self._look_at(self._tensor.memory, spec, self._tensor.offset)

    Reshape = reshape

    def extend(self, num: int, growth_pct: float) -> None:
        """Grow dim 0 by `num` rows and keep the data; memory grows by `growth_pct` per cent.

        Raises TrilithRuntimeError if the memory must grow and other tensors share it.
        """
        tensor = self._tensor
        self._check_change("Extend")
        if not self.dim():
            raise TrilithRuntimeError(
                "Expected sizes_and_strides_.size() >= 1u to be true, but got false.  (Could this "
                "error message be improved?  If so, please report an enhancement request to "
                "PyTorch.)",
                hint="a tensor without dims has no dim 0 that could grow",
            )
        if num < 0:
            raise TrilithRuntimeError("`num` must be non-negative for Extend")
        self._check_contiguous("Extend")
        rows, *rest = tensor.spec.shape
        grown = (rows + num, *rest)
        if not self._has_bytes():
            self._resize(grown)
            return
        spec = TensorSpec.of(grown, tensor.dtype, tensor.device)
        if _reach(spec, tensor.offset) > tensor.memory.length:
            capacity = (max(rows + num, ceil(rows * (1 + growth_pct / 100))), *rest)
            self._reserve("Extend", capacity, keep=True)
        self._look_at(tensor.memory, spec, tensor.offset)

    Extend = extend

    def reserve_space(self, outer_dim: int) -> None:
        """Make room for `outer_dim` rows; sizes stay, data that was there is lost.

        A later Resize inside the room does not move the data.
        """
        tensor = self._tensor
        self._check_change("ReserveSpace")
        self._check_contiguous("ReserveSpace")
        if not self.dim():
            raise TrilithRuntimeError("ReserveSpace: a tensor without dims has no rows")
        self._check_dtype()
        self._reserve("ReserveSpace", (outer_dim, *tensor.spec.shape[1:]), keep=False)

    ReserveSpace = reserve_space

    def _reserve(self, what: str, capacity: Ints, *, keep: bool) -> None:
        """Get memory for sizes that the tensor does not have yet."""
        tensor = self._tensor
        wanted = TensorSpec.of(capacity, tensor.dtype, tensor.device)
        if _reach(wanted, tensor.offset) <= tensor.memory.length:
            return
        if self._has_bytes():
            self._check_unshared(what)  # before a name here holds the storage too
        old, start, nbytes = tensor.memory, tensor.byte_offset, tensor.spec.nbytes
        memory = UntypedStorage(wanted.nbytes, device=tensor.device)
        if keep and nbytes and not tensor.is_meta:
            copier = runtime_of(tensor.device).allocator
            copier.copy(old.address(start, nbytes), memory.address(0, nbytes), nbytes)
        tensor.take_over(memory, tensor.spec, 0)
        self._state.has_storage = self._state.is_reserved = True

    # Memory

    def free_memory(self) -> None:
        """Give the memory up and keep sizes and dtype; `mutable_data` allocates anew.

        Raises TrilithRuntimeError if other tensors share it.
        """
        self._check_change("FreeMemory")
        self._free("FreeMemory")

    FreeMemory = free_memory

    def _free(self, what: str) -> None:
        if self._has_bytes():
            self._check_unshared(what)
        self._forget_memory()

    def _forget_memory(self) -> None:
        tensor = self._tensor
        self._look_at(UntypedStorage(0, device=tensor.device), tensor.spec, 0)

    def release_resources(self) -> None:
        """Let go of the storage: nothing but sizes and dtype stays."""
        self._forget_memory()
        self._state.has_storage = False

    def mutable_data(self, dtype: Any = None) -> int:
        """Return the address of the first element, for writing; 0 if there is none.

        Allocates if there is no memory yet. Another dtype than the present one is taken on, with
        new memory if the present one is too small. Raises TrilithRuntimeError for read-only memory.
        """
        if dtype is None:
            if not self._state.has_dtype:
                raise TrilithRuntimeError(
                    "Calling raw_mutable_data() without meta, but the current meta is of unknown "
                    "type."
                )
            dtype = self._tensor.dtype
        if not isinstance(dtype, DType):
            raise TrilithTypeError(f"expected a dtype, not {type(dtype).__name__}")
        if not (self._state.has_dtype and dtype is self._tensor.dtype):
            self._take_dtype(dtype)
        elif not self.storage_initialized():
            self._take_dtype(dtype)
        self._tensor.memory.check_writable()
        return self._tensor.data_ptr()

    raw_mutable_data = mutable_data

    def _take_dtype(self, dtype: DType) -> None:
        """Take a dtype on, with enough memory for it from offset 0 on."""
        tensor = self._tensor
        self._check_change("mutable_data")
        old = tensor.spec
        spec = TensorSpec.of(old.shape, dtype, old.device, old.strides)
        memory, needed = tensor.memory, _reach(spec, 0)
        if needed > memory.length or not self._state.has_storage:
            memory = UntypedStorage(needed, device=old.device)
        tensor.take_over(memory, spec, 0)
        self._state.has_dtype = self._state.has_storage = True

    def data(self, dtype: DType | None = None) -> int:
        """Return the address of the first element; 0 if there is none or the memory was freed.

        With a dtype it must be that of the elements.
        """
        if dtype is not None and dtype is not self.dtype():
            contains = self.dtype()
            found = "nullptr (uninitialized)" if contains is None else c_type(contains)
            raise TrilithRuntimeError(
                f"Tensor type mismatch, caller expects elements to be {c_type(dtype)}, while "
                f"tensor contains {found}. "
            )
        self._check_dtype()
        if not self._state.has_storage:
            raise TrilithRuntimeError(
                "Cannot access data pointer of Tensor that doesn't have storage"
            )
        return self._tensor.data_ptr()

    unsafe_data = slow_data = data

    # Memory of others

    def share_data(self, source: TensorImpl | Tensor) -> None:
        """Look at the memory of a tensor with as many elements; the sizes stay."""
        src = TensorImpl.of(source) if isinstance(source, Tensor) else source
        self._check_change("ShareData")
        if src.numel() != self.numel():
            raise TrilithRuntimeError(
                "Size mismatch - did you call reshape before sharing the data?"
            )
        if not src.dtype_initialized():
            warnings.warn(
                "Source tensor don't have a data type (did you call mutable_data<T> on the "
                "tensor?)",
                UserWarning,
                stacklevel=2,
            )
        if not src.storage_initialized():
            raise TrilithRuntimeError("Source tensor has no content and has size > 0")
        other = src._tensor
        spec = TensorSpec.of(self._tensor.spec.shape, other.dtype, other.device)
        check_bounds(spec.shape, spec.strides, other.offset, other.itemsize, other.memory.length)
        self._tensor.take_over(other.memory, spec, other.offset)
        self._state.has_dtype, self._state.has_storage = src.dtype_initialized(), True

    ShareData = share_data

    def share_external_pointer(self, source: Any, dtype: DType | None, size_bytes: int = 0) -> None:
        """Look at memory of another library: an array, a buffer, or an address.

        An array or buffer is kept alive, and must hold all elements. Behind an address the caller
        promises `size_bytes` (all elements, if 0) that live as long as the tensor.
        """
        self._check_change("ShareExternalPointer")
        if dtype is None:
            raise TrilithRuntimeError(
                "To share with a raw external pointer you need to pass in an initialized "
                "data_type(TypeMeta)."
            )
        spec = TensorSpec.of(self._tensor.spec.shape, dtype, self._tensor.device)
        if not self._tensor.device.is_host:
            raise TrilithRuntimeError(f"memory of {self._tensor.device} cannot be shared in")
        memory = _external(source, size_bytes or spec.nbytes)
        check_bounds(spec.shape, spec.strides, 0, dtype.itemsize, memory.length)
        if spec.nbytes and (not memory.pointer or memory.pointer % dtype.itemsize):
            raise TrilithRuntimeError(
                f"address {memory.pointer} cannot hold elements of {dtype.itemsize} bytes"
            )
        self._tensor.take_over(memory, spec, 0)
        self._state.has_dtype = self._state.has_storage = True

    ShareExternalPointer = share_external_pointer

    def set_storage(self, storage: UntypedStorage, dtype: DType | None = None) -> None:
        """Look at another storage in the same way; a dtype must be the present one."""
        tensor = self._tensor
        self._check_change("set_storage")
        if dtype is not None and self._state.has_dtype and dtype is not tensor.dtype:
            raise TrilithRuntimeError(
                f"Could not set tensor of type {c_type(dtype)} to a tensor of type "
                f"{c_type(tensor.dtype)}"
            )
        self.set_storage_and_dtype(storage, tensor.dtype if dtype is None else dtype)

    set_storage_keep_dtype = set_storage

    def set_storage_and_dtype(self, storage: UntypedStorage, dtype: DType) -> None:
        """Look at another storage, of the same device, as elements of a dtype."""
        tensor = self._tensor
        self._check_change("set_storage")
        if storage.device is not tensor.device:
            raise TrilithRuntimeError(
                f'Attempted to set the storage of a tensor on device "{tensor.device}" to a '
                f'storage on different device "{storage.device}".  This is no longer allowed; '
                "the devices must match."
            )
        old = tensor.spec
        spec = TensorSpec.of(old.shape, dtype, old.device, old.strides)
        check_bounds(spec.shape, spec.strides, tensor.offset, dtype.itemsize, storage.length)
        tensor.take_over(storage, spec, tensor.offset)
        self._state.has_dtype = self._state.has_storage = True

    # Copies

    def shallow_copy_and_detach(
        self, version_counter: Any = None, allow_tensor_metadata_change: bool = True
    ) -> TensorImpl:
        """Return another tensor on the same storage.

        It counts versions with this one, or as `set_version_counter` says. Memory that is not
        there yet cannot be shared.
        """
        if not self.storage_initialized():
            raise TrilithRuntimeError(
                "an uninitialized storage has one owner and cannot be shared",
                hint="call mutable_data first",
            )
        copy = TensorImpl.of(self._tensor.alias())
        if version_counter is not None:
            copy.set_version_counter(version_counter)
        copy._state.has_dtype = self._state.has_dtype
        copy._state.is_wrapped_number = self._state.is_wrapped_number
        copy._state.is_reserved = self._state.is_reserved
        copy._state.allows_metadata_change = bool(allow_tensor_metadata_change)
        return copy

    # Checks

    def _check_dtype(self) -> None:
        if not self._state.has_dtype:
            raise TrilithRuntimeError(NO_DTYPE)

    def _check_contiguous(self, what: str) -> None:
        if not self.is_contiguous():
            raise TrilithRuntimeError(f"Right now {what} is only supported for contiguous Tensor.")

    def _check_unshared(self, what: str) -> None:
        """Raise if others hold the storage that is about to lose its bytes."""
        count = self.use_count()
        if count > 1:
            raise TrilithRuntimeError(
                f"{what} would free a storage that is shared (use count {count})",
                hint="let go of the other tensors, or take a clone() first",
            )


class UndefinedTensorImpl(TensorImpl):
    """No tensor at all: one dim, no elements, and nothing that could be changed."""

    __slots__ = ()

    def __init__(self) -> None:
        """Begin without a storage."""
        super().__init__(uint8)
        self._state.has_dtype = False

    def sizes(self) -> Size:
        """Return [0]."""
        return Size((0,))

    def strides(self) -> Ints:
        """Raise: there are none."""
        raise TrilithRuntimeError("strides() called on an undefined Tensor")

    def size(self, d: int) -> int:
        """Raise: there is none."""
        raise TrilithRuntimeError("size(dim) called on an undefined Tensor")

    def stride(self, d: int) -> int:
        """Raise: there is none."""
        raise TrilithRuntimeError("stride(dim) called on an undefined Tensor")

    def storage(self) -> UntypedStorage:
        """Raise: there is none."""
        raise TrilithRuntimeError("Cannot access storage of UndefinedTensorImpl")

    def layout(self) -> Layout:
        """Return strided."""
        return strided

    def _check_change(self, what: str) -> None:
        """Raise: nothing can be changed."""
        raise TrilithRuntimeError(f"{what}() called on an undefined Tensor")


def _reach(spec: TensorSpec, offset: int) -> int:
    """Return how many bytes of storage a view needs."""
    return storage_extent(spec.shape, spec.strides, offset) * spec.dtype.itemsize


def _external(source: Any, nbytes: int) -> UntypedStorage:
    """Return a storage over an address, an array or a buffer."""
    if isinstance(source, int):
        return UntypedStorage.borrow(source, nbytes)
    has_interface = hasattr(source, "__array_interface__")
    array = np.asarray(source) if has_interface else np.frombuffer(source, np.uint8)
    if not array.flags.c_contiguous:
        raise TrilithRuntimeError("ShareExternalPointer takes contiguous memory")
    return UntypedStorage.borrow(
        array.__array_interface__["data"][0],
        array.nbytes,
        owner=array,
        is_writable=array.flags.writeable,
    )


dispatch.install("unsafeGetTensorImpl", TensorImpl.of)
