"""Which plans of compiled functions can native code run? Those whose results are a flat tuple."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import is_not
from typing import TYPE_CHECKING, Any, TypeAlias

from ...dialects.attributes.device import placement
from ...dialects.attributes.settings import PROCESS, Settings
from ...dialects.attributes.spec import TensorSpec
from ...runtime.calls.demands import Role
from ...runtime.calls.packing import CallPlan, Gives
from ...runtime.tensors.sealed import SealedTensor
from ...runtime.tensors.tensor import Tensor
from ..compiled import Compiled
from ..kept_operands import KeptOperands
from ..plan_key import PlanKey, pattern_key
from ..plan_table import PlanTable
from ..short_keys import Places, is_word, roles_of_call, short_key_of_call
from ..trace.leaves import split_leaves
from ..trace.pytree import LEAF, Structure, flatten
from .step_by_step import Untraceable

if TYPE_CHECKING:
    from .open_programs import OpenPrograms

#: Plans for single sizes, and for all.
Tables: TypeAlias = "tuple[PlanTable[PlanKey, Any], PlanTable[PlanKey, OpenPrograms]]"


def plan_of_call(
    shortcuts: Mapping[Any, Any],
    tables: Tables | None,
    static: Places,
    valued: Places,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> CallPlan | None:
    """Return the plan of a call, for its sizes or for all, if there is one that native code runs.

    It is looked for by a short key, or else by its key in the tables.
    """
    settings, home = PROCESS.settings, placement()
    kinds = short_key_of_call(arguments, static, valued, keywords)[0]
    plan = None if kinds is None else shortcuts.get((settings, home, *kinds))
    if plan is None and tables is not None:
        plans, opened = tables
        key = _key_of_leaves(arguments, keywords, settings, home)
        if key is not None:
            plan = None if kinds is not None else plans.look(key)
            if plan is None:
                return _open_call_plan(opened, key, arguments, keywords)
    if plan is None or isinstance(plan, Untraceable):
        return None
    roles = roles_of_call(arguments, keywords, static, valued)
    return _call_plan(plan, roles, settings, tuple(keywords))


def _call_plan(
    plan: Compiled, roles: list[Role], settings: Settings, names: tuple[str, ...]
) -> CallPlan | None:
    """Return a compiled plan as native code wants to know it, if it is one that it can run.

    `names` are those of the last arguments.
    """
    artifact = plan.artifact
    gives = _gives(plan.result)
    if plan.checks or plan.draws or gives is None or (plan.same and plan.kept):
        return None
    held = _held(plan.captured, plan.kept)
    if held is None:
        return None
    captured, sealed = held
    return CallPlan(
        *(artifact, roles, settings, gives, plan.written, captured, plan.same),
        is_placed=True,
        names=names,
        sealed=sealed,
    )


def _held(
    captured: Sequence[Tensor], kept: KeptOperands | None
) -> tuple[Sequence[Tensor], Sequence[SealedTensor]] | None:
    """Return the tensors that a plan holds, and what must be whole for that; None if it is not."""
    if kept is None:
        return captured, ()
    sealed = kept.sealed(captured)
    return None if sealed is None else ((*captured, *kept.tensors(captured)), sealed)


def _open_call_plan(
    opened: PlanTable[PlanKey, OpenPrograms],
    key: PlanKey,
    arguments: tuple[Any, ...],
    keywords: Mapping[str, Any],
) -> CallPlan | None:
    """Return the plan for all sizes that takes a call, as native code wants to know it."""
    programs = opened.look(pattern_key(key))
    specs = [spec for spec in key.operands if isinstance(spec, TensorSpec)]
    numbers = [number for spec in specs for number in spec.numbers]
    program = None if programs is None else programs.that_takes(numbers)
    if program is None or program.checks or program.draws:
        return None
    traced = program.traced
    gives = _gives(traced.result)
    held = _held(traced.captured, program.kept)
    if gives is None or held is None or (traced.same and program.kept):
        return None
    captured, sealed = held
    return CallPlan(
        program.artifact,
        roles_of_call(arguments, keywords),
        *(PROCESS.settings, gives, traced.written, captured, traced.same),
        is_placed=True,
        names=tuple(keywords),
        env=program.env,
        sealed=sealed,
    )


def _gives(result: Structure) -> Gives | None:
    if result == LEAF:
        return "one"
    if result == ("none",):
        return "nothing"
    kind, *rest = result
    if kind is tuple and rest[1] and all(part == LEAF for part in rest[1]):
        return "several"
    return None


def _key_of_leaves(
    arguments: tuple[Any, ...], keywords: dict[str, Any], settings: Settings, home: object
) -> PlanKey | None:
    """Return the key of a call of tensors, numbers and words; None if others are among them."""
    leaves: list[Any] = []
    structure = flatten((arguments, keywords), leaves)
    given = [value for value in (*arguments, *keywords.values()) if not is_word(value)]
    if len(leaves) != len(given) or any(map(is_not, leaves, given)):
        return None
    specs, _, _ = split_leaves(leaves)
    return PlanKey(structure, settings, home, tuple(specs), ())
