"""How does a compiled function run on sizes that it was not traced for? By a plan for all sizes.

The first call of a kind is traced for its sizes. When another size comes, the function is traced
once more, on symbols: what it asks of sizes becomes guards, and the plan serves every call that
passes them. One that no plan takes makes another plan, up to a limit; then each size has its own.

A network has dozens of parameters, whose sizes never change. Symbols for all of them would make a
trace slow and its guards many, and may be more than the function can be traced for; so where there
are many sizes, or no plan for all of them, those that were the same in all calls stay numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING, Any

from ...dialects.attributes.expressions import constant, symbol
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.opened_specs import opened
from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.frames import held_warnings, warnings_given
from ...dialects.locks import imported
from ...runtime.execution.artifact import Artifact
from ...runtime.execution.known_sizes import at_sizes
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors.generators import Draw, with_draws
from ...runtime.tensors.tensor import Tensor
from ..compiled import Compiled
from ..kept_operands import KeptOperands
from ..kernels.counters import KernelCounters
from ..plan_key import PlanKey
from ..plan_log import OTHER_SIZES, logged, missed_guard
from ..plan_records import phase
from ..plan_table import NOTHING, Nothing, PlanTable, Sightings
from ..trace.pytree import LEAF, unflatten
from .captured_gradients import refuse_gradients
from .from_disk import FoundProgram, record, store
from .looked_at import Known
from .reasons import name_of, names_of_sizes
from .sharing import are_apart

if TYPE_CHECKING:
    from ..driver import Traced
    from ..trace.number_checks import NumberCheck

#: Plans for one kind of call, and how often equalities are put into a new trace.
MOST_PLANS, MOST_TRACES = 16, 8

#: How many sizes and strides all become symbols, also those that were the same in all calls.
MOST_SYMBOLS = 32

#: How often the same sizes come before they get a plan of their own, which is found sooner.
OFTEN = 16


class OpenProgram:
    """A plan of a function for all sizes that pass its guards."""

    __slots__ = ("artifact", "checks", "draws", "env", "kept", "plan", "traced")

    def __init__(
        self,
        traced: Traced | FoundProgram,
        artifact: Artifact,
        env: ShapeEnv,
        plan: PlanFunction,
        checks: Sequence[NumberCheck] = (),
        kept: KeptOperands | None = None,
    ) -> None:
        self.traced = traced
        #: What is made of captured tensors once, and follows them.
        self.kept = kept
        #: What its operations ask of the numbers of a call.
        self.checks = checks
        self.draws = traced.draws
        self.artifact = artifact
        self.env = env
        self.plan = plan

    def run(self, tensors: Sequence[Tensor], scalars: Sequence[Any]) -> tuple[Any, bool]:
        """Run on tensors and numbers: the result, and whether the plan takes them.

        Tensors that are written to are apart from the others; those that share memory, and captured
        ones that are not what they were, are left to plans of their own.
        """
        traced, given = self.traced, scalars
        if traced.written and not are_apart(tensors):
            return None, False
        if self.checks or self.draws:
            if not self.env.takes(numbers_of(tensors)):
                return None, False
            for check in self.checks:
                check.run(scalars)
        if traced.captured and not self._holds_captured():
            return None, False
        if self.draws:
            scalars = with_draws(scalars, self._draws_for(numbers_of(tensors)))
        if traced.captured:
            kept = () if self.kept is None else self.kept.tensors(traced.captured)
            held = [*tensors, *traced.captured, *kept]
            results = self.plan(held, scalars, numbers_of(tensors))
        else:
            results = self.plan(tensors, scalars, numbers_of(tensors))
        if results is None:
            return None, False
        for index in traced.written:
            tensors[index].bump()
        for index, source in traced.same:
            results[index] = (*tensors, *traced.captured, *results)[source]
        if traced.result == LEAF:
            return results[0], True
        return unflatten(traced.result, iter(results), given), True

    def _holds_captured(self) -> bool:
        """Whether captured tensors are of the specs that they were traced with."""
        captured = self.traced.captured
        end = len(self.artifact.inputs) - (0 if self.kept is None else len(self.kept.specs))
        specs = self.artifact.inputs[end - len(captured) : end]
        return all(t.spec is spec for t, spec in zip(captured, specs, strict=True))

    def _draws_for(self, numbers: Sequence[int]) -> tuple[Draw, ...]:
        """Return what a call of certain sizes takes from generators."""
        values = dict(zip(self.env.hints, numbers, strict=True))
        return tuple(draw.at(values) for draw in self.draws)

    def _draws_at(self, values: Mapping[str, int]) -> tuple[Draw, ...]:
        """Return the same for a plan of these sizes alone, whose arguments are no sizes."""
        sizes = self.env.scalars
        indices = [draw.index - sum(size < draw.index for size in sizes) for draw in self.draws]
        return tuple(map(Draw.at, self.draws, repeat(values), indices))

    def at(self, numbers: Sequence[int]) -> Compiled:
        """Return the plan for these sizes alone."""
        values = dict(zip(self.env.hints, numbers, strict=True))
        traced = self.traced
        artifact = at_sizes(self.artifact, values, self.env.scalars)
        return Compiled(
            *(artifact, traced.inputs, traced.result, traced.captured, traced.same),
            *(traced.written, tuple(self.checks), self._draws_at(values), self.kept),
        )


def numbers_of(tensors: Sequence[Tensor]) -> list[int]:
    """Return the numbers that the patterns of tensors leave open."""
    return [number for tensor in tensors for number in tensor.spec.numbers]


class OpenPrograms:
    """The plans for one kind of call: structure, patterns of tensors, kinds of numbers."""

    def __init__(self) -> None:
        """Begin without plans."""
        self._first: PlanKey | None = None
        self._first_numbers: Sequence[int] = ()
        #: Which numbers of calls were not always those of the first one.
        self._varying: set[int] = set()
        self._programs: tuple[OpenProgram, ...] = ()
        #: The same by number, made once however many threads ask.
        self._made: PlanTable[int, OpenProgram | Nothing] = PlanTable(MOST_PLANS)
        self._is_closed = False
        self._sightings = Sightings(1024)

    def __len__(self) -> int:
        """Return how many plans there are."""
        return len(self._programs)

    def programs_traced(self) -> list[Any]:
        """Return what is said of each plan's function, with the tensors that it holds."""
        return [program.traced for program in self._programs]

    def that_takes(self, numbers: Sequence[int]) -> OpenProgram | None:
        """Return the plan that takes a call in which patterns leave these numbers open."""
        for program in self._programs:
            if program.env.takes(numbers):
                return program
        return None

    def find(
        self,
        key: PlanKey,
        tensors: Sequence[Tensor],
        scalars: Sequence[Any],
        function: Callable[..., Any],
        make: Callable[[Collection[int]], OpenProgram | None],
    ) -> tuple[Any, OpenProgram | None]:
        """Return the result of a call and the plan that ran it; no plan if there is none for it.

        `make` makes a plan for all sizes, or for all values of some numbers of calls.
        """
        for program in self._programs:
            result, is_taken = program.run(tensors, scalars)
            if is_taken:
                return result, program
        numbers = numbers_of(tensors)
        if self._first is None:
            self._first, self._first_numbers = key, numbers
        pairs = enumerate(zip(numbers, self._first_numbers, strict=True))
        varying = self._varying = self._varying | {i for i, (new, old) in pairs if new != old}
        while self._first != key and not self._is_closed:

            def why() -> str:
                return self._why(key, tensors, function)

            program, is_own = self._another(
                lambda: logged(lambda: make(varying), name_of(function), why)
            )
            if program is None:
                break
            result, is_taken = program.run(tensors, scalars)
            if is_taken:
                return result, program
            # Of another thread's plan it is no surprise that it takes not these sizes.
            if not is_own:
                continue
            # Tensors that share memory make no plan worse for others; sizes that it refuses do.
            self._is_closed = self._is_closed or not program.traced.written
            break
        return None, None

    def _why(self, key: PlanKey, tensors: Sequence[Tensor], function: Callable[..., Any]) -> str:
        """Return why one more plan is made."""
        if not self._programs:
            return OTHER_SIZES
        names = names_of_sizes(function, key)
        return missed_guard(self._programs[0].env, numbers_of(tensors), names)

    def _another(self, make: Callable[[], OpenProgram | None]) -> tuple[OpenProgram | None, bool]:
        """Return one more plan, None if none can be made, and whether this call made it."""
        known = self._programs
        own: list[OpenProgram | Nothing] = []

        def make_one() -> OpenProgram | Nothing:
            own.append(_made(make) or NOTHING)
            return own[0]

        program = self._made.get(len(known), make_one)
        if isinstance(program, Nothing):
            self._is_closed = True
            return None, True
        if self._programs is known:
            self._programs = (program, *known)
            self._is_closed = len(self._programs) >= MOST_PLANS
        return program, bool(own)

    def is_often(self, key: Any) -> bool:
        """Whether a call with these very sizes has come often by now."""
        return self._sightings.count(key) == OFTEN


