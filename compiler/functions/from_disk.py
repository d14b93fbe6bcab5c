"""How does a compiled function find a plan that an earlier process has made? By its tape.

The function runs on a tape, which takes microseconds. The text of that, the patterns of its
arguments and what it is computed under are the key of its plans on the disk. A plan that takes the
sizes of the call becomes a plan of the function, as if it had been traced and compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from ...dialects.attributes.device import cpu, default_devices, restore_default_devices
from ...dialects.attributes.expressions import constant, symbol
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.settings import (
    HELD,
    holding,
    process_settings,
    restore_settings,
)
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...dialects.records import replace
from ...runtime.execution.artifact import Artifact, HostCall, Launch
from ...runtime.execution.sizes_form import StoredPlan
from ...runtime.plan_function import PlanFunction, plan_function
from ...runtime.tensors import dispatch
from ...runtime.tensors.tensor import Tensor
from ..compiled import Compiled
from ..kept_operands import KeptOperands, keepable
from ..plan_key import PlanKey
from ..stored.environment import environment
from ..stored.key_texts import NoText, text_of_pattern
from ..stored.plans import stored_plans
from ..trace.pytree import Structure, flatten, unflatten
from ..trace.tape import Tape, TapeLeft


class FoundProgram:
    """What is said of a traced function around its artifact, of one that came from the disk."""

    __slots__ = ("captured", "inputs", "kept", "name", "result", "same")
    #: Those that write or draw are traced.
    written: tuple[int, ...] = ()
    draws: tuple[Any, ...] = ()

    def __init__(
        self, recorded: Recorded, same: tuple[tuple[int, int], ...], kept: KeptOperands | None
    ) -> None:
        self.name = recorded.name
        self.inputs = cast("Structure", recorded.key.work)
        self.result = recorded.result
        self.captured = recorded.captured
        self.same = same
        self.kept = kept


class Recorded:
    """A function on its tape, for one kind of call, and its plans on the disk."""

    __slots__ = ("_env", "_fixed", "_open", "captured", "key", "name", "numbers", "result")

    def __init__(
        self, tape: Tape, key: PlanKey, result: Structure, text: str, fixed_text: str
    ) -> None:
        self.name = tape.name
        self.key = key
        self.captured = tuple(tape.words.captured)
        self._env = tape.env
        self.result = result
        self.numbers = numbers_of(key)
        self._open, self._fixed = stored_plans(text), stored_plans(fixed_text + _FIXED)

    def find(self) -> Compiled | None:
        """Return the plan for the sizes of the call, None if there is none on the disk."""
        for stored in (self._open, self._fixed):
            found = None if stored is None else stored.find_at(self.numbers)
            if found is None:
                continue
            try:
                artifact, notes = found
                program = self._program(artifact, notes)
                parts = (program.inputs, program.result, program.captured, program.same)
                named = replace(artifact, name=self.name)
                return Compiled(named, *parts, kept=program.kept)
            except _MALFORMED:
                continue  # it is not what it should be
        return None

    def find_open(self) -> tuple[FoundProgram, StoredPlan, PlanFunction] | None:
        """Return a plan for all sizes that takes those of the call.

        What the function has asked of its sizes it may have done something else for: the answers
        become guards, of which a plan that another function has left knows nothing.
        """
        if self._open is None:
            return None
        plan = self._open.find(self.numbers, [2] * len(self.numbers))
        if plan is None:
            return None
        try:
            program = self._program(plan.artifact, plan.notes)
            plan.artifact = replace(plan.artifact, name=self.name)
            for guard in self._env.guards:
                plan.env.take(guard)
            plan.env.limits |= self._env.limits
            run = plan_function(plan.artifact, plan.env)
        except _MALFORMED:
            return None
        return None if run is None else (program, plan, run)

    @property
    def is_for_others(self) -> bool:
        """Whether there are plans, as `find` has seen, and all of them are for single sizes."""
        return bool(self._fixed and self._fixed.count) and not (self._open and self._open.count)

    def _program(self, artifact: Artifact, notes: Mapping[str, Any]) -> FoundProgram:
        """Return what is around an artifact, if it is one for such a call."""
        specs = [part for part in self.key.operands if isinstance(part, TensorSpec)]
        given, held = artifact.inputs[: len(specs)], artifact.inputs[len(specs) :]
        # Of one that is for all sizes the key has the patterns, and its guards are for numbers.
        is_fitting = [spec.pattern for spec in given] == [spec.pattern for spec in specs]
        kept = _found_kept(notes["kept"], self.captured)
        wanted: list[Any] = [tensor.spec for tensor in self.captured]
        wanted += [] if kept is None else kept.specs
        is_fitting = is_fitting and [*held] == wanted
        same = tuple([(int(index), int(source)) for index, source in notes["same"]])
        count, total = len(artifact.outputs), len(specs) + len(self.captured)
        if not is_fitting or count != notes["results"]:
            raise ValueError("it is for other arguments")
        if any(not 0 <= i < count or not 0 <= source < total + i for i, source in same):
            raise ValueError("a result is one that does not exist")
        return FoundProgram(self, same, kept)


def _found_kept(digest: str, captured: Sequence[Tensor]) -> KeptOperands | None:
    """Return what a plan keeps, None if that is nothing."""
    if not digest:
        return None
    plans = stored_plans(_KEPT + digest)
    found = None if plans is None else plans.find_at([])
    if found is None:
        raise ValueError("what it keeps is not there")
    artifact, notes = found
    sources = [int(number) for number in notes["sources"]]
    if any(number < 0 for number in sources):
        raise ValueError("it keeps something of a tensor that does not exist")
    if [*artifact.inputs] != [captured[number].spec for number in sources]:
        raise ValueError("what it keeps is made of other tensors")
    return KeptOperands(artifact, sources, digest)


#: What a damaged plan may raise.
_MALFORMED = (TrilithError, ArithmeticError, TypeError, ValueError, KeyError, IndexError)
#: Behind the text of a function, for plans that are for single sizes.
_FIXED = "\nfor some sizes"
#: In front of the digest of what is computed of captured tensors once.
_KEPT = "kept\n"


def record(function: Callable[..., Any], key: PlanKey, *, keeps: bool = False) -> Recorded | None:
    """Run a function on a tape; None if it leaves that, or if no plans are stored.

    With `keeps` they are plans that keep what they make of captured tensors.
    """
    if environment() is None or (dispatch.is_early() and dispatch.early() is None):
        return None
    settings, devices, changes = process_settings(), default_devices(), HELD.changes
    tape = Tape(function)
    try:
        found = _on_tape(tape, function, key, keeps)
    except (TapeLeft, Exception):
        # A trace says what there is to say.
        found = None
    # What the function sets it sets once more when it is traced, which notices it.
    has_set = HELD.changes != changes
    if has_set:
        restore_settings(settings)
    if default_devices() != devices:
        restore_default_devices(devices)
        return None
    if has_set:
        return None
    return None if found is None or tape.words.forget() else found


def _on_tape(
    tape: Tape, function: Callable[..., Any], key: PlanKey, keeps: bool
) -> Recorded | None:
    stand_ins: list[Any] = []
    for part in cast("Sequence[TensorSpec | ScalarSpec]", key.operands):
        is_number = isinstance(part, ScalarSpec)
        make: Any = tape.scalar_argument if is_number else tape.tensor_argument
        stand_ins.append(make(part))
    given = unflatten(cast("Structure", key.work), iter(stand_ins))
    with holding(key.settings, is_open=True):
        returned = tape.record(function, *given[0], **given[1])
    leaves: list[Any] = []
    result = flatten(returned, leaves)
    is_whole = not (tape.is_left or tape.is_disturbed or tape.refusal is not None)
    if not is_whole or not _holds(given, stand_ins):
        return None
    words, held = tape.words, tape.words.captured
    text = text_of(key, words.text(leaves), held, keeps)
    fixed_text = text_of(key, words.text(leaves, is_fixed=True), held, keeps)
    if text is None or fixed_text is None:
        return None
    return Recorded(tape, key, result, text, fixed_text)


def _holds(given: Any, stand_ins: Sequence[Any]) -> bool:
    """Whether the lists and dicts that a function was given hold what they held."""
    found: list[Any] = []
    flatten(given, found)
    return len(found) == len(stand_ins) and all(map(_is_one, found, stand_ins))


def _is_one(new: Any, old: Any) -> bool:
    return new is old


def text_of(key: PlanKey, text: str | None, captured: Sequence[Tensor], keeps: bool) -> str | None:
    """Return what plans for a kind of call are stored under, None if they are not."""
    is_plain = key.offsets is None and key.numbers is None and not key.same and key.home is cpu
    # A call that uses a tensor which requires a gradient is recorded: its program is another one.
    if text is None or not is_plain or any(tensor.requires_grad for tensor in captured):
        return None
    try:
        operands = [_text_of_operand(part) for part in key.operands]
        held = [f"{text_of_pattern(t.spec)} {t.spec.shape} {t.spec.strides}" for t in captured]
    except NoText:
        return None
    settings = key.settings
    head = f"function, {settings.dtype.name} {settings.mode}"
    kept = keepable(captured) if keeps else ()
    if kept:
        held.append(f"of which something may be kept: {kept}")
    return "\n".join([head, *operands, "captured", *held, "does", text])


def _text_of_operand(part: Any) -> str:
    return part.kind if isinstance(part, ScalarSpec) else text_of_pattern(part)


def numbers_of(key: PlanKey) -> list[int]:
    """Return the numbers that the patterns of a call's tensors leave open."""
    return [n for part in key.operands if isinstance(part, TensorSpec) for n in part.numbers]


