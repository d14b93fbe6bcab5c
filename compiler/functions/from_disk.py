"""How does a compiled function find a plan that an earlier process has made? By its tape.

The function runs on a tape, which takes microseconds. The text of that, the patterns of its arguments
and what it is computed under are the key of its plans on the disk. A plan that takes the sizes of
the call becomes a plan of the function, as if it had been traced and compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from ...dialects.attributes.device import cpu, placement
from ...dialects.attributes.expressions import constant, symbol
from ...dialects.attributes.facts import Guard
from ...dialects.attributes.settings import HELD, holding
from ...dialects.attributes.spec import ScalarSpec, TensorSpec
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.diagnostics import TrilithError
from ...runtime.execution.artifact import Artifact, Launch
from ...runtime.execution.known_sizes import at_sizes
from ...runtime.execution.sizes_form import StoredPlan
from ...runtime.tensors import dispatch
from ...runtime.tensors.tensor import Tensor
from ..compiled import Compiled
from ..plan_key import PlanKey
from ..stored.environment import environment
from ..stored.key_texts import NoText, text_of_pattern
from ..stored.plans import StoredPlans, stored_plans
from ..trace.pytree import Structure, flatten, unflatten
from ..trace.tape import Tape, TapeLeft


class Recorded:
    """A function on its tape, for one kind of call, and its plans on the disk."""

    __slots__ = ("captured", "has_asked", "key", "name", "numbers", "result", "stored")

    def __init__(self, tape: Tape, key: PlanKey, result: Structure, stored: StoredPlans) -> None:
        self.name = tape.name
        self.key = key
        self.captured = tuple(tape.words.captured)
        self.has_asked = tape.has_asked
        self.result = result
        self.stored = stored
        self.numbers = numbers_of(key)

    def find(self) -> Compiled | None:
        """Return the plan for the sizes of the call, None if there is none on the disk."""
        found = self.stored.find(self.numbers, [2] * len(self.numbers))
        if found is None:
            return None
        try:
            return self._compiled(found)
        except (TrilithError, ArithmeticError, TypeError, ValueError, KeyError, IndexError):
            return None  # it is not what it should be

    def _compiled(self, found: StoredPlan) -> Compiled:
        values = dict(zip(found.env.hints, self.numbers, strict=True))
        artifact = at_sizes(found.artifact, values, found.env.scalars)
        specs = [part for part in self.key.operands if isinstance(part, TensorSpec)]
        specs += [tensor.spec for tensor in self.captured]
        if [*artifact.inputs] != specs:
            raise ValueError("it is for other arguments")
        same = tuple((int(index), int(source)) for index, source in found.notes["same"])
        count = len(artifact.outputs)
        if any(not 0 <= i < count or not 0 <= s < len(specs) + i for i, s in same):
            raise ValueError("a result is one that does not exist")
        return Compiled(
            replace(artifact, name=self.name),
            cast("Structure", self.key.work),
            self.result,
            self.captured,
            same,
        )


def record(function: Callable[..., Any], key: PlanKey) -> Recorded | None:
    """Run a function on a tape; None if it leaves that, or if no plans are kept."""
    if environment() is None or (dispatch.is_early() and dispatch.early() is None):
        return None
    tape = Tape(function)
    stand_ins: list[Any] = []
    for part in cast("Sequence[TensorSpec | ScalarSpec]", key.operands):
        is_number = isinstance(part, ScalarSpec)
        make: Any = tape.scalar_argument if is_number else tape.tensor_argument
        stand_ins.append(make(part))
    given = unflatten(cast("Structure", key.work), iter(stand_ins))
    changes = HELD.changes
    try:
        with holding(key.settings, is_open=True):
            returned = tape.record(function, *given[0], **given[1])
            if HELD.changes != changes or placement() is not cpu:
                return None
    except (TapeLeft, Exception):
        # A trace says what there is to say.
        return None
    leaves: list[Any] = []
    result = flatten(returned, leaves)
    if (
        tape.is_left
        or tape.is_disturbed
        or tape.refusal is not None
        or not _holds(given, stand_ins)
    ):
        return None
    stored = stored_plans(text_of(key, tape.words.text(leaves), tape.words.captured))
    return None if stored is None else Recorded(tape, key, result, stored)


def _holds(given: Any, stand_ins: Sequence[Any]) -> bool:
    """Whether the lists and dicts that a function was given hold what they held."""
    found: list[Any] = []
    flatten(given, found)
    return len(found) == len(stand_ins) and all(map(_is_one, found, stand_ins))


def _is_one(new: Any, old: Any) -> bool:
    return new is old


def text_of(key: PlanKey, text: str | None, captured: Sequence[Tensor]) -> str | None:
    """Return what plans for a kind of call are stored under, None if they are not."""
    is_plain = key.offsets is None and key.numbers is None and not key.same and key.home is cpu
    if text is None or not is_plain:
        return None
    try:
        operands = [_text_of_operand(part) for part in key.operands]
        held = [f"{text_of_pattern(t.spec)} {t.spec.shape} {t.spec.strides}" for t in captured]
    except NoText:
        return None
    settings = key.settings
    head = f"function, {settings.dtype.name} {settings.mode}"
    return "\n".join([head, *operands, "captured", *held, "does", text])


def _text_of_operand(part: Any) -> str:
    return part.kind if isinstance(part, ScalarSpec) else text_of_pattern(part)


def numbers_of(key: PlanKey) -> list[int]:
    """Return the numbers that the patterns of a call's tensors leave open."""
    return [n for part in key.operands if isinstance(part, TensorSpec) for n in part.numbers]


def store(
    plans: StoredPlans | None, key: PlanKey, traced: Any, artifact: Artifact, env: ShapeEnv | None
) -> None:
    """Keep a plan for later processes; without an environment it is for the sizes of the key."""
    if plans is None:
        plans = stored_plans(text_of(key, traced.text, traced.captured))
        if plans is None or plans.find(numbers_of(key), [2] * len(numbers_of(key))) is not None:
            return
    if traced.text is None or any(map(_can_fail, artifact.launches)):
        return
    plans.put(artifact, env or _at(numbers_of(key)), {"same": traced.same})


def _can_fail(launch: Any) -> bool:
    """Whether a fault of a launch is said of a line, which the next process may not have."""
    return isinstance(launch, Launch) and any(line is not None for line in launch.locations)


def _at(numbers: Sequence[int]) -> ShapeEnv:
    """Return what is known of the sizes of a plan that is for these alone."""
    env = ShapeEnv()
    for index, number in enumerate(numbers):
        env.symbol(number, least=2)
        env.take(Guard("==", symbol(f"n{index}") - constant(number)))
    return env