def _made(make: Callable[[], OpenProgram | None]) -> OpenProgram | None:
    try:
        return make()
    except Exception:
        return None


def find_plan(
    function: Callable[..., Any], key: PlanKey, counters: KernelCounters, *, keeps: bool
) -> Compiled | None:
    """Return the plan on the disk for the sizes of a call; None if there is none.

    If all that is there is for other sizes, which other processes saw, a plan for all is made.
    """
    recorded = record(function, key, keeps=keeps)
    found = None if recorded is None else recorded.find()
    if found is not None:
        counters.loaded_from_disk += len(found.artifact.kernels)
    if recorded is None or found is not None or not recorded.is_for_others:
        return found
    if len(recorded.numbers) > MOST_SYMBOLS:
        return None  # which of them vary, the calls of this process have yet to show
    program = _made(lambda: make_program(function, key, None, counters, {}, keeps=keeps))
    return None if program is None else program.at(recorded.numbers)


def make_program(
    function: Callable[..., Any],
    key: PlanKey,
    device: str | None,
    counters: KernelCounters,
    numbers: Known,
    varying: Collection[int] | None = None,
    *,
    keeps: bool,
) -> OpenProgram | None:
    """Find a plan on the disk, or trace a function on symbols and compile it.

    None if its plans are for single sizes. `numbers` are those that operations look at. If there is
    none for all sizes, it is for those calls alone that differ in the numbers that are `varying`.
    """
    recorded = None if device is not None or numbers else record(function, key, keeps=keeps)
    found = None if recorded is None else recorded.find_open()
    if found is not None:
        program, stored, run = found
        counters.loaded_from_disk += len(stored.artifact.kernels)
        return OpenProgram(program, stored.artifact, stored.env, run, kept=program.kept)
    known = [n for spec in key.operands if isinstance(spec, TensorSpec) for n in spec.numbers]
    how = function, key, device, counters, numbers, keeps
    if varying is None or len(varying) == len(known):
        return _traced_program(*how, {})
    if len(known) <= MOST_SYMBOLS:
        program = _made(lambda: _traced_program(*how, {}))
        if program is not None:
            return program
    return _traced_program(*how, {i: n for i, n in enumerate(known) if i not in varying})