def store(
    key: PlanKey,
    traced: Any,
    artifact: Artifact,
    env: ShapeEnv | None,
    kept: KeptOperands | None = None,
    *,
    keeps: bool = False,
) -> None:
    """Store a plan for later processes; without an environment it is for the sizes of the key."""
    text = text_of(key, traced.text, traced.captured, keeps)
    launches = artifact.launches if kept is None else (*artifact.launches, *kept.artifact.launches)
    if text is None or any(map(_can_fail, launches)):
        return
    plans = stored_plans(text if env is not None else text + _FIXED)
    numbers = numbers_of(key)
    if plans is None or plans.find(numbers, [2] * len(numbers)) is not None:
        return
    digest = "" if kept is None else kept.digest
    notes = {"same": traced.same, "results": len(artifact.outputs), "kept": digest}
    plans.put(artifact, env or _at(numbers), notes, numbers)
    apart = None if kept is None else stored_plans(_KEPT + digest)
    if kept is not None and apart is not None and apart.find([], []) is None:
        apart.put(kept.artifact, ShapeEnv(), {"sources": kept.sources}, [])


def _can_fail(launch: Any) -> bool:
    """Whether a fault of a step is said of a line, which the next process may not have."""
    if isinstance(launch, HostCall):
        return launch.location is not None
    return isinstance(launch, Launch) and any(line is not None for line in launch.locations)


def _at(numbers: Sequence[int]) -> ShapeEnv:
    """Return what is known of the sizes of a plan that is for these alone."""
    env = ShapeEnv()
    for index, number in enumerate(numbers):
        env.symbol(number, least=2)
        env.take(Guard("==", symbol(f"n{index}") - constant(number)))
    return env
