"""Which numbers of a call is a plan made for? Special ones that an operation looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..trace.identity import identity_of

#: (place among the numbers, what tells whether a value is special)
Places = Sequence[tuple[int, Callable[[Any], bool]]]


class Chosen:
    """A number in a key: one is the same if nothing tells it apart."""

    __slots__ = ("identity", "value")

    def __init__(self, value: Any) -> None:
        """Hold a number."""
        self.value = value
        self.identity = identity_of(value)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same number."""
        return isinstance(other, Chosen) and self.identity == other.identity

    def __hash__(self) -> int:
        """Return the hash of what stands for it."""
        return hash(self.identity)


#: A part of a key.
Numbers = tuple[tuple[int, Chosen | None], ...]


def chosen_numbers(places: Places, scalars: Sequence[Any]) -> Numbers:
    """Return the special ones among the numbers of a call, None in the place of any other.

    >>> [(place, one is None) for place, one in chosen_numbers([(0, bool), (1, bool)], [2, 0])]
    [(0, False), (1, True)]
    """
    return tuple(
        (place, Chosen(scalars[place]) if is_special(scalars[place]) else None)
        for place, is_special in places
    )


def known_numbers(numbers: Numbers | None) -> dict[int, Any]:
    """Return the values that a trace may look at, None for those that are not special.

    >>> known_numbers(chosen_numbers([(1, bool)], [2, 3])), known_numbers(None)
    ({1: 3}, {})
    """
    return {place: None if one is None else one.value for place, one in numbers or ()}