def _traced_program(
    function: Callable[..., Any],
    key: PlanKey,
    device: str | None,
    counters: KernelCounters,
    numbers: Known,
    keeps: bool,
    fixed: Mapping[int, int],
) -> OpenProgram | None:
    """Trace a function on symbols, but for the numbers of specs that are `fixed`, by index."""
    warnings = warnings_given()
    specs: Any = key.operands
    work: Any = key.work
    env = ShapeEnv()
    for index, number in fixed.items():
        env.facts.learn(Guard("==", symbol(f"n{index}") - constant(number)))
    for _ in range(MOST_TRACES):
        env = ShapeEnv(env)
        given = [opened(s, env) if isinstance(s, TensorSpec) else s for s in specs]
        with held_warnings() as held:
            traced = _driver().trace_specs(
                function, work, given, settings=key.settings, numbers=numbers
            )
        refuse_gradients(function, traced.captured)
        checks = [check.for_all_sizes() for check in traced.checks]
        known = [check for check in checks if check is not None]
        if len(known) < len(checks) or (traced.written and traced.captured):
            return None
        if not env.has_learned:
            lowered = traced.lower(device, in_place=True, keeps=keeps)
            artifact, kept = lowered.artifact(counters), lowered.kept(counters)
            with phase("load"):
                plan = plan_function(artifact, env)
            if plan is None:
                return None
            is_storable = device is None and not checks and not numbers and not fixed
            if is_storable and warnings_given() == warnings:
                store(key, traced, artifact, env, kept, keeps=keeps)
            for warned in held:
                warned.give()
            return OpenProgram(traced, artifact, env, plan, known, kept)
    return None


@cache
def _driver() -> Any:
    """Import the compiler when the first program is made."""
    return imported("..driver", __package__)
