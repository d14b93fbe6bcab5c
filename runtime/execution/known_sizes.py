"""What is a plan for all sizes, at some sizes? The same artifact with numbers for expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import SymInt
from ...dialects.records import replace
from .artifact import (
    Artifact,
    BufferPlan,
    HostArray,
    HostCall,
    OutputPlan,
    PlanStep,
    ScalarSlot,
    Transfer,
)
from .number_bits import encoder


def at_sizes(
    artifact: Artifact, values: Mapping[str, int], scalars: Mapping[int, SymInt | int]
) -> Artifact:
    """Return the artifact for these values of its symbols, which must pass the plan's guards.

    `scalars` are the numbers that are sizes, by argument: they are none of the arguments then.
    """
    left = [argument for argument in range(len(artifact.scalars)) if argument not in scalars]

    def number(value: Any) -> int:
        return value.expression.evaluate(values) if type(value) is SymInt else value

    def spec_at(spec: TensorSpec) -> TensorSpec:
        shape = tuple(map(number, spec.shape))
        strides = tuple(map(number, spec.strides))
        return TensorSpec.of(shape, spec.dtype, spec.device, strides, spec.layout, spec.is_conj)

    def buffer_at(buffer: BufferPlan) -> BufferPlan:
        offset = number(buffer.arena_offset)
        return replace(buffer, nbytes=number(buffer.nbytes), arena_offset=offset)

    def array_at(array: HostArray) -> HostArray:
        return HostArray(array.buffer, spec_at(array.spec), number(array.offset))

    def call_at(call: HostCall) -> HostCall:
        return replace(
            call,
            operands=tuple(map(array_at, call.operands)),
            results=tuple(map(array_at, call.results)),
            attributes=tuple((name, value_at(value)) for name, value in call.attributes),
        )

    def value_at(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(value_at, cast("tuple[Any, ...]", value)))
        return number(value)

    def launch_at(launch: PlanStep) -> PlanStep:
        if isinstance(launch, HostCall):
            return call_at(launch)
        if isinstance(launch, Transfer):
            return replace(launch, offset=number(launch.offset), nbytes=number(launch.nbytes))
        integers = list(map(number, launch.integers))
        slots: list[ScalarSlot] = []
        for slot in launch.scalars:
            if slot.argument in scalars:
                integers[slot.position] = encoder(slot)(number(scalars[slot.argument]))
            else:
                slots.append(replace(slot, argument=left.index(slot.argument)))
        return replace(launch, integers=tuple(integers), scalars=tuple(slots))

    def output_at(output: OutputPlan) -> OutputPlan:
        return OutputPlan(output.buffer, spec_at(output.spec), number(output.storage_offset))

    return replace(
        artifact,
        inputs=tuple(map(spec_at, artifact.inputs)),
        scalars=tuple(artifact.scalars[argument] for argument in left),
        buffers=tuple(map(buffer_at, artifact.buffers)),
        launches=tuple(map(launch_at, artifact.launches)),
        outputs=tuple(map(output_at, artifact.outputs)),
        arena_nbytes=number(artifact.arena_nbytes),
    )
