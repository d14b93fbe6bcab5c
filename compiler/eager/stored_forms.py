"""How does a plan of a row lie on the disk? As an artifact, and notes of what a call gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...dialects.diagnostics import TrilithValueError
from ...dialects.locks import imported
from ...runtime.execution.artifact import Artifact
from ...runtime.executor import Executable
from ..stored.plans import StoredPlans
from ..trace.pytree import LEAF, Structure
from .packing import is_plain, packing, type_of
from .row_plans import AnyPlan, OpenPlan, OperandPlan, StoredOpenPlan, packed

#: What the notes tell: the number of the operand that is the result; of a tuple its length, or its
#: name and those of its items.
_OPERAND, _RESULTS = "operand", "results"


def stored_form(plan: AnyPlan) -> tuple[Artifact, dict[str, Any]] | None:
    """Return a plan as an artifact and notes; None if it comes from the disk, or has no words."""
    if isinstance(plan, OperandPlan):
        return Artifact("operand", (), (), (), (), ()), {_OPERAND: plan.index}
    if not isinstance(plan, OpenPlan):
        return None
    if plan.is_plain:
        return plan.artifact, {}
    results = _written(plan.result)
    return None if results is None else (plan.artifact, {_RESULTS: results})


def plan_of_form(
    stored: StoredPlans,
    numbers: Sequence[int],
    leasts: Sequence[int | None],
    artifact: Artifact,
    notes: Mapping[str, Any],
) -> AnyPlan:
    """Return the plan of an artifact and notes; TrilithError if they are none."""
    if _OPERAND in notes:
        index, found = notes[_OPERAND], stored.find(numbers, leasts)
        if type(index) is not int or index < 0 or found is None:
            raise TrilithValueError(f"there is no operand {index}")
        return OperandPlan(index, found.env)
    result = _read(notes[_RESULTS], len(artifact.outputs)) if _RESULTS in notes else LEAF
    run = packed(Executable(artifact).run, artifact, result)
    assert run is not None
    return StoredOpenPlan(stored, numbers, leasts, run, result)


def _written(result: Structure) -> list[str] | int | None:
    """Return what is noted of a tuple; None for one that no table of trilith's knows."""
    if is_plain(result) or packing(result) is None:
        return None
    kind: Any = type_of(result)
    if kind is tuple:
        return len(result[2])
    names = imported("...dialects.ops.frame.named_results", __package__).NAMED
    return [kind.__name__, *kind._fields] if names.get(kind.__name__) is kind else None


def _read(noted: Any, count: int) -> Structure:
    """Return the structure of so many results."""
    if noted == count:
        return (tuple, None, (LEAF,) * count)
    words = cast("list[Any]", noted) if isinstance(noted, list) else []
    if len(words) != count + 1 or not all(type(word) is str for word in words):
        raise TrilithValueError(f"there are {count} results, not {noted}")
    names = imported("...dialects.ops.frame.named_results", __package__)
    return ("namedtuple", names.named_results(*words), (LEAF,) * count)
