"""What is a tensor? A storage seen through shape, strides and an offset.

Here are its numbers as Python values and its protocols; its attributes are in `described`, its life
in `lifecycle`. Operations come from the table of operations through `dispatch`; exchange with other
libraries is in `interchange`, the text form in `printing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self, SupportsIndex, overload

import numpy as np

from ...dialects.attributes.device import Device
from ...dialects.attributes.extents import check_bounds, storage_extent
from ...dialects.attributes.fixed import Kept, not_writable, write
from ...dialects.attributes.layout import strided
from ...dialects.attributes.spec import TensorSpec
from ...dialects.diagnostics import (
    TrilithOverflowError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...dialects.locks import imported
from ..devices.base import allocate, runtime_of
from ..execution.storage import UntypedStorage
from . import dispatch, dlpack, origins, recording
from .described import Described
from .fields import TensorFields
from .gradients import Gradients
from .host_view import Array, host_array, host_elements, to_list, to_number, view_as_array
from .lifecycle import Lifecycle
from .missing import missing_member
from .operations import Operations
from .own_attributes import attributes_of, pickled, set_attribute
from .own_attributes import copied as copy_attributes
from .own_attributes import shared as share_attributes
from .printing import format_tensor, format_tensor_html
from .tensor_meta import TensorMeta


class Tensor(Lifecycle, Gradients, Described, Operations, Kept, metaclass=TensorMeta):
    """Elements of one dtype on one device.

    The four fields are what a call needs: `memory` is the storage, `spec` the interned
    description (two tensors of equal shape, dtype, device, strides and layout have the same
    object), `offset` the index of the first element in the storage in elements and `byte_offset`
    in bytes. No tensor keeps an address, because a storage that is resized moves.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> x = empty_tensor(TensorSpec.of((2, 3), float32))
    >>> x.shape, x.stride(), x.dtype, x.device, x.numel(), x.is_contiguous()
    (trilith.Size([2, 3]), (3, 1), trilith.float32, device(type='cpu'), 6, True)
    """

    __slots__ = ()
    FIELDS = frozenset(TensorFields.__slots__) - {"__weakref__"}
    #: NumPy leaves `array + tensor` to the tensor.
    __array_priority__ = 1000

    @overload
    def __new__(cls, memory: UntypedStorage, spec: TensorSpec, offset: int = 0) -> Self: ...
    @overload
    def __new__(cls, *arguments: Any, device: Device | str | None = None) -> Self: ...
    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Look at a storage as a spec says, after proving that every element lies inside it.

        Anything else is PyTorch's legacy constructor: an uninitialised tensor of the default dtype
        for sizes, a copy of data, another look at a tensor.

        >>> import trilith as tri
        >>> tri.Tensor([1, 2]), tri.Tensor(2, 3).shape
        (tensor([1., 2.]), trilith.Size([2, 3]))
        """
        if len(arguments) < 2 or not isinstance(arguments[1], TensorSpec):
            return dispatch.call("_legacy_constructor", arguments, keywords)
        tensor = _new(cls)
        _look_at(tensor, *arguments, **keywords)
        return tensor

    # Lazy bits, of which there are none

    def is_conj(self) -> bool:
        """Tell whether the memory holds the conjugates of the elements."""
        return self.spec.is_conj

    def is_neg(self) -> bool:
        """Tell whether the elements are negated only when they are read: never."""
        return False

    # Python values

    def item(self) -> bool | int | float | complex:
        """Return the only element as a Python number."""
        recording.unrecorded(_READS)
        return to_number(self.memory, self.spec, self.offset)

    def tolist(self) -> Any:
        """Return nested lists of Python numbers, or one number for a 0-dim tensor."""
        recording.unrecorded(_READS)
        spec = self.spec
        return to_list(host_elements(self.memory, spec, self.offset), spec.dtype, spec.shape)

    def __iter__(self) -> Iterator[Tensor]:
        """Yield the views at each index of dim 0."""
        if not self.spec.rank:
            raise TrilithTypeError("iteration over a 0-d tensor")
        whole: Any = self
        return iter(whole.unbind())

    def __bool__(self) -> bool:
        """Tell whether the only element is not zero."""
        numel = self.spec.numel
        if numel != 1:
            count = "no values" if not numel else "more than one value"
            raise TrilithRuntimeError(f"Boolean value of Tensor with {count} is ambiguous")
        return bool(self.item())

    def _only(self, target: str) -> bool | int | float | complex:
        """Return the only element for a conversion to a Python number that is not complex."""
        if self.spec.numel != 1:
            raise TrilithValueError("only one element tensors can be converted to Python scalars")
        value = self.item()
        if isinstance(value, complex) and target:
            if value.imag:
                raise TrilithRuntimeError(
                    f"value cannot be converted to type {target} without overflow"
                )
            return value.real
        return value

    def __int__(self) -> int:
        """Return the only element cut to an integer."""
        value: Any = self._only("int64_t")
        try:
            return int(value)
        except ValueError as error:
            raise TrilithValueError(str(error)) from None
        except OverflowError as error:
            raise TrilithOverflowError(str(error)) from None

    def __float__(self) -> float:
        """Return the only element as a float."""
        value: Any = self._only("double")
        return float(value)

    def __complex__(self) -> complex:
        """Return the only element as a complex number."""
        return complex(self._only(""))

    def __index__(self) -> int:
        """Return the only element of an integer tensor."""
        dtype = self.spec.dtype
        if self.spec.numel != 1 or dtype.is_floating_point or dtype.is_complex:
            raise TrilithTypeError(
                "only integer tensors of a single element can be converted to an index"
            )
        return int(self)

    def __format__(self, specification: str) -> str:
        """Format a 0-dim tensor as its number."""
        if not self.spec.rank and not self.is_meta:
            return format(self.item(), specification)
        return object.__format__(self, specification)

    # Exchange

    def numpy(self, *, force: bool = False) -> Array:
        """Return an array over the same memory; with `force`, a copy if the data is elsewhere.

        Writing to either changes both, unless the memory is read-only: then so is the array.
        bfloat16 and float8 have the types of ml_dtypes, complex32 is a pair of float16,
        float4_e2m1fn_x2 the bytes.
        """
        recording.unrecorded(_READS)
        device = self.spec.device
        if self.spec.is_conj and not force:
            raise TrilithRuntimeError(
                "Can't call numpy() on Tensor that has conjugate bit set. Use "
                "tensor.resolve_conj().numpy() instead."
            )
        if device.is_host and not self.spec.is_conj:
            array = view_as_array(self.memory, self.spec, self.offset)
            if self.spec.numel:
                self.memory.export()
            return array
        if not force:
            raise TrilithTypeError(
                f"can't convert {device.type} device type tensor to numpy. Use Tensor.cpu() to "
                "copy the tensor to host memory first."
            )
        return host_array(self.memory, self.spec, self.offset)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        """Let NumPy make an array of the tensor."""
        array: Array = np.array(self.numpy(), dtype=dtype, copy=copy)
        return array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Return a DLPack capsule over the same memory."""
        recording.unrecorded(_READS)
        capsule = dlpack.export(
            self.memory,
            self.spec,
            self.offset,
            stream=stream,
            max_version=max_version,
            dl_device=dl_device,
            copy=copy,
        )
        if not copy:
            self.memory.export()
        return capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        """Return DLPack's (device type, index)."""
        return dlpack.device_code(self.spec.device)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle by value, strides included, and the whole storage with it.

        As in PyTorch, tensors that share a storage share it again when they are pickled together.
        """
        return pickled(self, (_rebuild, (self.memory, self.spec, self.offset)))

    def __copy__(self) -> Tensor:
        """Return another tensor on the same storage, which counts its versions from 0."""
        return share_attributes(self, self.data)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        """Return a copy; tensors that share a storage share the copy of it."""
        if id(self) not in memo:
            recording.unrecorded("a tensor is copied with its storage (deepcopy)")
            memory = imported("copy").deepcopy(self.memory, memo)
            copied: Any = Tensor(memory, self.spec, self.offset)
            memo[id(self)] = copied.resolve_conj() if self.spec.is_conj else copied
            copy_attributes(self, memo[id(self)], memo)
        return memo[id(self)]

    # Text

    def __repr__(self) -> str:
        """Return the values and what is unusual, as PyTorch prints them."""
        values = self._printed()
        is_lost = values is None and not self.is_meta
        note = f"storage of {self.memory.length} bytes" if is_lost else ""
        return format_tensor(values, self.spec, note=note)

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return format_tensor_html(self._printed(), self.spec)

    def _printed(self) -> Array | None:
        """Return the elements without dims of size 1; None where no storage holds them."""
        if self.is_meta or self._is_cut_off():
            return None
        return host_elements(self.memory, self.spec, self.offset)

    def _is_cut_off(self) -> bool:
        """Tell whether the storage, which may have been resized, lacks some of the elements."""
        reach = storage_extent(self.spec.shape, self.spec.strides, self.offset)
        return reach * self.spec.dtype.itemsize > self.memory.length

    # Attributes

    def __setattr__(self, name: str, value: object) -> None:
        """Assign to a property, or keep an attribute of another name; fields are refused."""
        if name in self.FIELDS:
            raise not_writable(self, name)
        set_attribute(self, name, value)

    def __delattr__(self, name: str) -> None:
        """Drop an attribute of the program's, or what a property lets one delete."""
        if attributes_of(self).pop(name, _NOTHING) is _NOTHING:
            super().__delattr__(name)

    # Operations

    if not TYPE_CHECKING:  # a checker is told every name by the stub

        def __getattr__(self, name: str) -> Any:
            """Return what the program keeps; load the operations for the first missing method."""
            if self.is_concrete and name in (kept := attributes_of(self)):
                return kept[name]
            if not name.startswith("_") and type(self) is Tensor:
                found = dispatch.early_attribute(self, name)
                if found is not dispatch.LATER:
                    return found
            if not name.startswith("_") and dispatch.installed(name) is not None:
                return object.__getattribute__(self, name)
            raise missing_member(name, "'Tensor' object")

    def __dir__(self) -> list[str]:
        """Return every name, for completion."""
        return dir(type(self))


