"""Who owns the bytes that tensors look at?

An `UntypedStorage` is a run of bytes on one device. Several tensors (views) may share it; the bytes
live as long as it does. It either owns a block of an allocator, and can then be resized, or borrows
memory from an object that it keeps alive (a NumPy array, `bytes`, a mapping of a file).

A tensor is proven to lie inside its storage when it is made, so a storage that becomes smaller
takes that proof away from its tensors. It then has no `pointer` until it is again as large as it
ever was. Whoever reads `pointer` and meets an AttributeError asks `address`, which proves the
extent anew; so the usual road pays nothing for storages that can shrink.
"""

from __future__ import annotations

import mmap
import pickle
from collections.abc import Iterable
from operator import index
from typing import Any, SupportsIndex, overload

import numpy as np

from ...dialects.attributes.device import Device, cpu
from ...dialects.attributes.fixed import Kept, erase, write
from ...dialects.diagnostics import (
    TrilithIndexError,
    TrilithNotImplementedError,
    TrilithRuntimeError,
    TrilithTypeError,
    TrilithValueError,
)
from ...dialects.locks import new_lock
from ...dialects.unusual import INFERENCE
from .allocator import NO_BLOCK, block_size
from .device_hooks import DeviceHooks
from .seals import Sealed
from .storage_fields import BlockAllocator, Holder, StorageFields

#: A text form shows no more bytes than this.
PRINTED_BYTES = 1000


class _SharedMemory(mmap.mmap):
    """Memory that forked processes share, and what others may still look at where bytes were."""

    left: tuple[object, object]


