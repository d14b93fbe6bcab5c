"""How does who derives something from the bytes of a storage learn that they are written to?

It asks for the storage's seal before it reads. The first write afterwards takes the seal away, and
the next who asks gets another one: what was derived is good while the storage has the seal of then.
Nobody is called, and who writes to memory that nobody asked about does nothing more than before.
"""

from __future__ import annotations

from ...dialects.attributes.fixed import erase, write
from .storage_fields import StorageFields


class Sealed(StorageFields):
    """A storage of which is known whether it was written to since somebody asked."""

    __slots__ = ()

    def seal(self) -> object | None:
        """Return an object that the next write takes away; None if not every write is seen.

        Memory that is borrowed, or whose address others know, may be written to by anybody.

        >>> import trilith as tri
        >>> storage = tri.tensor([1, 2]).untyped_storage()
        >>> seal = storage.seal()
        >>> before = storage.has_seal(seal)
        >>> storage[0] = 3
        >>> before, storage.has_seal(seal)
        (True, False)
        """
        if self._allocator is None or hasattr(self, "_is_told"):
            return None
        found = getattr(self, "_seal", None)
        if found is None:
            found = object()
            write(self, "_seal", found)
        return found

    def has_seal(self, seal: object) -> bool:
        """Whether nothing was written since a seal was asked for."""
        return getattr(self, "_seal", None) is seal

    def tell_address(self) -> None:
        """Remember that the program knows the address: it may write there."""
        write(self, "_is_told", True)
        self.break_seal()

    def break_seal(self) -> None:
        """Say that the bytes are not what they were."""
        if hasattr(self, "_seal"):
            erase(self, "_seal")
