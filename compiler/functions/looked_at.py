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
from ..trace.argument_names import argument_names
from ..trace.not_traceable import NumberNeeded, is_any
from ..trace.numbers import KnownNumber, known_number
from ..trace.pytree import leaves_of
from .static_arguments import Static

#: So many values of a number have plans of their own before their user is told.
FEW_VALUES = 8

#: (index among the numbers, what tells whether a value is special)
LookedAt = Sequence[tuple[int, Callable[[Any], bool]]]


#: By index the special ones among a call's numbers, None for each of those that are not special.
Known = Mapping[int, Any]


class Values(NamedTuple):
    """What a plan holds of the values in a call; the same ones have one key."""

    static: Static
    #: Those of the numbers that operations look at.
    numbers: Known = MappingProxyType({})


class ValuesNotice:
    """The warning that a function is compiled for each of many values of a number: once."""

    __slots__ = ("_is_given", "_seen")

    def __init__(self) -> None:
        """Nothing has been seen."""
        self._seen: set[tuple[int, KnownNumber | None]] = set()
        self._is_given = False

    def see(self, function: Callable[..., Any], key: PlanKey, looked_at: LookedAt) -> None:
        """Warn if a call has one value more of a number that the function itself looks at."""
        if self._is_given:
            return
        numbers = dict(key.numbers or ())
        for index in [index for index, is_special in looked_at if is_special is is_any]:
            self._seen.add((index, numbers[index]))
            count = sum(which == index for which, _ in list(self._seen))
            if count > FEW_VALUES:
                self._is_given = True
                self._give(function, key, index, count)
                return

    def _give(self, function: Callable[..., Any], key: PlanKey, index: int, count: int) -> None:
        names = argument_names(function, cast("Any", key.work))
        kinds = zip(names, key.operands, strict=True)
        argument = [name for name, spec in kinds if isinstance(spec, ScalarSpec)][index]
        name = getattr(function, "__name__", type(function).__name__)
        text = (
            f"{name}() is compiled for each value of '{argument}', {count} so far: its "
            "code looks at the value\n"
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
) -> frozenset[int]:
    """Note that a kind of calls needs one number more, and where those stand that it is made for.

    The places are those, among the arguments by position, of numbers of which every value is one.
    """
    found = *(known or ()), (needed.index, needed.is_looked_at)
    table.put(pattern_key(key), found)
    return _positions(key, {index for index, is_special in found if is_special is is_any})


def is_covered(key: PlanKey, kinds: Sequence[Any]) -> bool:
    """Whether the short key of a call holds all values that its plan is for."""
    numbers = {index for index, _ in key.numbers or ()}
    places = _positions(key, numbers) if numbers else frozenset[int]()
    return len(places) == len(numbers) and all(type(kinds[place]) is tuple for place in places)


def _positions(key: PlanKey, numbers: Set[int]) -> frozenset[int]:
    """Return the positions of the arguments that are these numbers of a call, by their indices."""
    _, _, (positional, _) = cast("Any", key.work)
    found: set[int] = set()
    operands, count = iter(key.operands), 0
    for place, child in enumerate(positional[2]):
        for spec in islice(operands, leaves_of(child)):
            if isinstance(spec, ScalarSpec):
                if child[0] == "leaf" and count in numbers:
                    found.add(place)
                count += 1
    return frozenset(found)
