"""What is a storage made of, and what becomes of its block?"""

from __future__ import annotations

from typing import Protocol

from ..dialects.attributes.device import Device


class BlockAllocator(Protocol):
    """Where a storage gets its block from and gives it back to."""

    def allocate(self, size: int) -> int:
        """Return the address of a block of `size` bytes, which `block_size` made."""
        ...

    def free(self, address: int, size: int) -> None:
        """Take a block back."""
        ...

    def copy(self, source: int, target: int, nbytes: int) -> None:
        """Copy bytes between two blocks."""
        ...


class StorageFields:
    """The fields of a storage.

    An object of this class itself is a storage that is being made: anybody may set its fields.
    """

    __slots__ = (
        "__weakref__",
        "_address",
        "_allocator",
        "_block",
        "_is_exported",
        "_proven",
        "_writes",
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
    #: Set only where memory is borrowed: what keeps it alive.
    owner: object
    _allocator: BlockAllocator | None
    _block: int
    #: Set only while `pointer` is not: the address, and how large the storage was at most.
    _address: int
    _proven: int
    #: Set only when there is something to say, which spares every new storage the time.
    _is_exported: bool
    _writes: int

    def __del__(self) -> None:
        """Give the block back."""
        allocator = self._allocator
        if allocator is not None:
            try:
                address = self.pointer
            except AttributeError:
                address = self._address
            allocator.free(address, self._block)
