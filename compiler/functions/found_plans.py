"""Which plan ran a call of a compiled function? Asked by who explains calls, never by a call."""

# What is looked at are the tables of the function, which nobody else need know.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import Any

from ...dialects.attributes.device import placement
from ...dialects.attributes.settings import PROCESS
from ...runtime.execution.artifact import Artifact
from ..plan_key import pattern_key
from ..plan_log import ALL_SIZES, ONE_SIZE, STEP_BY_STEP
from ..short_keys import short_key_of_call
from .function import CompiledFunction
from .looked_at import with_numbers
from .open_programs import numbers_of
from .step_by_step import Untraceable


def found_plan(
    function: CompiledFunction[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> tuple[str, Artifact | None] | None:
    """Return what the plan of a call is for, and what it runs, if it is still remembered."""
    places = function._static_places, function._valued
    kinds, tensors, _ = short_key_of_call(arguments, *places, keywords)
    if kinds is not None:
        plan: Any = function._shortcuts.get((PROCESS.settings, placement(), *kinds))
        if plan is not None:
            return ONE_SIZE, plan.artifact
    key, static, _, tensors, scalars = function._whole_key(arguments, keywords)
    looked_at = function._looked_at.find(pattern_key(key))
    numbered = with_numbers(key, looked_at, scalars)[0] if looked_at else key
    programs = function._open.find(pattern_key(numbered))
    program = None if programs is None else programs.that_takes(numbers_of(tensors))
    if program is not None:
        return ALL_SIZES, program.at(numbers_of(tensors)).artifact
    _, _, plan = function._fitting(key, static, tensors, scalars)
    if isinstance(plan, Untraceable):
        return STEP_BY_STEP, None
    return ONE_SIZE, plan.artifact
