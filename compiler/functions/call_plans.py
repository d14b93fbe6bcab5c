"""Which plans of compiled functions can native code run? Those whose results are a flat tuple."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dialects.attributes.settings import Settings
from ...runtime.calls.packing import CallPlan, Gives
from ..short_keys import roles_of_call
from ..trace.pytree import LEAF, Structure

if TYPE_CHECKING:
    from ..driver import Compiled


def call_plan(
    plan: Compiled, arguments: tuple[Any, ...], static: frozenset[int], settings: Settings
) -> CallPlan | None:
    """Return a compiled plan as native code wants to know it, if it is one that it can run."""
    artifact = plan.artifact
    gives = _gives(plan.result)
    written = tuple(buffer.index for buffer in artifact.of_role("input") if buffer.is_written)
    if plan.checks or gives is None or set(written) != set(plan.written):
        return None
    return CallPlan(
        artifact,
        roles_of_call(arguments, static),
        settings,
        gives,
        plan.captured,
        plan.same,
        is_placed=True,
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