_new = object.__new__
_NOTHING: object = object()
_READS = "the elements of a tensor of the enclosing program are read"


def adopt(memory: UntypedStorage, spec: TensorSpec, offset: int = 0) -> Tensor:
    """Make a tensor whose bounds are already proven: the executor's way, about 0.3 us."""
    tensor: Any = _new(TensorFields)
    tensor.memory = memory
    tensor.spec = spec
    tensor.offset = offset
    tensor.byte_offset = offset * spec.dtype.itemsize if offset else 0
    tensor.state = None
    tensor.__class__ = Tensor
    return tensor


def _look_at(tensor: Tensor, memory: UntypedStorage, spec: TensorSpec, offset: int = 0) -> None:
    """Set the fields, after proving that every element lies in the storage."""
    if spec.layout is not strided or memory.device is not spec.device:
        raise TrilithRuntimeError(
            f"a storage on {memory.device} cannot hold a {spec.layout} tensor on {spec.device}"
        )
    itemsize = spec.dtype.itemsize
    check_bounds(spec.shape, spec.strides, offset, itemsize, memory.length)
    write(tensor, "state", None)
    tensor.take_over(memory, spec, offset)


def view_of(base: Tensor, spec: TensorSpec, offset: int) -> Tensor:
    """Return another look at a tensor's storage, proven, which counts versions with it."""
    tensor = _new(Tensor)
    _look_at(tensor, base.memory, spec, offset)
    if base.state is not None:
        tensor.count_with(base)
    return tensor


