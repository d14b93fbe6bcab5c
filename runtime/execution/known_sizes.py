"""What is a plan for all sizes, at some sizes? The same artifact with numbers for expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...dialects.attributes.spec import TensorSpec
from ...dialects.attributes.symint import SymInt
from .artifact import Artifact, BufferPlan, Launch, OutputPlan, Transfer


def at_sizes(artifact: Artifact, values: Mapping[str, int]) -> Artifact:
    """Return the artifact for these values of its symbols, which must pass the plan's guards."""

    def number(value: Any) -> int:
        return value.expression.evaluate(values) if type(value) is SymInt else value

    def spec_at(spec: TensorSpec) -> TensorSpec:
        shape = tuple(map(number, spec.shape))
        strides = tuple(map(number, spec.strides))
        return TensorSpec.of(shape, spec.dtype, spec.device, strides, spec.layout, spec.is_conj)

    def buffer_at(buffer: BufferPlan) -> BufferPlan:
        offset = number(buffer.arena_offset)
        return replace(buffer, nbytes=number(buffer.nbytes), arena_offset=offset)

    def launch_at(launch: Launch | Transfer) -> Launch | Transfer:
        if isinstance(launch, Transfer):
            return replace(launch, offset=number(launch.offset), nbytes=number(launch.nbytes))
        return replace(launch, integers=tuple(map(number, launch.integers)))

    def output_at(output: OutputPlan) -> OutputPlan:
        return OutputPlan(output.buffer, spec_at(output.spec), number(output.storage_offset))

    return replace(
        artifact,
        inputs=tuple(map(spec_at, artifact.inputs)),
        buffers=tuple(map(buffer_at, artifact.buffers)),
        launches=tuple(map(launch_at, artifact.launches)),
        outputs=tuple(map(output_at, artifact.outputs)),
        arena_nbytes=number(artifact.arena_nbytes),
    )
