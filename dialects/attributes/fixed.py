"""How does a value stay what it is? Its attributes are set once, by whoever makes it."""

from __future__ import annotations

from typing import Never

#: Set or delete an attribute of an object that lets nobody do so: for those who made it.
write, erase = object.__setattr__, object.__delattr__


def not_writable(value: object, name: str) -> AttributeError:
    """Return the error for who assigns or deletes an attribute, in PyTorch's words.

    >>> not_writable(1, "real")
    AttributeError("attribute 'real' of 'int' objects is not writable")
    """
    return AttributeError(
        f"attribute '{name}' of '{type(value).__name__}' objects is not writable",
        name=name,
        obj=value,
    )


class Fixed:
    """What never changes: one object stands for all that are equal.

    >>> from trilith.dialects.attributes.dtype import float32
    >>> del float32.itemsize
    Traceback (most recent call last):
    AttributeError: attribute 'itemsize' of 'DType' objects is not writable
    """

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> Never:
        """Refuse."""
        raise not_writable(self, name)

    def __delattr__(self, name: str) -> Never:
        """Refuse."""
        raise not_writable(self, name)