class UntypedStorage(Sealed, StorageFields, Kept):
    """Bytes on one device: where they are, how many, and whether they may be written.

    `pointer` is the address of the first byte (on accelerators a handle of the device), `length`
    the number of bytes. There is no `pointer` while tensors made earlier may reach further than
    `length`.

    >>> storage = UntypedStorage.borrow(0, 0, owner=b"")
    >>> storage.nbytes(), storage.is_writable, storage.resizable()
    (0, True, False)
    """

    __slots__ = ()
    FIELDS = frozenset(StorageFields.__slots__) - {"__weakref__"}

    def __new__(
        cls, size: SupportsIndex | Iterable[int] = 0, *, device: Device | str = cpu
    ) -> UntypedStorage:
        """Return new bytes: as many as a number says, or those of a sequence.

        A number leaves them uninitialised.
        """
        if isinstance(size, SupportsIndex):
            if (count := index(size)) < 0:
                raise TrilithRuntimeError(f"the number of bytes is negative: {count}")
            return DEVICES.allocate_on(count, Device(device))
        if not isinstance(size, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TrilithRuntimeError(
                f"trilith.UntypedStorage(): Expected a sequence type, but got {type(size).__name__}"
            )
        values = bytes(index(value) & 0xFF for value in size)
        storage = DEVICES.allocate_on(len(values), Device(device))
        storage._bytes()[:] = np.frombuffer(values, np.uint8)
        return storage

    @staticmethod
    def borrow(
        pointer: int,
        length: int,
        device: Device = cpu,
        *,
        owner: object = None,
        is_writable: bool = True,
    ) -> UntypedStorage:
        """Look at `length` bytes at `pointer`, which `owner` keeps alive."""
        storage: Any = _new(StorageFields)
        storage._allocator = None
        storage._block = NOTHING
        storage.pointer = pointer
        storage.length = length
        storage.device = device
        storage.owner = owner
        storage.is_writable = is_writable
        if INFERENCE and INFERENCE.is_here():
            storage._is_inference = True
        storage.__class__ = UntypedStorage
        return storage

    @staticmethod
    def allocate(
        allocator: BlockAllocator, length: int, device: Device = cpu, block: int = -1
    ) -> UntypedStorage:
        """Own `length` uninitialised bytes; `block` is their `block_size` where it is known.

        >>> from trilith.runtime.execution.allocator import CachingAllocator
        >>> UntypedStorage.allocate(CachingAllocator(), 24).length
        24
        """
        if block < 0:
            block = block_size(length)
        storage: Any = _new(StorageFields)
        front = getattr(allocator, "front", None)
        if front is None:
            storage.pointer, give_back = allocator.allocate(block)
            storage._block = Holder(give_back)
        else:
            storage._block = held = front.take(block)
            storage.pointer = held.address
        storage._allocator = allocator
        storage.length = length
        storage.device = device
        storage.is_writable = True
        if INFERENCE and INFERENCE.is_here():
            storage._is_inference = True
        storage.__class__ = UntypedStorage
        return storage

    # Where the bytes are

    def data_ptr(self) -> int:
        """Return the address of the first byte; 0 if there is none."""
        try:
            return self.pointer
        except AttributeError:
            return self._address if self._allocator is None else self._block.address

    def address(self, first: int, nbytes: int) -> int:
        """Return the address of byte `first`, after proving that `nbytes` from there exist.

        Raises TrilithRuntimeError if they do not: the storage was resized.

        >>> UntypedStorage.borrow(4096, 16).address(8, 8)
        4104
        """
        if nbytes and (first < 0 or first + nbytes > self.length):
            raise TrilithRuntimeError(
                f"{nbytes} bytes at byte {first} are out of bounds for storage of size "
                f"{self.length}",
                hint="the storage was resized after the tensor that looks at it was made",
            )
        return self.data_ptr() + first

    # How many there are

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self.length

    size = nbytes
    __len__ = nbytes

    def resizable(self) -> bool:
        """Tell whether `resize_` works: not for memory that other objects own or know."""
        owns = self._allocator is not None or not self.device.has_values
        return owns and self.is_writable and not hasattr(self, "_is_exported")

    def resize_(self, nbytes: Any) -> UntypedStorage:
        """Change the number of bytes; those that were there and fit are kept, new ones are not set.

        Tensors that no longer fit stay, and say so when they are read. No other thread may read or
        write the bytes meanwhile. Raises TrilithRuntimeError for memory that belongs to another
        object or that another library looks at.

        >>> UntypedStorage([1, 2, 3]).resize_(2).tolist()
        [1, 2]
        """
        if isinstance(nbytes, bool) or not isinstance(nbytes, SupportsIndex):
            raise TrilithRuntimeError(f"resize_ expects an int, but got {type(nbytes).__name__}")
        nbytes = index(nbytes)
        if nbytes < 0:
            raise TrilithRuntimeError(f"the number of bytes is negative: {nbytes}")
        with _resizing:
            if not self.resizable():
                raise TrilithRuntimeError("Trying to resize storage that is not resizable")
            self._move(nbytes)
        return self

    def _move(self, nbytes: int) -> None:
        """Move the bytes to a block of another size, and say what that proves.

        Whatever comes in between finds the bytes, and no more of them promised than there are.
        """
        allocator, old = self._allocator, self._block
        block, size = block_size(nbytes), old.size
        self.break_seal()
        self._hide(self.length)
        try:
            if allocator is not None and block != size:
                address, new = allocator.allocate(block)
                allocator.copy(self.data_ptr(), address, min(self.length, nbytes))
                write(self, "length", min(self.length, nbytes))
                write(self, "_block", Holder(new))
            write(self, "length", nbytes)
        finally:
            self._show()

    def _hide(self, proven: int) -> None:
        """Take the address away, since tensors may look at `proven` bytes."""
        if hasattr(self, "pointer"):
            write(self, "_proven", proven)
            write(self, "_address", self.pointer)
            erase(self, "pointer")
        elif proven > self._proven:
            write(self, "_proven", proven)

    def _show(self) -> None:
        """Give the address back if all that tensors may look at is there."""
        if self.length >= self._proven:
            write(self, "pointer", self.data_ptr())

    def promise(self, nbytes: int) -> None:
        """Take the address away until there are `nbytes`: a tensor will look at so many."""
        with _resizing:
            if nbytes > self.length:
                self._hide(nbytes)

    def make_read_only(self) -> None:
        """Refuse writes from now on."""
        write(self, "is_writable", False)

    def export(self) -> None:
        """Remember that another library holds the address: from now on the bytes stay in place."""
        write(self, "_is_exported", True)
        self.tell_address()

    # Writes

    @property
    def version(self) -> int:
        """How many in-place writes there were through tensors."""
        return getattr(self, "_writes", 0)

    def bump(self) -> None:
        """Count an in-place write."""
        write(self, "_writes", self.version + 1)
        self.break_seal()

    def count_from(self, version: int) -> None:
        """Count in-place writes on from a number."""
        write(self, "_writes", version)

    @property
    def is_inference(self) -> bool:
        """Whether the bytes were obtained in inference mode."""
        return hasattr(self, "_is_inference")

    def check_writable(self) -> None:
        """Raise unless the bytes may be written."""
        if not self.is_writable:
            raise TrilithRuntimeError(
                "the memory of the tensor is read-only", hint="clone() it before writing to it"
            )

    # The bytes as numbers

    def _on_host(self) -> UntypedStorage:
        """Return the storage itself, or a copy of an accelerator's in host memory."""
        if self.device.is_host:
            return self
        copy = DEVICES.allocate_on(self.length, cpu)
        DEVICES.copy_between(self, 0, copy, 0, self.length)
        return copy

    def _bytes(self) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
        """Return the bytes as an array over the same memory, which it keeps alive."""
        if not self.device.is_host:
            raise TrilithNotImplementedError(f"Not available for '{self.device.type}' device type")
        if not self.length:
            return np.empty(0, np.uint8)
        return np.asarray(_Bytes(self))

    @overload
    def __getitem__(self, key: SupportsIndex) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> UntypedStorage: ...
    def __getitem__(self, key: SupportsIndex | slice) -> int | UntypedStorage:
        """Return one byte, or a storage that shares a stretch of the bytes.

        >>> UntypedStorage([1, 2, 300])[-1], UntypedStorage([1, 2, 300])[1:].tolist()
        (44, [2, 44])
        """
        if isinstance(key, slice):
            return self._stretch(key)
        return int(self._bytes()[self._byte_index(key)])

    def _byte_index(self, key: Any) -> int:
        """Return which byte an index names, counted from the first."""
        if isinstance(key, bool) or not isinstance(key, SupportsIndex):
            raise TrilithTypeError(f"can't index a trilith.UntypedStorage with {_name_of(key)}")
        number = index(key)
        if not -self.length <= number < self.length:
            raise TrilithIndexError(
                f"index {number} out of range for storage of size {self.length}"
            )
        return number % self.length

    def _stretch(self, key: slice) -> UntypedStorage:
        start, stop, step = key.indices(self.length)
        if step != 1:
            raise TrilithRuntimeError(
                f"Trying to slice with a step of {step}, but only a step of 1 is supported"
            )
        self.export()  # another storage knows the address from here on
        return UntypedStorage.borrow(
            self.data_ptr() + start,
            max(stop - start, 0),
            self.device,
            owner=self,
            is_writable=self.is_writable,
        )

    def __setitem__(self, key: SupportsIndex | slice, value: SupportsIndex) -> None:
        """Set one byte, or each of a stretch, to the low eight bits of a number."""
        self.check_writable()
        which = key if isinstance(key, slice) else self._byte_index(key)
        self._bytes()[which] = index(value) & 0xFF
        self.break_seal()

    def fill_(self, value: SupportsIndex) -> UntypedStorage:
        """Set every byte to the low eight bits of a number.

        >>> UntypedStorage(2).fill_(300).tolist()
        [44, 44]
        """
        self[:] = value
        return self

    def copy_(self, source: UntypedStorage, non_blocking: bool = False) -> UntypedStorage:
        """Copy the bytes of a storage of the same size."""
        if self.length != source.length:
            raise TrilithRuntimeError(
                f"size does not match, self was {self.length} bytes but src was "
                f"{source.length} bytes"
            )
        self.check_writable()
        DEVICES.copy_between(source, 0, self, 0, self.length)
        self.break_seal()
        return self

    def clone(self) -> UntypedStorage:
        """Return a copy that owns its bytes."""
        copy = DEVICES.allocate_on(self.length, self.device)
        return copy.copy_(self) if self.device.has_values else copy

    def tolist(self) -> list[int]:
        """Return the bytes as numbers."""
        return self._bytes().tolist()

    # What PyTorch's storages know besides

    def element_size(self) -> int:
        """Return 1: the elements are bytes."""
        return 1

    def is_shared(self) -> bool:
        """Tell whether processes that are forked from now on see writes to the bytes."""
        return self._allocator is None and isinstance(getattr(self, "owner", None), mmap.mmap)

    def share_memory_(self) -> UntypedStorage:
        """Move the bytes to memory that forked processes share; they cannot be resized then.

        Whoever knows the address from before, an array of NumPy say, keeps the bytes as they were.
        Raises TrilithRuntimeError for memory that is not the host's.
        """
        if not self.device.is_host:
            raise TrilithRuntimeError("only memory of the host can be moved to shared memory")
        with _resizing:
            if not self.is_shared():
                mapping = _SharedMemory(-1, max(self.length, 1))
                if not self.resizable():
                    mapping.left = self._block, getattr(self, "owner", None)
                self._adopt_mapping(mapping)
        return self

    def _adopt_mapping(self, mapping: mmap.mmap) -> None:
        """Copy the bytes to a mapping, and give the block back unless the mapping keeps it."""
        self.break_seal()
        array = np.frombuffer(mapping, np.uint8)
        array[: self.length] = self._bytes()
        address: int = array.__array_interface__["data"][0]
        self._hide(self.length)
        try:
            write(self, "owner", mapping)
            write(self, "_address", address)
            write(self, "_allocator", None)  # from here on the address is that one
            write(self, "_block", NOTHING)
        finally:
            self._show()

    def is_pinned(self) -> bool:
        """Tell whether the bytes are in page-locked memory: never."""
        return False

    @property
    def is_cuda(self) -> bool:
        """Whether the bytes are on a CUDA device: never."""
        return False

    def untyped(self) -> UntypedStorage:
        """Return the storage itself."""
        return self

    def __repr__(self) -> str:
        """Return the bytes, the first ones only of many, and the size."""
        if not self.device.is_host:
            lines = ["..."]
        else:
            shown = self._bytes()[:PRINTED_BYTES].tolist()
            lines = [f" {byte}" for byte in shown] or [" "]
            lines += [" ..."] * (self.length > PRINTED_BYTES)
        return "\n".join(
            [
                *lines,
                f"[trilith.storage.UntypedStorage(device={self.device}) of size {self.length}]",
            ]
        )

    def __copy__(self) -> UntypedStorage:
        """Return a copy, as PyTorch does."""
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> UntypedStorage:
        """Return a copy; `copy.deepcopy` remembers it for further mentions."""
        return self.clone()

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        """Pickle as the bytes; from protocol 5 on they can travel out of band."""
        if not self.device.has_values:
            return _rebuild, (self.device, self.length, None)
        data: Any = self._on_host()._bytes()
        if index(protocol) >= 5 and self.length:
            self.export()  # the buffer may outlive this call
            return _rebuild, (self.device, self.length, pickle.PickleBuffer(data))
        return _rebuild, (self.device, self.length, data.tobytes())


#: The short name, for the rooms.
Storage = UntypedStorage

DEVICES: DeviceHooks[UntypedStorage] = DeviceHooks()


class _Bytes:
    """The bytes of a storage as NumPy's array interface describes them; keeps the storage alive."""

    __slots__ = ("__array_interface__", "storage")

    def __init__(self, storage: UntypedStorage) -> None:
        self.storage = storage
        self.__array_interface__ = {
            "version": 3,
            "shape": (storage.length,),
            "typestr": "|u1",
            "data": (storage.data_ptr(), not storage.is_writable),
        }


def _name_of(value: object) -> str:
    return type(value).__name__


def _rebuild(device: Device, length: int, data: Any) -> UntypedStorage:
    """Return a storage with a copy of the bytes that a pickle holds, or was handed beside it."""
    array = None
    if data is not None and length:
        array = np.frombuffer(data, np.uint8)
        if array.nbytes != length:
            raise TrilithValueError(
                f"a pickled storage of {length} bytes comes with {array.nbytes} bytes"
            )
    storage = DEVICES.allocate_on(length, device)
    if array is not None:
        source = UntypedStorage.borrow(array.__array_interface__["data"][0], length, owner=array)
        DEVICES.copy_between(source, 0, storage, 0, length)
    return storage


#: In the place of what gives a block back, where memory is borrowed.
NOTHING = Holder(NO_BLOCK[1])
_resizing = new_lock()
_new = object.__new__
