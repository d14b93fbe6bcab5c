"""Which plans of compiled functions can native code run? Those whose results are a flat tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dialects.attributes.settings import Settings
from ...runtime.calls.packing import CallPlan, Gives
from ..plan_key import PlanKey
from ..short_keys import roles_of_call
from ..trace.leaves import split_leaves
from ..trace.pytree import LEAF, Structure, flatten

if TYPE_CHECKING:
    from ..driver import Compiled


def call_plan(
    plan: Compiled,
    arguments: tuple[Any, ...],
    static: frozenset[int],
    settings: Settings,
    names: tuple[str, ...],
) -> CallPlan | None:
    """Return a compiled plan as native code wants to know it, if it is one that it can run.

    `names` are those of the last arguments.
    """
    artifact = plan.artifact
    gives = _gives(plan.result)
    if plan.checks or gives is None:
        return None
    return CallPlan(
        artifact,
        roles_of_call(arguments, static),
        settings,
        gives,
        plan.written,
        plan.captured,
        plan.same,
        is_placed=True,
        names=names,
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


def key_of_leaves(
    arguments: tuple[Any, ...], keywords: dict[str, Any], settings: Settings, home: object
) -> PlanKey | None:
    """Return the key of a call of tensors and numbers alone; None if others are among them."""
    leaves: list[Any] = []
    structure = flatten((arguments, keywords), leaves)
    if len(leaves) != len(arguments) + len(keywords):
        return None
    specs, _, _ = split_leaves(leaves)
    return PlanKey(structure, settings, home, tuple(specs), ())
