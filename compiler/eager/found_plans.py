"""Which plan ran a call of an operation? Asked by who explains calls, never by a call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...dialects.attributes.settings import PROCESS
from ...dialects.diagnostics import TrilithError
from ...dialects.ops.frame.row import OpSpec
from ...runtime.execution.artifact import Artifact
from ...runtime.tensors.tensor import Tensor
from ..plan_log import ALL_SIZES, ONE_SIZE
from ..short_keys import short_key_of_row, with_values
from ..stored.calls import divided
from .open_plans import call_for_writing
from .operations import OPEN, table
from .plans import Goal, Operands
from .row_plans import OperandPlan

#: What a plan is for, and what it runs: nothing is known of what is no plan of kernels.
Found = tuple[str, Artifact | None]


def found_plan(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: Goal,
    out: Tensor | None,
) -> Found | None:
    """Return the plan of a call that ran, if it is still remembered."""
    for look in (_by_short_key, _for_all_sizes, _by_whole_key):
        found = _quietly(look, row, arguments, keywords, goal, out)
        if found is not None:
            return found
    return None


def _quietly(look: Callable[..., Found | None], *call: Any) -> Found | None:
    try:
        return look(*call)
    except TrilithError:
        return None  # a call of an unusual form


def _by_short_key(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: Goal,
    out: Tensor | None,
) -> Found | None:
    head: list[Any] = [row] if goal == "value" else [row, goal]
    head.append(PROCESS.settings)
    if out is not None:
        head.append(out.spec)
    short = short_key_of_row(row, arguments, keywords, head)
    if short[0] is None:
        return None
    plan = table().behind(short[0]) or table().behind(with_values(short))
    return None if plan is None else (ONE_SIZE, getattr(plan, "artifact", None))


def _for_all_sizes(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: Goal,
    out: Tensor | None,
) -> Found | None:
    call = divided(row, arguments, keywords, [row, goal, PROCESS.settings])
    if call is not None and goal != "value":
        call = call_for_writing(call, out)
    found = None if call is None else OPEN.find(call)
    if found is None:
        return None
    plan, numbers = found
    known = None if isinstance(plan, OperandPlan) else plan.at(numbers)
    return ALL_SIZES, None if known is None else known.artifact


def _by_whole_key(
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    goal: Goal,
    out: Tensor | None,
) -> Found | None:
    if goal != "value" or out is not None:
        return None
    found = Operands(row, row.schema.bind(arguments, keywords), PROCESS.settings)
    plan = table().find(found.key(goal))
    return None if plan is None else (ONE_SIZE, getattr(plan, "artifact", None))
