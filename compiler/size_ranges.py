"""Which sizes does no plan take yet? Looked for among all of them, or, of too many, among some.

Where the ranges of the dims hold few sizes each of them is looked at, in arrays. Else candidates
are: what is near the ends of the ranges, near the numbers in the guards, near powers of 2, and some
at random.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from ..dialects.attributes.dims import Dim
from ..dialects.attributes.facts import Guard
from ..dialects.attributes.hints import usual_hint

#: So many sizes are looked at one by one, and so many candidates.
MOST_SIZES, MOST_CANDIDATES = 1 << 20, 1 << 16
_LARGEST = 1 << 40


class Sizes:
    """All sizes of the ranges of some dims."""

    def __init__(self, dims: Sequence[Dim]) -> None:
        """Look at ranges; without dims there is one size, which has no numbers."""
        self.dims = dims
        count = 1
        for dim in dims:
            count *= _LARGEST if dim.max is None else dim.max - dim.min + 1
        #: Whether all sizes are looked at.
        self.is_complete = count <= MOST_SIZES
        self._left = self._all() if self.is_complete else None
        self._known = 0
        self._random = Random(0)

    def next_left(
        self, plans: Sequence[tuple[Mapping[str, int], Sequence[Guard]]]
    ) -> dict[str, int] | None:
        """Return sizes that none of the plans takes, None if there are none.

        >>> from trilith.dialects.attributes.expressions import constant, symbol
        >>> sizes = Sizes([Dim("n", min=0, max=50)])
        >>> first = Guard(">=", constant(44) - symbol("n"))
        >>> sizes.next_left([]), sizes.next_left([({}, [first])])
        ({'n': 40}, {'n': 45})
        """
        if self._left is None:
            left = self._candidates(plans)
            for plan in plans:
                left = self._without(left, plan)
        else:
            for plan in plans[self._known :]:
                self._left = self._without(self._left, plan)
            self._known = len(plans)
            left = self._left
        return self._usual(left) if len(left) else None

    def _all(self) -> Any:
        ranges = [range(dim.min, (dim.max or 0) + 1) for dim in self.dims]
        if not ranges:
            return np.zeros((1, 0), np.int64)
        axes = np.meshgrid(*(np.arange(r.start, r.stop) for r in ranges), indexing="ij")
        return np.stack([axis.ravel() for axis in axes], axis=1)

    def _candidates(self, plans: Sequence[tuple[Mapping[str, int], Sequence[Guard]]]) -> Any:
        numbers = {abs(f) for _, guards in plans for g in guards for _, f in g.expression.terms}
        usual = {*range(130), *(2**power for power in range(7, 41))}
        near = {n + step for n in (*numbers, *usual) for step in (-1, 0, 1)}
        columns: list[list[int]] = []
        for dim in self.dims:
            most = _LARGEST if dim.max is None else dim.max
            ends = {*range(dim.min, dim.min + 8), *range(most - 7, most + 1)}
            drawn = {self._random.randint(dim.min, most) for _ in range(200)}
            drawn |= {self._random.randint(dim.min, min(most, 5000)) for _ in range(200)}
            columns.append(sorted(n for n in near | ends | drawn if dim.min <= n <= most))
        count = 1
        for column in columns:
            count *= len(column)
        if count <= MOST_CANDIDATES:
            return np.array(list(itertools.product(*columns)), np.int64)
        choose = self._random.choice
        rows = [[choose(column) for column in columns] for _ in range(MOST_CANDIDATES // 8)]
        if len(columns) <= 6:
            # Combinations of small sizes are all there: 0 and 1 are structure.
            rows += map(list, itertools.product(*(column[:4] for column in columns)))
        if len(columns) <= 4:
            # So are those with the first numbers in guards, where the sizes of other plans begin.
            first = sorted(number for number in numbers if number > 4)[:4]
            edges = {number + step for number in first for step in (0, 1)}
            few = [[*column[:4], *(n for n in column[4:] if n in edges)] for column in columns]
            rows += map(list, itertools.product(*few))
        return np.array(rows, np.int64)

    def _without(self, left: Any, plan: tuple[Mapping[str, int], Sequence[Guard]]) -> Any:
        """Return the sizes that a plan does not take."""
        pins, guards = plan
        names = [dim.name for dim in self.dims]
        taken = np.ones(len(left), bool)
        for column, name in enumerate(names):
            values = left[:, column]
            taken &= values == pins[name] if name in pins else values >= 2
        most = int(left.max(initial=0))
        for guard in guards:
            # Only where the guards before hold: they say what can be divided by.
            rows = left[taken]
            if not len(rows):
                break
            kind = np.int64 if _is_small(guard, most) else object
            values = {name: rows[:, n].astype(kind) for n, name in enumerate(names)}
            taken[taken] = np.broadcast_to(_holds(guard, values), (len(rows),)).astype(bool)
        return left[~taken]

    def _usual(self, left: Any) -> dict[str, int]:
        """Return one of the sizes: like those that examples have, else the first."""
        wanted = [usual_hint(number) for number in range(len(self.dims))]
        distance = np.abs(left - np.array(wanted, np.int64)).sum(axis=1)
        # Sizes of 0 and 1 come last: plans for them have numbers there.
        distance += (left < 2).sum(axis=1) * (1 << 50)
        row = left[int(np.argmin(distance))]
        return {dim.name: int(value) for dim, value in zip(self.dims, row, strict=True)}


def _holds(guard: Guard, values: Mapping[str, Any]) -> Any:
    """Return where a guard holds. What it divides by is not 0 where the guards before it hold."""
    with np.errstate(all="ignore"):
        number: Any = guard.expression.evaluate(values)
    if guard.relation == ">=":
        return number >= 0
    return (number == 0) == (guard.relation == "==")


def _is_small(guard: Guard, most: int) -> bool:
    """Whether 64 bits suffice for sizes of at most `most`."""
    terms = guard.expression.terms
    has_quotients = any(not isinstance(atom, str) for monomial, _ in terms for atom in monomial)
    bound = sum(abs(factor) * most ** len(monomial) for monomial, factor in terms)
    return not has_quotients and bound < 1 << 62
