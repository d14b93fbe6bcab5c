"""Which numbers of a call is a plan made for? Special ones that an operation looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..trace.numbers import KnownNumber, known_number

#: (place among the numbers, what tells whether a value is special)
LookedAt = Sequence[tuple[int, Callable[[Any], bool]]]


#: By place the special ones among a call's numbers, None for each of those that are not special.
Known = Mapping[int, Any]


def known_numbers(places: LookedAt, scalars: Sequence[Any]) -> Known:
    """Return which numbers of a call a trace may look at.

    >>> known_numbers([(0, bool), (1, bool)], [3, 0])
    {0: 3, 1: None}
    """
    given = ((place, scalars[place], is_special) for place, is_special in places)
    return {place: number if is_special(number) else None for place, number, is_special in given}


def numbers_part(known: Known) -> tuple[tuple[int, KnownNumber | None], ...]:
    """Return what stands for them in a key.

    >>> numbers_part({0: 3, 1: None})
    ((0, (<class 'int'>, '3')), (1, None))
    """
    return tuple(
        (place, None if number is None else known_number(number)) for place, number in known.items()
    )
