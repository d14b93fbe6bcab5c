"""How does an operation run on sizes that were never seen? By a plan for the patterns of operands.

What a call is made of is divided in two: structure, which is the key of its plans, and numbers
(sizes, strides, the integers of slices), which a plan takes as they come. A plan is made once, on
symbols, by the same trace and passes as any other; it serves every call that passes its guards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import is_not
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.settings import Settings
from ...dialects.diagnostics import TrilithError
from ...dialects.frames import warnings_given
from ...dialects.locks import imported
from ...dialects.records import record
from ...runtime.tensors.overlap import is_first_apart
from ...runtime.tensors.tensor import Tensor
from ..plan_log import FIRST_CALL, logged, missed_guard
from ..plan_table import NOTHING, Nothing, PlanTable, Sightings
from ..short_keys import ShortKey, are_wide, is_checked, is_moderate, key_of_values
from ..stored.calls import Call, depends_on_offset, divided, leasts_of, spelled_call
from ..stored.key_texts import text_of_call
from ..stored.known_rows import KnownRow, NotKnown
from ..stored.noted_calls import UNKNOWN, NotedCalls
from ..stored.plans import StoredPlans, stored_plans
from ..trace.not_traceable import NotTraceable
from .row_plans import AnyPlan, Refusal, Refused
from .stored_forms import plan_of_form, stored_form

if TYPE_CHECKING:
    # What makes plans is loaded for the first one that is not on the disk.
    from ...dialects.ops.frame.row import OpSpec

#: What becomes of the result: see `plans.Goal`.
_Goal: TypeAlias = Literal["value", "in place", "out", "spec"]

#: Plans for one key; a call that none of them takes has a plan for its own sizes.
MOST_PLANS = 16

#: Kinds of refused calls that are remembered for one key.
MOST_REFUSALS = 8

#: How often calls of the same sizes come before they get a plan for these, which is found 4 us
#: sooner and takes 20 to 40 us to make.
OFTEN = 8

#: Why operations have no plans for all sizes, which is a flaw: the tests look that there is none.
REFUSED: deque[Exception] = deque(maxlen=64)


class OpenPlans:
    """The plans of rows for all sizes; sizes that come often get shortcuts in a table."""

    def __init__(self, limit: int, table: PlanTable[Any, Any]) -> None:
        """Remember plans for so many keys."""
        self._plans: PlanTable[Any, _Choices] = PlanTable(limit)
        #: The same by key and number.
        self._made: PlanTable[Any, AnyPlan | Nothing] = PlanTable(limit)
        self._table = table
        self._sightings = Sightings(4096)
        self._made_count = self._known_count = self._hits = 0

    def __len__(self) -> int:
        """Return how many plans were made."""
        return self._made_count

    def stats(self) -> OpenStats:
        """Return what is remembered, and counters."""
        choices = self._plans.plans()
        return OpenStats(
            sum(len(found.plans) for found in choices),
            sum(found.is_closed and len(found.plans) < MOST_PLANS for found in choices),
            *(self._made_count, self._known_count, self._hits),
        )

    def clear(self) -> None:
        """Forget every plan."""
        self._plans.clear()
        self._made.clear()
        self._sightings.clear()

    def run(
        self,
        row: OpSpec | KnownRow,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        settings: Settings,
        short: ShortKey,
        goal: _Goal = "value",
        out: Tensor | None = None,
    ) -> list[Tensor] | None:
        """Run a call; None if no plan takes it and none can be made: then its own plan runs it.

        `short` is what a shortcut of the call is found by, if it has one. What is written to has no
        elements that are one.
        """
        call = divided(row, arguments, keywords, [row, goal, settings])
        if call is None:
            return None
        if goal != "value":
            call = call_for_writing(call, out)
            if call is None:
                return None
        key, tensors, scalars, numbers = call
        choices = self._plans.shortcuts.get(key)
        if choices is None:
            choices = self._plans.get(key, lambda: _choices(row, keywords, key, tensors, goal))
            self._plans.shorten(key, key, choices)
        if choices.is_checked and not (choices.is_wide and all(map(is_moderate, scalars))):
            _check_numbers(row, arguments, keywords, call, choices)
        for plan in choices.plans:
            results = plan.run(tensors, scalars, numbers)
            if results is not None:
                self._hits += 1
                if short[0] is not None and not self._sightings.count(short[0]) % OFTEN:
                    self._shorten(cast("OpSpec", row), (arguments, keywords), short, call, plan)
                return results
        if choices.is_closed or any(refusal.is_for(numbers) for refusal in choices.refusals):
            return None
        call_of_row = (row, arguments, keywords, settings, goal, out)
        plan = self._another(
            *(key, choices, numbers, lambda: _names().names_of_call(row, arguments, keywords, out)),
            lambda: _found_or_made(call, *call_of_row),
        )
        return None if plan is None else plan.run(tensors, scalars, numbers)

    def find(self, call: Call) -> tuple[AnyPlan, Sequence[int]] | None:
        """Return the plan that takes a call and its sizes, for who explains it."""
        key, _, _, numbers = call
        choices = self._plans.look(key)
        for plan in () if choices is None else choices.plans:
            if plan.env.takes(numbers):
                return plan, numbers
        return None

    def _shorten(
        self,
        row: OpSpec,
        given: tuple[tuple[Any, ...], dict[str, Any]],
        short: ShortKey,
        call: Call,
        plan: AnyPlan,
    ) -> None:
        """Let calls of these very sizes find a plan for them, by their short key."""
        _, tensors, scalars, numbers = call
        if depends_on_offset(row, *given):
            return
        if row.is_factory and len(tensors) > (call[0][1] == "out"):
            # Made like a tensor, but perhaps on the default device, which is no part of the key.
            return
        key = key_of_values(row, given[1], short)
        expected = (*short[1], *short[2])
        taken = (*tensors, *scalars)
        if len(expected) != len(taken) or any(map(is_not, expected, taken)):
            return
        known = plan.at(numbers)
        if known is None:
            return
        self._known_count += 1
        self._table.put(key, known)
        self._table.shorten(key, key, known.run)

    def _another(
        self,
        key: Any,
        choices: _Choices,
        numbers: Sequence[int],
        names: Callable[[], Sequence[str]],
        make: Callable[[], AnyPlan | None],
    ) -> AnyPlan | None:
        """Return one more plan, made once however many threads ask; None if none can be made."""
        known: Any = choices.plans
        row, goal, *_ = key
        name = spelled_call(row, goal)

        def why() -> str:
            if not known:
                return FIRST_CALL
            return missed_guard(known[0].env, numbers, names())

        try:
            plan = self._made.get((key, len(known)), lambda: logged(make, name, why) or NOTHING)
        except Refused as error:
            # Its own plan says why, with the numbers of the call, and 300 us sooner next time.
            choices.refusals = (error.refusal, *choices.refusals[: MOST_REFUSALS - 1])
            return None
        except NotTraceable:
            # It needs what no plan for all sizes has.
            plan = NOTHING
        except TrilithError:
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
            self._made_count += 1
        return plan


@record
class OpenStats:
    """What a table of plans for all sizes remembers, and what it has done so far.

    `closed` counts the kinds of calls that no such plan can be made for, `made` all plans that were
    made, `known` the plans for one size that were made of them, `hits` calls that found one.
    """

    plans: int
    closed: int
    made: int
    known: int
    hits: int


class _Choices:
    """The plans for one key, the newest first."""

    __slots__ = ("accepted", "is_checked", "is_closed", "is_wide", "plans", "refusals")

    def __init__(self, checks: tuple[bool, bool], accepted: NotedCalls | None) -> None:
        #: Which numbers the row has let through, if that is kept.
        self.accepted = accepted
        #: Whether the row refuses some numbers, and whether none of moderate size.
        self.is_checked, self.is_wide = checks
        self.plans: tuple[AnyPlan, ...] = ()
        #: What calls PyTorch refuses: they go to plans of their own at once.
        self.refusals: tuple[Refusal, ...] = ()
        #: Whether no plan can be made for it, or no more.
        self.is_closed = False


def call_for_writing(call: Call, out: Tensor | None) -> Call | None:
    """Return a call that writes into its first tensor, or into `out`; None if others overlap it."""
    key, tensors, scalars, numbers = call
    if out is not None:
        key = (*key, out.spec.pattern)
        tensors = [out, *tensors]
        numbers = [*out.spec.numbers, *numbers]
    return (key, tensors, scalars, numbers) if is_first_apart(tensors) else None


def _choices(
    row: OpSpec | KnownRow,
    keywords: Mapping[str, Any],
    key: tuple[Any, ...],
    tensors: Sequence[Tensor],
    goal: _Goal,
) -> _Choices:
    names_dtype = any(type(part) is tuple and part[:1] == (DType,) for part in key)
    checks = is_checked(row, keywords), not names_dtype and are_wide(tensors)
    is_stored = checks[0] and goal != "out"
    stored = stored_plans(text_of_call(key, tensors)) if is_stored else None
    return _Choices(checks, None if stored is None else NotedCalls(stored))


def _check_numbers(
    row: OpSpec | KnownRow,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    call: Call,
    choices: _Choices,
) -> None:
    """Refuse a call by its numbers; what is not loaded knows those that were let through."""
    accepted, (_, _, scalars, numbers) = choices.accepted, call
    if isinstance(row, KnownRow):
        if accepted is None or accepted.find(scalars, numbers) is UNKNOWN:
            raise NotKnown
        return
    row.refuse_numbers(row.schema.bind(arguments, keywords))
    if accepted is not None:
        accepted.add(scalars, numbers)


def _found_or_made(
    call: Call,
    row: OpSpec | KnownRow,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    goal: _Goal,
    out: Tensor | None,
) -> AnyPlan | None:
    """Return the plan on the disk that takes a call, or a new one."""
    stored = None if out is not None else stored_plans(text_of_call(call[0], call[1]))
    if stored is not None:
        found = _found(stored, call[3], leasts_of(row, arguments, keywords))
        if found is not None:
            return found
    if isinstance(row, KnownRow):
        raise NotKnown
    warnings = warnings_given()
    plan = _traces().make(row, arguments, keywords, settings, goal, out)
    # What warns when it is made must warn in the next process, too.
    if stored is not None and plan is not None and warnings_given() == warnings:
        form = stored_form(plan)
        if form is not None:
            stored.put(form[0], plan.env, form[1], call[3])
    return plan


def _found(
    stored: StoredPlans, numbers: Sequence[int], leasts: Sequence[int | None]
) -> AnyPlan | None:
    """Return the plan on the disk that takes the numbers of a call, if there is one."""
    found = stored.find_at(numbers)
    if found is None:
        return None
    try:
        return plan_of_form(stored, numbers, leasts, *found)
    except TrilithError:
        return None  # it is not what it should be


@cache
def _traces() -> Any:
    """Import what traces a call on symbols, and compiles it."""
    return imported(".open_traces", __package__)


@cache
def _names() -> Any:
    """Import what calls the numbers of a call by name."""
    return imported(".call_names", __package__)
