"""What can be wrong with a call on the host? A name that is none, memory that is not the call's."""

from __future__ import annotations

from ...dialects.attributes.extents import check_bounds
from ...dialects.attributes.layout import strided
from ...dialects.diagnostics import TrilithError
from ..host.bodies import is_body
from .artifact_fields import ArtifactFields
from .plan_parts import HostArray, HostCall
from .shared_bytes import may_share_bytes


def problem_of_call(artifact: ArtifactFields, call: HostCall) -> str | None:
    """Return the first problem of a call as text, or None."""
    if not is_body(call.body):
        return f"there is no function '{call.body}' on the host"
    for array in call.arrays:
        problem = _of_array(artifact, array)
        if problem is not None:
            return problem
    numbers = [array.buffer for array in call.arrays]
    for place, number in list(enumerate(numbers))[len(call.operands) :]:
        if artifact.buffers[number].role not in ("output", "temporary"):
            return f"'{call.body}' writes to buffer {number}, which is no memory of the call"
        for other in numbers[:place]:
            if may_share_bytes(number, other, artifact.buffers):
                return f"'{call.body}' needs buffer {number} apart from buffer {other}"
    return None


def _of_array(artifact: ArtifactFields, array: HostArray) -> str | None:
    if not 0 <= array.buffer < len(artifact.buffers):
        return f"no buffer {array.buffer}"
    buffer, spec = artifact.buffers[array.buffer], array.spec
    if spec.layout is not strided or spec.is_conj:
        return f"the host computes on no {spec}"
    if spec.device is not artifact.device_of(buffer):
        return f"a tensor on {spec.device} in memory of {artifact.device_of(buffer)}"
    try:
        check_bounds(
            *(spec.shape, spec.strides, array.offset),
            *(spec.dtype.itemsize, artifact.nbytes_of(buffer)),
        )
    except TrilithError as error:
        return error.message
    return None
