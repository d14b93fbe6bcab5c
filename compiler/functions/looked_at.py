"""Which numbers of a call is a plan made for? Special ones that an operation looks at.

A number that the program itself looks at, as `range(n)` and `if n` do, is special in every value.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence, Set
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from ...dialects.attributes.spec import ScalarSpec
from ...dialects.diagnostics import TrilithWarning, user_location
from ..plan_key import PlanKey, pattern_key
from ..plan_table import PlanTable
from ..short_keys import Places
from ..trace.argument_names import argument_names
from ..trace.not_traceable import NumberNeeded, is_any
from ..trace.numbers import KnownNumber, known_number
from ..trace.pytree import Structure, leaves_of
from .static_arguments import Static

#: So many values of a number have plans of their own before their user is told.
FEW_VALUES = 8
#: So many have plans at all: calls with other values run step by step.
MOST_VALUES = 64

#: (index among the numbers, what tells whether a value is special)
LookedAt = Sequence[tuple[int, Callable[[Any], bool]]]


#: By index the special ones among a call's numbers, None for each of those that are not special.
Known = Mapping[int, Any]


class Values(NamedTuple):
    """What a plan holds of the values in a call; the same ones have one key."""

    static: Static
    #: Those of the numbers that operations look at.
    numbers: Known = MappingProxyType({})


class ValuesSeen:
    """Which values of numbers a function has been compiled for; it warns once of many."""

    __slots__ = ("_is_told", "_seen")

    def __init__(self) -> None:
        """Nothing has been seen."""
        self._seen: dict[int, set[KnownNumber | None]] = {}
        self._is_told = False

    def takes(self, function: Callable[..., Any], key: PlanKey, looked_at: LookedAt) -> bool:
        """Whether the numbers of a call that the function itself looks at have a plan, or shall.

        There is one warning, when they are many.
        """
        numbers = dict(key.numbers or ())
        indices = [index for index, is_special in looked_at if is_special is is_any]
        for index in indices:
            values = self._seen.setdefault(index, set())
            if numbers[index] in values:
                continue
            if len(values) >= MOST_VALUES:
                return False
            values.add(numbers[index])
            if len(values) > FEW_VALUES and not self._is_told:
                self._is_told = True
                self._tell(function, key, index, len(values))
        return True

    def _tell(self, function: Callable[..., Any], key: PlanKey, index: int, count: int) -> None:
        names = argument_names(function, cast("Any", key.work))
        kinds = zip(names, key.operands, strict=True)
        argument = [name for name, spec in kinds if isinstance(spec, ScalarSpec)][index]
        name = getattr(function, "__name__", type(function).__name__)
        text = (
            f"{name}() is compiled for each value of '{argument}', {count} so far: its "
            f"code looks at the value. After {MOST_VALUES} it will run step by step for others\n"
            f"  hint: compute with tensors, such as tri.tensor({argument}), or leave it uncompiled"
        )
        where = user_location()
        file, line = ("<unknown>", 1) if where is None else (where.file, where.line)
        warnings.warn_explicit(text, TrilithWarning, file, line)


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


def learn(
    table: PlanTable[PlanKey, LookedAt],
    key: PlanKey,
    known: LookedAt | None,
    needed: NumberNeeded,
) -> Places:
    """Note that a kind of calls needs one number more, and where those stand that it is made for.

    The places are those of numbers of which every value is one.
    """
    found = *(known or ()), (needed.index, needed.is_looked_at)
    table.put(pattern_key(key), found)
    return _positions(key, {index for index, is_special in found if is_special is is_any})


def is_covered(key: PlanKey, kinds: Sequence[Any]) -> bool:
    """Whether the short key of a call holds all values that its plan is for."""
    numbers = {index for index, _ in key.numbers or ()}
    if not numbers:
        return True
    _, _, (positional, named) = cast("Any", key.work)
    order = dict(zip(_places(positional, named), kinds, strict=False))
    places = _positions(key, numbers)
    return len(places) == len(numbers) and all(type(order[place]) is tuple for place in places)


def _places(positional: Structure, named: Structure) -> list[int | str]:
    return [*range(len(positional[2])), *named[1]]


def _positions(key: PlanKey, numbers: Set[int]) -> Places:
    """Return the places of the arguments that are these numbers of a call, by their indices."""
    _, _, (positional, named) = cast("Any", key.work)
    found: set[int | str] = set()
    operands, count = iter(key.operands), 0
    children = *positional[2], *named[2]
    for place, child in zip(_places(positional, named), children, strict=True):
        for spec in islice(operands, leaves_of(child)):
            if isinstance(spec, ScalarSpec):
                if child[0] == "leaf" and count in numbers:
                    found.add(place)
                count += 1
    return frozenset(found)
