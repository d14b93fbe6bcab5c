"""Who owns the bytes that tensors look at?

A `Storage` is a run of bytes on one device. Several tensors (views) may share it; the bytes live as
long as it does. It either owns a block of an allocator or borrows memory from an object that it
keeps alive (a NumPy array, `bytes`, a mapping of a file).
"""

from __future__ import annotations

from typing import Protocol

from ..dialects.attributes.device import Device, cpu
from .allocator import block_size


class BlockAllocator(Protocol):
    """Where a storage gets its block from and gives it back to."""

    def allocate(self, size: int) -> int:
        """Return the address of a block of `size` bytes, which `block_size` made."""
        ...

    def free(self, address: int, size: int) -> None:
        """Take a block back."""
        ...


class Storage:
    """Bytes on one device: where they are, how many, and whether they may be written.

    `pointer` is the address of the first byte (on accelerators a handle of the device), `length`
    the number of bytes. As in PyTorch, `nbytes()`, `size()` and `data_ptr()` say the same.

    >>> data = bytearray(b"abcd")
    >>> storage = Storage(0, 0, owner=data)
    >>> storage, storage.is_writable, len(storage)
    (Storage(0 bytes on cpu), True, 0)
    """

    __slots__ = (
        "__weakref__",
        "_allocator",
        "_block",
        "device",
        "is_writable",
        "length",
        "owner",
        "pointer",
    )
    pointer: int
    length: int
    device: Device
    is_writable: bool
    owner: object
    _allocator: BlockAllocator | None
    _block: int

    def __init__(
        self,
        pointer: int,
        length: int,
        device: Device = cpu,
        *,
        owner: object = None,
        is_writable: bool = True,
    ) -> None:
        """Borrow `length` bytes at `pointer`, which `owner` keeps alive."""
        self._allocator = None
        self._block = 0
        self.pointer = pointer
        self.length = length
        self.device = device
        self.owner = owner
        self.is_writable = is_writable

    @staticmethod
    def allocate(
        allocator: BlockAllocator, length: int, device: Device = cpu, block: int = -1
    ) -> Storage:
        """Own `length` uninitialised bytes; `block` is their `block_size` where it is known.

        >>> from trilith.runtime.allocator import CachingAllocator
        >>> Storage.allocate(CachingAllocator(), 24).length
        24
        """
        if block < 0:
            block = block_size(length)
        storage = _new(Storage)
        storage._allocator = None  # stays so if the next line raises
        storage.pointer = allocator.allocate(block)
        storage._allocator = allocator
        storage._block = block
        storage.length = length
        storage.device = device
        storage.owner = None
        storage.is_writable = True
        return storage

    def __del__(self) -> None:
        """Give the block back."""
        allocator = self._allocator
        if allocator is not None:
            allocator.free(self.pointer, self._block)

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self.length

    def size(self) -> int:
        """Return the number of bytes."""
        return self.length

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return self.pointer

    def __len__(self) -> int:
        """Return the number of bytes."""
        return self.length

    def __repr__(self) -> str:
        """Return size and device."""
        return f"Storage({self.length} bytes on {self.device})"


_new = object.__new__
