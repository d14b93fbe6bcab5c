"""How does a value stay what it is? Its attributes are set once, by whoever makes it."""

from __future__ import annotations

from typing import ClassVar, Never

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


class Kept:
    """What changes only as its own methods say: nobody assigns or deletes a field from outside.

    `FIELDS` names the fields. Attributes of other names, as subclasses have them, are free. Whoever
    makes many objects begins with one of a class without this guard, sets its fields, and sets its
    `__class__` at last: one assignment, where `write` would cost a call for each field.
    """

    __slots__ = ()
    FIELDS: ClassVar[frozenset[str]] = frozenset()

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse fields."""
        if name in self.FIELDS:
            raise not_writable(self, name)
        write(self, name, value)

    def __delattr__(self, name: str) -> None:
        """Refuse fields."""
        if name in self.FIELDS:
            raise not_writable(self, name)
        erase(self, name)


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
