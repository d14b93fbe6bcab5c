"""Which plans of rows can native code be told of? Those that short keys find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...dialects.attributes.settings import PROCESS
from ...dialects.ops.frame.opspec import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.calls.packing import CallPlan, Part
from ...runtime.tensors.tensor import Tensor
from ..short_keys import roles_of_row, short_key_of_row, with_values
from .plans import IN_PLACE

#: What runs plans, by short keys.
Shortcuts = Mapping[Any, Any]


def plan_of_row(
    shortcuts: Shortcuts,
    row: OpSpec,
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    *,
    in_place: bool,
) -> CallPlan | None:
    """Return the plan that answers a call of a row; None if it is none that native code runs."""
    settings = PROCESS.settings
    head = [row, IN_PLACE, settings] if in_place else [row, settings]
    short = short_key_of_row(row, arguments, keywords, head)
    key, tensors, scalars = short
    if key is None or (in_place and type(arguments[0]) is not Tensor):
        return None
    run = shortcuts.get(key)
    if run is None and scalars:
        run = shortcuts.get(with_values(short))
    artifact = getattr(run, "artifact", None)
    if artifact is None:
        return None
    result_type: type | None = getattr(run, "result_type", None)
    if in_place:
        gives = "first argument"
    elif result_type is not None:
        gives = "several"
    elif len(artifact.outputs) == 1:
        gives = "one"
    else:
        return None
    return CallPlan(
        artifact,
        roles_of_row(row, arguments, keywords, short),
        settings,
        gives,
        written=(0,) if in_place else (),
        is_placed=not tensors,
        result_type=result_type or tuple,
        names=tuple(keywords),
    )


def plan_of_assignment(
    shortcuts: Shortcuts, target: Any, index: Any, value: Any
) -> CallPlan | None:
    """Return the plan that answers `target[index] = value`: that of the part which is written."""
    view = plan_of_row(shortcuts, TABLE["getitem"], (target, index), {}, in_place=False)
    if view is None or view.artifact.launches:
        return None
    (output,) = view.artifact.outputs
    if output.spec.dtype is not target.spec.dtype:
        return None
    row = TABLE["copy" if type(value) is Tensor else "fill"]
    there = target[index]
    part = Part(target.spec, output.spec, output.storage_offset)
    if is_same_part(there, value):
        return CallPlan(
            view.artifact,
            ["tensor", "static", "tensor"],
            *(view.settings, "nothing"),
            part=part,
            is_same_part=True,
        )
    plan = plan_of_row(shortcuts, row, (there, value), {}, in_place=True)
    if plan is None:
        return None
    return CallPlan(
        plan.artifact,
        ["part", "static", *plan.roles[1:]],
        *(plan.settings, "nothing"),
        written=(0,),
        part=part,
    )


def is_same_part(part: Tensor, value: Any) -> bool:
    """Whether a value is the very part that it is assigned to: nothing is written."""
    return (
        type(value) is Tensor
        and value.memory is part.memory
        and value.spec is part.spec
        and value.byte_offset == part.byte_offset
    )
