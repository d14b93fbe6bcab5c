"""Which numbers of a call is a plan made for? Special ones that an operation looks at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..plan_key import PlanKey
from ..trace.numbers import KnownNumber, known_number

#: (index among the numbers, what tells whether a value is special)
LookedAt = Sequence[tuple[int, Callable[[Any], bool]]]


#: By index the special ones among a call's numbers, None for each of those that are not special.
Known = Mapping[int, Any]


def known_numbers(looked_at: LookedAt, scalars: Sequence[Any]) -> Known:
    """Return which numbers of a call a trace may look at.

    >>> known_numbers([(0, bool), (1, bool)], [3, 0])
    {0: 3, 1: None}
    """
    given = ((index, scalars[index], is_special) for index, is_special in looked_at)
    return {index: number if is_special(number) else None for index, number, is_special in given}


def with_numbers(
    key: PlanKey, looked_at: LookedAt, scalars: Sequence[Any]
) -> tuple[PlanKey, Known]:
    """Return a key for the numbers of a call that operations look at, and these."""
    known = known_numbers(looked_at, scalars)
    return key._replace(numbers=numbers_part(known)), known


def numbers_part(known: Known) -> tuple[tuple[int, KnownNumber | None], ...]:
    """Return what stands for them in a key.

    >>> numbers_part({0: 3, 1: None})
    ((0, (<class 'int'>, '3')), (1, None))
    """
    return tuple(
        (index, None if number is None else known_number(number)) for index, number in known.items()
    )
