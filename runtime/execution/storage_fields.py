"""What is a storage made of, and what becomes of its block?"""

from __future__ import annotations

from typing import Protocol

from ...dialects.attributes.device import Device
from .allocator import GiveBack


class BlockAllocator(Protocol):
    """Where a storage gets its block from and gives it back to."""

    def allocate(self, size: int) -> tuple[int, GiveBack]:
        """Return the address of a block of `size` bytes, and what gives it back.

        That is called once, or dropped: then the block is lost to the allocator, not to the system.
        """
        ...

    def copy(self, source: int, target: int, nbytes: int) -> None:
        """Copy bytes between two blocks."""
        ...


class StorageFields:
    """The fields of a storage.

    An object of this class itself is a storage that is being made: anybody may set its fields.
    """

    __slots__ = (
        "__del__",
        "__weakref__",
        "_address",
        "_allocator",
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
    #: Gives the block back, and says which it is: setting this one field changes the memory that
    #: the storage owns. It is a function of C's, in a slot, so that no bytecode runs when a storage
    #: dies: a signal handler that raises cannot keep a block from its allocator.
    __del__: GiveBack
    #: Set only while `pointer` is not: the address of memory that is borrowed, and how large the
    #: storage was at most.
    _address: int
    _proven: int
    #: Set only when there is something to say, which spares every new storage the time.
    _is_exported: bool
    _writes: int
