"""Which plans of rows for all sizes can native code be told of? Those of tensors and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.attributes.settings import PROCESS
from ...dialects.attributes.symint import ShapeEnv
from ...dialects.ops.frame.row import OpSpec
from ...dialects.records import record
from ...runtime.calls.demands import Role
from ...runtime.calls.packing import CallPlan
from ...runtime.execution.artifact import Artifact
from ..short_keys import roles_of_row, short_key_of_row
from ..stored.calls import depends_on_offset, divided, parameter_named
from .call_plans import gives_of
from .open_plans import OpenPlans


@record
class _Found:
    """A plan for all sizes that has answered a call."""

    artifact: Artifact
    env: ShapeEnv
    result_type: type | None
    #: Whether its key says which place is the usual one for new tensors.
    is_placed: bool


def open_plan_of_row(
    open_plans: OpenPlans,
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    *,
    in_place: bool,
) -> CallPlan | None:
    """Return the plan for all sizes that answers a call; None if native code runs none such."""
    found = _found(open_plans, row, arguments, keywords, in_place=in_place)
    roles = None if found is None else open_roles(row, arguments, keywords)
    if found is None or roles is None:
        return None
    gives = gives_of(found.artifact, found.result_type, in_place=in_place)
    if gives is None:
        return None
    return CallPlan(
        found.artifact,
        roles,
        PROCESS.settings,
        gives,
        written=(0,) if in_place else (),
        is_placed=found.is_placed,
        result_type=found.result_type or tuple,
        names=tuple(keywords),
        env=found.env,
    )


def open_roles(
    row: OpSpec, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> list[Role] | None:
    """Return what the arguments of a call are for a plan for all sizes of a row."""
    short = short_key_of_row(row, arguments, keywords, [])
    if short[0] is None:
        return None  # lists of integers, numbers that are held, and the like
    roles = roles_of_row(row, arguments, keywords, short)
    if short[2] and "fixed number" in roles:
        return None
    places: list[int | str] = [*range(len(arguments)), *keywords]
    return [
        "open" if role == "static" and _is_open(row, place) else role
        for role, place in zip(roles, places, strict=True)
    ]


def _is_open(row: OpSpec, place: int | str) -> bool:
    """Whether the integers of an argument are left open."""
    if row.binder is not None:
        return row.opens_integers
    if isinstance(place, str):
        parameter = parameter_named(row, place)
    else:
        positional = row.schema.positional
        parameter = positional[min(place, len(positional) - 1)]
    return parameter is not None and parameter.is_open


def _found(
    open_plans: OpenPlans,
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    *,
    in_place: bool,
) -> _Found | None:
    if depends_on_offset(row, arguments, keywords):
        return None
    goal = "in place" if in_place else "value"
    call = divided(row, arguments, keywords, [row, goal, PROCESS.settings])
    # Whether what is written lies apart from the others native code sees for itself.
    found = None if call is None else open_plans.find(call)
    if found is None or call is None:
        return None
    plan = found[0]
    artifact = plan.artifact
    if artifact is None:
        return None
    return _Found(artifact, plan.env, plan.result_type, not call[1] or row.is_factory)
