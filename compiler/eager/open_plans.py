"""How does an operation run on sizes that were never seen? By a plan for the patterns of operands.

What a call is made of is divided in two: structure, which is the key of its plans, and numbers
(sizes, strides, the integers of slices), which a plan takes as they come. A plan is made once, on
symbols, by the same trace and passes as any other; it serves every call that passes its guards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import is_not
from typing import Any, TypeAlias

from ...dialects.attributes.dtype import DType
from ...dialects.attributes.expressions import symbol
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.settings import Settings, holding
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...dialects.ops.frame.opspec import OpSpec
from ...runtime.execution.artifact import Artifact
from ...runtime.execution.known_sizes import at_sizes
from ...runtime.executor import Executable, Run
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.overlap import is_first_apart
from ...runtime.tensors.tensor import Tensor
from ..driver import Traced, returned_structure
from ..plan_log import FIRST_CALL, logged, missed_guard
from ..plan_records import phase
from ..plan_table import NOTHING, Nothing, PlanTable, Sightings
from ..short_keys import ShortKey, are_wide, is_checked, is_moderate, key_of_values
from ..trace.not_traceable import NotTraceable
from ..trace.pytree import LEAF, Structure
from ..trace.tracer import Trace
from ..trace.writes import record_in_place, record_out
from .divided_calls import Call, Opener, depends_on_offset, divided, names_of_call, parameter_named
from .packing import is_plain, packing, type_of
from .plans import Goal, spelled_call

#: Plans for one key; a call that none of them takes has a plan for its own sizes.
MOST_PLANS = 16

#: Kinds of refused calls that are remembered for one key.
MOST_REFUSALS = 8

#: How often equalities are put into a new trace; each takes a symbol away.
MOST_TRACES = 8

#: How often calls of the same sizes come before they get a plan for these, which is found 4 us
#: sooner and takes 20 to 40 us to make.
OFTEN = 8

#: Why operations have no plans for all sizes, which is a flaw: the tests look that there is none.
REFUSED: deque[Exception] = deque(maxlen=64)


class OpenPlan:
    """A plan of a row for all sizes that pass its guards."""

    __slots__ = ("_result", "artifact", "env", "run")

    def __init__(self, traced: Traced, artifact: Artifact, env: ShapeEnv, run: PlanFunction):
        self.artifact = artifact
        self.env = env
        self._result = traced.result
        #: What runs it; it gives the tuple of several results in a list.
        pack = None if is_plain(traced.result) else packing(traced.result)
        self.run = run if pack is None else _packed(run, pack)

    def at(self, numbers: Sequence[int]) -> KnownPlan:
        """Return the plan for the sizes of one call alone."""
        values = dict(zip(self.env.hints, numbers, strict=True))
        return KnownPlan(at_sizes(self.artifact, values, self.env.scalars), self._result)


class OperandPlan:
    """A plan of a row whose result is an operand itself, as that of `x.contiguous()` is."""

    __slots__ = ("_guards", "_index", "env")
    artifact = None

    def __init__(self, index: int, env: ShapeEnv) -> None:
        self._index = index
        self.env = env
        self._guards = env.needed_guards()

    def run(
        self, tensors: Sequence[Tensor], _scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Tensor] | None:
        """Return the operand in a list; None if the guards do not take the numbers."""
        if self._guards:
            values = dict(zip(self.env.hints, numbers, strict=True))
            if not all(guard.holds(values) for guard in self._guards):
                return None
        return [tensors[self._index]]

    def at(self, _numbers: Sequence[int]) -> KnownOperand:
        """Return the plan for the sizes of one call alone."""
        return KnownOperand(self._index)


class KnownOperand:
    """The same for one size."""

    __slots__ = ("_index",)
    artifact = None

    def __init__(self, index: int) -> None:
        self._index = index

    def run(self, tensors: Sequence[Tensor], _scalars: Sequence[Any] = ()) -> list[Tensor]:
        """Return the operand in a list."""
        return [tensors[self._index]]


class KnownPlan:
    """A plan of a row for one size, which was a plan for all sizes."""

    __slots__ = ("artifact", "run")

    def __init__(self, artifact: Artifact, result: Structure) -> None:
        self.artifact = artifact
        #: What runs it; one that packs the tuple is there for every structure that has a plan.
        self.run: Any = packed(Executable(artifact).run, artifact, result)


AnyPlan: TypeAlias = OpenPlan | OperandPlan


def packed(run: Run, artifact: Artifact, result: Structure) -> Callable[..., Any] | None:
    """Return what runs a plan and gives its result, or the tuple of several, in a sequence.

    None for results that are neither. It says what it runs, and of which class the tuple is.
    """
    if is_plain(result):
        return run
    pack = packing(result)
    if pack is None:
        return None

    def run_and_pack(tensors: Sequence[Tensor], scalars: Sequence[Any] = ()) -> Any:
        return (pack(run(tensors, scalars)),)

    made: Any = run_and_pack
    made.artifact, made.result_type = artifact, type_of(result)
    return run_and_pack


def _packed(run: PlanFunction, pack: Callable[[Any], Any]) -> PlanFunction:
    def run_and_pack(
        tensors: Sequence[Tensor], scalars: Sequence[Any], numbers: Sequence[int]
    ) -> list[Any] | None:
        results = run(tensors, scalars, numbers)
        return None if results is None else [pack(results)]

    return run_and_pack


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
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        settings: Settings,
        short: ShortKey,
        goal: Goal = "value",
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
            choices = self._plans.get(key, lambda: _Choices(_checks(row, keywords, key, tensors)))
            self._plans.shorten(key, key, choices)
        if choices.is_checked and not (choices.is_wide and all(map(is_moderate, scalars))):
            row.refuse_numbers(row.schema.bind(arguments, keywords))
        for plan in choices.plans:
            results = plan.run(tensors, scalars, numbers)
            if results is not None:
                self._hits += 1
                if short[0] is not None and not self._sightings.count(short[0]) % OFTEN:
                    self._shorten(row, (arguments, keywords), short, call, plan)
                return results
        if choices.is_closed or any(refusal.is_for(numbers) for refusal in choices.refusals):
            return None
        plan = self._another(
            *(key, choices, numbers, lambda: names_of_call(row, arguments, keywords, out)),
            lambda: _make(row, arguments, keywords, settings, goal, out),
        )
        return None if plan is None else plan.run(tensors, scalars, numbers)

    def find(self, call: Call) -> tuple[AnyPlan, Sequence[int]] | None:
        """Return the plan that takes a call and its sizes, for who explains it."""
        key, _, _, numbers = call
        choices = self._plans.find(key)
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
        except _Refused as error:
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


@dataclass(frozen=True, slots=True)
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

    __slots__ = ("is_checked", "is_closed", "is_wide", "plans", "refusals")

    def __init__(self, checks: tuple[bool, bool]) -> None:
        #: Whether the row refuses some numbers, and whether none of moderate size.
        self.is_checked, self.is_wide = checks
        self.plans: tuple[AnyPlan, ...] = ()
        #: What calls PyTorch refuses: they go to plans of their own at once.
        self.refusals: tuple[_Refusal, ...] = ()
        #: Whether no plan can be made for it, or no more.
        self.is_closed = False


class _Refusal:
    """Which calls are refused while they are traced on symbols."""

    def __init__(self, env: ShapeEnv) -> None:
        self._names = list(env.hints)
        # What the words of the error say of sizes is no reason for it.
        taken = env.guards if env.before_spelling is None else env.before_spelling
        self._guards = [Guard("==", symbol(name) - value) for name, value in env.equal.items()]
        self._guards += taken

    def is_for(self, numbers: Sequence[int]) -> bool:
        """Whether a call with these numbers would be refused, too."""
        values = dict(zip(self._names, numbers, strict=True))
        return all(guard.holds(values) for guard in self._guards)


class _Refused(Exception):
    """PyTorch refuses a call, and its own plan says why."""

    def __init__(self, refusal: _Refusal) -> None:
        super().__init__()
        #: Apart from the error, whose frames hold tensors.
        self.refusal = refusal


def call_for_writing(call: Call, out: Tensor | None) -> Call | None:
    """Return a call that writes into its first tensor, or into `out`; None if others overlap it."""
    key, tensors, scalars, numbers = call
    if out is not None:
        key = (*key, out.spec.pattern)
        tensors = [out, *tensors]
        numbers = [*out.spec.numbers, *numbers]
    return (key, tensors, scalars, numbers) if is_first_apart(tensors) else None


def _checks(
    row: OpSpec, keywords: Mapping[str, Any], key: tuple[Any, ...], tensors: Sequence[Tensor]
) -> tuple[bool, bool]:
    names_dtype = any(type(part) is tuple and part[:1] == (DType,) for part in key)
    return is_checked(row, keywords), not names_dtype and are_wide(tensors)


def _make(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
    settings: Settings,
    goal: Goal,
    out: Tensor | None,
) -> AnyPlan | None:
    """Trace a call on symbols, and compile it; once more if sizes turned out to be equal."""
    if _holds_values(row, arguments, keywords):
        return None
    with holding(settings):
        env: ShapeEnv | None = None
        for _ in range(MOST_TRACES):
            env = ShapeEnv(env)
            opener = Opener(Trace(row.name), env)
            try:
                with phase("trace"):
                    target = None if out is None else opener.opened_tensor(out)
                    bound = _bound(row, opener, arguments, keywords)
                    traced = _trace(row, opener.trace, bound, goal, target)
            except NotTraceable:
                raise
            except TrilithError as error:
                raise _Refused(_Refusal(env)) from error
            if traced is None:
                return None
            if isinstance(traced, int):
                return OperandPlan(traced, env)
            if not env.has_learned:
                artifact = traced.lower(in_place=True).artifact()
                with phase("load"):
                    run = plan_function(artifact, env)
                return None if run is None else OpenPlan(traced, artifact, env, run)
    return None


def _holds_values(row: OpSpec, arguments: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
    """Whether a tensor stands where a number belongs: binding asks for its value."""
    given = [*zip(row.schema.positional, arguments, strict=False)]
    named = [(parameter_named(row, name), value) for name, value in keywords.items()]
    return any(
        isinstance(value, Tensor) and parameter is not None and not parameter.is_operand
        for parameter, value in (*given, *named)
    )


def _bound(
    row: OpSpec, opener: Opener, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    if row.binder is not None:
        if depends_on_offset(row, arguments, keywords):
            opener.trace.offsets = opener.offsets = []
        values = [opener.opened_by_kind(row, value) for value in arguments]
        items = {name: opener.opened_by_kind(row, value) for name, value in keywords.items()}
        return row.schema.bind(values, items)
    positional = row.schema.positional
    given: list[Any] = []
    for index, value in enumerate(arguments):
        parameter = positional[index]
        if parameter.is_variadic and type(value) is int:
            given.append(opener.opened(row, parameter, arguments[index:]))
            break
        given.append(opener.opened(row, parameter, value))
    named: dict[str, Any] = {}
    for name, value in keywords.items():
        parameter = parameter_named(row, name)
        assert parameter is not None
        named[name] = opener.opened(row, parameter, value)
    return row.schema.bind(given, named)


def _trace(
    row: OpSpec, trace: Trace, bound: dict[str, Any], goal: Goal, out: Any
) -> Traced | int | None:
    """Return the row as IR, or the number of the operand that is the result."""
    if goal != "value":
        if out is None:
            trace.record(record_in_place, trace, row, bound)
        else:
            trace.record(record_out, trace, row, bound, out, resizes=False)
        module = trace.finish([])
        return Traced(row.name, module, LEAF, ("none",), (), (), trace.written)
    result = trace.record(trace.apply_bound, row, bound)
    for index, argument in enumerate(trace.arguments):
        if result is argument:
            return index
    structure, outputs, same = returned_structure(trace, result, row.name)
    if same or trace.captured or not (is_plain(structure) or packing(structure)):
        return None
    return Traced(row.name, trace.finish(outputs), LEAF, structure, (), same, trace.written)
