"""What is a plan of a call for all sizes, for the sizes of one call? The same plan with numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import SymInt
from ...dialects.records import replace
from ..execution.known_sizes import at_sizes
from .demands import Demands
from .packing import CallPlan, Part


def at_these_sizes(plan: CallPlan, arguments: Sequence[Any]) -> CallPlan:
    """Return the plan for the sizes of these arguments alone, which it must take."""
    if plan.env is None:
        return plan
    demands = Demands(id, is_open=True)
    for role, value in zip(plan.roles, arguments, strict=True):
        demands.add(role, value)
    given, part = demands.given, plan.part
    if part is not None:
        assert part.env is not None
        values = dict(zip(part.env.hints, given, strict=False))
        given = given[len(values) :]
        part = _part_at(part, values)
        given = [*part.spec.numbers, *given]
    if plan.is_same_part:
        return replace(plan, part=part, env=None)
    values = dict(zip(plan.env.hints, given, strict=True))
    artifact = at_sizes(plan.artifact, values, plan.env.scalars)
    return replace(plan, artifact=artifact, part=part, env=None)


def _part_at(part: Part, values: Mapping[str, int]) -> Part:
    def number(value: Any) -> int:
        return value.expression.evaluate(values) if type(value) is SymInt else value

    def at(spec: TensorSpec) -> TensorSpec:
        shape, strides = tuple(map(number, spec.shape)), tuple(map(number, spec.strides))
        return TensorSpec.of(shape, spec.dtype, spec.device, strides, spec.layout, spec.is_conj)

    return Part(at(part.whole), at(part.spec), number(part.offset))