def empty_tensor(spec: TensorSpec) -> Tensor:
    """Return a tensor with uninitialised elements.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> empty_tensor(TensorSpec.of((2, 3), float32)).untyped_storage().nbytes()
    24
    """
    nbytes = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
    return adopt(allocate(nbytes, spec.device), spec)


def tensor_from_bytes(spec: TensorSpec, data: Any) -> Tensor:
    """Return a tensor on fresh memory holding a copy of `data`, any buffer of the right size.

    >>> from trilith.dialects.attributes.dtype import int8
    >>> tensor_from_bytes(TensorSpec.of((3,), int8), b"abc")
    tensor([97, 98, 99], dtype=trilith.int8)
    """
    source: Array = np.frombuffer(data, np.uint8)
    needed = storage_extent(spec.shape, spec.strides) * spec.dtype.itemsize
    if source.nbytes != needed:
        raise TrilithValueError(f"expected {needed} bytes, but got {source.nbytes}")
    tensor = empty_tensor(spec)
    if needed:
        address = source.__array_interface__["data"][0]
        runtime_of(spec.device).copy_in(address, tensor.memory, 0, needed)
    return tensor


def _rebuild(memory: UntypedStorage, spec: TensorSpec, offset: int) -> Tensor:
    return origins.borrowed(Tensor(memory, spec, offset))


dispatch.adopt(Tensor)
