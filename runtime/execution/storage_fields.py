"""What is a storage made of, and what becomes of its block?"""

from __future__ import annotations

from typing import Protocol

from ...dialects.attributes.device import Device
from .allocator import GiveBack


class Holder:
    """Holds a block of memory; when nobody holds this any more, the block goes back.

    What gives it back is a function of C's, in a slot, so that no bytecode runs when a storage
    dies: a signal handler that raises cannot keep a block from its allocator.
    """

    __slots__ = ("__del__",)
    __del__: GiveBack

    def __init__(self, give_back: GiveBack) -> None:
        """Take over what gives the block back."""
        self.__del__ = give_back

    @property
    def address(self) -> int:
        """Where the block is."""
        address: int = self.__del__.args[0][0]
        return address

    @property
    def size(self) -> int:
        """How many bytes it has."""
        size: int = self.__del__.args[0][1]
        return size


class HeldBlock(Protocol):
    """What holds a block: a `Holder`, or what native code has instead."""

    @property
    def address(self) -> int:
        """Where the block is."""
        ...

    @property
    def size(self) -> int:
        """How many bytes it has."""
        ...


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
        "__weakref__",
        "_address",
        "_allocator",
        "_block",
        "_is_exported",
        "_is_inference",
        "_is_told",
        "_proven",
        "_seal",
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
    #: Holds the block; setting this one field changes the memory that the storage owns.
    _block: HeldBlock
    #: Set only while `pointer` is not: the address of memory that is borrowed, and how large the
    #: storage was at most.
    _address: int
    _proven: int
    #: Set only when there is something to say, which spares every new storage the time.
    _is_exported: bool
    _is_inference: bool
    _is_told: bool
    _seal: object
    _writes: int
