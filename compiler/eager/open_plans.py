"""How does an operation run on sizes that were never seen? By a plan for the patterns of operands.

What a call is made of is divided in two: structure, which is the key of its plans, and numbers
(sizes, strides, the integers of slices), which a plan takes as they come. A plan is made once, on
symbols, by the same trace and passes as any other; it serves every call that passes its guards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.settings import Settings
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...dialects.frames import warnings_given
from ...dialects.locks import imported
from ...runtime.executor import Executable, Run
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.tensor import Tensor
from ..plan_log import logged, missed_guard
from ..plan_table import NOTHING, Nothing, PlanTable
from ..short_keys import are_wide, is_checked, is_moderate
from ..stored.calls import divided, leasts_of
from ..stored.key_texts import text_of_call
from ..stored.known_rows import KnownRow, NotKnown
from ..stored.plans import StoredPlans, stored_plans

if TYPE_CHECKING:
    # What makes plans is loaded for the first one that is not on the disk.
    from ...dialects.ops.frame.opspec import OpSpec

#: Plans for one key; a call that none of them takes has a plan for its own sizes.
MOST_PLANS = 16

#: Why operations have no plans for all sizes, which is a flaw: the tests look that there is none.
REFUSED: deque[Exception] = deque(maxlen=64)


class OpenPlans:
    """The plans of rows for all sizes."""

    def __init__(self, limit: int) -> None:
        """Remember plans for so many keys."""
        self._plans: PlanTable[Any, _Choices] = PlanTable(limit)
        #: The same by key and number.
        self._made: PlanTable[Any, PlanFunction | Nothing] = PlanTable(limit)
        self._count = 0

    def __len__(self) -> int:
        """Return how many plans were made."""
        return self._count

    def clear(self) -> None:
        """Forget every plan."""
        self._plans.clear()
        self._made.clear()

    def run(
        self,
        row: OpSpec | KnownRow,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        settings: Settings,
        *,
        in_place: bool = False,
    ) -> list[Tensor] | None:
        """Run a call; None if no plan takes it and none can be made: then its own plan runs it."""
        call = divided(row, arguments, keywords, [row, in_place, settings])
        if call is None:
            return None
        key, tensors, scalars, numbers = call
        choices = self._plans.shortcuts.get(key)
        if choices is None:
            if not _is_usual(row):
                return None
            choices = self._plans.get(key, lambda: _Choices(_checks(row, keywords, key, tensors)))
            self._plans.shorten(key, key, choices)
        if choices.is_checked and not (choices.is_wide and all(map(is_moderate, scalars))):
            row.refuse_numbers(row.schema.bind(arguments, keywords))
        for plan in choices.plans:
            results = plan(tensors, scalars, numbers)
            if results is not None:
                return results
        if choices.is_closed:
            return None

        def make() -> PlanFunction | None:
            stored = stored_plans(text_of_call(key, tensors))
            found = (
                None
                if stored is None
                else _found(stored, numbers, leasts_of(row, arguments, keywords))
            )
            if found is not None:
                return found
            if isinstance(row, KnownRow):
                raise NotKnown
            return _made(row, arguments, keywords, settings, in_place, stored)

        plan = self._another(key, choices, numbers, make)
        return None if plan is None else plan(tensors, scalars, numbers)

    def _another(
        self,
        key: Any,
        choices: _Choices,
        numbers: Sequence[int],
        make: Callable[[], PlanFunction | None],
    ) -> PlanFunction | None:
        """Return one more plan, made once however many threads ask; None if none can be made."""
        known: Any = choices.plans
        name = f"{key[0].name}(){' in place' if key[1] else ''}"

        def why() -> str:
            if not known:
                return "the first call with operands of this kind"
            return missed_guard(known[0].env, numbers)

        try:
            plan = self._made.get((key, len(known)), lambda: logged(make, name, why) or NOTHING)
        except TrilithError:
            # A call that is refused: its own plan says why, with the numbers of the call.
            return None
        except (AssertionError, TypeError, ValueError, ArithmeticError) as error:
            # Something in the compiler takes no expressions: each size has a plan of its own.
            REFUSED.append(error)
            plan = NOTHING
        if isinstance(plan, Nothing):
            choices.is_closed = True
            return None
        if choices.plans is known:
            choices.plans = (plan, *known)
            choices.is_closed = len(choices.plans) >= MOST_PLANS
            self._count += 1
        return plan


class _Choices:
    """The plans for one key, the newest first."""

    __slots__ = ("is_checked", "is_closed", "is_wide", "plans")

    def __init__(self, checks: tuple[bool, bool]) -> None:
        #: Whether the row refuses some numbers, and whether none of moderate size.
        self.is_checked, self.is_wide = checks
        self.plans: tuple[PlanFunction, ...] = ()
        #: Whether no plan can be made for it, or no more.
        self.is_closed = False


def _is_usual(row: OpSpec | KnownRow) -> bool:
    """Whether binding a call looks at nothing but the schema: plans for all sizes can be made."""
    return row.binder is None and not row.looks_at_offset


def _checks(
    row: OpSpec | KnownRow,
    keywords: Mapping[str, Any],
    key: tuple[Any, ...],
    tensors: Sequence[Tensor],
) -> tuple[bool, bool]:
    names_dtype = any(type(part) is tuple and part[:1] == (DType,) for part in key)
    return is_checked(row, keywords), not names_dtype and are_wide(tensors)


class _StoredRun:
    """Runs a plan of the disk: for its first numbers by what is soon made, then for all."""

    __slots__ = ("_first", "_leasts", "_numbers", "_plan", "_stored")

    def __init__(
        self, stored: StoredPlans, numbers: Sequence[int], leasts: Sequence[int | None], first: Run
    ) -> None:
        self._stored, self._leasts = stored, leasts
        self._numbers, self._first = list(numbers), first
        self._plan: PlanFunction | None = None

    def __call__(
        self, tensors: Sequence[Tensor], scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Tensor] | None:
        """Do what a plan function does."""
        if self._plan is not None:
            return self._plan(tensors, scalars, numbers)
        if numbers == self._numbers:
            return self._first(tensors, scalars)
        plan = self._for_all()
        return None if plan is None else plan(tensors, scalars, numbers)

    @property
    def env(self) -> ShapeEnv:
        """What is known of its symbols."""
        plan: Any = self._for_all()
        return ShapeEnv() if plan is None else plan.env

    def _for_all(self) -> PlanFunction | None:
        if self._plan is None:
            found = self._stored.find(self._numbers, self._leasts)
            try:
                self._plan = None if found is None else plan_function(found.artifact, found.env)
            except TrilithError:
                return None  # it is not what it should be
        return self._plan


def _found(
    stored: StoredPlans, numbers: Sequence[int], leasts: Sequence[int | None]
) -> PlanFunction | None:
    """Return the plan on the disk that takes the numbers of a call, if there is one."""
    found = stored.find_at(numbers)
    if found is None:
        return None
    try:
        return _StoredRun(stored, numbers, leasts, Executable(found[0]).run)
    except TrilithError:
        return None  # it is not what it should be


def _made(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    in_place: bool,
    stored: StoredPlans | None,
) -> PlanFunction | None:
    """Make a plan, and store it unless it warns when it is made, or packs its results."""
    warnings = warnings_given()
    made = _traces().make(row, arguments, keywords, settings, in_place)
    if made is None:
        return None
    is_silent = warnings_given() == warnings
    if stored is not None and is_silent and made.is_plain:
        stored.put(made.artifact, made.env, {})
    return made.plan


@cache
def _traces() -> Any:
    """Import what traces a call on symbols, and compiles it."""
    return imported(".open_traces", __package__)
