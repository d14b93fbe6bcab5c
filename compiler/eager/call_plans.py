"""Which plans of rows can native code be told of? Those that short keys find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from ...dialects.attributes.settings import PROCESS
from ...dialects.ops.frame.row import OpSpec
from ...dialects.ops.table import TABLE
from ...runtime.calls.packing import CallPlan, Gives, Part
from ...runtime.execution.artifact import Artifact
from ...runtime.tensors.tensor import Tensor
from ..short_keys import roles_of_row, short_key_of_row, with_values
from ..trace.operators import RunRow
from .plans import IN_PLACE

#: What runs plans, by short keys.
Shortcuts = Mapping[Any, Any]


class FindPlan(Protocol):
    """Finds the plan that has answered a call of a row, for its sizes or for all."""

    def __call__(
        self,
        row: OpSpec,
        arguments: tuple[Any, ...],
        keywords: dict[str, Any],
        /,
        *,
        in_place: bool,
    ) -> CallPlan | None:
        """Return it, None if native code runs none such."""
        ...


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
    gives = gives_of(artifact, result_type, in_place=in_place)
    if gives is None:
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


def gives_of(artifact: Artifact, result_type: type | None, *, in_place: bool) -> Gives | None:
    """Return what a call gives that a plan answers; None if it is neither a tensor nor a tuple."""
    if in_place:
        return "first argument"
    if result_type is not None:
        return "several"
    return "one" if len(artifact.outputs) == 1 else None


def plan_of_assignment(
    find: FindPlan, run: RunRow, target: Any, index: Any, value: Any
) -> CallPlan | None:
    """Return the plan that answers `target[index] = value`, given what finds and runs rows.

    It is that of the part, and that which writes it; of a part that is assigned to itself, as it is
    behind `x[index] += y`, nothing is written.
    """
    view = find(TABLE["getitem"], (target, index), {}, in_place=False)
    if view is None or view.artifact.launches:
        return None
    (output,), (whole,) = view.artifact.outputs, view.artifact.inputs
    if output.spec.dtype is not whole.dtype:
        return None
    part = Part(whole, output.spec, output.storage_offset, view.env)
    _, index_role = view.roles
    # Not `target[index]`: who watches the call would be told of a part that it never took.
    there = run(TABLE["getitem"], (target, index), {})
    if is_same_part(there, value):
        return CallPlan(
            view.artifact,
            ["tensor", index_role, "tensor"],
            *(view.settings, "nothing"),
            part=part,
            is_same_part=True,
            env=view.env,
        )
    row = TABLE["copy" if type(value) is Tensor else "fill"]
    plan = find(row, (there, value), {}, in_place=True)
    if plan is None:
        return None
    return CallPlan(
        plan.artifact,
        ["part", index_role, *plan.roles[1:]],
        *(plan.settings, "nothing"),
        written=(0,),
        part=part,
        env=plan.env,
    )


def is_same_part(part: Tensor, value: Any) -> bool:
    """Whether a value is the very part that it is assigned to: nothing is written."""
    return (
        type(value) is Tensor
        and value.memory is part.memory
        and value.spec is part.spec
        and value.byte_offset == part.byte_offset
    )
